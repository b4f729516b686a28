import { filtersOf } from "../../address/filters.ts"
import { leadSearch } from "../../shell/searchDialog.ts"
import type { Filters } from "../../address/filtersIn.ts"

export const filters = filtersOf.inbox
export type Wanted = Filters<typeof filters>

const states = { any: {}, closed: { status: "CLOSED" }, open: { status: "OPEN" } } as const

export const queryOf = ({ search: typed, status, team, view }: Wanted, email: string, isMasked: boolean) => {
  const search = typed === undefined ? null : leadSearch(typed, isMasked)
  // A search has no further pages, so it asks for all that the service returns.
  if (search !== null) return { search, limit: 100 }
  const inTeam = team === undefined ? {} : { team }
  if (view === undefined) return { waitingOnly: true, ...inTeam }
  if (view === "snoozed") return { snoozedOnly: true, ...inTeam }
  return {
    ...states[status ?? "open"],
    ...(view === "mine" ? { assignedTo: email } : view === "unassigned" ? { unassignedOnly: true } : {}),
    ...inTeam
  }
}

/** The next or previous lead of a list, or the first when the lead is not in it. Null at the ends. */
export const beside = <L extends { readonly id: number }>(leads: ReadonlyArray<L>, id: number | null, step: 1 | -1) => {
  const at = leads.findIndex((lead) => lead.id === id)
  return (at === -1 ? leads[0] : leads[at + step])?.id ?? null
}
