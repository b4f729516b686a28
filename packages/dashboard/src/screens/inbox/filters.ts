import { filtersOf } from "../../address/filters.ts"
import { leadSearch } from "../../shell/searchDialog.ts"
import { isLabelSearch, searchedLabel } from "./labels.ts"
import type { Filters } from "../../address/filtersIn.ts"

export const filters = filtersOf.inbox
export type Wanted = Filters<typeof filters>

const states = { any: {}, closed: { status: "CLOSED" }, open: { status: "OPEN" } } as const

interface Around {
  readonly email: string
  readonly isMasked: boolean
  /** The labels; null while they load. Only a query by a label asks for them. */
  readonly labels: () => ReadonlyArray<{ readonly id: string; readonly name: string }> | null
}

/** The query of the list. Null while it needs labels that are not loaded. */
export const queryOf = ({ label: wanted, search: typed, status, team, view }: Wanted, around: Around) => {
  if (typed !== undefined && isLabelSearch(typed)) {
    const labels = around.labels()
    if (labels === null) return null
    const meant = searchedLabel(typed, labels)
    if (meant != null) return { label: meant.id }
  } else {
    const search = typed === undefined ? null : leadSearch(typed, around.isMasked)
    // A search has no further pages, so it asks for all that the service returns.
    if (search !== null) return { search, limit: 100 }
  }
  const labels = wanted === undefined ? [] : around.labels()
  if (labels === null) return null
  // The address may have a label that was removed.
  const label = labels.find(({ id }) => id === wanted)
  const narrowed = { ...(team === undefined ? {} : { team }), ...(label === undefined ? {} : { label: label.id }) }
  if (view === undefined) return { waitingOnly: true, ...narrowed }
  if (view === "snoozed") return { snoozedOnly: true, ...narrowed }
  return {
    ...states[status ?? "open"],
    ...(view === "mine" ? { assignedTo: around.email } : view === "unassigned" ? { unassignedOnly: true } : {}),
    ...narrowed
  }
}

/** The next or previous lead of a list, or the first when the lead is not in it. Null at the ends. */
export const beside = <L extends { readonly id: number }>(leads: ReadonlyArray<L>, id: number | null, step: 1 | -1) => {
  const at = leads.findIndex((lead) => lead.id === id)
  return (at === -1 ? leads[0] : leads[at + step])?.id ?? null
}
