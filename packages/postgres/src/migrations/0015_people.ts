/**
 * How people sign in. A session is found by the hash of its token, and then read with its agent, whose era says whether
 * it still is one. Its last use moves every few minutes, and is in no index.
 *
 * An agent has one row of `sign_in_link`: a new link takes the place of the one before.
 */
export const people: ReadonlyArray<string> = [
  `create table session (
    merchant_id text collate "C" not null,
    id text collate "C" not null,
    version int not null,
    agent_id int not null,
    hash text collate "C" not null unique,
    signed_in_at timestamptz not null,
    last_used_at timestamptz not null,
    ended_at timestamptz,
    state text not null,
    primary key (merchant_id, id)
  ) with (fillfactor = 80)`,
  "create index session_of_agent on session (merchant_id, agent_id, id)",

  `create table sign_in_link (
    merchant_id text collate "C" not null,
    id int not null,
    version int not null,
    hash text collate "C" not null unique,
    expires_at timestamptz not null,
    state text not null,
    primary key (merchant_id, id)
  ) with (fillfactor = 80)`,

  "create index agent_of_address on agent (canonical, merchant_id) where not removed"
]
