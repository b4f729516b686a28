import { type Fact, type StatBucket, type StatPlace, StatStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { outboxStatement } from "./outboxStatement.ts"
import { bool, ifStorable, instant, int, text, texts } from "./parameters.ts"
import { PgDatabase } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { commitsOf, queriesOf } from "./storeQueries.ts"
import * as Table from "./table.ts"

const versionOf = "select version from stat_head where environment = $1"

const ofPlace = {
  span: Table.word,
  at: Table.time,
  channel: Table.text,
  country: Table.text,
  path: Table.text,
  template: Table.text
}
const place = Table.rows<StatPlace>()("stat_bucket", [], ofPlace)
const bucket = Table.rows<StatBucket>()("stat_bucket", [], {
  ...ofPlace,
  counts: Table.json,
  latencies: Table.json
})

const columns = bucket.columns.join(", ")

/** `offset 0` forces a lookup by key for each row, whatever the table statistics say. */
export const bucketsAt = `
select b.* from ${Table.plain(place, 2, "p")}
cross join lateral (
  select ${columns} from stat_bucket
  where environment = $1 and span = p.span and at = p.at and channel = p.channel and country = p.country
    and path = p.path and template = p.template offset 0
) b`

/** Returns buckets, then the facts of the same range, in one statement so that both come from one snapshot. */
export const read = `
select ${[...place.columns, "counts"].join(", ")}, case when $5 then latencies else '{}' end, null as kind, null::int as times from stat_bucket
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
  insert into stat_bucket (environment, ${columns})
  select $1, ${columns}
  from ${Table.plain(bucket, 3, "b")}
  where exists (select from ok)
  order by ${columns}
  on conflict (environment, span, at, channel, country, path, template)
    do update set counts = excluded.counts, latencies = excluded.latencies
)`,
  parameters: 10,
  answer: "version"
})

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const { row, rows } = queriesOf(yield* PgDatabase, "StatStore")
  const write = commitsOf(outbox, "StatStore")

  return StatStore.of({
    version: (environment) =>
      Effect.map(
        row(
          "version",
          versionOf,
          () => [text(environment)],
          ([version]) => version as number
        ),
        (version) => version ?? 0
      ),
    buckets: (environment, places) => {
      const known = places.map((asked) => ifStorable(() => place.encode(asked))).filter((asked) => asked !== null)
      return known.length === 0
        ? Effect.succeed([])
        : rows("buckets", bucketsAt, () => [text(environment), ...place.parameters(known)], bucket.decode)
    },
    read: ({ environment, from, kinds, latencies, span, to }) =>
      Effect.map(
        rows(
          "read",
          read,
          () => [
            text(environment),
            text(span),
            instant(from),
            instant(to),
            bool(latencies),
            texts(kinds.map((kind) => Table.text.write(kind) as string))
          ],
          (row) => row
        ),
        (found) => ({
          buckets: found.flatMap((row): ReadonlyArray<StatBucket> => (row[8] === null ? [bucket.decode(row)] : [])),
          facts: found.flatMap(
            ([, at, key, , , , value, , kind, times]): ReadonlyArray<Fact> =>
              kind === null
                ? []
                : [
                    {
                      environment,
                      kind: kind as string,
                      at: (at as Date).getTime(),
                      key: key as string,
                      value: JSON.parse(value as string),
                      ...(times === 1 ? {} : { times: times as number })
                    }
                  ]
          )
        })
      ),
    commit: (change) => {
      const { buckets, environment, version } = change
      const own = () => [text(environment), int(version), ...bucket.parameters(buckets.map(bucket.encode))]
      return Effect.map(write("commit", environment, commit, own, change), ([moved]) => moved as number)
    }
  })
})
