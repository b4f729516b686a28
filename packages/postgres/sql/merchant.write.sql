-- The statements of "merchant.write", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f merchant.write.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Creates a merchant with its environments and keys.
--   $1
--   $2
--   $3
--   $4
--   $5  text[]
--   $6  text[]
--   $7  text[]
--   $8  text[]
--   $9  int[]
--   $10 text[]
--   $11 text[]
--   $12 text[]
--   $13 text[]
--   $14 timestamptz[]
--   $15 text[]
--   $16 text[]
--   $17 text[]
--   $18 timestamptz[]
--   $19 timestamptz[]
--   $20 int[]         n
--   $21 text[]        merchant_id
--   $22 text[]        id
--   $23 text[]        environment
--   $24 timestamptz[] at
--   $25 text[]        action
--   $26 text[]        actor_id
--   $27 text[]        target_id
--   $28 text[]        entry
explain (generic_plan)
with m as (
  insert into merchant (id, name, status, created_at)
  values ($1, $2, $3, $4)
), e as (
  insert into environment (id, merchant_id, kind, settings, settings_version)
  select * from unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::int[])
), c as (
insert into credential (id, environment, kind, secret_hash, created_at, scopes, name, replaced, last_used_at, revoked_at)
select * from unnest($10::text[], $11::text[], $12::text[], $13::text[], $14::timestamptz[], $15::text[], $16::text[], $17::text[], $18::timestamptz[], $19::timestamptz[])
), ok as materialized (
  select 1 as n
), audited as (
  insert into audit (merchant_id, id, environment, at, action, actor_id, target_id, entry)
  select merchant_id, id, environment, at, action, actor_id, target_id, entry
  from unnest($20::int[], $21::text[], $22::text[], $23::text[], $24::timestamptz[], $25::text[], $26::text[], $27::text[], $28::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
)
select n from ok;

-- Changes a merchant.
--   $1                id
--   $2                name
--   $3                status
--   $4                name
--   $5                status
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
with changed as (
  update merchant set name = $4, status = $5 where id = $1 and name = $2 and status = $3 returning 1
), ok as materialized (
  select 1 as n from changed
), audited as (
  insert into audit (merchant_id, id, environment, at, action, actor_id, target_id, entry)
  select merchant_id, id, environment, at, action, actor_id, target_id, entry
  from unnest($6::int[], $7::text[], $8::text[], $9::text[], $10::timestamptz[], $11::text[], $12::text[], $13::text[], $14::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
)
select n from ok;

-- Saves the settings of an environment.
--   $1                id
--   $2                settings_version
--   $3                settings
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
with saved as (
  update environment set settings = $3, settings_version = settings_version + 1
  where id = $1 and settings_version = $2 returning 1
), ok as materialized (
  select 1 as n from saved
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
