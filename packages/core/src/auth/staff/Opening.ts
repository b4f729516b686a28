import type { Agent } from "./Agent.ts"

/**
 * An agent of a merchant in one era. It ends when the agent is removed or suspended, or gets another role or address.
 */
export interface MembershipKey {
  readonly merchantId: string
  readonly agentId: number
  readonly era: number
}

/** An agent that a passkey or a provider's subject signs in. */
export interface Opening extends MembershipKey {
  /** False for a passkey made after a sign-in by link: its holder proved the address to that merchant only. */
  readonly proven: boolean
}

export const membershipKey = ({ era, id, merchantId }: Agent): MembershipKey => ({ merchantId, agentId: id, era })

export const isSameMembership = (a: MembershipKey, b: MembershipKey): boolean =>
  a.merchantId === b.merchantId && a.agentId === b.agentId && a.era === b.era

/** A credential's opening of an agent in its current era; null when it has none. */
export const openingOf = (opens: ReadonlyArray<Opening>, agent: Agent): Opening | null => {
  const membership = membershipKey(agent)
  return opens.find((opening) => isSameMembership(opening, membership)) ?? null
}
