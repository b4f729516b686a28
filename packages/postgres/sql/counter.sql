-- The statements of "counter", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f counter.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Issues the next numbers of counters.
--   $1  text[]
--   $2  text[]
--   $3  int[]
explain (generic_plan)
insert into counter as c (scope, name, value)
select * from unnest($1::text[], $2::text[], $3::int[])
on conflict (scope, name) do update set value = c.value + excluded.value
returning scope, name, value::float8;
