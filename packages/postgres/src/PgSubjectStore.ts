import { Conflict, StoreError, SubjectStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { encode } from "./outboxParts.ts"
import { outboxStatement } from "./outboxStatement.ts"
import { PgDatabase } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { instant, storable, text } from "./parameters.ts"

export const get = "select canonical, known_since from known_subject where issuer = $1 and subject = $2"

export const commit = outboxStatement({
  own: `fresh as (
  insert into known_subject (issuer, subject, canonical, known_since) values ($1, $2, $3, $4)
  on conflict (issuer, subject) do nothing
  returning 1
), ok as materialized (select 1 as n from fresh)`,
  parameters: 4,
  answer: "n"
})

const failed = (operation: string) =>
  Effect.mapError((failure: PgFailure) => failure.toStoreError(`SubjectStore.${operation}`))

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const database = yield* PgDatabase

  return SubjectStore.of({
    get: (issuer, subject) =>
      storable(issuer) && storable(subject)
        ? Effect.map(database.query(get, [text(issuer), text(subject)]), ([row]) =>
            row === undefined
              ? null
              : { issuer, subject, canonical: row[0] as string, knownSince: (row[1] as Date).getTime() }
          ).pipe(failed("get"))
        : Effect.succeed(null),
    commit: (change) =>
      Effect.suspend(() => {
        const { canonical, issuer, knownSince, subject } = change.subject
        if (![canonical, issuer, subject].every(storable)) {
          return Effect.fail(
            new StoreError({
              operation: "SubjectStore.commit",
              cause: new Error("a key is not text that Postgres can keep")
            })
          )
        }
        const own = [text(issuer), text(subject), text(canonical), instant(knownSince)]
        return outbox.run(commit, own, [encode(change)]).pipe(
          failed("commit"),
          Effect.flatMap(([row]) => {
            if (row === undefined) return Effect.fail(new Conflict({ key: subject }))
            outbox.committed(change)
            return Effect.succeed(change.subject)
          })
        )
      })
  })
})
