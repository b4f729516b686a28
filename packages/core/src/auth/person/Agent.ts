import { type Acting, actingRole } from "../../account/merchant/Caller.ts"
import { atLeast, Role } from "../../account/merchant/Role.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

export const AgentRole = Role
export type AgentRole = Role

export const AgentStatus = ["INVITED", "ACTIVE", "SUSPENDED"] as const
export type AgentStatus = (typeof AgentStatus)[number]

/** Somebody who works for a merchant: the same person in all of its environments. */
export interface Agent {
  readonly merchantId: string
  /** Counted from 1 in each merchant, and never given to anybody else. */
  readonly id: number
  /** The version this state was read at; 0 for one that nobody saved yet. */
  readonly version: number
  /** As it was written. */
  readonly email: string
  /** The one form of all its spellings, by which they are found; nobody else of the merchant has it. */
  readonly canonical: string
  readonly role: AgentRole
  readonly status: AgentStatus
  /** Moves with everything that ends what was let in before: sessions and links of an earlier era open nothing. */
  readonly era: number
  /**
   * When the person of this address first signed in here with a code, a passkey or a provider; null while they have not.
   * A merchant can write down anybody's address, and redeem its own link: neither makes this merchant theirs.
   */
  readonly agreedAt: Instant | null
  /** Who was removed is hidden, and the address is free for somebody else. The number is not. */
  readonly removedAt: Instant | null
  readonly createdAt: Instant
}

/** Whether leads can be given to them, and whether they may sign in. */
export const isActive = ({ removedAt, status }: Agent): boolean => removedAt === null && status === "ACTIVE"

/**
 * What an agent becomes, in another era where that ends what let them in before: another role, another address, no
 * longer active. So a change and the end of the sessions are one commit, and who is made active again has none of
 * before. A link of an earlier era is of no use either: whoever holds it was not given it for what they are now.
 */
export const inEra = (before: Agent, after: Agent): Agent => {
  const ends =
    before.canonical !== after.canonical ||
    before.role !== after.role ||
    after.removedAt !== null ||
    after.status === "SUSPENDED" ||
    (isActive(before) && !isActive(after))
  const agreedAt = before.canonical === after.canonical ? after.agreedAt : null
  return ends ? { ...after, agreedAt, era: before.era + 1 } : after
}

/**
 * Whether a caller may act for an agent who has worked here already: give out a link that signs in as them, or change the
 * address that their codes go to. An owner, signed in, and the operator may; for an admin it would be the way into a
 * colleague's account.
 */
export const mayActFor = (by: Acting): boolean => actingRole(by) === "OWNER"

/** Whether a caller may make and change agents of these roles: those up to the role that the caller acts with. */
export const withinOwnRole = (by: Acting, roles: ReadonlyArray<AgentRole>): boolean => {
  const own = actingRole(by)
  return roles.every((role) => atLeast(own, role))
}
