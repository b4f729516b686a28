/**
 * Who holds what is leased, so that the leases of a process that died end at once. Each session names its process in
 * the setting `countersign.process`, which a new row takes over by default; taking a lease writes it, and giving a job
 * back clears it. No index: what is held was leased within the last minute, and that is indexed.
 */
export const owners: ReadonlyArray<string> = [
  "alter table job add column owner bigint",
  "alter table job alter column owner set default nullif(current_setting('countersign.process', true), '')::bigint",
  "alter table idempotency add column owner bigint",
  "alter table idempotency alter column owner set default nullif(current_setting('countersign.process', true), '')::bigint",
  // Processes that run, and those whose end nobody has seen to yet.
  "create table process (number bigint primary key, began_at timestamptz not null default now())"
]
