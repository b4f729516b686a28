-- The statements of "window.write", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f window.write.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Loads rate windows.
--   $1  text[]        environment
--   $2  text[]        key
explain (generic_plan)
select i.n::int, w.version, w.state
from unnest($1::text[], $2::text[]) with ordinality as i(environment, key, n)
cross join lateral (
  select version, state from rate_window where environment = i.environment and key = i.key offset 0
) w;

-- Saves rate windows.
--   $1  text[]        environment
--   $2  text[]        key
--   $3  int[]         version
--   $4  text[]        state
--   $5  timestamptz[] saved_in
explain (generic_plan)
with given as materialized (
  select * from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::timestamptz[])
    with ordinality as g(environment, key, version, state, saved_in, n)
), known as (
  update rate_window w set version = g.version + 1, state = g.state, saved_in = g.saved_in
  from (
    select g.*, t.place, t.found from given g
    cross join lateral (
      select ctid as place, version as found from rate_window
      where environment = g.environment and key = g.key and version = g.version offset 0
    ) t
    where g.version > 0
  ) g
  where w.ctid = g.place and w.version = g.found
  returning g.n
), fresh as (
  insert into rate_window (environment, key, version, state, saved_in)
  select environment, key, 1, state, saved_in from given where version = 0 order by n
  on conflict (environment, key) do nothing
  returning environment, key
)
select n::int from known
union all
select n::int from given where version = 0 and ((environment, key) in (select environment, key from fresh)) is true;
