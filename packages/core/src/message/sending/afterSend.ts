import { type Backoff, backoff } from "../../foundation/outbox/JobKind.ts"
import { type Instant, type Millis, seconds } from "../../foundation/time/Instant.ts"
import type { DeliveryNews } from "./advance.ts"
import type { BulkOutcome, PassedOver, SendOutcome } from "./SendOutcome.ts"
import type { SendPolicy } from "../../foundation/delivery/SendPolicy.ts"

/**
 * The lane of messages that a resting provider does not keep at its gate: those that can still go another way, and those
 * that may go out by a merchant's own account.
 */
export const otherwise = "otherwise"

/** After 1, 2, 4, 8, 16, 20, 20 … seconds; those that failed together do not come back together. */
const spacing: Backoff = { first: seconds(1), most: seconds(20), spread: 0.2 }

/** Where other messages took all turns of a provider, a message in bulk asks for one again after this long. */
const turnsTake = seconds(1)

/** Why a message FAILED whose provider rested until the message was of no use. */
export const providerResting = "provider_resting"

/** What a send has been through before the try that has just ended. */
export interface EarlierTries {
  readonly failures: number
  /** Whether nobody knew after an earlier try if the message had left. */
  readonly isUnanswered: boolean
}

/** A carrier that was asked in vain. */
export interface SendTry {
  readonly at: Instant
  readonly carrier?: string
  readonly providerCode: string
  /** When the message is sent again; null where it is not. */
  readonly again: Instant | null
}

/** What follows from the outcome of a send. */
export type SendVerdict =
  /** Record this. `passedOver` were asked before the carrier that answered. */
  | {
      readonly _tag: "Heard"
      readonly news: ReadonlyArray<DeliveryNews>
      readonly passedOver?: ReadonlyArray<PassedOver>
    }
  /**
   * Send it again at `at`. `wasAsked`: its provider got the request, and did not take the message; without it nothing
   * was sent. `isUnanswered`: the provider may have the message, and the same one is sent once more.
   */
  | {
      readonly _tag: "Again"
      readonly at: Instant
      readonly providerCode: string
      readonly wasAsked: boolean
      readonly isUnanswered: boolean
      readonly carrier?: string
      readonly passedOver?: ReadonlyArray<PassedOver>
      /** Where it waits at its gate, until those carriers have a turn. */
      readonly lane?: string
    }
  /** The provider may have it: the receipt tells, or nothing does. Without `wasAsked`, from an earlier try. */
  | {
      readonly _tag: "Silent"
      readonly providerCode: string
      readonly wasAsked: boolean
      readonly carrier?: string
      readonly passedOver?: ReadonlyArray<PassedOver>
    }

const none: ReadonlyArray<never> = []

/** The tries of a send that its verdict tells of, in their order; empty where the only carrier answered. */
export const triesOf = (verdict: SendVerdict, now: Instant): ReadonlyArray<SendTry> => {
  const { passedOver = none } = verdict
  const before = passedOver.map((each): SendTry => ({ ...each, at: now, again: now }))
  if (verdict._tag === "Heard" || !verdict.wasAsked) return before
  const { carrier, providerCode } = verdict
  const again = verdict._tag === "Again" ? verdict.at : null
  return [...before, { at: now, ...(carrier === undefined ? {} : { carrier }), providerCode, again }]
}

/** A failure that core decides, and no provider reports. */
export const failedByUs = (providerCode: string): DeliveryNews => ({
  status: "FAILED",
  providerId: null,
  providerCode,
  isOurs: true
})

/** Up to a fifth longer, by chance. */
const spread = (wait: Millis, chance: number): Millis => Math.ceil(wait * (1 + spacing.spread * chance))

const heard = (...news: ReadonlyArray<DeliveryNews>): SendVerdict => ({ _tag: "Heard", news })

const afterError = (
  policy: SendPolicy,
  { carrier, error: { reason } }: Extract<SendOutcome, { _tag: "Failed" }>,
  { failures, isUnanswered: before }: EarlierTries,
  chance: number,
  now: Instant,
  end: Instant
): SendVerdict => {
  const { providerCode } = reason
  const why = reason._tag === "OutcomeUnknown" || reason.because === undefined ? {} : { because: reason.because }
  const refused = heard({ status: "FAILED", providerId: null, providerCode, carrier, ...why })
  const silent: SendVerdict = { _tag: "Silent", providerCode, wasAsked: true, carrier }
  if (reason._tag === "Refused") return refused
  const isUnknown = reason._tag === "OutcomeUnknown"
  if (isUnknown && reason.repeatable !== true && (policy.repeats === 0 || before)) return silent
  const isUnanswered = before || isUnknown
  const wish = reason._tag === "Unavailable" ? seconds(reason.retryAfterSeconds ?? 0) : 0
  const at = now + spread(Math.max(backoff({ ...spacing, spread: 0 }, failures, 0), wish), chance)
  const isInTime = at < end && (policy.mostTries === null || failures + 1 < policy.mostTries)
  if (isInTime) return { _tag: "Again", at, providerCode, wasAsked: true, isUnanswered, carrier }
  return isUnanswered ? silent : refused
}

const withPassedOver = (verdict: SendVerdict, passedOver: ReadonlyArray<PassedOver> | undefined): SendVerdict =>
  passedOver === undefined ? verdict : { ...verdict, passedOver }

/**
 * What follows from the outcome of a send, for every kind of message. It is pure: `chance`, from 0 to 1, spreads what
 * failed together, and nothing is tried at `end` or later, when the message is of no use any more.
 */
export const afterSend = (
  policy: SendPolicy,
  outcome: BulkOutcome,
  earlier: EarlierTries,
  chance: number,
  now: Instant,
  end: Instant
): SendVerdict => {
  const unsent = (at: Instant, providerCode: string): SendVerdict => {
    const { isUnanswered } = earlier
    if (at < end) return { _tag: "Again", at, providerCode, wasAsked: false, isUnanswered }
    return isUnanswered ? { _tag: "Silent", providerCode, wasAsked: false } : heard(failedByUs(providerCode))
  }
  switch (outcome._tag) {
    case "Sent": {
      const { carrier, sent } = outcome
      const news: DeliveryNews = { status: "SENT", providerId: sent.providerId, providerCode: null, carrier }
      const verdict = sent.delivered === true ? heard(news, { ...news, status: "DELIVERED" }) : heard(news)
      return withPassedOver(verdict, outcome.passedOver)
    }
    case "Failed":
      return withPassedOver(afterError(policy, outcome, earlier, chance, now, end), outcome.passedOver)
    case "Resting":
      // The rest may end for many messages at once.
      return unsent(now + spread(outcome.until - now, chance), providerResting)
    case "NoTurn": {
      if (outcome.lane === undefined) return unsent(now + turnsTake, "no_turn")
      const verdict = unsent(now, "no_turn")
      return verdict._tag === "Again" ? { ...verdict, lane: outcome.lane } : verdict
    }
  }
}
