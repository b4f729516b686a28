import type { Agent } from "./Agent.ts"

/** An agent of a merchant in one era. It ends when the agent is removed or suspended, or gets another role or address. */
export interface MembershipKey {
  readonly merchantId: string
  readonly agentId: number
  readonly era: number
}

/** An agent that a passkey or a provider's subject signs in. */
export interface Opening extends MembershipKey {
  /** False for a passkey that was made after a link: its holder showed the address to that merchant alone. */
  readonly proven: boolean
}

export const membershipKey = ({ era, id, merchantId }: Agent): MembershipKey => ({ merchantId, agentId: id, era })

export const isSameMembership = (a: MembershipKey, b: MembershipKey): boolean =>
  a.merchantId === b.merchantId && a.agentId === b.agentId && a.era === b.era

/** How a credential opens an agent as it is now; null when it does not. */
export const openingOf = (opens: ReadonlyArray<Opening>, agent: Agent): Opening | null => {
  const membership = membershipKey(agent)
  return opens.find((opening) => isSameMembership(opening, membership)) ?? null
}
