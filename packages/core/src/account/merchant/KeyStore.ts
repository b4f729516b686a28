import { Context, type Effect } from "effect"
import type { Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Credential } from "./Merchant.ts"

/** The keys of an environment, as one thing with one version. What one key opens is `MerchantStore.access`. */
export class KeyStore extends Context.Service<
  KeyStore,
  {
    /** Null when there is no such environment. */
    readonly load: (environment: string) => Effect.Effect<KeyStore.EnvironmentKeys | null, StoreError>
    /**
     * All of it, with what the change leaves, or nothing. Of many commits made from one version one succeeds, and the others answer `Conflict`; so
     * does one that adds a key whose id exists anywhere.
     */
    readonly commit: (commit: KeyStore.Change) => Effect.Effect<void, Conflict | StoreError>
    /** Writes down uses: of several hours of one key the latest stays. Keys that do not exist are passed over. */
    readonly used: (uses: ReadonlyArray<KeyStore.Use>) => Effect.Effect<void, StoreError>
  }
>()("@countersign/core/merchant/KeyStore") {}

export declare namespace KeyStore {
  /** All keys of one environment, revoked ones too, as they were at one version. */
  export interface EnvironmentKeys {
    readonly environment: string
    readonly version: number
    readonly keys: ReadonlyArray<Credential>
  }

  /** What becomes of an environment's keys. */
  export type Change = Outgoing & {
    readonly environment: string
    /** The version that was read. */
    readonly version: number
    readonly added: ReadonlyArray<Credential>
    /** Keys that were read, as they are from now on. Their `lastUsedAt` is not written. */
    readonly changed: ReadonlyArray<Credential>
  }

  /** The hour a key was used in. */
  export interface Use {
    readonly id: string
    readonly hour: Instant
  }
}
