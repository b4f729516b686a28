import { Cause, Clock, Context, Effect, Exit, FiberSet, Latch, Layer, Stream } from "effect"
import { describeCause } from "../secret/describeCause.ts"
import { Conflict } from "../storage/Conflict.ts"
import type { StoreError } from "../storage/StoreError.ts"
import * as Unsaid from "../storage/Unsaid.ts"
import { type Instant, type Millis, seconds } from "../time/Instant.ts"
import { Fresh } from "./Fresh.ts"
import { isLeased, type Job, type JobKind, type JobPayload, type LeasedJob, type NewJob } from "./Job.ts"
import { JobStore } from "./JobStore.ts"
import { Lanes } from "./Lanes.ts"

/** What became of a job. */
export type JobOutcome =
  /** The handler's own commit ended it, or put it off. `badly`: its receiver did not do its part. */
  | { readonly _tag: "Committed"; readonly badly?: boolean }
  | { readonly _tag: "Completed" }
  /** The work was not done, through no fault of its own, or goes on later: that is no failure. */
  | { readonly _tag: "Later"; readonly runAt: Instant; readonly reason: string; readonly payload?: JobPayload }
  /** The work failed, and is tried again. */
  | { readonly _tag: "Retry"; readonly runAt: Instant; readonly reason: string }
  | { readonly _tag: "Buried"; readonly reason: string }

/**
 * Does the work of one kind of job. It may run more than once for one job, after a crash even twice at once, so it is
 * written to be harmless when repeated. `fresh` is what this process knows from committing the job.
 */
export type JobHandler = (job: LeasedJob, fresh: Fresh) => Effect.Effect<JobOutcome, unknown>

/** How long nobody else takes a job that somebody works on. */
const lease: Millis = seconds(15)
/** Whoever works in a lane waits for somebody else's server. */
const laneLease: Millis = seconds(30)
const pollEvery: Millis = seconds(1)
const mostAtOnce = 512
const mostInLanes = 256
const mostPerClaim = 64
/** A handler that keeps failing unexpectedly gets this many tries, each later than the one before. */
const mostUnexpected = 20
const unexpectedBackoff = (failures: number): Millis => seconds(Math.min(60, 2 ** Math.min(failures, 6)))

/** Runs durable jobs: those this process has just committed at once, all others as they fall due. */
export class Jobs extends Context.Service<
  Jobs,
  {
    /** From now on this process works on jobs of that kind. */
    readonly handle: (kind: JobKind, handler: JobHandler) => Effect.Effect<void>
    /**
     * Has jobs committed, and starts in the background those that are due and that this process has room for: they are
     * committed as leased to it. `fresh` makes what their handlers know of what was stored.
     */
    readonly commit: <A, E>(
      jobs: ReadonlyArray<NewJob>,
      commit: (jobs: ReadonlyArray<NewJob>) => Effect.Effect<A, E>,
      fresh?: (stored: A) => Fresh
    ) => Effect.Effect<A, E>
  }
