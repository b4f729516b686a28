-- The statements of "opt-out", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f opt-out.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Reads the opt-outs of numbers.
--   $1                environment
--   $2  text[]        name
explain (generic_plan)
select o.environment, o.phone, o.is_out, o.by, o.at from unnest($2::text[]) as w(name)
cross join lateral (select * from opt_out where environment = $1 and phone = w.name offset 0) o;

-- Lists opt-outs.
--   $1                environment
--   $2                phone
--   $3
explain (generic_plan)
select o.environment, o.phone, o.is_out, o.by, o.at from opt_out o where environment = $1 and is_out and phone > $2 order by phone limit $3;

-- Saves an opt-out.
--   $1                environment
--   $2  text
--   $3
--   $4
--   $5
--   $6  text[]        phone
--   $7  timestamptz[] at
--   $8  int[]         n
--   $9  text[]        environment
--   $10 text[]        id
--   $11 text[]        type
--   $12 timestamptz[] created_at
--   $13 text[]        data
explain (generic_plan)
with written as (
  insert into opt_out (environment, phone, is_out, by, at) select $1, $2::text, $3, $4, $5 where $2::text is not null
  on conflict (environment, phone) do update set is_out = excluded.is_out, by = excluded.by, at = excluded.at
    where excluded.at > opt_out.at or (excluded.at = opt_out.at and excluded.is_out and not opt_out.is_out)
  returning 1
), gone as (
  delete from opt_out o using (
    select t.place, t.stood from unnest($6::text[], $7::timestamptz[]) as g(phone, at)
    cross join lateral (
      select ctid as place, at as stood from opt_out
      where environment = $1 and phone = g.phone and at <= g.at offset 0
    ) t
  ) d
  where o.ctid = d.place and o.at = d.stood
  returning 1
), ok as materialized (
  select 1 as n where exists (select 1 from written) or exists (select 1 from gone)
), recorded as (
  insert into event (environment, id, type, created_at, data)
  select environment, id, type, created_at, data
  from unnest($8::int[], $9::text[], $10::text[], $11::text[], $12::timestamptz[], $13::text[])
    as g(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true
)
select n from ok;
