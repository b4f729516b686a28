-- The statements of "job.end", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f job.end.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Completes claimed jobs.
--   $1  text[]        key
--   $2  int[]         attempt
explain (generic_plan)
delete from job j using (
  select l.n, t.place, t.attempt
  from unnest($1::text[], $2::int[]) with ordinality as l(key, attempt, n)
  cross join lateral (select ctid as place, attempt from job where key = l.key and attempt = l.attempt offset 0) t
) l
where j.ctid = l.place and j.attempt = l.attempt and (j.dead_at is null) is true
returning l.n::int;

-- Releases claimed jobs, or buries them.
--   $1  text[]        key
--   $2  int[]         attempt
--   $3  timestamptz[] run_at
--   $4  text[]        reason
--   $5  text[]        payload
--   $6  int[]         failures
--   $7  text[]        gate
--   $8  text[]        lane
--   $9  timestamptz[] dead_at
explain (generic_plan)
update job j set run_at = coalesce(l.run_at, j.run_at), last_error = l.reason, payload = coalesce(l.payload, j.payload),
  failures = coalesce(l.failures, j.failures), gate = coalesce(l.gate, j.gate),
  lane = case when l.gate is null then j.lane else l.lane end, dead_at = l.dead_at, owner = null
from (
  select l.*, t.place, t.attempt as found
  from unnest($1::text[], $2::int[], $3::timestamptz[], $4::text[], $5::text[], $6::int[], $7::text[], $8::text[], $9::timestamptz[]) with ordinality
    as l(key, attempt, run_at, reason, payload, failures, gate, lane, dead_at, n)
  cross join lateral (select ctid as place, attempt from job where key = l.key and attempt = l.attempt offset 0) t
) l
where j.ctid = l.place and j.attempt = l.found and (j.dead_at is null) is true
returning l.n::int;

-- Cancels jobs by key.
--   $1  text[]        key
explain (generic_plan)
delete from job j using (
  select l.n, t.place, l.key
  from unnest($1::text[]) with ordinality as l(key, n)
  cross join lateral (select ctid as place from job where key = l.key offset 0) t
) l
where j.ctid = l.place and j.key = l.key and (j.dead_at is null) is true
returning l.n::int;