>()("@countersign/core/outbox/Jobs") {
  static readonly layer: Layer.Layer<Jobs, never, JobStore> = Layer.effect(
    Jobs,
    Effect.gen(function* () {
      const store = yield* JobStore
      const sayLater = yield* Unsaid.make
      const handlers = new Map<JobKind, JobHandler>()
      const fibers = yield* FiberSet.make<void>()
      const fork = yield* FiberSet.runtime(fibers)()
      const wake = Latch.makeUnsafe(false)
      const wakeLanes = Latch.makeUnsafe(false)
      const lanes = new Lanes()
      let running = 0
      let runningInLanes = 0

      const settle = (job: LeasedJob, outcome: JobOutcome): Effect.Effect<unknown, StoreError> => {
        switch (outcome._tag) {
          case "Committed":
            return Effect.void
          case "Completed":
            return store.complete(job)
          case "Later":
            return store.retry(job, { ...outcome, failures: job.failures })
          case "Retry":
            return store.retry(job, { ...outcome, failures: job.failures + 1 })
          case "Buried":
            return Effect.flatMap(Clock.currentTimeMillis, (now) => store.bury(job, now, outcome.reason))
        }
      }

      const unexpected = Effect.fnUntraced(function* (job: LeasedJob, cause: Cause.Cause<unknown>) {
        yield* Effect.logError("A job failed unexpectedly").pipe(
          Effect.annotateLogs({ kind: job.kind, key: job.key, failures: job.failures, ...describeCause(cause) })
        )
        const now = yield* Clock.currentTimeMillis
        const outcome: JobOutcome =
          job.failures + 1 >= mostUnexpected
            ? { _tag: "Buried", reason: "failed unexpectedly too often" }
            : { _tag: "Retry", runAt: now + unexpectedBackoff(job.failures + 1), reason: "failed unexpectedly" }
        return outcome
      })

      /** Takes a place for a job, if there is one. */
      const enter = (job: Job): boolean => {
        if (job.lane === undefined) {
          if (running >= mostAtOnce) return false
          running++
          return true
        }
        if (runningInLanes >= mostInLanes || !lanes.take(job.lane)) return false
        runningInLanes++
        return true
      }

      const leave = (job: Job, went: "well" | "badly" | "undone") => {
        if (job.lane === undefined) {
          if (running-- >= mostAtOnce) wake.openUnsafe()
          return
        }
        const waited = lanes.leave(job.lane, went)
        if (runningInLanes-- >= mostInLanes || waited) wakeLanes.openUnsafe()
      }

      const work = (job: LeasedJob, handler: JobHandler, fresh: Fresh): Effect.Effect<void> => {
        let went: "well" | "badly" | "undone" = "undone"
        return Effect.suspend(() => handler(job, fresh)).pipe(
          Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.interrupt : unexpected(job, cause))),
          Effect.flatMap((outcome) => {
            const good = outcome._tag === "Completed" || (outcome._tag === "Committed" && outcome.badly !== true)
            went = good ? "well" : "badly"
            // Nobody else can do anything about the job before the lease ends.
            return settle(job, outcome).pipe(
              Effect.catch((error) =>
                Effect.andThen(
                  Effect.logWarning("A job's result was not recorded yet", {
                    key: job.key,
                    operation: error.operation
                  }),
                  sayLater(settle(job, outcome), job.leasedUntil)
                )
              )
            )
          }),
          Effect.ensuring(Effect.sync(() => leave(job, went))),
          Effect.asVoid
        )
      }

      /** Begins work on jobs that have their places. */
      const start = (jobs: ReadonlyArray<NewJob>, fresh: Fresh) => {
        for (const job of jobs) {
          if (!isLeased(job)) continue
          const handler = handlers.get(job.kind)
          if (handler === undefined) leave(job, "undone")
          else fork(work(job, handler, fresh))
        }
      }

      const claim = Effect.gen(function* () {
        const limit = Math.min(mostPerClaim, mostAtOnce - running)
        if (limit <= 0 || handlers.size === 0) return pollEvery
        const kinds = [...handlers.keys()]
        const now = yield* Clock.currentTimeMillis
        const jobs = yield* store.claim({ kinds, limit, now, lease })
        running += jobs.length
        start(jobs, Fresh.none)
        if (jobs.length === limit) return 0
        const next = yield* store.nextRunAt(kinds)
        return next === null ? pollEvery : Math.min(pollEvery, Math.max(1, next - now))
      })

      const claimLanes = Effect.gen(function* () {
        const limit = Math.min(mostPerClaim, mostInLanes - runningInLanes)
        if (limit <= 0 || handlers.size === 0) return pollEvery
        const now = yield* Clock.currentTimeMillis
        const { rooms } = lanes
        const jobs = yield* store.claimLanes({
          kinds: [...handlers.keys()],
          limit,
          now,
          lease: laneLease,
          room: Lanes.usualRoom,
          rooms
        })
        runningInLanes += jobs.length
        const more = lanes.claimed(
          jobs.flatMap(({ lane }) => (lane === undefined ? [] : [lane])),
          rooms
        )
        start(jobs, Fresh.none)
        return more || jobs.length === limit ? 0 : pollEvery
      })

      const keepClaiming = (look: typeof claim, woken: Latch.Latch) =>
        look.pipe(
          Effect.catch((error) =>
            Effect.as(Effect.logWarning("Jobs could not be claimed", { operation: error.operation }), pollEvery)
          ),
          // Nobody else claims for this process.
          Effect.catchDefect((defect) =>
            Effect.as(Effect.logError("Jobs could not be claimed", describeCause(Cause.die(defect))), pollEvery)
          ),
          Effect.flatMap((wait) => (wait > 0 ? Effect.raceFirst(woken.await, Effect.sleep(wait)) : Effect.void)),
          Effect.andThen(Effect.sync(() => woken.closeUnsafe())),
          Effect.forever,
          Effect.forkScoped
        )

      const wakeAll = () => {
        wake.openUnsafe()
        wakeLanes.openUnsafe()
      }

      yield* Effect.addFinalizer(() => Effect.timeoutOption(FiberSet.awaitEmpty(fibers), "8 seconds"))
      yield* Effect.forkScoped(Stream.runForEach(store.wakeUps, () => Effect.sync(wakeAll)))
      yield* keepClaiming(claim, wake)
      yield* keepClaiming(claimLanes, wakeLanes)

      const leased = (job: NewJob, now: Instant): NewJob =>
        !isLeased(job) && job.runAt <= now && handlers.has(job.kind) && enter(job)
          ? { ...job, leasedUntil: now + (job.lane === undefined ? lease : laneLease), fence: 1, failures: 0 }
          : job

      /** A commit whose answer got lost may have been made: its jobs are leased to this process, and nobody does them. */
      const giveBack = (jobs: ReadonlyArray<NewJob>, cause: Cause.Cause<unknown>) =>
        Effect.forEach(
          jobs.filter(isLeased),
          (job) => {
            leave(job, "undone")
            if (Cause.squash(cause) instanceof Conflict) return Effect.void
            const reason = "the answer to its commit was lost"
            return sayLater(store.retry(job, { runAt: job.runAt, reason, failures: 0 }), job.leasedUntil)
          },
          { discard: true }
        )

      return Jobs.of({
        handle: (kind, handler) =>
          Effect.sync(() => {
            handlers.set(kind, handler)
            wakeAll()
          }),
        commit: (jobs, commit, fresh) =>
          jobs.length === 0
            ? commit([])
            : // No place that was taken may get lost on the way.
              Effect.uninterruptibleMask((restore) =>
                Effect.flatMap(Clock.currentTimeMillis, (now) => {
                  const ready = jobs.map((job) => leased(job, now))
                  return Effect.onExit(restore(Effect.suspend(() => commit(ready))), (exit) =>
                    Effect.suspend(() => {
                      if (Exit.isFailure(exit)) return giveBack(ready, exit.cause)
                      start(ready, fresh === undefined ? Fresh.none : fresh(exit.value))
                      return Effect.void
                    })
                  )
                })
              )
      })
    })
  )
}
