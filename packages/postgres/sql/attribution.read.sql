-- The statements of "attribution.read", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f attribution.read.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Loads launches.
--   $1  text[]        environment
--   $2  text[]        id
explain (generic_plan)
select i.n::int, l.* from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select launch.environment, launch.id, launch.version, launch.at, launch.source, launch.medium, launch.campaign, launch.visitor, launch.click, launch.state from launch where environment = i.environment and id = i.id offset 0
) l;

-- Loads trails.
--   $1  text[]        environment
--   $2  text[]        key
explain (generic_plan)
select i.n::int, t.* from unnest($1::text[], $2::text[]) with ordinality as i(environment, key, n)
cross join lateral (
  select trail.environment, trail.key, trail.version, trail.first_id, trail.first_at, trail.source, trail.medium, trail.campaign, trail.visitor from trail
  where environment = i.environment and key = i.key offset 0
) t;

-- Loads conversions.
--   $1  text[]        environment
--   $2  text[]        id
explain (generic_plan)
select i.n::int, t.id from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select id from touch where environment = i.environment and kind = 'CONVERSION' and id = i.id offset 0
) t;

-- Finds the earliest launches of a visitor.
--   $1                environment
--   $2                visitor
explain (generic_plan)
select launch.environment, launch.id, launch.version, launch.at, launch.source, launch.medium, launch.campaign, launch.visitor, launch.click, launch.state from launch where environment = $1 and visitor = $2 order by at, id limit 2;

-- Sums by the last touch.
--   $1                environment
--   $2                at
--   $3                at
--   $4  timestamptz[]
--   $5  int
explain (generic_plan)
with counted as materialized (
  select width_bucket(at, $4::timestamptz[]) - 1 as day, source, medium, campaign, 'LAUNCH' as kind, '' as currency,
    count(*) as n, null::numeric as total
  from launch where environment = $1 and at > '-infinity' and at >= $2 and at < $3
  group by 1, 2, 3, 4
  union all
  select width_bucket(t.at, $4::timestamptz[]) - 1, coalesce(c.source, t.source), coalesce(c.medium, t.medium), coalesce(c.campaign, t.campaign), t.kind, t.currency,
    count(*), sum(t.micros)
  from touch t 
  left join lateral (
    select source, medium, campaign, visitor from trail where environment = t.environment and key = t.click offset 0
  ) c on true 
  where t.environment = $1 and t.at > '-infinity' and t.at >= $2 and t.at < $3
  group by 1, 2, 3, 4, 5, 6
)
select day, source, medium, campaign,
  coalesce(sum(n) filter (where kind = 'LAUNCH'), 0)::float8,
  coalesce(sum(n) filter (where kind = 'VERIFICATION'), 0)::float8,
  coalesce(sum(n) filter (where kind = 'CONVERSION'), 0)::float8,
  coalesce(sum(n) filter (where kind = 'LEAD'), 0)::float8,
  (json_agg(json_build_array(currency, total::text) order by currency) filter (where total is not null))::text
from counted
group by day, source, medium, campaign
order by day, source, medium, campaign limit $5::int;

-- Sums by the first touch, next page.
--   $1                environment
--   $2                at
--   $3                at
--   $4  timestamptz[]
--   $5  int
--   $6  int
--   $7
--   $8
--   $9
explain (generic_plan)
with counted as materialized (
  select width_bucket(at, $4::timestamptz[]) - 1 as day, source, medium, campaign, 'LAUNCH' as kind, '' as currency,
    count(*) as n, null::numeric as total
  from launch where environment = $1 and at > '-infinity' and at >= $2 and at < $3
  group by 1, 2, 3, 4
  union all
  select width_bucket(t.at, $4::timestamptz[]) - 1, coalesce(f.source, c.source, t.source), coalesce(f.medium, c.medium, t.medium), coalesce(f.campaign, c.campaign, t.campaign), t.kind, t.currency,
    count(*), sum(t.micros)
  from touch t 
  left join lateral (
    select source, medium, campaign, visitor from trail where environment = t.environment and key = t.click offset 0
  ) c on true 
  left join lateral (
    select source, medium, campaign, visitor from trail where environment = t.environment and key = coalesce(c.visitor, t.visitor) offset 0
  ) f on true
  where t.environment = $1 and t.at > '-infinity' and t.at >= $2 and t.at < $3
  group by 1, 2, 3, 4, 5, 6
)
select day, source, medium, campaign,
  coalesce(sum(n) filter (where kind = 'LAUNCH'), 0)::float8,
  coalesce(sum(n) filter (where kind = 'VERIFICATION'), 0)::float8,
  coalesce(sum(n) filter (where kind = 'CONVERSION'), 0)::float8,
  coalesce(sum(n) filter (where kind = 'LEAD'), 0)::float8,
  (json_agg(json_build_array(currency, total::text) order by currency) filter (where total is not null))::text
from counted where (day, source, medium, campaign) > ($6::int, $7, $8, $9)
group by day, source, medium, campaign
order by day, source, medium, campaign limit $5::int;

-- Lists old launches.
--   $1                at
--   $2
explain (generic_plan)
with recursive found(environment) as (
  (select environment from launch order by environment limit 1)
  union all
  select next.environment from found f
  cross join lateral (
    select environment from launch where environment > f.environment order by environment limit 1
  ) next
)
select l.* from found f cross join lateral (
  select launch.environment, launch.id, launch.version, launch.at, launch.source, launch.medium, launch.campaign, launch.visitor, launch.click, launch.state from launch where environment = f.environment and at > '-infinity' and at < $1 order by at limit $2
) l limit $2;

-- Deletes old touches.
--   $1                at
--   $2
explain (generic_plan)
delete from touch where ctid = any(array(
with recursive found(environment) as (
  (select environment from touch order by environment limit 1)
  union all
  select next.environment from found f
  cross join lateral (
    select environment from touch where environment > f.environment order by environment limit 1
  ) next
)
  select t.place from found f cross join lateral (
    select ctid as place from touch where environment = f.environment and at > '-infinity' and at < $1 order by at limit $2
    for update skip locked
  ) t limit $2
)) returning 1;
