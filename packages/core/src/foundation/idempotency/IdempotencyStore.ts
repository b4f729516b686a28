import { Context, type Effect } from "effect"
import type { StoreError } from "../storage/StoreError.ts"
import type { Instant } from "../time/Instant.ts"

/** Stores requests with an idempotency key, and their responses. */
export class IdempotencyStore extends Context.Service<
  IdempotencyStore,
  {
    /**
     * Takes the key for `holder`, or returns the existing record. Of concurrent callers, one gets
     * `IdempotencyStore.Taken` and may run; the others get the record. A record without a response can be taken over
     * after `leasedUntil` by a request with the same fingerprint, and keeps its age. A record older than `keptSince`
     * counts as deleted.
     */
    readonly begin: (request: {
      readonly scope: IdempotencyStore.Scope
      readonly fingerprint: string
      readonly holder: string
      readonly now: Instant
      readonly leasedUntil: Instant
      readonly keptSince: Instant
    }) => Effect.Effect<IdempotencyStore.Taken | IdempotencyStore.Record, StoreError>
    /** Whether the key has a record younger than `keptSince`. Writes nothing. */
    readonly holds: (scope: IdempotencyStore.Scope, keptSince: Instant) => Effect.Effect<boolean, StoreError>
    /** Stores the response. Has no effect when `holder` has lost the key. */
    readonly finish: (
      scope: IdempotencyStore.Scope,
      holder: string,
      answer: IdempotencyStore.KeptAnswer
    ) => Effect.Effect<void, StoreError>
    /**
     * Ends the lease but keeps the record, because the request ended without a response and may have changed something.
     * A repeat with the same body can take over immediately.
     */
    readonly unlock: (scope: IdempotencyStore.Scope, holder: string) => Effect.Effect<void, StoreError>
    /** Deletes the record, because the request was rejected and changed nothing. */
    readonly release: (scope: IdempotencyStore.Scope, holder: string) => Effect.Effect<void, StoreError>
    /** Deletes records older than `keptSince`. Returns their number. */
    readonly purge: (keptSince: Instant) => Effect.Effect<number, StoreError>
  }
>()("@countersign/core/idempotency/IdempotencyStore") {}

export declare namespace IdempotencyStore {
  /** The scope of an idempotency key: the environment, the endpoint and the key itself. */
  export interface Scope {
    readonly environment: string
    readonly endpoint: string
    readonly key: string
  }

  /** A response exactly as it was sent, byte for byte. */
  export interface KeptAnswer {
    readonly status: number
    readonly body: string
  }

  /** The caller holds the key and may run the request. */
  export interface Taken {
    readonly _tag: "Taken"
    /** When the first request with this key and body started. */
    readonly firstAt: Instant
    /** An earlier request started and may have changed something before it ended without a response. */
    readonly isRepeat: boolean
  }

  /** Another request holds the key, or its response is stored. */
  export interface Record {
    readonly _tag: "Held"
    /** An HMAC of the request body: see `fingerprint.ts`. */
    readonly fingerprint: string
    /** Null while the request is running or has no stored response. */
    readonly answer: KeptAnswer | null
  }
}
