import { labelOf } from "../../foundation/delivery/ChannelName.ts"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import type { Instant, Millis } from "../../foundation/time/Instant.ts"
import type { TimelineStep, NoFallback } from "./TimelineStep.ts"
import { notSentInTime } from "../../foundation/delivery/Delivery.ts"
import { isOver, type Verification } from "./Verification.ts"

export const TimelineKind = [
  "INITIATED",
  "RESENT",
  "SEND_TRIED",
  "SENT",
  "SEND_FAILED",
  "RECEIPT",
  "FALLBACK_STARTED",
  "FALLBACK_SKIPPED",
  "CODE_TRIED",
  "VERIFIED",
  "EXPIRED",
  "FAILED",
  "EVENT",
  "WEBHOOK_TRIED"
] as const
export type TimelineKind = (typeof TimelineKind)[number]

/** One step in a verification's timeline, and its reason. */
export interface TimelineItem {
  readonly at: Instant
  readonly sinceStartMs: Millis
  readonly kind: TimelineKind
  readonly reason: string
  readonly data: { readonly [name: string]: string | number | boolean | null }
}

const seconds = (millis: Millis) => `${millis / 1000} s`
const clock = (at: Instant) => new Date(at).toISOString().slice(11, 19)

const noFallback: { readonly [why in NoFallback]: string } = {
  "none set": "no fallback: no fallbackChannel is set, or it cannot reach this identity",
  "already used": "no fallback: already used",
  "had it already": "no fallback: its channel already sent this code",
  "delivered before": "no fallback: a message was already delivered",
  verified: "no fallback: already verified",
  failed: "no fallback: the verification had failed",
  over: "no fallback: the verification had expired",
  "no attempts left": "no fallback: no attempts were left",
  "no price": "no fallback: its channel has no price",
  "no balance": "no fallback: insufficient balance",
  "cap reached": "no fallback: its channel reached the daily cap",
  "limit reached": "no fallback: an hourly limit on messages was reached"
}

const about = ({ attemptNumber, carrier, channel, id, providerId }: VerificationDelivery) => ({
  deliveryId: id,
  channel,
  carrier: carrier ?? null,
  attemptNumber,
  providerId
})

type Item = Omit<TimelineItem, "sinceStartMs">

const startOf = (verification: Verification): Item => {
  const { channel, createdAt, deliveries, fallback, method, mode, orderId, path } = verification
  const asked = deliveries[0]?.channel ?? channel
  const backend = verification.kind === "Relayed" ? "by another sign-in system" : "by the merchant's backend"
  const by = path === "SERVER" ? backend : "by an app with the public key"
  const then =
    method === "ONETAP"
      ? "a trusted device, so nothing was sent"
      : fallback === null
        ? `over ${asked}, without a fallback: no fallbackChannel is set, or it cannot reach this identity`
        : `over ${asked}, with a fallback to ${fallback.channel} after ${seconds(fallback.after)} without a receipt`
  return {
    at: createdAt,
    kind: "INITIATED",
    reason: `requested ${by}: ${then}`,
    data: { path, mode, channel: asked, orderId, fallbackChannel: fallback?.channel ?? null }
  }
}

/** The steps that a message's own times show: sent, delivered and read. */
const progressOf = (delivery: VerificationDelivery): ReadonlyArray<Item> => {
  const { carrier, channel, deliveredAt, readAt, sentAt } = delivery
  const data = about(delivery)
  const receipt = (at: Instant | undefined, deliveryStatus: string, reason: string): ReadonlyArray<Item> =>
    at === undefined ? [] : [{ at, kind: "RECEIPT", reason, data: { ...data, deliveryStatus } }]
  return [
    ...(sentAt === undefined
      ? []
      : [
          { at: sentAt, kind: "SENT" as const, reason: `${carrier ?? `the provider of ${channel}`} accepted it`, data }
        ]),
    ...receipt(deliveredAt, "DELIVERED", "the provider reported it as delivered"),
    ...receipt(readAt, "READ", "the provider reported it as read")
  ]
}

