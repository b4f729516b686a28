/** What was counted of the last hour. `saved_in` is the hour alone: see `PgWindowStore`. */
export const windows: ReadonlyArray<string> = [
  `create table rate_window (
    environment text collate "C" not null,
    key text collate "C" not null,
    version int not null,
    state text not null,
    saved_in timestamptz not null,
    primary key (environment, key)
  ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`,
  `create index rate_window_age on rate_window (saved_in)`
]
