import { type OptOut, OptOutStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { outboxStatement } from "./outboxStatement.ts"
import { bool, instant, instants, int, storable, text, texts } from "./parameters.ts"
import { PgDatabase } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { commitsOf, queriesOf } from "./storeQueries.ts"
import * as Table from "./table.ts"

const optOut = Table.rows<OptOut>()("opt_out", ["environment", "phone"], {
  environment: Table.text,
  phone: Table.text,
  isOut: Table.bool,
  by: Table.text,
  at: Table.instant
})

export const known = `
select ${optOut.select("o")} from unnest($2::text[]) as w(name)
cross join lateral (select * from opt_out where environment = $1 and phone = w.name offset 0) o`

export const list = `
select ${optOut.select("o")} from opt_out o where environment = $1 and is_out and phone > $2 order by phone limit $3`

/** The later choice wins; at equal times the opt-out wins. So the order of statements does not matter. */
export const commit = outboxStatement({
  own: `written as (
  insert into opt_out (environment, phone, is_out, by, at) select $1, $2::text, $3, $4, $5 where $2::text is not null
  on conflict (environment, phone) do update set is_out = excluded.is_out, by = excluded.by, at = excluded.at
    where excluded.at > opt_out.at or (excluded.at = opt_out.at and excluded.is_out and not opt_out.is_out)
  returning 1
), gone as (
  delete from opt_out o using (
    select t.place, t.stood from unnest($6::text[], $7::timestamptz[]) as g(phone, at)
    cross join lateral (
      select ctid as place, at as stood from opt_out
      where environment = $1 and phone = g.phone and at <= g.at offset 0
    ) t
  ) d
  where o.ctid = d.place and o.at = d.stood
  returning 1
), ok as materialized (
  select 1 as n where exists (select 1 from written) or exists (select 1 from gone)
)`,
  parameters: 7,
  answer: "n"
})
export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const { rows } = queriesOf(yield* PgDatabase, "OptOutStore")
  const write = commitsOf(outbox, "OptOutStore")

  return OptOutStore.of({
    commit: (change) => {
      const { environment, gone, optOut } = change
      const own = () => [
        text(environment),
        text(optOut?.phone ?? null),
        bool(optOut?.isOut ?? false),
        text(optOut?.by ?? ""),
        instant(optOut?.at ?? 0),
        texts(gone.map(({ phone }) => Table.text.write(phone) as string)),
        instants(gone.map(({ at }) => at))
      ]
      return write("commit", "", commit, own, change).pipe(
        Effect.as(true),
        Effect.catchTag("Conflict", () => Effect.succeed(false))
      )
    },
    known: (environment, phones) =>
      rows("known", known, () => [text(environment), texts([...new Set(phones)].filter(storable))], optOut.decode),
    list: (environment, { after, limit }) =>
      rows("list", list, () => [text(environment), text(after), int(limit)], optOut.decode)
  })
})
