import { hours, type Instant } from "../../foundation/time/Instant.ts"
import { type Agent, isActive } from "./Agent.ts"

/**
 * A link that signs a person in, once. Each agent has at most one: a new link replaces the previous link, used or not.
 */
export interface SignInLink {
  readonly merchantId: string
  /** The agent's number. */
  readonly id: number
  /** The version this state was read at; 0 for the agent's first. */
  readonly version: number
  /** The agent's era when the link was made. */
  readonly era: number
  /** SHA-256 of the token. Only the link has the token itself. */
  readonly hash: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly usedAt: Instant | null
}

/** How long a link is valid, and how long the link that a start prints beside the keys. */
export const linkLife = hours(72)
export const printedLinkLife = hours(1)

/** Whether a link signs its agent in. An invited agent becomes active by it. */
export const isOpen = (link: SignInLink, agent: Agent, now: Instant): boolean =>
  link.usedAt === null &&
  now < link.expiresAt &&
  link.era === agent.era &&
  agent.removedAt === null &&
  (agent.status === "INVITED" || isActive(agent))
