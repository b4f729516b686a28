import type { Instant } from "../../foundation/time/Instant.ts"

export const TeamAssignment = ["OFF", "ROUND_ROBIN", "LEAST_OPEN"] as const
export type TeamAssignment = (typeof TeamAssignment)[number]

/** Agents of a merchant who share leads. */
export interface Team {
  readonly merchantId: string
  /** Counted from 1 in each merchant, and never reused. */
  readonly id: number
  /** The version this state was read at; 0 before the first save. */
  readonly version: number
  readonly name: string
  /** The canonical form of the name, unique within the merchant. */
  readonly canonical: string
  /** How unassigned leads of this team get an agent, at their first message and when they are reopened. */
  readonly assignment: TeamAssignment
  /** Ids of agents, in round-robin order. */
  readonly members: ReadonlyArray<number>
  /** Whether new and reopened leads without a team come here. At most one team of a merchant. */
  readonly takesNew: boolean
  /** A removed team is hidden, and its name is free. */
  readonly removedAt: Instant | null
  readonly createdAt: Instant
}
