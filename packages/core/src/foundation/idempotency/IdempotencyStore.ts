import { Context, type Effect } from "effect"
import type { StoreError } from "../storage/StoreError.ts"
import type { Instant } from "../time/Instant.ts"

/** Remembers requests that carried an idempotency key, and what they were answered. */
export class IdempotencyStore extends Context.Service<
  IdempotencyStore,
  {
    /**
     * Takes the key for `holder`, or tells who has it. Of many callers at one instant, one gets `IdempotencyStore.Taken` (it may run) and
     * all others the record. A record without an answer can be taken over after `leasedUntil`, if it still has
     * the same fingerprint, and stays as old as it was; one older than `keptSince` counts as gone.
     */
    readonly begin: (request: {
      readonly scope: IdempotencyStore.Scope
      readonly fingerprint: string
      readonly holder: string
      readonly now: Instant
      readonly leasedUntil: Instant
      readonly keptSince: Instant
    }) => Effect.Effect<IdempotencyStore.Taken | IdempotencyStore.Record, StoreError>
    /** Whether the key has a record, younger than `keptSince`. It takes nothing, and writes nothing. */
    readonly holds: (scope: IdempotencyStore.Scope, keptSince: Instant) => Effect.Effect<boolean, StoreError>
    /** Keeps the answer. Nothing happens when `holder` has lost the key. */
    readonly finish: (
      scope: IdempotencyStore.Scope,
      holder: string,
      answer: IdempotencyStore.KeptAnswer
    ) => Effect.Effect<void, StoreError>
    /**
     * Ends the lease and keeps the record: the request ended without an answer and may have changed something. A repeat
     * with the same body takes over at once.
     */
    readonly unlock: (scope: IdempotencyStore.Scope, holder: string) => Effect.Effect<void, StoreError>
    /** Forgets the record: the request was refused, and changed nothing. */
    readonly release: (scope: IdempotencyStore.Scope, holder: string) => Effect.Effect<void, StoreError>
    /** Forgets what is older than `keptSince`; says how many. */
    readonly purge: (keptSince: Instant) => Effect.Effect<number, StoreError>
  }
>()("@countersign/core/idempotency/IdempotencyStore") {}

export declare namespace IdempotencyStore {
  /** What one idempotency key stands for: environment, endpoint, key. */
  export interface Scope {
    readonly environment: string
    readonly endpoint: string
    readonly key: string
  }

  /** An answer as it left, byte for byte. */
  export interface KeptAnswer {
    readonly status: number
    readonly body: string
  }

  /** The key is the caller's: it may run. */
  export interface Taken {
    readonly _tag: "Taken"
    /** When the first request with this key and body began. */
    readonly firstAt: Instant
    /** An earlier request began, and may have changed something before it ended without an answer. */
    readonly isRepeat: boolean
  }

  /** Somebody else has the key, or had it and was answered. */
  export interface Record {
    readonly _tag: "Held"
    /** An HMAC of the request's body: `fingerprint.ts` says why. */
    readonly fingerprint: string
    /** Null while the first request still runs. */
    readonly answer: KeptAnswer | null
  }
}
