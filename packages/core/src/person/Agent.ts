import { Role } from "../merchant/Role.ts"
import type { Instant } from "../time/Instant.ts"

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
  /** Who was removed is hidden, and the address is free for somebody else. The number is not. */
  readonly removedAt: Instant | null
  readonly createdAt: Instant
}

/** Whether leads can be given to them, and whether they may sign in. */
export const isActive = ({ removedAt, status }: Agent): boolean => removedAt === null && status === "ACTIVE"

/**
 * What an agent becomes, in another era where that ends their sessions: somebody active who is so no longer, another
 * role, another address. So a change and the end of the sessions are one commit, and who is made active again has none
 * of before. Somebody who was never active keeps the link that invited them, whatever role they are given meanwhile.
 */
export const inEra = (before: Agent, after: Agent): Agent => {
  const ends =
    before.canonical !== after.canonical ||
    after.removedAt !== null ||
    after.status === "SUSPENDED" ||
    (isActive(before) && (!isActive(after) || before.role !== after.role))
  return ends ? { ...after, era: before.era + 1 } : after
}
