/**
 * Conversations. What lists go by are columns, all else of a row is its state. An owner or a team of 0 is none, and a
 * lead without messages was active `-infinity`: so each list walks one part of one index, in its order.
 *
 * On an empty table all indexes are equal to Postgres, and its plans stay. So most indexes say what only those ask who mean
 * them: that an id or a team is above 0, an owner not below, neither of both 0, a number known. Others do not begin with
 * the environment.
 *
 * A list of both open and closed leads merges two walks, so that no list needs an index of its own for that. A lead
 * whose time moves writes into all of its indexes; those of keys that stay clean themselves up as they go.
 *
 * What none may share is checked at the end of a statement: a number may pass from one lead to another in one commit,
 * and the team that takes new leads may be another.
 */
export const inbox: ReadonlyArray<string> = [
  `create table lead (
    environment text collate "C" not null,
    id int not null,
    version int not null,
    contact text collate "C" not null,
    phone text collate "C",
    phone_end text collate "C" generated always as (reverse(phone)) stored,
    user_id text collate "C",
    owner int not null,
    team int not null,
    owned boolean not null generated always as (owner <> 0) stored,
    open boolean not null,
    active_at timestamptz not null,
    words text not null,
    state text not null,
    primary key (environment, id),
    constraint lead_contact unique (contact, environment) deferrable initially immediate,
    constraint lead_user unique (user_id, environment) deferrable initially immediate,
    constraint lead_phone exclude using btree (environment with =, phone_end with =)
      where (phone_end is not null) deferrable initially immediate
  ) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05)`,
  "create index lead_list on lead (environment, open, active_at, id) where id > 0",
  "create index lead_of_owner on lead (environment, owner, open, active_at, id) where owner >= 0",
  "create index lead_of_both on lead (environment, owner, team, open, active_at, id) where owner <> 0 and team <> 0",
  "create index lead_of_team on lead (environment, team, owned, open, active_at, id) where team > 0",
  // Each has all words of its lead beside it: whoever searches for several reads nothing but the index of one.
  `create table lead_word (
    environment text collate "C" not null,
    word text collate "C" not null,
    lead_id int not null,
    words text not null,
    primary key (environment, word, lead_id) include (words)
  )`,

  `create table lead_message (
    environment text collate "C" not null,
    id text collate "C" not null,
    version int not null,
    lead_id int,
    kind text collate "C" not null,
    at timestamptz not null,
    provider_id text collate "C",
    about text collate "C",
    state text not null,
    primary key (environment, id)
  ) with (fillfactor = 95)`,
  "create unique index lead_message_once on lead_message (environment, provider_id) where provider_id is not null",
  "create index lead_message_talk on lead_message (environment, lead_id, at, id) where kind = 'MESSAGE'",
  "create index lead_message_amends on lead_message (environment, about) where about is not null",

  `create table lead_entry (
    environment text collate "C" not null,
    lead_id int not null,
    number int not null,
    state text not null,
    primary key (environment, lead_id, number)
  )`,

  `create table agent (
    merchant_id text collate "C" not null,
    id int not null,
    version int not null,
    canonical text collate "C" not null,
    active boolean not null,
    removed boolean not null,
    state text not null,
    primary key (merchant_id, id),
    exclude using btree (merchant_id with =, canonical with =) where (not removed) deferrable initially immediate
  ) with (fillfactor = 85)`,
  `create table team (
    merchant_id text collate "C" not null,
    id int not null,
    version int not null,
    canonical text collate "C" not null,
    takes_new boolean not null,
    removed boolean not null,
    state text not null,
    primary key (merchant_id, id),
    exclude using btree (merchant_id with =, canonical with =) where (not removed) deferrable initially immediate,
    exclude using btree (merchant_id with =) where (takes_new and not removed) deferrable initially immediate
  ) with (fillfactor = 85)`,

  // Whoever counts writes the same row again and again: it stays on its page.
  `create table counter (
    scope text collate "C" not null,
    name text collate "C" not null,
    value bigint not null,
    primary key (scope, name)
  ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500)`,

  `create table connected_number (
    id text collate "C" primary key,
    environment text collate "C" not null,
    version int not null,
    connected_at timestamptz not null,
    state text not null
  ) with (fillfactor = 85)`,
  "create index connected_number_of_environment on connected_number (environment)",

  `create table saved_reply (
    environment text collate "C" not null,
    id text collate "C" not null,
    canonical text collate "C" not null,
    state text not null,
    primary key (environment, id),
    unique (environment, canonical)
  )`
]
