import { Cause, Clock, Context, Effect, Exit, FiberSet, Layer, Random, Result, Stream } from "effect"
import type { Contended } from "../storage/Contended.ts"
import { describeCause } from "../secret/describeCause.ts"
import { Conflict } from "../storage/Conflict.ts"
import { isAway, logStoreError } from "../storage/logStoreError.ts"
import type { StoreError } from "../storage/StoreError.ts"
import * as RetryLater from "../storage/RetryLater.ts"
import { untilRecorded } from "../storage/untilRecorded.ts"
import type { ClockStore } from "../storage/ClockStore.ts"
import { type Instant, type Millis, minutes, seconds } from "../time/Instant.ts"
import * as Timekeeper from "../storage/Timekeeper.ts"
import { JustCommitted } from "./JustCommitted.ts"
import { Gate, type LaneSignal } from "./Gate.ts"
import { isLeased, type Job, type JobPayload, type LeasedJob, type NewJob } from "./Job.ts"
import { backoff, type JobKind } from "./JobKind.ts"
import { JobStore } from "./JobStore.ts"
import { PollTimer } from "./PollTimer.ts"

/** The outcome of a job. */
export type JobOutcome =
  /** The handler's own commit finished or rescheduled the job. `badly`: its receiver failed. */
  | { readonly _tag: "Committed"; readonly badly?: boolean }
  | { readonly _tag: "Completed" }
  /** The job was not at fault and runs again later. This is not a failure. */
  | {
      readonly _tag: "Later"
      readonly runAt: Instant
      readonly reason: string
      readonly payload?: JobPayload
      /** The gate that the job moves to, when it came through another gate or none. */
      readonly gate?: { readonly gate: string; readonly lane?: string } | undefined
    }
  /** The work failed and is retried. */
  | { readonly _tag: "Retry"; readonly runAt: Instant; readonly reason: string; readonly payload?: JobPayload }
  | { readonly _tag: "Buried"; readonly reason: string }

/**
 * Retries a record until storage accepts it or the process ends, even after the job's lease. It fails when storage
 * rejects the record for ten minutes. Only this process knows the answer, so until then it does not start the same job
 * again.
 */
export type Recorder = <A>(record: Effect.Effect<A, Contended | StoreError>) => Effect.Effect<A, Contended | StoreError>

/** A job with its parsed payload. */
export interface Work<A> extends Omit<LeasedJob, "payload"> {
  readonly payload: A
  /** Records the answer of a provider or a receiver: see `Recorder`. */
  readonly untilRecorded: Recorder
}

/**
 * Does the work of one kind of job. A job may run more than once, and after a crash even twice at the same time, so
 * handlers must be idempotent. `fresh` holds the state that this process just committed with the job.
 */
export type JobHandler<A> = (job: Work<A>, fresh: JustCommitted) => Effect.Effect<JobOutcome, unknown>

interface Handled {
  readonly kind: JobKind<unknown>
  readonly handler: JobHandler<unknown>
}

const pollEvery: Millis = seconds(1)
/** How many jobs without a gate run at the same time. */
const mostFree = 512
const mostPerClaim = 64
/** How long a job must be due at an unknown gate before this process adopts the gate. */
const leftFor = minutes(1)
/** The delay before a job runs again while its earlier answer is still being recorded. */
const looksAgain = seconds(5)

/**
 * Runs durable jobs: those that this process just committed immediately, all others when they fall due.
 *
 * @example
 * ```ts
 * import { JobKind, Jobs } from "@countersign/core/storage"
 * import { Effect, Schema } from "effect"
 *
 * const greet = JobKind.make("greet", Schema.Struct({ name: Schema.String }))
 *
 * const program = Effect.gen(function* () {
 *   const jobs = yield* Jobs
 *   yield* jobs.handle(greet, ({ payload }) => Effect.as(Effect.log(payload.name), { _tag: "Completed" as const }))
 * })
 * ```
 */
export class Jobs extends Context.Service<
  Jobs,
  {
    /** Registers the handler for a kind of job. */
    readonly handle: <A>(kind: JobKind<A>, handler: JobHandler<NoInfer<A>>) => Effect.Effect<void>
    /** Adds a gate whose jobs this process runs. It leaves jobs of unknown gates to other processes. */
    readonly pass: (gate: Gate) => Effect.Effect<void>
    /**
     * Also runs jobs of gates that no process seems to have. `make` returns the gate to use, or null to leave the jobs
     * alone. Checks once a minute for gates where a job has been due for a minute.
     */
    readonly adopt: (make: (name: string) => Gate | null) => Effect.Effect<void>
    /**
     * Commits jobs and starts in the background the due ones that this process has room for: the commit already leases
     * them to it. `fresh` derives the handlers' state from what was stored.
     */
    readonly commit: <A, E>(
      jobs: ReadonlyArray<NewJob>,
      commit: (jobs: ReadonlyArray<NewJob>) => Effect.Effect<A, E>,
      fresh?: (stored: A) => JustCommitted
    ) => Effect.Effect<A, E>
  }
