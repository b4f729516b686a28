import { Context, type Effect, type Stream } from "effect"
import type { StoreError } from "../storage/StoreError.ts"
import type { Instant, Millis } from "../time/Instant.ts"
import type { JobKind, JobPayload, Lease, LeasedJob } from "./Job.ts"

export interface Claim {
  readonly kinds: ReadonlyArray<JobKind>
  readonly limit: number
  readonly now: Instant
  readonly lease: Millis
}

/** How a job is given back. */
export interface Retry {
  readonly runAt: Instant
  readonly reason: string
  /** How often its work has failed by now: as often as before, if all it did was to come back. */
  readonly failures: number
  readonly payload?: JobPayload | undefined
}

export interface LaneClaim extends Claim {
  /** How many jobs to take from a lane. */
  readonly room: number
  /** Lanes from which to take another number, perhaps none. */
  readonly rooms: ReadonlyArray<{ readonly lane: string; readonly room: number }>
}

/**
 * Durable work shared by every process on one storage. A storage of several processes ends the leases of one that died
 * within 3 seconds; `leasedUntil` is for what it cannot notice. Jobs are added by the change that wants
 * them.
 */
export class JobStore extends Context.Service<
  JobStore,
  {
    /** Takes due jobs that are in no lane, oldest first. Of many callers at one instant no two get the same job. */
    readonly claim: (claim: Claim) => Effect.Effect<ReadonlyArray<LeasedJob>, StoreError>
    /** Takes due jobs of lanes, oldest first, from each lane no more than there is room for. */
    readonly claimLanes: (claim: LaneClaim) => Effect.Effect<ReadonlyArray<LeasedJob>, StoreError>
    /** Removes a job. False, and nothing happens, when the lease has passed to somebody else. */
    readonly complete: (lease: Lease) => Effect.Effect<boolean, StoreError>
    /**
     * Gives a job back, to run again at `runAt`, with another payload if one is given. False when the lease has passed to somebody else.
     */
    readonly retry: (lease: Lease, retry: Retry) => Effect.Effect<boolean, StoreError>
    /**
     * Lets the jobs of a lane that wait to run after `later` run at `runAt`; says how many. Those that somebody works on
     * are to be before `later`.
     */
    readonly hasten: (lane: string, later: Instant, runAt: Instant) => Effect.Effect<number, StoreError>
    /** Puts a job aside for good, with the reason. False when the lease has passed to somebody else. */
    readonly bury: (lease: Lease, now: Instant, reason: string) => Effect.Effect<boolean, StoreError>
    /** When the next job of these kinds that is in no lane falls due, leased ones included. */
    readonly nextRunAt: (kinds: ReadonlyArray<JobKind>) => Effect.Effect<Instant | null, StoreError>
    /** Emits whenever a process may have added work that nobody holds. */
    readonly wakeUps: Stream.Stream<void>
  }
>()("@countersign/core/outbox/JobStore") {}
