import { Effect } from "effect"
import type { Conflict } from "./Conflict.ts"
import { Contended } from "./Contended.ts"

/** Decides anew while others commit first; after so many losses in a row it gives up. */
const mostConflicts = 200

/** Repeats a load, decision and commit that lost against somebody else's commit. */
export const untilCommitted = <A, E, R>(
  loadDecideCommit: Effect.Effect<A, E | Conflict, R>
): Effect.Effect<A, Exclude<E, Conflict> | Contended, R> => tryWith(loadDecideCommit, mostConflicts)

/** A plain loop, because `Effect.retry` allocates a 4 KB schedule per call even when nothing is retried. */
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
