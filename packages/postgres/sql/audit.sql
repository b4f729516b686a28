-- The statements of "audit", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f audit.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Lists the audit log.
--   $1                merchant_id
--   $2
explain (generic_plan)
select a.merchant_id, a.id, a.environment, a.at, a.action, a.entry from audit a
where merchant_id = $1
order by id desc limit $2;

-- Lists the audit log of a month, next page.
--   $1                merchant_id
--   $2
--   $3  text[]
--   $4                id
--   $5                id
--   $6                id
explain (generic_plan)
select a.merchant_id, a.id, a.environment, a.at, a.action, a.entry from audit a
where merchant_id = $1 and coalesce(environment, '') = any($3::text[]) and id >= $4 and id < $5 and id < $6
order by id desc limit $2;
