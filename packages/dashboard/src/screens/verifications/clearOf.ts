import { setFilters } from "../../address/useFilters.ts"
import type { Wanted } from "./filters.ts"

/** Takes everything out of the address but which list it is. */
export const clearOf =
  ({ view: _view, ...rest }: Wanted) =>
  (): void =>
    setFilters(Object.fromEntries(Object.keys(rest).map((name) => [name, null])))
