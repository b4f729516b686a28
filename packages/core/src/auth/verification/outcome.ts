import { forbiddenCode } from "../../account/merchant/destination.ts"
import { notYoursCode } from "../../account/number/notYours.ts"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Because } from "../../foundation/delivery/ChannelError.ts"
import { isInDoubt, notSentInTime } from "../../foundation/delivery/Delivery.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { NoFallback } from "./TimelineStep.ts"
import type { Verification } from "./Verification.ts"
import type { VerificationDelivery } from "./VerificationDelivery.ts"

/**
 * What happened to a verification that did not succeed.
 *
 * - `NOT_SENT`: no provider accepted a message
 * - `NOT_DELIVERED`: a provider accepted a message, and its delivery failed
 * - `NO_RECEIPT`: it expired, and no provider confirmed or denied the delivery
 * - `DELIVERED_UNUSED`: it expired after a delivery, without the correct code or an approval
 * - `SENT_UNUSED`: the same on a channel that sends no receipts
 * - `NOT_CONFIRMED`: it expired, and no proof of the number came. No message was sent.
 * - `NO_ATTEMPTS_LEFT`: wrong codes used up the attempts
 * - `WRONG_NUMBER`: a wrong number was selected on a link's page, or the proof was for another number
 */
export const OutcomeCode = [
  "NOT_SENT",
  "NOT_DELIVERED",
  "NO_RECEIPT",
  "DELIVERED_UNUSED",
  "SENT_UNUSED",
  "NOT_CONFIRMED",
  "NO_ATTEMPTS_LEFT",
  "WRONG_NUMBER"
] as const
export type OutcomeCode = (typeof OutcomeCode)[number]

/**
 * Why a message did not arrive. The first eight are the causes that a provider names: see `Because`.
 *
 * - `SETTINGS`: the merchant's settings forbid the number
 * - `OPERATOR`: only the operator of this server can fix it
 * - `PROVIDER`: the provider did not accept it before it expired
 * - `TIME`: it expired before it was sent
 * - `SILENCE`: the provider confirmed neither success nor failure
 * - `UNKNOWN`: the provider named no cause
 */
export const OutcomeReason = [
  "RECIPIENT",
  "OPTED_OUT",
  "CHANNEL",
  "CONTENT",
  "TEMPLATE",
  "SENDER",
  "ACCOUNT",
  "LIMIT",
  "SETTINGS",
  "OPERATOR",
  "PROVIDER",
  "TIME",
  "SILENCE",
  "UNKNOWN"
] as const
export type OutcomeReason = (typeof OutcomeReason)[number]

/**
 * What the fallback did. `NOT_SET` includes a fallback channel that cannot reach this identity, `SAME_CHANNEL` a code
 * that its channel had already sent, and `TOO_LATE` a verification that ended before the fallback was due.
 */
export const FallbackState = [
  "NOT_SET",
  "USED",
  "SAME_CHANNEL",
  "NOT_NEEDED",
  "TOO_LATE",
  "NO_PRICE",
  "NO_BALANCE",
  "CAP_REACHED",
  "LIMIT_REACHED"
] as const
export type FallbackState = (typeof FallbackState)[number]

/** The next step: of the user, of the merchant's team, or of the operator. */
export const Advice = [
  "ADD_FALLBACK",
  "SHORTEN_FALLBACK",
  "SET_PRICE",
  "TOP_UP",
  "RAISE_CAP",
  "CHECK_IDENTITY",
  "ASK_OPT_IN",
  "USE_OTHER_CHANNEL",
  "FIX_TEMPLATE",
  "FIX_PROVIDER",
  "CHANGE_DESTINATIONS",
  "ASK_OPERATOR",
  "REQUEST_AGAIN",
  "UNLOCK"
] as const
export type Advice = (typeof Advice)[number]

/** A message that did not arrive, and why. */
interface Undelivered {
  readonly channel: ChannelName | null
  readonly reason: OutcomeReason | null
  /** The provider's code, or core's. */
  readonly cause: string | null
}

/** What happened to a verification, why, and the next step. */
export interface Outcome extends Undelivered {
  readonly code: OutcomeCode
  /** Null if a fallback could not have changed the outcome. */
  readonly fallback: (Undelivered & { readonly state: FallbackState }) | null
  /** Until when the user cannot request another code or link. Null while they can, and in lists. */
  readonly lockedUntil: Instant | null
  readonly advice: Advice
}

