-- The statements of "webhook.read", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f webhook.read.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Lists the endpoints of environments.
--   $1  text[]        environment
explain (generic_plan)
select i.n::int, w.* from unnest($1::text[]) with ordinality as i(environment, n)
cross join lateral (
  select webhook.environment, webhook.id, webhook.version, webhook.url, webhook.state from webhook where environment = i.environment order by id offset 0
) w;

-- Loads attempts.
--   $1  text[]        environment
--   $2  text[]        id
explain (generic_plan)
select i.n::int, a.* from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select webhook_attempt.environment, webhook_attempt.id, webhook_attempt.webhook_id, webhook_attempt.event_id, webhook_attempt.event_type, webhook_attempt.attempt, webhook_attempt.status, webhook_attempt.url, webhook_attempt.created_at, webhook_attempt.duration_ms, webhook_attempt.response_status, webhook_attempt.response_body, webhook_attempt.error, webhook_attempt.next_attempt_at from webhook_attempt where environment = i.environment and id = i.id offset 0
) a;

-- Lists the attempts of an endpoint.
--   $1                environment
--   $2                webhook_id
--   $3
--   $4                id
explain (generic_plan)
select a.environment, a.id, a.webhook_id, a.event_id, a.event_type, a.attempt, a.status, a.url, a.created_at, a.duration_ms, a.response_status, a.response_body, a.error, a.next_attempt_at from webhook_attempt a
where webhook_id = $2 and (environment = $1) is true and status = 'FAILED' and id < $4
order by id desc limit $3;

-- Lists tried events with their attempts.
--   $1                environment
--   $2                webhook_id
--   $3
--   $4                event_id
explain (generic_plan)
select a.* from (
  select distinct event_id from webhook_attempt
  where webhook_id = $2 and (environment = $1) is true and event_id < $4
  order by event_id desc limit $3
) e cross join lateral (
  select webhook_attempt.environment, webhook_attempt.id, webhook_attempt.webhook_id, webhook_attempt.event_id, webhook_attempt.event_type, webhook_attempt.attempt, webhook_attempt.status, webhook_attempt.url, webhook_attempt.created_at, webhook_attempt.duration_ms, webhook_attempt.response_status, webhook_attempt.response_body, webhook_attempt.error, webhook_attempt.next_attempt_at from webhook_attempt
  where webhook_id = $2 and event_id = e.event_id and (environment = $1) is true
  order by (status = 'DELIVERED') desc, id desc limit 20
) a;

-- Lists missed events with their attempts.
--   $1                environment
--   $2                webhook_id
--   $3
--   $4                event_id
explain (generic_plan)
select a.* from (
  select distinct event_id from webhook_attempt
  where webhook_id = $2 and (environment = $1) is true and status <> 'DELIVERED' and event_id < $4
  order by event_id desc limit $3
) e cross join lateral (
  select webhook_attempt.environment, webhook_attempt.id, webhook_attempt.webhook_id, webhook_attempt.event_id, webhook_attempt.event_type, webhook_attempt.attempt, webhook_attempt.status, webhook_attempt.url, webhook_attempt.created_at, webhook_attempt.duration_ms, webhook_attempt.response_status, webhook_attempt.response_body, webhook_attempt.error, webhook_attempt.next_attempt_at from webhook_attempt
  where webhook_id = $2 and event_id = e.event_id and (environment = $1) is true
  order by (status = 'DELIVERED') desc, id desc limit 20
) a;

-- Lists the attempts of events.
--   $1                environment
--   $2  text[]        webhook_id
--   $3  text[]        event_id
explain (generic_plan)
select a.* from unnest($2::text[]) as w(webhook_id) cross join unnest($3::text[]) as e(event_id)
cross join lateral (
  select webhook_attempt.environment, webhook_attempt.id, webhook_attempt.webhook_id, webhook_attempt.event_id, webhook_attempt.event_type, webhook_attempt.attempt, webhook_attempt.status, webhook_attempt.url, webhook_attempt.created_at, webhook_attempt.duration_ms, webhook_attempt.response_status, webhook_attempt.response_body, webhook_attempt.error, webhook_attempt.next_attempt_at from webhook_attempt
  where webhook_id = w.webhook_id and event_id = e.event_id and (environment = $1) is true offset 0
) a
limit 1000;