const methods: { readonly [method: string]: string } = {
  OTP: "the correct code was entered",
  ONETAP: "the user signed in on a trusted device without a code",
  LINK: "its link was approved"
}

/** When the fallback channel was used for it. */
const fallbackAt = ({ createdAt, story = [] }: Verification, before: Millis): string => {
  const used = story.find(([ms, what]) => what === "fallback" && ms <= before)
  return used === undefined ? "" : ` at ${clock(createdAt + used[0])}`
}

const itemOf = (verification: Verification, step: TimelineStep): Omit<Item, "at"> => {
  const { createdAt, deliveries, fallback } = verification
  const message = (n: number) => {
    const delivery = deliveries[n - 1]
    return delivery === undefined ? { attemptNumber: n } : about(delivery)
  }
  /**
   * Returns why a message failed. If its provider later turned out to have it, the failure was that it had not been
   * sent in time.
   */
  const codeOf = (n: number) => {
    const delivery = deliveries[n - 1]
    const isBack = delivery !== undefined && delivery.providerCode === null && delivery.status !== "FAILED"
    return isBack ? notSentInTime : (delivery?.providerCode ?? null)
  }
  switch (step[1]) {
    case "wrong":
      return {
        kind: "CODE_TRIED",
        reason: `wrong code, attempts left: ${step[2]}`,
        data: { attemptsLeft: step[2] }
      }
    case "late":
      return { kind: "CODE_TRIED", reason: "the code was entered after the verification ended", data: {} }
    case "used up":
      return { kind: "FAILED", reason: "a code was entered after the last attempt", data: { attemptsLeft: 0 } }
    case "mistaken":
      return { kind: "FAILED", reason: "a wrong number was selected, or the proof is for another number", data: {} }
    case "resent":
      return { kind: "RESENT", reason: `resend requested, over ${step[2]}`, data: { channel: step[2] } }
    case "tried": {
      const [ms, , n, providerCode, again, carrier = null] = step
      const next = again === null ? null : createdAt + again
      const later = next === null ? "not retried, because it may be on its way" : `retry at ${clock(next)}`
      const then = again === ms ? "sent to the next carrier" : later
      return {
        kind: "SEND_TRIED",
        reason: `not sent: ${providerCode}; ${then}`,
        data: { ...message(n), carrier, providerCode, nextTryAt: next === null ? null : new Date(next).toISOString() }
      }
    }
    case "unsent":
      return {
        kind: "SEND_FAILED",
        reason: `not sent: ${codeOf(step[2]) ?? "unknown reason"}`,
        data: { ...message(step[2]), deliveryStatus: "FAILED", providerCode: codeOf(step[2]) }
      }
    case "bounced":
      return {
        kind: "RECEIPT",
        reason: `the provider reported a failure: ${codeOf(step[2]) ?? "no reason given"}`,
        data: { ...message(step[2]), deliveryStatus: "FAILED", providerCode: codeOf(step[2]) }
      }
    case "skipped":
      return {
        kind: "SEND_FAILED",
        reason: "not sent: no longer needed",
        data: { ...message(step[2]), deliveryStatus: "SKIPPED", providerCode: null }
      }
    case "fallback": {
      const [, , n, after] = step
      const why =
        after === "failed" ? "the previous message failed" : `no receipt within ${seconds(fallback?.after ?? 0)}`
      return { kind: "FALLBACK_STARTED", reason: why, data: message(n) }
    }
    case "next carrier":
      return {
        kind: "FALLBACK_STARTED",
        reason: "the previous carrier could not deliver it, so the next one sends it",
        data: message(step[2])
      }
    case "no fallback": {
      const used = step[2] === "already used" ? fallbackAt(verification, step[0]) : ""
      return {
        kind: "FALLBACK_SKIPPED",
        reason: `${noFallback[step[2]]}${used}`,
        data: { why: step[2], fallbackChannel: fallback?.channel ?? null }
      }
    }
    case "over":
      return {
        kind: "EXPIRED",
        reason:
          verification.kind === "Relayed"
            ? "its time limit was reached; whether it was entered is known to the system that made it"
            : "its time limit was reached before it was verified",
        data: {}
      }
    case "undeliverable":
      return { kind: "FAILED", reason: "no message could be delivered", data: {} }
    case "left out":
      return { kind: "CODE_TRIED", reason: `${step[2]} steps are omitted here`, data: { leftOut: step[2] } }
  }
}

