import {
  Conflict,
  type Fact,
  type StatBucket,
  type StatChange,
  type StatPage,
  type StatPlace,
  type StatSpan,
  StatStore,
  StoreError
} from "@countersign/core/storage"
import { Effect } from "effect"
import { encode } from "./outboxParts.ts"
import { outboxStatement } from "./outboxStatement.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { bool, instant, instants, int, storable, text, texts } from "./parameters.ts"

const versionOf = "select version from stat_head where environment = $1"

const columns = "span, at, channel, country, path, template, counts"

/** `offset 0` makes a lookup by key of each, whatever Postgres believes about the size of the table. */
export const bucketsAt = `
select b.span, b.at, b.channel, b.country, b.path, b.template, b.counts, b.latencies
from unnest($2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[])
  as p(span, at, channel, country, path, template)
cross join lateral (
  select ${columns}, latencies from stat_bucket
  where environment = $1 and span = p.span and at = p.at and channel = p.channel and country = p.country
    and path = p.path and template = p.template offset 0
) b`

/** Buckets, and after them the facts of the same time: one statement sees both as of one instant. */
export const read = `
select ${columns}, case when $5 then latencies else '{}' end, null as kind, null::int as times from stat_bucket
where environment = $1 and span = $2 and at >= $3 and at < $4
union all
select null, f.at, f.key, null, null, null, f.value, null, f.kind, f.times
from unnest($6::text[]) as k(kind)
cross join lateral (
  select kind, at, key, value, times from fact
  where kind = k.kind and environment = $1 and at >= $3 and at < $4 offset 0
) f`

export const commit = outboxStatement({
  own: `known as (
  update stat_head set version = $2 + 1 where environment = $1 and version = $2 and $2 > 0
  returning version
), fresh as (
  insert into stat_head (environment, version) select $1, 1 where $2 = 0
  on conflict do nothing
  returning version
), ok as materialized (
  select 1 as n, version from known union all select 1, version from fresh
), summed as (
  insert into stat_bucket (environment, ${columns}, latencies)
  select $1, ${columns}, latencies
  from unnest($3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
    as b(${columns}, latencies)
  where exists (select from ok)
  order by ${columns}
  on conflict (environment, span, at, channel, country, path, template)
    do update set counts = excluded.counts, latencies = excluded.latencies
)`,
  parameters: 10,
  answer: "version"
})

const placeOf = ([span, at, channel, country, path, template]: Row): StatPlace => ({
  span: span as StatSpan,
  at: (at as Date).getTime(),
  channel: channel as string,
  country: country as string,
  path: path as string,
  template: template as string
})

const bucketOf = (row: Row): StatBucket => ({
  ...placeOf(row),
  counts: JSON.parse(row[6] as string),
  latencies: JSON.parse(row[7] as string)
})

const placeParameters = (places: ReadonlyArray<StatPlace>) => [
  texts(places.map(({ span }) => span)),
  instants(places.map(({ at }) => at)),
  texts(places.map(({ channel }) => channel)),
  texts(places.map(({ country }) => country)),
  texts(places.map(({ path }) => path)),
  texts(places.map(({ template }) => template))
]

const wordsOf = ({ channel, country, path, template }: StatPlace) => [channel, country, path, template]

const failed = (operation: string) =>
  Effect.mapError((failure: PgFailure) => failure.toStoreError(`StatStore.${operation}`))

const refuse = () =>
  new StoreError({ operation: "StatStore.commit", cause: new Error("a key is not text that Postgres can keep") })

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const database = yield* PgDatabase

  const readPage = Effect.fnUntraced(function* ({ environment, from, kinds, latencies, span, to }: StatPage) {
    const buckets: Array<StatBucket> = []
    const facts: Array<Fact> = []
    if (!storable(environment) || !kinds.every(storable)) return { buckets, facts }
    const asked = [text(environment), text(span), instant(from), instant(to), bool(latencies), texts(kinds)]
    for (const row of yield* database.query(read, asked)) {
      const kind = row[8] as string | null
      if (kind === null) buckets.push(bucketOf(row))
      else {
        const [, at, key] = row
        facts.push({
          environment,
          kind,
          at: (at as Date).getTime(),
          key: key as string,
          value: JSON.parse(row[6] as string),
          ...(row[9] === 1 ? {} : { times: row[9] as number })
        })
      }
    }
    return { buckets, facts }
  }, failed("read"))

  return StatStore.of({
    version: (environment) =>
      storable(environment)
        ? Effect.map(database.query(versionOf, [text(environment)]), ([row]) => (row?.[0] as number) ?? 0).pipe(
            failed("version")
          )
        : Effect.succeed(0),
    buckets: (environment, places) => {
      const known = places.filter((place) => wordsOf(place).every(storable))
      return storable(environment) && known.length > 0
        ? Effect.map(database.query(bucketsAt, [text(environment), ...placeParameters(known)]), (rows) =>
            rows.map(bucketOf)
          ).pipe(failed("buckets"))
        : Effect.succeed([])
    },
    read: readPage,
    commit: (change: StatChange) =>
      Effect.suspend(() => {
        const { buckets, environment, version } = change
        if (!storable(environment) || !buckets.every((bucket) => wordsOf(bucket).every(storable))) {
          return Effect.fail(refuse())
        }
        const own = [
          text(environment),
          int(version),
          ...placeParameters(buckets),
          texts(buckets.map(({ counts }) => JSON.stringify(counts))),
          texts(buckets.map(({ latencies }) => JSON.stringify(latencies)))
        ]
        return outbox.run(commit, own, [encode(change)]).pipe(
          failed("commit"),
          Effect.flatMap(([row]) => {
            if (row === undefined) return Effect.fail(new Conflict({ key: environment }))
            outbox.committed(change)
            return Effect.succeed(row[0] as number)
          })
        )
      })
  })
})
