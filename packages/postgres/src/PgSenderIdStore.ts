import { Conflict, SenderIdStore, StoreError } from "@countersign/core/storage"
import { Effect } from "effect"
import { PgDatabase } from "./PgDatabase.ts"
import { instant, int, storable, text } from "./parameters.ts"
import { encode } from "./outboxParts.ts"
import { outboxStatement } from "./outboxStatement.ts"
import type { PgOutbox } from "./PgOutbox.ts"

export const list = `
select header, created_at from sender_id where environment = $1 order by created_at, header`

export const commit = outboxStatement({
  own: `gone as (
  delete from sender_id where environment = $1 and header = $2 and $4 = 0 returning header
), fresh as (
  insert into sender_id (environment, header, created_at) select $1, $2, $3 where $4 = 1
  on conflict do nothing
  returning header
), ok as materialized (
  select 1 as n from gone union all select 1 from fresh
)`,
  parameters: 4,
  answer: "n"
})

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const database = yield* PgDatabase

  return SenderIdStore.of({
    list: (environment) =>
      storable(environment)
        ? database.query(list, [text(environment)]).pipe(
            Effect.map((rows) =>
              rows.map(([header, createdAt]) => ({
                environment,
                header: header as string,
                createdAt: (createdAt as Date).getTime()
              }))
            ),
            Effect.mapError((failure) => failure.toStoreError("SenderIdStore.list"))
          )
        : Effect.succeed([]),
    commit: (change) =>
      Effect.suspend(() => {
        const { createdAt, environment, header } = change.senderId
        if (!storable(environment) || !storable(header)) {
          return Effect.fail(
            new StoreError({
              operation: "SenderIdStore.commit",
              cause: new Error("a key is not text that Postgres can keep")
            })
          )
        }
        const own = [text(environment), text(header), instant(createdAt), int(change.becomes === "added" ? 1 : 0)]
        return outbox.run(commit, own, [encode(change)]).pipe(
          Effect.mapError((failure) => failure.toStoreError("SenderIdStore.commit")),
          Effect.flatMap(([row]) => {
            if (row === undefined) return Effect.fail(new Conflict({ key: header }))
            outbox.committed(change)
            return Effect.void
          })
        )
      })
  })
})
