-- The statements of "job.claim", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f job.claim.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Claims due jobs without a gate.
--   $1                run_at
--   $2  text[]        kind
--   $3  timestamptz[] until
--   $4
explain (generic_plan)
with due as (
  select j.ctid as place, j.run_at, (select k.until from unnest($2::text[], $3::timestamptz[]) as k(kind, until) where k.kind = j.kind) as until from job j
  where dead_at is null and gate = '' and run_at <= $1 and kind = any($2)
  order by run_at limit $4 for update skip locked
), claimed as (
  update job j set run_at = due.until, attempt = j.attempt + 1, owner = nullif(current_setting('countersign.process', true), '')::bigint from due where j.ctid = due.place
  returning j.key, j.environment, j.kind, j.payload, due.run_at, j.attempt, j.failures, j.gate, j.lane
)
select key, environment, kind, payload, run_at, attempt, failures, gate, lane from claimed order by run_at, key;

-- Claims due jobs of gates, fairly between environments.
--   $1                run_at
--   $2  text[]        kind
--   $3  timestamptz[] until
--   $4  jsonb
explain (generic_plan)
with recursive asked as materialized (
  select * from jsonb_to_recordset($4::jsonb)
    as g(gate text, "limit" int, free int, share float8, room int, held jsonb, rooms jsonb)
), oldest as materialized (
  select g.gate, d.environment, d.lane, d.kind, d.run_at from asked g
  cross join lateral (
    select environment, lane, kind, run_at from job
    where dead_at is null and gate = g.gate and run_at <= $1
    order by run_at limit 500
  ) d
), busy as materialized (
  select gate from oldest group by gate having count(*) = 500
), walked(gate, environment, lane, run_at) as (
  select b.gate, f.environment, f.lane, f.run_at from busy b
  cross join lateral (
    select environment, lane, run_at from job
    where dead_at is null and gate <> '' and gate = b.gate and kind = any($2)
    order by environment, lane, run_at limit 1
  ) f
  union all
  select f.gate, next.environment, next.lane, next.run_at from walked f
  cross join lateral (
    select environment, lane, run_at from job
    where dead_at is null and gate <> '' and gate = f.gate and (environment, lane) > (f.environment, f.lane)
      and kind = any($2)
    order by environment, lane, run_at limit 1
  ) next
), first as (
  select gate, environment, lane, run_at from walked where run_at <= $1
  union all
  select gate, environment, lane, min(run_at) from oldest
  where kind = any($2) and (gate in (select gate from busy)) is not true
  group by gate, environment, lane
), due_lane as (
  select f.gate, f.environment, f.lane, f.run_at, g."limit", g.free, g.share,
    least(coalesce((g.rooms ->> f.lane)::int, g.room), g."limit") as room,
    coalesce((g.held ->> f.environment)::int, 0) as held
  from first f join asked g on g.gate = f.gate
), open as materialized (
  select * from (
    select l.*, row_number() over (partition by gate order by level, run_at) as n from (
      select l.*, held + row_number() over (partition by gate, environment order by run_at) as level
      from due_lane l where room > 0
    ) l where share is null or level - 1 < share * free
  ) l where n <= "limit"
), candidate as materialized (
  select o.gate, o.environment, o.lane, o.room, o.held, o."limit", o.free, o.share, c.place, c.run_at from open o
  cross join lateral (
    select ctid as place, run_at from job
    where dead_at is null and gate <> '' and gate = o.gate and (environment, lane) >= (o.environment, o.lane)
      and (environment, lane, run_at) <= (o.environment, o.lane, $1) and kind = any($2)
    order by environment, lane, run_at limit o.room
  ) c
), chosen as materialized (
  select place from (
    select c.*, row_number() over (partition by gate order by level, run_at) as n from (
      select c.*, row_number() over (partition by gate, lane order by level, run_at) as of_lane from (
        select c.*, held + row_number() over (partition by gate, environment order by run_at) as level from candidate c
      ) c
    ) c where of_lane <= room
  ) c where n <= "limit" and (share is null or level - 1 < share * (free - (n - 1)))
), due as materialized (
  select j.ctid as place, j.run_at, (select k.until from unnest($2::text[], $3::timestamptz[]) as k(kind, until) where k.kind = j.kind) as until from job j
  where j.ctid = any(array(select place from chosen)) and j.dead_at is null and j.run_at <= $1
  for update skip locked
), claimed as (
  update job j set run_at = due.until, attempt = j.attempt + 1, owner = nullif(current_setting('countersign.process', true), '')::bigint from due where j.ctid = due.place
  returning j.key, j.environment, j.kind, j.payload, due.run_at, j.attempt, j.failures, j.gate, j.lane
)
select key, environment, kind, payload, run_at, attempt, failures, gate, lane from claimed
union all
select null, null, null, null, least(
  (select min(n.run_at) from asked g cross join lateral (
    select run_at from job
    where dead_at is null and gate = g.gate and run_at > $1 and kind = any($2) order by run_at limit 1
  ) n),
  case when (select count(*) from chosen) > (select count(*) from due) then $1 end
), null, null, null, null
order by run_at, key;
