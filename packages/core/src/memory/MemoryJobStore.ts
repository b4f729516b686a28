import { Effect, PubSub, Stream } from "effect"
import { isLeased, type Job, type Lease, type LeasedJob, type NewJob } from "../foundation/outbox/Job.ts"
import type { JobStore } from "../foundation/outbox/JobStore.ts"
import { memoryKey } from "./MemoryKey.ts"
import type { ClockStore } from "../foundation/storage/ClockStore.ts"
import type { Instant } from "../foundation/time/Instant.ts"

interface Row {
  readonly key: string
  readonly environment: string
  readonly kind: string
  /** Empty without a lane. */
  gate: string
  lane: string
  payload: string
  runAt: Instant
  /** Whether `runAt` is the end of a lease. */
  leased: boolean
  fence: number
  failures: number
  deadAt: Instant | null
  lastError: string | null
}

/** By due time; jobs due at the same moment by key. */
const isBefore = (a: Pick<Row, "key" | "runAt">, b: Pick<Row, "key" | "runAt">): boolean =>
  a.runAt < b.runAt || (a.runAt === b.runAt && a.key < b.key)

const byAge = (a: Pick<Row, "key" | "runAt">, b: Pick<Row, "key" | "runAt">): number => (isBefore(a, b) ? -1 : 1)

type Kinds = ReadonlyArray<JobStore.ClaimedKind>

const isOf = (kinds: Kinds, row: Row): boolean => kinds.some(({ kind }) => kind === row.kind)

/** The first due rows of those kinds. */
const dueOf = (rows: ReadonlyArray<Row>, kinds: Kinds, now: Instant, most: number): Array<Row> => {
  const due: Array<Row> = []
  for (const row of rows) {
    if (row.runAt > now || due.length >= most) break
    if (isOf(kinds, row)) due.push(row)
  }
  return due
}

/** The position of a row in the sorted list. */
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

/** The jobs of a memory storage. Every method is one atomic step. */
export class MemoryJobs {
  readonly #rows = new Map<string, Row>()
  /** Live jobs by gate, environment and lane, in due order. */
  readonly #queues = new Map<string, { readonly gate: string; readonly rows: Array<Row> }>()
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
        lane: job.lane ?? "",
        payload: JSON.stringify(job.payload),
        runAt: leased ? job.leasedUntil : job.runAt,
        leased,
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

  /** Only this environment, if given. */
  cancel(key: string, environment?: string): boolean {
    const row = this.#rows.get(key)
    if (row === undefined || row.deadAt !== null) return false
    if (environment !== undefined && row.environment !== environment) return false
    this.#dequeue(row)
    return this.#rows.delete(key)
  }

