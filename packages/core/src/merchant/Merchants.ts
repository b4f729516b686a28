import { Cache, Clock, Context, Duration, Effect, Exit, Layer, Redacted, Schema } from "effect"
import * as Identifier from "../identity/Identifier.ts"
import { InvalidField } from "../identity/InvalidField.ts"
import * as SecretHash from "../secret/SecretHash.ts"
import type { Conflict } from "../storage/Conflict.ts"
import type { Contended } from "../storage/Contended.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import type { Instant } from "../time/Instant.ts"
import { type Caller, fromAccess } from "./Caller.ts"
import type {
  Access,
  Credential,
  CredentialKind,
  Environment,
  EnvironmentKind,
  Merchant,
  MerchantStatus
} from "./Merchant.ts"
import { InvalidCredentials, KeysTaken, MerchantSuspended, UnknownMerchant } from "./MerchantError.ts"
import { type MerchantRecord, MerchantStore } from "./MerchantStore.ts"
import { nearestName } from "./nearestName.ts"
import { defaultSettings, type Settings, SettingsFields } from "./Settings.ts"

/** The keys of one environment. The secret is shown once, when it is made. */
export interface Keys {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly publicKey: string
}

/** Keys that somebody chose. Without a secret they are for the merchant's own process, and no request gets in with them. */
export type ChosenKeys = Omit<Keys, "clientSecret"> & { readonly clientSecret: Redacted.Redacted | null }

export interface NewMerchantKeys {
  readonly merchant: Merchant
  readonly live: Keys
  readonly test: Keys
}

/** How long a process may go on with what it knows of a merchant: a change is everywhere known within this time. */
const freshness = "3 seconds"

const capacity = 10_000
/** A storage that did not answer is asked again at once. */
const timeToLive = (exit: Exit.Exit<unknown, unknown>) => (Exit.isSuccess(exit) ? freshness : Duration.zero)

const environmentKinds = ["live", "test"] as const

const randomKeys = (kind: EnvironmentKind): Keys => ({
  clientId: `cs_${kind}_${Identifier.randomText(24)}`,
  clientSecret: Redacted.make(`sk_${kind}_${Identifier.randomText(40)}`),
  publicKey: `pk_${kind}_${Identifier.randomText(24)}`
})

const credentials = (environment: string, keys: Keys, createdAt: Instant): ReadonlyArray<Credential> => [
  {
    id: keys.clientId,
    kind: "SERVER",
    environment,
    secretHash: SecretHash.hash(Redacted.value(keys.clientSecret)),
    createdAt
  },
  { id: keys.publicKey, kind: "PUBLIC", environment, secretHash: null, createdAt }
]

/** Compared when the client id is unknown, so that the answer takes as long as for a wrong secret. */
const nobody = SecretHash.hash("nobody")

const decodeSetting = Object.fromEntries(
  Object.entries(SettingsFields).map(([name, field]) => [
    name,
    Schema.decodeUnknownEffect(field as Schema.Codec<unknown>)
  ])
) as { readonly [name: string]: (value: unknown) => Effect.Effect<unknown, Schema.SchemaError> }

const unknownSetting = (name: string) => {
  const meant = nearestName(name, Object.keys(decodeSetting))
  return new InvalidField({
    field: name.slice(0, longestShown),
    problem: meant === null ? "is not a setting" : `is not a setting; did you mean ${meant}?`
  })
}
/** Of a name that is none. */
const longestShown = 64

