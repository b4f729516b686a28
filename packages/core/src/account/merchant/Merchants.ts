import { Clock, Context, Effect, Layer, Result } from "effect"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import {
  type AuditTarget,
  auditChange,
  auditEntry,
  type By,
  byItself,
  type Doer
} from "../../foundation/outbox/AuditEntry.ts"
import { noRecords } from "../../foundation/outbox/Change.ts"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { DeploymentStore } from "./DeploymentStore.ts"
import { firstMerchant } from "./firstMerchant.ts"
import { type BilledByOperator, BillingRules } from "./BillingRules.ts"
import type { Caller } from "./Caller.ts"
import { type Callers, makeCallers } from "./Callers.ts"
import { changeKeys } from "./changeKeys.ts"
import { PasskeyRule } from "./PasskeyRule.ts"
import { type Changer, changeSettings, currentSettings, type SettingsPatch } from "./changeSettings.ts"
import { checkChosen, ensureKeys, serviceIn } from "./configuredKeys.ts"
import { isWellKnown, processName } from "./inProcess.ts"
import { KeyStore } from "./KeyStore.ts"
import { KeyUses } from "./KeyUses.ts"
import { ended, isRevoked } from "./keyRules.ts"
import type { FreshSignInNeeded, SettingOfOwner } from "./guardRefusal.ts"
import type { Credential, Environment, EnvironmentKind, Merchant, MerchantStatus } from "./Merchant.ts"
import { KeysTaken, UnknownMerchant } from "./MerchantError.ts"
import { MerchantStore } from "./MerchantStore.ts"
import { credentialsOf, freshKeys, type KeySet, serverKey } from "./newKeys.ts"
import { checkMerchantName, newMerchant } from "./newMerchant.ts"
import { SettableChannels } from "./SettableChannels.ts"
import { defaultSettings, type Settings } from "./Settings.ts"

export interface NewMerchantKeys {
  readonly merchant: Merchant
  readonly live: KeySet
  readonly test: KeySet
}

/** A merchant and its environments. */
export type KnownMerchant = Pick<MerchantStore.Record, "merchant" | "environments">

/** Changes to a merchant belong to none of its environments. */
const ofMerchant = ({ id }: Merchant, by: By): Doer => ({ ...by, merchantId: id, environment: null })

const deedOf = (action: string, { id }: Merchant): { readonly action: string; readonly target: AuditTarget } => ({
  action,
  target: { kind: "merchant", id }
})

const changing = ({ name, status }: Merchant) => ({ name, status })

/**
 * Manages merchants, their callers and their settings.
 *
 * @example
 * ```ts
 * import { Merchants } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const merchants = yield* Merchants
 *   const { live } = yield* merchants.create("Acme")
 *   const caller = yield* merchants.authenticate(live.clientId, live.clientSecret)
 *   return yield* merchants.changeSettings(caller, { codeLength: 4 })
 * })
 * ```
 */
export class Merchants extends Context.Service<
  Merchants,
  Callers & {
    /** Makes a merchant with both environments and fresh keys. */
    readonly create: (name: string, by?: By) => Effect.Effect<NewMerchantKeys, InvalidField | Conflict | StoreError>
    /**
     * Ensures that a merchant has these keys. Makes the merchant if its live client id is new, adds its new keys, and
     * treats another secret for a key as a roll. Refuses a key that belongs to another merchant.
     */
    readonly ensure: (
      name: string,
      keys: { readonly live: KeySet; readonly test: KeySet | null }
    ) => Effect.Effect<KnownMerchant, KeysTaken | Contended | StoreError>
    /** The merchant of a process without keys: made once, found again at each start. Nothing opens it over HTTP. */
    readonly ensureInProcess: (name: string) => Effect.Effect<KnownMerchant, Contended | StoreError>
    /**
     * The id of the merchant that owns the service's own WhatsApp numbers and their templates; null when there is no
     * merchant. `ensure` and `ensureInProcess` record it for the merchant that they make, unless it is recorded.
     */
    readonly first: Effect.Effect<string | null, StoreError>
    /** A merchant with its active keys. */
    readonly get: (id: string) => Effect.Effect<MerchantStore.Record, UnknownMerchant | StoreError>
    readonly list: MerchantStore["Service"]["list"]
    readonly setStatus: (
      id: string,
      status: MerchantStatus,
      by?: By
    ) => Effect.Effect<Merchant, UnknownMerchant | Contended | StoreError>
    /** Renames a merchant. Its messages use the setting `brand`, which stays. */
    readonly rename: (
      id: string,
      name: string,
      by?: By
    ) => Effect.Effect<Merchant, InvalidField | UnknownMerchant | Contended | StoreError>
    /** Changes settings. Checks every value against its range, and refuses unknown names. */
    readonly changeSettings: (
      caller: Changer,
      patch: SettingsPatch
    ) => Effect.Effect<
      Settings,
      BilledByOperator | FreshSignInNeeded | SettingOfOwner | InvalidField | Contended | StoreError
    >
    /** The settings as they are in storage at this moment. */
    readonly settings: (caller: Pick<Caller, "environment">) => Effect.Effect<Settings, StoreError>
  }
