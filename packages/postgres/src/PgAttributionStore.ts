import {
  AttributionStore,
  Conflict,
  type Launch,
  StoreError,
  type Sum,
  type SumPage,
  type Trail
} from "@countersign/core/storage"
import { Effect, type Scope } from "effect"
import { apart } from "./guardedStatements.ts"
import * as Commit from "./attributionParts.ts"
import * as Batcher from "./Batcher.ts"
import { isInstant } from "./leadRows.ts"
import { lookup } from "./lookup.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import { PgFailure } from "./PgFailure.ts"
import { ownerOfOutgoing } from "./outboxParts.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { instant, instants, int, storable, text } from "./parameters.ts"

const columns = "environment, id, version, at, source, medium, campaign, visitor, click, state"

export const getLaunch = `
select i.n::int, l.* from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select ${columns} from launch where environment = i.environment and id = i.id offset 0
) l`

export const getTrail = `
select i.n::int, t.* from unnest($1::text[], $2::text[]) with ordinality as i(environment, key, n)
cross join lateral (
  select environment, key, version, first_id, first_at, source, medium, campaign, visitor from trail
  where environment = i.environment and key = i.key offset 0
) t`

export const getConversion = `
select i.n::int, t.id from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select id from touch where environment = i.environment and kind = 'CONVERSION' and id = i.id offset 0
) t`

/** One text for each kind of trail: only so does the plan go by its index. */
export const earliest = (of: "visitor" | "click") => `
select ${columns} from launch where environment = $1 and ${of} = $2 order by at, id limit 2`

/** Environments are found by skipping from one to the next, however many rows each has. */
const environmentsOf = (table: "launch" | "touch") => `
with recursive found(environment) as (
  (select environment from ${table} order by environment limit 1)
  union all
  select next.environment from found f
  cross join lateral (
    select environment from ${table} where environment > f.environment order by environment limit 1
  ) next
)`

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

const originOf: { readonly [M in SumPage["model"]]: (column: string) => string } = {
  last: (column) => `coalesce(c.${column}, t.${column})`,
  first: (column) => `coalesce(f.${column}, c.${column}, t.${column})`
}

const trailOf = (name: string, key: string) => `
  left join lateral (
    select source, medium, campaign, visitor from trail where environment = t.environment and key = ${key} offset 0
  ) ${name} on true`

/**
 * Launches and touches are counted by day and origin each in one walk by time; the first touch takes one look more, at
 * the visitor's trail. The days come as moments, so that nobody's time zones but core's matter.
 */
