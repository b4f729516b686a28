import { sha256 } from "@noble/hashes/sha2.js"
import type { Settings } from "../merchant/Settings.ts"
import * as SecretHash from "../secret/SecretHash.ts"
import { type Instant, seconds } from "../time/Instant.ts"
import { type Decision, unchanged } from "./Decision.ts"
import { type Trusting, trusting } from "./trusting.ts"
import { hasCode, type Verification } from "./Verification.ts"
import { changeOf } from "./VerificationChange.ts"
import type { Loaded } from "./VerificationStore.ts"

/** How long an authorisation code can be exchanged, from the approval. */
const life = seconds(60)

export interface ExchangeCommand extends Trusting {
  /** The PKCE verifier, when one came. */
  readonly codeVerifier: string | null
  /** The idempotency key, when the caller gave one. */
  readonly command: string | null
}

export type ExchangeOutcome =
  | { readonly _tag: "Exchanged"; readonly verification: Verification }
  /** Not approved, too late, or exchanged before. */
  | { readonly _tag: "Unknown" }
  /** The verifier is missing, wrong, or there was no challenge that it could belong to. The code stays good. */
  | { readonly _tag: "Unproved"; readonly problem: string }

/** The challenge of a PKCE verifier, method S256. */
export const challengeOf = (codeVerifier: string): string =>
  btoa(String.fromCharCode(...sha256(new TextEncoder().encode(codeVerifier))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")

const isInTime = (verification: Verification, now: Instant): boolean =>
  !hasCode(verification) &&
  verification.status === "VERIFIED" &&
  verification.verifiedAt !== null &&
  now < verification.verifiedAt + life

/** Whether there is an authorisation code to be shown and exchanged at this moment. */
export const isExchangeable = (verification: Verification, now: Instant): boolean =>
  verification.exchangedAt === undefined && isInTime(verification, now)

const problemOf = ({ handover }: Verification, codeVerifier: string | null): string | null => {
  const challenge = handover?.codeChallenge ?? null
  if (challenge === null) return codeVerifier === null ? null : "was not announced by a codeChallenge at initiate"
  if (codeVerifier === null) return "is required: initiate was given a codeChallenge"
  return SecretHash.equals(challengeOf(codeVerifier), challenge) ? null : "does not fit the codeChallenge of initiate"
}

/**
 * Somebody shows an authorisation code. It is exchanged once: of many at one instant, one gets the answer. The very
 * request that exchanged it may ask again, by its idempotency key: its answer may have been lost with a process.
 */
export const exchange = (
  { subject, verification }: Loaded,
  command: ExchangeCommand,
  settings: Settings,
  now: Instant
): Decision<ExchangeOutcome> => {
  const isRepeat =
    verification.exchangedBy !== undefined &&
    verification.exchangedBy === command.command &&
    isInTime(verification, now)
  if (!isRepeat && !isExchangeable(verification, now)) return unchanged({ _tag: "Unknown" })
  const problem = problemOf(verification, command.codeVerifier)
  if (problem !== null) return unchanged({ _tag: "Unproved", problem })
  if (isRepeat) return unchanged({ _tag: "Exchanged", verification })
  const next: Verification = {
    ...verification,
    exchangedAt: now,
    ...(command.command === null ? {} : { exchangedBy: command.command })
  }
  // A trusted device that let itself in proves nothing new: its trust must end when it would have.
  const device = verification.method === "ONETAP" ? null : command.device
  const { deviceId, subject: known } = trusting(subject, { ...command, device }, settings, now)
  return {
    outcome: { _tag: "Exchanged", verification: next },
    change: changeOf(verification, known, next, { at: now }, { deviceId })
  }
}
