import { Clock, Effect } from "effect"
import { noRecords } from "../../foundation/outbox/Change.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import type { EventOf } from "../../foundation/event/Event.ts"
import type { GuardReason } from "../../foundation/guard/GuardReason.ts"
import { report, type Trip, type TripReport } from "../../foundation/guard/Trip.ts"
import { TripStore } from "./TripStore.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { type Instant, minutes, toIso } from "../../foundation/time/Instant.ts"
import { tripMailKind } from "./tripMail.ts"

/** Refusals of one reason since an instant. */
export interface Blocked {
  readonly count: number
  readonly since: Instant
}

/** An attack stops several places within seconds. One mail names them all. */
const mailAfter = minutes(1)

const trippedEvent = (trip: Trip, now: Instant): EventOf<"guard.tripped"> => ({
  id: Identifier.make("evt", now),
  environment: trip.environment,
  type: "guard.tripped",
  createdAt: now,
  data: {
    reason: trip.reason,
    place: trip.place,
    since: toIso(trip.since),
    until: toIso(trip.until),
    enforced: trip.enforced,
    codes: trip.codes,
    typed: trip.typed,
    cost: trip.price === null ? null : trip.price * trip.codes
  }
})

/** Stores what a process saw of trips, with their events and mails. */
export const makeTripLog = Effect.gen(function* () {
  const store = yield* TripStore
  const outbox = yield* Outbox
  const commit = yield* Outbox.committer(TripStore)

  return {
    /** Stores a report. Of several processes that saw one place trip, one announces it. Returns the stored trip. */
    store: (environment: string, seen: TripReport) =>
      untilCommitted(
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const stored = yield* store.get(environment, seen.reason, seen.place)
          const reported = report(environment, stored, seen, now)
          if (reported === null) return stored
          const { news, trip } = reported
          // One mail names all places that trip within the hour.
          const mail = tripMailKind.job({
            key: `guard-tripped:${environment}`,
            environment,
            payload: {},
            runAt: now + mailAfter
          })
          return yield* commit({
            ...noRecords,
            trip,
            events: news === null ? [] : [trippedEvent(trip, now)],
            jobs: news === "tripped" ? [mail] : []
          })
        })
      ),
    /** Announces refusals, one event for each reason. */
    blocked: Effect.fnUntraced(function* (environment: string, refusals: ReadonlyMap<GuardReason, Blocked>) {
      const now = yield* Clock.currentTimeMillis
      const events = [...refusals].map(
        ([reason, { count, since }]): EventOf<"guard.blocked"> => ({
          id: Identifier.make("evt", now),
          environment,
          type: "guard.blocked",
          createdAt: now,
          data: { reason, count, from: toIso(since), to: toIso(now) }
        })
      )
      yield* outbox.append({ events })
    })
  }
})
