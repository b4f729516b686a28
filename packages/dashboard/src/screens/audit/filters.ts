import { type Filters, instant, oneOf, text } from "../../address/filtersIn.ts"

export const filters = {
  actor: text,
  action: text,
  target: text,
  environment: oneOf(["live", "test", "none"]),
  from: instant,
  to: instant,
  /** The one that is looked at. */
  entry: text
}
export type Wanted = Filters<typeof filters>

/** What the service is asked for: all but which one is looked at. */
export const queryOf = ({ entry: _entry, ...rest }: Wanted) => rest