/** The facts that the verification itself does not hold. */
export interface OutcomeContext {
  /** Whether a delivery's channel reports receipts. */
  readonly reports: (delivery: VerificationDelivery) => boolean
  /** Whether no fallback channel is set, and another channel could send this kind of message to this identity. */
  readonly canAddFallback: boolean
  readonly lockedUntil: Instant | null
}

const reasons: { readonly [B in Because]: OutcomeReason } = {
  recipient: "RECIPIENT",
  opted_out: "OPTED_OUT",
  channel: "CHANNEL",
  content: "CONTENT",
  template: "TEMPLATE",
  sender: "SENDER",
  account: "ACCOUNT",
  limit: "LIMIT"
}

/** The codes that core itself sets on a message. */
const ofCore: ReadonlyMap<string, OutcomeReason> = new Map([
  [forbiddenCode, "SETTINGS"],
  ["number_disconnected", "SENDER"],
  [notYoursCode, "TEMPLATE"],
  ["key_retired", "OPERATOR"],
  ["merchant_suspended", "OPERATOR"],
  ["no_provider", "OPERATOR"],
  ["no_public_url", "OPERATOR"],
  [notSentInTime, "TIME"]
])

const whyNoFallback: { readonly [why in NoFallback]: FallbackState } = {
  "none set": "NOT_SET",
  "already used": "USED",
  "had it already": "SAME_CHANNEL",
  "delivered before": "NOT_NEEDED",
  verified: "NOT_NEEDED",
  failed: "NOT_NEEDED",
  over: "TOO_LATE",
  "no attempts left": "NOT_NEEDED",
  "no price": "NO_PRICE",
  "no balance": "NO_BALANCE",
  "cap reached": "CAP_REACHED",
  "limit reached": "LIMIT_REACHED"
}

/** The next step for each reason. */
const byReason: { readonly [R in OutcomeReason]: Advice } = {
  RECIPIENT: "CHECK_IDENTITY",
  OPTED_OUT: "ASK_OPT_IN",
  CHANNEL: "USE_OTHER_CHANNEL",
  CONTENT: "FIX_TEMPLATE",
  TEMPLATE: "FIX_TEMPLATE",
  SENDER: "FIX_PROVIDER",
  ACCOUNT: "FIX_PROVIDER",
  LIMIT: "FIX_PROVIDER",
  SETTINGS: "CHANGE_DESTINATIONS",
  OPERATOR: "ASK_OPERATOR",
  PROVIDER: "FIX_PROVIDER",
  TIME: "REQUEST_AGAIN",
  SILENCE: "FIX_PROVIDER",
  UNKNOWN: "FIX_PROVIDER"
}

/** The reasons for which a working fallback is the first remedy. The others have a fault to fix. */
const byFallback: ReadonlySet<OutcomeReason> = new Set([
  "RECIPIENT",
  "CHANNEL",
  "PROVIDER",
  "TIME",
  "SILENCE",
  "UNKNOWN"
])

/** The next step that makes the fallback work. `NOT_SET` is not here: see `canAddFallback`. */
const forFallback: { readonly [S in FallbackState]?: Advice } = {
  TOO_LATE: "SHORTEN_FALLBACK",
  NO_PRICE: "SET_PRICE",
  NO_BALANCE: "TOP_UP",
  CAP_REACHED: "RAISE_CAP"
}

/** The code of the last try of a message that no carrier took. */
const lastTry = ({ story = [] }: Verification, { attemptNumber }: VerificationDelivery): string | null => {
  const step = story.findLast((step) => step[1] === "tried" && step[2] === attemptNumber)
  return step?.[1] === "tried" ? step[3] : null
}

/** Whether a message may still be on its way. */
const isOpen = (delivery: VerificationDelivery): boolean => delivery.status === "SENT" || isInDoubt(delivery)

const undelivered = (verification: Verification, delivery: VerificationDelivery): Undelivered => {
  const { because, channel, providerCode, status } = delivery
  if (isOpen(delivery)) return { channel, reason: "SILENCE", cause: lastTry(verification, delivery) }
  const cause = status === "FAILED" ? providerCode : notSentInTime
  if (because !== undefined && status === "FAILED") return { channel, reason: reasons[because], cause }
  const reason = cause === null ? "UNKNOWN" : (ofCore.get(cause) ?? "UNKNOWN")
  const tried = reason === "TIME" ? lastTry(verification, delivery) : null
  return tried === null ? { channel, reason, cause } : { channel, reason: "PROVIDER", cause: tried }
}

