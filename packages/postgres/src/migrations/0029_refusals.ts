/** Initiates that were refused, as many as are kept: read newest first, all or those of one reason, and never changed. */
export const refusals: ReadonlyArray<string> = [
  `create table refusal (
    environment text collate "C" not null,
    id text collate "C" not null,
    at timestamptz not null,
    reason text collate "C" not null,
    entry text not null,
    primary key (environment, id)
  )`,
  "create index refusal_of_reason on refusal (reason, environment, id)",
  "create index refusal_age on refusal using brin (at) with (autosummarize = on)"
]
