import type { MasterKey } from "./Keyring.ts"
import * as Proof from "./Proof.ts"

/** What a code says, whether it is true or not. */
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

/** The code that an approved login is exchanged for: derived, as everything that opens something. */
export const write = (key: MasterKey, environment: string, id: string): string =>
  `${id.slice(4)}${Proof.make(key, claimOf(environment, id))}`

/** Takes a code apart; null for what is none. */
export const read = (code: string): CodeClaim | null => {
  const [, tail, proof] = pattern.exec(code) ?? []
  return tail === undefined || proof === undefined ? null : { id: `ver_${tail}`, proof }
}

/** Whether the code was made with this key, in this environment. */
export const isGenuine = (key: MasterKey, environment: string, { id, proof }: CodeClaim): boolean =>
  Proof.matches(key, claimOf(environment, id), proof)
