import { type Clock, Effect, Random, Result } from "effect"
import { noPrices } from "../../account/billing/Budget.ts"
import type { DeliveryNews } from "./advance.ts"
import { afterSend, failedByUs, providerResting, type SendTry, type SendVerdict, triesOf } from "./afterSend.ts"
import type { Account } from "../../foundation/delivery/Account.ts"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import { type Delivery, notSentInTime, unanswered } from "../../foundation/delivery/Delivery.ts"
import { marked } from "./mark.ts"
import type { Message } from "../../foundation/delivery/Message.ts"
import { ownerKind, type Reference } from "./Reference.ts"
import type { BulkOutcome, CarrierChoice } from "./SendOutcome.ts"
import type { Senders } from "./Senders.ts"
import type { SendPolicy } from "../../foundation/delivery/SendPolicy.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { checkDestination, forbiddenCode } from "../../account/merchant/destination.ts"
import type { Merchants } from "../../account/merchant/Merchants.ts"
import type { JobOutcome, Work } from "../../foundation/outbox/Jobs.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Prepared, ReadyMessage, SingleOwner } from "./DeliveryOwner.ts"
import type { Deliveries, Storing } from "./recordDeliveries.ts"

const committed: JobOutcome = { _tag: "Committed" }
const completed: JobOutcome = { _tag: "Completed" }

type Silence = NonNullable<SendPolicy["silence"]>
const choiceOf = (
  { carrier, unanswered }: Delivery,
  { avoid }: Pick<ReadyMessage, "avoid">
): CarrierChoice | undefined =>
  unanswered === true && carrier !== undefined ? { only: carrier } : avoid === undefined ? undefined : { avoid }

/**
 * A job that sends one message, with any other payload fields. A policy with `silence` needs the field `until` in the
 * payload's schema: a number, or null. It says until when a marked message waits for its receipt.
 */
export type SingleSend = Work<{ readonly [field: string]: unknown; readonly until?: number | null }>

/** The deliveries of an owner that sends them one by one. */
export interface SingleDeliveries<Held, D extends Delivery> extends Deliveries<Held, D> {
  /**
   * Sends one message and records the result. `hint` is the state that this process committed together with the job.
   */
  readonly send: (job: SingleSend, reference: Reference, hint: Held | null) => Storing<JobOutcome>
}

/** Finds the channel and the account for a message. */
export interface Routes {
  /** Returns the channel that carries an environment's messages; undefined when no provider is configured. */
  readonly channelOf: (kind: Caller["kind"], name: ChannelName) => Channel | undefined
  /** Returns the account that a message uses, or why it cannot be sent. Undefined for the channel's own account. */
  readonly accountFor: (
    environment: string,
    channel: Channel,
    ready: Pick<ReadyMessage, "sender" | "isOwnTemplate">
  ) => Effect.Effect<Account | undefined | "template_not_yours" | "number_disconnected", StoreError>
}

/** The services that sending needs. */
interface Means extends Routes {
  readonly clock: Clock.Clock
  readonly merchants: Merchants["Service"]
  readonly senders: Senders["Service"]
}

/**
 * Whether the settings allow no such message to this number. They may have changed since it was requested. An agent's
 * own words to a person who wrote are always allowed.
 */
const isForbidden = ({ _tag, to }: Message, settings: Caller["settings"]): boolean =>
  _tag !== "Text" && _tag !== "Media" && to.startsWith("+") && Result.isFailure(checkDestination(to.slice(1), settings))

/**
 * Sends an owner's messages one by one. It marks the message, sends it and records the provider's answer, as its
 * `SendPolicy` says.
 */
