import { Effect } from "effect"
import type { Event } from "../../foundation/event/Event.ts"
import type { EventStore } from "../../foundation/event/EventStore.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { announcedAt } from "../../auth/verification/timeline.ts"
import type { Verification } from "../../auth/verification/Verification.ts"

const pageSize = 200
/** The limit within one millisecond: beyond it, an event may be missed. */
const mostPages = 10

const isOf = ({ data }: Event, requestId: string): boolean => "requestId" in data && data.requestId === requestId

/**
 * Finds the events of a verification without a stored list: an event's id begins with its time, and the verification
 * knows when its events occurred.
 */
export const makeFindEvents = (store: EventStore["Service"]) => {
  const at = Effect.fnUntraced(function* (
    { environment, id }: Verification,
    instant: Instant
  ): Effect.fn.Return<ReadonlyArray<Event>, StoreError> {
    const first = Identifier.first("evt", instant)
    let after: string | undefined = Identifier.first("evt", instant + 1)
    const matching: Array<Event> = []
    for (let page = 0; page < mostPages && after !== undefined; page++) {
      const events: ReadonlyArray<Event> = yield* store.list({ environment, type: null, after, limit: pageSize })
      const within = events.filter((event) => event.id >= first)
      matching.push(...within.filter((event) => isOf(event, id)))
      after = within.length === pageSize ? within.at(-1)?.id : undefined
    }
    return matching
  })

  return (verification: Verification) =>
    Effect.map(
      Effect.forEach(announcedAt(verification), (instant) => at(verification, instant)),
      (pages) => pages.flat().sort((a, b) => (a.id < b.id ? -1 : 1))
    )
}
