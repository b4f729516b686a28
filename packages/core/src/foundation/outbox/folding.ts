import { Clock, Effect, Schedule, Schema } from "effect"
import type { Conflict } from "../storage/Conflict.ts"
import type { Contended } from "../storage/Contended.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import { type Instant, type Millis, seconds } from "../time/Instant.ts"
import { stopwatch } from "../time/steadyTime.ts"
import { FactStore } from "./FactStore.ts"
import * as JobKind from "./JobKind.ts"
import { type JobOutcome, Jobs } from "./Jobs.ts"
import { Outbox } from "./Outbox.ts"

/** A pass stops after this time to stay within its lease, and continues immediately. */
const longestLook = seconds(5)
/** How many environments one pass folds at the same time. */
const atOnce = 4

const Place = Schema.Struct({
  /** The last environment of a pass that stopped early. Omitted at the start of a round. */
  after: Schema.optionalKey(Schema.String)
})
type Place = typeof Place.Type

/** Which facts to fold, and how. */
export interface FoldingOptions {
  /** The name of its job kind. */
  readonly name: string
  readonly key: string
  /** The pause between two full rounds. */
  readonly every: Millis
  readonly longestPause: Millis
  /** The kinds of facts. */
  readonly kinds: ReadonlyArray<string>
  /** Folds the oldest facts of a kind. Returns whether there may be more. */
  readonly foldSome: (kind: string, environment: string) => Effect.Effect<boolean, Conflict | StoreError>
  /** Runs at the end of a round. */
  readonly done?: (now: Instant) => void
}

/**
 * Makes one pass: folds the environments after `after`, one group after the other, until the time is up. Returns the
 * environment at which it stopped; null at the end of the round. The rest of a very busy environment waits for the next
 * round, so one merchant's facts never delay those of others.
 */
export const makeLook = (
  facts: Pick<FactStore["Service"], "environments">,
  { foldSome, kinds }: Pick<FoldingOptions, "foldSome" | "kinds">
) =>
  Effect.fnUntraced(function* (after: string | null): Effect.fn.Return<string | null, Contended | StoreError> {
    const elapsed = yield* stopwatch
    const counts = yield* Effect.forEach(kinds, (kind) =>
      Effect.map(facts.environments(kind), (all) => all.map((environment) => ({ kind, environment })))
    )
    const byEnvironment = [...Map.groupBy(counts.flat(), ({ environment }) => environment)]
      .filter(([environment]) => after === null || environment > after)
      .sort(([a], [b]) => (a < b ? -1 : 1))

    const foldAll = Effect.fnUntraced(function* (kind: string, environment: string) {
      while (yield* untilCommitted(foldSome(kind, environment))) if (elapsed() >= longestLook) return
    })
    for (let at = 0; at < byEnvironment.length; at += atOnce) {
      const some = byEnvironment.slice(at, at + atOnce)
      yield* Effect.forEach(
        some,
        ([, ofEnvironment]) =>
          Effect.forEach(ofEnvironment, ({ environment, kind }) => foldAll(kind, environment), { discard: true }),
        { concurrency: atOnce, discard: true }
      )
      if (elapsed() >= longestLook) return some.at(-1)![0]
    }
    return null
  })

/** Folds facts into a sum: a single recurring job that any process may run. */
export const folding = Effect.fnUntraced(function* (options: FoldingOptions) {
  const facts = yield* FactStore
  const jobs = yield* Jobs
  const outbox = yield* Outbox
  const { done, every, key, longestPause, name } = options
  const kind = JobKind.make(name, Place, {
    mostFailures: null,
    backoff: { first: Math.min(every, seconds(5)), most: longestPause, spread: 0 }
  })
  const look = makeLook(facts, options)

  yield* jobs.handle(kind, ({ payload }) =>
    Effect.gen(function* () {
      const stoppedAt = yield* look(payload.after ?? null)
      const now = yield* Clock.currentTimeMillis
      if (stoppedAt === null) done?.(now)
      const next: Place = stoppedAt === null ? {} : { after: stoppedAt }
      const runAt = stoppedAt === null ? now + every : now
      const nextRun: JobOutcome = { _tag: "Later", runAt, reason: "continues", payload: next }
      return nextRun
    })
  )

  const add = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    outbox.addMissing({ jobs: [kind.job({ key, environment: "", payload: {}, runAt: now + every })], done: null })
  )
  yield* Effect.forkScoped(Effect.retry(add, Schedule.spaced("5 seconds")))
})
