import { Conflict, type ConnectedNumber, NumberStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { lookup } from "./lookup.ts"
import { int, storable, text } from "./parameters.ts"
import { PgDatabase } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { commitsOf, queriesOf } from "./storeQueries.ts"
import * as Table from "./table.ts"
import { removedRow, versionedRow } from "./versionedRow.ts"

const number = Table.rows<ConnectedNumber>()("connected_number", ["id"], {
  id: Table.text,
  environment: Table.text,
  version: Table.int,
  connectedAt: Table.instant,
  state: Table.only("accountId", "displayName", "displayNumber", "sealed")
})

/** A number id is unique across environments. */
export const get = `
select i.n::int, ${number.select("c")} from unnest($1::text[]) with ordinality as i(id, n)
cross join lateral (select * from connected_number where id = i.id offset 0) c`

export const list = `
select ${number.select("c")} from connected_number c where environment = $1 order by connected_at, id`

export const commit = versionedRow(number)
export const remove = removedRow(number, ["id", "environment"])

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const database = yield* PgDatabase
  const { rows } = queriesOf(database, "NumberStore")
  const write = commitsOf(outbox, "NumberStore")
  const single = yield* lookup(database, "NumberStore.get", get, (row) => number.decode(row, 1))

  return NumberStore.of({
    get: single,
    list: (environment) => rows("list", list, () => [text(environment)], number.decode),
    commit: (change) =>
      Effect.map(
        write("commit", change.number.id, commit, () => number.sent(change.number), change),
        ([version]) => ({ ...change.number, version: version as number })
      ),
    remove: (change) => {
      const { environment, id, version } = change.number
      return [environment, id].every(storable)
        ? Effect.asVoid(write("remove", id, remove, () => [text(id), text(environment), int(version)], change))
        : Effect.fail(new Conflict({ key: id }))
    }
  })
})
