/**
 * Jobs of each gate, and those that pass none, in the order in which they fall due. It takes the place of an index of
 * those that pass none alone: processes of the version before find theirs by this one.
 */
export const dueJobs: ReadonlyArray<string> = [
  "drop index concurrently if exists job_due",
  "create index concurrently job_due on job (gate, run_at) where dead_at is null",
  "drop index concurrently if exists job_passing"
]
