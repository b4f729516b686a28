import { Result } from "effect"
import type { Funds } from "../../account/billing/Balance.ts"
import { lowJobs } from "../../account/billing/balanceLow.ts"
import type { Unpaid } from "../../account/billing/charge.ts"
import { priceFrom, type Budget } from "../../account/billing/Budget.ts"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import type { Price } from "../../foundation/delivery/Price.ts"
import type { Judgement } from "../../foundation/guard/GuardReason.ts"
import * as Device from "./Device.ts"
import { trustLife } from "./trustLife.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"
import { fullUntil, reachedCodeLimit } from "./hourlyLimits.ts"
import type { Texts } from "../../message/template/StoredTemplate.ts"
import type { NewJob } from "../../foundation/outbox/Job.ts"
import { bookingsOfDeliveries, changeOf } from "./VerificationChange.ts"
import { type Decision, unchanged } from "./Decision.ts"
import { canFallBack, restarted } from "./fallback.ts"
import type { CheckedRequest } from "./InitiateRequest.ts"
import {
  codeMade,
  isKnown,
  lockedUntil,
  linksPausedUntil,
  messageMade,
  nowLive,
  sdkMessagesMade,
  sdkMessagesThisHour,
  signedIn,
  type Subject,
  withDevices
} from "./Subject.ts"
import { isLive, type Path, type Verification, type VerifiedVerification } from "./Verification.ts"
import { fallbackJob, sendJob } from "./verificationJobs.ts"
import { launchFacts } from "./launchFacts.ts"
import { type ChosenTexts, kept, textOn, textsAfter } from "./texts.ts"
import * as VerificationEvent from "./VerificationEvent.ts"

/** A validated request to verify a person. */
export interface InitiateCommand extends CheckedRequest {
  readonly path: Path
  readonly keyId: string
  /** It comes from a test environment, whose messages never leave the machine. */
  readonly sandbox: boolean
  /** The device token of the request, if it belongs to this person. */
  readonly device: Device.DeviceToken | null
  /** The idempotency key, when the caller sent one. */
  readonly idempotencyKey: string | null
  /** The guard's judgement, when it has a reason. */
  readonly guard?: Judgement
  /** The merchant's own templates. Absent for the built-in text. */
  readonly texts?: ChosenTexts
  /** The money left to spend; null when billing is off. */
  readonly funds: Funds | null
  /** The verification that an earlier try of this request started, approved or sent again, in its current state. */
  readonly earlier: Verification | null
  /** Ids for the records that the decision may create. */
  readonly fresh: {
    readonly verificationId: string
    readonly deliveryId: string
    readonly eventId: string
    readonly deviceId: string
  }
}

/** The device token to return, and the key that derives it. */
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
        /** An earlier try already carried out this request. */
        | "Repeated"
        /** The device is trusted: the person is verified immediately, and no message is sent. */
        | "Approved"
      readonly verification: Verification
      /** Null when OneTap is off. */
      readonly device: AnswerToken | null
    }
  /** The budget does not cover the message. */
  | {
      readonly _tag: "Unpaid"
      readonly why: Unpaid
      /** The verification that would have been stored. */
      readonly verification: Verification
      readonly requestId: string | null
      /** The jobs to add despite the refusal. */
      readonly jobs: ReadonlyArray<NewJob>
    }
  /**
   * The token was replaced longer ago than its grace period, so another party has a copy. Its device is no longer
   * trusted. Decide again without the token.
   */
  | { readonly _tag: "Stolen" }
  | {
      readonly _tag: "Limited"
      readonly limit: InitiateLimit
      /** The earliest time at which a new try may succeed. */
      readonly retryAt: Instant
      readonly requestId: string | null
    }

/** No message is sent when the person consents in the provider's own app. */
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
  type: command.flow.kind === "Link" ? "LINK" : "OTP",
  status: "PENDING",
  attemptNumber,
  createdAt: now,
  options: command.options,
  ...textOn(texts, command.channel),
  ...(price === null ? {} : { price }),
  command: command.idempotencyKey,
  providerId: null,
  providerCode: null
})

/** The price of the message. A number verifier sends none, so it costs nothing. */
const priceOf = (command: InitiateCommand, budget: Budget): Result.Result<Price | null, Unpaid> =>
  sendsMessage(command) ? priceFrom(budget, command.channel, command.identity.canonical) : Result.succeed(null)

