import type { Because, ChannelError } from "../delivery/ChannelError.ts"
import { safeCode } from "../delivery/safeCode.ts"
import * as afterSend from "../delivery/afterSend.ts"
import type { BulkOutcome } from "../delivery/Senders.ts"
import type { Instant } from "../time/Instant.ts"
import { advanceRecipient } from "./advanceRecipient.ts"
import type { DeliveryNews } from "../delivery/advance.ts"
import type { Recipient } from "./Recipient.ts"
import { sooner } from "./takeNext.ts"

/** A message that the provider puts off again and again is given up with this one: after ten minutes at the soonest. */
const mostTries = 30
/** So many refusals for the account's own sake, and nothing taken beside, are no recipient's matter. */
const refusalsAlone = 5
/** Where others took all turns, one asks again after this long. */
const turnsTake = 1_000

/** What became of one recipient's message. */
export interface Handed {
  /** As it was marked. */
  readonly recipient: Recipient
  readonly outcome: BulkOutcome
}

/** What is to be put down of one of them. */
export type Verdict =
  | { readonly _tag: "News"; readonly news: ReadonlyArray<DeliveryNews> }
  /** The provider certainly does not have it. `counts`: it was asked. */
  | { readonly _tag: "Back"; readonly counts: boolean }
  /** It may be on its way: its receipt will tell, or time. */
  | { readonly _tag: "InDoubt" }

export interface Settled {
  readonly verdicts: ReadonlyArray<{ readonly recipient: Recipient; readonly verdict: Verdict }>
  /** From when those that came back may be handed over again; null where nobody came back. */
  readonly again: Instant | null
  /** The provider's code, where it takes no message of this campaign; null otherwise. */
  readonly refused: string | null
}

const failed = (providerCode: string): Verdict => ({
  _tag: "News",
  news: [{ status: "FAILED", providerId: null, providerCode }]
})

const back: Verdict = { _tag: "Back", counts: true }
/** Nothing was handed over. */
export const notAsked: Verdict = { _tag: "Back", counts: false }

/** What concerns the sender of the campaign, and all its recipients. */
const ofTheSender: ReadonlyArray<Because | undefined> = ["account", "sender"]

const reasonOf = ({ outcome }: Handed) => (outcome._tag === "Failed" ? outcome.error.reason : null)

/** The code with which the provider refuses the campaign and not its recipients: its template, or whoever sends it. */
const refusalOf = (handed: ReadonlyArray<Handed>): string | null => {
  const reasons = handed.flatMap((one) => reasonOf(one) ?? [])
  const refusals = reasons.filter((reason) => reason._tag === "Refused")
  const ofTemplate = refusals.find(({ because }) => because === "template")
  if (ofTemplate !== undefined) return safeCode(ofTemplate.providerCode)
  const ofAccount = refusals.filter(({ because }) => ofTheSender.includes(because))
  const isAlone = !handed.some(({ outcome }) => outcome._tag === "Sent")
  return isAlone && ofAccount.length >= refusalsAlone ? safeCode(ofAccount[0]!.providerCode) : null
}

const afterError = (
  { recipient }: Handed,
  error: ChannelError,
  refused: string | null,
  chance: number,
  now: Instant
): { readonly verdict: Verdict; readonly again: Instant | null } => {
  const { reason } = error
  // A code is sent again for that; here it would be a second message to somebody, and at every further one a third.
  if (reason._tag === "OutcomeUnknown") return { verdict: { _tag: "InDoubt" }, again: null }
  if (reason._tag === "Refused") {
    const isOurs = refused !== null && (reason.because === "template" || ofTheSender.includes(reason.because))
    return { verdict: isOurs ? back : failed(reason.providerCode), again: null }
  }
  const tried = { failures: recipient.tries - 1, isUnanswered: false }
  const later = afterSend.afterError(error, tried, chance, now, Number.POSITIVE_INFINITY)
  return later._tag === "Again" && recipient.tries < mostTries
    ? { verdict: back, again: later.at }
    : { verdict: failed(reason.providerCode), again: null }
}

/** What follows from what became of a step's messages. `chance`, from 0 to 1, spreads what failed together. */
export const settle = (handed: ReadonlyArray<Handed>, chance: number, now: Instant): Settled => {
  const refused = refusalOf(handed)
  let again: Instant | null = null
  const verdicts = handed.map((one) => {
    const { outcome, recipient } = one
    switch (outcome._tag) {
      case "Sent": {
        const sent: DeliveryNews = { status: "SENT", providerId: outcome.sent.providerId, providerCode: null }
        const news = outcome.sent.delivered === true ? [sent, { ...sent, status: "DELIVERED" as const }] : [sent]
        return { recipient, verdict: { _tag: "News", news } satisfies Verdict }
      }
      case "Failed": {
        const after = afterError(one, outcome.error, refused, chance, now)
        again = sooner(again, after.again)
        return { recipient, verdict: after.verdict }
      }
      case "Resting":
        again = sooner(again, afterSend.afterRest(outcome.until, chance, now))
        return { recipient, verdict: notAsked }
      case "NoTurn":
        again = sooner(again, now + turnsTake)
        return { recipient, verdict: notAsked }
    }
  })
  return { verdicts, again, refused }
}

/**
 * A recipient as it is stored now, after a verdict on its message; null where that changes nothing. A mark is taken back
 * only where it is still the one that was made for this message.
 */
export const settled = (stored: Recipient, marked: Recipient, verdict: Verdict): Recipient | null => {
  if (verdict._tag === "News") return advanceRecipient(stored, verdict.news, marked.handedAt ?? 0)
  const isMine = stored.status === "PENDING" && stored.handedAt === marked.handedAt && stored.tries === marked.tries
  if (verdict._tag === "InDoubt" || !isMine) return null
  return { ...stored, handedAt: null, tries: verdict.counts ? stored.tries : stored.tries - 1 }
}
