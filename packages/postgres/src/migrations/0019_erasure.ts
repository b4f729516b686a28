/**
 * What people want erased. A device is found by its person, and what was done to a conversation by its lead, or by having
 * none: nobody looked for those before. The indexes are over few rows: devices that a code has trusted, and amendments.
 */
export const erasure: ReadonlyArray<string> = [
  `create table if not exists erasure (
    environment text collate "C" not null,
    id text collate "C" not null,
    version int not null,
    person text collate "C" not null,
    state text not null,
    primary key (environment, id)
  ) with (fillfactor = 70)`,
  "drop index concurrently if exists device_of_person",
  "create index concurrently device_of_person on device (environment, canonical)",
  "drop index concurrently if exists lead_message_amending",
  "create index concurrently lead_message_amending on lead_message (environment, coalesce(lead_id, 0), id) where kind <> 'MESSAGE'"
]
