import { Effect } from "effect"
import type { Conflict } from "./Conflict.ts"
import { Contended } from "./Contended.ts"

/** The number of conflicts in a row after which it fails with `Contended`. */
const mostConflicts = 200

/** Repeats a load, decision and commit on every conflict with another commit. */
export const untilCommitted = <A, E, R>(
  loadDecideCommit: Effect.Effect<A, E | Conflict, R>
): Effect.Effect<A, Exclude<E, Conflict> | Contended, R> => tryWith(loadDecideCommit, mostConflicts)

/** A plain loop, because `Effect.retry` allocates a 4 KB schedule per call even without a retry. */
const tryWith = <A, E, R>(
  loadDecideCommit: Effect.Effect<A, E | Conflict, R>,
  left: number
): Effect.Effect<A, Exclude<E, Conflict> | Contended, R> =>
  Effect.catchIf(
    loadDecideCommit,
    isConflict,
    (): Effect.Effect<A, Exclude<E, Conflict> | Contended, R> =>
      left === 0 ? Effect.fail(new Contended()) : tryWith(loadDecideCommit, left - 1)
  ) as Effect.Effect<A, Exclude<E, Conflict> | Contended, R>

const isConflict = (error: unknown): error is Conflict =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "Conflict"
