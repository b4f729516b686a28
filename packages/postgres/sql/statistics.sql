-- The statements of "statistics", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f statistics.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Reads sums by key.
--   $1                environment
--   $2  text[]        span
--   $3  timestamptz[] at
--   $4  text[]        channel
--   $5  text[]        country
--   $6  text[]        path
--   $7  text[]        template
explain (generic_plan)
select b.* from unnest($2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[])
    as p(span, at, channel, country, path, template)
cross join lateral (
  select span, at, channel, country, path, template, counts, latencies from stat_bucket
  where environment = $1 and span = p.span and at = p.at and channel = p.channel and country = p.country
    and path = p.path and template = p.template offset 0
) b;

-- Reads sums and facts of a time range.
--   $1                environment
--   $2                span
--   $3                at
--   $4                at
--   $5
--   $6  text[]        kind
explain (generic_plan)
select span, at, channel, country, path, template, counts, case when $5 then latencies else '{}' end, null as kind, null::int as times from stat_bucket
where environment = $1 and span = $2 and at >= $3 and at < $4
union all
select null, f.at, f.key, null, null, null, f.value, null, f.kind, f.times
from unnest($6::text[]) as k(kind)
cross join lateral (
  select kind, at, key, value, times from fact
  where kind = k.kind and environment = $1 and at >= $3 and at < $4 offset 0
) f;

-- Saves sums and deletes the facts that they include.
--   $1                environment
--   $2                version
--   $3  text[]        span
--   $4  timestamptz[] at
--   $5  text[]        channel
--   $6  text[]        country
--   $7  text[]        path
--   $8  text[]        template
--   $9  text[]        counts
--   $10 text[]        latencies
--   $11 int[]         n
--   $12 text[]        kind
--   $13 text[]        environment
--   $14 timestamptz[] at
--   $15 text[]        key
explain (generic_plan)
with known as (
  update stat_head set version = $2 + 1 where environment = $1 and version = $2 and $2 > 0
  returning version
), fresh as (
  insert into stat_head (environment, version) select $1, 1 where $2 = 0
  on conflict do nothing
  returning version
), ok as materialized (
  select 1 as n, version from known union all select 1, version from fresh
), summed as (
  insert into stat_bucket (environment, span, at, channel, country, path, template, counts, latencies)
  select $1, span, at, channel, country, path, template, counts, latencies
  from unnest($3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
    as b(span, at, channel, country, path, template, counts, latencies)
  where exists (select from ok)
  order by span, at, channel, country, path, template, counts, latencies
  on conflict (environment, span, at, channel, country, path, template)
    do update set counts = excluded.counts, latencies = excluded.latencies
), folded as (
  delete from fact f using (
    select t.place
    from unnest($11::int[], $12::text[], $13::text[], $14::timestamptz[], $15::text[])
    as l(n, kind, environment, at, key)
    cross join lateral (
      select ctid as place from fact
      where kind = l.kind and environment = l.environment and at = l.at and key = l.key offset 0
    ) t
    where (l.n in (select n from ok)) is true
  ) d
  where f.ctid = d.place
)
select version from ok;
