import { Clock, Context, Duration, Effect, Exit, Layer, Redacted } from "effect"
import type { Account } from "../../foundation/delivery/Account.ts"
import { isAccount } from "../../foundation/delivery/Channel.ts"
import { Channels } from "../../foundation/delivery/Channels.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Caller } from "../merchant/Caller.ts"
import { DeploymentStore } from "../merchant/DeploymentStore.ts"
import { firstMerchant } from "../merchant/firstMerchant.ts"
import { MerchantStore } from "../merchant/MerchantStore.ts"
import { auditEntry, type AuditFields, type AuditTarget } from "../../foundation/outbox/AuditEntry.ts"
import { noRecords } from "../../foundation/outbox/Change.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import * as Seal from "../../foundation/secret/Seal.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import * as SteadyCache from "../../foundation/time/SteadyCache.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"
import { ConnectFailed, UnknownNumber } from "./NumberError.ts"
import { NumberStore } from "./NumberStore.ts"

/** The input to connect a number. */
export interface NumberFields {
  /** The provider's id of the number. */
  readonly phoneNumberId: string
  /** The provider's id of the account that the number belongs to. */
  readonly wabaId: string
  readonly accessToken: Redacted.Redacted
}

/** A number in this process's cache. The account is null when its token cannot be read. */
interface Known {
  readonly environment: string
  readonly account: Account | null
}

/** The context that a number's token is sealed for. */
export const tokenPurpose = "number-token"
const purpose = tokenPurpose
/** How long a process may use its cached numbers: every process sees a change within this time. */
const freshness = "3 seconds"
const capacity = 10_000
const mostPerEnvironment = 100
const longestToken = 4_096

/** Retries immediately when storage did not answer. */
const timeToLive = (exit: Exit.Exit<unknown, unknown>) => (Exit.isSuccess(exit) ? freshness : Duration.zero)

const viewOf = ({ sealed: _sealed, version: _version, ...view }: ConnectedNumber): Numbers.View => view

/** The part of a number that history entries may show: everything except its token. */
const auditFieldsOf = ({ accountId, displayName, displayNumber }: ConnectedNumber): AuditFields => ({
  wabaId: accountId,
  displayNumber,
  displayName
})

const targetOf = ({ id }: ConnectedNumber): AuditTarget => ({ kind: "number", id })

const checkId = (field: string, id: string) =>
  /^[0-9]{1,32}$/.test(id) ? Effect.void : Effect.fail(invalidField(field, Problem.of("WHATSAPP_ID")))

const checkToken = (token: Redacted.Redacted) =>
  /^[\x21-\x7e]+$/.test(Redacted.value(token)) && Redacted.value(token).length <= longestToken
    ? Effect.void
    : Effect.fail(invalidField("accessToken", Problem.of("ACCESS_TOKEN", { max: longestToken })))

/**
 * The WhatsApp numbers that merchants connected. Messages are sent from them, and replies to them belong to the
 * merchant.
 *
 * @example
 * ```ts
 * import { type Caller, Numbers } from "@countersign/core"
 * import { Effect, Redacted } from "effect"
 *
 * const connect = Effect.fn(function* (caller: Caller, accessToken: string) {
 *   const numbers = yield* Numbers
 *   const { displayNumber } = yield* numbers.connect(caller, {
 *     phoneNumberId: "106540352242922",
 *     wabaId: "102290129340398",
 *     accessToken: Redacted.make(accessToken)
 *   })
 *   return displayNumber
 * })
 * ```
 */
