import type { Outgoing } from "@countersign/core/storage"
import { Effect } from "effect"
import { type Batch, leftBy } from "./outboxParts.ts"
import type { OutboxStatement } from "./outboxStatement.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import type { PgWakeUps } from "./PgWakeUps.ts"

/** Every Postgres store commits its changes through this. */
export interface PgOutbox {
  /**
   * Commits a batch of changes: the aggregate's parameters and the effects of each change, in order. A single change
   * that cannot be paid returns no row, like an outdated change. A batch with such a change is `Rejected`.
   */
  readonly run: (
    statement: OutboxStatement,
    own: ReadonlyArray<unknown>,
    batch: Batch
  ) => Effect.Effect<ReadonlyArray<Row>, PgFailure>
  /** Call it after a commit: this process's workers immediately learn of the new jobs. */
  readonly committed: (outgoing: Outgoing) => void
}

export const make = Effect.fnUntraced(function* (wakeUps: PgWakeUps) {
  const database = yield* PgDatabase
  const outbox: PgOutbox = {
    run: ({ text }, own, batch) => {
      const { left, parameters } = leftBy(batch)
      const written = database.query(text(left), [...own, ...parameters])
      return batch.length > 1
        ? written
        : Effect.catchIf(
            written,
            (failure) => failure.refusesMoney,
            () => Effect.succeed([])
          )
    },
    committed: ({ jobs }) => wakeUps.added(jobs)
  }
  return outbox
})
