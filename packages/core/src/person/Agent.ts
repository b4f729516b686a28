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
  /** Who was removed is hidden, and the address is free for somebody else. The number is not. */
  readonly removedAt: Instant | null
  readonly createdAt: Instant
}

/** Whether leads can be given to them. */
export const isActive = ({ removedAt, status }: Agent): boolean => removedAt === null && status === "ACTIVE"
