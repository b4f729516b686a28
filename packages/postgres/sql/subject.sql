-- The statements of "subject", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f subject.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Loads an identity of a sign-in provider.
--   $1                issuer
--   $2                subject
explain (generic_plan)
select k.issuer, k.subject, k.version, k.canonical, k.known_since, k.state from known_subject k where issuer = $1 and subject = $2;

-- Lists the identities with an address.
--   $1                canonical
explain (generic_plan)
select k.issuer, k.subject, k.version, k.canonical, k.known_since, k.state from known_subject_address a cross join lateral (
  select * from known_subject where issuer = a.issuer and subject = a.subject offset 0
) k where a.canonical = $1;

-- Saves an identity of a sign-in provider.
--   $1                issuer
--   $2                subject
--   $3                version
--   $4                canonical
--   $5
--   $6  jsonb         state
--   $7  int[]         n
--   $8  text[]        merchant_id
--   $9  text[]        id
--   $10 text[]        environment
--   $11 timestamptz[] at
--   $12 text[]        action
--   $13 text[]        actor_id
--   $14 text[]        target_id
--   $15 text[]        entry
explain (generic_plan)
with known as (
  update known_subject set version = $3 + 1, canonical = $4, state = $6
  where issuer = $1 and subject = $2 and version = $3 and $3 > 0
  returning version
), fresh as (
  insert into known_subject (issuer, subject, version, canonical, known_since, state)
  select $1, $2, 1, $4, $5, $6 where $3 = 0
  on conflict (issuer, subject) do nothing
  returning version
), ok as materialized (
  select 1 as n, version from known union all select 1, version from fresh
), address as (
  select jsonb_array_elements_text($6::jsonb -> 'addresses') as canonical from ok
), named as (
  insert into known_subject_address (canonical, issuer, subject) select canonical, $1, $2 from address
  on conflict do nothing
), unnamed as (
  delete from known_subject_address
  where issuer = $1 and subject = $2 and exists (select 1 from ok) and canonical not in (select canonical from address)
), audited as (
  insert into audit (merchant_id, id, environment, at, action, actor_id, target_id, entry)
  select merchant_id, id, environment, at, action, actor_id, target_id, entry
  from unnest($7::int[], $8::text[], $9::text[], $10::text[], $11::timestamptz[], $12::text[], $13::text[], $14::text[], $15::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
)
select version from ok;