export const sums = (model: SumPage["model"], after: boolean) => {
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

const launchOf = (row: Row, from = 0): Launch => ({
  environment: row[from] as string,
  id: row[from + 1] as string,
  version: row[from + 2] as number,
  at: (row[from + 3] as Date).getTime(),
  origin: {
    source: row[from + 4] as string,
    medium: row[from + 5] as string,
    campaign: row[from + 6] as string
  },
  visitor: row[from + 7] as string | null,
  click: row[from + 8] as string | null,
  ...(JSON.parse(row[from + 9] as string) as Pick<Launch, "details" | "tokenHash">)
})

const trailOfRow = ([, environment, key, version, id, at, source, medium, campaign, visitor]: Row): Trail => ({
  environment: environment as string,
  key: key as string,
  version: version as number,
  first: {
    id: id as string,
    at: (at as Date).getTime(),
    origin: { source: source as string, medium: medium as string, campaign: campaign as string },
    visitor: visitor as string | null
  }
})

const sumOf = ([day, source, medium, campaign, launches, verifications, conversions, leads, values]: Row): Sum => ({
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

const failed = (operation: string) =>
  Effect.mapError((failure: PgFailure) => failure.toStoreError(`AttributionStore.${operation}`))

/** Something new was there first, by a moment. */
const isTaken = ({ cause }: StoreError) => cause instanceof PgFailure && cause.sqlState === "23505"

type Outcome = "stored" | "conflict" | "again"

export const make: (outbox: PgOutbox) => Effect.Effect<AttributionStore["Service"], never, PgDatabase | Scope.Scope> =
  Effect.fnUntraced(function* (outbox) {
    const database = yield* PgDatabase
    const launch = yield* lookup(database, "AttributionStore.launches", getLaunch)
    const trail = yield* lookup(database, "AttributionStore.trails", getTrail)

    const conversion = yield* lookup(database, "AttributionStore.conversions", getConversion)

    const commits = yield* Batcher.make<Commit.EncodedAttributionChange, Outcome>({
      operation: "AttributionStore.commit",
      keyOf: ({ key }) => key,
      sameKey: "wait",
      ownerOf: ({ change }) =>
        (change.launches[0]?.launch ?? change.touches[0] ?? change.trails[0]?.trail)?.environment ??
        ownerOfOutgoing(change),
      maxItems: 64,
      run: (batch) => {
        const together = apart(batch)
        const sent = batch.filter((one) => together.has(one))
        const { names, parameters } = Commit.partsOf(sent)
        return Effect.map(
          outbox.run(
            Commit.commit(names),
            parameters,
            sent.map(({ outgoing }) => outgoing)
          ),
          (rows) => {
            const stored = new Set(rows.map(([n]) => sent[(n as number) - 1]))
            return batch.map((one): Outcome => (stored.has(one) ? "stored" : together.has(one) ? "conflict" : "again"))
          }
        )
      }
    })

    const write = (change: Commit.EncodedAttributionChange): Effect.Effect<void, Conflict | StoreError> =>
      Effect.flatMap(commits.submit(change), (outcome) =>
        outcome === "stored"
          ? Effect.void
          : outcome === "again"
            ? write(change)
            : Effect.fail(new Conflict({ key: change.key }))
      )

    const found = <A>(
      names: ReadonlyArray<string>,
      look: (name: string) => Effect.Effect<Row | null, StoreError>,
      of: (row: Row) => A
    ) =>
      Effect.map(Effect.forEach([...new Set(names)], look, { concurrency: "unbounded" }), (rows) =>
        rows.flatMap((row) => (row === null ? [] : [of(row)]))
      )

    return AttributionStore.of({
      commit: (change) =>
        Effect.suspend(() => {
          if (!Commit.isStorable(change)) {
            return Effect.fail(
              new StoreError({
                operation: "AttributionStore.commit",
                cause: new Error("a column is not what Postgres can keep")
              })
            )
          }
          const encoded = Commit.encode(change)
          return write(encoded).pipe(
            Effect.mapError((error) =>
              error._tag === "StoreError" && isTaken(error) ? new Conflict({ key: encoded.key }) : error
            ),
            Effect.map(() => outbox.committed(change))
          )
        }),
      launches: (environment, ids) =>
        found(
          ids,
          (id) => launch(environment, id),
          (row) => launchOf(row, 1)
        ),
      trails: (environment, keys) => found(keys, (key) => trail(environment, key), trailOfRow),
      earliest: (environment, of, key) =>
        storable(environment) && storable(key)
          ? Effect.map(database.query(earliest(of), [text(environment), text(key)]), (rows) =>
              rows.map((row) => launchOf(row))
            ).pipe(failed("earliest"))
          : Effect.succeed([]),
      conversions: (environment, ids) =>
        found(
          ids,
          (id) => conversion(environment, id),
          ([, id]) => id as string
        ),
      old: (before, limit) =>
        Effect.map(database.query(old, [instant(before), int(limit)]), (rows) => rows.map((row) => launchOf(row))).pipe(
          failed("old")
        ),
      purge: (before, limit) =>
        Effect.map(database.query(purge, [instant(before), int(limit)]), (rows) => rows.length).pipe(failed("purge")),
      sums: ({ after, days, environment, limit, model, until }) => {
        const [from = until] = days
        const texts = after === null ? [] : [after.source, after.medium, after.campaign]
        if (!storable(environment) || !texts.every(storable) || ![...days, until].every(isInstant)) {
          return Effect.succeed([])
        }
        return Effect.map(
          database.query(sums(model, after !== null), [
            text(environment),
            instant(from),
            instant(until),
            instants(days),
            int(limit),
            ...(after === null ? [] : [int(after.day), ...texts.map(text)])
          ]),
          (rows) => rows.map(sumOf)
        ).pipe(failed("sums"))
      }
    })
  })
