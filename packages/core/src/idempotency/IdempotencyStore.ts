import { Context, type Effect } from "effect"
import type { StoreError } from "../storage/StoreError.ts"
import type { Instant } from "../time/Instant.ts"

/** What one idempotency key stands for: environment, endpoint, key. */
export interface IdempotencyScope {
  readonly environment: string
  readonly endpoint: string
  readonly key: string
}

/** An answer as it left, byte for byte. */
export interface KeptAnswer {
  readonly status: number
  readonly body: string
}

export interface IdempotencyRecord {
  /** An HMAC of the request's body: `fingerprint.ts` says why. */
  readonly fingerprint: string
  /** Null while the first request still runs. */
  readonly answer: KeptAnswer | null
}

/** Remembers requests that carried an idempotency key, and what they were answered. */
export class IdempotencyStore extends Context.Service<
  IdempotencyStore,
  {
    /**
     * Takes the key for `holder`, or tells who has it. Of many callers at one instant, one gets null (it may run) and
     * all others the record. A record without an answer can be taken over after `leasedUntil`, if it still has
     * the same fingerprint; one older than `keptSince` counts as gone.
     */
    readonly begin: (request: {
      readonly scope: IdempotencyScope
      readonly fingerprint: string
      readonly holder: string
      readonly now: Instant
      readonly leasedUntil: Instant
      readonly keptSince: Instant
    }) => Effect.Effect<IdempotencyRecord | null, StoreError>
    /** Whether the key has a record, younger than `keptSince`. It takes nothing, and writes nothing. */
    readonly holds: (scope: IdempotencyScope, keptSince: Instant) => Effect.Effect<boolean, StoreError>
    /** Keeps the answer. Nothing happens when `holder` has lost the key. */
    readonly finish: (scope: IdempotencyScope, holder: string, answer: KeptAnswer) => Effect.Effect<void, StoreError>
    /** Lets the key go: the request was answered with something that must not be repeated. */
    readonly release: (scope: IdempotencyScope, holder: string) => Effect.Effect<void, StoreError>
    /** Forgets what is older than `keptSince`; says how many. */
    readonly purge: (keptSince: Instant) => Effect.Effect<number, StoreError>
  }
>()("@countersign/core/idempotency/IdempotencyStore") {}
