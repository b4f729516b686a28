import { Context, type Effect, type Stream } from "effect"
import type { StoreError } from "../storage/StoreError.ts"
import type { Instant, Millis } from "../time/Instant.ts"
import type { JobKind, Lease, LeasedJob } from "./Job.ts"

export interface Claim {
  readonly kinds: ReadonlyArray<JobKind>
  readonly limit: number
  readonly now: Instant
  readonly lease: Millis
}

/** Durable work shared by every process on one storage. Jobs are added by the change that wants them. */
export class JobStore extends Context.Service<
  JobStore,
  {
    /** Takes due jobs, oldest first. Of many callers at one instant no two get the same job. */
    readonly claim: (claim: Claim) => Effect.Effect<ReadonlyArray<LeasedJob>, StoreError>
    /** Removes a job. False, and nothing happens, when the lease has passed to somebody else. */
    readonly complete: (lease: Lease) => Effect.Effect<boolean, StoreError>
    /** Gives a job back, to run again at `runAt`. False when the lease has passed to somebody else. */
    readonly retry: (lease: Lease, runAt: Instant, reason: string) => Effect.Effect<boolean, StoreError>
    /** Puts a job aside for good, with the reason. False when the lease has passed to somebody else. */
    readonly bury: (lease: Lease, now: Instant, reason: string) => Effect.Effect<boolean, StoreError>
    /** When the next job of these kinds falls due, leased ones included. */
    readonly nextRunAt: (kinds: ReadonlyArray<JobKind>) => Effect.Effect<Instant | null, StoreError>
    /** Emits whenever a process may have added work that nobody holds. */
    readonly wakeUps: Stream.Stream<void>
  }
>()("@countersign/core/job/JobStore") {}
