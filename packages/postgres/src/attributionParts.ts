import type { AttributionChange, Launch, Touch } from "@countersign/core/storage"
import { type GuardedPart, guardedStatements, isOk, type Named, rowsOf } from "./guardedStatements.ts"
import { isInstant } from "./leadRows.ts"
import { type EncodedOutgoing, encode as encodeOutgoing } from "./outboxParts.ts"
import { instants, ints, storable, texts } from "./parameters.ts"

/** A change with its texts, made in its caller's own fiber: what cannot be written harms nobody else. */
export interface EncodedAttributionChange extends Named {
  readonly change: AttributionChange
  /** What those that may not be in flight together have in common, as far as one name can say it. */
  readonly key: string
  readonly states: ReadonlyArray<string>
  readonly outgoing: EncodedOutgoing
}

type AttributionPart = GuardedPart<EncodedAttributionChange>

const nameOf = (...parts: ReadonlyArray<string>) => parts.join("\u0000")

const encodeLaunch = ({ details, tokenHash }: Launch): string => JSON.stringify({ details, tokenHash })

export const encode = (change: AttributionChange): EncodedAttributionChange => {
  const own = [
    ...change.trails.map(({ trail }) => nameOf("trail", trail.environment, trail.key)),
    ...change.launches.map(({ launch }) => nameOf("launch", launch.environment, launch.id)),
    ...change.touches.map(({ environment, id, kind }) => nameOf(kind, environment, id))
  ]
  return {
    change,
    key: own[0] ?? change.events[0]?.id ?? change.jobs[0]?.key ?? change.done?.key ?? change.facts[0]?.key ?? "",
    own,
    shared: [],
    states: change.launches.map(({ launch }) => encodeLaunch(launch)),
    outgoing: encodeOutgoing(change)
  }
}

/** Whether Postgres can keep everything of a change that is a column. */
export const isStorable = ({ launches, touches, trails }: AttributionChange): boolean =>
  launches.every(
    ({ launch: { at, click, environment, id, origin, visitor } }) =>
      [environment, id, visitor ?? "", click ?? "", ...Object.values(origin)].every(storable) && isInstant(at)
  ) &&
  trails.every(
    ({ first, trail }) =>
      [trail.environment, trail.key, first?.id ?? "", first?.visitor ?? ""].every(storable) &&
      Object.values(first?.origin ?? {}).every(storable) &&
      isInstant(first?.at ?? 0)
  ) &&
  touches.every(
    ({ at, click, details, environment, id, launchId, money, origin, visitor }) =>
      [environment, id, launchId ?? "", visitor ?? "", click ?? "", money?.currency ?? "", details ?? ""].every(
        storable
      ) &&
      Object.values(origin).every(storable) &&
      isInstant(at)
  )

const trails: AttributionPart = {
  isIn: ({ change }) => change.trails.length > 0,
  count: 11,
  parameters: (batch) => {
    const rows = rowsOf(batch, ({ change }) => change.trails)
    const firsts = rows.map(({ row }) => row.first)
    return [
      ints(rows.map(({ n }) => n)),
      texts(rows.map(({ row }) => row.trail.environment)),
      texts(rows.map(({ row }) => row.trail.key)),
      ints(rows.map(({ row }) => row.trail.version)),
      texts(rows.map(({ row }) => row.trail.first?.id ?? null)),
      texts(firsts.map((first) => first?.id ?? null)),
      instants(firsts.map((first) => first?.at ?? null)),
      texts(firsts.map((first) => first?.origin.source ?? null)),
      texts(firsts.map((first) => first?.origin.medium ?? null)),
      texts(firsts.map((first) => first?.origin.campaign ?? null)),
      texts(firsts.map((first) => first?.visitor ?? null))
    ]
  },
  looks: ($) => [
    `trail_given as materialized (
  select * from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::text[], ${$(4)}::int[], ${$(5)}::text[], ${$(6)}::text[],
    ${$(7)}::timestamptz[], ${$(8)}::text[], ${$(9)}::text[], ${$(10)}::text[], ${$(11)}::text[])
    as t(n, environment, key, version, was, first_id, first_at, source, medium, campaign, visitor)
)`,
    `trail_held as materialized (
  select g.*, t.place, t.found
  from (select * from trail_given where version > 0 order by environment, key offset 0) g
  cross join lateral (
    select ctid as place, version as found from trail
    where environment = g.environment and key = g.key and version = g.version and first_id = g.was
    offset 0 for update
  ) t
)`
  ],
  found: ["trail_held"],
  taken: [
    `
  select g.n from trail_given g
  cross join lateral (select 1 from trail where environment = g.environment and key = g.key offset 0) t
  where g.version = 0`
  ],
  writes: [
    `trail_known as (
  update trail t set version = g.version + 1, first_id = g.first_id, first_at = g.first_at, source = g.source,
    medium = g.medium, campaign = g.campaign, visitor = g.visitor
  from trail_held g where t.ctid = g.place and t.version = g.found and g.first_id is not null and ${isOk}
)`,
    `trail_gone as (
  delete from trail t using trail_held g
  where t.ctid = g.place and t.version = g.found and g.first_id is null and ${isOk}
)`,
    `trail_fresh as (
  insert into trail (environment, key, version, first_id, first_at, source, medium, campaign, visitor)
  select environment, key, 1, first_id, first_at, source, medium, campaign, visitor from trail_given
  where version = 0 and first_id is not null and ${isOk} order by environment, key
)`
  ]
}