const stateOf = ({ deliveries, expiresAt, fallback, story = [] }: Verification): FallbackState => {
  if (fallback === null) return "NOT_SET"
  if (fallback.used) return "USED"
  const step = story.findLast((step) => step[1] === "no fallback")
  if (step?.[1] === "no fallback") return whyNoFallback[step[2]]
  if (deliveries.some(({ channel }) => channel === fallback.channel)) return "SAME_CHANNEL"
  return fallback.dueAt >= expiresAt ? "TOO_LATE" : "NOT_NEEDED"
}

const wasDelivered = ({ status }: VerificationDelivery): boolean => status === "DELIVERED" || status === "READ"

/** A user who is locked out cannot request another code or link. */
const againUnless = (lockedUntil: Instant | null): Advice => (lockedUntil === null ? "REQUEST_AGAIN" : "UNLOCK")

const adviceOf = (
  reason: OutcomeReason,
  state: FallbackState,
  thenReason: OutcomeReason | null,
  canAddFallback: boolean
): Advice => {
  if (!byFallback.has(reason)) return byReason[reason]
  if (state === "NOT_SET" && canAddFallback) return "ADD_FALLBACK"
  if (thenReason !== null && !byFallback.has(thenReason)) return byReason[thenReason]
  return forFallback[state] ?? byReason[reason]
}

const wasAccepted = ({ sentAt }: VerificationDelivery): boolean => sentAt !== undefined

/** Why no message of a verification arrived, and what the fallback did. */
const unreached = (verification: Verification, { canAddFallback, lockedUntil }: OutcomeContext): Outcome => {
  const { deliveries, fallback, undeliverable } = verification
  const state = stateOf(verification)
  const second =
    fallback?.used === true ? deliveries.findLast(({ channel }) => channel === fallback.channel) : undefined
  const silent = undeliverable ? undefined : deliveries.findLast(isOpen)
  const main =
    silent ??
    deliveries.findLast((delivery) => delivery.status === "FAILED" && delivery !== second) ??
    second ??
    deliveries.at(-1)
  const why: Undelivered =
    main === undefined
      ? { channel: verification.channel, reason: "TIME", cause: notSentInTime }
      : undelivered(verification, main)
  const failed = second !== undefined && second !== main && second.status === "FAILED"
  const then: Undelivered = {
    ...(failed ? undelivered(verification, second) : { reason: null, cause: null }),
    channel: fallback?.channel ?? null
  }
  const advice = adviceOf(why.reason ?? "UNKNOWN", state, then.reason, canAddFallback)
  return {
    code: silent !== undefined ? "NO_RECEIPT" : deliveries.some(wasAccepted) ? "NOT_DELIVERED" : "NOT_SENT",
    ...why,
    fallback: why.reason === "SETTINGS" ? null : { state, ...then },
    lockedUntil,
    advice: advice === "REQUEST_AGAIN" ? againUnless(lockedUntil) : advice
  }
}

/**
 * Returns what happened to a verification, why, and the next step. Null while it is pending, and when it is verified.
 * Pass the verification as `shownAt` returns it. The result holds codes only: the caller words them.
 */
export const outcomeOf = (verification: Verification, context: OutcomeContext): Outcome | null => {
  const { attempts, channel, deliveries, kind, maxAttempts, status, undeliverable } = verification
  if (status === "VERIFIED") return null
  const { lockedUntil } = context
  const byPerson = (code: OutcomeCode, on: ChannelName | null): Outcome => ({
    code,
    channel: on,
    reason: null,
    cause: null,
    fallback: null,
    lockedUntil,
    advice: againUnless(lockedUntil)
  })
  if (attempts >= maxAttempts) return byPerson("NO_ATTEMPTS_LEFT", null)
  if (status === "PENDING") return null
  if (status === "FAILED" && !undeliverable) return byPerson("WRONG_NUMBER", null)
  if (kind === "Number") return byPerson("NOT_CONFIRMED", channel)
  if (undeliverable) return unreached(verification, context)
  // Whether a relayed code was typed is known elsewhere, so only a failed delivery is an outcome.
  if (kind === "Relayed") return null
  const delivered = deliveries.findLast(wasDelivered)
  if (delivered !== undefined) return byPerson("DELIVERED_UNUSED", delivered.channel)
  const sent = deliveries.findLast((delivery) => delivery.status === "SENT" && !context.reports(delivery))
  return sent === undefined ? unreached(verification, context) : byPerson("SENT_UNUSED", sent.channel)
}
