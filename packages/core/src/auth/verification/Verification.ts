import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { otherMethods } from "../../foundation/delivery/NumberVerifier.ts"
import type { MessageKind } from "../../foundation/delivery/Message.ts"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import { countryOf as countryOfNumber, type Identity } from "../../foundation/identity/Identity.ts"
import type { Judgement } from "../../foundation/guard/GuardReason.ts"
import type { RequestContext } from "./RequestContext.ts"
import type { TimelineStep } from "./TimelineStep.ts"
import { type Instant, type Millis, minutes } from "../../foundation/time/Instant.ts"
import type { Texts } from "../../message/template/StoredTemplate.ts"

export const AuthStatus = ["PENDING", "VERIFIED", "EXPIRED", "FAILED"] as const
export type AuthStatus = (typeof AuthStatus)[number]

export const Mode = ["OTP", "OAUTH", "MAGIC_LINK"] as const
export type Mode = (typeof Mode)[number]

/** The kind of message that each mode sends. */
export const kindOf = { OTP: "Code", OAUTH: "Link", MAGIC_LINK: "Link" } as const satisfies { [M in Mode]: MessageKind }

/**
 * Who started it: a merchant's backend, or an app with the public key. The two never share a verification or a limit.
 */
export type Path = "SERVER" | "SDK"

/** How a person was verified. A number verifier's method is its own name. */
export type Method = (typeof otherMethods)[number] | (string & {})

/** The channel that takes over when the first one stays silent. */
export interface Fallback {
  readonly channel: ChannelName
  /** How long the first channel has after every send. */
  readonly after: Millis
  readonly dueAt: Instant
  /** The fallback happens once, even if the code is sent again. */
  readonly used: boolean
}

/** Where an approved login returns to. Only the receiver there can use its authorisation code. */
export interface Handover {
  /** A redirect URI that the merchant has registered. Null when our own page confirms the login. */
  readonly redirectUri: string | null
  /** The merchant's own value, returned unchanged. */
  readonly state: string | null
  /** PKCE, S256: the exchange must present the verifier of this challenge. */
  readonly codeChallenge: string | null
}

/** The options of a "Try it" request. */
export interface Trial {
  /** The language of its messages; null for the one in the settings. */
  readonly locale: string | null
}

/** The person types a code. */
interface CodeFlow {
  readonly kind: "Code"
  readonly mode: "OTP"
}

/** The person approves a link. */
interface LinkFlow {
  readonly kind: "Link"
  readonly mode: "OAUTH" | "MAGIC_LINK"
  readonly handover: Handover
  /** The link's page asks for the number that the waiting page shows. */
  readonly matchesNumbers?: true
}

/** A number verifier, named by `channel`, tells whose number it is. No message is sent. */
interface NumberFlow {
  readonly kind: "Number"
  readonly mode: "OAUTH"
  readonly handover: Handover
}

/** Another system made the code, and checks it. Nothing here verifies the person. */
interface RelayedFlow {
  readonly kind: "Relayed"
  readonly mode: "OTP"
  /** The code, sealed for this record. Null as soon as no message can need it: see `withoutSpentCode`. */
  readonly sealedCode: string | null
  /** A keyed hash of the request's idempotency key, which finds it again. Null without a key. */
  readonly mark: string | null
  /** The language of its messages. Null for the one in the settings. */
  readonly locale: string | null
  /** What the code is for, such as `sign-in`. A note of the caller. */
  readonly purpose: string | null
  /** The hook that brought it. Null for the API. */
  readonly origin: string | null
}

/** How to verify a person, with the fields that only this way needs. */
export type Flow = CodeFlow | LinkFlow | NumberFlow | RelayedFlow

export const codeFlow: CodeFlow = { kind: "Code", mode: "OTP" }

