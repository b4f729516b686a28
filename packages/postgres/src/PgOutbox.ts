import type { Outgoing } from "@countersign/core/storage"
import { Effect } from "effect"
import { type EncodedOutgoing, type OutboxStatement, outboxParameters } from "./outboxStatement.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import { concernsOthers, type PgWakeUps } from "./PgWakeUps.ts"

/** Through which every store in Postgres writes what its changes leave. */
export interface PgOutbox {
  /** Commits a batch of changes: the aggregate's own parameters, and what each of the changes leaves, in their order. */
  readonly run: (
    statement: OutboxStatement,
    own: ReadonlyArray<unknown>,
    batch: ReadonlyArray<EncodedOutgoing>
  ) => Effect.Effect<ReadonlyArray<Row>, PgFailure>
  /** To be called when a change is committed: this process's workers learn at once of what it left. */
  readonly committed: (outgoing: Outgoing) => void
}

export const make = Effect.fnUntraced(function* (wakeUps: PgWakeUps) {
  const database = yield* PgDatabase
  const outbox: PgOutbox = {
    run: ({ quiet, waking }, own, batch) =>
      database.query(batch.some(({ outgoing }) => outgoing.jobs.some(concernsOthers)) ? waking : quiet, [
        ...own,
        ...outboxParameters(batch)
      ]),
    committed: ({ jobs }) => wakeUps.added(jobs)
  }
  return outbox
})
