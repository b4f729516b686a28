/**
 * Campaigns, and a row for each person that one is for. A recipient changes four or five times: what changes with every
 * receipt is in no index, so most of that rewrites the row in its page.
 *
 * `open` is 1 for those who were never handed over, 2 for those of whom nobody knows what became of it, and null once it
 * is known. `finished_at` is empty again when the campaign has its final counts.
 *
 * On an empty table all indexes are equal to Postgres, and its plans stay. So the one by person is asked by those who say
 * that there is a number, which there always is.
 */
export const campaigns: ReadonlyArray<string> = [
  `create table campaign (
    environment text collate "C" not null,
    id text collate "C" not null,
    version int not null,
    text_id text collate "C" not null,
    text_version int not null,
    command text collate "C",
    counted boolean not null,
    finished_at timestamptz,
    state text not null,
    primary key (environment, id)
  ) with (fillfactor = 50)`,
  "create unique index campaign_once on campaign (environment, command) where command is not null",
  "create index campaign_finished on campaign (finished_at) where finished_at > '-infinity'",
  `create table recipient (
    environment text collate "C" not null,
    campaign_id text collate "C" not null,
    number int not null,
    version int not null,
    phone text collate "C" not null,
    open int,
    handed_at timestamptz,
    status text collate "C" not null,
    provider_id text collate "C",
    state text not null,
    primary key (environment, campaign_id, number)
  ) with (fillfactor = 70)`,
  "create index recipient_open on recipient (environment, campaign_id, open, number) where open > 0",
  "create index recipient_of_person on recipient (environment, phone, campaign_id, number) where phone > ''",
  "create index recipient_at_provider on recipient (environment, provider_id) where provider_id is not null"
]
