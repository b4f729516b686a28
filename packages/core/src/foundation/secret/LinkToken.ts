import type { MasterKey } from "./Keyring.ts"
import * as Proof from "./Proof.ts"

/** A verification as a link names it. */
export interface LinkOwner {
  readonly environment: string
  /** `ver_…` */
  readonly id: string
}

/** What a token says, whether it is true or not. */
export interface LinkClaim extends LinkOwner {
  readonly proof: string
}

const pattern = new RegExp(`^([A-Za-z0-9_]{1,64})\\.([0-9a-hjkmnp-tv-z]{26})\\.(${Proof.shape})$`)

/** What is looked for when a token says nothing, so that a cut link takes the time of a whole one. */
const nobody: LinkClaim = { environment: "none", id: `ver_${"0".repeat(26)}`, proof: "0".repeat(26) }

const claimOf = ({ environment, id }: LinkOwner): Proof.Claim => ({ purpose: "link", text: `${environment}\n${id}` })

/**
 * The token of a link: whose it is, and 130 bits that only the master key can make for them. Nothing of it is stored. It
 * ends in a letter or digit, so that whatever finds links in texts takes all of it.
 */
export const write = (key: MasterKey, owner: LinkOwner): string =>
  `${owner.environment}.${owner.id.slice(4)}.${Proof.make(key, claimOf(owner))}`

/** Takes a token apart. One that is cut, or none at all, names a verification that does not exist. */
export const read = (token: string): LinkClaim => {
  const [, environment, tail, proof] = pattern.exec(token) ?? []
  return environment === undefined || tail === undefined || proof === undefined
    ? nobody
    : { environment, id: `ver_${tail}`, proof }
}

/** Whether the token was made with this key. */
export const isGenuine = (key: MasterKey, claim: LinkClaim): boolean => Proof.matches(key, claimOf(claim), claim.proof)
