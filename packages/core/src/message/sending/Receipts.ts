import { Context, Effect, Layer, Result, Schema, Semaphore } from "effect"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type {
  Callback,
  CallbackAnswer,
  CallbackRefused,
  CallbackRequest,
  Receipt
} from "../../foundation/delivery/Callback.ts"
import { Channels } from "../../foundation/delivery/Channels.ts"
import { carrierOf, reporterOf } from "../../foundation/delivery/chooseCarrier.ts"
import { InboundListener } from "../../foundation/delivery/InboundListener.ts"
import { OptOutListener } from "../../foundation/delivery/OptOutListener.ts"
import type { TemplateName } from "../../foundation/delivery/Message.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import * as Reference from "./Reference.ts"

/** The service has no callback with this name. */
export class UnknownCallback extends Schema.TaggedError<UnknownCallback>()("UnknownCallback", {}) {}

/** A receipt with the carriers that may have reported it. `by` is absent if the receipt did not come over HTTP. */
export type Reported = Receipt & { readonly by?: ReadonlyArray<string> }

/** Records receipts of one delivery. Receipts from one request come together, successes first. */
export type Owner = (
  reference: Reference.Reference,
  receipts: ReadonlyArray<Reported>
) => Effect.Effect<void, Contended | StoreError>

/**
 * The recipient of a message, E.164 with `+`, and when it was sent.
 *
 * Providers repeat receipts for days and give no time. So a reported opt-out counts as old as its message, and does not
 * undo what the person wrote afterwards.
 */
export interface SentTo {
  readonly phone: string
  readonly at: Instant
}

/** Null when a delivery went to no phone number, or when the number is no longer known. */
export type SentToOf = (reference: Reference.Reference) => Effect.Effect<SentTo | null, StoreError>

/** The response to a provider. */
export type CallbackReply = Omit<CallbackAnswer, "receipts" | "inbound" | "templates">

/** A callback that reports about a channel's messages. */
interface Reporting {
  readonly callback: Callback
  readonly reporter: string
  readonly carrier: string
}

const usualBody = 64 * 1024
const anyHeaders = () => true

/** Limits concurrent recording, because a provider may put a thousand receipts into one request. */
const atOnce = 16

/**
 * How many requests of one provider this process handles concurrently. A provider that reports thousands of events then
 * delays only itself.
 */
const requestsAtOnce = 16

const rank: { readonly [S in Receipt["status"]]: number } = { SENT: 0, DELIVERED: 1, READ: 2, FAILED: 3 }

/**
 * Receives delivery receipts and inbound messages from providers.
 *
 * @example
 * ```ts
 * import { Receipts } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const receipts = yield* Receipts
 *   // Receipts of deliveries that belong to a `cmp_…` come here from now on:
 *   yield* receipts.own("cmp", ({ deliveryId }, reported) => Effect.log(deliveryId, reported.at(-1)?.status))
 * })
 * ```
 */
export class Receipts extends Context.Service<
  Receipts,
  {
    /**
     * Handles a provider's request to the callback with this name. It responds only after everything is committed, so a
     * provider without a response repeats the request. Late and repeated receipts change nothing. Neither do receipts
     * for a message that did not go out through this provider and the sender named in the receipt.
     */
    readonly receive: (
      name: string,
      request: CallbackRequest
    ) => Effect.Effect<CallbackReply, UnknownCallback | CallbackRefused | Contended | StoreError>
    /** The names of all callbacks. */
    readonly callbacks: ReadonlyArray<string>
    /** Returns the header check and the body limit of a callback, for the HTTP handler. */
    readonly expects: (
      name: string
    ) => Effect.Effect<Required<Pick<Callback, "checkHeaders" | "largestBody">>, UnknownCallback>
    /** Records a receipt that did not come over HTTP. It is trusted without a signature. */
    readonly record: (receipt: Receipt) => Effect.Effect<void, Contended | StoreError>
    /**
     * Registers the owner of deliveries whose owner id begins with `kind` and `_`. With `sentToOf`, opt-outs reported
     * in receipts are recorded too.
     */
    readonly own: (kind: string, owner: Owner, sentToOf?: SentToOf) => Effect.Effect<void>
    /**
     * Registers the listener for templates that changed at their provider. The listener must return immediately,
     * because the provider's response waits for it.
     */
    readonly onTemplates: (hear: (names: ReadonlyArray<TemplateName>) => Effect.Effect<void>) => Effect.Effect<void>
  }
