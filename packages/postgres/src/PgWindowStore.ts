import { Instant } from "@countersign/core"
import { Conflict, Window, WindowStore } from "@countersign/core/storage"
import { Effect } from "effect"
import * as Batcher from "./Batcher.ts"
import { inserted } from "./guardedStore.ts"
import { lookup } from "./lookup.ts"
import { ifStorable, instant, unstorable } from "./parameters.ts"
import { PgDatabase } from "./PgDatabase.ts"
import { queriesOf } from "./storeQueries.ts"
import * as Table from "./table.ts"

interface Save {
  readonly window: Window.Window
  readonly savedIn: Instant.Instant
}

const saved = Table.rows<object>()("rate_window", ["environment", "key"], {
  environment: Table.of(Table.text, ({ window }: Save) => window.environment),
  key: Table.of(Table.text, ({ window }: Save) => window.key),
  version: Table.of(Table.int, ({ window }: Save) => window.version),
  state: Table.of(Table.word, ({ window }: Save) => Window.encode(window)),
  savedIn: Table.of(Table.time, ({ savedIn }: Save) => savedIn)
})

export const load = `
select i.n::int, w.version, w.state
from unnest($1::text[], $2::text[]) with ordinality as i(environment, key, n)
cross join lateral (
  select version, state from rate_window where environment = i.environment and key = i.key offset 0
) w`

/**
 * Saves all windows of a batch in one statement. Returns the positions that succeeded. A new window is inserted, a
 * known one updated: an upsert would recreate a window that was purged in the meantime.
 */
export const save = `
with given as materialized (
  select * from unnest(${saved.given(1)})
    with ordinality as g(${saved.names.join(", ")}, n)
), known as (
  update rate_window w set version = g.version + 1, state = g.state, saved_in = g.saved_in
  from (
    select g.*, t.place, t.found from given g
    cross join lateral (
      select ctid as place, version as found from rate_window
      where environment = g.environment and key = g.key and version = g.version offset 0
    ) t
    where g.version > 0
  ) g
  where w.ctid = g.place and w.version = g.found
  returning g.n
), fresh as (
  ${inserted(saved)} from given where version = 0 order by n
  on conflict (environment, key) do nothing
  returning environment, key
)
select n::int from known
union all
select n::int from given where version = 0 and ((environment, key) in (select environment, key from fresh)) is true`

const old = `
delete from rate_window where ctid = any(array(
  select ctid from rate_window where saved_in < $1 order by saved_in limit $2 for update skip locked
)) returning 1`

const hour = Instant.hours(1)

/** Rounds to the hour. The column is indexed, so a busy window's row can be updated in place except once an hour. */
const hourOf = (at: Instant.Instant) => at - (at % hour)

export const make = Effect.gen(function* () {
  const database = yield* PgDatabase
  const { purge } = queriesOf(database, "WindowStore")
  const loads = yield* lookup(database, "WindowStore.load", load, ([, version, state], [environment, key]) =>
    Window.decode(environment!, key!, version as number, state as string)
  )

  const saves = yield* Batcher.make<{ readonly window: Window.Window; readonly values: Table.Values }, boolean>({
    operation: "WindowStore.save",
    keyOf: ({ window }) => `${window.environment}\u0000${window.key}`,
    sameKey: "wait",
    ownerOf: ({ window }) => window.environment,
    run: (items) =>
      Effect.map(database.query(save, saved.parameters(items.map(({ values }) => values))), (rows) => {
        const done = new Array<boolean>(items.length).fill(false)
        for (const [n] of rows) done[(n as number) - 1] = true
        return done
      }),
    // The waiting window was decided on the same version, which has moved in either case.
    foretell: (done, _, waiting) => (done.window.version === waiting.window.version ? false : undefined)
  })

  return WindowStore.of({
    load: (environment, key) =>
      Effect.map(loads(environment, key), (window) => window ?? Window.empty(environment, key)),
    save: (window, now) =>
      Effect.suspend(() => {
        const values = ifStorable(() => saved.encode({ window, savedIn: hourOf(now) }))
        return values === null
          ? Effect.fail(unstorable("WindowStore.save"))
          : Effect.flatMap(saves.submit({ window, values }), (isSaved) =>
              isSaved ? Effect.void : Effect.fail(new Conflict({ key: window.key }))
            )
      }),
    purge: (keptSince) => purge(old, instant(hourOf(keptSince)))
  })
})
