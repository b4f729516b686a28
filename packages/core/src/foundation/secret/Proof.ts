import { textOf } from "../identity/Identifier.ts"
import type { MasterKey, Purpose } from "./Keyring.ts"
import * as SecretHash from "./SecretHash.ts"

/** The claim that a proof confirms. `purpose` separates kinds of proofs, so that one cannot replace another. */
export interface Claim {
  readonly purpose: Extract<Purpose, "link" | "authorisation" | "launch" | "challenge" | "guard-challenge">
  readonly text: string
}

const length = 26

/** The characters of a proof: lower-case, and only those that mail programs and phones keep inside a link. */
export const shape = `[0-9a-hjkmnp-tv-z]{${length}}`

/**
 * 130 bits that only the master key can derive for this claim. Never stored: a resend or a crash derives the same bits,
 * and a copy of the database contains none.
 */
export const make = (key: MasterKey, { purpose, text }: Claim): string =>
  textOf(key.mac(purpose, text).subarray(0, length))

/** Compares in constant time. */
export const matches = (key: MasterKey, claim: Claim, given: string): boolean =>
  SecretHash.equals(given, make(key, claim))
