import { Clock, Effect, Metric } from "effect"
import { seconds } from "../time/Instant.ts"
import { type SteadyInstant, steadyNow } from "../time/steadyTime.ts"
import { JobStore } from "./JobStore.ts"

const overdue = Metric.gauge("countersign_job_overdue_seconds", {
  description: "How long the oldest due job of a kind has waited for a worker"
})

/** The shortest interval between two queries by one process, however often metrics are read. */
const every = seconds(10)

/** Refreshes the age of the oldest due jobs. While storage is unreachable, the last values remain. */
export const makeOverdueJobs: Effect.Effect<Effect.Effect<void>, never, JobStore> = Effect.map(JobStore, (store) => {
  const known = new Set<string>()
  let askedAt: SteadyInstant = Number.NEGATIVE_INFINITY

  return Effect.gen(function* () {
    const steady = yield* steadyNow
    if (steady - askedAt < every) return
    askedAt = steady
    const now = yield* Clock.currentTimeMillis
    const found = new Map((yield* store.overdue(now)).map(({ kind, since }) => [kind, since]))
    for (const kind of found.keys()) known.add(kind)
    for (const kind of known) {
      const age = Math.max(0, now - (found.get(kind) ?? now)) / seconds(1)
      yield* Metric.update(Metric.withAttributes(overdue, { kind }), age)
    }
  }).pipe(Effect.timeout("1 second"), Effect.ignore)
})
