/** Whose a device is. The trust itself is part of the person's state. */
export const devices: ReadonlyArray<string> = [
  `create table device (
    environment text collate "C" not null,
    id text collate "C" not null,
    canonical text collate "C" not null,
    trusted_at timestamptz not null,
    primary key (environment, id)
  ) with (fillfactor = 85)`,
  `create index device_age on device using brin (trusted_at) with (autosummarize = on)`
]
