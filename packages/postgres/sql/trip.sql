-- The statements of "trip", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f trip.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Lists the places that the guard stopped.
--   $1                environment
--   $2                ends_at
explain (generic_plan)
select t.environment, t.reason, t.place, t.version, t.ends_at, t.state from guard_trip t
where environment = $1 and ends_at > $2 order by ends_at desc, reason, place limit 1000;

-- Loads a place that the guard stopped.
--   $1                environment
--   $2                reason
--   $3                place
explain (generic_plan)
select t.environment, t.reason, t.place, t.version, t.ends_at, t.state from guard_trip t where environment = $1 and reason = $2 and place = $3;

-- Saves a place that the guard stopped.
--   $1                environment
--   $2                reason
--   $3                place
--   $4                version
--   $5                ends_at
--   $6                state
--   $7  int[]         n
--   $8  text[]        merchant_id
--   $9  text[]        id
--   $10 text[]        environment
--   $11 timestamptz[] at
--   $12 text[]        action
--   $13 text[]        actor_id
--   $14 text[]        target_id
--   $15 text[]        entry
explain (generic_plan)
with known as (
  update guard_trip set version = $4 + 1, ends_at = $5, state = $6
  where environment = $1 and reason = $2 and place = $3 and version = $4 and $4 > 0
  returning version
), fresh as (
  insert into guard_trip (environment, reason, place, version, ends_at, state)
  select $1, $2, $3, 1, $5, $6 where $4 = 0
  on conflict (environment, reason, place) do nothing
  returning version
), ok as materialized (
  select 1 as n, version from known union all select 1, version from fresh
), audited as (
  insert into audit (merchant_id, id, environment, at, action, actor_id, target_id, entry)
  select merchant_id, id, environment, at, action, actor_id, target_id, entry
  from unnest($7::int[], $8::text[], $9::text[], $10::text[], $11::timestamptz[], $12::text[], $13::text[], $14::text[], $15::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
)
select version from ok;
