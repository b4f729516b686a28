/**
 * `attempt` is the fence, how often a job was claimed; how often its work failed is a number of its own. A webhook that
 * waits goes on with its next try: one that is due within a minute may be a try that is being made.
 */
export const jobFailures: ReadonlyArray<string> = [
  `alter table job add column failures int not null default 0, add column gate text collate "C" not null default ''`,
  `update job set failures = case when run_at > now() + interval '1 minute' then attempt else greatest(attempt - 1, 0) end
    where kind = 'webhook' and attempt > 0 and dead_at is null`
]
