import { filtersOf } from "../../address/filters.ts"
import type { Filters } from "../../address/filtersIn.ts"

export const filters = filtersOf.audit
export type Wanted = Filters<typeof filters>

/** What the service is asked for: all but which one is looked at. */
export const queryOf = ({ entry: _entry, ...rest }: Wanted) => rest
