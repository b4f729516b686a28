/** By which master secrets this database was written. `place` counts from 1, so that of two who add at once one loses. */
export const secretFingerprint: ReadonlyArray<string> = [
  `create table secret_fingerprint (
    place int primary key,
    fingerprint text collate "C" not null unique,
    added_at timestamptz not null default now()
  )`
]