/**
 * Explains why the fallback check at the end of the first channel's time sent nothing. Null when the check is not due,
 * when it sent, or when no reason is known.
 */
const silentFallback = (
  verification: Verification,
  reports: (delivery: VerificationDelivery) => boolean,
  now: Instant
): Item | null => {
  const { deliveries, expiresAt, fallback, verifiedAt } = verification
  if (fallback === null || fallback.used || now < fallback.dueAt) return null
  const at = fallback.dueAt
  const latest = deliveries.findLast(({ createdAt }) => createdAt <= at)
  const had = deliveries.some(({ channel, createdAt }) => channel === fallback.channel && createdAt <= at)
  const item = (reason: string): Item => ({
    at,
    kind: "FALLBACK_SKIPPED",
    reason,
    data: { fallbackChannel: fallback.channel }
  })
  if (had) return item(`no fallback: ${fallback.channel} already sent this code`)
  if (verifiedAt !== null && verifiedAt <= at) return item(noFallback.verified)
  if (expiresAt <= at) return item(noFallback.over)
  if (latest?.deliveredAt !== undefined && latest.deliveredAt <= at) return item(noFallback["delivered before"])
  if (latest?.sentAt !== undefined && latest.sentAt <= at && !reports(latest))
    return item(`no fallback: ${latest.channel} accepted it, and sends no receipts`)
  return null
}

/**
 * Returns a verification's timeline, in order, each step with its reason, from its state and its stored steps.
 * `reports` tells which channels report receipts.
 */
export const timelineOf = (
  verification: Verification,
  reports: (delivery: VerificationDelivery) => boolean,
  now: Instant
): ReadonlyArray<TimelineItem> => {
  const { createdAt, deliveries, expiresAt, expiryAnnounced, story = [] } = verification
  const skipped = silentFallback(verification, reports, now)
  const items: Array<Item> = [startOf(verification), ...deliveries.flatMap(progressOf)]
  for (const step of story) items.push({ at: createdAt + step[0], ...itemOf(verification, step) })
  if (skipped !== null) items.push(skipped)
  if (verification.status === "PENDING" && !expiryAnnounced && isOver(verification, now))
    items.push({
      at: expiresAt,
      kind: "EXPIRED",
      reason:
        verification.kind === "Relayed"
          ? "its time limit was reached"
          : "the verification expired; its event follows within seconds",
      data: {}
    })
  if (verification.status === "VERIFIED") {
    const { method, verifiedAt } = verification
    const reason = methods[method] ?? `${labelOf({ name: method })} confirmed the number`
    items.push({ at: verifiedAt, kind: "VERIFIED", reason, data: { method } })
    if ("exchangedAt" in verification && verification.exchangedAt !== undefined) {
      const reason = "its authorisation code was exchanged"
      items.push({ at: verification.exchangedAt, kind: "CODE_TRIED", reason, data: {} })
    }
  }
  return items.map((item): TimelineItem => ({ ...item, sinceStartMs: item.at - createdAt })).sort((a, b) => a.at - b.at)
}

/** Returns the instants at which a verification may have emitted an event. */
export const announcedAt = ({ createdAt, story = [], verifiedAt }: Verification): ReadonlyArray<Instant> => [
  ...new Set([
    createdAt,
    ...(verifiedAt === null ? [] : [verifiedAt]),
    ...story.filter(([, what]) => what === "over" || what === "undeliverable").map(([ms]) => createdAt + ms)
  ])
]
