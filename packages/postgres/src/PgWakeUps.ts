import { Job } from "@countersign/core/storage"
import { Effect, PubSub, Queue, Schedule, Stream } from "effect"
import { PgDatabase } from "./PgDatabase.ts"
import { jobChannel } from "./PgSchema.ts"

/** Wakes this process's workers for new jobs: its own immediately, those of other processes through Postgres. */
export interface PgWakeUps {
  readonly stream: Stream.Stream<void>
  readonly added: (jobs: ReadonlyArray<Job.NewJob>) => void
  readonly wake: () => void
}

/** Whether to notify other processes of a job as soon as it is due. */
export const concernsOthers = (job: Job.NewJob): boolean => !Job.isLeased(job) && job.quiet !== true

/** A lost connection loses notifications, so each reconnect counts as a notification. */
const reopen = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")]).pipe(Schedule.jittered)

export const make = Effect.gen(function* () {
  const database = yield* PgDatabase
  const pubsub = yield* PubSub.sliding<void>(1)
  const wake = () => {
    PubSub.publishUnsafe(pubsub, undefined)
  }

  const listening = Effect.scoped(
    Effect.gen(function* () {
      const [channel] = yield* database.query(`select ${jobChannel}`, [])
      const notifications = yield* database.listen(String(channel?.[0]))
      wake()
      return yield* Effect.forever(Effect.tap(Queue.take(notifications), () => Effect.sync(wake)))
    })
  )
  yield* Effect.forkScoped(Effect.retry(listening, reopen))

  const wakeUps: PgWakeUps = {
    stream: Stream.fromPubSub(pubsub),
    added: (jobs) => {
      if (jobs.some((job) => !Job.isLeased(job))) wake()
    },
    wake
  }
  return wakeUps
})
