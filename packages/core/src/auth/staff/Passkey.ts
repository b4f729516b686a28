import * as SecretHash from "../../foundation/secret/SecretHash.ts"
import { type Instant, minutes } from "../../foundation/time/Instant.ts"
import type { Agent } from "./Agent.ts"
import { isSameMembership, membershipKey, type Opening, openingOf } from "./Opening.ts"
import type { PasskeyKey } from "./PasskeyVerifier.ts"

/** A passkey of a person. It belongs to the agents that it opens, each in one era, and not to the address. */
export interface Passkey extends PasskeyKey {
  /** The version this state was read at; 0 before the first save. */
  readonly version: number
  /** The canonical form of its owner's address. */
  readonly canonical: string
  /** The agents that it signs in. */
  readonly opens: ReadonlyArray<Opening>
  /** The same for all passkeys of a person, and unique to that person. */
  readonly handle: string
  /** The name that its owner gave it. */
  readonly name: string
  readonly createdAt: Instant
  readonly lastUsedAt: Instant | null
  /** Hashes of answered challenges that have not expired yet. */
  readonly answered: ReadonlyArray<{ readonly hash: string; readonly until: Instant }>
  /** From this instant it opens nothing. Its id stays taken. */
  readonly removedAt: Instant | null
}

export const mostPasskeys = 20
/** How long a browser may take to answer. */
export const challengeLife = minutes(5)

const stillOpen = ({ answered }: Passkey, now: Instant) => answered.filter(({ until }) => until > now)

/** The passkey after it answered a challenge; null for a repeated answer. */
export const usedFor = (passkey: Passkey, challenge: string, counter: number, now: Instant): Passkey | null => {
  const hash = SecretHash.hash(challenge)
  const open = stillOpen(passkey, now)
  return open.some((one) => one.hash === hash)
    ? null
    : { ...passkey, counter, lastUsedAt: now, answered: [...open, { hash, until: now + challengeLife }] }
}

/** The passkey's opening of an agent in its current era; null when it has none. */
export const opens = (passkey: Passkey, agent: Agent): Opening | null => openingOf(passkey.opens, agent)

/** The live openings of a passkey among the agents of its address, including those from `added`. */
export const openedBy = (
  passkey: Passkey,
  agents: ReadonlyArray<Agent>,
  added: ReadonlyArray<Opening>
): ReadonlyArray<Opening> =>
  agents.flatMap((agent) => {
    const known = opens(passkey, agent)
    const next = added.find((opening) => isSameMembership(opening, membershipKey(agent)))
    return known?.proven === true ? [known] : (next ?? known ?? [])
  })

/** The removed passkey: nothing can use it, and its id cannot be registered again. */
export const removed = (passkey: Passkey, now: Instant): Passkey => ({
  ...passkey,
  publicKey: "",
  opens: [],
  answered: [],
  removedAt: now
})

/** The passkey without the openings for which `drops` holds; removed when no opening is left. */
export const without = (passkey: Passkey, drops: (opening: Opening) => boolean, now: Instant): Passkey => {
  const rest = passkey.opens.filter((opening) => !drops(opening))
  return rest.length === 0 ? removed(passkey, now) : { ...passkey, opens: rest }
}
