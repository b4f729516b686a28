import type { MasterKey } from "./Keyring.ts"
import * as Proof from "./Proof.ts"

/** The verification that a link names. */
export interface LinkOwner {
  readonly environment: string
  /** `ver_…` */
  readonly id: string
}

/** The content of a token, not yet verified. */
export interface LinkClaim extends LinkOwner {
  readonly proof: string
}

const pattern = new RegExp(`^([A-Za-z0-9_]{1,64})\\.([0-9a-hjkmnp-tv-z]{26})\\.(${Proof.shape})$`)

/**
 * The stand-in for a malformed token. The lookup runs all the same, so a truncated link takes as long as a valid one.
 */
const nobody: LinkClaim = { environment: "none", id: `ver_${"0".repeat(26)}`, proof: "0".repeat(26) }

const claimOf = ({ environment, id }: LinkOwner): Proof.Claim => ({ purpose: "link", text: `${environment}\n${id}` })

/**
 * Creates a link token: the verification, and 130 bits that only the master key can derive for it. Never stored. It
 * ends in a letter or digit, so that programs that detect links in text include all of it.
 */
export const write = (key: MasterKey, owner: LinkOwner): string =>
  `${owner.environment}.${owner.id.slice(4)}.${Proof.make(key, claimOf(owner))}`

/** Parses a token. A truncated or malformed one names a verification that does not exist. */
export const read = (token: string): LinkClaim => {
  const [, environment, tail, proof] = pattern.exec(token) ?? []
  return environment === undefined || tail === undefined || proof === undefined
    ? nobody
    : { environment, id: `ver_${tail}`, proof }
}

/** Whether the token was made with this key. */
export const isGenuine = (key: MasterKey, claim: LinkClaim): boolean => Proof.matches(key, claimOf(claim), claim.proof)
