import { Result } from "effect"
import type { Funds } from "../../account/billing/Balance.ts"
import { lowJobs } from "../../account/billing/balanceLow.ts"
import type { Unpaid } from "../../account/billing/charge.ts"
import { priceFrom, type Budget } from "../../account/billing/Budget.ts"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import type { Price } from "../../foundation/delivery/Price.ts"
import * as Device from "./Device.ts"
import { trustLife } from "./trustLife.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { hours, type Instant, seconds } from "../../foundation/time/Instant.ts"
import type { Texts } from "../../message/template/StoredTemplate.ts"
import type { NewJob } from "../../foundation/outbox/Job.ts"
import { bookingsOfDeliveries, changeOf } from "./VerificationChange.ts"
import { type Decision, unchanged } from "./Decision.ts"
import { canFallBack, restarted } from "./fallback.ts"
import type { CheckedRequest } from "./InitiateRequest.ts"
import {
  codeMade,
  codesThisHour,
  lockedUntil,
  linksPausedUntil,
  nowLive,
  sdkMessagesMade,
  sdkMessagesThisHour,
  type Subject,
  withDevices
} from "./Subject.ts"
import { isLive, type Path, type Verification, type VerifiedVerification } from "./Verification.ts"
import { fallbackJob, sendJob } from "./verificationJobs.ts"
import { launchFacts } from "./launchFacts.ts"
import { type ChosenTexts, kept, textOn, textsAfter } from "./texts.ts"
import * as VerificationEvent from "./VerificationEvent.ts"

/** A checked wish to verify somebody. */
export interface InitiateCommand extends CheckedRequest {
  readonly path: Path
  readonly keyId: string
  /** It comes from a test environment, whose messages never leave the machine. */
  readonly sandbox: boolean
  /** The device token that came along, if it is one of this person's. */
  readonly device: Device.DeviceToken | null
  /** The idempotency key, when the caller gave one. */
  readonly command: string | null
  /** The merchant's own words; without it, the built-in ones. */
  readonly texts?: ChosenTexts
  /** What there is to spend; null where billing is off. */
  readonly funds: Funds | null
  /** What an earlier try of this very request started, approved or sent again, however it stands now. */
  readonly earlier: Verification | null
  /** Identifiers for whatever turns out to be new. */
  readonly fresh: {
    readonly verificationId: string
    readonly deliveryId: string
    readonly eventId: string
    readonly deviceId: string
  }
}

/** The device token to answer with, and the key that derives it. */
export interface AnswerToken extends Device.DeviceToken {
  readonly keyId: string
}

export type InitiateLimit = "failures" | "wrongNumbers" | "cooldown" | "resends" | "messages" | "spelling" | "canonical"

export type InitiateOutcome =
  | {
      readonly _tag: /** A new code is on its way. */
        | "Started"
        /** The code of a live verification is sent again. */
        | "Resent"
        /** This very request was carried out before. */
        | "Repeated"
        /** The device is trusted: verified at once, and nothing is sent. */
        | "Approved"
      readonly verification: Verification
      /** Null where OneTap is off. */
      readonly device: AnswerToken | null
    }
  /** The message cannot be paid. */
  | {
      readonly _tag: "Unpaid"
      readonly why: Unpaid
      /** As it would have been. */
      readonly verification: Verification
      readonly requestId: string | null
      /** What is to be done all the same. */
      readonly jobs: ReadonlyArray<NewJob>
    }
  /** The token was replaced long ago, so somebody has a copy: its device is no longer trusted. Decide again without it. */
  | { readonly _tag: "Stolen" }
  | {
      readonly _tag: "Limited"
      readonly limit: InitiateLimit
      /** From when on a further try may succeed. */
      readonly retryAt: Instant
      readonly requestId: string | null
    }

/** Nothing is sent where the person consents in the provider's own app. */
const sendsMessage = ({ flow }: InitiateCommand): boolean => flow.kind !== "Number"