/** The fields of every verification. */
interface Common {
  readonly id: string
  readonly environment: string
  readonly identity: Identity
  readonly path: Path
  readonly channel: ChannelName
  /**
   * On the server path, the merchant's reference, which finds the verification. On the SDK path, a note that finds
   * nothing.
   */
  readonly orderId: string | null
  /** References of earlier sends. Each still finds this verification until a newer one takes it. */
  readonly earlierOrderIds?: ReadonlyArray<string>
  readonly codeLength: number
  /** The master key that derives the code. The code itself is never stored. */
  readonly keyId: string
  readonly attempts: number
  readonly maxAttempts: number
  readonly resends: number
  readonly createdAt: Instant
  readonly sentAt: Instant
  readonly expiresAt: Instant
  /** The latest possible expiry, including every resend. */
  readonly endsAt: Instant
  /** The expiry was announced. The status stays PENDING until a person tries the code. */
  readonly expiryAnnounced: boolean
  /** The status is FAILED because no message could be delivered. */
  readonly undeliverable: boolean
  readonly deliveries: ReadonlyArray<VerificationDelivery>
  readonly fallback: Fallback | null
  /** The app's description of the device, as JSON text, for audit. */
  readonly deviceInfo: string | null
  /** A team member started it in the dashboard. Only the dashboard can check its code. */
  readonly trial?: Trial
  /** It belongs to a test environment, so its messages never leave the machine. */
  readonly sandbox?: boolean
  /** Wrong codes sent with an idempotency key: the request's mark, and the number of attempts including it. */
  readonly wrongBy?: ReadonlyArray<readonly [mark: string, attempts: number]>
  /** The app launch or page visit that led to it. */
  readonly launchId?: string
  /** Steps that the other fields do not show: see `timelineSteps.ts`. */
  readonly story?: ReadonlyArray<TimelineStep>
  /** What the backend said about the end user's request. */
  readonly context?: RequestContext
  /** The person is new: as far as their state tells, they had not signed in before. The guard counts such codes apart. */
  readonly isNew?: true
  /** How the guard judged the latest send, when it had a reason. */
  readonly guard?: Judgement
  /** The merchant's own templates by channel, fixed when it started. */
  readonly texts?: Texts
}

/** Not verified. */
interface Open {
  readonly status: Exclude<AuthStatus, "VERIFIED">
  readonly method: null
  readonly verifiedAt: null
}

/** The fields of a successful verification. */
interface Verified {
  readonly status: "VERIFIED"
  readonly method: Method
  readonly verifiedAt: Instant
  /** The mark of the request that brought the right code, if it had an idempotency key. */
  readonly verifiedBy?: string
  /** When a person signed in with it, if OneTap approved it. A code signs in when it verifies. */
  readonly loggedInAt?: Instant
  /** The mark of the request that signed in with it, if it had an idempotency key. */
  readonly loggedInBy?: string
}

/** The fields of an approval, whose authorisation code can be exchanged. */
interface Approved extends Verified {
  /** When its authorisation code was exchanged. Later exchanges repeat that answer. */
  readonly exchangedAt?: Instant
  /** The idempotency key of the request that exchanged it, if it had one. */
  readonly exchangedBy?: string
  /** The exchange made a device trusted. */
  readonly exchangeTrusted?: true
}

export type CodeVerification = Common & CodeFlow & (Open | Verified)
export type LinkVerification = Common & LinkFlow & (Open | Approved)
export type NumberVerification = Common & NumberFlow & (Open | Approved)

/** The delivery of a code that another system made. No decision verifies it. */
export type RelayedVerification = Common & RelayedFlow & (Open | Verified)

/** A verification of one identity, with every message sent for it. */
export type Verification = CodeVerification | LinkVerification | NumberVerification | RelayedVerification

export type OpenVerification = Extract<Verification, Open>

/** A successful verification. */
export type VerifiedVerification = Extract<Verification, Verified>

/** A successful approval. */
export type ApprovedVerification = Extract<Verification, Approved & { readonly handover: Handover }>

/** A verification created further ahead than this means that the clock was set back since. */
const maxClockLead = minutes(1)

/**
 * Returns whether a verification is over. That includes one created in the future: the clock was set back, and its code
 * would otherwise live longer than intended.
 */
export const isOver = ({ createdAt, expiresAt }: Verification, now: Instant): boolean =>
  now >= expiresAt || createdAt - now > maxClockLead

/**
 * Returns whether a code can still be entered, a link approved, or either sent again. At the exact millisecond of
 * expiry it is over.
 */