>()("@countersign/core/sending/Receipts") {
  static readonly layerNoDeps: Layer.Layer<Receipts, never, Channels | InboundListener | Keyring> = Layer.effect(
    Receipts,
    Effect.gen(function* () {
      const channels = yield* Channels
      const keyring = yield* Keyring
      const listener = yield* InboundListener
      const { optedOut } = yield* OptOutListener
      const owners = new Map<string, { readonly take: Owner; readonly sentToOf: SentToOf | undefined }>()
      let hear: (names: ReadonlyArray<TemplateName>) => Effect.Effect<void> = () => Effect.void
      const reporting = channels.all.flatMap((channel): ReadonlyArray<Reporting> => {
        const { callback } = channel
        const reporter = reporterOf(channel)
        return callback === undefined || reporter === undefined
          ? []
          : [{ callback, reporter, carrier: carrierOf(channel) }]
      })
      const callbacks = Map.groupBy(reporting, ({ callback }) => callback.name)
      const turns = new Map(Array.from(callbacks.keys(), (name) => [name, Semaphore.makeUnsafe(requestsAtOnce)]))

      const optOutOf = (reference: Reference.Reference, sentToOf: SentToOf) =>
        Effect.flatMap(sentToOf(reference), (sentTo) =>
          sentTo === null ? Effect.void : optedOut(reference.environment, sentTo.phone, sentTo.at)
        )

      /** A successful device outweighs a failed one, so successes come first within one request. */
      const recordAll = (reference: Reference.Reference, receipts: ReadonlyArray<Reported>) => {
        const owner = owners.get(Reference.ownerKind(reference))
        if (owner === undefined) return Effect.void
        const recorded = owner.take(
          reference,
          receipts.toSorted((a, b) => rank[a.status] - rank[b.status])
        )
        const { sentToOf } = owner
        const isOut = receipts.some(({ because, status }) => status === "FAILED" && because === "opted_out")
        return isOut && sentToOf !== undefined ? Effect.andThen(recorded, optOutOf(reference, sentToOf)) : recorded
      }

      /**
       * With several accounts at one provider, the signature tells whose request it is. Accounts with the same secret
       * give the same signature, so the request may belong to any of them.
       */
      const receiveBy = Effect.fnUntraced(function* (all: ReadonlyArray<Reporting>, request: CallbackRequest) {
        const reporters = new Set<string>()
        let received: CallbackAnswer | null = null
        let refused: CallbackRefused | null = null
        for (const { callback, reporter } of all) {
          if (reporters.has(reporter)) continue
          const tried = yield* Effect.result(callback.receive(request))
          if (Result.isFailure(tried)) refused = tried.failure
          else {
            received ??= tried.success
            reporters.add(reporter)
          }
        }
        return received === null ? yield* refused! : { received, reporters }
      })

      const take = Effect.fnUntraced(function* (all: ReadonlyArray<Reporting>, request: CallbackRequest) {
        const { received, reporters } = yield* receiveBy(all, request)
        const { inbound, receipts, templates = [], ...answer } = received
        // The provider's signature proves who reports. Only the signed reference proves that the message went out
        // through them.
        const believed = receipts.flatMap((receipt) => {
          const { reference: text, sender = "" } = receipt
          for (const callback of reporters) {
            const reference = Reference.verify(keyring, text, { callback, sender })
            if (reference === null) continue
            const by = all.flatMap(({ carrier, reporter }) => (reporter === callback ? [carrier] : []))
            return [{ reference, receipt: { ...receipt, by } }]
          }
          return []
        })
        const byMessage = Map.groupBy(believed, ({ reference }) => Reference.format(reference))
        yield* Effect.forEach(
          byMessage.values(),
          (about) =>
            recordAll(
              about[0]!.reference,
              about.map(({ receipt }) => receipt)
            ),
          { concurrency: atOnce, discard: true }
        )
        if (inbound.length > 0) yield* listener.take(inbound)
        if (templates.length > 0) yield* hear(templates)
        return answer
      })

      return Receipts.of({
        callbacks: [...callbacks.keys()],
        onTemplates: (listener) =>
          Effect.sync(() => {
            hear = listener
          }),
        own: (kind, take, sentToOf) => Effect.sync(() => void owners.set(kind, { take, sentToOf })),
        record: (receipt) => {
          const reference = Reference.parse(receipt.reference)
          return reference === null ? Effect.void : recordAll(reference, [receipt])
        },
        expects: (name) =>
          Effect.suspend(() => {
            const all = callbacks.get(name)
            return all === undefined
              ? Effect.fail(new UnknownCallback())
              : Effect.succeed({
                  checkHeaders: (header) =>
                    all.some(({ callback: { checkHeaders = anyHeaders } }) => checkHeaders(header)),
                  largestBody: Math.max(...all.map(({ callback: { largestBody = usualBody } }) => largestBody))
                })
          }),
        receive: (name, request) => {
          const all = callbacks.get(name)
          const turn = turns.get(name)
          return all === undefined || turn === undefined
            ? Effect.fail(new UnknownCallback())
            : turn.withPermits(1)(take(all, request))
        }
      })
    })
  )
}