const newDelivery = (
  command: InitiateCommand,
  texts: Texts,
  price: Price | null,
  attemptNumber: number,
  now: Instant
): VerificationDelivery => ({
  id: command.fresh.deliveryId,
  channel: command.channel,
  type: command.flow.kind === "Code" ? "OTP" : "LINK",
  status: "PENDING",
  attemptNumber,
  createdAt: now,
  options: command.options,
  ...textOn(texts, command.channel),
  ...(price === null ? {} : { price }),
  command: command.command,
  providerId: null,
  providerCode: null
})

/** What its message costs. Nothing is sent in a provider's own app, so that costs nothing. */
const priceOf = (command: InitiateCommand, budget: Budget): Result.Result<Price | null, Unpaid> =>
  sendsMessage(command) ? priceFrom(budget, command.channel, command.identity.canonical) : Result.succeed(null)

/** Nothing is written and nothing counted. */
const unpaid = (why: Unpaid, verification: Verification, requestId: string | null, budget: Budget, now: Instant) =>
  unchanged<InitiateOutcome>({ _tag: "Unpaid", why, verification, requestId, jobs: lowJobs(budget, [], now) })

/** The token to answer with: the given one while it lives, else a new one. */
const answerToken = (command: InitiateCommand, standing: Device.Standing | null): AnswerToken | null => {
  if (standing === null) return null
  const lives = command.device !== null && (standing._tag === "Issued" || standing._tag === "Trusted")
  return { ...(lives ? command.device : { id: command.fresh.deviceId, serial: 0 }), keyId: command.keyId }
}

/** Messages that anybody with the public key can have sent at the merchant's cost. */
const isPublic = (command: InitiateCommand): boolean =>
  command.path === "SDK" && !command.sandbox && sendsMessage(command)

/** How long an app waits before each resend, whatever the setting. */
const sdkPauses = [15, 30, 60, 120] as const
const mostSdkResends = 5

/** The pause before the next resend, and how many there may be: 0 is no limit. */
const resendRules = (live: Verification, command: InitiateCommand, settings: Settings) => {
  const { maxResends, resendCooldownSeconds } = settings
  if (!isPublic(command)) return { pause: resendCooldownSeconds, most: maxResends }
  const pause = sdkPauses[Math.min(live.resends, sdkPauses.length - 1)]!
  return {
    pause: Math.max(pause, resendCooldownSeconds),
    most: maxResends === 0 ? mostSdkResends : Math.min(maxResends, mostSdkResends)
  }
}

/** When the oldest of the codes that fill a limit leaves the sliding hour; null while there is room. */
const fullUntil = (codes: ReadonlyArray<Instant>, limit: number): Instant | null =>
  codes.length < limit ? null : codes[codes.length - limit]! + hours(1)

const newVerification = (
  subject: Subject,
  command: InitiateCommand,
  settings: Settings,
  now: Instant
): Verification => {
  const endsAt = now + seconds(settings.maxLifetimeSeconds)
  return {
    id: command.fresh.verificationId,
    environment: subject.environment,
    identity: command.identity,
    ...command.flow,
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
    expiryAnnounced: false,
    undeliverable: false,
    deliveries: [],
    fallback: null,
    deviceInfo: command.deviceInfo,
    ...(command.trial === undefined ? {} : { trial: command.trial }),
    ...(command.sandbox ? { sandbox: true } : {}),
    ...(command.launchId === null ? {} : { launchId: command.launchId })
  }
}

/**
 * The merchant's reference that finds this verification from now on. What an app calls `orderId` is a note alone: the
 * public key is in everybody's hands, and must not decide what a backend finds under its own order.
 */
const referenceOf = ({ orderId, path }: InitiateCommand): string | null => (path === "SERVER" ? orderId : null)

