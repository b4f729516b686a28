import { filtersOf } from "../../address/filters.ts"
import type { Filters } from "../../address/filtersIn.ts"

export const filters = filtersOf.audit
export type Wanted = Filters<typeof filters>

/** The query for the service: all filters except the open entry. */
export const queryOf = ({ entry: _entry, ...rest }: Wanted) => rest
