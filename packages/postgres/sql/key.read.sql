-- The statements of "key.read", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f key.read.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Loads the keys of an environment.
--   $1                id
explain (generic_plan)
select e.keys_version, c.id, c.environment, c.kind, c.secret_hash, c.created_at, c.scopes, c.name, c.replaced, c.last_used_at, c.revoked_at
from environment e left join credential c on c.environment = e.id
where e.id = $1 order by c.id;
