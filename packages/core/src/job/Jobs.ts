import { Cause, Clock, Context, Effect, FiberSet, Latch, Layer, Stream } from "effect"
import { type Instant, type Millis, seconds } from "../time/Instant.ts"
import { isLeased, type JobKind, type LeasedJob, type NewJob } from "./Job.ts"
import { describeCause } from "../secret/describeCause.ts"
import { JobStore } from "./JobStore.ts"

/** What became of a job. */
export type JobOutcome =
  /** The handler's own commit ended it. */
  | { readonly _tag: "Committed" }
  | { readonly _tag: "Completed" }
  | { readonly _tag: "Retry"; readonly runAt: Instant; readonly reason: string }
  | { readonly _tag: "Buried"; readonly reason: string }

/**
 * Does the work of one kind of job. It may run more than once for one job, after a crash even twice at once, so it is
 * written to be harmless when repeated. `hint` is whatever the process that made the job already knew.
 */
export type JobHandler = (job: LeasedJob, hint: unknown) => Effect.Effect<JobOutcome, unknown>

/** How long nobody else takes a job that somebody works on. */
const lease: Millis = seconds(15)
const pollEvery: Millis = seconds(1)
const mostAtOnce = 512
const mostPerClaim = 64
/** A handler that keeps failing unexpectedly gets this many tries, each later than the one before. */
const mostUnexpected = 20
const unexpectedBackoff = (attempt: number): Millis => seconds(Math.min(60, 2 ** Math.min(attempt, 6)))

/** Runs durable jobs: those this process has just committed at once, all others as they fall due. */
export class Jobs extends Context.Service<
  Jobs,
  {
    /** From now on this process works on jobs of that kind. */
    readonly handle: (kind: JobKind, handler: JobHandler) => Effect.Effect<void>
    /** Marks jobs as leased to this process, if it has room for them: then it must `start` them after the commit. */
    readonly lease: (jobs: ReadonlyArray<NewJob>, now: Instant) => ReadonlyArray<NewJob>
    /** Starts the leased ones among committed jobs, in the background. */
    readonly start: (jobs: ReadonlyArray<NewJob>, hint: unknown) => void
  }
>()("@countersign/core/job/Jobs") {
  static readonly layer: Layer.Layer<Jobs, never, JobStore> = Layer.effect(
    Jobs,
    Effect.gen(function* () {
      const store = yield* JobStore
      const handlers = new Map<JobKind, JobHandler>()
      const fibers = yield* FiberSet.make<void>()
      const fork = yield* FiberSet.runtime(fibers)()
      const wake = Latch.makeUnsafe(false)
      let running = 0

      const settle = (job: LeasedJob, outcome: JobOutcome) => {
        switch (outcome._tag) {
          case "Committed":
            return Effect.void
          case "Completed":
            return store.complete(job)
          case "Retry":
            return store.retry(job, outcome.runAt, outcome.reason)
          case "Buried":
            return Effect.flatMap(Clock.currentTimeMillis, (now) => store.bury(job, now, outcome.reason))
        }
      }

      const unexpected = Effect.fnUntraced(function* (job: LeasedJob, cause: Cause.Cause<unknown>) {
        yield* Effect.logError("A job failed unexpectedly").pipe(
          Effect.annotateLogs({ kind: job.kind, key: job.key, attempt: job.attempt, ...describeCause(cause) })
        )
        const now = yield* Clock.currentTimeMillis
        const outcome: JobOutcome =
          job.attempt >= mostUnexpected
            ? { _tag: "Buried", reason: "failed unexpectedly too often" }
            : { _tag: "Retry", runAt: now + unexpectedBackoff(job.attempt), reason: "failed unexpectedly" }
        return outcome
      })

      const work = (job: LeasedJob, handler: JobHandler, hint: unknown): Effect.Effect<void> =>
        handler(job, hint).pipe(
          Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.interrupt : unexpected(job, cause))),
          Effect.flatMap((outcome) => settle(job, outcome)),
          // The lease runs out and somebody tries again.
          Effect.catch((error) =>
            Effect.logWarning("A job's result was not recorded", { key: job.key, operation: error.operation })
          ),
          Effect.ensuring(
            Effect.sync(() => {
              if (running-- >= mostAtOnce) wake.openUnsafe()
            })
          ),
          Effect.asVoid
        )

      const start = (jobs: ReadonlyArray<NewJob>, hint: unknown) => {
        for (const job of jobs) {
          const handler = handlers.get(job.kind)
          if (!isLeased(job) || handler === undefined) continue
          running++
          fork(work(job, handler, hint))
        }
      }

      const claim = Effect.gen(function* () {
        const limit = Math.min(mostPerClaim, mostAtOnce - running)
        if (limit <= 0 || handlers.size === 0) return pollEvery
        const kinds = [...handlers.keys()]
        const now = yield* Clock.currentTimeMillis
        const jobs = yield* store.claim({ kinds, limit, now, lease })
        start(jobs, undefined)
        if (jobs.length === limit) return 0
        const next = yield* store.nextRunAt(kinds)
        return next === null ? pollEvery : Math.min(pollEvery, Math.max(1, next - now))
      }).pipe(
        Effect.catch((error) =>
          Effect.as(Effect.logWarning("Jobs could not be claimed", { operation: error.operation }), pollEvery)
        )
      )

      yield* Effect.addFinalizer(() => Effect.timeoutOption(FiberSet.awaitEmpty(fibers), "8 seconds"))
      yield* Effect.forkScoped(Stream.runForEach(store.wakeUps, () => Effect.sync(() => wake.openUnsafe())))
      yield* Effect.forkScoped(
        Effect.forever(
          Effect.gen(function* () {
            const wait = yield* claim
            if (wait > 0) yield* Effect.raceFirst(wake.await, Effect.sleep(wait))
            wake.closeUnsafe()
          })
        )
      )

      return Jobs.of({
        handle: (kind, handler) =>
          Effect.sync(() => {
            handlers.set(kind, handler)
            wake.openUnsafe()
          }),
        lease: (jobs, now) =>
          jobs.map((job) =>
            job.runAt <= now && running < mostAtOnce && handlers.has(job.kind)
              ? { ...job, leasedUntil: now + lease, attempt: 1 }
              : job
          ),
        start
      })
    })
  )
}