export const sendOneByOne = <Held, D extends Delivery>(
  owner: SingleOwner<Held, D>,
  deliveries: Deliveries<Held, D>,
  { accountFor, channelOf, clock, merchants, senders }: Means
): SingleDeliveries<Held, D> => {
  const { policyOf = () => owner.policy } = owner

  /** A send in progress. `held` is the state it was decided on. */
  interface Sending {
    readonly job: SingleSend
    readonly reference: Reference
    readonly held: Held
    /** `held`, if its result can be recorded without loading the state again. A mark without an answer outdates it. */
    readonly hint: Held | null
    readonly delivery: D
    readonly provider: string
    readonly end: Instant
  }

  const record = (
    { hint, job, provider, reference }: Omit<Sending, "end">,
    news: ReadonlyArray<DeliveryNews>,
    tries: ReadonlyArray<SendTry> = []
  ): Storing<JobOutcome> =>
    Effect.map(
      deliveries.change(reference, (stored, now) => owner.advance(stored, news, now), {
        ...(hint === null ? {} : { hint }),
        done: job,
        provider,
        tries
      }),
      (isCommitted) => (isCommitted ? committed : completed)
    )

  /**
   * If recording conflicts because a provider reused an id, records the answer without the id. Otherwise the message
   * would go out again.
   */
  const recordAnswer = (sending: Sending, news: ReadonlyArray<DeliveryNews>, tries: ReadonlyArray<SendTry>) =>
    Effect.catchTag(record(sending, news, tries), "Contended", () =>
      record(
        sending,
        news.map((each) => ({ ...each, providerId: null })),
        tries
      )
    )

  const fail = (sending: Omit<Sending, "end">, providerCode: string) => record(sending, [failedByUs(providerCode)])

  const leaveOpen = ({ delivery, held, provider }: Omit<Sending, "end">, providerCode: string) =>
    Effect.as(owner.logSilence(held, delivery, provider, providerCode), completed)

  /** Records tries that did not end an unmarked message, and whether it may be on its way. */
  const noteTries = ({ reference }: Sending, tries: ReadonlyArray<SendTry>, isUnanswered: boolean) => {
    // The last carrier may have the message, so from now on only that carrier may send it.
    const carrier = tries.at(-1)?.carrier
    const silent = { unanswered: true as const, ...(carrier === undefined ? {} : { carrier }) }
    return deliveries.change(
      reference,
      (stored) => (stored.status === "PENDING" ? { ...stored, ...(isUnanswered ? silent : {}) } : null),
      { tries }
    )
  }

  const waitForReceipt = Effect.fnUntraced(function* (job: SingleSend, silence: Silence) {
    // A schema without the field would drop it, and the message would wait for ever.
    if (!("until" in job.payload)) return yield* Effect.die(`the payload of the job ${job.key} needs the field "until"`)
    const until = clock.currentTimeMillisUnsafe() + silence.after
    const payload = { ...job.payload, until }
    const outcome: JobOutcome = { _tag: "Later", runAt: until, reason: silence.as, payload }
    return outcome
  })

  /**
   * Handles a marked message without a result. The process that sent it died or got no answer, so the message may be on
   * its way.
   */
  const decideDoubt = Effect.fnUntraced(function* (sending: Omit<Sending, "end">, silence: Silence, now: Instant) {
    const { until } = sending.job.payload
    if (until == null) return yield* waitForReceipt(sending.job, silence)
    const early: JobOutcome = { _tag: "Later", runAt: until, reason: silence.as }
    return now < until ? early : yield* fail(sending, silence.as)
  })

  /** Leaves a marked message without a result to its receipt: only that can tell whether the provider has it. */
  const leaveInDoubt = (sending: Omit<Sending, "end">) =>
    Effect.andThen(
      deliveries.change(sending.reference, (stored) =>
        stored.status === "PENDING" && stored.unanswered !== true ? { ...stored, unanswered: true as const } : null
      ),
      leaveOpen(sending, unanswered)
    )

  const follow = (sending: Sending, verdict: SendVerdict, isMarked: boolean, now: Instant) => {
    const tries = triesOf(verdict, now)
    return verdict._tag === "Heard"
      ? sending.job.untilRecorded(recordAnswer(sending, verdict.news, tries))
      : followUnsent(sending, verdict, tries, isMarked)
  }

  const followUnsent = Effect.fnUntraced(function* (
    sending: Sending,
    verdict: Exclude<SendVerdict, { readonly _tag: "Heard" }>,
    tries: ReadonlyArray<SendTry>,
    isMarked: boolean
  ) {
    const { delivery, held, job, reference } = sending
    const policy = policyOf(held)
    const { providerCode, wasAsked } = verdict
    if (verdict._tag === "Silent") {
      if (policy.silence !== null) return yield* waitForReceipt(job, policy.silence)
      if (wasAsked) yield* job.untilRecorded(noteTries(sending, tries, true))
      return yield* leaveOpen(sending, providerCode)
    }
    const { at, isUnanswered, lane } = verdict
    if (isMarked) yield* job.untilRecorded(deliveries.unmark(reference, delivery, wasAsked, tries))
    if (wasAsked) {
      if (!isMarked) yield* job.untilRecorded(noteTries(sending, tries, isUnanswered))
      const outcome: JobOutcome = { _tag: "Retry", runAt: at, reason: providerCode }
      return outcome
    }
    const waitsAt = owner.waitsAt?.(held, delivery)
    const passed = waitsAt?.gate ?? job.gate
    const gate = lane === undefined || passed === undefined ? waitsAt : { gate: passed, lane }
    const outcome: JobOutcome = { _tag: "Later", runAt: at, reason: providerCode }
    return gate === undefined ? outcome : { ...outcome, gate }
  })

  const decideNext = (sending: Sending, outcome: BulkOutcome, isMarked: boolean, chance: number) => {
    const { delivery, end, held, job } = sending
    const now = clock.currentTimeMillisUnsafe()
    const tried = { failures: job.failures, isUnanswered: delivery.unanswered === true }
    return follow(sending, afterSend(policyOf(held), outcome, tried, chance, now, end), isMarked, now)
  }

  const afterUnsent = Effect.fnUntraced(function* (sending: Sending, outcome: BulkOutcome, isMarked: boolean) {
    if (outcome._tag === "Resting" && policyOf(sending.held).fallsBack && owner.hasOtherWay !== undefined) {
      const now = clock.currentTimeMillisUnsafe()
      if (yield* owner.hasOtherWay(sending.held, sending.delivery, now)) return yield* fail(sending, providerResting)
    }
    return yield* decideNext(sending, outcome, isMarked, yield* Random.next)
  })

  const after = (sending: Sending, outcome: BulkOutcome, isMarked: boolean) =>
    outcome._tag === "Sent" ? decideNext(sending, outcome, isMarked, 0) : afterUnsent(sending, outcome, isMarked)

  /** Marks the message, so that no other process sends it, and then sends it. */
  const sendMarked = Effect.fnUntraced(function* (
    sending: Sending,
    channel: Channel,
    message: Message,
    choice: CarrierChoice | undefined
  ) {
    const { delivery, held, job, reference } = sending
    const now = clock.currentTimeMillisUnsafe()
    const state = senders.state(channel, message._tag, message.account?.id ?? null, now, message.to)
    // A message that cannot be tried gets no mark. Otherwise each try during a long outage would write two rows.
    if (state._tag === "Resting") return yield* after(sending, state, false)
    const mark = marked(delivery, now)
    const stored = yield* Effect.tapErrorTag(
      owner.commit({ held, before: delivery, after: mark, budget: noPrices, at: now, done: null, tries: [] }),
      "StoreError",
      // A commit without an answer may have stored the mark. Only this process knows that nothing was sent, so it must
      // remove the mark.
      () => job.untilRecorded(deliveries.unmark(reference, mark, false))
    )
    const sent = { ...sending, held: stored ?? held, hint: stored, delivery: mark }
    return yield* after(sent, yield* senders.send(channel, message, choice), true)
  })

  const trySend = Effect.fnUntraced(function* (
    job: SingleSend,
    reference: Reference,
    hint: Held | null
  ): Effect.fn.Return<JobOutcome, Conflict | Contended | StoreError> {
    const held = hint ?? (yield* owner.load(reference))
    const delivery = held === null ? null : owner.deliveryOf(held, reference)
    if (held === null || delivery?.status !== "PENDING") return completed
    const policy = policyOf(held)
    const begun = { job, reference, held, hint: policy.isMarked ? null : held, delivery, provider: "none" }
    const now = clock.currentTimeMillisUnsafe()
    if (delivery.handedAt != null && policy.isMarked) {
      return yield* policy.silence === null ? leaveInDoubt(begun) : decideDoubt(begun, policy.silence, now)
    }
    const end = owner.endOf?.(held, delivery, now) ?? null
    if (end !== null) return yield* endWith(begun, end)
    const environment = yield* merchants.environment(job.environment)
    if (environment === null) return yield* fail(begun, "merchant_suspended")
    const channel = channelOf(environment.kind, owner.channelOf(held, delivery))
    if (channel === undefined) return yield* fail(begun, "no_provider")
    const carried = { ...begun, provider: channel.provider }
    const prepared = yield* owner.prepare(held, delivery, environment, channel, now)
    if (prepared._tag !== "Ready") return yield* endWith(carried, prepared)
    if (now >= prepared.end) return yield* fail(carried, notSentInTime)
    if (isForbidden(prepared.message, environment.settings)) return yield* fail(carried, forbiddenCode)
    const account = yield* accountFor(job.environment, channel, prepared)
    if (typeof account === "string") return yield* fail(carried, account)
    const message = account === undefined ? prepared.message : { ...prepared.message, account }
    const sending = { ...carried, end: prepared.end }
    const choice = choiceOf(delivery, prepared)
    if (policy.isMarked) return yield* sendMarked(sending, channel, message, choice)
    const outcome = yield* senders.send(channel, message, choice)
    return yield* after(sending, outcome, false)
  })

  const endWith = (sending: Omit<Sending, "end">, end: Exclude<Prepared, ReadyMessage>) => {
    switch (end._tag) {
      case "Fails":
        return fail(sending, end.providerCode)
      case "Ends":
        return record(sending, [end.news])
      case "LeftOpen":
        return leaveOpen(sending, end.providerCode)
    }
  }

  const send: SingleDeliveries<Held, D>["send"] = (job, reference, hint) =>
    // Receipts find their owner by this prefix, so a message with another would never get its receipt.
    ownerKind(reference) === owner.prefix
      ? untilCommitted(trySend(job, reference, hint))
      : Effect.die(`the owner of ${owner.prefix}_… sent a message of ${reference.ownerId}`)
  return { ...deliveries, send }
}
