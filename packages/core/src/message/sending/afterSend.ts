import { type Backoff, backoff } from "../../foundation/outbox/JobKind.ts"
import { type Instant, type Millis, seconds } from "../../foundation/time/Instant.ts"
import type { DeliveryNews } from "./advance.ts"
import type { BulkOutcome, PassedOver, SendOutcome } from "./SendOutcome.ts"
import type { SendPolicy } from "../../foundation/delivery/SendPolicy.ts"

/**
 * The lane of messages that do not wait at the gate of a resting provider. They can still go another way, or may use a
 * merchant's own account.
 */
export const otherwise = "otherwise"

/**
 * Retries after 1, 2, 4, 8, 16, 20, 20 … seconds. The spread keeps messages that failed together from returning
 * together.
 */
const spacing: Backoff = { first: seconds(1), most: seconds(20), spread: 0.2 }

/** How long a message without a turn waits before it asks again, when it has no lane. */
const turnsTake = seconds(1)

/** The code of a message that FAILED because its provider rested for too long. */
export const providerResting = "provider_resting"

/** The earlier tries of a message. */
export interface EarlierTries {
  readonly failures: number
  /** Whether an earlier try ended without an answer, so the message may be on its way. */
  readonly isUnanswered: boolean
}

/** A try after which a carrier did not take the message. */
export interface SendTry {
  readonly at: Instant
  readonly carrier?: string
  readonly providerCode: string
  /** When the message is sent again; null when it is not. */
  readonly again: Instant | null
}

/** The next step after a send. */
export type SendVerdict =
  /** Record this news. `passedOver` lists the carriers tried before the one that answered. */
  | {
      readonly _tag: "Heard"
      readonly news: ReadonlyArray<DeliveryNews>
      readonly passedOver?: ReadonlyArray<PassedOver>
    }
  /**
   * Send it again at `at`. `wasAsked`: the provider got the request but did not take the message; otherwise nothing was
   * sent. `isUnanswered`: the provider may have the message, and the same message is sent once more.
   */
  | {
      readonly _tag: "Again"
      readonly at: Instant
      readonly providerCode: string
      readonly wasAsked: boolean
      readonly isUnanswered: boolean
      readonly carrier?: string
      readonly passedOver?: ReadonlyArray<PassedOver>
      /** The lane in which it waits at its gate until those carriers have a turn. */
      readonly lane?: string
    }
  /**
   * The provider may have the message, and only a receipt can tell. Without `wasAsked`, an earlier try left this doubt.
   */
  | {
      readonly _tag: "Silent"
      readonly providerCode: string
      readonly wasAsked: boolean
      readonly carrier?: string
      readonly passedOver?: ReadonlyArray<PassedOver>
    }

const none: ReadonlyArray<never> = []

/** Returns the unsuccessful tries of a verdict, in order. Empty when the first carrier answered. */
export const triesOf = (verdict: SendVerdict, now: Instant): ReadonlyArray<SendTry> => {
  const { passedOver = none } = verdict
  const before = passedOver.map((each): SendTry => ({ ...each, at: now, again: now }))
  if (verdict._tag === "Heard" || !verdict.wasAsked) return before
  const { carrier, providerCode } = verdict
  const retryAt = verdict._tag === "Again" ? verdict.at : null
  return [...before, { at: now, ...(carrier === undefined ? {} : { carrier }), providerCode, again: retryAt }]
}

/** A failure that core decides, without a provider's report. */
export const failedByUs = (providerCode: string): DeliveryNews => ({
  status: "FAILED",
  providerId: null,
  providerCode,
  isOurs: true
})

/** Up to a fifth longer, at random. */
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
  const isDeduplicated = isUnknown && reason.repeatable === true && policy.trustsDeduplication
  if (isUnknown && !isDeduplicated && (policy.repeats === 0 || before)) return silent
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
 * Decides what follows from a send, for every kind of message. It is pure: `chance`, from 0 to 1, spreads retries. It
 * schedules no try at or after `end`, when the message is useless.
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
      // Many messages may wait for the end of the same rest, so it spreads them.
      return unsent(now + spread(outcome.until - now, chance), providerResting)
    case "NoTurn": {
      if (outcome.lane === undefined) return unsent(now + turnsTake, "no_turn")
      const verdict = unsent(now, "no_turn")
      return verdict._tag === "Again" ? { ...verdict, lane: outcome.lane } : verdict
    }
  }
}
