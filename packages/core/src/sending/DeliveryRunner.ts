import { Clock, Context, Effect, Exit, Layer, Random } from "effect"
import { BalanceStore } from "../billing/BalanceStore.ts"
import { isRevived, paidAgain } from "../billing/bookingsOf.ts"
import { loadTill, noPrices } from "../billing/Till.ts"
import type { Account } from "../delivery/Account.ts"
import type { DeliveryNews } from "../delivery/advance.ts"
import {
  afterSend,
  failedByUs,
  providerResting,
  type SendTry,
  type SendVerdict,
  triesOf
} from "../delivery/afterSend.ts"
import { type Channel, isAccount } from "../delivery/Channel.ts"
import { Channels, makeChoice } from "../delivery/Channels.ts"
import type { ChannelName } from "../delivery/ChannelName.ts"
import type { Delivery } from "../delivery/Delivery.ts"
import { marked, unmarked } from "../delivery/mark.ts"
import type { Message } from "../delivery/Message.ts"
import { Receipts } from "../delivery/Receipts.ts"
import type { Reference } from "../delivery/Reference.ts"
import { type BulkOutcome, type CarrierChoice, Senders } from "../delivery/Senders.ts"
import type { SendPolicy } from "../delivery/SendPolicy.ts"
import type { Caller } from "../merchant/Caller.ts"
import { Merchants } from "../merchant/Merchants.ts"
import { notYoursCode } from "../number/notYours.ts"
import { Numbers } from "../number/Numbers.ts"
import type { Lease } from "../outbox/Job.ts"
import type { JobOutcome, Work } from "../outbox/Jobs.ts"
import type { Conflict } from "../storage/Conflict.ts"
import type { Contended } from "../storage/Contended.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import { type Instant, seconds } from "../time/Instant.ts"
import { stopwatch } from "../time/steadyTime.ts"
import type { DeliveryOwner, Prepared, ReadyMessage, SingleOwner } from "./DeliveryOwner.ts"

const committed: JobOutcome = { _tag: "Committed" }
const completed: JobOutcome = { _tag: "Completed" }

/** A provider may have given up on a receipt that took longer than this to record. */
const longestRecording = seconds(5)

type Silence = NonNullable<SendPolicy["silence"]>
type Storing<A> = Effect.Effect<A, Contended | StoreError>

const choiceOf = (
  { carrier, unanswered }: Delivery,
  { avoid }: Pick<ReadyMessage, "avoid">
): CarrierChoice | undefined =>
  unanswered === true && carrier !== undefined ? { only: carrier } : avoid === undefined ? undefined : { avoid }

/** How a step of a delivery is recorded. */
interface Recording<Held> {
  /** What this process has just loaded: the first try decides on it. */
  readonly hint?: Held
  readonly done?: Lease | null
  readonly provider?: string
  readonly tries?: ReadonlyArray<SendTry>
}

/** The deliveries of one owner. */
export interface Deliveries<Held, D extends Delivery> {
  /**
   * Commits the next state of a delivery, decided on the one that is stored now; null changes nothing. Answers whether
   * it committed.
   */
  readonly change: (
    reference: Reference,
    decide: (stored: D, now: Instant) => D | null,
    recording?: Recording<Held>
  ) => Storing<boolean>
  /** Takes a mark back: the provider does not have the message. `wasAsked`: its provider got the request. */
  readonly unmark: (reference: Reference, mark: D, wasAsked: boolean) => Storing<boolean>
  /**
   * Since when this process has recorded every answer and receipt in time. A message of before then may have arrived
   * without a trace. Only for messages that fail by silence.
   */
  readonly heardSince: Effect.Effect<Instant>
}

/** What the payload of a job that sends one message may say: until when a marked one waits for its receipt. */
interface Waiting {
  readonly until?: number | null
}

/** The job that sends one message, whatever else its payload says. */
export type SingleSend = Work<{ readonly [field: string]: unknown }>

const waitsUntil = ({ payload }: SingleSend): Instant | null => (payload as Waiting).until ?? null

/** The deliveries of an owner that sends them one by one. */
export interface SingleDeliveries<Held, D extends Delivery> extends Deliveries<Held, D> {
  /** Sends one message, and records what became of it. `hint` is what this process knows from committing the job. */
  readonly send: (job: SingleSend, reference: Reference, hint: Held | null) => Storing<JobOutcome>
}

/**
 * Sends messages and records what became of them, for every kind of message alike: mark, send, outcome, record, receipt,
 * money. What differs between kinds is their `SendPolicy`; what they are stored in is their `DeliveryOwner`.
 */
