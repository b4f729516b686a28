import { Clock, Context, Effect, Layer, Redacted, Result } from "effect"
import type { Caller } from "../../account/merchant/Caller.ts"
import type { InvalidCredentials, MerchantSuspended } from "../../account/merchant/MerchantError.ts"
import { Merchants } from "../../account/merchant/Merchants.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import * as Identity from "../../foundation/identity/Identity.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { maskSpelling, maskText } from "../../foundation/identity/maskText.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { isPurpose } from "../verification/RelayRequest.ts"
import { type Relayed, type RelayRefused, Relays } from "../verification/Relays.ts"
import { type Hook, type HookEntry, HookUnsigned, problemOfFault, UnknownHook } from "./Hook.ts"
import { HookCache, type OpenHook } from "./HookCache.ts"
import { accepted, type HookAnswer, type HookFailure, hookKinds } from "./hookKinds.ts"
import { HookLog } from "./HookLog.ts"
import type { HookMessage, HookRequest } from "./HookRequest.ts"
import { HookStore } from "./HookStore.ts"

const longestProblem = 300
const readsAtOnce = 20

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const parseJson = (body: Uint8Array): Result.Result<unknown, InvalidField> =>
  Result.try({
    try: (): unknown => JSON.parse(decoder.decode(body)),
    catch: () => new InvalidField({ field: "body", problem: "must be JSON in UTF-8" })
  })

const maskOf = ({ identity }: HookMessage, { settings }: Caller): string =>
  maskSpelling(Identity.typeOf(identity), identity, settings.defaultCountry)

/**
 * Receives the requests of sign-in systems and sends their codes.
 *
 * @example
 * ```ts
 * import { HookReceiver } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const receive = Effect.fn(function* (kind: string, id: string, body: Uint8Array, headers: Headers) {
 *   const receiver = yield* HookReceiver
 *   const hook = yield* receiver.find(kind, id)
 *   const request = { body, header: (name: string) => headers.get(name) ?? undefined }
 *   const describe = ({ _tag }: HookReceiver.Refused) => ({
 *     status: 400,
 *     errorCode: _tag,
 *     message: "The code was not sent",
 *     retryAfterSeconds: null
 *   })
 *   return yield* receiver.receive(hook, request, { address: () => null, describe })
 * })
 * ```
 */
