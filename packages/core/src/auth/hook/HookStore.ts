import { Context, type Effect } from "effect"
import { noRecords, type Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Hook, HookEntry } from "./Hook.ts"

/** The hooks of sign-in systems, and the lists of their requests. */
export class HookStore extends Context.Service<
  HookStore,
  {
    /** The hook with that id, in any environment. */
    readonly get: (id: string) => Effect.Effect<Hook | null, StoreError>
    /** All hooks of an environment, by id, and so by age. */
    readonly list: (environment: string) => Effect.Effect<ReadonlyArray<Hook>, StoreError>
    /**
     * Saves a new hook (version 0) or a known one (the version it was read at), with all its changes, or nothing. Fails
     * with `Conflict` when another writer saved it first. Returns the hook as stored.
     */
    readonly commit: (change: HookStore.Change) => Effect.Effect<Hook, Conflict | StoreError>
    /**
     * Deletes a hook, with all its changes. Its list stays until it is purged, and nothing reads it. Fails with
     * `Conflict` at another version.
     */
    readonly remove: (change: HookStore.Change) => Effect.Effect<void, Conflict | StoreError>
    /**
     * Adds requests to the lists of their hooks. Keeps the newest `mostSigned` and `mostUnsigned` of each hook, or a few
     * more until the next call.
     */
    readonly note: (entries: ReadonlyArray<HookEntry>) => Effect.Effect<void, StoreError>
    /** One hook's list, newest first. */
    readonly requests: (page: HookStore.Page) => Effect.Effect<ReadonlyArray<HookEntry>, StoreError>
    /** Deletes the requests of all hooks before this instant. Returns their number. */
    readonly purge: (before: Instant) => Effect.Effect<number, StoreError>
  }
>()("@countersign/core/hook/HookStore") {
  /** The most signed requests that the list of a hook keeps. */
  static readonly mostSigned = 500
  /** The same for requests that no secret signed. Anyone can send those. */
  static readonly mostUnsigned = 50

  /** A hook's next state, with all its changes. */
  static readonly change = (hook: Hook, more: Partial<Outgoing> = {}): HookStore.Change => ({
    hook,
    ...noRecords,
    ...more
  })
}

export declare namespace HookStore {
  /** A hook's next state, carrying the version that was loaded; 0 for a new hook. */
  export type Change = Outgoing & { readonly hook: Hook }

  export interface Page {
    readonly environment: string
    readonly hookId: string
    /** Continue after the request with this id. */
    readonly after: string | null
    readonly limit: number
  }
}
