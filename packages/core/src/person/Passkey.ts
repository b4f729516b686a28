import * as SecretHash from "../secret/SecretHash.ts"
import { type Instant, minutes } from "../time/Instant.ts"
import type { PasskeyKey } from "./PasskeyVerifier.ts"

/** A passkey of somebody, whichever merchants they work for. */
export interface Passkey extends PasskeyKey {
  /** The version this state was read at; 0 for one that nobody saved yet. */
  readonly version: number
  /** Whose: the one form of all spellings of their address. */
  readonly canonical: string
  /**
   * The merchant that it opens alone, because who made it had shown to nobody else that the address is theirs; null for
   * one that opens whatever the address does.
   */
  readonly merchantId: string | null
  /** Whose account there, and what they were; null where `merchantId` is. */
  readonly agent: { readonly id: number; readonly era: number } | null
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

/** Somebody in a session, as far as their passkeys ask. */
export interface PasskeyHolder {
  readonly merchantId: string
  readonly agentId: number
  readonly era: number
  /** Whether they have shown, to this service, that the address is theirs. */
  readonly emailProven: boolean
}

/**
 * Whether one that was made after a link opens that account. Like the link it was given for what they were then: whoever
 * held it is not let in as what somebody with the address becomes.
 */
export const isBoundTo = (
  { agent, merchantId }: Pick<Passkey, "agent" | "merchantId">,
  holder: Omit<PasskeyHolder, "emailProven">
): boolean => merchantId === holder.merchantId && agent?.id === holder.agentId && agent.era === holder.era

/**
 * Whether a passkey of the same address is theirs. Whoever came by a link has shown the address to one merchant at most,
 * who may have written anybody's.
 */
export const isTheirs = (passkey: Passkey, holder: PasskeyHolder): boolean =>
  passkey.merchantId === null ? holder.emailProven : isBoundTo(passkey, holder)

/** The passkey when it is taken away: nothing of it can be used, and it is not made again. */
export const removed = (passkey: Passkey, now: Instant): Passkey => ({
  ...passkey,
  publicKey: "",
  answered: [],
  removedAt: now
})