/** Refuses without writing or counting anything. */
const unpaid = (why: Unpaid, verification: Verification, requestId: string | null, budget: Budget, now: Instant) =>
  unchanged<InitiateOutcome>({ _tag: "Unpaid", why, verification, requestId, jobs: lowJobs(budget, [], now) })

/** The token to return: the one presented while it is valid, or else a new one. */
const answerToken = (command: InitiateCommand, trustLevel: Device.TrustLevel | null): AnswerToken | null => {
  if (trustLevel === null) return null
  const lives = command.device !== null && (trustLevel._tag === "Issued" || trustLevel._tag === "Trusted")
  return { ...(lives ? command.device : { id: command.fresh.deviceId, serial: 0 }), keyId: command.keyId }
}

/** Whether the public key alone can have this message sent at the merchant's cost. */
const isPublic = (command: InitiateCommand): boolean =>
  command.path === "SDK" && !command.sandbox && sendsMessage(command)

/** Counts a message with which the person can sign in here. */
const withMessage = (subject: Subject, command: InitiateCommand): Subject =>
  sendsMessage(command) && command.flow.kind !== "Relayed" ? messageMade(subject) : subject

/** The minimum seconds an app waits before each resend, regardless of the setting. */
const sdkPauses = [15, 30, 60, 120] as const
const mostSdkResends = 5

/** The pause before the next resend, and the maximum number of resends: 0 means no limit. */
const resendRules = (live: Verification, command: InitiateCommand, settings: Settings) => {
  const { maxResends, resendCooldownSeconds } = settings
  if (!isPublic(command)) return { pause: resendCooldownSeconds, most: maxResends }
  const pause = sdkPauses[Math.min(live.resends, sdkPauses.length - 1)]!
  return {
    pause: Math.max(pause, resendCooldownSeconds),
    most: maxResends === 0 ? mostSdkResends : Math.min(maxResends, mostSdkResends)
  }
}

const newVerification = (
  subject: Subject,
  command: InitiateCommand,
  settings: Settings,
  now: Instant
): Verification => {
  const { relayed } = command
  const endsAt = now + (relayed?.life ?? seconds(settings.maxLifetimeSeconds))
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
    expiresAt: relayed === undefined ? Math.min(now + seconds(settings.codeExpirySeconds), endsAt) : endsAt,
    endsAt,
    verifiedAt: null,
    expiryAnnounced: false,
    undeliverable: false,
    deliveries: [],
    fallback: null,
    deviceInfo: command.deviceInfo,
    ...(command.context === undefined ? {} : { context: command.context }),
    ...(isKnown(subject) || command.sandbox || command.identity.type === "EMAIL" ? {} : { isNew: true }),
    ...(command.guard === undefined ? {} : { guard: command.guard }),
    ...(command.trial === undefined ? {} : { trial: command.trial }),
    ...(command.sandbox ? { sandbox: true } : {}),
    ...(command.launchId === null ? {} : { launchId: command.launchId })
  }
}

/**
 * The reference that finds this verification from now on. An app's `orderId` is only a note: with the public key,
 * anyone could otherwise change what a backend finds under its own order.
 */
const referenceOf = ({ orderId, path }: InitiateCommand): string | null => (path === "SERVER" ? orderId : null)

/** Approves a login from a trusted device, without a code, a count or a message. */
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
    change: changeOf(null, signedIn(withDevices(subject, devices)), verification, null, {
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
  const limited = (limit: InitiateLimit, retryAt: Instant) =>
    unchanged<InitiateOutcome>({ _tag: "Limited", limit, retryAt, requestId: null })
  const reached = reachedCodeLimit(subject, command, settings, now)
  if (reached !== null) return limited(reached.limit, reached.retryAt)

  const messages = isPublic(command) ? sdkMessagesThisHour(subject, now) : []
  const messagesFull = fullUntil(messages, settings.sdkMessagesPerHour)
  if (messagesFull !== null) return limited("messages", messagesFull)
  // The fallback's message is counted from the start, so that it never exceeds the limit.
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
    change: changeOf(null, codeMade(withMessage(counted, command), verification, now), verification, null, {
      orderId: referenceOf(command),
      events:
        command.flow.kind === "Relayed" ? [] : [VerificationEvent.initiated(command.fresh.eventId, verification, now)],
      jobs: jobsOf(null, verification, deliveries, budget, now)
    })
  }
}

