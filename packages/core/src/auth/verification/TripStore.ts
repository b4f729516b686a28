import { Context, type Effect } from "effect"
import type { Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Trip, TripReason } from "../../foundation/guard/Trip.ts"

/** The most trips that a list has. */
export const mostListed = 1_000

/** Stores the places that the guard stopped. Makes no decisions. */
export class TripStore extends Context.Service<
  TripStore,
  {
    /** The trips of an environment that end after `after`, the latest first, at most `mostListed`. */
    readonly list: (environment: string, after: Instant) => Effect.Effect<ReadonlyArray<Trip>, StoreError>
    /** The stored trip of a place; null when there is none. */
    readonly get: (environment: string, reason: TripReason, place: string) => Effect.Effect<Trip | null, StoreError>
    /**
     * Saves a new trip (version 0) or a known one (the version it was read at), with all its changes, or nothing. Fails
     * with `Conflict` when another writer saved it first. Returns the trip as stored.
     */
    readonly commit: (change: TripStore.Change) => Effect.Effect<Trip, Conflict | StoreError>
    /** Deletes trips that ended before. Returns their number. */
    readonly purge: (before: Instant) => Effect.Effect<number, StoreError>
  }
>()("@countersign/core/guard/TripStore") {}

export declare namespace TripStore {
  /** A trip's next state, at the version that was read. */
  export type Change = Outgoing & { readonly trip: Trip }
}
