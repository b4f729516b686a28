import { Clock, Effect, Layer, Result, Schedule, Schema } from "effect"
import { leadReferred } from "../lead/leadFacts.ts"
import type { Fact } from "../outbox/Fact.ts"
import { FactStore } from "../outbox/FactStore.ts"
import * as JobKind from "../outbox/JobKind.ts"
import { type JobOutcome, Jobs } from "../outbox/Jobs.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import { seconds } from "../time/Instant.ts"
import { stopwatch } from "../time/steadyTime.ts"
import { launchVerified } from "../verification/launchFacts.ts"
import { follow, leadTouch, verificationTouch } from "./attribute.ts"
import { AttributionStore } from "./AttributionStore.ts"
import type { Launch } from "./Launch.ts"
import type { Touch } from "./Touch.ts"

/** One look after another, by whichever process gets the job. */
const every = seconds(3)
/** A look that finds very much stops in time to keep its lease, and goes on at once. */
const longestLook = seconds(5)
const atOnce = 100

const key = "attribution"

const foldKind = JobKind.make("attribution.fold", Schema.Struct({}), {
  mostFailures: null,
  backoff: { first: seconds(3), most: seconds(3), spread: 0 }
})

const idOf = ({ at, environment, key, kind }: Fact) => ({ at, environment, key, kind })

/** Whatever a fact means; a launch that is not there any more led to nothing. */
const touchOf = (fact: Fact, launches: ReadonlyMap<string, Launch>): Result.Result<Touch | null, string> =>
  fact.kind === leadReferred.name
    ? Result.map(leadReferred.read(fact), (lead) => leadTouch(fact.environment, lead, fact.at))
    : Result.map(launchVerified.read(fact), ({ launchId, requestId }) => {
        const launch = launches.get(launchId)
        return launch === undefined ? null : verificationTouch(launch, requestId, fact.at)
      })

/**
 * Makes touches of what verifications and leads have left as facts. It is one job that never ends and that every process
 * has a hand in. The facts go with the commit that makes touches of them, and a touch is one however often it is made:
 * so each counts once. A launch that is erased meanwhile moves from the version that was seen, and the look is repeated.
 */
export const layer: Layer.Layer<never, never, AttributionStore | FactStore | Jobs | Outbox> = Layer.effectDiscard(
  Effect.gen(function* () {
    const facts = yield* FactStore
    const jobs = yield* Jobs
    const outbox = yield* Outbox
    const store = yield* AttributionStore
    const commit = yield* Outbox.door(AttributionStore)

    /** Folds the oldest facts of a kind; says whether there may be more. */
    const foldSome = Effect.fnUntraced(function* (kind: string, environment: string) {
      const found = yield* facts.list({ kind, environment, after: null, limit: atOnce })
      if (found.length === 0) return false
      const named = found.flatMap(({ value }) => (typeof value["launchId"] === "string" ? [value["launchId"]] : []))
      const launches = named.length === 0 ? [] : yield* store.launches(environment, named)
      const byId = new Map(launches.map((launch) => [launch.id, launch]))
      const touches: Array<Touch> = []
      for (const fact of found) {
        const touch = touchOf(fact, byId)
        if (Result.isFailure(touch)) {
          // What another version wrote would otherwise be in the way for ever.
          yield* Effect.logError("A fact could not be read and was left out of attribution", {
            environment,
            kind,
            key: fact.key
          })
        } else if (touch.success !== null) touches.push(touch.success)
      }
      yield* commit({ ...follow(touches, launches), folded: found.map(idOf) })
      return found.length === atOnce
    })

    /** Whether it stopped before the end. */
    const look = Effect.gen(function* () {
      const elapsed = yield* stopwatch
      for (const { name } of [launchVerified, leadReferred]) {
        for (const environment of yield* facts.environments(name)) {
          while (yield* untilCommitted(foldSome(name, environment))) {
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