/** A trusted device: no code, no count, no message. */
const approve = (
  subject: Subject,
  trusted: Device.Device,
  token: Device.DeviceToken,
  command: InitiateCommand,
  settings: Settings,
  now: Instant
): Decision<InitiateOutcome> => {
  const verification: VerifiedVerification = {
    ...newVerification(subject, command, settings, now),
    status: "VERIFIED",
    method: "ONETAP",
    verifiedAt: now
  }
  const devices = Device.used(subject.devices, trusted, token, command.keyId, now)
  const { id, keyId, serial } = devices.trusted.find((one) => one.id === trusted.id) ?? trusted
  return {
    outcome: { _tag: "Approved", verification, device: { id, serial, keyId } },
    change: changeOf(null, withDevices(subject, devices), verification, null, {
      orderId: referenceOf(command),
      events: [VerificationEvent.verified(command.fresh.eventId, verification)],
      facts: launchFacts(verification)
    })
  }
}

const jobsOf = (
  before: Verification | null,
  verification: Verification,
  deliveries: ReadonlyArray<VerificationDelivery>,
  budget: Budget,
  now: Instant
) => [
  ...deliveries.map((delivery) => sendJob(verification, delivery, canFallBack(verification, now), now)),
  ...fallbackJob(verification),
  ...(budget.funds === null ? [] : lowJobs(budget, bookingsOfDeliveries(before, verification, now), now))
]

const start = (
  subject: Subject,
  command: InitiateCommand,
  device: AnswerToken | null,
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

  const messages = isPublic(command) ? sdkMessagesThisHour(subject, now) : []
  const messagesFull = fullUntil(messages, settings.sdkMessagesPerHour)
  if (messagesFull !== null) return limited("messages", messagesFull)
  // A fallback's message has its place from the start, so that it never goes beyond the limit.
  const hasRoom = messages.length + 2 <= settings.sdkMessagesPerHour
  const fallback = isPublic(command) && !hasRoom ? null : command.fallback

  const budget: Budget = { settings, funds: command.funds }
  const price = priceOf(command, budget)
  const texts = command.texts?.by ?? {}
  const deliveries = sendsMessage(command)
    ? [
        newDelivery(
          command,
          texts,
          Result.getOrElse(price, () => null),
          1,
          now
        )
      ]
    : []
  const verification: Verification = {
    ...newVerification(subject, command, settings, now),
    ...kept(texts),
    deliveries,
    fallback: fallback === null ? null : { ...fallback, dueAt: now + fallback.after, used: false }
  }
  if (Result.isFailure(price)) return unpaid(price.failure, verification, null, budget, now)
  const counted = isPublic(command) ? sdkMessagesMade(subject, fallback === null ? 1 : 2, now) : subject
  return {
    outcome: { _tag: "Started", verification, device },
    change: changeOf(null, codeMade(counted, verification, now), verification, null, {
      orderId: referenceOf(command),
      events: [VerificationEvent.initiated(command.fresh.eventId, verification, now)],
      jobs: jobsOf(null, verification, deliveries, budget, now)
    })
  }
}

/** A reference that is replaced leads here all the same: whoever takes the verification away takes those along. */
const withOrder = (
  live: Verification,
  { orderId, path }: InitiateCommand
): Pick<Partial<Verification>, "earlierOrderIds" | "orderId"> =>
  orderId === null || orderId === live.orderId
    ? {}
    : live.orderId === null || path === "SDK"
      ? { orderId }
      : { orderId, earlierOrderIds: [...new Set([...(live.earlierOrderIds ?? []), live.orderId])] }