  readonly service: JobStore["Service"] = {
    claim: ({ kinds, limit, now }) =>
      Effect.sync(() => {
        const due = this.#of("").flatMap((rows) => dueOf(rows, kinds, now, limit))
        return due
          .sort(byAge)
          .slice(0, limit)
          .map((row) => this.#take(row, kinds, now))
      }),
    claimGates: ({ gates, kinds, now }) =>
      Effect.sync(() => {
        const jobs = gates.flatMap((room) => this.#chosen(room, kinds, now).map((row) => this.#take(row, kinds, now)))
        const later = gates
          .flatMap(({ gate }) => this.#of(gate))
          .flatMap((rows) => rows.find((row) => row.runAt > now && isOf(kinds, row))?.runAt ?? [])
        return { jobs: jobs.sort(byAge), next: later.length === 0 ? null : Math.min(...later) }
      }),
    complete: (lease) => Effect.sync(() => this.remove(lease)),
    retry: (lease, { failures, gate, payload, reason, runAt }) =>
      Effect.sync(() => {
        const row = this.#held(lease)
        if (row === undefined) return false
        this.#dequeue(row)
        row.runAt = runAt
        row.leased = false
        if (gate !== undefined) {
          row.gate = gate.gate
          row.lane = gate.lane ?? ""
        }
        this.#enqueue(row)
        row.failures = failures
        row.lastError = reason
        if (payload !== undefined) row.payload = JSON.stringify(payload)
        return true
      }),
    cancel: (key) => Effect.sync(() => this.cancel(key)),
    holds: (key) => Effect.sync(() => this.#rows.get(key)?.deadAt === null),
    hasten: ({ environment, gate, lane, later, runAt }) =>
      Effect.sync(() => {
        const rows = [...(this.#queues.get(memoryKey(gate, environment, lane))?.rows ?? [])].filter(
          (row) => row.runAt > later
        )
        for (const row of rows) this.#move(row, runAt)
        PubSub.publishUnsafe(this.#added, undefined)
        return rows.length
      }),
    hastenKey: (key, { later, runAt }) =>
      Effect.sync(() => {
        const rows = [...this.#rows.values()].filter(
          (row) => row.deadAt === null && (row.key === key || row.key.startsWith(`${key}:`))
        )
        const waiting = rows.filter((row) => row.runAt > later)
        for (const row of waiting) this.#move(row, runAt)
        if (waiting.length > 0) PubSub.publishUnsafe(this.#added, undefined)
        return { found: rows.length, moved: waiting.length }
      }),
    inLane: ({ environment, gate, lane, most }) =>
      Effect.sync(() => Math.min(most, this.#queues.get(memoryKey(gate, environment, lane))?.rows.length ?? 0)),
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
      Effect.sync(() => {
        const next = this.#of("").flatMap((rows) => rows.find(({ kind }) => kinds.includes(kind))?.runAt ?? [])
        return next.length === 0 ? null : Math.min(...next)
      }),
    overdue: (now) =>
      Effect.sync(() => {
        const oldest = new Map<string, Instant>()
        for (const { deadAt, kind, runAt } of this.#rows.values()) {
          if (deadAt === null && runAt <= now) oldest.set(kind, Math.min(runAt, oldest.get(kind) ?? runAt))
        }
        return Array.from(oldest, ([kind, since]) => ({ kind, since }))
      }),
    gatesDue: (before) =>
      Effect.sync(() => {
        const due = [...this.#queues.values()].filter(({ rows }) => rows.some(({ runAt }) => runAt <= before))
        return [...new Set(due.flatMap(({ gate }) => (gate === "" ? [] : [gate])))]
      }),
    waiting: ({ environment, gates, most, now }) =>
      Effect.sync(() =>
        [...new Set(gates)].flatMap((gate) => {
          const due = this.#of(gate)
            .flat()
            .filter((row) => row.environment === environment && row.runAt <= now)
            .slice(0, most)
          return due.length === 0
            ? []
            : [{ gate, count: due.length, since: Math.min(...due.map(({ runAt }) => runAt)) }]
        })
      ),
    wakeUps: Stream.suspend(() => Stream.fromPubSub(this.#added))
  }

  /** How `record` of a webhook try changes a job that runs again. */
  again(lease: Lease, runAt: Instant, failures: number): void {
    const row = this.#held(lease)
    if (row === undefined) return
    this.#move(row, runAt)
    row.leased = false
    row.failures = failures
  }

  /** Shifts waiting jobs after the clock was set back. See `ClockStore`. */
  setBack({ by, kinds, now, until }: ClockStore.SetBack): void {
    for (const row of this.#rows.values()) {
      const isMeant = row.runAt > now + (row.leased ? by : 0) && (until === null || row.runAt <= until)
      if (row.deadAt === null && isMeant && kinds?.includes(row.kind) !== false) this.#move(row, row.runAt - by)
    }
    PubSub.publishUnsafe(this.#added, undefined)
  }

  /** The queues of a gate, or of jobs without a gate. */
  #of(gate: string): ReadonlyArray<ReadonlyArray<Row>> {
    return [...this.#queues.values()].filter((queue) => queue.gate === gate).map(({ rows }) => rows)
  }

  /** The jobs that a gate admits: its environments take turns, and each gives its oldest job. */
  #chosen(
    { free, gate, held, limit, room, rooms, share }: JobStore.GateRoom,
    kinds: Kinds,
    now: Instant
  ): ReadonlyArray<Row> {
    const roomOf = new Map(rooms.map((one) => [one.lane, one.room]))
    const heldBy = new Map(held.map((one) => [one.environment, one.held]))
    const due = this.#of(gate)
      .flatMap((rows) => dueOf(rows, kinds, now, Math.min(limit, roomOf.get(rows[0]?.lane ?? "") ?? room)))
      .sort(byAge)
    const levels = new Map<string, number>()
    const takenByEnvironment = new Map<string, number>()
    return due
      .map((row) => {
        const level = (levels.get(row.environment) ?? heldBy.get(row.environment) ?? 0) + 1
        levels.set(row.environment, level)
        return { row, level }
      })
      .sort((a, b) => a.level - b.level || byAge(a.row, b.row))
      .filter(({ row: { lane } }) => {
        const ofLane = (takenByEnvironment.get(lane) ?? 0) + 1
        takenByEnvironment.set(lane, ofLane)
        return ofLane <= (roomOf.get(lane) ?? room)
      })
      .filter(({ level }, index) => index < limit && (share === null || level - 1 < share * (free - index)))
      .map(({ row }) => row)
  }

  #take(row: Row, kinds: Kinds, now: Instant): LeasedJob {
    const { environment, failures, gate, key, kind, lane, payload, runAt } = row
    const leasedUntil = now + (kinds.find((one) => one.kind === kind)?.lease ?? 0)
    this.#move(row, leasedUntil)
    row.leased = true
    row.fence += 1
    return {
      key,
      environment,
      kind,
      ...(gate === "" ? {} : { gate }),
      ...(lane === "" ? {} : { lane }),
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

  #move(row: Row, runAt: Instant): void {
    this.#dequeue(row)
    row.runAt = runAt
    this.#enqueue(row)
  }

  #enqueue(row: Row): void {
    const key = memoryKey(row.gate, row.environment, row.lane)
    const queue = this.#queues.get(key) ?? { gate: row.gate, rows: [] }
    this.#queues.set(key, queue)
    queue.rows.splice(placeOf(queue.rows, row), 0, row)
  }

  #dequeue(row: Row): void {
    const key = memoryKey(row.gate, row.environment, row.lane)
    const queue = this.#queues.get(key)
    if (queue === undefined) return
    queue.rows.splice(placeOf(queue.rows, row), 1)
    if (queue.rows.length === 0) this.#queues.delete(key)
  }
}
