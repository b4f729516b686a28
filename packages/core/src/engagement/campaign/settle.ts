import { afterSend, type SendVerdict } from "../../message/sending/afterSend.ts"
import type { Because } from "../../foundation/delivery/ChannelError.ts"
import { safeCode } from "../../message/sending/safeCode.ts"
import type { BulkOutcome } from "../../message/sending/SendOutcome.ts"
import { sendPolicies } from "../../foundation/delivery/SendPolicy.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Recipient } from "./Recipient.ts"
import { earlierOf } from "./takeNext.ts"

/** How many account-level refusals without a single accepted message pause the campaign. */
const refusalsAlone = 5

/** The outcome of one recipient's message. */
export interface Handed {
  /** The recipient as it was marked. */
  readonly recipient: Recipient
  readonly outcome: BulkOutcome
}

/** The decision to record for one recipient. */
export interface RecipientVerdict {
  readonly recipient: Recipient
  readonly verdict: SendVerdict
}

export interface StepResult {
  readonly verdicts: ReadonlyArray<RecipientVerdict>
  /** When the recipients to retry may be sent to again; null when there are none. */
  readonly again: Instant | null
  /** The provider's code when it refuses the whole campaign; otherwise null. */
  readonly refused: string | null
}

/** Reasons that concern the campaign's sender, and so all recipients. */
const ofTheSender: ReadonlyArray<Because | undefined> = ["account", "sender"]

const refusalOf = ({ outcome }: Handed) =>
  outcome._tag === "Failed" && outcome.error.reason._tag === "Refused" ? outcome.error.reason : null

const concernsAll = (because: Because | undefined): boolean => because === "template" || ofTheSender.includes(because)

/** The code with which the provider refuses the whole campaign, because of its template or its sender. */
const refusalOfAll = (handed: ReadonlyArray<Handed>): string | null => {
  const refusals = handed.flatMap((each) => refusalOf(each) ?? [])
  const ofTemplate = refusals.find(({ because }) => because === "template")
  if (ofTemplate !== undefined) return safeCode(ofTemplate.providerCode)
  const ofAccount = refusals.filter(({ because }) => ofTheSender.includes(because))
  const isAlone = !handed.some(({ outcome }) => outcome._tag === "Sent")
  return isAlone && ofAccount.length >= refusalsAlone ? safeCode(ofAccount[0]!.providerCode) : null
}

/**
 * Turns the outcomes of a step into decisions. `chance`, from 0 to 1, spreads the retries of messages that failed
 * together.
 */
export const settle = (handed: ReadonlyArray<Handed>, chance: number, now: Instant): StepResult => {
  const refused = refusalOfAll(handed)
  let retryAt: Instant | null = null
  const verdicts = handed.map((each): RecipientVerdict => {
    const { outcome, recipient } = each
    const refusal = refusalOf(each)
    if (refused !== null && refusal !== null && concernsAll(refusal.because)) {
      // The campaign is paused: the messages wait and count as not failed.
      const { providerCode } = refusal
      return { recipient, verdict: { _tag: "Again", at: now, providerCode, wasAsked: true, isUnanswered: false } }
    }
    const tried = { failures: recipient.tries - 1, isUnanswered: false }
    const verdict = afterSend(sendPolicies.campaign, outcome, tried, chance, now, Number.POSITIVE_INFINITY)
    if (verdict._tag === "Again") retryAt = earlierOf(retryAt, verdict.at)
    return { recipient, verdict }
  })
  return { verdicts, again: retryAt, refused }
}
