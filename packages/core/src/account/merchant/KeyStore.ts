import { Context, type Effect } from "effect"
import type { Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Credential } from "./Merchant.ts"

/**
 * Stores the API keys of each environment. All keys of an environment share one version and are committed together. To
 * look up a single key, see `MerchantStore.access`.
 */
export class KeyStore extends Context.Service<
  KeyStore,
  {
    /** Null when there is no such environment. */
    readonly load: (environment: string) => Effect.Effect<KeyStore.EnvironmentKeys | null, StoreError>
    /**
     * Commits the change with its events, jobs and other records, or nothing. Of several commits from the same version
     * one succeeds, and the others fail with `Conflict`. A commit that adds a key with an existing id also fails with
     * `Conflict`.
     */
    readonly commit: (commit: KeyStore.Change) => Effect.Effect<void, Conflict | StoreError>
    /** Records the hours in which keys were last used. The latest hour of a key wins. Skips keys that do not exist. */
    readonly used: (uses: ReadonlyArray<KeyStore.Use>) => Effect.Effect<void, StoreError>
  }
>()("@countersign/core/merchant/KeyStore") {}

export declare namespace KeyStore {
  /** All keys of an environment at one version, including revoked keys. */
  export interface EnvironmentKeys {
    readonly environment: string
    readonly version: number
    readonly keys: ReadonlyArray<Credential>
  }

  /** A change to an environment's keys. */
  export type Change = Outgoing & {
    readonly environment: string
    /** The version that `load` returned. */
    readonly version: number
    readonly added: ReadonlyArray<Credential>
    /** Existing keys in their next state. `commit` ignores their `lastUsedAt`, because `used` records it. */
    readonly changed: ReadonlyArray<Credential>
  }

  /** The hour in which a key was used. */
  export interface Use {
    readonly id: string
    readonly hour: Instant
  }
}
