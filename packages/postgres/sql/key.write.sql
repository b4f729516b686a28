-- The statements of "key.write", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f key.write.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Adds and changes keys.
--   $1                id
--   $2                keys_version
--   $3  text[]
--   $4  text[]
--   $5  text[]
--   $6  text[]
--   $7  timestamptz[]
--   $8  text[]
--   $9  text[]
--   $10 text[]
--   $11 timestamptz[]
--   $12 timestamptz[]
--   $13 text[]        id
--   $14 text[]        environment
--   $15 text[]        kind
--   $16 text[]        secret_hash
--   $17 timestamptz[] created_at
--   $18 text[]        scopes
--   $19 text[]        name
--   $20 text[]        replaced
--   $21 timestamptz[] last_used_at
--   $22 timestamptz[] revoked_at
--   $23 int[]         n
--   $24 text[]        merchant_id
--   $25 text[]        id
--   $26 text[]        environment
--   $27 timestamptz[] at
--   $28 text[]        action
--   $29 text[]        actor_id
--   $30 text[]        target_id
--   $31 text[]        entry
explain (generic_plan)
with moved as (
  update environment set keys_version = keys_version + 1 where id = $1 and keys_version = $2 returning id
), inserted as (
insert into credential (id, environment, kind, secret_hash, created_at, scopes, name, replaced, last_used_at, revoked_at)
select * from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::text[], $9::text[], $10::text[], $11::timestamptz[], $12::timestamptz[])
  where exists (select from moved)
), changed as (
  update credential c set secret_hash = n.secret_hash, scopes = n.scopes, name = n.name, replaced = n.replaced, revoked_at = n.revoked_at
  from unnest($13::text[], $14::text[], $15::text[], $16::text[], $17::timestamptz[], $18::text[], $19::text[], $20::text[], $21::timestamptz[], $22::timestamptz[])
    as n(id, environment, kind, secret_hash, created_at, scopes, name, replaced, last_used_at, revoked_at)
  where c.id = n.id and c.environment = $1 and exists (select from moved)
), ok as materialized (
  select 1 as n from moved
), audited as (
  insert into audit (merchant_id, id, environment, at, action, actor_id, target_id, entry)
  select merchant_id, id, environment, at, action, actor_id, target_id, entry
  from unnest($23::int[], $24::text[], $25::text[], $26::text[], $27::timestamptz[], $28::text[], $29::text[], $30::text[], $31::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
)
select n from ok;

-- Records when keys were last used.
--   $1  text[]        id
--   $2  timestamptz[] hour
explain (generic_plan)
with ordered as (
  select c.id, u.hour from credential c
  join (select id, max(hour) as hour from unnest($1::text[], $2::timestamptz[]) as u (id, hour) group by id) u
    on u.id = c.id and (c.last_used_at is null or c.last_used_at < u.hour)
  order by c.id for update of c
)
update credential c set last_used_at = o.hour from ordered o where c.id = o.id;