>()("@countersign/core/merchant/Merchants") {
  static readonly layer: Layer.Layer<
    Merchants,
    never,
    BillingRules | DeploymentStore | MerchantStore | KeyStore | KeyUses | PasskeyRule
  > = Layer.effect(
    Merchants,
    Effect.gen(function* () {
      const rules = yield* BillingRules
      const passkeyRule = yield* PasskeyRule
      const channels = yield* SettableChannels
      const deployment = yield* DeploymentStore
      const store = yield* MerchantStore
      const keyStore = yield* KeyStore
      const callers = yield* makeCallers(store, yield* KeyUses)

      const knownMerchantOf = ({ environments, merchant }: MerchantStore.Record): KnownMerchant => ({
        merchant,
        environments
      })
      const open = (record: MerchantStore.Record): MerchantStore.Record => ({
        ...record,
        credentials: record.credentials.filter((key) => !isRevoked(key))
      })

      const add = Effect.fnUntraced(function* (
        name: string,
        by: By,
        keysFor: (environment: string, kind: EnvironmentKind) => ReadonlyArray<Credential>
      ) {
        const now = yield* Clock.currentTimeMillis
        const newRecord = yield* newMerchant(name, now, keysFor)
        const keys = newRecord.credentials.filter((key) => !isRevoked(key)).map(({ id }) => id)
        const { merchant } = newRecord
        const to = { name: merchant.name, status: merchant.status, keys }
        const audited = [auditEntry(ofMerchant(merchant, by), { ...deedOf("merchant.created", merchant), to }, now)]
        const write = Effect.as(store.create({ ...noRecords, audited, ...newRecord }), knownMerchantOf(newRecord))
        // An earlier try of this request may have made it.
        const alreadyCreated = Effect.map(store.get(merchant.id), (record) => record && knownMerchantOf(record))
        return yield* Effect.ensuring(RequestKey.once(alreadyCreated, write), callers.forget)
      })

      const create = Effect.fnUntraced(function* (rawName: string, by: By = byItself) {
        const name = yield* Effect.fromResult(checkMerchantName(rawName))
        const keys = { live: yield* freshKeys("live"), test: yield* freshKeys("test") }
        const now = yield* Clock.currentTimeMillis
        const { merchant } = yield* add(name, by, (environment, kind) => credentialsOf(environment, keys[kind], now))
        return { merchant, ...keys }
      })

      const get = Effect.fnUntraced(function* (id: string) {
        return open((yield* store.get(id)) ?? (yield* new UnknownMerchant({ id })))
      })

      /**
       * The well-known keys that every embedded service had before keys had to be chosen: revokes them if they still
       * exist.
       */
      const revokeWellKnown = Effect.fnUntraced(function* (environment: Environment) {
        yield* changeKeys(keyStore, serviceIn(environment), ({ keys }, now) => {
          const open = keys.filter((key) => isWellKnown(key.id) && !isRevoked(key))
          return Result.succeed(open.map((from) => ({ action: "key.revoked", from, to: ended(from, now) })))
        })
      })

      /** Returns the merchant of the well-known names, whose keys now open nothing, or null. */
      const processMerchant = Effect.gen(function* () {
        const access = yield* store.access(processName("live"))
        if (access === null) return null
        const record = yield* store.get(access.merchant.id)
        if (record === null) return null
        yield* Effect.forEach(record.environments, revokeWellKnown, { discard: true })
        yield* callers.forget
        return knownMerchantOf(record)
      })

      const recordFirst = ({ merchant }: KnownMerchant) => deployment.claim("firstMerchant", merchant.id)

      const ensure = Effect.fnUntraced(
        function* (name: string, chosen: { readonly live: KeySet; readonly test: KeySet | null }) {
          const { live, test } = chosen
          yield* Effect.fromResult(checkChosen(live))
          if (test !== null) yield* Effect.fromResult(checkChosen(test))
          yield* processMerchant
          // Checks the other keys first. A merchant is made with all its keys in one commit, so when they exist without
          // the live client id, they belong to another merchant.
          const otherIds = [live.publicKey, ...(test === null ? [] : [test.clientId, test.publicKey])]
          const takenIds = yield* Effect.filter(otherIds, (id) =>
            Effect.map(store.access(id), (access) => access !== null)
          )
          const existing = yield* store.access(live.clientId)
          if (existing === null) {
            if (takenIds[0] !== undefined) return yield* new KeysTaken({ clientId: takenIds[0], why: "FOREIGN" })
            const keys = { live, test: test ?? (yield* freshKeys("test")) }
            const now = yield* Clock.currentTimeMillis
            return yield* add(name, byItself, (environment, kind) => credentialsOf(environment, keys[kind], now))
          }
          const record = (yield* store.get(existing.merchant.id))!
          for (const environment of record.environments) {
            const keys = chosen[environment.kind]
            if (keys !== null) yield* ensureKeys({ merchants: store, keys: keyStore }, environment, keys)
          }
          yield* callers.forget
          return knownMerchantOf(record)
        },
        untilCommitted,
        Effect.tap(recordFirst)
      )

      const ensureInProcess = Effect.fnUntraced(
        function* (name: string) {
          const existing = yield* processMerchant
          if (existing !== null) return existing
          const now = yield* Clock.currentTimeMillis
          return yield* add(name, byItself, (environment, kind) => [
            ended(serverKey(processName(kind), "", [], { environment, name: null, createdAt: now }), now)
          ])
        },
        untilCommitted,
        Effect.tap(recordFirst)
      )

      const change = (
        id: string,
        by: By,
        action: "merchant.renamed" | "merchant.suspended" | "merchant.resumed",
        next: Partial<Pick<Merchant, "name" | "status">>
      ) =>
        Effect.gen(function* () {
          const { merchant: from } = (yield* store.get(id)) ?? (yield* new UnknownMerchant({ id }))
          const to = { ...from, ...next }
          const deed = { ...deedOf(action, from), from: changing(from), to: changing(to) }
          const audited = auditChange(ofMerchant(from, by), deed, yield* Clock.currentTimeMillis)
          // A request that changes nothing leaves no history entry.
          if (audited.length > 0) yield* store.change({ ...noRecords, audited, from, to })
          return to
        }).pipe(
          untilCommitted,
          Effect.tap(() => callers.forget)
        )

      return Merchants.of({
        ...callers,
        create,
        ensure,
        ensureInProcess,
        first: firstMerchant(deployment, store),
        get,
        list: store.list,
        setStatus: (id, status, by = byItself) =>
          change(id, by, status === "SUSPENDED" ? "merchant.suspended" : "merchant.resumed", { status }),
        rename: (id, rawName, by = byItself) =>
          Effect.flatMap(Effect.fromResult(checkMerchantName(rawName)), (name) =>
            change(id, by, "merchant.renamed", { name })
          ),
        changeSettings: (caller, patch) =>
          Effect.tap(changeSettings(rules, store, passkeyRule, channels, caller, patch), () => callers.forget),
        settings: ({ environment }) =>
          Effect.map(currentSettings(store, environment), ({ changed }) => ({ ...defaultSettings, ...changed }))
      })
    })
  )
}