/**
 * Keeps a replaced reference, so that it still finds this verification, and so that deleting the verification deletes
 * the reference too.
 */
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
  // Another process's clock may be ahead, so the previous send may lie in the future.
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
    deviceInfo: command.deviceInfo ?? live.deviceInfo,
    ...(command.context === undefined ? {} : { context: command.context }),
    ...(command.guard === undefined ? {} : { guard: command.guard })
  }
  if (Result.isFailure(price)) return unpaid(price.failure, verification, live.id, budget, now)
  return {
    outcome: { _tag: "Resent", verification, device },
    change: changeOf(
      live,
      nowLive(withMessage(isPublic(command) ? sdkMessagesMade(subject, 1, now) : subject, command), verification, now),
      verification,
      { at: now },
      {
        orderId: referenceOf(command),
        jobs: jobsOf(live, verification, deliveries, budget, now)
      }
    )
  }
}

/** Repeats the outcome of an earlier try of this request. */
const repeated = (
  verification: Verification,
  { fresh }: InitiateCommand,
  trustLevel: Device.TrustLevel | null,
  device: AnswerToken | null
): InitiateOutcome => {
  const isApproved = verification.id === fresh.verificationId && verification.method === "ONETAP"
  if (!isApproved) return { _tag: "Repeated", verification, device }
  // The earlier try replaced the token. The device gets the newest token while its old one is within the grace period.
  const newest = trustLevel?._tag === "Trusted" ? trustLevel.device : null
  return {
    _tag: "Approved",
    verification,
    device: newest === null ? device : { id: newest.id, serial: newest.serial, keyId: newest.keyId }
  }
}

/**
 * Starts a verification, sends the live one's code again, or immediately approves a trusted device.
 *
 * `live` is the verification that this request would send again, read together with the subject. A refusal changes and
 * counts nothing. The limits come first, then the budget.
 */
export const initiate = (
  subject: Subject,
  live: Verification | null,
  command: InitiateCommand,
  settings: Settings,
  now: Instant
): Decision<InitiateOutcome> => {
  const trustLevel = settings.oneTap
    ? Device.trustLevelOf(subject.devices, command.device, trustLife(settings), now)
    : null
  const device = answerToken(command, trustLevel)
  if (command.earlier !== null) return unchanged(repeated(command.earlier, command, trustLevel, device))
  const isRelayed = command.flow.kind === "Relayed"
  // Each relayed code is a send of its own.
  const current = !isRelayed && live !== null && isLive(live, now) ? live : null
  if (
    current !== null &&
    command.idempotencyKey !== null &&
    current.deliveries.some((d) => d.command === command.idempotencyKey)
  ) {
    return unchanged({ _tag: "Repeated", verification: current, device })
  }
  if (trustLevel?._tag === "Stolen") {
    const devices = Device.revoke(subject.devices, trustLevel.device.id, now)
    return { outcome: { _tag: "Stolen" }, change: changeOf(null, withDevices(subject, devices), null, null) }
  }
  // A trusted device makes no guesses, so the limits on guesses do not apply.
  if (
    trustLevel?._tag === "Trusted" &&
    command.device !== null &&
    Device.canSkip(trustLevel.device, command.flow.kind === "Number")
  ) {
    return approve(subject, trustLevel.device, command.device, command, settings, now)
  }
  // Wrong guesses at codes of this service say nothing about a code that another system checks.
  const lockedAt = isRelayed ? null : lockedUntil(subject, command.path, settings.maxConsecutiveFailures, now)
  if (lockedAt !== null) return unchanged({ _tag: "Limited", limit: "failures", retryAt: lockedAt, requestId: null })
  const linksAt = command.flow.kind === "Link" ? linksPausedUntil(subject, now) : null
  if (linksAt !== null) return unchanged({ _tag: "Limited", limit: "wrongNumbers", retryAt: linksAt, requestId: null })
  return current === null
    ? start(subject, command, device, settings, now)
    : resend(subject, current, command, device, settings, now)
}
