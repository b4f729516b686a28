import { textOf } from "../identity/Identifier.ts"
import type { MasterKey, Purpose } from "./Keyring.ts"
import * as SecretHash from "./SecretHash.ts"

/** What is proved: the purpose that keeps one kind of proof from standing for another, and the text it stands for. */
export interface Claim {
  readonly purpose: Extract<Purpose, "link" | "authorisation" | "launch" | "challenge">
  readonly text: string
}

const length = 26

/** The characters of a proof: none that a mail program or a phone leaves out of a link, and all in one case. */
export const shape = `[0-9a-hjkmnp-tv-z]{${length}}`

/**
 * 130 bits that only the master key can make for this claim. Like a code they are derived and never stored: a resend or
 * a crash makes the same, and a copy of the database opens nothing.
 */
export const make = (key: MasterKey, { purpose, text }: Claim): string =>
  textOf(key.mac(purpose, text).subarray(0, length))

/** Compares in a time that does not tell where they differ. */
export const matches = (key: MasterKey, claim: Claim, given: string): boolean =>
  SecretHash.equals(given, make(key, claim))