/** Merchants, who may call, and with which settings. */
export class Merchants extends Context.Service<
  Merchants,
  {
    /** Whom a client id and its secret speak for. */
    readonly authenticate: (
      clientId: string,
      secret: Redacted.Redacted
    ) => Effect.Effect<Caller, InvalidCredentials | MerchantSuspended | StoreError>
    /** Whom a client id speaks for, where there is no secret to check: in the merchant's own process. */
    readonly callerOf: (clientId: string) => Effect.Effect<Caller, InvalidCredentials | MerchantSuspended | StoreError>
    /** Whom a public key speaks for: anybody who has the merchant's app. */
    readonly callerOfPublicKey: (
      publicKey: string
    ) => Effect.Effect<Caller, InvalidCredentials | MerchantSuspended | StoreError>
    /** An environment as its merchant would call it; null when there is none, or it is suspended. */
    readonly environment: (
      id: string
    ) => Effect.Effect<Pick<Caller, "environment" | "kind" | "settings"> | null, StoreError>
    /** Which world an environment is; null when there is no such environment. */
    readonly kindOf: (environment: string) => Effect.Effect<EnvironmentKind | null, StoreError>
    /** Makes a merchant with both environments and fresh keys. */
    readonly create: (name: string) => Effect.Effect<NewMerchantKeys, InvalidField | Conflict | StoreError>
    /**
     * Sees to it that a merchant has these keys: makes it if its live client id is new, and adds test keys that are new
     * to it. A client id that exists with another secret, or belongs to somebody else, is refused.
     */
    readonly ensure: (
      name: string,
      keys: { readonly live: ChosenKeys; readonly test: ChosenKeys | null }
    ) => Effect.Effect<Merchant, KeysTaken | Contended | StoreError>
    /** Makes another set of keys for one of a merchant's environments. */
    readonly addKeys: (
      merchantId: string,
      kind: EnvironmentKind
    ) => Effect.Effect<Keys, UnknownMerchant | Conflict | StoreError>
    readonly get: (id: string) => Effect.Effect<MerchantRecord, UnknownMerchant | StoreError>
    readonly list: MerchantStore["Service"]["list"]
    readonly setStatus: (id: string, status: MerchantStatus) => Effect.Effect<void, UnknownMerchant | StoreError>
    /** Changes some settings; every value is checked against its range, and an unknown name is ignored. */
    readonly changeSettings: (
      caller: Caller,
      patch: { readonly [name: string]: unknown }
    ) => Effect.Effect<Settings, InvalidField | Contended | StoreError>
    /** The settings as they are in storage at this moment. */
    readonly settings: (caller: Caller) => Effect.Effect<Settings, StoreError>
  }
