-- The statements of "staff.write", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f staff.write.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Moves the last use of a session forward.
--   $1                merchant_id
--   $2                id
--   $3
explain (generic_plan)
update session set last_used_at = greatest(last_used_at, $3), version = version + 1 where merchant_id = $1 and id = $2;
