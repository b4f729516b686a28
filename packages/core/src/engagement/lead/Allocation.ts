import type { Team } from "../../auth/person/Team.ts"

/** Numbers and turns that decisions about leads take, in the order in which they ask. */
export interface Allocation {
  readonly leadId: () => number
  readonly turn: (team: Team) => number
  readonly open: (agentId: number) => number
  /** An agent is given one more open lead. */
  readonly took: (agentId: number) => void
  /** What the event of a message is called. */
  readonly eventId: (messageId: string) => string
}

/** How many of each a decision takes. Agents are those whose open leads are compared. */
export interface AllocationNeeds {
  leads: number
  readonly turns: Map<number, number>
  readonly agents: Set<number>
}

/** Takes nothing from anywhere, and counts what would be taken: how a decision is asked what it needs. */
export const counting = (): { readonly allocation: Allocation; readonly needs: AllocationNeeds } => {
  const needs: AllocationNeeds = { leads: 0, turns: new Map(), agents: new Set() }
  return {
    needs,
    allocation: {
      // Numbers that no lead has: those who are new must not be taken for each other, nor for anybody.
      leadId: () => -++needs.leads,
      turn: ({ id }) => {
        const turns = (needs.turns.get(id) ?? 0) + 1
        needs.turns.set(id, turns)
        return turns
      },
      open: (agentId) => {
        needs.agents.add(agentId)
        return 0
      },
      took: () => {},
      eventId: () => ""
    }
  }
}

/** What was fetched for a decision. */
export interface Fetched {
  readonly leadIds: ReadonlyArray<number>
  readonly turns: ReadonlyMap<number, ReadonlyArray<number>>
  readonly open: ReadonlyMap<number, number>
  readonly eventId: (messageId: string) => string
}

/** Gives out what was fetched, each number once. */
export const allocating = ({ eventId, leadIds, open, turns }: Fetched): Allocation => {
  let usedLeads = 0
  const usedTurns = new Map<number, number>()
  const counts = new Map(open)
  return {
    leadId: () => {
      const id = leadIds[usedLeads++]
      if (id === undefined) throw new RangeError("more leads than were counted")
      return id
    },
    turn: ({ id }) => {
      const used = usedTurns.get(id) ?? 0
      usedTurns.set(id, used + 1)
      return turns.get(id)?.[used] ?? 1
    },
    open: (agentId) => counts.get(agentId) ?? 0,
    took: (agentId) => void counts.set(agentId, (counts.get(agentId) ?? 0) + 1),
    eventId
  }
}
