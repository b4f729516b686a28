-- The statements of "verification.load", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f verification.load.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Loads subjects, for an initiate.
--   $1  text[]        environment
--   $2  text[]        canonical
explain (generic_plan)
select i.n::int, s.version, s.state
from unnest($1::text[], $2::text[]) with ordinality as i(environment, canonical, n)
left join lateral (
  select version, canonical, state from subject where environment = i.environment and canonical = i.canonical offset 0
) s on true
left join lateral (
  select 1 as n from subject
  where s.version is null and environment = i.environment
    and canonical >= '#' and canonical < '$' limit 1
) kept on true
where s.version is not null or kept.n is not null;

-- Loads verifications with their subjects, for a verify.
--   $1  text[]        environment
--   $2  text[]        id
explain (generic_plan)
select i.n::int, v.state, s.canonical, s.version, s.state
from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)

cross join lateral (
  select canonical, state from verification where environment = i.environment and id = i.id offset 0
) v 
cross join lateral (
  select version, canonical, state from subject where environment = i.environment and canonical = v.canonical offset 0
) s;

-- Loads verifications, for a status.
--   $1  text[]        environment
--   $2  text[]        id
explain (generic_plan)
select i.n::int, v.state
from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n) 
cross join lateral (
  select canonical, state from verification where environment = i.environment and id = i.id offset 0
) v;

-- Finds verifications by the merchant's order ids.
--   $1  text[]        environment
--   $2  text[]        order_id
explain (generic_plan)
select i.n::int, o.verification_id
from unnest($1::text[], $2::text[]) with ordinality as i(environment, order_id, n)
cross join lateral (
  select verification_id from order_reference where environment = i.environment and order_id = i.order_id offset 0
) o;

-- Finds the owners of devices.
--   $1  text[]        environment
--   $2  text[]        id
explain (generic_plan)
select i.n::int, d.canonical
from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (select canonical from device where environment = i.environment and id = i.id offset 0) d;
