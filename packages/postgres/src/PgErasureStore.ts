import { Identifier, Verification } from "@countersign/core"
import { Erasure, ErasureStore, Subject } from "@countersign/core/storage"
import { Effect } from "effect"
import { environmentsOf } from "./environmentsOf.ts"
import * as Commit from "./erasureStatement.ts"
import { message, none } from "./leadTables.ts"
import { lookup } from "./lookup.ts"
import { id, int, text } from "./parameters.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { commitsOf, queriesOf } from "./storeQueries.ts"

const get = `
select i.n::int, e.id, e.version, e.person, e.state
from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select id, version, person, state from erasure where environment = i.environment and id = i.id offset 0
) e`

/** Verification ids start with their time, so `id >= $2` selects by time. */
export const since = `
select id, version, person, state from erasure where environment = $1 and id >= $2`

/** Messages of one lead are adjacent in one index; a `lead_id` of null counts as 0. */
export const amending = `
select ${message.select("m")} from lead_message m
where environment = $1 and id > $2 and coalesce(lead_id, 0) = $4 and kind <> 'MESSAGE' order by id limit $3`

export const answers = (after: boolean) => `
select endpoint, key, body, status from idempotency
where environment = $1${after ? " and (endpoint, key) > ($3, $4)" : ""} order by endpoint, key limit $2`

const environments = `${["verification", "event", "webhook_attempt"]
  .map((table) => `select environment from (${environmentsOf(table)}\nselect environment from found) ${table}s`)
  .join("\nunion\n")}
order by 1`

export const old = `
select id, state from verification
where environment = $1 and id > $2 and id < $3 order by id limit $4`

/** The order matches the index by person, so that Postgres uses it whatever the table statistics say. */
export const people = `
select s.environment, s.canonical, s.version, case when v.canonical is null then s.state end
from (
  select * from subject where (environment, canonical) > ($1, $2) order by environment, canonical limit $3
) s
left join lateral (
  select canonical from verification where canonical = s.canonical and environment = s.environment
  order by canonical, environment, id limit 1
) v on true
order by 1, 2`

const forget = (table: string) => `
with old as materialized (
  select id from ${table} where environment = $1 and id < $2 order by id limit $3
)
delete from ${table} t using (
  select t.place, t.part from old g cross join lateral (
    select ctid as place, tableoid as part from ${table} where environment = $1 and id = g.id offset 0
  ) t
) d where t.ctid = d.place and t.tableoid = d.part
returning 1`

export const forgetEvents = forget("event")
export const forgetAttempts = forget("webhook_attempt")

const somebodyOf = (row: Row): ErasureStore.Person => {
  const [environment, canonical, version, state] = row as [string, string, number, string | null]
  const subject = state === null ? null : Subject.decode(environment, canonical, version, state)
  return { environment, canonical, subject }
}

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const database = yield* PgDatabase
  const { rows } = queriesOf(database, "ErasureStore")
  const write = commitsOf(outbox, "ErasureStore")
  const single = yield* lookup(database, "ErasureStore.get", get, ([, id, version, person, state], [environment]) =>
    Erasure.decode(environment!, id as string, version as number, person as string, state as string)
  )

  return ErasureStore.of({
    get: single,
    commit: (change) => {
      const { environment, erasure } = change
      return Effect.as(
        write("commit", erasure?.id ?? environment, Commit.commit, () => Commit.parameters(change), change),
        erasure === null ? null : { ...erasure, version: erasure.version + 1 }
      )
    },
    since: (environment, at) =>
      rows(
        "since",
        since,
        () => [text(environment), text(Identifier.first("ers", at))],
        ([id, version, person, state]) =>
          Erasure.decode(environment, id as string, version as number, person as string, state as string)
      ),
    amending: (environment, leadId, after, limit) =>
      rows(
        "amending",
        amending,
        () => [text(environment), text(after ?? ""), int(limit), leadId === null ? int(none) : id(leadId)],
        message.decode
      ),
    answers: (environment, after, limit) =>
      rows(
        "answers",
        answers(after !== null),
        () => [text(environment), int(limit), ...(after === null ? [] : [text(after.endpoint), text(after.key)])],
        ([endpoint, key, body]) => ({
          endpoint: endpoint as string,
          key: key as string,
          body: body as string | null
        })
      ),
    environments: rows(
      "environments",
      environments,
      () => [],
      ([environment]) => environment as string
    ),
    old: (environment, before, after, limit) =>
      rows(
        "old",
        old,
        () => [text(environment), text(after ?? ""), text(Identifier.first("ver", before)), int(limit)],
        ([id, state]) => ({
          id: id as string,
          orderIds: Verification.orderIdsOf(Verification.decode(environment, id as string, state as string))
        })
      ),
    people: (after, limit) =>
      rows(
        "people",
        people,
        () => [text(after?.environment ?? ""), text(after?.canonical ?? ""), int(limit)],
        somebodyOf
      ),
    forget: (environment, before, limit) => {
      const gone = (statement: string, kind: "evt" | "dlv") =>
        rows(
          "forget",
          statement,
          () => [text(environment), text(Identifier.first(kind, before)), int(limit)],
          () => 1
        )
      return Effect.zipWith(gone(forgetEvents, "evt"), gone(forgetAttempts, "dlv"), (events, attempts) =>
        Math.max(events.length, attempts.length)
      )
    }
  })
})
