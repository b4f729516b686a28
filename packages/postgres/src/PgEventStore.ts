import { type Event, EventType } from "@countersign/core"
import { type EventPage, EventStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { lookup } from "./lookup.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import { int, storable, text } from "./parameters.ts"

/**
 * One text for each shape of the question, with the type in it as it is in the index's condition: only so is the plan
 * the right one for every page.
 */
const statement = (type: EventType | null, after: boolean) => `
select id, type, created_at, data from event
where environment = $1${type === null ? "" : ` and type = '${type}'`}${after ? " and id < $3" : ""}
order by id desc limit $2`

const statements = new Map(
  [null, ...EventType.literals].map((type) => [type, { first: statement(type, false), next: statement(type, true) }])
)

export const get = `
select i.n::int, e.id, e.type, e.created_at, e.data
from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select id, type, created_at, data from event where environment = i.environment and id = i.id offset 0
) e`

const decode = (environment: string, [id, type, createdAt, data]: Row): Event =>
  ({ id, environment, type, createdAt: (createdAt as Date).getTime(), data: JSON.parse(data as string) }) as Event

export const make = Effect.gen(function* () {
  const database = yield* PgDatabase

  const list = Effect.fnUntraced(
    function* ({ after, environment, limit, type }: EventPage) {
      const shape = statements.get(type)
      if (shape === undefined || !storable(environment) || !storable(after ?? "")) return []
      const rows =
        after === null
          ? yield* database.query(shape.first, [text(environment), int(limit)])
          : yield* database.query(shape.next, [text(environment), int(limit), text(after)])
      return rows.map((row) => decode(environment, row))
    },
    Effect.mapError((failure) => failure.toStoreError("EventStore.list"))
  )

  const gets = yield* lookup(database, "EventStore.get", get)

  return EventStore.of({
    list,
    get: (environment, id) =>
      Effect.map(gets(environment, id), (row) => (row === null ? null : decode(environment, row.slice(1))))
  })
})
