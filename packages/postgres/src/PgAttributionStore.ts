import { AttributionStore, type StoreError } from "@countersign/core/storage"
import { Effect, type Scope } from "effect"
import { statements } from "./attributionParts.ts"
import { launch, trail } from "./attributionTables.ts"
import { environmentsOf } from "./environmentsOf.ts"
import { guardedStore } from "./guardedStore.ts"
import { lookup } from "./lookup.ts"
import { instant, instants, int, isInstant, text } from "./parameters.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { queriesOf } from "./storeQueries.ts"

const columns = launch.select("launch")

export const getLaunch = `
select i.n::int, l.* from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select ${columns} from launch where environment = i.environment and id = i.id offset 0
) l`

export const getTrail = `
select i.n::int, t.* from unnest($1::text[], $2::text[]) with ordinality as i(environment, key, n)
cross join lateral (
  select ${trail.select("trail")} from trail
  where environment = i.environment and key = i.key offset 0
) t`

export const getConversion = `
select i.n::int, t.id from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select id from touch where environment = i.environment and kind = 'CONVERSION' and id = i.id offset 0
) t`

/** A separate statement text for each kind of trail, so that each is planned with its own index. */
export const earliest = (of: "visitor" | "click") => `
select ${columns} from launch where environment = $1 and ${of} = $2 order by at, id limit 2`

export const old = `${environmentsOf("launch")}
select l.* from found f cross join lateral (
  select ${columns} from launch where environment = f.environment and at > '-infinity' and at < $1 order by at limit $2
) l limit $2`

export const purge = `
delete from touch where ctid = any(array(${environmentsOf("touch")}
  select t.place from found f cross join lateral (
    select ctid as place from touch where environment = f.environment and at > '-infinity' and at < $1 order by at limit $2
    for update skip locked
  ) t limit $2
)) returning 1`

const originOf: { readonly [M in AttributionStore.SumPage["model"]]: (column: string) => string } = {
  last: (column) => `coalesce(c.${column}, t.${column})`,
  first: (column) => `coalesce(f.${column}, c.${column}, t.${column})`
}

const trailOf = (name: string, key: string) => `
  left join lateral (
    select source, medium, campaign, visitor from trail where environment = t.environment and key = ${key} offset 0
  ) ${name} on true`

/**
 * Sums launches and touches by day and origin in one scan by time. The first-touch model also looks up each visitor's
 * trail. Days are passed as instants, so only core's time zone matters.
 */
export const sums = (model: AttributionStore.SumPage["model"], after: boolean) => {
  const [source, medium, campaign] = ["source", "medium", "campaign"].map(originOf[model])
  return `
with counted as materialized (
  select width_bucket(at, $4::timestamptz[]) - 1 as day, source, medium, campaign, 'LAUNCH' as kind, '' as currency,
    count(*) as n, null::numeric as total
  from launch where environment = $1 and at > '-infinity' and at >= $2 and at < $3
  group by 1, 2, 3, 4
  union all
  select width_bucket(t.at, $4::timestamptz[]) - 1, ${source}, ${medium}, ${campaign}, t.kind, t.currency,
    count(*), sum(t.micros)
  from touch t ${trailOf("c", "t.click")} ${model === "first" ? trailOf("f", "coalesce(c.visitor, t.visitor)") : ""}
  where t.environment = $1 and t.at > '-infinity' and t.at >= $2 and t.at < $3
  group by 1, 2, 3, 4, 5, 6
)
select day, source, medium, campaign,
  coalesce(sum(n) filter (where kind = 'LAUNCH'), 0)::float8,
  coalesce(sum(n) filter (where kind = 'VERIFICATION'), 0)::float8,
  coalesce(sum(n) filter (where kind = 'CONVERSION'), 0)::float8,
  coalesce(sum(n) filter (where kind = 'LEAD'), 0)::float8,
  (json_agg(json_build_array(currency, total::text) order by currency) filter (where total is not null))::text
from counted${after ? " where (day, source, medium, campaign) > ($6::int, $7, $8, $9)" : ""}
group by day, source, medium, campaign
order by day, source, medium, campaign limit $5::int`
}

const sumOf = ([
  day,
  source,
  medium,
  campaign,
  launches,
  verifications,
  conversions,
  leads,
  values
]: Row): AttributionStore.Sum => ({
  day: day as number,
  source: source as string,
  medium: medium as string,
  campaign: campaign as string,
  launches: launches as number,
  verifications: verifications as number,
  conversions: conversions as number,
  leads: leads as number,
  values: (JSON.parse((values as string | null) ?? "[]") as ReadonlyArray<readonly [string, string]>).map(
    ([currency, micros]) => ({ currency, micros: BigInt(micros) })
  )
})

export const make: (outbox: PgOutbox) => Effect.Effect<AttributionStore["Service"], never, PgDatabase | Scope.Scope> =
  Effect.fnUntraced(function* (outbox) {
    const database = yield* PgDatabase
    const { rows, write } = queriesOf(database, "AttributionStore")
    const launches = yield* lookup(database, "AttributionStore.launches", getLaunch, (row) => launch.decode(row, 1))
    const trails = yield* lookup(database, "AttributionStore.trails", getTrail, (row) => trail.decode(row, 1))
    const conversions = yield* lookup(database, "AttributionStore.conversions", getConversion, ([, id]) => id as string)

    const commit = yield* guardedStore(outbox, {
      store: "AttributionStore",
      statements,
      most: 64,
      environmentOf: ({ launches, touches, trails }: AttributionStore.Change) =>
        (launches[0]?.launch ?? touches[0] ?? trails[0]?.trail)?.environment
    })

    const all = <A>(
      look: (environment: string, id: string) => Effect.Effect<A | null, StoreError>,
      environment: string,
      ids: ReadonlyArray<string>
    ) =>
      Effect.map(
        Effect.forEach([...new Set(ids)], (id) => look(environment, id), { concurrency: "unbounded" }),
        (found) => found.filter((one) => one !== null)
      )

    return AttributionStore.of({
      commit,
      launches: (environment, ids) => all(launches, environment, ids),
      trails: (environment, keys) => all(trails, environment, keys),
      earliest: (environment, of, key) =>
        rows("earliest", earliest(of), () => [text(environment), text(key)], launch.decode),
      conversions: (environment, ids) => all(conversions, environment, ids),
      old: (before, limit) => rows("old", old, () => [instant(before), int(limit)], launch.decode),
      purge: (before, limit) =>
        Effect.map(
          write("purge", purge, () => [instant(before), int(limit)]),
          (rows) => rows.length
        ),
      sums: ({ after, days, environment, limit, model, until }) => {
        const [from = until] = days
        if (![...days, until].every(isInstant)) return Effect.succeed([])
        return rows(
          "sums",
          sums(model, after !== null),
          () => [
            text(environment),
            instant(from),
            instant(until),
            instants(days),
            int(limit),
            ...(after === null ? [] : [int(after.day), text(after.source), text(after.medium), text(after.campaign)])
          ],
          sumOf
        )
      }
    })
  })
