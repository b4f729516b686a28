import { Context, type Effect, type Stream } from "effect"
import type { StoreError } from "../storage/StoreError.ts"
import type { Instant, Millis } from "../time/Instant.ts"
import type { JobPayload, Lease, LeasedJob } from "./Job.ts"

/**
 * Durable jobs, shared by all processes on one storage. A storage for several processes releases the leases of a dead
 * process within 3 seconds; `leasedUntil` covers deaths it cannot detect. Changes add the jobs in their commit.
 */
export class JobStore extends Context.Service<
  JobStore,
  {
    /** Claims due jobs without a gate, oldest first. Concurrent callers never get the same job. */
    readonly claim: (claim: JobStore.Claim) => Effect.Effect<ReadonlyArray<LeasedJob>, StoreError>
    /**
     * Claims due jobs of gates, within the room of each gate and lane. Among the possible jobs, the environment with
     * the fewest places goes first, and within it the oldest job.
     */
    readonly claimGates: (claim: JobStore.GateClaim) => Effect.Effect<JobStore.GateClaimed, StoreError>
    /** Removes a job. Returns false and changes nothing when another process holds the lease. */
    readonly complete: (lease: Lease) => Effect.Effect<boolean, StoreError>
    /** Releases a job for a later run. Returns false when another process holds the lease. */
    readonly retry: (lease: Lease, retry: JobStore.Retry) => Effect.Effect<boolean, StoreError>
    /** Parks a job for good, with the reason. Returns false when another process holds the lease. */
    readonly bury: (lease: Lease, now: Instant, reason: string) => Effect.Effect<boolean, StoreError>
    /** Removes a job that is no longer needed, even while a process works on it. Returns whether it existed. */
    readonly cancel: (key: string) => Effect.Effect<boolean, StoreError>
    /** Whether a job with this key is waiting or running. */
    readonly holds: (key: string) => Effect.Effect<boolean, StoreError>
    /** Lets the waiting jobs of a lane run at `runAt`. Returns their number. */
    readonly hasten: (hasten: JobStore.Hasten) => Effect.Effect<number, StoreError>
    /**
     * Lets the jobs that wait under a key, or under a key that continues it after a colon, run at `runAt`. Returns how
     * many such jobs exist, and how many moved. Like `hasten`, it leaves jobs alone that run by `later`.
     */
    readonly hastenKey: (
      key: string,
      times: Pick<JobStore.Hasten, "later" | "runAt">
    ) => Effect.Effect<{ readonly found: number; readonly moved: number }, StoreError>
    /** The number of jobs of a lane: due, waiting and leased. Counts up to `most`. */
    readonly inLane: (
      lane: Pick<JobStore.Hasten, "environment" | "gate" | "lane"> & { readonly most: number }
    ) => Effect.Effect<number, StoreError>
    /** When the next job of these kinds without a gate falls due, including leased jobs. */
    readonly nextRunAt: (kinds: ReadonlyArray<string>) => Effect.Effect<Instant | null, StoreError>
    /**
     * The oldest due job without a lease, by kind. For metrics only: it inspects at most a few thousand jobs behind
     * gates.
     */
    readonly overdue: (
      now: Instant
    ) => Effect.Effect<ReadonlyArray<{ readonly kind: string; readonly since: Instant }>, StoreError>
    /** The gates with a job that has been due since `before`, leased or not. */
    readonly gatesDue: (before: Instant) => Effect.Effect<ReadonlyArray<string>, StoreError>
    /** The waiting jobs of one environment at gates. Omits gates without waiting jobs. */
    readonly waiting: (query: JobStore.WaitingQuery) => Effect.Effect<ReadonlyArray<JobStore.Waiting>, StoreError>
    /** Emits whenever a process may have added a job without a lease. */
    readonly wakeUps: Stream.Stream<void>
  }
>()("@countersign/core/outbox/JobStore") {}

export declare namespace JobStore {
  /** A kind of job that the process handles, and the duration of its lease. */
  export interface ClaimedKind {
    readonly kind: string
    readonly lease: Millis
  }

  export interface Claim {
    readonly kinds: ReadonlyArray<ClaimedKind>
    readonly limit: number
    readonly now: Instant
  }

  /** The room that one gate has for more jobs. */
  export interface GateRoom {
    readonly gate: string
    /** The most jobs to claim. */
    readonly limit: number
    /** The number of free places; at least `limit`. */
    readonly free: number
    /**
     * An environment gets another place only while it holds fewer than `share` times the number of free places. With 1,
     * a single environment gets half of the places, and another one always finds some. Null for no limit.
     */
    readonly share: number | null
    /** The environments that already hold places. */
    readonly held: ReadonlyArray<{ readonly environment: string; readonly held: number }>
    /** The most jobs to claim from each lane, over all environments. Jobs without a lane count as one lane. */
    readonly room: number
    /** The lanes with a different number, possibly 0. The empty name means jobs without a lane. */
    readonly rooms: ReadonlyArray<{ readonly lane: string; readonly room: number }>
  }

  export interface GateClaim {
    readonly kinds: ReadonlyArray<ClaimedKind>
    readonly now: Instant
    /** Each gate at most once. */
    readonly gates: ReadonlyArray<GateRoom>
  }

  export interface GateClaimed {
    readonly jobs: ReadonlyArray<LeasedJob>
    /**
     * The latest time for the next poll. It is the time at which the next job of these gates falls due, including
     * leased jobs and those of full lanes. When other processes just claimed the jobs found, it is now. Null when no
     * job falls due later.
     */
    readonly next: Instant | null
  }

  /** How to release a job. */
  export interface Retry {
    readonly runAt: Instant
    readonly reason: string
    /** The failure count to store. Unchanged when the job only returns to the queue. */
    readonly failures: number
    readonly payload?: JobPayload | undefined
    /** Moves the job to this gate, and to this lane or no lane. */
    readonly gate?: { readonly gate: string; readonly lane?: string } | undefined
  }

  /** Which waiting jobs of a lane to run earlier. */
  export interface Hasten {
    readonly gate: string
    readonly environment: string
    readonly lane: string
    /**
     * Only jobs whose run time is after this instant. It must be later than the end of any lease, because a running job's
     * run time is the end of its lease.
     */
    readonly later: Instant
    readonly runAt: Instant
  }

  export interface WaitingQuery {
    readonly environment: string
    readonly gates: ReadonlyArray<string>
    readonly now: Instant
    /** The most jobs to count at each gate. */
    readonly most: number
  }

  /** The due jobs of a gate that no process has claimed. */
  export interface Waiting {
    readonly gate: string
    readonly count: number
    /** Since when the oldest counted job has been due. */
    readonly since: Instant
  }
}