export class DeliveryRunner extends Context.Service<
  DeliveryRunner,
  {
    /** From now on the receipts of this owner's deliveries are recorded. */
    readonly own: <Held, D extends Delivery>(owner: DeliveryOwner<Held, D>) => Effect.Effect<Deliveries<Held, D>>
    /** The same for an owner whose messages are sent one by one. */
    readonly ownSingle: <Held, D extends Delivery>(
      owner: SingleOwner<Held, D>
    ) => Effect.Effect<SingleDeliveries<Held, D>>
    /** The channel that carries messages of an environment; undefined where no provider is configured. */
    readonly channelOf: (kind: Caller["kind"], name: ChannelName) => Channel | undefined
    /** The account that a message goes out by: undefined for the channel's own. Or why it may not be sent. */
    readonly accountFor: (
      environment: string,
      channel: Channel,
      ready: Pick<ReadyMessage, "sender" | "isOwnTemplate">
    ) => Effect.Effect<Account | undefined | "template_not_yours" | "number_disconnected", StoreError>
  }
>()("@countersign/core/sending/DeliveryRunner") {
  static readonly layer: Layer.Layer<
    DeliveryRunner,
    never,
    BalanceStore | Channels | Merchants | Numbers | Receipts | Senders
  > = Layer.effect(
    DeliveryRunner,
    Effect.gen(function* () {
      const balances = yield* BalanceStore
      const channels = yield* Channels
      const merchants = yield* Merchants
      const numbers = yield* Numbers
      const receipts = yield* Receipts
      const channelsOf = yield* makeChoice
      const senders = yield* Senders

      const providerOf = (name: ChannelName) => channels.find(name)?.provider ?? "none"

      const tillOf = (environment: string, now: Instant) =>
        Effect.flatMap(merchants.environment(environment), (payer) =>
          // A suspended merchant's messages are not sent, whatever they cost.
          payer === null ? Effect.succeed(noPrices) : loadTill(balances, payer, now)
        )

      const channelOf = (kind: Caller["kind"], name: ChannelName) => channelsOf(kind).find(name)

      const merchantsAccount = Effect.fnUntraced(function* (
        environment: string,
        channel: Channel,
        { isOwnTemplate, sender }: Pick<ReadyMessage, "sender" | "isOwnTemplate">
      ) {
        if (isOwnTemplate && !(yield* numbers.maySendTemplates(environment, sender))) return notYoursCode
        if (!isAccount(channel, sender)) return undefined
        return (yield* numbers.accountOf(environment, sender)) ?? "number_disconnected"
      })

      const accountFor: DeliveryRunner["Service"]["accountFor"] = (environment, channel, ready) =>
        ready.isOwnTemplate || isAccount(channel, ready.sender)
          ? merchantsAccount(environment, channel, ready)
          : Effect.undefined

      const own = <Held, D extends Delivery>(owner: DeliveryOwner<Held, D>) =>
        Effect.gen(function* () {
          const { policy } = owner
          let heardSince = yield* Clock.currentTimeMillis
          const notHeard = Effect.map(Clock.currentTimeMillis, (now) => {
            heardSince = now
          })
          /** Moves `heardSince` forward where something could not be recorded, or took long. */
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
                  const at = yield* Clock.currentTimeMillis
                  const decided = decide(before, at)
                  if (decided === null) return false
                  const isPaid = isRevived(before, decided, policy) || owner.mayPayMore?.(held, decided, at) === true
                  const till = isPaid ? yield* tillOf(reference.environment, at) : noPrices
                  const after = paidAgain(before, decided, policy, till)
                  yield* owner.commit({ held, before, after, till, at, done, tries })
                  if (after.status === "FAILED" && before.status !== "FAILED") {
                    yield* owner.logFailure(
                      held,
                      after,
                      after.carrier ?? provider ?? providerOf(owner.channelOf(held, after))
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
            unmark: (reference, mark, wasAsked) => change(reference, (stored) => unmarked(stored, mark, wasAsked)),
            heardSince: Effect.sync(() => heardSince)
          } satisfies Deliveries<Held, D>
        })

      const ownSingle = <Held, D extends Delivery>(owner: SingleOwner<Held, D>) =>
        Effect.gen(function* () {
          const { policy } = owner
          const deliveries = yield* own(owner)

          /** One message on its way. `held` is what it was decided on, which a mark makes old. */
          interface Sending {
            readonly job: SingleSend
            readonly reference: Reference
            readonly held: Held
            readonly delivery: D
            readonly provider: string
            readonly end: Instant
          }

          const record = (
            { held, job, provider, reference }: Omit<Sending, "end">,
            news: ReadonlyArray<DeliveryNews>,
            tries: ReadonlyArray<SendTry> = []
          ): Storing<JobOutcome> =>
            Effect.map(
              deliveries.change(reference, (stored, now) => owner.advance(stored, news, now), {
                ...(policy.isMarked ? {} : { hint: held }),
                done: job,
                provider,
                tries
              }),
              (isCommitted) => (isCommitted ? committed : completed)
            )

          /** A provider that gives two messages one id must not keep the second from being recorded: it would go out again. */
          const recordAnswer = (sending: Sending, news: ReadonlyArray<DeliveryNews>, tries: ReadonlyArray<SendTry>) =>
            Effect.catchTag(record(sending, news, tries), "Contended", () =>
              record(
                sending,
                news.map((each) => ({ ...each, providerId: null })),
                tries
              )
            )

          const fail = (sending: Omit<Sending, "end">, providerCode: string) =>
            record(sending, [failedByUs(providerCode)])

          const leaveOpen = ({ delivery, held, provider }: Omit<Sending, "end">, providerCode: string) =>
            Effect.as(owner.logSilence(held, delivery, provider, providerCode), completed)

          /** Remembers tries that did not end a message without a mark, and whether it may be on its way. */
          const noteTries = ({ reference }: Sending, tries: ReadonlyArray<SendTry>, isUnanswered: boolean) => {
            // The last one that was asked may have it, and no other gets it after that.
            const carrier = tries.at(-1)?.carrier
            const silent = { unanswered: true as const, ...(carrier === undefined ? {} : { carrier }) }
            return deliveries.change(
              reference,
              (stored) => (stored.status === "PENDING" ? { ...stored, ...(isUnanswered ? silent : {}) } : null),
              { tries }
            )
          }

          const waitForReceipt = Effect.fnUntraced(function* (job: SingleSend, silence: Silence) {
            const until = (yield* Clock.currentTimeMillis) + silence.after
            const payload = { ...job.payload, until }
            const outcome: JobOutcome = { _tag: "Later", runAt: until, reason: silence.as, payload }
            return outcome
          })

          /** Another process died while it sent the message, or got no answer: it may be on its way. */
          const decideDoubt = Effect.fnUntraced(function* (
            sending: Omit<Sending, "end">,
            silence: Silence,
            now: Instant
          ) {
            const until = waitsUntil(sending.job)
            if (until === null) return yield* waitForReceipt(sending.job, silence)
            const early: JobOutcome = { _tag: "Later", runAt: until, reason: silence.as }
            return now < until ? early : yield* fail(sending, silence.as)
          })

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
            const { providerCode, wasAsked } = verdict
            if (verdict._tag === "Silent") {
              if (policy.silence !== null) return yield* waitForReceipt(job, policy.silence)
              if (wasAsked) yield* job.untilRecorded(noteTries(sending, tries, true))
              return yield* leaveOpen(sending, providerCode)
            }
            const { at, isUnanswered, lane } = verdict
            if (isMarked) yield* job.untilRecorded(deliveries.unmark(reference, delivery, wasAsked))
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

          const after = Effect.fnUntraced(function* (sending: Sending, outcome: BulkOutcome, isMarked: boolean) {
            const { delivery, end, held, job } = sending
            const now = yield* Clock.currentTimeMillis
            if (outcome._tag === "Resting" && policy.fallsBack && owner.hasOtherWay !== undefined) {
              if (yield* owner.hasOtherWay(held, delivery, now)) return yield* fail(sending, providerResting)
            }
            const tried = { failures: job.failures, isUnanswered: delivery.unanswered === true }
            const chance = outcome._tag === "Sent" ? 0 : yield* Random.next
            return yield* follow(sending, afterSend(policy, outcome, tried, chance, now, end), isMarked, now)
          })

          /** Marks the message, so that no other process sends it, and sends it. */
          const sendMarked = Effect.fnUntraced(function* (sending: Sending, channel: Channel, message: Message) {
            const { delivery, held, job, reference } = sending
            const now = yield* Clock.currentTimeMillis
            const state = senders.state(channel, message._tag, message.account?.id ?? null, now, message.to)
            // No mark for what will not be tried: a long outage would write two rows at each look.
            if (state._tag === "Resting") return yield* after(sending, state, false)
            const mark = marked(delivery, now)
            yield* Effect.tapErrorTag(
              owner.commit({ held, before: delivery, after: mark, till: noPrices, at: now, done: null, tries: [] }),
              "StoreError",
              // Without an answer the mark may have been made. It was not sent, and only this process knows.
              () => job.untilRecorded(deliveries.unmark(reference, mark, false))
            )
            return yield* after({ ...sending, delivery: mark }, yield* senders.send(channel, message), true)
          })

          const attempt = Effect.fnUntraced(function* (
            job: SingleSend,
            reference: Reference,
            hint: Held | null
          ): Effect.fn.Return<JobOutcome, Conflict | Contended | StoreError> {
            const held = hint ?? (yield* owner.load(reference))
            const delivery = held === null ? null : owner.deliveryOf(held, reference)
            if (held === null || delivery?.status !== "PENDING") return completed
            const begun = { job, reference, held, delivery, provider: "none" }
            const now = yield* Clock.currentTimeMillis
            if (delivery.handedAt != null && policy.silence !== null) {
              return yield* decideDoubt(begun, policy.silence, now)
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
            const account = yield* accountFor(job.environment, channel, prepared)
            if (typeof account === "string") return yield* fail(carried, account)
            const message = account === undefined ? prepared.message : { ...prepared.message, account }
            const sending = { ...carried, end: prepared.end }
            return yield* policy.isMarked
              ? sendMarked(sending, channel, message)
              : Effect.flatMap(senders.send(channel, message, choiceOf(delivery, prepared)), (outcome) =>
                  after(sending, outcome, false)
                )
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
            untilCommitted(attempt(job, reference, hint))
          return { ...deliveries, send }
        })

      return DeliveryRunner.of({ own, ownSingle, channelOf, accountFor })
    })
  )
}
