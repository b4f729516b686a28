/** Jobs for one receiver are in its lane, with an index of their own: however many wait there, no other is held up. */
export const webhooks: ReadonlyArray<string> = [
  `alter table job add column lane text collate "C"`,
  `drop index job_due`,
  `create index job_due on job (run_at) where dead_at is null and lane is null`,
  `create index job_of_lane on job (lane, run_at) where dead_at is null and lane is not null`,

  `create table webhook (
    environment text collate "C" not null,
    id text collate "C" not null,
    version int not null,
    url text collate "C" not null,
    state text not null,
    primary key (environment, id),
    unique (environment, url)
  ) with (fillfactor = 85)`,

  `create table webhook_attempt (
    environment text collate "C" not null,
    id text collate "C" not null,
    webhook_id text collate "C" not null,
    event_id text collate "C" not null,
    event_type text not null,
    attempt int not null,
    status text not null,
    url text not null,
    created_at timestamptz not null,
    duration_ms int not null,
    response_status int,
    response_body text,
    error text,
    next_attempt_at timestamptz,
    primary key (environment, id)
  ) partition by range (id)`,
  // Without the environment, so that nobody looks for one row in what an environment has: an endpoint has but one.
  `create index webhook_attempt_log on webhook_attempt (webhook_id, id)`,
  `create index webhook_attempt_event on webhook_attempt (webhook_id, event_id)`,
  `create index webhook_attempt_bad on webhook_attempt (webhook_id, status, id) where status <> 'DELIVERED'`,
  `create table webhook_attempt_default partition of webhook_attempt default`
]