export class Numbers extends Context.Service<
  Numbers,
  {
    /**
     * Connects a number to a live environment, after the provider confirmed that it is usable. When the same
     * environment connects it again, its token and the provider's details are replaced.
     */
    readonly connect: (
      caller: Caller,
      fields: NumberFields
    ) => Effect.Effect<Numbers.View, InvalidField | ConnectFailed | Contended | StoreError>
    /** The numbers of an environment, the first connected number first. */
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<Numbers.View>, StoreError>
    /** Deletes a number and its token. Later messages to the number belong to no environment. */
    readonly disconnect: (caller: Caller, id: string) => Effect.Effect<void, UnknownNumber | Contended | StoreError>
    /** The account that sends from one of an environment's numbers; null when it has no number with that id. */
    readonly accountOf: (environment: string, id: string) => Effect.Effect<Account | null, StoreError>
    /**
     * Whether a caller's merchant sends from this connected number. For a test environment: whether its live
     * environment would.
     */
    readonly isSenderOf: (caller: Caller, id: string) => Effect.Effect<boolean, StoreError>
    /** The id of the number that an environment connected first; null when it has none. */
    readonly firstOf: (environment: string) => Effect.Effect<string | null, StoreError>
    /**
     * Whether an environment may send templates of its choice from a WhatsApp number; null is the channel's default
     * number. The service's own account, numbers and templates belong to one environment. Other merchants send only the
     * service's code and link templates from there, and need a connected number for their own templates. A test
     * environment may always, because it sends nothing.
     */
    readonly maySendTemplates: (environment: string, numberId: string | null) => Effect.Effect<boolean, StoreError>
    /** Returns the environment that receives messages to a number, or null. */
    readonly environmentOf: (receiver: string) => Effect.Effect<string | null, StoreError>
  }
