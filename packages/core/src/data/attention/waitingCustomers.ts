import { Effect } from "effect"
import type { Caller } from "../../account/merchant/Caller.ts"
import { waitingSince } from "../../engagement/lead/Lead.ts"
import type { Leads } from "../../engagement/lead/Leads.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** Customers who wait for a reply. */
export interface WaitingCustomers {
  readonly count: number
  /** There may be more. */
  readonly atLeast: boolean
  readonly since: Instant
}

/** How many of the latest conversations are read. */
const read = 50

/** Counts the customers who wait for a reply, among the latest conversations. Null when nobody waits. */
export const waitingCustomers = Effect.fnUntraced(function* (leads: Leads["Service"], caller: Caller) {
  const { items, nextCursor } = yield* leads
    .list(caller, { limit: read })
    .pipe(Effect.catchTag(["InvalidField", "UnknownTeam"], Effect.die))
  const since = items.flatMap(({ lead }) => waitingSince(lead) ?? [])
  const found: WaitingCustomers | null =
    since.length === 0
      ? null
      : {
          count: since.length,
          atLeast: nextCursor !== null && since.length === items.length,
          since: Math.min(...since)
        }
  return found
})
