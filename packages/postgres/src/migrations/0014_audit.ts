/**
 * Who did what: written with the change it tells of, read newest first, and never changed. It is found by what was done
 * to, or by who did it; everything else of a list is looked at row by row, of which a merchant has few.
 */
export const audit: ReadonlyArray<string> = [
  `create table audit (
    merchant_id text collate "C" not null,
    id text collate "C" not null,
    environment text collate "C",
    at timestamptz not null,
    action text collate "C" not null,
    actor_id text collate "C",
    target_id text collate "C" not null,
    entry text not null,
    primary key (merchant_id, id)
  )`,
  "create index audit_of_target on audit (merchant_id, target_id, id)",
  "create index audit_of_actor on audit (merchant_id, actor_id, id) where actor_id is not null",
  "create index audit_age on audit using brin (at) with (autosummarize = on)"
]
