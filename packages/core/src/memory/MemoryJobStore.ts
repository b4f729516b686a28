import { Effect, PubSub, Stream } from "effect"
import { isLeased, type Job, type JobKind, type Lease, type LeasedJob, type NewJob } from "../outbox/Job.ts"
import type { JobStore } from "../outbox/JobStore.ts"
import type { Instant } from "../time/Instant.ts"

interface Row {
  readonly key: string
  readonly environment: string
  readonly kind: JobKind
  readonly gate: string
  readonly lane: string | null
  payload: string
  runAt: Instant
  fence: number
  failures: number
  deadAt: Instant | null
  lastError: string | null
}

/** By when they fall due; those of one moment by key. */
const isBefore = (a: Pick<Row, "key" | "runAt">, b: Pick<Row, "key" | "runAt">): boolean =>
  a.runAt < b.runAt || (a.runAt === b.runAt && a.key < b.key)

/** Where a row belongs among rows in that order. */
const placeOf = (queue: ReadonlyArray<Row>, row: Row): number => {
  let low = 0
  let high = queue.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(queue[middle]!, row)) low = middle + 1
    else high = middle
  }
  return low
}

/** The jobs of one memory storage. Every method is one step that nothing can come between. */
export class MemoryJobs {
  readonly #rows = new Map<string, Row>()
  /** Of each lane, and of those in none, what is not put aside, in the order in which it falls due. */
  readonly #queues = new Map<string | null, Array<Row>>()
  readonly #added: PubSub.PubSub<void>

  constructor(added: PubSub.PubSub<void>) {
    this.#added = added
  }

  add(jobs: ReadonlyArray<NewJob>): void {
    let wake = false
    for (const job of jobs) {
      if (this.#rows.has(job.key)) continue
      const leased = isLeased(job)
      const row: Row = {
        key: job.key,
        environment: job.environment,
        kind: job.kind,
        gate: job.gate ?? "",
        lane: job.lane ?? null,
        payload: JSON.stringify(job.payload),
        runAt: leased ? job.leasedUntil : job.runAt,
        fence: leased ? job.fence : 0,
        failures: leased ? job.failures : 0,
        deadAt: null,
        lastError: null
      }
      this.#rows.set(job.key, row)
      this.#enqueue(row)
      wake ||= !leased
    }
    if (wake) PubSub.publishUnsafe(this.#added, undefined)
  }

  remove(lease: Lease): boolean {
    const row = this.#held(lease)
    if (row === undefined) return false
    this.#dequeue(row)
    return this.#rows.delete(lease.key)
  }

  readonly service: JobStore["Service"] = {
    claim: ({ kinds, lease, limit, now }) =>
      Effect.sync(() => this.#due(null, kinds, now, limit).map((row) => this.#take(row, now + lease))),
    claimLanes: ({ kinds, lease, limit, now, room, rooms }) =>
      Effect.sync(() => {
        const left = new Map(rooms.map((one) => [one.lane, one.room]))
        return [...this.#queues.keys()]
          .flatMap((lane) => (lane === null ? [] : this.#due(lane, kinds, now, left.get(lane) ?? room)))
          .sort((a, b) => (isBefore(a, b) ? -1 : 1))
          .slice(0, limit)
          .map((row) => this.#take(row, now + lease))
      }),
    complete: (lease) => Effect.sync(() => this.remove(lease)),
    retry: (lease, { failures, payload, reason, runAt }) =>
      Effect.sync(() => {
        const row = this.#held(lease)
        if (row === undefined) return false
        this.#move(row, runAt)
        row.failures = failures
        row.lastError = reason
        if (payload !== undefined) row.payload = JSON.stringify(payload)
        PubSub.publishUnsafe(this.#added, undefined)
        return true
      }),
    hasten: (lane, later, runAt) =>
      Effect.sync(() => {
        const rows = (this.#queues.get(lane) ?? []).filter((row) => row.runAt > later)
        for (const row of rows) this.#move(row, runAt)
        PubSub.publishUnsafe(this.#added, undefined)
        return rows.length
      }),
    bury: (lease, now, reason) =>
      Effect.sync(() => {
        const row = this.#held(lease)
        if (row === undefined) return false
        this.#dequeue(row)
        row.deadAt = now
        row.lastError = reason
        return true
      }),
    nextRunAt: (kinds) =>
      Effect.sync(() => this.#queues.get(null)?.find(({ kind }) => kinds.includes(kind))?.runAt ?? null),
    wakeUps: Stream.suspend(() => Stream.fromPubSub(this.#added))
  }

  /** What `record` of a webhook's try does to a job that is to run again. */
  again(lease: Lease, runAt: Instant, failures: number): void {
    const row = this.#held(lease)
    if (row === undefined) return
    this.#move(row, runAt)
    row.failures = failures
  }

  #take(row: Row, leasedUntil: Instant): LeasedJob {
    const { environment, failures, gate, key, kind, lane, payload, runAt } = row
    this.#move(row, leasedUntil)
    row.fence += 1
    return {
      key,
      environment,
      kind,
      ...(gate === "" ? {} : { gate }),
      ...(lane === null ? {} : { lane }),
      payload: JSON.parse(payload) as Job["payload"],
      runAt,
      leasedUntil,
      fence: row.fence,
      failures
    }
  }

  /** The row, if the lease still holds. */
  #held(lease: Lease): Row | undefined {
    const row = this.#rows.get(lease.key)
    return row !== undefined && row.deadAt === null && row.fence === lease.fence ? row : undefined
  }

  #due(lane: string | null, kinds: ReadonlyArray<JobKind>, now: Instant, most: number): Array<Row> {
    const found: Array<Row> = []
    for (const row of this.#queues.get(lane) ?? []) {
      if (row.runAt > now || found.length >= most) break
      if (kinds.includes(row.kind)) found.push(row)
    }
    return found
  }

  #move(row: Row, runAt: Instant): void {
    this.#dequeue(row)
    row.runAt = runAt
    this.#enqueue(row)
  }

  #enqueue(row: Row): void {
    const queue = this.#queues.get(row.lane) ?? []
    this.#queues.set(row.lane, queue)
    queue.splice(placeOf(queue, row), 0, row)
  }

  #dequeue(row: Row): void {
    const queue = this.#queues.get(row.lane) ?? []
    queue.splice(placeOf(queue, row), 1)
    if (queue.length === 0) this.#queues.delete(row.lane)
  }
}
