import type { Team } from "../../auth/staff/Team.ts"

/** Ids and turns for decisions about leads, handed out in the order of the calls. */
export interface Allocation {
  readonly leadId: () => number
  readonly turn: (team: Team) => number
  readonly open: (agentId: number) => number
  /** Counts one more open lead for an agent. */
  readonly took: (agentId: number) => void
  /** The id of a message's event. */
  readonly eventId: (messageId: string) => string
}

/** The ids and turns that a decision uses. `agents` are those whose open leads it compares. */
export interface AllocationNeeds {
  leads: number
  readonly turns: Map<number, number>
  readonly agents: Set<number>
}

/** An allocation that only counts. Run a decision with it first to learn what to fetch. */
export const counting = (): { readonly allocation: Allocation; readonly needs: AllocationNeeds } => {
  const needs: AllocationNeeds = { leads: 0, turns: new Map(), agents: new Set() }
  return {
    needs,
    allocation: {
      // Negative numbers, which no stored lead has, so that new leads differ from each other and from existing ones.
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

/** The ids, turns and counts fetched for a decision. */
export interface Fetched {
  readonly leadIds: ReadonlyArray<number>
  readonly turns: ReadonlyMap<number, ReadonlyArray<number>>
  readonly open: ReadonlyMap<number, number>
  readonly eventId: (messageId: string) => string
}

/** An allocation that hands out the fetched values, each id once. */
export const allocating = ({ eventId, leadIds, open, turns }: Fetched): Allocation => {
  let usedLeads = 0
  const usedTurns = new Map<number, number>()
  const counts = new Map(open)
  return {
    leadId: () => {
      const id = leadIds[usedLeads++]
      if (id === undefined) throw new RangeError("more leads than counted")
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
