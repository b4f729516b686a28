/**
 * Merchants' texts. A template is chosen by what its head says; its words are in a row for each version, which is never
 * changed and stays for two days after it is not the newest any more. A removed template has no slot, and so takes no
 * name from anybody.
 *
 * On an empty table all indexes are equal to Postgres, and its plans stay. So the one by age says what only those ask who
 * mean it: that a time is later than none.
 */
export const templates: ReadonlyArray<string> = [
  `create table template (
    environment text collate "C" not null,
    id text collate "C" not null,
    revision int not null,
    version int not null,
    slot text collate "C",
    whatsapp text collate "C",
    removed_at timestamptz,
    head text not null,
    primary key (environment, id)
  ) with (fillfactor = 85)`,
  "create unique index template_slot on template (environment, slot) where slot is not null",
  "create index template_at_whatsapp on template (whatsapp) where whatsapp is not null",
  `create table template_content (
    environment text collate "C" not null,
    id text collate "C" not null,
    version int not null,
    retired_at timestamptz,
    content text not null,
    primary key (environment, id, version)
  )`,
  "create index template_content_retired on template_content (retired_at) where retired_at > '-infinity'",
  "create index template_removed on template (removed_at) where removed_at > '-infinity'",
  `create table sender_id (
    environment text collate "C" not null,
    header text collate "C" not null,
    created_at timestamptz not null,
    primary key (environment, header)
  )`
]
