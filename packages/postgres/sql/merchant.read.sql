-- The statements of "merchant.read", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f merchant.read.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Loads keys by id, each with its merchant and environment.
--   $1  text[]        id
explain (generic_plan)
select i.n::int, m.id, m.name, m.status, m.created_at, e.id, e.merchant_id, e.kind, e.settings, e.settings_version, c.id, c.environment, c.kind, c.secret_hash, c.created_at, c.scopes, c.name, c.replaced, c.last_used_at, c.revoked_at
from unnest($1::text[]) with ordinality as i(id, n)
cross join lateral (select * from credential where id = i.id offset 0) c
cross join lateral (select * from environment where id = c.environment offset 0) e
cross join lateral (select * from merchant where id = e.merchant_id offset 0) m;

-- Loads an environment.
--   $1                id
explain (generic_plan)
select m.id, m.name, m.status, m.created_at, e.id, e.merchant_id, e.kind, e.settings, e.settings_version
from environment e join merchant m on m.id = e.merchant_id where e.id = $1;

-- Loads a merchant with its environments and keys.
--   $1                id
explain (generic_plan)
select m.id, m.name, m.status, m.created_at, e.id, e.merchant_id, e.kind, e.settings, e.settings_version, c.id, c.environment, c.kind, c.secret_hash, c.created_at, c.scopes, c.name, c.replaced, c.last_used_at, c.revoked_at
from merchant m
left join environment e on e.merchant_id = m.id
left join credential c on c.environment = e.id
where m.id = $1 order by e.id, c.id;

-- Lists merchants.
--   $1                id
--   $2
explain (generic_plan)
select m.id, m.name, m.status, m.created_at from merchant m where m.id > $1 order by m.id limit $2;
