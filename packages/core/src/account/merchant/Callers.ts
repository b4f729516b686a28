import { Clock, Duration, Effect, Exit, Redacted } from "effect"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import * as SteadyCache from "../../foundation/time/SteadyCache.ts"
import { type Caller, fromAccess, inProcess } from "./Caller.ts"
import { isWellKnown } from "./inProcess.ts"
import type { KeyUses } from "./KeyUses.ts"
import { isRevoked, secretOpens } from "./keyRules.ts"
import type { Access, CredentialKind, EnvironmentKind } from "./Merchant.ts"
import { InvalidCredentials, MerchantSuspended } from "./MerchantError.ts"
import type { MerchantStore } from "./MerchantStore.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"
import { withDefaults } from "./Settings.ts"
import { systemEnvironment } from "./systemEnvironment.ts"

type Refused = InvalidCredentials | MerchantSuspended
type Admitted = Effect.Effect<Caller, Refused | StoreError>

/** Resolves credentials to callers, with a cache in this process. */
export interface Callers {
  /** The caller of a client id and its secret. A plain text is hashed and then dropped: it needs no wrapper. */
  readonly authenticate: (clientId: string, secret: Redacted.Redacted | string) => Admitted
  /** Like `authenticate`, from the cache and without a step of its own. Null when storage must be asked. */
  readonly authenticateNow: (clientId: string, secret: string) => Exit.Exit<Caller, Refused> | null
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
  const clock = yield* Clock.Clock
  const accesses = yield* SteadyCache.make(
    (id: string): Effect.Effect<Access | null, StoreError> =>
      id === "" || isWellKnown(id) ? Effect.succeed(null) : store.access(id),
    { capacity, timeToLive }
  )
  const environments = yield* SteadyCache.make(
    (id: string): ReturnType<typeof store.environment> => {
      const systemId = systemEnvironment(id)
      return systemId === null ? store.environment(id) : Effect.succeed(systemId)
    },
    { capacity, timeToLive }
  )

  const admit = (access: Access): Exit.Exit<Caller, MerchantSuspended> =>
    access.merchant.status === "SUSPENDED" ? Exit.fail(new MerchantSuspended()) : Exit.succeed(fromAccess(access))

  const admitWith = (access: Access | null, clientId: string, secret: string): Exit.Exit<Caller, Refused> => {
    const now = clock.currentTimeMillisUnsafe()
    // Gives the same error after the same time for an unknown id, a revoked key, a public key and a wrong secret.
    const opens = secretOpens(access?.credential ?? null, SecretHash.hash(secret), now)
    if (!opens || access === null) return Exit.fail(new InvalidCredentials())
    uses.note(clientId, now)
    return admit(access)
  }

  const authenticateNow: Callers["authenticateNow"] = (clientId, secret) => {
    const access = accesses.peek(clientId)
    return access === undefined || Exit.isFailure(access) ? null : admitWith(access.value, clientId, secret)
  }

  const authenticate: Callers["authenticate"] = (clientId, secret) =>
    Effect.flatMap(accesses.get(clientId), (access) =>
      admitWith(access, clientId, typeof secret === "string" ? secret : Redacted.value(secret))
    )

  const callerBy = (kind: CredentialKind) =>
    Effect.fnUntraced(function* (credentialId: string) {
      const access = yield* accesses.get(credentialId)
      return yield* access === null || access.credential.kind !== kind || isRevoked(access.credential)
        ? new InvalidCredentials()
        : admit(access)
    })
  const callerOf = callerBy("SERVER")
  const appOf = callerBy("PUBLIC")

  const callerOfPublicKey = Effect.fnUntraced(function* (publicKey: string) {
    const caller = yield* appOf(publicKey)
    uses.note(publicKey, clock.currentTimeMillisUnsafe())
    return caller
  })

  const callerIn = Effect.fnUntraced(function* (id: string, audience: string) {
    const record = yield* environments.get(id)
    if (record === null) return yield* new InvalidCredentials()
    return yield* record.merchant.status === "SUSPENDED"
      ? new MerchantSuspended()
      : Effect.succeed(inProcess(record, audience))
  })

  const environment = (id: string) =>
    Effect.map(environments.get(id), (record) =>
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
    authenticateNow,
    callerOf,
    callerOfPublicKey,
    callerIn,
    environment,
    kindOf: (id) => Effect.map(environments.get(id), (record) => record?.environment.kind ?? null),
    forget: Effect.andThen(accesses.forgetAll, environments.forgetAll)
  }
  return callers
})
