import { Context, Effect, Layer } from "effect"
import type { Conflict } from "../storage/Conflict.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { noRecords, type Outgoing, type Unbooked } from "./Change.ts"
import { type ChangeOf, type Committing, JustCommitted, type StoredBy } from "./JustCommitted.ts"
import type { NewJob } from "./Job.ts"
import { Jobs } from "./Jobs.ts"
import { OutboxStore } from "./OutboxStore.ts"
import { Subscribers } from "./Subscribers.ts"

/** Commits a change of one aggregate and returns the stored state. */
export type Committer<Store> = (change: ChangeOf<Store>) => Effect.Effect<StoredBy<Store>, Conflict | StoreError>

/**
 * The only way for a change to reach storage. Adds the jobs that deliver the events, writes everything in one step, and
 * immediately starts the due jobs that this process has room for.
 *
 * @example
 * ```ts
 * import { Outbox, VerificationStore } from "@countersign/core/storage"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const commit = yield* Outbox.committer(VerificationStore)
 *   // yield* commit(decision.change) answers the state as it is stored, at its new version
 *   return commit
 * })
 * ```
 */
export class Outbox extends Context.Service<
  Outbox,
  {
    /**
     * Commits a change with `write`, including its events and jobs. `fresh` derives the state for the handlers of its
     * jobs.
     */
    readonly commit: <C extends Outgoing, A, E>(
      change: C,
      write: (change: C) => Effect.Effect<A, E>,
      fresh?: (stored: A) => JustCommitted
    ) => Effect.Effect<A, E | StoreError>
    /** Writes records without an aggregate: all of them or none, durable when it returns. */
    readonly append: (outgoing: Partial<Unbooked>) => Effect.Effect<void, StoreError>
    /**
     * Adds the jobs that do not exist yet. Existing jobs stay unchanged, because another process may be running them.
     * For the same reason none of them starts here; a process with room claims the new ones.
     */
    readonly addMissing: (
      outgoing: Pick<Outgoing, "done" | "jobs"> & Partial<Pick<Outgoing, "audited">>
    ) => Effect.Effect<void, StoreError>
  }
>()("@countersign/core/outbox/Outbox") {
  static readonly layer: Layer.Layer<Outbox, never, OutboxStore | Jobs | Subscribers> = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const jobs = yield* Jobs
      const subscribers = yield* Subscribers

      const commit = <C extends Outgoing, A, E>(
        change: C,
        write: (change: C) => Effect.Effect<A, E>,
        fresh?: (stored: A) => JustCommitted
      ): Effect.Effect<A, E | StoreError> =>
        Effect.flatMapEager(subscribers.jobsFor(change.events), (telling) => {
          const work: ReadonlyArray<NewJob> = telling.length === 0 ? change.jobs : [...change.jobs, ...telling]
          return work.length === 0
            ? write(change)
            : jobs.commit(
                work,
                (jobs) => write({ ...change, jobs }),
                fresh ?? (() => JustCommitted.from(change.events))
              )
        })

      return Outbox.of({
        commit,
        append: (outgoing) => commit({ ...noRecords, ...outgoing }, store.append),
        addMissing: (outgoing) => store.append({ ...noRecords, ...outgoing })
      })
    })
  )

  /** The commit gateway of one store. Handlers of the change's jobs receive the stored state. */
  static readonly committer = <I, S extends Committing<never, unknown>>(
    key: Context.Key<I, S>
  ): Effect.Effect<Committer<S>, never, Outbox | I> =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const store = yield* key
      const write = store.commit as unknown as (change: Outgoing) => ReturnType<Committer<S>>
      return ((change: Outgoing) =>
        outbox.commit(change, write, (stored) => JustCommitted.stored(change.events, key, stored))) as Committer<S>
    })
}
