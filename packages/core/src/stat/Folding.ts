import { Clock, Effect, Layer, Schedule, Schema } from "effect"
import { FactStore } from "../outbox/FactStore.ts"
import * as JobKind from "../outbox/JobKind.ts"
import { type JobOutcome, Jobs } from "../outbox/Jobs.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import { seconds } from "../time/Instant.ts"
import { stopwatch } from "../time/steadyTime.ts"
import { kinds } from "./fold.ts"
import { makeFoldSome } from "./foldSome.ts"
import { makeStatMetrics } from "./StatMetrics.ts"
import { StatStore } from "./StatStore.ts"

/**
 * One look after another, by whichever process gets the job. What is not folded is read all the same, so nobody waits
 * for a look: they are seldom and take much at once, which costs storage the least.
 */
const every = seconds(10)
/** A look that finds very much stops in time to keep its lease, and goes on at once. */
const longestLook = seconds(5)

const key = "stat"

const foldKind = JobKind.make("stat.fold", Schema.Struct({}), {
  mostFailures: null,
  backoff: { first: seconds(5), most: seconds(10), spread: 0 }
})

/** Adds facts to the sums they belong to: one job that never ends and that every process has a hand in. */
export const layer: Layer.Layer<never, never, FactStore | Jobs | Outbox | StatStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const facts = yield* FactStore
    const jobs = yield* Jobs
    const outbox = yield* Outbox
    const store = yield* StatStore
    const commit = yield* Outbox.door(StatStore)

    const metrics = makeStatMetrics()
    const foldSome = makeFoldSome({ commit, facts, store, folded: metrics.count })

    /** Whether it stopped before the end. */
    const look = Effect.gen(function* () {
      const elapsed = yield* stopwatch
      for (const kind of kinds) {
        for (const environment of yield* facts.environments(kind)) {
          while (yield* untilCommitted(foldSome(kind, environment))) {
            if (elapsed() >= longestLook) return true
          }
        }
      }
      return false
    })

    yield* jobs.handle(foldKind, () =>
      Effect.gen(function* () {
        const stopped = yield* look
        const now = yield* Clock.currentTimeMillis
        if (!stopped) metrics.done(now)
        const again: JobOutcome = { _tag: "Later", runAt: stopped ? now : now + every, reason: "goes on" }
        return again
      })
    )

    const add = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      outbox.addMissing({ jobs: [foldKind.job({ key, environment: "", payload: {}, runAt: now + every })], done: null })
    )
    yield* Effect.forkScoped(Effect.retry(add, Schedule.spaced("5 seconds")))
  })
)
