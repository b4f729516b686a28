import { type Label, LabelStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { outboxStatement } from "./outboxStatement.ts"
import { text } from "./parameters.ts"
import { PgDatabase } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { commitsOf, queriesOf } from "./storeQueries.ts"
import * as Table from "./table.ts"

const label = Table.rows<Label>()("lead_label", ["merchantId", "id"], {
  merchantId: Table.text,
  id: Table.text,
  canonical: Table.of(Table.text, ({ name }: Label) => name.normalize("NFKC").toLowerCase()),
  state: Table.only("colour", "createdAt", "name")
})

export const list = `select ${label.select("l")} from lead_label l where merchant_id = $1 order by id`

export const commit = outboxStatement({
  own: `gone as (
  delete from lead_label where merchant_id = $1 and id = $2 and $5 = 'removed' returning id
), known as (
  update lead_label set canonical = $3, state = $4 where merchant_id = $1 and id = $2 and $5 = 'changed' returning id
), fresh as (
  insert into lead_label (merchant_id, id, canonical, state) select $1, $2, $3, $4 where $5 = 'added'
  on conflict do nothing
  returning id
), ok as materialized (
  select 1 as n from gone union all select 1 from known union all select 1 from fresh
)`,
  parameters: 5,
  answer: "n"
})

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const { rows } = queriesOf(yield* PgDatabase, "LabelStore")
  const write = commitsOf(outbox, "LabelStore")

  return LabelStore.of({
    list: (merchantId) => rows("list", list, () => [text(merchantId)], label.decode),
    commit: (change) => {
      const own = () => [...label.sent(change.label), text(change.becomes)]
      return Effect.asVoid(write("commit", change.label.id, commit, own, change))
    }
  })
})
