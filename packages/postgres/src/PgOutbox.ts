import type { Outgoing } from "@countersign/core/storage"
import { Effect } from "effect"
import { type Batch, leftBy } from "./outboxParts.ts"
import type { OutboxStatement } from "./outboxStatement.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import type { PgWakeUps } from "./PgWakeUps.ts"

/** Through which every store in Postgres writes what its changes leave. */
export interface PgOutbox {
  /**
   * Commits a batch of changes: the aggregate's own parameters, and what each of the changes leaves, in their order. One
   * alone that cannot be paid is answered like one that came too late, with no row; of many the statement is `Rejected`.
   */
  readonly run: (
    statement: OutboxStatement,
    own: ReadonlyArray<unknown>,
    batch: Batch
  ) => Effect.Effect<ReadonlyArray<Row>, PgFailure>
  /** To be called when a change is committed: this process's workers learn at once of what it left. */
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
