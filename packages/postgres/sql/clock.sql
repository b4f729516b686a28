-- The statements of "clock", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f clock.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Saves the clock.
--   $1                version
--   $2                state
explain (generic_plan)
with saved as (
  insert into storage_clock (id, version, state) select 1, 1, $2 where $1 = 0 on conflict do nothing returning id
), updated as (
  update storage_clock set version = version + 1, state = $2 where version = $1 and $1 > 0 returning id
), done as (
  select id from saved union all select id from updated
) select id from done;

-- Saves the clock and moves jobs back.
--   $1                version
--   $2                state
--   $3  timestamptz   run_at
--   $4  int8
--   $5  timestamptz   run_at
--   $6  text[]        kind
explain (generic_plan)
with saved as (
  insert into storage_clock (id, version, state) select 1, 1, $2 where $1 = 0 on conflict do nothing returning id
), updated as (
  update storage_clock set version = version + 1, state = $2 where version = $1 and $1 > 0 returning id
), done as (
  select id from saved union all select id from updated
), moved as (
  update job set run_at = run_at - $4::int8 * interval '1 millisecond'
  where exists (select from done) and dead_at is null
    and run_at > $3::timestamptz + case when owner is null or attempt = 0 then 0 else $4::int8 end * interval '1 millisecond'
    and ($5::timestamptz is null or run_at <= $5) and ($6::text[] is null or kind = any($6))
) select id from done;
