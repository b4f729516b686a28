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

/** A look that finds very much stops in time to keep its lease, and goes on at once. */
const longestLook = seconds(5)
/** So many environments are folded at once. */
const atOnce = 4

const Place = Schema.Struct({
  /** The last environment of a look that stopped before its end. Left out at the start of a round. */
  after: Schema.optionalKey(Schema.String)
})
type Place = typeof Place.Type

/** What is folded, and by what. */
export interface FoldingOptions {
  /** The name of the kind of its one job. */
  readonly name: string
  readonly key: string
  /** How long after a whole round the next one begins. */
  readonly every: Millis
  readonly longestPause: Millis
  /** The kinds of facts. */
  readonly kinds: ReadonlyArray<string>
  /** Folds the oldest facts of a kind; says whether there may be more. */
  readonly foldSome: (kind: string, environment: string) => Effect.Effect<boolean, Conflict | StoreError>
  /** Called when a round has come to its end. */
  readonly done?: (now: Instant) => void
}

/**
 * One look: folds environment by environment, those behind `after` first, until the time of a look is over. Answers the
 * environment it stopped at; null where the round is at its end. What is left of an environment with very much is folded
 * in the next round, so that one merchant's facts never keep those of others waiting.
 */
export const makeLook = (
  facts: Pick<FactStore["Service"], "environments">,
  { foldSome, kinds }: Pick<FoldingOptions, "foldSome" | "kinds">
) =>
  Effect.fnUntraced(function* (after: string | null): Effect.fn.Return<string | null, Contended | StoreError> {
    const elapsed = yield* stopwatch
    const found = yield* Effect.forEach(kinds, (kind) =>
      Effect.map(facts.environments(kind), (all) => all.map((environment) => ({ kind, environment })))
    )
    const byEnvironment = [...Map.groupBy(found.flat(), ({ environment }) => environment)]
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

/** Folds facts into a sum: one job that never ends and that every process has a hand in. */
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
      const again: JobOutcome = { _tag: "Later", runAt, reason: "goes on", payload: next }
      return again
    })
  )

  const add = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    outbox.addMissing({ jobs: [kind.job({ key, environment: "", payload: {}, runAt: now + every })], done: null })
  )
  yield* Effect.forkScoped(Effect.retry(add, Schedule.spaced("5 seconds")))
})
