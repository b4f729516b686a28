import { Effect } from "effect"
import type { LeadStore } from "./LeadStore.ts"
import type { Fetched, AllocationNeeds } from "./Allocation.ts"

/**
 * Agents with this many open leads or more count as equally busy. A higher limit would make each new lead more
 * expensive.
 */
const mostCounted = 1_000

/** Fetches what a decision needs: ids for new leads, turns of teams, and agents' numbers of open leads. */
export const fetchAllocation = Effect.fnUntraced(function* (
  store: LeadStore["Service"],
  environment: string,
  needs: AllocationNeeds
) {
  const leadIds: Array<number> = []
  while (leadIds.length < needs.leads) leadIds.push(yield* store.next(environment, "lead"))
  const turns = new Map<number, ReadonlyArray<number>>()
  for (const [teamId, count] of needs.turns) {
    const taken: Array<number> = []
    while (taken.length < count) taken.push(yield* store.next(environment, `team:${teamId}`))
    turns.set(teamId, taken)
  }
  const open =
    needs.agents.size === 0
      ? new Map<number, number>()
      : yield* store.openLeads(environment, [...needs.agents], mostCounted)
  const fetched: Omit<Fetched, "eventId"> = { leadIds, turns, open }
  return fetched
})
