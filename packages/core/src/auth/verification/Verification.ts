import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { otherMethods } from "../../foundation/delivery/NumberVerifier.ts"
import type { MessageKind } from "../../foundation/delivery/Message.ts"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import { countryOf as countryOfNumber, type Identity } from "../../foundation/identity/Identity.ts"
import type { TimelineStep } from "./TimelineStep.ts"
import { type Instant, type Millis, minutes } from "../../foundation/time/Instant.ts"
import type { Texts } from "../../message/template/StoredTemplate.ts"

export const AuthStatus = ["PENDING", "VERIFIED", "EXPIRED", "FAILED"] as const
export type AuthStatus = (typeof AuthStatus)[number]

export const Mode = ["OTP", "OAUTH", "MAGIC_LINK"] as const
export type Mode = (typeof Mode)[number]

/** What each mode sends. */
export const kindOf = { OTP: "Code", OAUTH: "Link", MAGIC_LINK: "Link" } as const satisfies { [M in Mode]: MessageKind }

/** Who asked: a merchant's backend or an app with the public key. The two never share a verification or a budget. */
export type Path = "SERVER" | "SDK"

/** How a person was verified. A number verifier's own name is the method of what it verified. */
export type Method = (typeof otherMethods)[number] | (string & {})

/** What happens when the first channel stays silent. */
export interface Fallback {
  readonly channel: ChannelName
  /** How long the first channel has, after every send. */
  readonly after: Millis
  readonly dueAt: Instant
  /** It happens once, however often the code is sent again. */
  readonly used: boolean
}

/** Where an approved login returns to, and to whom alone its authorisation code is of use. */
export interface Handover {
  /** One that the merchant has registered; null when a page of our own says that it worked. */
  readonly redirectUri: string | null
  /** The merchant's own words, handed back as they are. */
  readonly state: string | null
  /** PKCE, S256: whoever exchanges the code shows the verifier of this challenge. */
  readonly codeChallenge: string | null
}

/** What "Try it" asked for. */
export interface Trial {
  /** The language of its messages; null for the setting's. */
  readonly locale: string | null
}

/** A code is typed. */
interface CodeFlow {
  readonly kind: "Code"
  readonly mode: "OTP"
}

/** A link is approved. */
interface LinkFlow {
  readonly kind: "Link"
  readonly mode: "OAUTH" | "MAGIC_LINK"
  readonly handover: Handover
  /** Whoever approves its link is asked for the number that the waiting side shows. */
  readonly matchesNumbers?: true
}

/** A number verifier, whose name is the `channel`, says whose number it is. No message is sent. */
interface NumberFlow {
  readonly kind: "Number"
  readonly mode: "OAUTH"
  readonly handover: Handover
}

/** How a person is to be verified, and what only that needs. */
export type Flow = CodeFlow | LinkFlow | NumberFlow

export const codeFlow: CodeFlow = { kind: "Code", mode: "OTP" }

/** What every verification has, however it is verified. */
interface Common {
  readonly id: string
  readonly environment: string
  readonly identity: Identity
  readonly path: Path
  readonly channel: ChannelName
  /** The merchant's reference on the server path; on the SDK path a note that finds nothing. */
  readonly orderId: string | null
  /** References of earlier sends, which find it too until somebody else has them. */
  readonly earlierOrderIds?: ReadonlyArray<string>
  readonly codeLength: number
  /** Which master key derives the code. The code itself is nowhere. */
  readonly keyId: string
  readonly attempts: number
  readonly maxAttempts: number
  readonly resends: number
  readonly createdAt: Instant
  readonly sentAt: Instant
  readonly expiresAt: Instant
  /** However often it is sent again, it ends here. */
  readonly endsAt: Instant
  /** Its expiry was announced. It stays PENDING all the same, until somebody tries the code. */
  readonly expiryAnnounced: boolean
  /** It FAILED because no message could be delivered. */
  readonly undeliverable: boolean
  readonly deliveries: ReadonlyArray<VerificationDelivery>
  readonly fallback: Fallback | null
  /** The app's description of the device, as JSON text, for audit. */
  readonly deviceInfo: string | null
  /** Somebody who works for the merchant started it at the dashboard, and only there it is answered. */
  readonly trial?: Trial
  /** Its messages never leave the machine: it belongs to a test environment. */
  readonly sandbox?: boolean
  /** Wrong codes that came with an idempotency key: the request's mark, and how many attempts there were with it. */
  readonly wrongBy?: ReadonlyArray<readonly [mark: string, attempts: number]>
  /** The launch of an app or a visit of a page that led to it. */
  readonly launchId?: string
  /** What happened beside what the rest of this says: see `timelineSteps.ts`. */
  readonly story?: ReadonlyArray<TimelineStep>
  /** The merchant's own words by channel, as they were when it began. */
  readonly texts?: Texts
}