export class HookReceiver extends Context.Service<
  HookReceiver,
  {
    /** The hook at an address, as it was at most 3 seconds ago. */
    readonly find: (kind: string, id: string) => Effect.Effect<OpenHook, UnknownHook | StoreError>
    /**
     * Checks a request and sends its codes. Durable when it returns. A repeat of a request sends nothing again.
     *
     * Fails with `HookUnsigned` before it reads the body. A signed request that is refused gets the answer of its
     * sign-in system, made of what `describe` says about the failure. It fails with that failure if the system has no
     * form of its own.
     */
    readonly receive: (
      hook: OpenHook,
      request: HookRequest,
      options: HookReceiver.Options
    ) => Effect.Effect<HookAnswer, HookUnsigned | HookReceiver.Refused>
    /** What came in at a hook and what became of it, newest first. */
    readonly requests: (
      caller: Pick<Caller, "environment">,
      id: string,
      page: { readonly after: string | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<HookReceiver.Request>, UnknownHook | StoreError>
  }
>()("@countersign/core/hook/HookReceiver") {
  static readonly layerNoDeps: Layer.Layer<HookReceiver, never, HookCache | HookLog | HookStore | Merchants | Relays> =
    Layer.effect(
      HookReceiver,
      Effect.gen(function* () {
        const cache = yield* HookCache
        const log = yield* HookLog
        const merchants = yield* Merchants
        const relays = yield* Relays
        const store = yield* HookStore

        const messagesOf = ({ kind }: Hook, request: HookRequest) =>
          Result.flatMap(parseJson(request.body), (body) => hookKinds[kind].read(body, request))

        /** Sends one after another, so that a repeat finds in each what an earlier try did. */
        const send = Effect.fnUntraced(function* (
          hook: Hook,
          caller: Caller,
          messages: ReadonlyArray<HookMessage>,
          taken: Array<Relayed>
        ) {
          for (const { repeats, ...message } of messages) {
            const idempotencyKey = JSON.stringify([hook.id, ...repeats])
            const { code, ...request } = message
            taken.push(
              yield* relays.relay(caller, { ...request, code: Redacted.make(code), origin: hook.id, idempotencyKey })
            )
          }
        })

        const relay = Effect.fnUntraced(function* (
          hook: Hook,
          request: HookRequest,
          { describe }: HookReceiver.Options
        ) {
          const taken: Array<Relayed> = []
          let noted: Pick<HookEntry, "purpose" | "recipients"> = { purpose: null, recipients: [] }
          const sent = Effect.gen(function* () {
            const messages = yield* Effect.fromResult(messagesOf(hook, request))
            const caller = yield* merchants.callerIn(hook.environment, hook.id)
            const purpose = messages[0]?.purpose ?? null
            noted = {
              // A purpose that is refused may be anything, even the code.
              purpose: purpose !== null && isPurpose(purpose) ? purpose : null,
              recipients: messages.map((message) => maskOf(message, caller))
            }
            yield* send(hook, caller, messages, taken)
          })
          const result = yield* Effect.result(sent)
          const deliveryIds = taken.map(({ id }) => id)
          if (Result.isSuccess(result)) {
            const outcome = taken.every(({ repeated }) => repeated) ? "REPEATED" : "SENT"
            yield* log.signed(hook, { ...noted, deliveryIds, outcome, errorCode: null, problem: null })
            return accepted
          }
          const failure = describe(result.failure)
          yield* log.signed(hook, {
            ...noted,
            deliveryIds,
            outcome: failure.status < 500 ? "REFUSED" : "FAILED",
            errorCode: failure.errorCode,
            problem: maskText(failure.message).slice(0, longestProblem)
          })
          const { refusal } = hookKinds[hook.kind]
          if (refusal === null) return yield* Effect.fail(result.failure)
          if (failure.status >= 500) {
            yield* Effect.logWarning("A request of a hook failed", { hook: hook.id, errorCode: failure.errorCode })
          }
          return refusal(failure)
        })

        const withStatus = Effect.fnUntraced(function* (caller: Pick<Caller, "environment">, entry: HookEntry) {
          const deliveries = yield* Effect.forEach(entry.deliveryIds, (id) =>
            relays.get(caller, id).pipe(
              Effect.map(({ deliveryStatus }) => ({ id, deliveryStatus })),
              // The delivery was erased with its person, or is too old.
              Effect.catchTag("UnknownVerification", () => Effect.succeed({ id, deliveryStatus: null }))
            )
          )
          return { ...entry, deliveries }
        })

        return HookReceiver.of({
          requests: Effect.fnUntraced(function* (caller, id, page) {
            const { environment } = caller
            const hook = Identifier.is("hok", id) ? yield* store.get(id) : null
            if (hook?.environment !== environment) return yield* new UnknownHook()
            const entries = yield* log.list({ environment, hookId: id, ...page })
            return yield* Effect.forEach(entries, (entry) => withStatus(caller, entry), { concurrency: readsAtOnce })
          }),
          find: Effect.fnUntraced(function* (kind, id) {
            const known = Identifier.is("hok", id) ? yield* cache.get(id) : null
            return known !== null && known.hook.kind === kind ? known : yield* new UnknownHook()
          }),
          receive: Effect.fnUntraced(function* ({ hook, secrets }, request, options) {
            const now = yield* Clock.currentTimeMillis
            const signers = secrets.flatMap(({ sign, until }) => (until === null || now < until ? [sign] : []))
            const fault = hookKinds[hook.kind].signed.faultOf(request, signers, now)
            if (fault !== null) {
              yield* log.unsigned(hook, options.address(), problemOfFault[fault])
              return yield* new HookUnsigned()
            }
            return yield* relay(hook, request, options)
          })
        })
      })
    )
}

export declare namespace HookReceiver {
  export interface Options {
    /** The address of the caller. It limits only the list of unsigned requests, and is not read for others. */
    readonly address: () => string | null
    /** How the HTTP API would answer a failure. */
    readonly describe: (failure: Refused) => HookFailure & { readonly errorCode: string }
  }

  /** A request, with the current status of the deliveries that it started. Null for a delivery that is gone. */
  export type Request = HookEntry & {
    readonly deliveries: ReadonlyArray<{
      readonly id: string
      readonly deliveryStatus: Relayed["deliveryStatus"] | null
    }>
  }

  /** Why a signed request sends nothing. */
  export type Refused = InvalidField | InvalidCredentials | MerchantSuspended | RelayRefused
}
