import { Context, type Effect } from "effect"
import type { Conflict } from "../storage/Conflict.ts"
import type { StoreError } from "../storage/StoreError.ts"

/** The fingerprints of the master secrets that this storage was ever used with, oldest first. */
export class FingerprintStore extends Context.Service<
  FingerprintStore,
  {
    readonly load: Effect.Effect<ReadonlyArray<string>, StoreError>
    /**
     * Adds one behind those that were loaded. Of many who add at once, having loaded the same, one succeeds and the
     * others get `Conflict`.
     */
    readonly add: (fingerprint: string, loaded: ReadonlyArray<string>) => Effect.Effect<void, Conflict | StoreError>
  }
>()("@countersign/core/secret/FingerprintStore") {}
