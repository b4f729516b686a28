-- The statements of "sender-id", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f sender-id.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Lists sender ids.
--   $1                environment
explain (generic_plan)
select s.environment, s.header, s.created_at from sender_id s where environment = $1 order by created_at, header;

-- Adds or removes a sender id.
--   $1                environment
--   $2                header
--   $3
--   $4
--   $5  int[]         n
--   $6  text[]        merchant_id
--   $7  text[]        id
--   $8  text[]        environment
--   $9  timestamptz[] at
--   $10 text[]        action
--   $11 text[]        actor_id
--   $12 text[]        target_id
--   $13 text[]        entry
explain (generic_plan)
with gone as (
  delete from sender_id where environment = $1 and header = $2 and $4 = 0 returning header
), fresh as (
  insert into sender_id (environment, header, created_at) select $1, $2, $3 where $4 = 1
  on conflict do nothing
  returning header
), ok as materialized (
  select 1 as n from gone union all select 1 from fresh
), audited as (
  insert into audit (merchant_id, id, environment, at, action, actor_id, target_id, entry)
  select merchant_id, id, environment, at, action, actor_id, target_id, entry
  from unnest($5::int[], $6::text[], $7::text[], $8::text[], $9::timestamptz[], $10::text[], $11::text[], $12::text[], $13::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
)
select n from ok;