export const isLive = (verification: Verification, now: Instant): boolean =>
  verification.status === "PENDING" && !isOver(verification, now) && verification.attempts < verification.maxAttempts

/**
 * Returns a verification as a waiting client should see it. The stored status stays `PENDING` until a person tries the
 * code after expiry, which a waiting client never does.
 */
export const shownAt = (verification: Verification, now: Instant): Verification =>
  verification.status === "PENDING" && isOver(verification, now) ? { ...verification, status: "EXPIRED" } : verification

/**
 * The country of the number, in two letters. Null for an e-mail address, and for a number that belongs to no single
 * country.
 */
export const countryOf = ({ identity }: Verification): string | null =>
  identity.type === "EMAIL" ? null : countryOfNumber(identity.canonical)

/**
 * Returns null for a relayed code. Every service that verifies people, sends again or shows a verification to a caller
 * looks through this, so that to them a relayed code does not exist.
 */
export const ifCheckable = <V extends Verification>(verification: V | null): Exclude<V, RelayedFlow> | null =>
  verification === null || verification.kind === "Relayed" ? null : (verification as Exclude<V, RelayedFlow>)

/** Whether a relayed code may still be needed: a message waits, or a failure would send it another way. */
const needsCode = ({ deliveries, expiryAnnounced, status }: RelayedVerification): boolean =>
  status === "PENDING" &&
  !expiryAnnounced &&
  !deliveries.some((delivery) => delivery.status === "DELIVERED" || delivery.status === "READ")

/** Drops a relayed code that no message needs any more. Every change of a verification passes through this. */
export const withoutSpentCode = (verification: Verification): Verification =>
  verification.kind === "Relayed" && verification.sealedCode !== null && !needsCode(verification)
    ? { ...verification, sealedCode: null }
    : verification

/** Whether its message can be made: a relayed code was dropped when it was no longer needed. */
export const canBeSent = (verification: Verification): boolean =>
  verification.kind !== "Relayed" || verification.sealedCode !== null

/** Returns whether the expiry is still to be announced. */
export const awaitsExpiry = (verification: Verification): verification is OpenVerification =>
  verification.status === "PENDING" && !verification.expiryAnnounced

/** Returns every reference that finds this verification, unless a newer verification has taken it. */
export const orderIdsOf = ({ earlierOrderIds = [], orderId }: Verification): ReadonlyArray<string> =>
  orderId === null ? earlierOrderIds : [...earlierOrderIds, orderId]

export const attemptsLeft = (verification: Verification): number =>
  Math.max(0, verification.maxAttempts - verification.attempts)

/** Values that most verifications have. `encode` leaves them out, and `decode` puts them back. */
const usual = {
  orderId: null,
  method: null,
  verifiedAt: null,
  expiryAnnounced: false,
  undeliverable: false,
  fallback: null,
  deviceInfo: null
} satisfies Partial<Common & Open>

/** Returns the stored form: JSON without the key, the usual values, and a kind that the mode implies. */
export const encode = (verification: Verification): string => {
  const { deviceInfo, expiryAnnounced, fallback, kind, method, orderId, undeliverable, verifiedAt } = verification
  // JSON omits undefined fields. Copying all fields and setting some to undefined is faster than copying a subset.
  return JSON.stringify({
    ...verification,
    environment: undefined,
    id: undefined,
    kind: kind === "Number" || kind === "Relayed" ? kind : undefined,
    orderId: orderId ?? undefined,
    method: method ?? undefined,
    verifiedAt: verifiedAt ?? undefined,
    expiryAnnounced: expiryAnnounced || undefined,
    undeliverable: undeliverable || undefined,
    fallback: fallback ?? undefined,
    deviceInfo: deviceInfo ?? undefined
  })
}

/** Reads back what `encode` wrote. */
export const decode = (environment: string, id: string, text: string): Verification => {
  const stored = JSON.parse(text) as Omit<Verification, "environment" | "id" | "kind" | keyof typeof usual>
  return { ...usual, kind: kindOf[stored.mode], ...stored, environment, id } as Verification
}
