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
import { sooner, sortOut } from "./takeNext.ts"

/** So many recipients are read at a time. */
const atOnce = 500
/** So many pages are walked past in one step, where it is night for all of them. */
const mostPages = 20

/** Until when nobody writes to a number; null where one may. */
export type QuietOf = (phone: string, now: Instant) => Instant | null

export const quietHoursOf = ({ quietHours, timeZone }: Pick<Settings, "quietHours" | "timeZone">): QuietOf =>
  quietHours === null ? () => null : (phone, now) => quietUntil(phone, quietHours, timeZone, now)

/** Finds to whom a campaign may write now: those in doubt whose time is over, and those whose turn it is. */
export const makeFinders = Effect.gen(function* () {
  const store = yield* CampaignStore
  const optOuts = yield* OptOuts
  const receipts = yield* CampaignReceipts
  /** Steps whose outcome this process found to be unknown, by campaign: when they were handed over, and since when. */
  const doubted = new Map<string, ReadonlyMap<Instant, Instant>>()

  const unwillingAmong = ({ environment }: Campaign, recipients: ReadonlyArray<Recipient>) =>
    recipients.length === 0
      ? Effect.succeed<ReadonlySet<string>>(new Set())
      : optOuts.among(
          environment,
          recipients.map(({ phone }) => phone)
        )

  /** Everybody of whom nobody knows whether the provider has the message: one step's recipients, or a few more. */
  const allInDoubt = Effect.fnUntraced(function* ({ environment, id }: Campaign) {
    const found: Array<Recipient> = []
    for (let after = 0; ; after = found.at(-1)!.number) {
      const page = yield* store.open(environment, id, { handed: true, after, limit: atOnce })
      found.push(...page)
      if (page.length < atOnce) return found
    }
  })

  /** Remembers since when this process knows of each doubt; says when it is decided. */
  const noteDoubts = (campaign: Campaign, found: ReadonlyArray<Recipient>, now: Instant) => {
    const before = doubted.get(campaign.id)
    const seen = new Map<Instant, Instant>()
    for (const { handedAt } of found) seen.set(handedAt ?? 0, before?.get(handedAt ?? 0) ?? now)
    if (seen.size === 0) doubted.delete(campaign.id)
    else doubted.set(campaign.id, seen)
    return found.map((recipient) => ({ recipient, at: dueAt(recipient, seen.get(recipient.handedAt ?? 0) ?? now) }))
  }

  /**
   * Decides about those in doubt whose time is over: they have failed, or may be handed over again, where `quietOf` says
   * until when they may not. `next` is when the first of the others is decided about.
   */
  const decideDoubts = Effect.fnUntraced(function* (campaign: Campaign, quietOf: QuietOf | null, now: Instant) {
    const found = yield* allInDoubt(campaign)
    const due: Array<Recipient> = []
    let next: Instant | null = null
    for (const { recipient, at } of noteDoubts(campaign, found, now)) {
      if (at <= now) due.push(recipient)
      else next = sooner(next, at)
    }
    const since = due.length === 0 ? now : yield* receipts.heardSince
    const unwilling = yield* unwillingAmong(campaign, due)
    const again: Array<Recipient> = []
    for (const recipient of due) {
      const wants = quietOf !== null && !unwilling.has(recipient.phone)
      if (wants && mayRepeat(recipient, since, yield* store.isHeardOf(recipient))) {
        const quiet = quietOf(recipient.phone, now)
        if (quiet === null) again.push(recipient)
        else next = sooner(next, quiet)
      } else {
        yield* receipts.change(referenceOf(campaign, recipient), (stored) =>
          stored.status === "PENDING" && stored.handedAt === recipient.handedAt ? givenUp(stored) : null
        )
      }
    }
    return { again, next }
  })

  /** Walks on through the list until so many are found to whom one may write now, or it ends. */
  const findReady = Effect.fnUntraced(function* (
    campaign: Campaign,
    quietOf: QuietOf,
    step: Pick<Work, "after" | "next">,
    most: number,
    now: Instant
  ) {
    const { environment, id } = campaign
    const quiet = (phone: string) => quietOf(phone, now)
    const ready: Array<Recipient> = []
    const skipped: Array<Recipient> = []
    let { after, next } = step
    let isEnd = false
    for (let pages = 0; pages < mostPages && !isEnd && ready.length < most && skipped.length < atOnce; pages++) {
      // Most are ready, so a few are enough at first: what is done at once, codes wait for.
      const limit = pages === 0 ? most : atOnce
      const page = yield* store.open(environment, id, { handed: false, after, limit })
      const awake = page.filter(({ phone }) => quiet(phone) === null)
      const unwilling = yield* unwillingAmong(campaign, awake)
      const sorted = sortOut(page, { optedOut: unwilling, quietUntil: quiet }, most - ready.length)
      ready.push(...sorted.ready)
      skipped.push(...sorted.skipped)
      next = sooner(next, sorted.next)
      if (page.length > 0) after = sorted.last
      isEnd = page.length < limit && after === (page.at(-1)?.number ?? after)
    }
    return { ready, skipped, after, next, isEnd }
  })

  return { decideDoubts, findReady }
})
