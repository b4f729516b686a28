import * as SecretHash from "../../foundation/secret/SecretHash.ts"
import { type Instant, minutes } from "../../foundation/time/Instant.ts"
import type { Agent } from "./Agent.ts"
import { isSameMembership, membershipKey, type Opening, openingOf } from "./Opening.ts"
import type { PasskeyKey } from "./PasskeyVerifier.ts"

/** A passkey of a person. It belongs to the agents that it opens, each in one era, and not to the address. */
export interface Passkey extends PasskeyKey {
  /** The version this state was read at; 0 for one that nobody saved yet. */
  readonly version: number
  /** The one form of all spellings of its owner's address. */
  readonly canonical: string
  /** The agents that it signs in. */
  readonly opens: ReadonlyArray<Opening>
  /** The same for all passkeys of a person, and of nobody else. */
  readonly handle: string
  /** What its owner calls it. */
  readonly name: string
  readonly createdAt: Instant
  readonly lastUsedAt: Instant | null
  /** Hashes of the challenges that it has answered and that could still be answered again. */
  readonly answered: ReadonlyArray<{ readonly hash: string; readonly until: Instant }>
  /** From then on it opens nothing. Its id stays taken. */
  readonly removedAt: Instant | null
}

export const mostPasskeys = 20
/** How long a browser may take to answer. */
export const challengeLife = minutes(5)

const stillOpen = ({ answered }: Passkey, now: Instant) => answered.filter(({ until }) => until > now)

/** The passkey after it answered a challenge; null when it has answered that one before. */
export const usedFor = (passkey: Passkey, challenge: string, counter: number, now: Instant): Passkey | null => {
  const hash = SecretHash.hash(challenge)
  const open = stillOpen(passkey, now)
  return open.some((one) => one.hash === hash)
    ? null
    : { ...passkey, counter, lastUsedAt: now, answered: [...open, { hash, until: now + challengeLife }] }
}

/** How a passkey opens an agent as it is now; null when it does not. */
export const opens = (passkey: Passkey, agent: Agent): Opening | null => openingOf(passkey.opens, agent)

/** The openings of a passkey that are alive, given the agents of its address, with those of `added` that are among them. */
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

/** The passkey when it is taken away: nothing of it can be used, and it is not made again. */
export const removed = (passkey: Passkey, now: Instant): Passkey => ({
  ...passkey,
  publicKey: "",
  opens: [],
  answered: [],
  removedAt: now
})

/** The passkey without the openings for which `drops` holds; removed when it opens nothing else. */
export const without = (passkey: Passkey, drops: (opening: Opening) => boolean, now: Instant): Passkey => {
  const rest = passkey.opens.filter((opening) => !drops(opening))
  return rest.length === 0 ? removed(passkey, now) : { ...passkey, opens: rest }
}
