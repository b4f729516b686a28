import type { Context, Effect } from "effect"
import type { Event } from "../event/Event.ts"
import type { Conflict } from "../storage/Conflict.ts"
import type { StoreError } from "../storage/StoreError.ts"

/** A store of one aggregate, as `Outbox.committer` takes it: its `commit` answers the state that is stored now. */
export interface Committing<C, Stored> {
  readonly commit: (change: C) => Effect.Effect<Stored, Conflict | StoreError>
}

/** The change that a store commits. */
export type ChangeOf<Store> = Store extends Committing<infer C, infer _> ? C : never

/** What a store answers to a commit. */
export type StoredBy<Store> = Store extends Committing<infer _, infer Stored> ? Stored : never

/**
 * What the process that has just committed a job knows, so that the job's handler need not load it. Another process,
 * and a later try, know nothing: a handler that finds nothing here asks the store.
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
  /** Nothing is known. */
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

  /** What this store has just answered to the commit of the job. */
  static readonly stored = <I, S>(
    events: ReadonlyArray<Event>,
    store: Context.Key<I, S>,
    stored: StoredBy<NoInfer<S>>
  ): JustCommitted => new JustCommitted(events, store.key, stored)

  /** The state that the commit of this job has stored; undefined if the job came from anywhere else. */
  of<I, S>(store: Context.Key<I, S>): StoredBy<S> | undefined {
    return this.#store === store.key ? (this.#stored as StoredBy<S>) : undefined
  }
}