/** Nobody is verified by it. */
interface Open {
  readonly status: Exclude<AuthStatus, "VERIFIED">
  readonly method: null
  readonly verifiedAt: null
}

/** What is known once the person is verified. */
interface Verified {
  readonly status: "VERIFIED"
  readonly method: Method
  readonly verifiedAt: Instant
  /** The mark of the request that brought the right code, if it had an idempotency key. */
  readonly verifiedBy?: string
  /** When somebody signed in with it, where OneTap approved it: a code signs in when it verifies. */
  readonly loggedInAt?: Instant
  /** The mark of the request that signed in with it, if it had an idempotency key. */
  readonly loggedInBy?: string
}

/** The same of an approval, whose authorisation code can be exchanged. */
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

/** One attempt to verify one identity, with every message sent for it. */
export type Verification = CodeVerification | LinkVerification | NumberVerification

export type OpenVerification = Extract<Verification, Open>

/** One that succeeded. */
export type VerifiedVerification = Extract<Verification, Verified>

/** An approval that succeeded. */
export type ApprovedVerification = Extract<Verification, Approved & { readonly handover: Handover }>

/** What is created later than this was created by a clock that has been set back since. */
const mostAhead = minutes(1)

/**
 * Whether its time is over. That also holds for one that begins in the future: the clock was set back, and until it is
 * there again a code would live for longer than it was meant to.
 */
export const isOver = ({ createdAt, expiresAt }: Verification, now: Instant): boolean =>
  now >= expiresAt || createdAt - now > mostAhead

/** A code that could still be entered, or a link approved, or either sent again. At the millisecond of expiry it is over. */
export const isLive = (verification: Verification, now: Instant): boolean =>
  verification.status === "PENDING" && !isOver(verification, now) && verification.attempts < verification.maxAttempts

/**
 * A verification as it stands for somebody who waits for it. It keeps `PENDING` until somebody tries it after its time,
 * which whoever waits does not do.
 */
export const shownAt = (verification: Verification, now: Instant): Verification =>
  verification.status === "PENDING" && isOver(verification, now) ? { ...verification, status: "EXPIRED" } : verification

/** Whose number it is for, in two letters; null for an e-mail address, and for a number of no one country. */
export const countryOf = ({ identity }: Verification): string | null =>
  identity.type === "EMAIL" ? null : countryOfNumber(identity.canonical)

/** It will expire, or has, and nobody was told yet. */
export const awaitsExpiry = (verification: Verification): verification is OpenVerification =>
  verification.status === "PENDING" && !verification.expiryAnnounced

/** Every reference that leads to it, unless somebody else has taken it. */
export const orderIdsOf = ({ earlierOrderIds = [], orderId }: Verification): ReadonlyArray<string> =>
  orderId === null ? earlierOrderIds : [...earlierOrderIds, orderId]

export const attemptsLeft = (verification: Verification): number =>
  Math.max(0, verification.maxAttempts - verification.attempts)

/** Values that most verifications have. A store leaves them out, and `decode` puts them back. */
const usual = {
  orderId: null,
  method: null,
  verifiedAt: null,
  expiryAnnounced: false,
  undeliverable: false,
  fallback: null,
  deviceInfo: null
} satisfies Partial<Common & Open>

/** The form a store keeps: JSON of everything but the key, what is as usual, and the kind where the mode says it. */
export const encode = (verification: Verification): string => {
  const { deviceInfo, expiryAnnounced, fallback, kind, method, orderId, undeliverable, verifiedAt } = verification
  // JSON leaves out what is undefined; copying all and hiding some is faster than copying all but those.
  return JSON.stringify({
    ...verification,
    environment: undefined,
    id: undefined,
    kind: kind === "Number" ? kind : undefined,
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
