import { Cache, Clock, Duration, Effect, Exit, type Redacted } from "effect"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { steadyTime } from "../../foundation/time/steadyTime.ts"
import { type Caller, fromAccess, inProcess } from "./Caller.ts"
import { isWellKnown } from "./inProcess.ts"
import type { KeyUses } from "./KeyUses.ts"
import { isRevoked, secretOpens } from "./keyRules.ts"
import type { Access, CredentialKind, EnvironmentKind } from "./Merchant.ts"
import { InvalidCredentials, MerchantSuspended } from "./MerchantError.ts"
import type { MerchantStore } from "./MerchantStore.ts"
import { hashOf } from "./newKeys.ts"
import { withDefaults } from "./Settings.ts"
import { systemEnvironment } from "./systemEnvironment.ts"

type Admitted = Effect.Effect<Caller, InvalidCredentials | MerchantSuspended | StoreError>

/** Resolves credentials to callers, with a cache in this process. */
export interface Callers {
  /** The caller of a client id and its secret. */
  readonly authenticate: (clientId: string, secret: Redacted.Redacted) => Admitted
  /** The caller of a client id, where a token that it made replaces its secret. */
  readonly callerOf: (clientId: string) => Admitted
  /** The caller of a public key: any user of the merchant's app. */
  readonly callerOfPublicKey: (publicKey: string) => Admitted
  /** The caller for an environment, in the process that holds storage and secret. It needs no key. */
  readonly callerIn: (environment: string, audience: string) => Admitted
  /** The caller for an environment, as its merchant would call; null when it does not exist or is suspended. */
  readonly environment: (
    id: string
  ) => Effect.Effect<Pick<Caller, "environment" | "kind" | "settings"> | null, StoreError>
  /** Whether an environment is live or test; null when it does not exist. */
  readonly kindOf: (environment: string) => Effect.Effect<EnvironmentKind | null, StoreError>
  /** Drops this process's cache after its own change. Other processes refresh within 3 seconds. */
  readonly forget: Effect.Effect<void>
}

/** How long a process may use a cached merchant: every process sees a change within this time. */
const freshness = "3 seconds"

const capacity = 10_000
/** Retries immediately when storage did not answer. */
const timeToLive = (exit: Exit.Exit<unknown, unknown>) => (Exit.isSuccess(exit) ? freshness : Duration.zero)

export const makeCallers = Effect.fnUntraced(function* (store: MerchantStore["Service"], uses: KeyUses["Service"]) {
  const environmentCache = yield* Cache.makeWith(
    (id: string): Effect.Effect<Access | null, StoreError> =>
      id === "" || isWellKnown(id) ? Effect.succeed(null) : store.access(id),
    { capacity, timeToLive }
  )
  const environments = yield* Cache.makeWith(
    (id: string): ReturnType<typeof store.environment> => {
      const systemId = systemEnvironment(id)
      return systemId === null ? store.environment(id) : Effect.succeed(systemId)
    },
    { capacity, timeToLive }
  )
  const inSteadyTime = yield* steadyTime
  const accessOf = (id: string) => inSteadyTime(Cache.get(environmentCache, id))
  const environmentOf = (id: string) => inSteadyTime(Cache.get(environments, id))

  const admit = (access: Access): Effect.Effect<Caller, MerchantSuspended> =>
    access.merchant.status === "SUSPENDED" ? Effect.fail(new MerchantSuspended()) : Effect.succeed(fromAccess(access))

  const authenticate = Effect.fnUntraced(function* (clientId: string, secret: Redacted.Redacted) {
    const access = yield* accessOf(clientId)
    const now = yield* Clock.currentTimeMillis
    // Gives the same error after the same time for an unknown id, a revoked key, a public key and a wrong secret.
    if (!secretOpens(access?.credential ?? null, hashOf(secret), now) || access === null) {
      return yield* new InvalidCredentials()
    }
    uses.note(clientId, now)
    return yield* admit(access)
  })

  const callerBy = (kind: CredentialKind) =>
    Effect.fnUntraced(function* (credentialId: string) {
      const access = yield* accessOf(credentialId)
      return yield* access === null || access.credential.kind !== kind || isRevoked(access.credential)
        ? new InvalidCredentials()
        : admit(access)
    })
  const callerOf = callerBy("SERVER")
  const appOf = callerBy("PUBLIC")

  const callerOfPublicKey = Effect.fnUntraced(function* (publicKey: string) {
    const caller = yield* appOf(publicKey)
    uses.note(publicKey, yield* Clock.currentTimeMillis)
    return caller
  })

  const callerIn = Effect.fnUntraced(function* (id: string, audience: string) {
    const record = yield* environmentOf(id)
    if (record === null) return yield* new InvalidCredentials()
    return yield* record.merchant.status === "SUSPENDED"
      ? new MerchantSuspended()
      : Effect.succeed(inProcess(record, audience))
  })

  const environment = (id: string) =>
    Effect.map(environmentOf(id), (record) =>
      record === null || record.merchant.status === "SUSPENDED"
        ? null
        : {
            environment: id,
            kind: record.environment.kind,
            settings: withDefaults(record.environment.settings)
          }
    )

  const callers: Callers = {
    authenticate,
    callerOf,
    callerOfPublicKey,
    callerIn,
    environment,
    kindOf: (id) => Effect.map(environmentOf(id), (record) => record?.environment.kind ?? null),
    forget: Effect.andThen(Cache.invalidateAll(environmentCache), Cache.invalidateAll(environments))
  }
  return callers
})
