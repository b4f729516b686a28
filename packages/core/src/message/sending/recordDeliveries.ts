import { type Clock, Effect, Exit } from "effect"
import { isRevived, paidAgain } from "../../account/billing/bookingsOf.ts"
import { noPrices, type Budget } from "../../account/billing/Budget.ts"
import type { SendTry } from "./afterSend.ts"
import type { Channels } from "../../foundation/delivery/Channels.ts"
import type { Delivery } from "../../foundation/delivery/Delivery.ts"
import { unmarked } from "./mark.ts"
import type { Receipts } from "./Receipts.ts"
import type { Reference } from "./Reference.ts"
import type { Lease } from "../../foundation/outbox/Job.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"
import { stopwatch } from "../../foundation/time/steadyTime.ts"
import type { DeliveryOwner } from "./DeliveryOwner.ts"

/** A provider may have stopped waiting for the response to a receipt that took longer than this to record. */
const longestRecording = seconds(5)

export type Storing<A> = Effect.Effect<A, Contended | StoreError>

/** Options for recording a step of a delivery. */
interface Recording<Held> {
  /** The state that this process has just loaded. Only the first try uses it. */
  readonly hint?: Held
  readonly done?: Lease | null
  readonly provider?: string
  readonly tries?: ReadonlyArray<SendTry>
}

/** The deliveries of one owner. */
export interface Deliveries<Held, D extends Delivery> {
  /**
   * Commits the next state of a delivery, decided on the stored one. Null changes nothing. Returns whether it
   * committed.
   */
  readonly change: (
    reference: Reference,
    decide: (stored: D, now: Instant) => D | null,
    recording?: Recording<Held>
  ) => Storing<boolean>
  /** Removes a mark, because the provider does not have the message. `wasAsked`: the provider got the request. */
  readonly unmark: (
    reference: Reference,
    mark: D,
    wasAsked: boolean,
    tries?: ReadonlyArray<SendTry>
  ) => Storing<boolean>
  /**
   * Since when this process has recorded every response and receipt in time. The result of an older message may have
   * been lost. Only for messages that fail by silence.
   */
  readonly heardSince: Effect.Effect<Instant>
}

/** The services that recording needs. */
interface Means {
  readonly clock: Clock.Clock
  readonly channels: Channels["Service"]
  readonly receipts: Receipts["Service"]
  /** Returns the budget of an environment's messages. */
  readonly budgetOf: (environment: string, now: Instant) => Effect.Effect<Budget, StoreError>
}

/** Records the results of an owner's deliveries, including receipts. */
export const recordDeliveries = <Held, D extends Delivery>(
  owner: DeliveryOwner<Held, D>,
  { channels, clock, receipts, budgetOf }: Means
): Effect.Effect<Deliveries<Held, D>> =>
  Effect.gen(function* () {
    const { policy, policyOf = () => policy } = owner
    let heardSince = clock.currentTimeMillisUnsafe()
    const notHeard = Effect.sync(() => {
      heardSince = clock.currentTimeMillisUnsafe()
    })
    /** Moves `heardSince` forward when recording failed or took long. */
    const watched = <A, E>(record: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      policy.silence === null
        ? record
        : Effect.flatMap(stopwatch, (elapsed) =>
            Effect.onExit(record, (exit) =>
              Exit.isFailure(exit) || elapsed() >= longestRecording ? notHeard : Effect.void
            )
          )

    const change: Deliveries<Held, D>["change"] = (reference, decide, recording = {}) => {
      const { done = null, provider, tries = [] } = recording
      let { hint } = recording
      return watched(
        untilCommitted(
          Effect.gen(function* () {
            const held = hint ?? (yield* owner.load(reference))
            hint = undefined
            const before = held === null ? null : owner.deliveryOf(held, reference)
            if (held === null || before === null) return false
            const at = clock.currentTimeMillisUnsafe()
            const decided = decide(before, at)
            if (decided === null) return false
            const paid = policyOf(held)
            const isPaid = isRevived(before, decided, paid) || owner.mayPayMore?.(held, decided, at) === true
            const budget = isPaid ? yield* budgetOf(reference.environment, at) : noPrices
            const after = paidAgain(before, decided, paid, budget)
            yield* owner.commit({ held, before, after, budget, at, done, tries })
            if (after.status === "FAILED" && before.status !== "FAILED") {
              yield* owner.logFailure(
                held,
                after,
                after.carrier ?? provider ?? channels.find(owner.channelOf(held, after))?.provider ?? "none"
              )
            }
            return true
          })
        )
      )
    }

    const sentToOf = Effect.fnUntraced(function* (reference: Reference) {
      const held = yield* owner.load(reference)
      const delivery = held === null ? null : owner.deliveryOf(held, reference)
      const at = delivery === null ? null : owner.handedAtOf(delivery)
      const phone = held === null ? null : yield* owner.phoneOf(held, reference)
      return at === null || phone === null ? null : { phone, at }
    })
    yield* receipts.own(
      owner.prefix,
      (reference, news) => Effect.asVoid(change(reference, (stored, now) => owner.advance(stored, news, now))),
      sentToOf
    )

    return {
      change,
      unmark: (reference, mark, wasAsked, tries = []) =>
        change(reference, (stored) => unmarked(stored, mark, wasAsked), { tries }),
      heardSince: Effect.sync(() => heardSince)
    } satisfies Deliveries<Held, D>
  })
