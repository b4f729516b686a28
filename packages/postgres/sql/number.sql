-- The statements of "number", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f number.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Loads connected numbers.
--   $1  text[]        id
explain (generic_plan)
select i.n::int, c.id, c.environment, c.version, c.connected_at, c.state from unnest($1::text[]) with ordinality as i(id, n)
cross join lateral (select * from connected_number where id = i.id offset 0) c;

-- Lists connected numbers.
--   $1                environment
explain (generic_plan)
select c.id, c.environment, c.version, c.connected_at, c.state from connected_number c where environment = $1 order by connected_at, id;

-- Saves a connected number.
--   $1                id
--   $2                environment
--   $3                version
--   $4                connected_at
--   $5                state
--   $6  int[]         n
--   $7  text[]        merchant_id
--   $8  text[]        id
--   $9  text[]        environment
--   $10 timestamptz[] at
--   $11 text[]        action
--   $12 text[]        actor_id
--   $13 text[]        target_id
--   $14 text[]        entry
explain (generic_plan)
with known as (
  update connected_number set version = $3 + 1, environment = $2, connected_at = $4, state = $5
  where id = $1 and version = $3 and $3 > 0
  returning version
), fresh as (
  insert into connected_number (id, environment, version, connected_at, state)
  select $1, $2, 1, $4, $5 where $3 = 0
  on conflict (id) do nothing
  returning version
), ok as materialized (
  select 1 as n, version from known union all select 1, version from fresh
), audited as (
  insert into audit (merchant_id, id, environment, at, action, actor_id, target_id, entry)
  select merchant_id, id, environment, at, action, actor_id, target_id, entry
  from unnest($6::int[], $7::text[], $8::text[], $9::text[], $10::timestamptz[], $11::text[], $12::text[], $13::text[], $14::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
)
select version from ok;

-- Removes a connected number.
--   $1                id
--   $2                environment
--   $3                version
--   $4  int[]         n
--   $5  text[]        merchant_id
--   $6  text[]        id
--   $7  text[]        environment
--   $8  timestamptz[] at
--   $9  text[]        action
--   $10 text[]        actor_id
--   $11 text[]        target_id
--   $12 text[]        entry
explain (generic_plan)
with gone as (
  delete from connected_number where id = $1 and environment = $2 and version = $3 returning 1
), ok as materialized (
  select 1 as n from gone
), audited as (
  insert into audit (merchant_id, id, environment, at, action, actor_id, target_id, entry)
  select merchant_id, id, environment, at, action, actor_id, target_id, entry
  from unnest($4::int[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::text[], $10::text[], $11::text[], $12::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
)
select n from ok;
