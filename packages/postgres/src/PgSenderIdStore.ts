import { type SenderId, SenderIdStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { outboxStatement } from "./outboxStatement.ts"
import { int, text } from "./parameters.ts"
import { PgDatabase } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { commitsOf, queriesOf } from "./storeQueries.ts"
import * as Table from "./table.ts"

const senderId = Table.rows<SenderId>()("sender_id", ["environment", "header"], {
  environment: Table.text,
  header: Table.text,
  createdAt: Table.instant
})

export const list = `
select ${senderId.select("s")} from sender_id s where environment = $1 order by created_at, header`

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
  const { rows } = queriesOf(yield* PgDatabase, "SenderIdStore")
  const write = commitsOf(outbox, "SenderIdStore")

  return SenderIdStore.of({
    list: (environment) => rows("list", list, () => [text(environment)], senderId.decode),
    commit: (change) => {
      const own = () => [...senderId.sent(change.senderId), int(change.becomes === "added" ? 1 : 0)]
      return Effect.asVoid(write("commit", change.senderId.header, commit, own, change))
    }
  })
})
