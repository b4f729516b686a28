import { Effect, PubSub, Stream } from "effect"
import { isLeased, type Job, type JobKind, type Lease, type LeasedJob, type NewJob } from "../job/Job.ts"
import type { JobStore } from "../job/JobStore.ts"
import type { Instant } from "../time/Instant.ts"

interface Row {
  readonly key: string
  readonly environment: string
  readonly kind: JobKind
  readonly payload: string
  runAt: Instant
  attempt: number
  deadAt: Instant | null
  lastError: string | null
}

/** The jobs of one memory storage. Every method is one step that nothing can come between. */
export class MemoryJobs {
  readonly #rows = new Map<string, Row>()
  readonly #added: PubSub.PubSub<void>

  constructor(added: PubSub.PubSub<void>) {
    this.#added = added
  }

  add(jobs: ReadonlyArray<NewJob>): void {
    let wake = false
    for (const job of jobs) {
      if (this.#rows.has(job.key)) continue
      const leased = isLeased(job)
      this.#rows.set(job.key, {
        key: job.key,
        environment: job.environment,
        kind: job.kind,
        payload: JSON.stringify(job.payload),
        runAt: leased ? job.leasedUntil : job.runAt,
        attempt: leased ? job.attempt : 0,
        deadAt: null,
        lastError: null
      })
      wake ||= !leased
    }
    if (wake) PubSub.publishUnsafe(this.#added, undefined)
  }

  remove(lease: Lease): boolean {
    return this.#held(lease) !== undefined && this.#rows.delete(lease.key)
  }

  readonly service: JobStore["Service"] = {
    claim: ({ kinds, lease, limit, now }) =>
      Effect.sync(() =>
        this.#waiting(kinds)
          .filter((row) => row.runAt <= now)
          .slice(0, limit)
          .map((row): LeasedJob => {
            const job: Job = {
              key: row.key,
              environment: row.environment,
              kind: row.kind,
              payload: JSON.parse(row.payload) as Job["payload"],
              runAt: row.runAt
            }
            row.runAt = now + lease
            row.attempt += 1
            return { ...job, leasedUntil: row.runAt, attempt: row.attempt }
          })
      ),
    complete: (lease) => Effect.sync(() => this.remove(lease)),
    retry: (lease, runAt, reason) =>
      Effect.sync(() => {
        const row = this.#held(lease)
        if (row === undefined) return false
        row.runAt = runAt
        row.lastError = reason
        PubSub.publishUnsafe(this.#added, undefined)
        return true
      }),
    bury: (lease, now, reason) =>
      Effect.sync(() => {
        const row = this.#held(lease)
        if (row === undefined) return false
        row.deadAt = now
        row.lastError = reason
        return true
      }),
    nextRunAt: (kinds) => Effect.sync(() => this.#waiting(kinds)[0]?.runAt ?? null),
    wakeUps: Stream.suspend(() => Stream.fromPubSub(this.#added))
  }

  /** The row, if the lease still holds. */
  #held(lease: Lease): Row | undefined {
    const row = this.#rows.get(lease.key)
    return row !== undefined && row.deadAt === null && row.attempt === lease.attempt ? row : undefined
  }

  #waiting(kinds: ReadonlyArray<JobKind>): Array<Row> {
    return [...this.#rows.values()]
      .filter((row) => row.deadAt === null && kinds.includes(row.kind))
      .sort((a, b) => a.runAt - b.runAt || (a.key < b.key ? -1 : 1))
  }
}
