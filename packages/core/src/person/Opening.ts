import type { Instant } from "../time/Instant.ts"
import type { Agent } from "./Agent.ts"

/** An agent of a merchant in one era. It ends when the agent is removed or suspended, or gets another role or address. */
export interface Membership {
  readonly merchantId: string
  readonly agentId: number
  readonly era: number
}

/** An agent that a passkey or a provider's subject signs in. */
export interface Opening extends Membership {
  /** False for a passkey that was made after a link: its holder showed the address to that merchant alone. */
  readonly proven: boolean
}

export const membershipOf = ({ era, id, merchantId }: Agent): Membership => ({ merchantId, agentId: id, era })

export const isSameMembership = (a: Membership, b: Membership): boolean =>
  a.merchantId === b.merchantId && a.agentId === b.agentId && a.era === b.era

/**
 * Whether an agent certainly is what it was at an instant: it existed, and no change has ended an era of it. For what was
 * stored before sign-ins kept the list of agents that they reach.
 */
export const isUnchangedSince = ({ createdAt, era }: Agent, at: Instant): boolean => era === 0 && createdAt <= at

/** What was stored of the agents that a credential opens; null in one stored before the list was kept. */
export interface Opener {
  readonly canonical: string
  readonly opens: ReadonlyArray<Opening> | null
}

/** How a credential made at `since` opens an agent as it is now; null when it does not. */
export const openingOf = ({ canonical, opens }: Opener, since: Instant, agent: Agent): Opening | null => {
  const membership = membershipOf(agent)
  if (opens !== null) return opens.find((opening) => isSameMembership(opening, membership)) ?? null
  return agent.canonical === canonical && isUnchangedSince(agent, since) ? { ...membership, proven: true } : null
}
