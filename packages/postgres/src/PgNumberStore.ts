import type { ConnectedNumber } from "@countersign/core/storage"
import { Conflict, NumberStore, StoreError } from "@countersign/core/storage"
import { Effect } from "effect"
import { lookup } from "./lookup.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import { instant, int, storable, text } from "./parameters.ts"
import { encode } from "./outboxParts.ts"
import { outboxStatement } from "./outboxStatement.ts"
import type { PgOutbox } from "./PgOutbox.ts"

/** An id is one number in all environments, so what is given as the environment here is not looked at. */
export const get = `
select i.n::int, c.id, c.environment, c.version, c.connected_at, c.state
from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (select * from connected_number where id = i.id offset 0) c`

export const list = `
select id, environment, version, connected_at, state from connected_number
where environment = $1 order by connected_at, id`

export const commit = outboxStatement({
  own: `known as (
  update connected_number set version = $3 + 1, environment = $2, connected_at = $4, state = $5
  where id = $1 and version = $3 and $3 > 0
  returning version
), fresh as (
  insert into connected_number (id, environment, version, connected_at, state) select $1, $2, 1, $4, $5 where $3 = 0
  on conflict (id) do nothing
  returning version
), ok as materialized (
  select 1 as n, version from known union all select 1, version from fresh
)`,
  parameters: 5,
  answer: "version"
})

export const remove = outboxStatement({
  own: `gone as (
  delete from connected_number where id = $1 and environment = $2 and version = $3 returning 1
), ok as materialized (
  select 1 as n from gone
)`,
  parameters: 3,
  answer: "n"
})

type State = Omit<ConnectedNumber, "id" | "environment" | "version" | "connectedAt">

const encodeState = ({ accountId, displayName, displayNumber, sealed }: ConnectedNumber): string =>
  JSON.stringify({ accountId, displayName, displayNumber, sealed } satisfies State)

const numberOf = ([id, environment, version, connectedAt, state]: Row): ConnectedNumber => ({
  id: id as string,
  environment: environment as string,
  version: version as number,
  connectedAt: (connectedAt as Date).getTime(),
  ...(JSON.parse(state as string) as State)
})

const failed = (operation: string) =>
  Effect.mapError((failure: PgFailure) => failure.toStoreError(`NumberStore.${operation}`))

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const database = yield* PgDatabase
  const single = yield* lookup(database, "NumberStore.get", get)

  return NumberStore.of({
    get: (id) => Effect.map(single("", id), (row) => (row === null ? null : numberOf(row.slice(1)))),
    list: (environment) =>
      storable(environment)
        ? Effect.map(database.query(list, [text(environment)]), (rows) => rows.map(numberOf)).pipe(failed("list"))
        : Effect.succeed([]),
    commit: (change) =>
      Effect.suspend(() => {
        const { connectedAt, environment, id, version } = change.number
        if (!storable(environment) || !storable(id)) {
          return Effect.fail(
            new StoreError({
              operation: "NumberStore.commit",
              cause: new Error("a key is not text that Postgres can keep")
            })
          )
        }
        const own = [text(id), text(environment), int(version), instant(connectedAt), text(encodeState(change.number))]
        return outbox.run(commit, own, [encode(change)]).pipe(
          failed("commit"),
          Effect.flatMap(([row]) => {
            if (row === undefined) return Effect.fail(new Conflict({ key: id }))
            outbox.committed(change)
            return Effect.succeed({ ...change.number, version: row[0] as number })
          })
        )
      }),
    remove: (change) =>
      Effect.suspend(() => {
        const { environment, id, version } = change.number
        if (!storable(id) || !storable(environment)) return Effect.fail(new Conflict({ key: id }))
        return outbox.run(remove, [text(id), text(environment), int(version)], [encode(change)]).pipe(
          failed("remove"),
          Effect.flatMap(([row]) => {
            if (row === undefined) return Effect.fail(new Conflict({ key: id }))
            outbox.committed(change)
            return Effect.void
          })
        )
      })
  })
})