/** A touch that names a launch moves its version: so whoever erases the launch at this version sees all that name it. */
const launches: AttributionPart = {
  isIn: ({ change }) => change.launches.length > 0,
  count: 12,
  parameters: (batch) => {
    const rows = rowsOf(batch, ({ change, states }) =>
      change.launches.map(({ becomes, launch }, i) => ({ ...launch, becomes, state: states[i]! }))
    )
    return [
      ints(rows.map(({ n }) => n)),
      texts(rows.map(({ row }) => row.environment)),
      texts(rows.map(({ row }) => row.id)),
      ints(rows.map(({ row }) => row.version)),
      texts(rows.map(({ row }) => row.becomes)),
      instants(rows.map(({ row }) => row.at)),
      texts(rows.map(({ row }) => row.origin.source)),
      texts(rows.map(({ row }) => row.origin.medium)),
      texts(rows.map(({ row }) => row.origin.campaign)),
      texts(rows.map(({ row }) => row.visitor)),
      texts(rows.map(({ row }) => row.click)),
      texts(rows.map(({ row }) => row.state))
    ]
  },
  looks: ($) => [
    `launch_given as materialized (
  select * from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::text[], ${$(4)}::int[], ${$(5)}::text[],
    ${$(6)}::timestamptz[], ${$(7)}::text[], ${$(8)}::text[], ${$(9)}::text[], ${$(10)}::text[], ${$(11)}::text[], ${$(12)}::text[])
    as l(n, environment, id, version, becomes, at, source, medium, campaign, visitor, click, state)
)`,
    `launch_held as materialized (
  select g.*, t.place, t.found
  from (select * from launch_given where version > 0 order by environment, id offset 0) g
  cross join lateral (
    select ctid as place, version as found from launch
    where environment = g.environment and id = g.id and version = g.version
    offset 0 for update
  ) t
)`
  ],
  found: ["launch_held"],
  taken: [
    `
  select g.n from launch_given g
  cross join lateral (select 1 from launch where environment = g.environment and id = g.id offset 0) t
  where g.version = 0`
  ],
  writes: [
    `launch_known as (
  update launch t set version = g.version + 1
  from launch_held g where t.ctid = g.place and t.version = g.found and g.becomes = 'kept' and ${isOk}
)`,
    `launch_gone as (
  delete from launch t using launch_held g
  where t.ctid = g.place and t.version = g.found and g.becomes <> 'kept' and ${isOk}
)`,
    `touch_gone as (
  delete from touch t using (
    select o.place from launch_held g
    cross join lateral (
      select ctid as place from touch where environment = g.environment and launch_id = g.id offset 0
    ) o
    where g.becomes = 'erased' and ${isOk}
  ) d where t.ctid = d.place
)`,
    `launch_fresh as (
  insert into launch (environment, id, version, at, source, medium, campaign, visitor, click, state)
  select environment, id, 1, at, source, medium, campaign, visitor, click, state from launch_given
  where version = 0 and becomes = 'kept' and ${isOk} order by environment, id
)`
  ]
}

const touches: AttributionPart = {
  isIn: ({ change }) => change.touches.length > 0,
  count: 14,
  parameters: (batch) => {
    const rows = rowsOf(batch, ({ change }) => change.touches)
    const column = (of: (touch: Touch) => string | null) => texts(rows.map(({ row }) => of(row)))
    return [
      ints(rows.map(({ n }) => n)),
      column(({ environment }) => environment),
      column(({ kind }) => kind),
      column(({ id }) => id),
      instants(rows.map(({ row }) => row.at)),
      column(({ launchId }) => launchId),
      column(({ visitor }) => visitor),
      column(({ click }) => click),
      column(({ origin }) => origin.source),
      column(({ origin }) => origin.medium),
      column(({ origin }) => origin.campaign),
      column(({ money }) => money?.micros.toString() ?? null),
      column(({ money }) => money?.currency ?? ""),
      column(({ details }) => details)
    ]
  },
  looks: ($) => [
    `touch_given as materialized (
  select * from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::text[], ${$(4)}::text[], ${$(5)}::timestamptz[],
    ${$(6)}::text[], ${$(7)}::text[], ${$(8)}::text[], ${$(9)}::text[], ${$(10)}::text[], ${$(11)}::text[],
    ${$(12)}::text[], ${$(13)}::text[], ${$(14)}::text[])
    as t(n, environment, kind, id, at, launch_id, visitor, click, source, medium, campaign, micros, currency, details)
)`
  ],
  found: [],
  taken: [],
  writes: [
    `touch_fresh as (
  insert into touch (environment, kind, id, at, launch_id, visitor, click, source, medium, campaign, micros, currency, details)
  select environment, kind, id, at, launch_id, visitor, click, source, medium, campaign, micros::bigint, currency, details
  from touch_given where ${isOk} order by environment, kind, id
  on conflict (environment, kind, id) do nothing
)`
  ]
}

/** All that changes of attribution carry, in the order in which it is locked. */
const attributionParts = { trails, launches, touches }

export const { commit, partsOf, whole } = guardedStatements<keyof typeof attributionParts, EncodedAttributionChange>(
  attributionParts,
  ({ change }) =>
    change.trails.filter(({ trail }) => trail.version > 0).length +
    change.launches.filter(({ launch }) => launch.version > 0).length
)
