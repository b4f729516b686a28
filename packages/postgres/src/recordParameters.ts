import { type Event, Job } from "@countersign/core"
import { instants, ints, texts } from "./parameters.ts"

/** Events as the columns `environment, id, type, created_at, data`. */
export const eventParameters = (
  events: ReadonlyArray<{ readonly event: Event; readonly data: string }>
): ReadonlyArray<unknown> => [
  texts(events.map(({ event }) => event.environment)),
  texts(events.map(({ event }) => event.id)),
  texts(events.map(({ event }) => event.type)),
  instants(events.map(({ event }) => event.createdAt)),
  texts(events.map(({ data }) => data))
]

/** Jobs as the columns `key, environment, kind, payload, run_at, attempt, gate, lane`. */
export const jobParameters = (
  jobs: ReadonlyArray<{ readonly job: Job.NewJob; readonly payload: string }>
): ReadonlyArray<unknown> => [
  texts(jobs.map(({ job }) => job.key)),
  texts(jobs.map(({ job }) => job.environment)),
  texts(jobs.map(({ job }) => job.kind)),
  texts(jobs.map(({ payload }) => payload)),
  // A job that somebody holds falls due for others when the lease ends.
  instants(jobs.map(({ job }) => (Job.isLeased(job) ? job.leasedUntil : job.runAt))),
  ints(jobs.map(({ job }) => (Job.isLeased(job) ? job.fence : 0))),
  texts(jobs.map(({ job }) => job.gate ?? "")),
  texts(jobs.map(({ job }) => job.lane ?? null))
]