>()("@countersign/core/outbox/Jobs") {
  static readonly layer: Layer.Layer<Jobs, never, ClockStore | JobStore> = Layer.effect(
    Jobs,
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const store = yield* JobStore
      const clock = yield* Clock.Clock
      const retryLater = yield* RetryLater.make
      const time = yield* Timekeeper.make
      const handled = new Map<string, Handled>()
      /** By job key: how many answers this process still has to record. */
      const recording = new Map<string, number>()
      const free = new Gate({ name: "", places: mostFree })
      const gates = new Map<string, Gate>()
      const fibers = yield* FiberSet.make<void>()
      const fork = yield* FiberSet.runtime(fibers)()
      const freeTimer = new PollTimer()
      const gateTimer = new PollTimer()

      const kinds = () => Array.from(handled.values(), ({ kind }) => ({ kind: kind.name, lease: kind.policy.lease }))
      const alwaysSoon = () =>
        Array.from(handled.values(), ({ kind }) => kind).flatMap(({ name, policy }) =>
          policy.alwaysSoon ? [name] : []
        )
      const gateOf = (job: Job) => (job.gate === undefined ? free : gates.get(job.gate))
      const timerOf = (job: Job) => (job.gate === undefined ? freeTimer : gateTimer)

      const givenBack = (
        job: LeasedJob,
        { payload, reason, runAt, ...options }: Extract<JobOutcome, { _tag: "Later" }>
      ) =>
        Effect.tap(store.retry(job, { runAt, reason, payload, failures: job.failures, gate: options.gate }), () =>
          Effect.sync(() => (options.gate === undefined ? timerOf(job) : gateTimer).wake(runAt))
        )

      type Unsettled = Exclude<JobOutcome, { readonly _tag: "Committed" }>

      const settle = (job: LeasedJob, outcome: Unsettled): Effect.Effect<unknown, StoreError> => {
        switch (outcome._tag) {
          case "Completed":
            return store.complete(job)
          case "Later":
            return givenBack(job, outcome)
          case "Retry":
            return givenBack({ ...job, failures: job.failures + 1 }, { ...outcome, _tag: "Later" })
          case "Buried":
            return Effect.flatMap(Clock.currentTimeMillis, (now) => store.bury(job, now, outcome.reason))
        }
      }

      /** Stores what becomes of a job. Until the lease ends, only this process can finish it. */
      const settled = (job: LeasedJob, outcome: Unsettled): Effect.Effect<void> =>
        settle(job, outcome).pipe(
          Effect.catch((error) =>
            Effect.andThen(
              logStoreError("A job's result is not recorded yet", error, { key: job.key }),
              retryLater(settle(job, outcome), job.leasedUntil)
            )
          ),
          Effect.asVoid
        )

      const unexpected = Effect.fnUntraced(function* (
        job: LeasedJob,
        { policy }: JobKind<unknown>,
        cause: Cause.Cause<unknown>
      ) {
        const log = isAway(Cause.squash(cause)) ? Effect.logDebug : Effect.logError
        yield* log("A job failed unexpectedly").pipe(
          Effect.annotateLogs({ kind: job.kind, key: job.key, failures: job.failures, ...describeCause(cause) })
        )
        const now = yield* Clock.currentTimeMillis
        if (isAway(Cause.squash(cause))) {
          const runAt = now + backoff(policy.backoff, 0, yield* Random.next)
          const later: JobOutcome = { _tag: "Later", runAt, reason: "the database was unreachable" }
          return later
        }
        const runAt = now + backoff(policy.backoff, job.failures, yield* Random.next)
        const spent = policy.mostFailures !== null && job.failures + 1 >= policy.mostFailures
        const outcome: JobOutcome = spent
          ? { _tag: "Buried", reason: "failed unexpectedly too often" }
          : { _tag: "Retry", runAt, reason: "failed unexpectedly" }
        return outcome
      })

      /** A payload that this process cannot parse would fail forever. */
      const unreadable = (job: LeasedJob, problem: string) =>
        Effect.logError("A job could not be read and was set aside").pipe(
          Effect.annotateLogs({ kind: job.kind, key: job.key, problem }),
          Effect.as<JobOutcome>({ _tag: "Buried", reason: "its payload could not be read" })
        )

      const handle = (
        job: LeasedJob,
        { handler, kind }: Handled,
        fresh: JustCommitted
      ): Effect.Effect<JobOutcome, unknown> => {
        const payload = kind.read(job.payload)
        return Result.isFailure(payload)
          ? unreadable(job, payload.failure)
          : handler({ ...job, payload: payload.success, untilRecorded: recorderOf(job) }, fresh)
      }

      const leave = (job: Job, result: LaneSignal): void => {
        const now = clock.currentTimeMillisUnsafe()
        if (gateOf(job)?.leave(job, result, now) === true) timerOf(job).wake(now)
      }

      /**
       * Records the answer that a handler received. Until it is recorded, this process does not start the job again.
       */
      const recorderOf =
        ({ key }: LeasedJob): Recorder =>
        (record) =>
          Effect.suspend(() => {
            let isCounted = false
            const recorded = Effect.suspend(() => {
              recording.set(key, (recording.get(key) ?? 0) + 1)
              isCounted = true
              return untilRecorded(record)
            })
            return Effect.onExitPrimitive(recorded, () => {
              const recordsLeft = (recording.get(key) ?? 1) - 1
              if (isCounted && recordsLeft === 0) recording.delete(key)
              else if (isCounted) recording.set(key, recordsLeft)
              return undefined
            })
          })

      const stillRecording = Effect.map(
        Clock.currentTimeMillis,
        (now): JobOutcome => ({ _tag: "Later", runAt: now + looksAgain, reason: "its result is being recorded" })
      )

      const work = (job: LeasedJob, entry: Handled, fresh: JustCommitted): Effect.Effect<void> => {
        let result: LaneSignal = "undone"
        const outcomeOf = Effect.catchCause(
          Effect.suspend(() => (recording.has(job.key) ? stillRecording : handle(job, entry, fresh))),
          (cause) => (Cause.hasInterruptsOnly(cause) ? Effect.interrupt : unexpected(job, entry.kind, cause))
        )
        const worked = Effect.flatMap(outcomeOf, (outcome): Effect.Effect<void> => {
          const good = outcome._tag === "Completed" || (outcome._tag === "Committed" && outcome.badly !== true)
          result = good ? "well" : "badly"
          return outcome._tag === "Committed" ? Effect.void : settled(job, outcome)
        })
        return Effect.onExitPrimitive(worked, () => {
          leave(job, result)
          return undefined
        })
      }

      /** Starts jobs that already hold their places. */
      const start = (jobs: ReadonlyArray<NewJob>, fresh: JustCommitted, now: Instant) => {
        for (const job of jobs) {
          if (!isLeased(job)) continue
          const entry = handled.get(job.kind)
          if (entry === undefined) gateOf(job)?.leave(job, "undone", now)
          else fork(work(job, entry, fresh))
        }
      }

      /** Polls once for jobs without a gate. Returns when to poll again. */
      const lookFree = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const room = free.ask(now)
        if (room === null || handled.size === 0) return { found: 0, next: null }
        const limit = Math.min(mostPerClaim, room.limit)
        const jobs = yield* store.claim({ kinds: kinds(), limit, now })
        free.claimed(room, jobs)
        start(jobs, JustCommitted.none, now)
        const next = jobs.length === limit ? now : yield* store.nextRunAt([...handled.keys()])
        return { found: jobs.length, next }
      })

      const claimGates = (rooms: ReadonlyArray<JobStore.GateRoom>, now: Instant) =>
        Effect.suspend(() => {
          for (const room of rooms) gates.get(room.gate)?.claiming(room)
          return store.claimGates({ kinds: kinds(), now, gates: rooms })
        }).pipe(
          Effect.onError(() =>
            Effect.sync(() => {
              for (const { gate } of rooms) gates.get(gate)?.unclaimed()
            })
          )
        )

      /** Polls once for jobs of the gates that have room. */
      const lookGates = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const rooms = Array.from(gates.values(), (gate) => gate.ask(now)).filter((room) => room !== null)
        const canClaim = rooms.length > 0 && handled.size > 0
        const { jobs, next } = canClaim ? yield* claimGates(rooms, now) : { jobs: [], next: null }
        const byGate = Map.groupBy(jobs, ({ gate }) => gate)
        let soonest = next
        const at = (instant: Instant | null) => {
          if (instant !== null) soonest = Math.min(soonest ?? instant, instant)
        }
        for (const room of rooms) {
          const gate = gates.get(room.gate)
          // Storage reports the next due time only after a poll that found no more jobs.
          if (gate?.claimed(room, byGate.get(room.gate) ?? []) === true && gate.ask(now) !== null) at(now)
        }
        start(jobs, JustCommitted.none, now)
        for (const gate of gates.values()) at(gate.more(now))
        return { found: jobs.length, next: soonest }
      })

      const keepLooking = (look: typeof lookFree, timer: PollTimer) =>
        look.pipe(
          Effect.catch((error) =>
            Effect.as(logStoreError("Jobs could not be claimed", error), { found: 0, next: null })
          ),
          // The loop must survive a defect, because nothing else claims jobs for this process.
          Effect.catchDefect((defect) =>
            Effect.as(Effect.logError("Jobs could not be claimed", describeCause(Cause.die(defect))), {
              found: 0,
              next: null
            })
          ),
          Effect.flatMap(({ found, next }) => timer.wait(found, next, pollEvery)),
          Effect.forever,
          Effect.forkScoped
        )

      const wakeAll = Effect.map(Clock.currentTimeMillis, (now) => {
        freeTimer.wake(now)
        gateTimer.wake(now)
      })

      yield* Effect.addFinalizer(() => Effect.timeoutOption(FiberSet.awaitEmpty(fibers), "8 seconds"))
      yield* Effect.forkScoped(Stream.runForEach(store.wakeUps, () => wakeAll))
      yield* Effect.forkScoped(time.watch(wakeAll, alwaysSoon))
      yield* keepLooking(lookFree, freeTimer)
      yield* keepLooking(lookGates, gateTimer)

      const leased = (job: NewJob, now: Instant): NewJob => {
        const entry = handled.get(job.kind)
        const mayStart = entry !== undefined && !entry.kind.policy.joins && !isLeased(job) && job.runAt <= now
        return mayStart && gateOf(job)?.take(job, now) === true
          ? { ...job, leasedUntil: now + entry.kind.policy.lease, fence: 1, failures: 0 }
          : job
      }

      /**
       * A commit whose answer was lost may have succeeded. Its jobs are then leased to this process, but not running.
       */
      const undo = (jobs: ReadonlyArray<NewJob>, cause: Cause.Cause<unknown>, now: Instant) =>
        Effect.forEach(
          jobs.filter(isLeased),
          (job) => {
            gateOf(job)?.leave(job, "undone", now)
            if (Cause.squash(cause) instanceof Conflict) return Effect.void
            const reason = "the outcome of its commit is unknown"
            return retryLater(givenBack(job, { _tag: "Later", runAt: job.runAt, reason }), job.leasedUntil)
          },
          { discard: true }
        )

      const pass = (gate: Gate) =>
        Effect.suspend(() => {
          gates.set(gate.name, gate)
          return wakeAll
        })

      /** When a gate is removed from the configuration, its jobs would wait forever. */
      const lookForLeft = Effect.fnUntraced(function* (make: (name: string) => Gate | null) {
        const before = (yield* Clock.currentTimeMillis) - leftFor
        for (const name of yield* store.gatesDue(before)) {
          const gate = gates.has(name) ? null : make(name)
          if (gate !== null) yield* pass(gate)
        }
      })

      return Jobs.of({
        handle: (kind, handler) =>
          Effect.suspend(() => {
            handled.set(kind.name, { kind, handler } as Handled)
            return wakeAll
          }),
        pass,
        adopt: (make) =>
          lookForLeft(make).pipe(
            Effect.catch((error) => logStoreError("Jobs left at a gate without a worker could not be searched", error)),
            Effect.delay(leftFor),
            Effect.forever,
            Effect.forkIn(scope),
            Effect.asVoid
          ),
        commit: (jobs, commit, fresh) =>
          jobs.length === 0
            ? commit([])
            : Effect.suspend(() => {
                let ready: ReadonlyArray<NewJob> = []
                const committed = Effect.suspend(() => {
                  const now = clock.currentTimeMillisUnsafe()
                  ready = jobs.map((job) => leased(job, now))
                  return commit(ready)
                })
                // The places are taken inside, so that an interruption at any step gives them back.
                return Effect.onExitPrimitive(committed, (exit) => {
                  const now = clock.currentTimeMillisUnsafe()
                  if (Exit.isFailure(exit)) return undo(ready, exit.cause, now)
                  start(ready, fresh === undefined ? JustCommitted.none : fresh(exit.value), now)
                  return undefined
                })
              })
      })
    })
  )
}
