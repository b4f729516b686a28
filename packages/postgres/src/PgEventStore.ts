import { EventType } from "@countersign/core"
import { EventStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { lookup } from "./lookup.ts"
import { event } from "./outboxTables.ts"
import { int, text } from "./parameters.ts"
import { PgDatabase } from "./PgDatabase.ts"
import { queriesOf } from "./storeQueries.ts"

/**
 * A separate statement text for each combination of filters. The type is a literal, as in the index's condition, so
 * that the cached plan fits every page.
 */
const statement = (type: EventType | null, after: boolean) => `
select ${event.select("e")} from event e
where environment = $1${type === null ? "" : ` and type = '${type}'`}${after ? " and id < $3" : ""}
order by id desc limit $2`

const statements = new Map(
  [null, ...EventType.literals].map((type) => [type, { first: statement(type, false), next: statement(type, true) }])
)

export const get = `
select i.n::int, e.*
from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select ${event.select("event")} from event where environment = i.environment and id = i.id offset 0
) e`

export const make = Effect.gen(function* () {
  const database = yield* PgDatabase
  const { rows } = queriesOf(database, "EventStore")

  return EventStore.of({
    list: ({ after, environment, limit, type }) => {
      const shape = statements.get(type)
      return shape === undefined
        ? Effect.succeed([])
        : rows(
            "list",
            after === null ? shape.first : shape.next,
            () => [text(environment), int(limit), ...(after === null ? [] : [text(after)])],
            event.decode
          )
    },
    get: yield* lookup(database, "EventStore.get", get, (row) => event.decode(row, 1))
  })
})
