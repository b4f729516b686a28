-- The statements of "event", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f event.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Loads events.
--   $1  text[]        environment
--   $2  text[]        id
explain (generic_plan)
select i.n::int, e.*
from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select event.environment, event.id, event.type, event.created_at, event.data from event where environment = i.environment and id = i.id offset 0
) e;
