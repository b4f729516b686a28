import type { MasterKey } from "./Keyring.ts"
import * as Proof from "./Proof.ts"

/** The content of a code, not yet verified. */
export interface CodeClaim {
  /** `ver_…` */
  readonly id: string
  readonly proof: string
}

const pattern = new RegExp(`^([0-9a-hjkmnp-tv-z]{26})(${Proof.shape})$`)

const claimOf = (environment: string, id: string): Proof.Claim => ({
  purpose: "authorisation",
  text: `${environment}\n${id}`
})

/** Creates the code that an approved login exchanges for tokens. Derived from the master key and never stored. */
export const write = (key: MasterKey, environment: string, id: string): string =>
  `${id.slice(4)}${Proof.make(key, claimOf(environment, id))}`

/** Parses a code; null when it is malformed. */
export const read = (code: string): CodeClaim | null => {
  const [, tail, proof] = pattern.exec(code) ?? []
  return tail === undefined || proof === undefined ? null : { id: `ver_${tail}`, proof }
}

/** Whether the code was made with this key, for this environment. */
export const isGenuine = (key: MasterKey, environment: string, { id, proof }: CodeClaim): boolean =>
  Proof.matches(key, claimOf(environment, id), proof)
