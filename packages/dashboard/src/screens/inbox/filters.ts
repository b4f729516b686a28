import { filtersOf } from "../../address/filters.ts"
import type { Filters } from "../../address/filtersIn.ts"

export const filters = filtersOf.inbox
export type Wanted = Filters<typeof filters>

/** A name needs two letters to be searched for. */
const shortest = 2

export const queryOf = ({ search, status, team, whose }: Wanted, email: string) => {
  if (search !== undefined && search.trim().length >= shortest) return { search: search.trim() }
  const state = status === undefined ? "OPEN" : status === "closed" ? "CLOSED" : undefined
  return {
    ...(state === undefined ? {} : ({ status: state } as const)),
    ...(whose === "mine" ? { assignedTo: email } : whose === "nobody" ? { unassignedOnly: true } : {}),
    ...(team === undefined ? {} : { team })
  }
}

/** The lead beside one in a list; the first where it is not in it. Null at the ends. */
export const beside = <L extends { readonly id: number }>(leads: ReadonlyArray<L>, id: number | null, step: 1 | -1) => {
  const at = leads.findIndex((lead) => lead.id === id)
  return (at === -1 ? leads[0] : leads[at + step])?.id ?? null
}
