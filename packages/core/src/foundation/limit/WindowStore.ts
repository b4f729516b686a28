import { Context, type Effect } from "effect"
import type { Conflict } from "../storage/Conflict.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { Instant } from "../time/Instant.ts"
import type { Window } from "./Window.ts"

/** Stores the counts of the last hour. Makes no decisions. */
export class WindowStore extends Context.Service<
  WindowStore,
  {
    /** The stored window; an empty one at version 0 when none is stored. */
    readonly load: (environment: string, key: string) => Effect.Effect<Window, StoreError>
    /**
     * Saves the window if its version is unchanged since it was loaded. Of concurrent saves of one version, one
     * succeeds and the others fail with `Conflict`.
     */
    readonly save: (window: Window, now: Instant) => Effect.Effect<void, Conflict | StoreError>
    /**
     * Deletes windows last saved before `keptSince`. Returns their number. It may keep a window for up to an hour
     * longer, but never deletes one early.
     */
    readonly purge: (keptSince: Instant) => Effect.Effect<number, StoreError>
  }
>()("@countersign/core/limit/WindowStore") {}
