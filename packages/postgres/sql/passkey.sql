-- The statements of "passkey", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f passkey.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Loads a passkey.
--   $1                id
explain (generic_plan)
select p.id, p.canonical, p.version, p.created_at, p.state from passkey p where id = $1;

-- Lists the passkeys of a person.
--   $1                canonical
explain (generic_plan)
select p.id, p.canonical, p.version, p.created_at, p.state from passkey p where canonical = $1 and not removed order by created_at, id;

-- Saves a passkey.
--   $1                id
--   $2
--   $3                version
--   $4
--   $5                removed
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
  update passkey set version = $3 + 1, removed = $5, state = $6
  where id = $1 and version = $3 and $3 > 0
  returning version
), fresh as (
  insert into passkey (id, canonical, version, created_at, removed, state)
  select $1, $2, 1, $4, $5, $6 where $3 = 0
  on conflict (id) do nothing
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
