import type { Instant } from "../../foundation/time/Instant.ts"

export const TeamAssignment = ["OFF", "ROUND_ROBIN", "LEAST_OPEN"] as const
export type TeamAssignment = (typeof TeamAssignment)[number]

/** Some agents of a merchant who share leads. */
export interface Team {
  readonly merchantId: string
  /** Counted from 1 in each merchant, and never given to another. */
  readonly id: number
  /** The version this state was read at; 0 for one that nobody saved yet. */
  readonly version: number
  readonly name: string
  /** The one form of all spellings of the name; no other team of the merchant has it. */
  readonly canonical: string
  /** Who gets a lead of this team that nobody owns, at its first message and when it is reopened. */
  readonly assignment: TeamAssignment
  /** Ids of agents, in the order in which turns go round. */
  readonly members: ReadonlyArray<number>
  /** Whether new and reopened leads without a team come here. At most one team of a merchant. */
  readonly takesNew: boolean
  /** One that was removed is hidden, and its name is free. */
  readonly removedAt: Instant | null
  readonly createdAt: Instant
}
