import { Job } from "@countersign/core"
import { Effect, PubSub, Queue, Schedule, Stream } from "effect"
import { PgDatabase } from "./PgDatabase.ts"

/** What processes notify each other on when one adds work that is due. */
export const jobChannel = "countersign_job"

/** Tells this process's workers of new work: its own at once, that of other processes through Postgres. */
export interface PgWakeUps {
  readonly stream: Stream.Stream<void>
  /** Whether somebody else could start one of these jobs. One in a lane waits for its receiver, and is found by looking. */
  readonly concernsOthers: (jobs: ReadonlyArray<Job.NewJob>) => boolean
  readonly added: (jobs: ReadonlyArray<Job.NewJob>) => void
  readonly wake: () => void
}

const concernsOthers = (jobs: ReadonlyArray<Job.NewJob>) =>
  jobs.some((job) => !Job.isLeased(job) && job.lane === undefined)

/** A lost connection loses notifications, so every new one counts as one. */
const reopen = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")]).pipe(Schedule.jittered)

export const make = Effect.gen(function* () {
  const database = yield* PgDatabase
  const pubsub = yield* PubSub.sliding<void>(1)
  const wake = () => {
    PubSub.publishUnsafe(pubsub, undefined)
  }

  const listening = Effect.scoped(
    Effect.gen(function* () {
      const notifications = yield* database.listen(jobChannel)
      wake()
      return yield* Effect.forever(Effect.tap(Queue.take(notifications), () => Effect.sync(wake)))
    })
  )
  yield* Effect.forkScoped(Effect.retry(listening, reopen))

  const wakeUps: PgWakeUps = {
    stream: Stream.fromPubSub(pubsub),
    concernsOthers,
    added: (jobs) => {
      if (jobs.some((job) => !Job.isLeased(job))) wake()
    },
    wake
  }
  return wakeUps
})
