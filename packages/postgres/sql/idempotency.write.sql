-- The statements of "idempotency.write", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f idempotency.write.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Takes keys, or reads their records.
--   $1  text[]        environment
--   $2  text[]        endpoint
--   $3  text[]        key
--   $4  text[]        fingerprint
--   $5  text[]        holder
--   $6  timestamptz[] leased_until
--   $7  timestamptz[] created_at
--   $8
explain (generic_plan)
with request as materialized (
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[])
    with ordinality as r(environment, endpoint, key, fingerprint, holder, leased_until, created_at, n)
), taken as materialized (
  insert into idempotency as i (environment, endpoint, key, fingerprint, holder, leased_until, created_at)
  select environment, endpoint, key, fingerprint, holder, leased_until, created_at from request order by n
  on conflict (environment, endpoint, key) do update
    set fingerprint = excluded.fingerprint, holder = excluded.holder, leased_until = excluded.leased_until, owner = excluded.owner,
      created_at = case when i.created_at < excluded.created_at - $8 * interval '1 millisecond'
        then excluded.created_at else i.created_at end,
      status = null, body = null
    where i.created_at < excluded.created_at - $8 * interval '1 millisecond'
      or (i.status is null and i.leased_until <= excluded.created_at and i.fingerprint = excluded.fingerprint)
  returning environment, endpoint, key, (extract(epoch from created_at) * 1000)::float8 as first_at, xmax <> 0 as repeats
)
select r.n::int, null, null, null, t.first_at, t.repeats from request r join taken t using (environment, endpoint, key)
union all
select r.n::int, x.fingerprint, x.status, x.body, null, null from request r
cross join lateral (
  select fingerprint, status, body from idempotency
  where environment = r.environment and endpoint = r.endpoint and key = r.key offset 0
) x
where ((r.environment, r.endpoint, r.key) in (select environment, endpoint, key from taken)) is not true;

-- Stores responses.
--   $1  text[]        environment
--   $2  text[]        endpoint
--   $3  text[]        key
--   $4  text[]        holder
--   $5  int[]         status
--   $6  text[]        body
explain (generic_plan)
update idempotency i set status = f.status, body = f.body
from (
  select a.status, a.body, t.place, t.held_by
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[])
    as a(environment, endpoint, key, holder, status, body)
  cross join lateral (
    select ctid as place, holder as held_by from idempotency
    where environment = a.environment and endpoint = a.endpoint and key = a.key and holder = a.holder offset 0
  ) t
) f
where i.ctid = f.place and i.holder = f.held_by and i.status is null;
