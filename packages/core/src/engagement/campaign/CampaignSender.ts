import { Cause, Clock, Effect, Layer, Random, Result } from "effect"
import { BalanceStore } from "../../account/billing/BalanceStore.ts"
import { lowJobs } from "../../account/billing/balanceLow.ts"
import { loadBudget } from "../../account/billing/Budget.ts"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import type { Channels } from "../../foundation/delivery/Channels.ts"
import { carrierOf } from "../../foundation/delivery/chooseCarrier.ts"
import { ChannelError, OutcomeUnknown } from "../../foundation/delivery/ChannelError.ts"
import { safeCode } from "../../message/sending/safeCode.ts"
import type { BulkOutcome } from "../../message/sending/SendOutcome.ts"
import { Senders } from "../../message/sending/Senders.ts"
import type { EventOf } from "../../foundation/event/Event.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { Merchants } from "../../account/merchant/Merchants.ts"
import type { OptOuts } from "../optOut/OptOuts.ts"
import { type JobOutcome, Jobs, type Work } from "../../foundation/outbox/Jobs.ts"
import type { Job } from "../../foundation/outbox/Job.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { describeCause } from "../../foundation/secret/describeCause.ts"
import type { DeliveryRunner } from "../../message/sending/DeliveryRunner.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import type { TemplateCatalogue } from "../../message/template/TemplateCatalogue.ts"
import { type Instant, minutes, seconds } from "../../foundation/time/Instant.ts"
import type { Campaign, PauseReason, Progress } from "./Campaign.ts"
import { campaignGates, campaignKind, type Work as Step } from "./campaignJobs.ts"
import { advanceRecipient } from "./advanceRecipient.ts"
import { CampaignReceipts, referenceOf } from "./CampaignReceipts.ts"
import { makeFinders, type QuietOf, quietHoursOf } from "./findRecipients.ts"
import { CampaignStore } from "./CampaignStore.ts"
import { type Prepared, makePrepare } from "./prepareCampaign.ts"
import type { Recipient } from "./Recipient.ts"
import { type Handed, type RecipientVerdict, settle } from "./settle.ts"
import type { CampaignUnpaid } from "./pauseAtLowBalance.ts"
import { cancelled, earlierOf, markPayable } from "./takeNext.ts"

const completed: JobOutcome = { _tag: "Completed" }
const committed: JobOutcome = { _tag: "Committed" }

/** The most recipients one query reads. */
const atOnce = 500
/** A step takes as many recipients as can be sent in this many seconds, so that a pause takes effect quickly. */
const stepTakes = 1
const mostInStep = 50
/** The most recipients one statement records: a longer statement would delay codes. */
const recordedAtOnce = 10
/** A step leaves recipients whose turn comes later than this to the next step. */
const longestStep = seconds(15)
/** How long a suspended merchant's campaign waits before it checks again. */
const suspendedFor = minutes(1)

const problems: { readonly [why in CampaignUnpaid]: string } = {
  NO_PRICE: "This channel has no price. Set one, then resume.",
  FLOOR:
    "The balance is down to the amount reserved for codes (campaignFloor, or else balanceLowAt). Top up or lower that setting, then resume.",
  BALANCE: "The balance does not cover the next message. Top up, then resume.",
  CAP: "This channel reached its daily cap. Raise it or wait until tomorrow, then resume."
}

const later = (step: Step, runAt: Instant, reason: string): JobOutcome => ({
  _tag: "Later",
  runAt,
  reason,
  payload: step
})

const ended = ({ DELIVERED, FAILED, READ, SENT }: Progress) => ({ sent: SENT + DELIVERED + READ, failed: FAILED })

/** Whether the provider asked for fewer messages overall, not only for fewer to one recipient. */
const isLimit = (outcome: BulkOutcome): boolean => {
  if (outcome._tag !== "Failed" || outcome.error.reason._tag !== "Unavailable") return false
  const { because, retryAfterSeconds } = outcome.error.reason
  return because === "limit" || because === "sender" || (because !== "recipient" && retryAfterSeconds !== undefined)
}

type Owner = Pick<Caller, "environment" | "kind" | "settings">
type Deps =
  | BalanceStore
  | CampaignReceipts
  | CampaignStore
  | Channels
  | DeliveryRunner
  | Jobs
  | Merchants
  | OptOuts
  | Outbox
  | Senders
  | TemplateCatalogue

