import { type Refusal, type RefusalChange, type RefusalPage, RefusalStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { encode } from "./outboxParts.ts"
import { outboxStatement } from "./outboxStatement.ts"
import { PgDatabase } from "./PgDatabase.ts"
import { instants, int, storable, text, texts } from "./parameters.ts"
import type { PgOutbox } from "./PgOutbox.ts"

export const commit = outboxStatement({
  own: `ok as materialized (
  select 1 as n
), refused as (
  insert into refusal (environment, id, at, reason, entry)
  select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[])
  on conflict (environment, id) do nothing
)`,
  parameters: 5,
  answer: "n",
  repeatable: true
})

/** One text for each shape of the question, ordered as only its own index is. */
export const list = (ofReason: boolean): string => `
select id, entry from refusal
where ${
  ofReason
    ? "(reason, environment, id) < ($5, $1, $2) and (reason, environment, id) >= ($5, $1, $3)"
    : "environment = $1 and id < $2 and id >= $3"
}
order by ${ofReason ? "reason desc, environment desc, id desc" : "id desc"} limit $4`

type Rest = Omit<Refusal, "environment" | "id">

const encodeRefusal = ({ environment: _environment, id: _id, ...rest }: Refusal): string =>
  JSON.stringify(rest satisfies Rest)

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const database = yield* PgDatabase

  return RefusalStore.of({
    commit: Effect.fnUntraced(
      function* (change: RefusalChange) {
        const { refusals } = change
        const own = [
          texts(refusals.map(({ environment }) => environment)),
          texts(refusals.map(({ id }) => id)),
          instants(refusals.map(({ at }) => at)),
          texts(refusals.map(({ reason }) => reason)),
          texts(refusals.map(encodeRefusal))
        ]
        yield* outbox.run(commit, own, [encode(change)])
        outbox.committed(change)
      },
      Effect.mapError((failure) => failure.toStoreError("RefusalStore.commit"))
    ),
    list: Effect.fnUntraced(
      function* ({ before, environment, limit, reason, since }: RefusalPage) {
        if (![environment, before, since, reason ?? ""].every(storable)) return []
        const values = [text(environment), text(before), text(since), int(limit)]
        const rows = yield* database.query(list(reason !== null), reason === null ? values : [...values, text(reason)])
        return rows.map(
          ([id, entry]): Refusal => ({ environment, id: id as string, ...(JSON.parse(entry as string) as Rest) })
        )
      },
      Effect.mapError((failure) => failure.toStoreError("RefusalStore.list"))
    )
  })
})
