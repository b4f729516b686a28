-- The statements of "refusal", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f refusal.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Records refused requests.
--   $1  text[]
--   $2  text[]
--   $3  timestamptz[]
--   $4  text[]
--   $5  text[]
--   $6  text[]
explain (generic_plan)
with ok as materialized (
  select 1 as n
), refused as (
  insert into refusal (environment, id, at, reason, person, entry)
  select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[])
  on conflict (environment, id) do nothing
)
select n from ok;

-- Lists refused requests.
--   $1                environment
--   $2                id
--   $3                id
--   $4
explain (generic_plan)
select r.environment, r.id, r.person, r.entry from refusal r
where environment = $1 and id < $2 and id >= $3
order by id desc limit $4;

-- Lists refused requests of a reason.
--   $1
--   $2
--   $3
--   $4
--   $5
explain (generic_plan)
select r.environment, r.id, r.person, r.entry from refusal r
where (reason, environment, id) < ($5, $1, $2) and (reason, environment, id) >= ($5, $1, $3)
order by reason desc, environment desc, id desc limit $4;

-- Lists the refused requests of a person.
--   $1                environment
--   $2                id
--   $3                id
--   $4
--   $5  text[]
--   $6  text          reason
explain (generic_plan)
select r.environment, r.id, r.person, r.entry
from unnest($5::text[]) p(reference)
cross join lateral (
  select * from refusal
  where person = p.reference and person > '' and environment = $1 and id < $2 and id >= $3
    and ($6::text is null or reason = $6)
  order by person desc, environment desc, id desc limit $4
) r
order by r.id desc limit $4;

-- Removes a person's references from refused requests.
--   $1                environment
--   $2  text[]        person
explain (generic_plan)
update refusal set person = null
where person = any($2::text[]) and person > '' and environment = $1;