>()("@countersign/core/merchant/Merchants") {
  static readonly layer: Layer.Layer<Merchants, never, MerchantStore> = Layer.effect(
    Merchants,
    Effect.gen(function* () {
      const store = yield* MerchantStore
      const known = yield* Cache.makeWith(store.access, { capacity, timeToLive })
      const environments = yield* Cache.makeWith(store.environment, { capacity, timeToLive })
      const forget = Effect.andThen(Cache.invalidateAll(known), Cache.invalidateAll(environments))

      const admit = (access: Access): Effect.Effect<Caller, MerchantSuspended> =>
        access.merchant.status === "SUSPENDED"
          ? Effect.fail(new MerchantSuspended())
          : Effect.succeed(fromAccess(access))

      const authenticate = Effect.fnUntraced(function* (clientId: string, secret: Redacted.Redacted) {
        const access: Access | null = clientId === "" ? null : yield* Cache.get(known, clientId)
        const given = SecretHash.hash(Redacted.value(secret))
        const hash = access?.credential.secretHash ?? null
        // A public key has no secret, and none may stand in for it.
        if (!SecretHash.equals(given, hash ?? nobody) || access === null || hash === null) {
          return yield* new InvalidCredentials()
        }
        return yield* admit(access)
      })

      const callerBy = (kind: CredentialKind) =>
        Effect.fnUntraced(function* (credentialId: string) {
          const access = credentialId === "" ? null : yield* Cache.get(known, credentialId)
          return yield* access === null || access.credential.kind !== kind ? new InvalidCredentials() : admit(access)
        })
      const callerOf = callerBy("SERVER")

      const environment = (id: string) =>
        Effect.map(Cache.get(environments, id), (found) =>
          found === null || found.merchant.status === "SUSPENDED"
            ? null
            : {
                environment: id,
                kind: found.environment.kind,
                settings: { ...defaultSettings, ...found.environment.settings }
              }
        )

      const add = Effect.fnUntraced(function* (name: string, keys: { readonly live: Keys; readonly test: Keys }) {
        const now = yield* Clock.currentTimeMillis
        const merchant: Merchant = { id: Identifier.make("mer", now), name, status: "ACTIVE", createdAt: now }
        const made = environmentKinds.map((kind): { environment: Environment; keys: Keys } => ({
          environment: {
            id: `${kind}_${Identifier.randomText(12)}`,
            merchantId: merchant.id,
            kind,
            settings: { brand: name },
            settingsVersion: 1
          },
          keys: keys[kind]
        }))
        yield* store.create({
          merchant,
          environments: made.map((one) => one.environment),
          credentials: made.flatMap((one) => credentials(one.environment.id, one.keys, now))
        })
        yield* forget
        return merchant
      })

      const create = Effect.fnUntraced(function* (given: string) {
        const name = given.trim()
        if (name === "" || name.length > 60 || /[\p{Cc}\p{Cs}]/u.test(name)) {
          return yield* new InvalidField({ field: "name", problem: "must be 1 to 60 characters" })
        }
        const keys = { live: randomKeys("live"), test: randomKeys("test") }
        return { merchant: yield* add(name, keys), ...keys }
      })

      const get = Effect.fnUntraced(function* (id: string) {
        return (yield* store.get(id)) ?? (yield* new UnknownMerchant({ id }))
      })

      const addKeysTo = Effect.fnUntraced(function* (merchantId: string, kind: EnvironmentKind, keys: Keys) {
        const record = yield* store.get(merchantId)
        const environment = record?.environments.find((one) => one.kind === kind)
        if (environment === undefined) return false
        yield* store.addCredentials(credentials(environment.id, keys, yield* Clock.currentTimeMillis))
        yield* forget
        return true
      })

      const addKeys = Effect.fnUntraced(function* (merchantId: string, kind: EnvironmentKind) {
        const keys = randomKeys(kind)
        return (yield* addKeysTo(merchantId, kind, keys)) ? keys : yield* new UnknownMerchant({ id: merchantId })
      })

      const withSecret = (kind: EnvironmentKind, keys: ChosenKeys): Keys => ({
        ...keys,
        clientSecret: keys.clientSecret ?? randomKeys(kind).clientSecret
      })

      const isKept = (access: Access, keys: ChosenKeys) =>
        keys.clientSecret === null ||
        SecretHash.equals(SecretHash.hash(Redacted.value(keys.clientSecret)), access.credential.secretHash ?? nobody)

      const decideEnsure = Effect.fnUntraced(function* (
        name: string,
        keys: { readonly live: ChosenKeys; readonly test: ChosenKeys | null }
      ) {
        const { live, test } = keys
        const existing = yield* store.access(live.clientId)
        if (existing === null) {
          return yield* add(name, {
            live: withSecret("live", live),
            test: test === null ? randomKeys("test") : withSecret("test", test)
          })
        }
        if (!isKept(existing, live)) return yield* new KeysTaken({ clientId: live.clientId })
        const { merchant } = existing
        if (test === null) return merchant
        const known = yield* store.access(test.clientId)
        if (known === null) yield* addKeysTo(merchant.id, "test", withSecret("test", test))
        else if (known.merchant.id !== merchant.id || !isKept(known, test)) {
          return yield* new KeysTaken({ clientId: test.clientId })
        }
        return merchant
      })

      const setStatus = Effect.fnUntraced(function* (id: string, status: MerchantStatus) {
        if (!(yield* store.setStatus(id, status))) return yield* new UnknownMerchant({ id })
        yield* forget
      })

      const current = (caller: Caller) =>
        Effect.map(store.environment(caller.environment), (found) => ({
          version: found?.environment.settingsVersion ?? 0,
          changed: found?.environment.settings ?? {}
        }))

      const decideSettings = Effect.fnUntraced(function* (caller: Caller, patch: { readonly [name: string]: unknown }) {
        const changes: Record<string, unknown> = {}
        for (const [name, value] of Object.entries(patch)) {
          const decode = Object.hasOwn(decodeSetting, name) ? decodeSetting[name] : undefined
          if (decode === undefined) return yield* unknownSetting(name)
          changes[name] = yield* decode(value).pipe(
            Effect.mapError((error) => new InvalidField({ field: name, problem: error.message.split("\n")[0]! }))
          )
        }
        const { changed, version } = yield* current(caller)
        const next: Partial<Settings> = { ...changed, ...changes }
        yield* store.saveSettings(caller.environment, version, next)
        yield* forget
        return { ...defaultSettings, ...next }
      })

      return Merchants.of({
        authenticate,
        callerOf,
        callerOfPublicKey: callerBy("PUBLIC"),
        environment,
        kindOf: (id) => Effect.map(Cache.get(environments, id), (found) => found?.environment.kind ?? null),
        create,
        // Another process may make it between the look and the write.
        ensure: (name, keys) => untilCommitted(decideEnsure(name, keys)),
        addKeys,
        get,
        list: store.list,
        setStatus,
        changeSettings: (caller, patch) => untilCommitted(decideSettings(caller, patch)),
        settings: (caller) => Effect.map(current(caller), ({ changed }) => ({ ...defaultSettings, ...changed }))
      })
    })
  )
}
