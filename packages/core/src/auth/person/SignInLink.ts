import { hours, type Instant } from "../../foundation/time/Instant.ts"
import { type Agent, isActive } from "./Agent.ts"

/**
 * A link that signs somebody in, once. There is at most one of each agent: a new one takes the place of the one before,
 * used or not.
 */
export interface SignInLink {
  readonly merchantId: string
  /** The agent's number. */
  readonly id: number
  /** The version this state was read at; 0 for the agent's first. */
  readonly version: number
  /** The agent's when it was made. */
  readonly era: number
  /** SHA-256 of the token, which is in the link and nowhere else. */
  readonly hash: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly usedAt: Instant | null
}

/** How long a link waits, and one that a start prints beside the keys. */
export const linkLife = hours(72)
export const printedLinkLife = hours(1)

/** Whether a link signs its agent in, who becomes active by it if they were invited. */
export const isOpen = (link: SignInLink, agent: Agent, now: Instant): boolean =>
  link.usedAt === null &&
  now < link.expiresAt &&
  link.era === agent.era &&
  agent.removedAt === null &&
  (agent.status === "INVITED" || isActive(agent))
