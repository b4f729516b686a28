import type { Context, Effect } from "effect"
import type { Event } from "../event/Event.ts"
import type { Conflict } from "../storage/Conflict.ts"
import type { StoreError } from "../storage/StoreError.ts"

/** A store of one aggregate, as `Outbox.committer` needs it: `commit` returns the stored state. */
export interface Committing<C, Stored> {
  readonly commit: (change: C) => Effect.Effect<Stored, Conflict | StoreError>
}

/** The change that a store commits. */
export type ChangeOf<Store> = Store extends Committing<infer C, infer _> ? C : never

/** The state that a store returns from a commit. */
export type StoredBy<Store> = Store extends Committing<infer _, infer Stored> ? Stored : never

/**
 * The state that this process just committed with a job, so that the job's handler need not load it. It is empty in
 * other processes and in later tries: handlers then load from the store.
 *
 * @example
 * ```ts
 * import { type JustCommitted, VerificationStore } from "@countersign/core/storage"
 *
 * // What VerificationStore.commit answered: `{ subject, verification }`, or undefined.
 * const known = (fresh: JustCommitted) => fresh.of(VerificationStore)?.verification ?? null
 * ```
 */
export class JustCommitted {
  /** The empty value. */
  static readonly none: JustCommitted = new JustCommitted([], null, undefined)

  /** The events that were committed with the job. */
  readonly events: ReadonlyArray<Event>
  readonly #store: string | null
  readonly #stored: unknown

  private constructor(events: ReadonlyArray<Event>, store: string | null, stored: unknown) {
    this.events = events
    this.#store = store
    this.#stored = stored
  }

  static readonly from = (events: ReadonlyArray<Event>): JustCommitted =>
    events.length === 0 ? JustCommitted.none : new JustCommitted(events, null, undefined)

  /** Holds the state that this store returned from the job's commit. */
  static readonly stored = <I, S>(
    events: ReadonlyArray<Event>,
    store: Context.Key<I, S>,
    stored: StoredBy<NoInfer<S>>
  ): JustCommitted => new JustCommitted(events, store.key, stored)

  /** The state that the job's commit stored; undefined for a job that was not just committed. */
  of<I, S>(store: Context.Key<I, S>): StoredBy<S> | undefined {
    return this.#store === store.key ? (this.#stored as StoredBy<S>) : undefined
  }
}