const resend = (
  subject: Subject,
  live: Verification,
  command: InitiateCommand,
  device: AnswerToken | null,
  settings: Settings,
  now: Instant
): Decision<InitiateOutcome> => {
  const limited = (limit: InitiateLimit, retryAt: Instant) =>
    unchanged<InitiateOutcome>({ _tag: "Limited", limit, retryAt, requestId: live.id })
  const { most, pause } = resendRules(live, command, settings)
  const cooledAt = live.sentAt + seconds(pause)
  // Another process's clock may be ahead of this one's, so the send before may lie in the future.
  if (pause > 0 && now < cooledAt) return limited("cooldown", cooledAt)
  if (most > 0 && live.resends >= most) return limited("resends", live.expiresAt)
  const messages = isPublic(command) ? sdkMessagesThisHour(subject, now) : []
  const messagesFull = fullUntil(messages, settings.sdkMessagesPerHour)
  if (messagesFull !== null) return limited("messages", messagesFull)

  const texts = command.texts === undefined ? (live.texts ?? {}) : textsAfter(live, command.channel, command.texts)
  const budget: Budget = { settings, funds: command.funds }
  const price = priceOf(command, budget)
  const deliveries = sendsMessage(command)
    ? [
        newDelivery(
          command,
          texts,
          Result.getOrElse(price, () => null),
          live.deliveries.length + 1,
          now
        )
      ]
    : []
  const verification: Verification = {
    ...live,
    ...kept(texts),
    channel: command.channel,
    ...withOrder(live, command),
    resends: live.resends + 1,
    sentAt: now,
    expiresAt: Math.min(now + seconds(settings.codeExpirySeconds), live.endsAt),
    deliveries: [...live.deliveries, ...deliveries],
    fallback: restarted(live.fallback, now),
    deviceInfo: command.deviceInfo ?? live.deviceInfo
  }
  if (Result.isFailure(price)) return unpaid(price.failure, verification, live.id, budget, now)
  return {
    outcome: { _tag: "Resent", verification, device },
    change: changeOf(
      live,
      nowLive(isPublic(command) ? sdkMessagesMade(subject, 1, now) : subject, verification, now),
      verification,
      { at: now },
      {
        orderId: referenceOf(command),
        jobs: jobsOf(live, verification, deliveries, budget, now)
      }
    )
  }
}

/** The outcome that an earlier try of this request had. */
const repeated = (
  verification: Verification,
  { fresh }: InitiateCommand,
  standing: Device.Standing | null,
  device: AnswerToken | null
): InitiateOutcome => {
  const isApproved = verification.id === fresh.verificationId && verification.method === "ONETAP"
  if (!isApproved) return { _tag: "Repeated", verification, device }
  // The token was replaced by that try: its device gets the newest one, as long as the one that came may stand for it.
  const newest = standing?._tag === "Trusted" ? standing.device : null
  return {
    _tag: "Approved",
    verification,
    device: newest === null ? device : { id: newest.id, serial: newest.serial, keyId: newest.keyId }
  }
}

/**
 * Starts a verification, sends the live one's code again, or approves a trusted device at once.
 *
 * `live` is the verification that this request would send again, read together with the subject. A refusal changes
 * nothing and counts nothing; what no limit refuses has to be paid.
 */
export const initiate = (
  subject: Subject,
  live: Verification | null,
  command: InitiateCommand,
  settings: Settings,
  now: Instant
): Decision<InitiateOutcome> => {
  const standing = settings.oneTap ? Device.standingOf(subject.devices, command.device, trustLife(settings), now) : null
  const device = answerToken(command, standing)
  if (command.earlier !== null) return unchanged(repeated(command.earlier, command, standing, device))
  const current = live !== null && isLive(live, now) ? live : null
  if (current !== null && command.command !== null && current.deliveries.some((d) => d.command === command.command)) {
    return unchanged({ _tag: "Repeated", verification: current, device })
  }
  if (standing?._tag === "Stolen") {
    const devices = Device.revoke(subject.devices, standing.device.id, now)
    return { outcome: { _tag: "Stolen" }, change: changeOf(null, withDevices(subject, devices), null, null) }
  }
  // A device that is trusted guesses nothing: no cap on guesses keeps it out.
  if (
    standing?._tag === "Trusted" &&
    command.device !== null &&
    Device.canSkip(standing.device, command.flow.kind === "Number")
  ) {
    return approve(subject, standing.device, command.device, command, settings, now)
  }
  const lockedAt = lockedUntil(subject, command.path, settings.maxConsecutiveFailures, now)
  if (lockedAt !== null) return unchanged({ _tag: "Limited", limit: "failures", retryAt: lockedAt, requestId: null })
  const linksAt = command.flow.kind === "Link" ? linksPausedUntil(subject, now) : null
  if (linksAt !== null) return unchanged({ _tag: "Limited", limit: "wrongNumbers", retryAt: linksAt, requestId: null })
  return current === null
    ? start(subject, command, device, settings, now)
    : resend(subject, current, command, device, settings, now)
}