/**
 * Sends campaigns, one step at a time. A commit marks the recipients and books their money before the provider receives
 * them. A marked recipient is sent again only when it is certain that the provider does not have the message. The
 * provider's answer or a receipt tells the outcome.
 */
export const layer: Layer.Layer<never, never, Deps> = Layer.effectDiscard(
  Effect.gen(function* () {
    const balances = yield* BalanceStore
    const store = yield* CampaignStore
    const commit = yield* Outbox.committer(CampaignStore)
    const jobs = yield* Jobs
    const merchants = yield* Merchants
    const receipts = yield* CampaignReceipts
    const senders = yield* Senders
    const prepare = yield* makePrepare
    const { decideDoubts, findReady } = yield* makeFinders

    /** Pauses the campaign. If a user paused or cancelled it in the meantime, their change wins. */
    const pause = (
      { environment, id, run }: Campaign,
      pausedFor: PauseReason,
      problem: string,
      jobs: ReadonlyArray<Job> = []
    ) =>
      untilCommitted(
        Effect.gen(function* () {
          const campaign = yield* store.get(environment, id)
          if (campaign?.status !== "RUNNING" || campaign.run !== run) return
          yield* commit(CampaignStore.change({ campaign: { ...campaign, status: "PAUSED", pausedFor, problem }, jobs }))
          yield* Effect.logWarning("A campaign was paused", { environment, campaignId: id, pausedFor, problem })
        })
      )

    /**
     * Marks a page of unsent recipients of a cancelled campaign as SKIPPED. Returns false when no recipient is left.
     */
    const skipRest = Effect.fnUntraced(function* ({ environment, id }: Campaign) {
      const page = yield* store.open(environment, id, { handed: false, after: 0, limit: atOnce })
      if (page.length === 0) return false
      const skipped = page.map((recipient): Recipient => ({ ...recipient, status: "SKIPPED", providerCode: cancelled }))
      yield* commit(CampaignStore.change({ recipients: skipped }))
      return true
    })

    const finish = Effect.fnUntraced(function* (job: Work<Step>, campaign: Campaign, now: Instant) {
      const { environment, id, name, total } = campaign
      const counts = ended(yield* store.progress(environment, id))
      const event: EventOf<"campaign.delivered"> = {
        id: Identifier.make("evt", now),
        environment,
        type: "campaign.delivered",
        createdAt: now,
        data: { campaignId: id, name, total, ...counts }
      }
      const done: Campaign = { ...campaign, status: "DONE", finishedAt: now }
      yield* commit(CampaignStore.change({ campaign: done, events: [event], done: job }))
      return committed
    })

    const handOver = (
      recipients: ReadonlyArray<Recipient>,
      { channel, messageOf }: Prepared,
      quietOf: QuietOf,
      until: Instant
    ) => {
      // A resting provider or a rate limit would refuse all remaining sends too, so stop. For failing providers the
      // circuit breaker decides.
      let stopped = false
      let isToldBroken = false
      // Quiet hours may begin during a step.
      const isOver = (phone: string) => (now: Instant) => stopped || now >= until || quietOf(phone, now) !== null
      /**
       * A channel threw for one recipient, who may have the message. The answers for the other recipients must not be
       * lost.
       */
      const broken = (defect: unknown) =>
        Effect.suspend(() => {
          const error = new ChannelError({
            channel: channel.name,
            reason: new OutcomeUnknown({ providerCode: "broken" })
          })
          const outcome: BulkOutcome = { _tag: "Failed", error, carrier: carrierOf(channel) }
          if (isToldBroken) return Effect.succeed(outcome)
          isToldBroken = true
          const where = { channel: channel.name, provider: channel.provider, ...describeCause(Cause.die(defect)) }
          return Effect.as(Effect.logError("A channel failed unexpectedly while sending a campaign", where), outcome)
        })
      return Effect.forEach(
        recipients,
        (recipient): Effect.Effect<Handed> =>
          Effect.suspend(() => senders.sendInBulk(channel, messageOf(recipient), isOver(recipient.phone))).pipe(
            Effect.catchDefect(broken),
            Effect.map((outcome) => {
              stopped ||= outcome._tag === "Resting" || isLimit(outcome)
              return { recipient, outcome }
            })
          ),
        { concurrency: mostInStep }
      )
    }

    /** Logs one line per step: a list may contain ten thousand dead numbers. */
    const logFailures = (
      { environment, id }: Campaign,
      { name, provider }: Channel,
      verdicts: ReadonlyArray<RecipientVerdict>
    ) => {
      const codes = verdicts.flatMap(({ verdict }) =>
        verdict._tag === "Heard" ? verdict.news.flatMap(({ providerCode }) => providerCode ?? []) : []
      )
      const counts = Array.from(Map.groupBy(codes, safeCode), ([code, sameCode]) => `${code} × ${sameCode.length}`)
      return counts.length === 0
        ? Effect.void
        : Effect.logWarning("Messages of a campaign were not delivered", {
            environment,
            campaignId: id,
            channel: name,
            provider,
            providerCodes: counts
          })
    }

    /** Records the decision for one recipient. Without an answer from the provider the recipient stays marked. */
    const recordOne = (campaign: Campaign, { recipient, verdict }: RecipientVerdict) => {
      const reference = referenceOf(campaign, recipient)
      switch (verdict._tag) {
        case "Heard":
          return receipts.change(reference, (stored) => advanceRecipient(stored, verdict.news, recipient.handedAt ?? 0))
        case "Again":
          return receipts.unmark(reference, recipient, verdict.wasAsked)
        case "Silent":
          return Effect.succeed(false)
      }
    }

    /**
     * Records the provider's answers. The step keeps its gate place until all are recorded, even when its lease has
     * expired. The gate allows one step per environment, so no other step of this campaign runs in this process.
     */
    const record = (job: Work<Step>, campaign: Campaign, verdicts: ReadonlyArray<RecipientVerdict>) =>
      Effect.forEach(verdicts, (recipientVerdict) => job.untilRecorded(recordOne(campaign, recipientVerdict)), {
        concurrency: recordedAtOnce,
        discard: true
      })

    /** Marks the recipients as sending and books their money. */
    const mark = (
      job: Work<Step>,
      campaign: Campaign,
      parts: Partial<CampaignStore.Change>,
      marked: ReadonlyArray<Recipient>
    ) =>
      commit(CampaignStore.change({ ...parts, campaign })).pipe(
        // The commit may have succeeded although it reported an error. None of these recipients was sent, and only this
        // process knows that, so release the marks.
        Effect.tapErrorTag("StoreError", () =>
          Effect.forEach(
            marked,
            (recipient) => job.untilRecorded(receipts.unmark(referenceOf(campaign, recipient), recipient, false)),
            { concurrency: recordedAtOnce, discard: true }
          )
        )
      )

    /** Sends to the marked recipients and records the answers. Returns when the next step may begin. */
    const send = Effect.fnUntraced(function* (
      job: Work<Step>,
      campaign: Campaign,
      marked: ReadonlyArray<Recipient>,
      prepared: Prepared,
      quietOf: QuietOf,
      until: Instant
    ) {
      const sendings = yield* handOver(marked, prepared, quietOf, until)
      const { again: retryAt, refused, verdicts } = settle(sendings, yield* Random.next, yield* Clock.currentTimeMillis)
      yield* record(job, campaign, verdicts)
      yield* logFailures(campaign, prepared.channel, verdicts)
      if (refused !== null) {
        const problem = `The provider rejects all its messages (${refused}). Fix that, then resume.`
        yield* pause(campaign, "CHANNEL", problem)
      }
      const now = yield* Clock.currentTimeMillis
      const isStuck = marked.length > 0 && !sendings.some(({ outcome }) => outcome._tag === "Sent")
      return { again: retryAt, goOnAt: isStuck ? Math.max(now, retryAt ?? now) : now }
    })

    /**
     * Handles a pass that found no ready recipient. Schedules another pass when this one left recipients for later;
     * otherwise finishes the campaign.
     */
    const endPass = Effect.fnUntraced(function* (
      job: Work<Step>,
      campaign: Campaign,
      next: Instant | null,
      now: Instant
    ) {
      const { environment, id } = campaign
      const fromStart: Step = { ...job.payload, after: 0, next: null }
      if (next !== null) return later(fromStart, Math.max(now, next), "waits")
      const unsent = yield* store.open(environment, id, { handed: false, after: 0, limit: 1 })
      return unsent.length > 0 ? later(fromStart, now, "continues") : yield* finish(job, campaign, now)
    })

    const stepOf = Effect.fnUntraced(function* (
      job: Work<Step>,
      campaign: Campaign,
      owner: Owner,
      prepared: Prepared,
      now: Instant
    ) {
      const { payload } = job
      const { accountId, channel, isHeardInOrder } = prepared
      const restsUntil = senders.bulkRestsUntil(channel, accountId, now)
      // Mark nothing while the provider rests: in a long outage each check would write two rows per recipient.
      if (restsUntil !== null) return later(payload, restsUntil, "provider_resting")
      const quietOf = quietHoursOf(owner.settings)
      const doubts = yield* decideDoubts(campaign, isHeardInOrder ? quietOf : null, now)
      const maxRecipients = Math.max(1, Math.min(mostInStep, Math.floor(senders.bulkPerSecond(channel) * stepTakes)))
      const toRepeat = doubts.again.slice(0, maxRecipients)
      const candidates = yield* findReady(campaign, quietOf, payload, maxRecipients - toRepeat.length, now)
      const budget = yield* loadBudget(balances, owner, now)
      const marking = markPayable([...toRepeat, ...candidates.ready], campaign, budget, now)
      const nextStep: Step = { ...payload, after: candidates.after, next: candidates.next }
      if (marking.recipients.length === 0 && candidates.skipped.length === 0) {
        if (marking.unpaid !== null) {
          yield* pause(campaign, "MONEY", problems[marking.unpaid], lowJobs(budget, [], now))
          return later(payload, now, "paused")
        }
        return candidates.isEnd
          ? yield* endPass(job, campaign, earlierOf(candidates.next, doubts.next), now)
          : later(nextStep, now, "continues")
      }
      const parts = {
        recipients: [...marking.recipients, ...candidates.skipped],
        booked: marking.booked,
        jobs: lowJobs(budget, marking.booked, now)
      }
      const { recipients } = yield* mark(job, campaign, parts, marking.recipients)
      const marked = recipients.slice(0, marking.recipients.length)
      const { again: retryAt, goOnAt } = yield* send(job, campaign, marked, prepared, quietOf, now + longestStep)
      // The next step reads recipients again whose message could not be paid.
      const nextPass = marking.unpaid === null ? nextStep : { ...nextStep, after: payload.after }
      return later({ ...nextPass, next: earlierOf(nextPass.next, retryAt) }, goOnAt, "continues")
    })

    /** Finishes the open work of a paused or cancelled campaign. */
    const settleOpenWork = Effect.fnUntraced(function* ({ payload }: Work<Step>, campaign: Campaign, now: Instant) {
      const { next } = yield* decideDoubts(campaign, null, now)
      if (campaign.status === "CANCELLED" && (yield* skipRest(campaign))) return later(payload, now, "continues")
      return next === null ? completed : later(payload, next, "waits for receipts")
    })

    const work = Effect.fnUntraced(function* (job: Work<Step>) {
      const { environment, payload } = job
      const campaign = yield* store.get(environment, payload.campaignId)
      if (campaign === null || campaign.run !== payload.run || campaign.status === "DONE") return completed
      const now = yield* Clock.currentTimeMillis
      if (campaign.status === "PAUSED" || campaign.status === "CANCELLED")
        return yield* settleOpenWork(job, campaign, now)
      const owner = yield* merchants.environment(environment)
      if (owner === null) return later(payload, now + suspendedFor, "merchant suspended")
      if (campaign.status === "SCHEDULED") {
        // An adjusted clock can run the job before its time of day.
        if (now < campaign.startAt) return later(payload, campaign.startAt, "not yet")
        yield* commit(CampaignStore.change({ campaign: { ...campaign, status: "RUNNING" } }))
        return later(payload, now, "starts")
      }
      const prepared = yield* prepare(campaign, owner)
      if (Result.isFailure(prepared)) {
        yield* pause(campaign, "CHANNEL", prepared.failure)
        return later(payload, now, "paused")
      }
      return yield* stepOf(job, campaign, owner, prepared.success, now)
    })

    for (const gate of campaignGates()) yield* jobs.pass(gate)
    // A conflict means that another writer changed the campaign, for example paused it. The job decides again from the
    // new state.
    yield* jobs.handle(campaignKind, (job) =>
      work(job).pipe(
        Effect.catchTag("Conflict", () =>
          Effect.map(Clock.currentTimeMillis, (now) => later(job.payload, now, "another writer was faster"))
        )
      )
    )
  })
)