>()("@countersign/core/number/Numbers") {
  static readonly layer: Layer.Layer<
    Numbers,
    never,
    Channels | DeploymentStore | Keyring | MerchantStore | NumberStore | Outbox
  > = Layer.effect(
    Numbers,
    Effect.gen(function* () {
      const channels = yield* Channels
      const keyring = yield* Keyring
      const deployment = yield* DeploymentStore
      const merchants = yield* MerchantStore
      const outbox = yield* Outbox
      const commit = yield* Outbox.committer(NumberStore)
      const store = yield* NumberStore
      const channel = channels.find("WHATSAPP")
      const ownSenders = new Set(channel?.supports.senders)

      /** Reseals the token under the current key, before the old key is retired. The first process does it for all. */
      const sealAnew = Effect.fnUntraced(
        function* (number: ConnectedNumber, token: string) {
          if (Seal.isCurrent(keyring, number.sealed)) return
          const sealed = yield* Seal.seal(keyring, purpose, token)
          yield* commit({ ...noRecords, number: { ...number, sealed } })
        },
        Effect.catchTag("Conflict", () => Effect.void)
      )

      const opened = (number: ConnectedNumber): Effect.Effect<Account | null, StoreError> =>
        Seal.open(keyring, purpose, number.sealed).pipe(
          Effect.tap((token) => sealAnew(number, token)),
          Effect.map((token): Account | null => ({ id: number.id, accessToken: Redacted.make(token) })),
          Effect.catchTag("SealBroken", () =>
            Effect.as(
              Effect.logWarning("The token of a connected number cannot be read; connect the number again", {
                environment: number.environment,
                number: number.id
              }),
              null
            )
          )
        )

      const receivers = yield* SteadyCache.make(
        Effect.fnUntraced(function* (id: string): Effect.fn.Return<Known | null, StoreError> {
          const number = yield* store.get(id)
          return number === null ? null : { environment: number.environment, account: yield* opened(number) }
        }),
        { capacity, timeToLive }
      )

      /** The environment that owns the numbers the channel was configured with. */
      const firstLive = yield* SteadyCache.make(
        Effect.fnUntraced(function* (_: "first"): Effect.fn.Return<string | null, StoreError> {
          const first = yield* firstMerchant(deployment, merchants)
          const record = first === null ? null : yield* merchants.get(first)
          return record?.environments.find(({ kind }) => kind === "live")?.id ?? null
        }),
        { capacity: 1, timeToLive }
      )

      const connect = Effect.fnUntraced(function* (caller: Caller, fields: NumberFields) {
        const { accessToken, phoneNumberId: id, wabaId } = fields
        yield* checkId("phoneNumberId", id)
        yield* checkId("wabaId", wabaId)
        yield* checkToken(accessToken)
        if (caller.kind === "test") {
          return yield* new ConnectFailed({
            problem: "the test environment does not call WhatsApp; connect the number with a live key"
          })
        }
        if (channel?.accounts === undefined) {
          return yield* new ConnectFailed({
            problem: "this server has no WhatsApp channel that accepts merchants' numbers; ask its operator"
          })
        }
        const facts = yield* Effect.mapError(
          channel.accounts.connect({ id, accessToken, groupId: wabaId }),
          ({ problem }) => new ConnectFailed({ problem })
        )
        const sealed = yield* Seal.seal(keyring, purpose, Redacted.value(accessToken))
        const save = Effect.gen(function* () {
          const before = yield* store.get(id)
          if (before !== null && before.environment !== caller.environment) {
            return yield* new ConnectFailed({
              problem: "another environment has connected this number; disconnect it there first"
            })
          }
          if (before === null && (yield* store.list(caller.environment)).length >= mostPerEnvironment) {
            return yield* new ConnectFailed({
              problem: `this environment already has ${mostPerEnvironment} numbers; disconnect one first`
            })
          }
          const number: ConnectedNumber = {
            id,
            environment: caller.environment,
            version: before?.version ?? 0,
            accountId: wabaId,
            ...facts,
            sealed,
            connectedAt: before?.connectedAt ?? (yield* Clock.currentTimeMillis)
          }
          const deed = { action: "number.connected", target: targetOf(number), to: auditFieldsOf(number) }
          const entry = auditEntry(
            caller,
            { ...deed, from: before && auditFieldsOf(before) },
            yield* Clock.currentTimeMillis
          )
          return yield* commit({ ...noRecords, number, audited: [entry] })
        })
        return viewOf(yield* Effect.ensuring(untilCommitted(save), receivers.forget(id)))
      })

      const environmentOf = Effect.fnUntraced(function* (receiver: string) {
        const number = yield* receivers.get(receiver)
        if (number !== null) return number.environment
        return ownSenders.has(receiver) ? yield* firstLive.get("first") : null
      })

      const maySendTemplates = Effect.fnUntraced(function* (environment: string, numberId: string | null) {
        if (channel === undefined || isAccount(channel, numberId)) return true
        // A channel without an account has no owner, such as the development outbox.
        if (ownSenders.size === 0 && channel.accounts === undefined && channel.templates === undefined) return true
        const [usual] = ownSenders
        const sender = numberId !== null && ownSenders.has(numberId) ? numberId : usual
        const owner = yield* sender === undefined ? firstLive.get("first") : environmentOf(sender)
        if (owner === environment) return true
        return (yield* merchants.environment(environment))?.environment.kind === "test"
      })

      return Numbers.of({
        connect,
        list: ({ environment }) => Effect.map(store.list(environment), (numbers) => numbers.map(viewOf)),
        disconnect: (caller, id) =>
          Effect.gen(function* () {
            const number = yield* store.get(id)
            if (number === null || number.environment !== caller.environment) return yield* new UnknownNumber()
            const deed = { action: "number.disconnected", target: targetOf(number), from: auditFieldsOf(number) }
            const entry = auditEntry(caller, deed, yield* Clock.currentTimeMillis)
            yield* outbox.commit({ ...noRecords, number, audited: [entry] }, store.remove)
          }).pipe(untilCommitted, Effect.ensuring(receivers.forget(id))),
        accountOf: (environment, id) =>
          Effect.map(receivers.get(id), (number) => (number?.environment === environment ? number.account : null)),
        isSenderOf: Effect.fnUntraced(function* ({ environment, kind, merchantId }, id) {
          const number = yield* receivers.get(id)
          if (number === null) return false
          if (kind === "live") return number.environment === environment && number.account !== null
          const record = yield* merchants.get(merchantId)
          return record?.environments.some((candidate) => candidate.id === number.environment) === true
        }),
        firstOf: (environment) => Effect.map(store.list(environment), ([first]) => first?.id ?? null),
        maySendTemplates,
        environmentOf
      })
    })
  )
}

export declare namespace Numbers {
  /** A connected number for display, without its token. */
  export type View = Omit<ConnectedNumber, "sealed" | "version">
}
