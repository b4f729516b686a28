/** What changes leave to be counted or charged: appended, read in this order, and deleted when it is folded. */
export const facts: ReadonlyArray<string> = [
  `create table fact (
    kind text collate "C" not null,
    environment text collate "C" not null,
    at timestamptz not null,
    key text collate "C" not null,
    value text not null,
    primary key (kind, environment, at, key)
  ) with (
    autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0
  )`
]
