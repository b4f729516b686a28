/**
 * `attempt` is the fence, how often a job was claimed; how often its work failed is a number of its own. A webhook that
 * waits goes on with its next try: one that is due within a minute may be a try that is being made.
 *
 * Jobs that pass a gate have an index of their own, in which environments and lanes are found by skipping from one to
 * the next. What an older version left or still adds passes none, and is found with all others that do not.
 */
export const jobFailures: ReadonlyArray<string> = [
  `alter table job
    add column if not exists failures int not null default 0,
    add column if not exists gate text collate "C" not null default ''`,
  `update job set failures = case when run_at > now() + interval '1 minute' then attempt else greatest(attempt - 1, 0) end
    where kind = 'webhook' and attempt > 0 and failures = 0 and dead_at is null`,
  `update job set gate = 'webhook' where kind = 'webhook' and gate = '' and lane is not null and dead_at is null`,
  `drop index concurrently if exists job_of_gate`,
  `create index concurrently job_of_gate on job (gate, environment, lane, run_at) where dead_at is null and gate <> ''`,
  `drop index concurrently if exists job_passing`,
  `create index concurrently job_passing on job (run_at) where dead_at is null and gate = ''`,
  `drop index concurrently if exists job_of_lane`,
  `drop index concurrently if exists job_due`
]
