import { Context, type Effect } from "effect"
import type { Conflict } from "../storage/Conflict.ts"
import type { StoreError } from "../storage/StoreError.ts"

/** The fingerprints of all master secrets that this storage was used with, oldest first. */
export class FingerprintStore extends Context.Service<
  FingerprintStore,
  {
    readonly load: Effect.Effect<ReadonlyArray<string>, StoreError>
    /**
     * Appends a fingerprint to the loaded list. Of concurrent calls with the same list, one succeeds and the others
     * fail with `Conflict`.
     */
    readonly add: (fingerprint: string, loaded: ReadonlyArray<string>) => Effect.Effect<void, Conflict | StoreError>
  }
>()("@countersign/core/secret/FingerprintStore") {}
