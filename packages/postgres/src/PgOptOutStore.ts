import { type OptOut, OptOutStore, StoreError } from "@countersign/core/storage"
import { Effect } from "effect"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import { bool, instant, instants, int, storable, text, texts } from "./parameters.ts"
import { encode } from "./outboxParts.ts"
import { outboxStatement } from "./outboxStatement.ts"
import type { PgOutbox } from "./PgOutbox.ts"

const columns = "phone, is_out, by, at"

export const known = `
select ${columns} from unnest($2::text[]) as w(name)
cross join lateral (select ${columns} from opt_out where environment = $1 and phone = w.name offset 0) o`

export const list = `
select ${columns} from opt_out where environment = $1 and is_out and phone > $2 order by phone limit $3`

/** Of two things said the later holds, at one moment the wish for none: then any order of statements comes to the same. */
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

const optOutOf =
  (environment: string) =>
  ([phone, isOut, by, at]: Row): OptOut => ({
    environment,
    phone: phone as string,
    isOut: isOut as boolean,
    by: by as OptOut["by"],
    at: (at as Date).getTime()
  })

const failed = (operation: string) =>
  Effect.mapError((failure: PgFailure) => failure.toStoreError(`OptOutStore.${operation}`))

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const database = yield* PgDatabase

  return OptOutStore.of({
    commit: (change) =>
      Effect.suspend(() => {
        const { environment, gone, optOut } = change
        const names = gone.map(({ phone }) => phone)
        if (![environment, ...names, ...(optOut === null ? [] : [optOut.phone])].every(storable)) {
          const cause = new Error("a key is not text that Postgres can keep")
          return Effect.fail(new StoreError({ operation: "OptOutStore.commit", cause }))
        }
        const own = [
          text(environment),
          text(optOut?.phone ?? null),
          bool(optOut?.isOut ?? false),
          text(optOut?.by ?? ""),
          instant(optOut?.at ?? 0),
          texts(names),
          instants(gone.map(({ at }) => at))
        ]
        return outbox.run(commit, own, [encode(change)]).pipe(
          failed("commit"),
          Effect.map(([row]) => {
            if (row !== undefined) outbox.committed(change)
            return row !== undefined
          })
        )
      }),
    known: (environment, phones) => {
      const names = [...new Set(phones)].filter(storable)
      return storable(environment) && names.length > 0
        ? Effect.map(database.query(known, [text(environment), texts(names)]), (rows) =>
            rows.map(optOutOf(environment))
          ).pipe(failed("known"))
        : Effect.succeed([])
    },
    list: (environment, { after, limit }) =>
      storable(environment) && storable(after)
        ? Effect.map(database.query(list, [text(environment), text(after), int(limit)]), (rows) =>
            rows.map(optOutOf(environment))
          ).pipe(failed("list"))
        : Effect.succeed([])
  })
})
