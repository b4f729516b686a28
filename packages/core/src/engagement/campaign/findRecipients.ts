import { Effect } from "effect"
import type { Settings } from "../../account/merchant/Settings.ts"
import { OptOuts } from "../optOut/OptOuts.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Campaign } from "./Campaign.ts"
import type { Work } from "./campaignJobs.ts"
import { CampaignReceipts, referenceOf } from "./CampaignReceipts.ts"
import { CampaignStore } from "./CampaignStore.ts"
import { quietUntil } from "./quietHours.ts"
import type { Recipient } from "./Recipient.ts"
import { dueAt, givenUp, mayRepeat } from "./resolve.ts"
import { earlierOf, splitRecipients } from "./takeNext.ts"

/** The most recipients one query reads. */
const atOnce = 500
/** The most pages one step reads when all their recipients are in quiet hours. */
const mostPages = 20

/** Returns when quiet hours end for a number; null when the number may receive messages now. */
export type QuietOf = (phone: string, now: Instant) => Instant | null

export const quietHoursOf = ({ quietHours, timeZone }: Pick<Settings, "quietHours" | "timeZone">): QuietOf =>
  quietHours === null ? () => null : (phone, now) => quietUntil(phone, quietHours, timeZone, now)

/** Finds the recipients to send to now: doubtful ones whose waiting time is over, and the next ones in the list. */
export const makeFinders = Effect.gen(function* () {
  const store = yield* CampaignStore
  const optOuts = yield* OptOuts
  const receipts = yield* CampaignReceipts
  /**
   * Steps with an unknown outcome, by campaign: the instant of sending, and since when this process knows of the doubt.
   */
  const doubtsByCampaign = new Map<string, ReadonlyMap<Instant, Instant>>()

  const unwillingAmong = ({ environment }: Campaign, recipients: ReadonlyArray<Recipient>) =>
    recipients.length === 0
      ? Effect.succeed<ReadonlySet<string>>(new Set())
      : optOuts.among(
          environment,
          recipients.map(({ phone }) => phone)
        )

  /**
   * All recipients whose message may or may not be with the provider. Usually the recipients of one step, or a few
   * more.
   */
  const allInDoubt = Effect.fnUntraced(function* ({ environment, id }: Campaign) {
    const inDoubt: Array<Recipient> = []
    for (let after = 0; ; after = inDoubt.at(-1)!.number) {
      const page = yield* store.open(environment, id, { handed: true, after, limit: atOnce })
      inDoubt.push(...page)
      if (page.length < atOnce) return inDoubt
    }
  })

  /** Remembers since when this process knows of each doubt, and returns when each doubt is due for a decision. */
  const noteDoubts = (campaign: Campaign, inDoubt: ReadonlyArray<Recipient>, now: Instant) => {
    const knownSince = doubtsByCampaign.get(campaign.id)
    const stillInDoubt = new Map<Instant, Instant>()
    for (const { handedAt } of inDoubt) stillInDoubt.set(handedAt ?? 0, knownSince?.get(handedAt ?? 0) ?? now)
    if (stillInDoubt.size === 0) doubtsByCampaign.delete(campaign.id)
    else doubtsByCampaign.set(campaign.id, stillInDoubt)
    return inDoubt.map((recipient) => ({
      recipient,
      at: dueAt(recipient, stillInDoubt.get(recipient.handedAt ?? 0) ?? now)
    }))
  }

  /**
   * Decides the doubts whose waiting time is over. The recipient fails, or may be sent to again outside the quiet hours
   * of `quietOf`. `next` is the instant of the next decision.
   */
  const decideDoubts = Effect.fnUntraced(function* (campaign: Campaign, quietOf: QuietOf | null, now: Instant) {
    const inDoubt = yield* allInDoubt(campaign)
    const due: Array<Recipient> = []
    let next: Instant | null = null
    for (const { recipient, at } of noteDoubts(campaign, inDoubt, now)) {
      if (at <= now) due.push(recipient)
      else next = earlierOf(next, at)
    }
    const since = due.length === 0 ? now : yield* receipts.heardSince
    const optedOut = yield* unwillingAmong(campaign, due)
    const toRepeat: Array<Recipient> = []
    for (const recipient of due) {
      const mayReceive = quietOf !== null && !optedOut.has(recipient.phone)
      if (mayReceive && mayRepeat(recipient, since, yield* store.isHeardOf(recipient))) {
        const quiet = quietOf(recipient.phone, now)
        if (quiet === null) toRepeat.push(recipient)
        else next = earlierOf(next, quiet)
      } else {
        yield* receipts.change(referenceOf(campaign, recipient), (stored) =>
          stored.status === "PENDING" && stored.handedAt === recipient.handedAt ? givenUp(stored) : null
        )
      }
    }
    return { again: toRepeat, next }
  })

  /** Reads on through the list until it has found `most` ready recipients, or the list ends. */
  const findReady = Effect.fnUntraced(function* (
    campaign: Campaign,
    quietOf: QuietOf,
    step: Pick<Work, "after" | "next">,
    maxReady: number,
    now: Instant
  ) {
    const { environment, id } = campaign
    const quiet = (phone: string) => quietOf(phone, now)
    const ready: Array<Recipient> = []
    const skipped: Array<Recipient> = []
    let { after, next } = step
    let isEnd = false
    for (let pages = 0; pages < mostPages && !isEnd && ready.length < maxReady && skipped.length < atOnce; pages++) {
      // Start with a small page: most recipients are ready, and large reads delay codes.
      const limit = pages === 0 ? maxReady : atOnce
      const page = yield* store.open(environment, id, { handed: false, after, limit })
      const awake = page.filter(({ phone }) => quiet(phone) === null)
      const optedOut = yield* unwillingAmong(campaign, awake)
      const split = splitRecipients(page, { optedOut, quietUntil: quiet }, maxReady - ready.length)
      ready.push(...split.ready)
      skipped.push(...split.skipped)
      next = earlierOf(next, split.next)
      if (page.length > 0) after = split.last
      isEnd = page.length < limit && after === (page.at(-1)?.number ?? after)
    }
    return { ready, skipped, after, next, isEnd }
  })

  return { decideDoubts, findReady }
})
