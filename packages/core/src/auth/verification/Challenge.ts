import { sha256 } from "@noble/hashes/sha2.js"
import { Schema } from "effect"
import type { Keyring } from "../../foundation/secret/Keyring.ts"
import * as Proof from "../../foundation/secret/Proof.ts"
import { type Instant, minutes } from "../../foundation/time/Instant.ts"
import { leastScore } from "../../foundation/guard/GuardReason.ts"

/** How a request that the guard holds back may show that a person made it. */
export const challengeKinds = ["PROOF_OF_WORK", "CAPTCHA"] as const
export type ChallengeKind = (typeof challengeKinds)[number]

/** What a challenge is made for. Its answer works for nothing else. */
export interface ChallengeScope {
  readonly environment: string
  /** E.164 digits without `+`. */
  readonly canonical: string
  /** The IPv4 address or /64 of the caller. All unknown addresses are one network. */
  readonly network: string
}

export const Challenge = Schema.Struct({
  kind: Schema.Literals(challengeKinds),
  token: Schema.String,
  /** How many hashes a proof of work takes on average. */
  difficulty: Schema.Int,
  expiresAt: Schema.Int
})
export type Challenge = typeof Challenge.Type

/** An app's answer: the text that solves the proof of work, or the captcha's own token. */
export interface ChallengeAnswer {
  readonly token: string
  readonly answer: string
}

/** Why an answer does not count. */
export type ChallengeFault = "FORGED" | "EXPIRED" | "UNSOLVED"

/** A slow phone on a slow network answers in seconds. A long life would let an attacker collect challenges. */
export const challengeLife = minutes(3)

/** Expected hashes. A phone of the middle class computes about 400,000 a second, so `most` takes it about a second. */
export const difficultyRange = { least: 65_536, most: 524_288 } as const

/**
 * How many hashes a challenge takes. They grow like the odds that the guard sees an attack, and with each challenge that
 * was solved lately for the same block of numbers or by the same network.
 */
export const difficultyOf = (score: number, solvedLately: number): number => {
  const { least, most } = difficultyRange
  const wanted = least * Math.exp(score - leastScore) * (1 + solvedLately)
  return Math.round(Math.min(most, Math.max(least, wanted)))
}

const letterOf = { PROOF_OF_WORK: "w", CAPTCHA: "c" } as const satisfies { readonly [kind in ChallengeKind]: string }
/** Both fit for centuries, so every token has the same length. */
const digits = { until: 9, difficulty: 4 } as const
const pattern = new RegExp(`^([wc])([0-9a-z]{${digits.until}})([0-9a-z]{${digits.difficulty}})(${Proof.shape})$`)

const claimOf = ({ canonical, environment, network }: ChallengeScope, open: string): Proof.Claim => ({
  purpose: "guard-challenge",
  text: [environment, canonical, network, open].join("\n")
})

/**
 * A challenge without stored state: its token carries its kind, its end and its difficulty, and a keyed hash of these
 * and of its scope. It contains neither number nor address, and its last characters cannot be foretold, so no work can
 * be done before it is made. The code that accepts an answer ensures that a token is used once.
 */
export const makeChallenge = (
  { current }: Keyring["Service"],
  scope: ChallengeScope,
  { difficulty, kind }: Pick<Challenge, "difficulty" | "kind">,
  now: Instant
): Challenge => {
  const expiresAt = now + challengeLife
  const open =
    letterOf[kind] +
    expiresAt.toString(36).padStart(digits.until, "0") +
    difficulty.toString(36).padStart(digits.difficulty, "0")
  return { kind, token: open + Proof.make(current, claimOf(scope, open)), difficulty, expiresAt }
}

/** A solution is short, so that one block of SHA-256 holds it with the token. */
const solution = /^[0-9A-Za-z]{1,15}$/
/** What captchas give an app is printable. */
const captchaToken = /^[!-~]{1,8192}$/
const encoder = new TextEncoder()

/** Whether the SHA-256 of the token followed by the answer, read as a fraction of 1, is below 1 / difficulty. */
export const isWorkDone = (token: string, answer: string, difficulty: number): boolean => {
  if (!solution.test(answer)) return false
  const [a, b, c, d] = sha256(encoder.encode(token + answer))
  return (a! * 2 ** 24 + b! * 2 ** 16 + c! * 2 ** 8 + d!) * difficulty < 2 ** 32
}

/**
 * Reads a challenge back from its token, for the scope of the request that answers it. Costs a keyed hash, and one more
 * hash for a proof of work. The answer to a captcha is judged elsewhere.
 */
export const readAnswer = (
  keyring: Keyring["Service"],
  scope: ChallengeScope,
  { answer, token }: ChallengeAnswer,
  now: Instant
): Challenge | ChallengeFault => {
  const [, letter, until, work, proof] = pattern.exec(token) ?? []
  if (until === undefined || work === undefined || proof === undefined) return "FORGED"
  const claim = claimOf(scope, `${letter}${until}${work}`)
  if (!keyring.all.some((key) => Proof.matches(key, claim, proof))) return "FORGED"
  const expiresAt = Number.parseInt(until, 36)
  if (now >= expiresAt) return "EXPIRED"
  const difficulty = Number.parseInt(work, 36)
  const kind = letter === "w" ? "PROOF_OF_WORK" : "CAPTCHA"
  const mayBeRight = kind === "CAPTCHA" ? captchaToken.test(answer) : isWorkDone(token, answer, difficulty)
  return mayBeRight ? { kind, token, difficulty, expiresAt } : "UNSOLVED"
}
