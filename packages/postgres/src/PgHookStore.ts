import { Conflict, type Hook, type HookEntry, HookStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { lookup } from "./lookup.ts"
import { instant, int, storable, text } from "./parameters.ts"
import { PgDatabase } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { commitsOf, queriesOf } from "./storeQueries.ts"
import * as Table from "./table.ts"
import { removedRow, versionedRow } from "./versionedRow.ts"

const hook = Table.rows<Hook>()("hook", ["id"], {
  id: Table.text,
  environment: Table.text,
  version: Table.int,
  state: Table.others
})

/** A hook's id is unique across environments, because its address names no other. */
export const get = `
select i.n::int, ${hook.select("h")} from unnest($1::text[]) with ordinality as i(id, n)
cross join lateral (select * from hook where id = i.id offset 0) h`

export const list = `select ${hook.select("h")} from hook h where environment = $1 order by id`

export const commit = versionedRow(hook)
export const remove = removedRow(hook, ["id", "environment"])

const request = Table.rows<HookEntry>()("hook_request", ["hookId", "id"], {
  hookId: Table.word,
  id: Table.word,
  environment: Table.word,
  at: Table.of(Table.time, ({ at }: HookEntry) => at),
  signed: Table.of(Table.bool, ({ signed }: HookEntry) => signed),
  entry: Table.others
})

const keptAfter = (signed: boolean, many: number) => `(
    select id from hook_request where hook_id = g.hook_id and signed is ${signed} order by id desc offset ${many} limit 1
  )`

/**
 * Adds requests and deletes the oldest of the same hooks. It does not see the rows that it adds, so a list may be longer
 * by those until the next call.
 */
export const note = `
with given as materialized (
  select * from unnest(${request.given(1)}) as g(${request.columns.join(", ")})
), added as (
  insert into hook_request (${request.columns.join(", ")})
  select * from given
  on conflict (hook_id, id) do nothing
)
delete from hook_request r using (
  select g.hook_id, g.signed, case when g.signed
    then ${keptAfter(true, HookStore.mostSigned)}
    else ${keptAfter(false, HookStore.mostUnsigned)} end as last
  from (select distinct hook_id, signed from given) g
) t
where r.hook_id = t.hook_id and r.signed = t.signed and r.id <= t.last`

/** A separate statement text with and without a cursor, so that the cached plan fits every page. */
export const requests = (after: boolean) => `
select ${request.select("r")} from hook_request r
where hook_id = $2 and (environment = $1) is true${after ? " and id < $4" : ""}
order by id desc limit $3`

export const old = `
delete from hook_request where ctid = any(array(
  select ctid from hook_request where at < $1 and at > '-infinity' order by at limit $2 for update skip locked
)) returning 1`

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const database = yield* PgDatabase
  const { purge, rows, write } = queriesOf(database, "HookStore")
  const writeHook = commitsOf(outbox, "HookStore")
  const single = yield* lookup(database, "HookStore.get", get, (row) => hook.decode(row, 1))

  return HookStore.of({
    get: single,
    list: (environment) => rows("list", list, () => [text(environment)], hook.decode),
    commit: (change) =>
      Effect.map(
        writeHook("commit", change.hook.id, commit, () => hook.sent(change.hook), change),
        ([version]) => ({ ...change.hook, version: version as number })
      ),
    remove: (change) => {
      const { environment, id, version } = change.hook
      return [environment, id].every(storable)
        ? Effect.asVoid(writeHook("remove", id, remove, () => [text(id), text(environment), int(version)], change))
        : Effect.fail(new Conflict({ key: id }))
    },
    note: (entries) => Effect.asVoid(write("note", note, () => request.parameters(entries.map(request.encode)))),
    requests: ({ after, environment, hookId, limit }) =>
      rows(
        "requests",
        requests(after !== null),
        () => [text(environment), text(hookId), int(limit), ...(after === null ? [] : [text(after)])],
        request.decode
      ),
    purge: (before) => purge(old, instant(before))
  })
})
