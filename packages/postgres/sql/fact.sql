-- The statements of "fact", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f fact.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Lists facts.
--   $1                kind
--   $2                environment
--   $3
--   $4
--   $5
explain (generic_plan)
select at, key, value, times from fact
where kind = $1 and environment = $2 and (at, key) > ($4, $5)
order by at, key limit $3;

-- Lists the environments with facts.
--   $1                kind
explain (generic_plan)
with recursive found(environment) as (
  (select environment from fact where kind = $1 order by environment limit 1)
  union all
  select next.environment from found f
  cross join lateral (
    select environment from fact where kind = $1 and environment > f.environment order by environment limit 1
  ) next
)
select environment from found;
