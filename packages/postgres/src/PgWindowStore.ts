import { Instant } from "@countersign/core"
import { Conflict, StoreError, Window, WindowStore } from "@countersign/core/storage"
import { Effect } from "effect"
import * as Batcher from "./Batcher.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import { instant, instants, int, ints, storable, texts } from "./parameters.ts"

interface Key {
  readonly environment: string
  readonly key: string
}

interface Save {
  readonly window: Window.Window
  readonly state: string
  readonly savedIn: Instant.Instant
}

export const load = `
select i.n::int, w.version, w.state
from unnest($1::text[], $2::text[]) with ordinality as i(environment, key, n)
cross join lateral (
  select version, state from rate_window where environment = i.environment and key = i.key offset 0
) w`

/**
 * All windows of a batch in one statement; answers with the positions that succeeded. A new one is inserted, a known
 * one updated: an upsert would bring back one that was forgotten meanwhile.
 */
export const save = `
with given as materialized (
  select * from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::timestamptz[])
    with ordinality as g(environment, key, version, state, saved_in, n)
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
  insert into rate_window (environment, key, version, state, saved_in)
  select environment, key, 1, state, saved_in from given where version = 0 order by n
  on conflict (environment, key) do nothing
  returning environment, key
)
select n::int from known
union all
select n::int from given where version = 0 and ((environment, key) in (select environment, key from fresh)) is true`

const purge = `
delete from rate_window where ctid = any(array(
  select ctid from rate_window where saved_in < $1 order by saved_in limit $2 for update skip locked
)) returning 1`

const purgedAtOnce = 1000
const hour = Instant.hours(1)

/** The hour is indexed and the moment is not kept: so a busy window is updated in place, but for once an hour. */
const hourOf = (at: Instant.Instant) => at - (at % hour)

const keyOf = ({ environment, key }: Key) => `${environment}\u0000${key}`
const conflict = ({ key }: Key) => new Conflict({ key })

const refuse = () =>
  new StoreError({ operation: "WindowStore.save", cause: new Error("a key is not text that Postgres can keep") })

export const make = Effect.gen(function* () {
  const database = yield* PgDatabase

  const loads = yield* Batcher.make<Key, Row | null>({
    operation: "WindowStore.load",
    keyOf,
    sameKey: "share",
    run: (keys) =>
      Effect.map(
        database.query(load, [texts(keys.map(({ environment }) => environment)), texts(keys.map(({ key }) => key))]),
        (rows) => {
          const found = new Array<Row | null>(keys.length).fill(null)
          for (const row of rows) found[(row[0] as number) - 1] = row
          return found
        }
      )
  })

  const saves = yield* Batcher.make<Save, boolean>({
    operation: "WindowStore.save",
    keyOf: ({ window }) => keyOf(window),
    sameKey: "wait",
    ownerOf: ({ window }) => window.environment,
    run: (items) =>
      Effect.map(
        database.query(save, [
          texts(items.map(({ window }) => window.environment)),
          texts(items.map(({ window }) => window.key)),
          ints(items.map(({ window }) => window.version)),
          texts(items.map(({ state }) => state)),
          instants(items.map(({ savedIn }) => savedIn))
        ]),
        (rows) => {
          const saved = new Array<boolean>(items.length).fill(false)
          for (const [n] of rows) saved[(n as number) - 1] = true
          return saved
        }
      ),
    // The version is now beyond what the other was decided on, whoever moved it.
    foretell: (done, _, waiting) => (done.window.version === waiting.window.version ? false : undefined)
  })

  return WindowStore.of({
    load: (environment, key) =>
      storable(environment) && storable(key)
        ? Effect.map(loads.submit({ environment, key }), (row) =>
            row === null
              ? Window.empty(environment, key)
              : Window.decode(environment, key, row[1] as number, row[2] as string)
          )
        : Effect.succeed(Window.empty(environment, key)),
    save: (window, now) =>
      storable(window.environment) && storable(window.key)
        ? Effect.flatMap(saves.submit({ window, state: Window.encode(window), savedIn: hourOf(now) }), (saved) =>
            saved ? Effect.void : Effect.fail(conflict(window))
          )
        : Effect.fail(refuse()),
    purge: Effect.fnUntraced(
      function* (keptSince) {
        let purged = 0
        for (;;) {
          const rows = yield* database.query(purge, [instant(hourOf(keptSince)), int(purgedAtOnce)])
          purged += rows.length
          if (rows.length < purgedAtOnce) return purged
        }
      },
      Effect.mapError((failure) => failure.toStoreError("WindowStore.purge"))
    )
  })
})
