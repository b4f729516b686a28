import { Context, type Effect } from "effect"
import type { Conflict } from "../storage/Conflict.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { Instant } from "../time/Instant.ts"
import type { Window } from "./Window.ts"

/** Keeps what was counted of the last hour. It never decides. */
export class WindowStore extends Context.Service<
  WindowStore,
  {
    /** The window at its version; one that nobody saved is empty, at version 0. */
    readonly load: (environment: string, key: string) => Effect.Effect<Window, StoreError>
    /**
     * Keeps the window if it is still at the version it was loaded at. Of many saves made from one version, one
     * succeeds and all others answer Conflict.
     */
    readonly save: (window: Window, now: Instant) => Effect.Effect<void, Conflict | StoreError>
    /**
     * Forgets what was last saved before `keptSince`; says how many. It may leave a window for up to an hour longer,
     * and forgets none too early.
     */
    readonly purge: (keptSince: Instant) => Effect.Effect<number, StoreError>
  }
>()("@countersign/core/limit/WindowStore") {}
