import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { otherMethods } from "../../foundation/delivery/NumberVerifier.ts"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import { countryOf as countryOfNumber, type Identity } from "../../foundation/identity/Identity.ts"
import type { Moment } from "./Moment.ts"
import { type Instant, type Millis, minutes } from "../../foundation/time/Instant.ts"
import type { Texts } from "../../message/template/StoredTemplate.ts"

export const AuthStatus = ["PENDING", "VERIFIED", "EXPIRED", "FAILED"] as const
export type AuthStatus = (typeof AuthStatus)[number]

export const Mode = ["OTP", "OAUTH", "MAGIC_LINK"] as const
export type Mode = (typeof Mode)[number]

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

/** One attempt to verify one identity, with every message sent for it. */
export interface Verification {
  readonly id: string
  readonly environment: string
  readonly identity: Identity
  readonly mode: Mode
  readonly path: Path
  /** Of one that a number verifier verifies, the verifier's name. */
  readonly channel: ChannelName
  /** A number verifier is to say whose number it is, and no message is sent. */
  readonly byVerifier?: true
  /** The merchant's reference on the server path; on the SDK path a note that finds nothing. */
  readonly orderId: string | null
  /** References of earlier sends, which find it too until somebody else has them. */
  readonly earlierOrderIds?: ReadonlyArray<string>
  readonly status: AuthStatus
  readonly method: Method | null
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
  readonly verifiedAt: Instant | null
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
  /** Only of those that are approved, and not verified by a code. */
  readonly handover?: Handover
  /** Whoever approves its link is asked for the number that the waiting side shows. */
  readonly matchesNumbers?: true
  /** When its authorisation code was exchanged. Later exchanges repeat that answer. */
  readonly exchangedAt?: Instant
  /** The idempotency key of the request that exchanged it, if it had one. */
  readonly exchangedBy?: string
  /** The exchange made a device trusted. */
  readonly exchangeTrusted?: true
  /** Wrong codes that came with an idempotency key: the request's mark, and how many attempts there were with it. */
  readonly wrongBy?: ReadonlyArray<readonly [mark: string, attempts: number]>
  /** The mark of the request that brought the right code, if it had an idempotency key. */
  readonly verifiedBy?: string
  /** When somebody signed in with it, where OneTap approved it: a code signs in when it verifies. */
  readonly loggedInAt?: Instant
  /** The mark of the request that signed in with it, if it had an idempotency key. */
  readonly loggedInBy?: string
  /** The launch of an app or a visit of a page that led to it. */
  readonly launchId?: string
  /** What happened beside what the rest of this says: see `story.ts`. */
  readonly story?: ReadonlyArray<Moment>
  /** The merchant's own words by channel, as they were when it began. */
  readonly texts?: Texts
}

/** The number verifier that says whose number it is; null where a message is sent. */
export const verifierOf = ({ byVerifier, channel }: Pick<Verification, "byVerifier" | "channel">): string | null =>
  byVerifier === true ? channel : null

/** Whether a code verifies it. Otherwise somebody approves it: by its link, or at a provider that knows them. */
export const hasCode = ({ mode }: Verification): boolean => mode === "OTP"

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
 * How it stands for somebody who waits for it. A verification keeps `PENDING` until somebody tries it after its time,
 * which whoever waits does not do.
 */
export const statusAt = (verification: Verification, now: Instant): AuthStatus =>
  verification.status === "PENDING" && isOver(verification, now) ? "EXPIRED" : verification.status

/** Whose number it is for, in two letters; null for an e-mail address, and for a number of no one country. */
export const countryOf = ({ identity }: Verification): string | null =>
  identity.type === "EMAIL" ? null : countryOfNumber(identity.canonical)

/** It will expire, or has, and nobody was told yet. */
export const awaitsExpiry = ({ expiryAnnounced, status }: Verification): boolean =>
  status === "PENDING" && !expiryAnnounced

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
} satisfies Partial<Verification>

/** The form a store keeps: JSON of everything but the key and what is as usual. */
export const encode = (verification: Verification): string => {
  const { deviceInfo, expiryAnnounced, fallback, method, orderId, undeliverable, verifiedAt } = verification
  // JSON leaves out what is undefined; copying all and hiding some is faster than copying all but those.
  return JSON.stringify({
    ...verification,
    environment: undefined,
    id: undefined,
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
export const decode = (environment: string, id: string, text: string): Verification => ({
  ...usual,
  ...(JSON.parse(text) as Omit<Verification, "environment" | "id" | keyof typeof usual>),
  environment,
  id
})
