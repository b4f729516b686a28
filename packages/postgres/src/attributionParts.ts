import type { AttributionStore } from "@countersign/core/storage"
import { launch, touch, trail } from "./attributionTables.ts"
import { fresh, given, guardedStatements, held, inserted, known, part } from "./guardedStore.ts"
import { isOk } from "./outboxParts.ts"

/** A new trail or launch conflicts with an existing one of the same key. */
const takenBy = (table: string, key: string) => `
  select g.n from ${table}_given g
  cross join lateral (select 1 from ${table} where environment = g.environment and ${key} = g.${key} offset 0) t
  where g.version = 0`

const gone = (table: string, condition: string) => `${table}_gone as (
  delete from ${table} t using ${table}_held g
  where t.ctid = g.place and t.version = g.found and ${condition} and ${isOk}
)`

const trails = part(trail, {
  of: ({ trails }: AttributionStore.Change) =>
    trails.map(({ first, trail }) => ({ ...trail, first, was: trail.first?.id ?? null })),
  names: ({ environment, key }) => [["trail", environment, key]],
  looks: (from) => [given(trail, from), held(trail, undefined, " and first_id = g.was")],
  taken: [takenBy("trail", "key")],
  writes: [
    known(trail, " and g.first_id is not null"),
    gone("trail", "g.first_id is null"),
    fresh(trail, " and first_id is not null")
  ]
})

/**
 * A touch that names a launch also increments its version. So an erasure of the launch at this version sees all its
 * touches.
 */
const launches = part(launch, {
  of: ({ launches }: AttributionStore.Change) => launches.map(({ becomes, launch }) => ({ ...launch, becomes })),
  names: ({ environment, id }) => [["launch", environment, id]],
  taken: [takenBy("launch", "id")],
  writes: [
    known(launch, " and g.becomes = 'kept'"),
    gone("launch", "g.becomes <> 'kept'"),
    `touch_gone as (
  delete from touch t using (
    select o.place from launch_held g
    cross join lateral (
      select ctid as place from touch where environment = g.environment and launch_id = g.id offset 0
    ) o
    where g.becomes = 'erased' and ${isOk}
  ) d where t.ctid = d.place
)`,
    fresh(launch, " and becomes = 'kept'")
  ]
})

const touches = part(touch, {
  of: ({ touches }: AttributionStore.Change) => touches,
  names: ({ environment, id, kind }) => [[kind, environment, id]],
  looks: (from) => [given(touch, from)],
  found: [],
  writes: [
    `touch_fresh as (
  ${inserted(touch)} from touch_given where ${isOk} order by ${touch.key.join(", ")}
  on conflict (${touch.key.join(", ")}) do nothing
)`
  ]
})

/** Everything that an attribution change can contain, in locking order. */
export const statements = guardedStatements({ trails, launches, touches })
