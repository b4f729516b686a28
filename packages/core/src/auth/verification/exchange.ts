import { sha256 } from "@noble/hashes/sha2.js"
import type { Settings } from "../../account/merchant/Settings.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"
import { type Decision, unchanged } from "./Decision.ts"
import { type Trusting, trusting } from "./trusting.ts"
import type { ApprovedVerification, Verification } from "./Verification.ts"
import { changeOf } from "./VerificationChange.ts"
import type { VerificationStore } from "./VerificationStore.ts"

/** How long an authorisation code can be exchanged after the approval. */
const life = seconds(60)

export interface ExchangeCommand extends Trusting {
  /** The PKCE verifier, if the request has one. */
  readonly codeVerifier: string | null
  /** The idempotency key, when the caller sent one. */
  readonly idempotencyKey: string | null
}

export type ExchangeOutcome =
  | {
      readonly _tag: "Exchanged"
      readonly verification: ApprovedVerification
      /** Whether this exchange made the device of the sent token trusted. */
      readonly deviceTrusted: boolean
    }
  /** Not approved, too late, or already exchanged by a request that cannot prove to be the same caller. */
  | { readonly _tag: "Unknown" }
  /** The verifier is missing or wrong, or initiate had no challenge for it. The code stays valid. */
  | { readonly _tag: "Unproved"; readonly problem: string }

/** Returns the challenge of a PKCE verifier, method S256. */
export const challengeOf = (codeVerifier: string): string =>
  btoa(String.fromCharCode(...sha256(new TextEncoder().encode(codeVerifier))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")

/** An approval in the future means that the clock was set back: its code would otherwise live longer. */
const isInTime = (verification: Verification, now: Instant): verification is ApprovedVerification =>
  verification.kind !== "Code" && verification.status === "VERIFIED" && Math.abs(now - verification.verifiedAt) < life

/**
 * With a `codeChallenge` the code works for its full 60 seconds, because only the holder of the verifier can use it.
 */
const isUsable = ({ exchangedAt, handover }: ApprovedVerification): boolean =>
  exchangedAt === undefined || handover.codeChallenge !== null

/** Returns whether an authorisation code can be shown and exchanged at this moment. */
export const isExchangeable = (verification: Verification, now: Instant): boolean =>
  isInTime(verification, now) && isUsable(verification)

/**
 * Whether an exchange may make a device trusted. The person must have chosen the number that the requesting browser
 * displayed, and the exchange must prove by PKCE that it comes from that browser. Otherwise, a person who approves a
 * stranger's link by mistake would make the stranger's device trusted.
 */
const provesDevice = (verification: ApprovedVerification): boolean =>
  verification.kind === "Link" &&
  verification.method === "LINK" &&
  verification.matchesNumbers === true &&
  verification.handover.codeChallenge !== null

const problemOf = (challenge: string | null, codeVerifier: string | null): string | null => {
  if (challenge === null)
    return codeVerifier === null ? null : "must be omitted: initiate was called without a codeChallenge"
  if (codeVerifier === null) return "is required: initiate was called with a codeChallenge"
  return SecretHash.equals(challengeOf(codeVerifier), challenge) ? null : "does not match the codeChallenge of initiate"
}

/**
 * Exchanges an authorisation code. Of many concurrent exchanges, one commits. While the code is valid, a repeat with
 * the same idempotency key gets the same answer. If the link had a `codeChallenge`, so does a repeat with the same
 * verifier. A repeat changes nothing.
 */
export const exchange = (
  { subject, verification }: VerificationStore.Loaded,
  command: ExchangeCommand,
  settings: Settings,
  now: Instant
): Decision<ExchangeOutcome> => {
  if (!isInTime(verification, now)) return unchanged({ _tag: "Unknown" })
  const hasSameKey = verification.exchangedBy !== undefined && verification.exchangedBy === command.idempotencyKey
  if (!isUsable(verification) && !hasSameKey) return unchanged({ _tag: "Unknown" })
  const problem = problemOf(verification.handover.codeChallenge, command.codeVerifier)
  if (problem !== null) return unchanged({ _tag: "Unproved", problem })
  if (verification.exchangedAt !== undefined) {
    return unchanged({ _tag: "Exchanged", verification, deviceTrusted: verification.exchangeTrusted === true })
  }
  const device = provesDevice(verification) ? command.device : null
  const { deviceId, subject: known } = trusting(subject, { ...command, device }, "LINK", settings, now)
  const next: ApprovedVerification = {
    ...verification,
    exchangedAt: now,
    ...(command.idempotencyKey === null ? {} : { exchangedBy: command.idempotencyKey }),
    ...(deviceId === null ? {} : { exchangeTrusted: true })
  }
  return {
    outcome: { _tag: "Exchanged", verification: next, deviceTrusted: deviceId !== null },
    change: changeOf(verification, known, next, { at: now }, { deviceId })
  }
}
