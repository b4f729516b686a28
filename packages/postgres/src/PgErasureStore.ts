import { Identifier, Verification } from "@countersign/core"
import {
  Conflict,
  Erasure,
  type ErasureChange,
  ErasureStore,
  type Somebody,
  StoreError,
  Subject
} from "@countersign/core/storage"
import { Effect } from "effect"
import * as Commit from "./erasureStatement.ts"
import { isId, messageColumns, messageOf, none } from "./leadRows.ts"
import { lookup } from "./lookup.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import { encode } from "./outboxParts.ts"
import type { PgFailure } from "./PgFailure.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { int, storable, text } from "./parameters.ts"

const get = `
select i.n::int, e.id, e.version, e.person, e.state
from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select id, version, person, state from erasure where environment = i.environment and id = i.id offset 0
) e`

/** Those of a lead, or of none, which is 0, are next to each other in one index. */
export const amending = `
select ${messageColumns("m")} from lead_message m
where environment = $1 and id > $2 and coalesce(lead_id, 0) = $4 and kind <> 'MESSAGE' order by id limit $3`

export const answers = (after: boolean) => `
select endpoint, key, body, status from idempotency
where environment = $1${after ? " and (endpoint, key) > ($3, $4)" : ""} order by endpoint, key limit $2`

/** Environments are found by skipping from one to the next, however many rows each has. */
const environmentsOf = (table: string) => `
select environment from (
  with recursive found(environment) as (
    (select environment from ${table} order by environment limit 1)
    union all
    select next.environment from found f
    cross join lateral (
      select environment from ${table} where environment > f.environment order by environment limit 1
    ) next
  )
  select environment from found
) ${table}s`

const environments = `${["verification", "event", "webhook_attempt"].map(environmentsOf).join("\nunion\n")}
order by 1`

export const old = `
select id, state from verification
where environment = $1 and id > $2 and id < $3 order by id limit $4`

/** The order is that of the index by person, which is taken for it, whatever Postgres believes about its tables. */
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

const erasureOf = (environment: string, [, id, version, person, state]: Row) =>
  Erasure.decode(environment, id as string, version as number, person as string, state as string)

const somebodyOf = (row: Row): Somebody => {
  const [environment, canonical, version, state] = row as [string, string, number, string | null]
  const subject = state === null ? null : Subject.decode(environment, canonical, version, state)
  return { environment, canonical, subject }
}

const isStorable = ({ answers, environment, people, silenced, verifications }: ErasureChange) =>
  [
    environment,
    ...people.map(({ subject }) => subject.canonical),
    ...verifications.flatMap(({ id, orderIds }) => [id, ...orderIds]),
    ...silenced.map(({ id }) => id),
    ...answers.flatMap(({ endpoint, key }) => [endpoint, key])
  ].every(storable)

const failed = (operation: string) =>
  Effect.mapError((failure: PgFailure) => failure.toStoreError(`ErasureStore.${operation}`))

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const database = yield* PgDatabase
  const single = yield* lookup(database, "ErasureStore.get", get)

  const rows = (operation: string, environment: string, statement: string, values: ReadonlyArray<unknown>) =>
    storable(environment)
      ? database.query(statement, [text(environment), ...values]).pipe(failed(operation))
      : Effect.succeed([])

  return ErasureStore.of({
    get: (environment, id) =>
      Effect.map(single(environment, id), (row) => (row === null ? null : erasureOf(environment, row))),
    commit: (change) =>
      Effect.suspend(() => {
        if (!isStorable(change)) {
          return Effect.fail(
            new StoreError({
              operation: "ErasureStore.commit",
              cause: new Error("a key is not text that Postgres can keep")
            })
          )
        }
        const { erasure } = change
        return outbox.run(Commit.commit, Commit.parameters(change), [encode(change)]).pipe(
          failed("commit"),
          Effect.flatMap(([row]) => {
            if (row === undefined) return Effect.fail(new Conflict({ key: erasure?.id ?? change.environment }))
            outbox.committed(change)
            return Effect.succeed(erasure === null ? null : { ...erasure, version: erasure.version + 1 })
          })
        )
      }),
    amending: (environment, leadId, after, limit) =>
      leadId === null || isId(leadId)
        ? Effect.map(
            rows("amending", environment, amending, [text(after ?? ""), int(limit), int(leadId ?? none)]),
            (found) => found.map(messageOf)
          )
        : Effect.succeed([]),
    answers: (environment, after, limit) =>
      Effect.map(
        rows("answers", environment, answers(after !== null), [
          int(limit),
          ...(after === null ? [] : [text(after.endpoint), text(after.key)])
        ]),
        (found) =>
          found.map(([endpoint, key, body]) => ({
            endpoint: endpoint as string,
            key: key as string,
            body: body as string | null
          }))
      ),
    environments: Effect.map(database.query(environments, []), (found) =>
      found.map(([environment]) => environment as string)
    ).pipe(failed("environments")),
    old: (environment, before, after, limit) =>
      Effect.map(
        rows("old", environment, old, [text(after ?? ""), text(Identifier.first("ver", before)), int(limit)]),
        (found) =>
          found.map(([id, state]) => ({
            id: id as string,
            orderIds: Verification.orderIdsOf(Verification.decode(environment, id as string, state as string))
          }))
      ),
    people: (after, limit) =>
      Effect.map(
        database.query(people, [text(after?.environment ?? ""), text(after?.canonical ?? ""), int(limit)]),
        (found) => found.map(somebodyOf)
      ).pipe(failed("people")),
    forget: (environment, before, limit) =>
      Effect.zipWith(
        rows("forget", environment, forgetEvents, [text(Identifier.first("evt", before)), int(limit)]),
        rows("forget", environment, forgetAttempts, [text(Identifier.first("dlv", before)), int(limit)]),
        (events, attempts) => Math.max(events.length, attempts.length)
      )
  })
})
