import { Effect, Layer, Result } from "effect"
import { isLeased, type LeasedJob, type NewJob } from "../../foundation/outbox/Job.ts"
import type { JobKind } from "../../foundation/outbox/JobKind.ts"
import { JustCommitted } from "../../foundation/outbox/JustCommitted.ts"
import { type JobHandler, type JobOutcome, Jobs } from "../../foundation/outbox/Jobs.ts"
import { JobStore } from "../../foundation/outbox/JobStore.ts"
import { minutes } from "../../foundation/time/Instant.ts"
import type { Agenda } from "./Agenda.ts"

/** Longer than playing a part of the day takes. After a crash the lease ends as usual. */
const lease = minutes(5)

interface Handled {
  readonly kind: JobKind<unknown>
  readonly handler: JobHandler<unknown>
}

/**
 * Runs jobs at the agenda's time with their usual handlers. They are committed as leased to this process, so no other
 * worker takes them. When the process dies, or a job is due later, it becomes an ordinary job.
 */
export const playedJobs = (agenda: Agenda): Layer.Layer<Jobs, never, JobStore> =>
  Layer.effect(
    Jobs,
    Effect.gen(function* () {
      const store = yield* JobStore
      const handled = new Map<string, Handled>()

      const ours = (job: NewJob): NewJob =>
        handled.has(job.kind) && !isLeased(job)
          ? { ...job, leasedUntil: agenda.realNow + lease, fence: 1, failures: 0 }
          : job

      const plan = (job: LeasedJob, fresh: JustCommitted, reason: string): void => {
        const { failures, payload, runAt } = job
        agenda.add(
          runAt,
          Effect.suspend(() => work(job, fresh)),
          Effect.suspend(() => store.retry(job, { runAt, reason, failures, payload }))
        )
      }

      const settle = (job: LeasedJob, outcome: JobOutcome): Effect.Effect<unknown, unknown> => {
        switch (outcome._tag) {
          case "Committed":
            return Effect.void
          case "Completed":
            return store.complete(job)
          case "Buried":
            return store.bury(job, agenda.now, outcome.reason)
          case "Later":
          case "Retry": {
            const { payload = job.payload, reason, runAt } = outcome
            const failures = job.failures + (outcome._tag === "Retry" ? 1 : 0)
            return Effect.sync(() => plan({ ...job, payload, runAt, failures }, JustCommitted.none, reason))
          }
        }
      }

      const work = (job: LeasedJob, fresh: JustCommitted): Effect.Effect<unknown, unknown> => {
        const one = handled.get(job.kind)
        const payload = one?.kind.read(job.payload)
        if (one === undefined || payload === undefined || Result.isFailure(payload)) return store.complete(job)
        return Effect.flatMap(
          one.handler({ ...job, payload: payload.success, untilRecorded: (record) => record }, fresh),
          (outcome) => settle(job, outcome)
        )
      }

      return Jobs.of({
        handle: (kind, handler) => Effect.sync(() => void handled.set(kind.name, { kind, handler } as Handled)),
        pass: () => Effect.void,
        adopt: () => Effect.void,
        commit: (jobs, commit, fresh) => {
          const ready = jobs.map(ours)
          return Effect.map(commit(ready), (stored) => {
            const known = fresh === undefined ? JustCommitted.none : fresh(stored)
            for (const job of ready) if (isLeased(job)) plan(job, known, "the example day was interrupted")
            return stored
          })
        }
      })
    })
  )
