import { Context, type Effect, type Stream } from "effect"
import type { StoreError } from "../storage/StoreError.ts"
import type { Instant, Millis } from "../time/Instant.ts"
import type { JobPayload, Lease, LeasedJob } from "./Job.ts"

/**
 * Durable work shared by every process on one storage. A storage of several processes ends the leases of one that died
 * within 3 seconds; `leasedUntil` is for what it cannot notice. Jobs are added by the change that wants
 * them.
 */
export class JobStore extends Context.Service<
  JobStore,
  {
    /** Takes due jobs that pass no gate, oldest first. Of many callers at one instant no two get the same job. */
    readonly claim: (claim: JobStore.Claim) => Effect.Effect<ReadonlyArray<LeasedJob>, StoreError>
    /**
     * Takes due jobs of gates: from each gate and each lane no more than there is room for. Of those that could be
     * taken, the environment that holds the fewest places is served first, and within an environment the oldest job.
     */
    readonly claimGates: (claim: JobStore.GateClaim) => Effect.Effect<JobStore.GateClaimed, StoreError>
    /** Removes a job. False, and nothing happens, when the lease has passed to somebody else. */
    readonly complete: (lease: Lease) => Effect.Effect<boolean, StoreError>
    /** Gives a job back. False when the lease has passed to somebody else. */
    readonly retry: (lease: Lease, retry: JobStore.Retry) => Effect.Effect<boolean, StoreError>
    /** Puts a job aside for good, with the reason. False when the lease has passed to somebody else. */
    readonly bury: (lease: Lease, now: Instant, reason: string) => Effect.Effect<boolean, StoreError>
    /** Removes a job that is of no use any more, whoever works on it; says whether there was one. */
    readonly cancel: (key: string) => Effect.Effect<boolean, StoreError>
    /** Whether a job of that key waits or is worked on. */
    readonly holds: (key: string) => Effect.Effect<boolean, StoreError>
    /** Lets jobs of a lane that wait run at `runAt`; says how many. */
    readonly hasten: (hasten: JobStore.Hasten) => Effect.Effect<number, StoreError>
    /** How many jobs of a lane there are, due, waiting and leased ones; it counts up to `most`. */
    readonly inLane: (
      lane: Pick<JobStore.Hasten, "environment" | "gate" | "lane"> & { readonly most: number }
    ) => Effect.Effect<number, StoreError>
    /** When the next job of these kinds that passes no gate falls due, leased ones included. */
    readonly nextRunAt: (kinds: ReadonlyArray<string>) => Effect.Effect<Instant | null, StoreError>
    /**
     * The oldest due jobs that nobody holds, by kind. Of work behind gates it looks at some thousands, for whoever wants to
     * know how work goes and not to begin it.
     */
    readonly overdue: (
      now: Instant
    ) => Effect.Effect<ReadonlyArray<{ readonly kind: string; readonly since: Instant }>, StoreError>
    /** The gates that have a job which has been due since `before`, whether or not somebody works on it. */
    readonly gatesDue: (before: Instant) => Effect.Effect<ReadonlyArray<string>, StoreError>
    /** What waits at gates for one environment, and nobody else's: a gate where nothing does is left out. */
    readonly waiting: (query: JobStore.WaitingQuery) => Effect.Effect<ReadonlyArray<JobStore.Waiting>, StoreError>
    /** Emits whenever a process may have added work that nobody holds. */
    readonly wakeUps: Stream.Stream<void>
  }
>()("@countersign/core/outbox/JobStore") {}

export declare namespace JobStore {
  /** A kind of job that somebody works on, and for how long they take one. */
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
    /** No more jobs than this are taken. */
    readonly limit: number
    /** How many places are free; at least `limit`. */
    readonly free: number
    /**
     * An environment gets another place only while it holds fewer than `share` times as many as are free: with 1, one
     * alone gets half of them, and a newcomer always finds some. Null sets no bound.
     */
    readonly share: number | null
    /** Environments that hold places already. */
    readonly held: ReadonlyArray<{ readonly environment: string; readonly held: number }>
    /** How many jobs to take from a lane, of all environments together. Jobs in no lane are in one together. */
    readonly room: number
    /** Lanes from which to take another number, perhaps none; the empty name is that of no lane. */
    readonly rooms: ReadonlyArray<{ readonly lane: string; readonly room: number }>
  }

  export interface GateClaim {
    readonly kinds: ReadonlyArray<ClaimedKind>
    readonly now: Instant
    /** Each gate once. */
    readonly gates: ReadonlyArray<GateRoom>
  }

  export interface GateClaimed {
    readonly jobs: ReadonlyArray<LeasedJob>
    /**
     * When to look again, at the latest: when the next job of these gates falls due, leased ones and those of full lanes
     * included, or at once where others were just taking what was found. Null when nothing falls due later.
     */
    readonly next: Instant | null
  }

  /** How a job is given back. */
  export interface Retry {
    readonly runAt: Instant
    readonly reason: string
    /** How often its work has failed by now: as often as before, if all it did was to come back. */
    readonly failures: number
    readonly payload?: JobPayload | undefined
    /** From now on it passes another gate: this one, in this lane or in none. */
    readonly gate?: { readonly gate: string; readonly lane?: string } | undefined
  }

  /** What happens to jobs of a lane that wait. */
  export interface Hasten {
    readonly gate: string
    readonly environment: string
    readonly lane: string
    /** Only those that wait to run after this moment. Those that somebody works on are to be before it. */
    readonly later: Instant
    readonly runAt: Instant
  }

  export interface WaitingQuery {
    readonly environment: string
    readonly gates: ReadonlyArray<string>
    readonly now: Instant
    /** No more jobs of a gate are counted. */
    readonly most: number
  }

  /** What is due at a gate, and nobody has taken. */
  export interface Waiting {
    readonly gate: string
    readonly count: number
    /** Since when the oldest of those that were counted has been due. */
    readonly since: Instant
  }
}
