import { setFilters } from "../../address/useFilters.ts"
import { filters, type Wanted } from "./filters.ts"

/** Clears all filters except the selected list. */
export const clearOf =
  ({ view: _view, ...rest }: Wanted) =>
  (): void =>
    setFilters(filters, Object.fromEntries(Object.keys(rest).map((name) => [name, null])))
