-- The statements of "presence", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f presence.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Lists the agents who have a lead open.
--   $1                environment
--   $2                lead_id
explain (generic_plan)
select p.environment, p.lead_id, p.agent_id, p.email, p.typing, p.since, p.seen_at from lead_presence p
where environment = $1 and lead_id = $2 order by agent_id;

-- Lists the agents who have a lead of an environment open.
--   $1                environment
--   $2                seen_at
explain (generic_plan)
select p.environment, p.lead_id, p.agent_id, p.email, p.typing, p.since, p.seen_at from lead_presence p
where environment = $1 and seen_at >= $2 order by lead_id, agent_id;

-- Records that an agent has a lead open.
--   $1
--   $2
--   $3
--   $4
--   $5
--   $6
--   $7
explain (generic_plan)
insert into lead_presence (environment, lead_id, agent_id, email, typing, since, seen_at)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (environment, lead_id, agent_id) do update
set email = excluded.email, typing = excluded.typing, since = excluded.since, seen_at = excluded.seen_at;
