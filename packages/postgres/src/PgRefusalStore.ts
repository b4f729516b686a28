import { type Refusal, RefusalStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { encode } from "./outboxParts.ts"
import { outboxStatement } from "./outboxStatement.ts"
import { int, text, texts } from "./parameters.ts"
import { PgDatabase } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { queriesOf } from "./storeQueries.ts"
import * as Table from "./table.ts"

const refusal = Table.rows<Refusal>()("refusal", ["environment", "id"], {
  environment: Table.word,
  id: Table.word,
  at: Table.of(Table.time, ({ at }: Refusal) => at),
  reason: Table.of(Table.word, ({ reason }: Refusal) => reason),
  person: Table.nullable(Table.word),
  entry: Table.others
})

export const commit = outboxStatement({
  own: `ok as materialized (
  select 1 as n
), refused as (
  insert into refusal (${refusal.columns.join(", ")})
  select * from unnest(${refusal.given(1)})
  on conflict (environment, id) do nothing
)`,
  parameters: refusal.names.length,
  answer: "n",
  repeatable: true
})

/** A separate statement text for each combination of filters, sorted so that only its own index fits. */
export const list = (ofReason: boolean): string => `
select ${refusal.select("r")} from refusal r
where ${
  ofReason
    ? "(reason, environment, id) < ($5, $1, $2) and (reason, environment, id) >= ($5, $1, $3)"
    : "environment = $1 and id < $2 and id >= $3"
}
order by ${ofReason ? "reason desc, environment desc, id desc" : "id desc"} limit $4`

/** The newest of each reference, and then of all: a person has a reference for each master key. */
export const ofPerson = `
select ${refusal.select("r")}
from unnest($5::text[]) p(reference)
cross join lateral (
  select * from refusal
  where person = p.reference and person > '' and environment = $1 and id < $2 and id >= $3
    and ($6::text is null or reason = $6)
  order by person desc, environment desc, id desc limit $4
) r
order by r.id desc limit $4`

export const forget = `
update refusal set person = null
where person = any($2::text[]) and person > '' and environment = $1`

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const { failed, rows, write } = queriesOf(yield* PgDatabase, "RefusalStore")

  return RefusalStore.of({
    commit: (change: RefusalStore.Change) =>
      Effect.suspend(() =>
        outbox.run(commit, refusal.parameters(change.refusals.map(refusal.encode)), [encode(change)])
      ).pipe(
        failed("commit"),
        Effect.map(() => outbox.committed(change))
      ),
    list: ({ before, environment, limit, persons, reason, since }: RefusalStore.Page) =>
      persons === null
        ? rows(
            "list",
            list(reason !== null),
            () => [
              text(environment),
              text(before),
              text(since),
              int(limit),
              ...(reason === null ? [] : [text(reason)])
            ],
            refusal.decode
          )
        : rows(
            "ofPerson",
            ofPerson,
            () => [text(environment), text(before), text(since), int(limit), texts(persons), text(reason)],
            refusal.decode
          ),
    forget: (environment, persons) => Effect.asVoid(write("forget", forget, () => [text(environment), texts(persons)]))
  })
})
