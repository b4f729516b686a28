import type { ChannelName } from "../delivery/ChannelName.ts"
import type { Delivery, SendOptions } from "../delivery/Delivery.ts"
import type { Identity } from "../identity/Identity.ts"
import type { Settings } from "../merchant/Settings.ts"
import { hours, type Instant, type Millis, seconds } from "../time/Instant.ts"
import type { Change } from "./Change.ts"
import { type Decision, unchanged } from "./Decision.ts"
import { fallbackJob, restarted, sendJob } from "./fallback.ts"
import { codeMade, codesThisHour, failuresInARow, nowLive, type Subject } from "./Subject.ts"
import { isLive, type Mode, type Path, type Verification } from "./Verification.ts"
import * as VerificationEvent from "./VerificationEvent.ts"

/** A checked wish to verify somebody. */
export interface InitiateCommand {
  readonly identity: Identity
  readonly path: Path
  readonly mode: Mode
  readonly channel: ChannelName
  readonly orderId: string | null
  readonly codeLength: number
  readonly keyId: string
  readonly options: SendOptions
  /** The channel to fall back on, and after which silence; null when there is none for this identity. */
  readonly fallback: { readonly channel: ChannelName; readonly after: Millis } | null
  readonly deviceInfo: string | null
  /** The idempotency key, when the caller gave one. */
  readonly command: string | null
  /** Identifiers for whatever turns out to be new. */
  readonly fresh: { readonly verificationId: string; readonly deliveryId: string; readonly eventId: string }
}

export type InitiateLimit = "failures" | "cooldown" | "resends" | "spelling" | "canonical"

export type InitiateOutcome =
  /** A new code is on its way. */
  | { readonly _tag: "Started"; readonly verification: Verification }
  /** The code of a live verification is sent again. */
  | { readonly _tag: "Resent"; readonly verification: Verification }
  /** This very request was carried out before. */
  | { readonly _tag: "Repeated"; readonly verification: Verification }
  | {
      readonly _tag: "Limited"
      readonly limit: InitiateLimit
      /** From when on a further try may succeed. */
      readonly retryAt: Instant
      readonly requestId: string | null
    }

const newDelivery = (command: InitiateCommand, attemptNumber: number, now: Instant): Delivery => ({
  id: command.fresh.deliveryId,
  channel: command.channel,
  type: command.mode === "OTP" ? "OTP" : "LINK",
  status: "PENDING",
  attemptNumber,
  createdAt: now,
  options: command.options,
  command: command.command,
  providerId: null,
  providerCode: null
})

/** When the oldest of the codes that fill a limit leaves the sliding hour; null while there is room. */
const fullUntil = (codes: ReadonlyArray<Instant>, limit: number): Instant | null =>
  codes.length < limit ? null : codes[codes.length - limit]! + hours(1)

const start = (
  subject: Subject,
  command: InitiateCommand,
  settings: Settings,
  now: Instant
): Decision<InitiateOutcome> => {
  const codes = codesThisHour(subject, command.path, command.identity.spelling, now)
  const limited = (limit: InitiateLimit, retryAt: Instant) =>
    unchanged<InitiateOutcome>({ _tag: "Limited", limit, retryAt, requestId: null })
  const spellingFull = fullUntil(codes.spelling, settings.hourlyLimit)
  if (spellingFull !== null) return limited("spelling", spellingFull)
  const canonicalLimit = settings.canonicalHourlyLimit ?? 3 * settings.hourlyLimit
  const canonicalFull = canonicalLimit === 0 ? null : fullUntil(codes.canonical, canonicalLimit)
  if (canonicalFull !== null) return limited("canonical", canonicalFull)

  const delivery = newDelivery(command, 1, now)
  const endsAt = now + seconds(settings.maxLifetimeSeconds)
  const verification: Verification = {
    id: command.fresh.verificationId,
    environment: subject.environment,
    identity: command.identity,
    mode: command.mode,
    path: command.path,
    channel: command.channel,
    orderId: command.orderId,
    status: "PENDING",
    method: null,
    codeLength: command.codeLength,
    keyId: command.keyId,
    attempts: 0,
    maxAttempts: settings.maxAttempts,
    resends: 0,
    createdAt: now,
    sentAt: now,
    expiresAt: Math.min(now + seconds(settings.codeExpirySeconds), endsAt),
    endsAt,
    verifiedAt: null,
    undeliverable: false,
    deliveries: [delivery],
    fallback:
      command.fallback === null ? null : { ...command.fallback, dueAt: now + command.fallback.after, used: false },
    deviceInfo: command.deviceInfo
  }
  return {
    outcome: { _tag: "Started", verification },
    change: {
      subject: codeMade(subject, verification, now),
      verification,
      orderId: command.orderId,
      events: [VerificationEvent.initiated(command.fresh.eventId, verification, now)],
      jobs: [sendJob(verification, delivery, now), ...fallbackJob(verification)],
      done: null
    }
  }
}

const resend = (
  subject: Subject,
  live: Verification,
  command: InitiateCommand,
  settings: Settings,
  now: Instant
): Decision<InitiateOutcome> => {
  const limited = (limit: InitiateLimit, retryAt: Instant) =>
    unchanged<InitiateOutcome>({ _tag: "Limited", limit, retryAt, requestId: live.id })
  const cooledAt = live.sentAt + seconds(settings.resendCooldownSeconds)
  if (now < cooledAt) return limited("cooldown", cooledAt)
  if (settings.maxResends > 0 && live.resends >= settings.maxResends) return limited("resends", live.expiresAt)

  const delivery = newDelivery(command, live.deliveries.length + 1, now)
  const verification: Verification = {
    ...live,
    channel: command.channel,
    orderId: command.orderId ?? live.orderId,
    resends: live.resends + 1,
    sentAt: now,
    expiresAt: Math.min(now + seconds(settings.codeExpirySeconds), live.endsAt),
    deliveries: [...live.deliveries, delivery],
    fallback: restarted(live.fallback, now),
    deviceInfo: command.deviceInfo ?? live.deviceInfo
  }
  const change: Change = {
    subject: nowLive(subject, verification, now),
    verification,
    orderId: command.orderId,
    events: [],
    jobs: [sendJob(verification, delivery, now), ...fallbackJob(verification)],
    done: null
  }
  return { outcome: { _tag: "Resent", verification }, change }
}

/**
 * Starts a verification, or sends the live one's code again.
 *
 * `live` is the verification that the subject names for this spelling, path and mode, read together with the subject.
 * A refusal changes nothing and counts nothing.
 */
export const initiate = (
  subject: Subject,
  live: Verification | null,
  command: InitiateCommand,
  settings: Settings,
  now: Instant
): Decision<InitiateOutcome> => {
  const current = live !== null && isLive(live, now) ? live : null
  if (current !== null && command.command !== null && current.deliveries.some((d) => d.command === command.command)) {
    return unchanged({ _tag: "Repeated", verification: current })
  }
  const cap = settings.maxConsecutiveFailures
  if (cap > 0 && failuresInARow(subject, now) >= cap) {
    return unchanged({ _tag: "Limited", limit: "failures", retryAt: subject.failedAt + hours(24), requestId: null })
  }
  return current === null ? start(subject, command, settings, now) : resend(subject, current, command, settings, now)
}
