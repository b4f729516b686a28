/**
 * Every table of the first release. These rules hold for all of them:
 *
 * - Keys compare byte by byte (`collate "C"`): identifiers then sort by time, and comparing is cheap.
 * - Aggregates are text, not jsonb: only this service reads them.
 * - Frequently changing columns are in no index, so Postgres updates the row in place; `fillfactor` leaves room for it.
 * - Postgres plans for an empty table as if all indexes were equal, and sessions keep those plans. So an index states a
 *   condition that only its own queries ask for (`id > 0`, `at > '-infinity'`), even if every row meets it.
 */

/** Many commits update the same row, so dead versions must be vacuumed soon. */
const hot = "fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500"

/** Facts about the database itself. */
const deployment = [
  // For example which merchant was created first.
  `create table deployment (
    name text collate "C" primary key,
    value text not null,
    changed_at timestamptz not null default now()
  )`,
  // Uncompressed, because the trial write needs to occupy its full size on disk.
  "alter table deployment alter column value set storage external",

  // The master secrets that wrote this database. `place` counts from 1, so of two concurrent inserts one fails.
  `create table secret_fingerprint (
    place int primary key,
    fingerprint text collate "C" not null unique,
    added_at timestamptz not null default now()
  )`,

  // The time that processes have observed, in one row: see `ClockRecord` in core.
  `create table storage_clock (
    id int primary key check (id = 1),
    version int not null,
    state text not null
  ) with (fillfactor = 10)`,

  // Running processes, and ended processes whose leases are not released yet.
  "create table process (number bigint primary key, began_at timestamptz not null default now())"
]

/**
 * A session names its process in the setting `countersign.process`, which new rows take by default. So the leases of a
 * dead process can be ended immediately. No index on the owner: a lease lasts a minute at most, and its time is
 * indexed.
 */
const owner = "owner bigint default nullif(current_setting('countersign.process', true), '')::bigint"

/** `replaced` is a JSON array of `{hash, until}`, newest first, read and written with its key. */
const merchants = [
  `create table merchant (
    id text collate "C" primary key,
    name text not null,
    status text not null,
    created_at timestamptz not null
  )`,
  `create table environment (
    id text collate "C" primary key,
    merchant_id text collate "C" not null references merchant,
    kind text not null,
    settings text not null,
    settings_version int not null,
    keys_version int not null default 1
  )`,
  "create index environment_of_merchant on environment (merchant_id)",
  `create table credential (
    id text collate "C" primary key,
    environment text collate "C" not null references environment,
    kind text not null,
    secret_hash text,
    created_at timestamptz not null,
    scopes text not null default '',
    name text,
    replaced text not null default '[]',
    last_used_at timestamptz,
    revoked_at timestamptz
  )`,
  "create index credential_of_environment on credential (environment)"
]

/**
 * A verification's indexed columns never change, except `expires_at` and `order_id`, which a resend changes together.
 * Columns that a search filters by and that change in place, such as `status`, have no index: a search looks at a
 * bounded number of rows. `environment` comes second, so a walk along one index, in the order of all its columns, cannot
 * be planned with another.
 */
const verifications = [
  `create table subject (
    environment text collate "C" not null,
    canonical text collate "C" not null,
    version int not null,
    state text not null,
    primary key (environment, canonical)
  ) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05)`,

  // Finds people by the last four digits of their phone number. A new person costs one more index entry, a login none.
  `create index subject_ending on subject (right(canonical, 4), environment)
    where canonical > '0' and canonical < ':'`,

  `create table verification (
    environment text collate "C" not null,
    id text collate "C" not null,
    canonical text collate "C" not null,
    state text not null,
    expires_at timestamptz not null,
    open boolean not null default false,
    status text collate "C" not null,
    channel text collate "C" not null,
    country text collate "C",
    order_id text collate "C",
    outcome text collate "C",
    primary key (environment, id)
  ) partition by range (id)`,
  "create index verification_expiry on verification (expires_at, id)",
  "create index verification_person on verification (canonical, environment, id)",
  "create index verification_order on verification (order_id, environment, id) where order_id is not null",
  "create index verification_country on verification (country, environment, id) where country is not null",
  "create table verification_default partition of verification default with (fillfactor = 80)",

  // Finds the verification that the merchant's backend started with an `orderId`.
  `create table order_reference (
    environment text collate "C" not null,
    order_id text collate "C" not null,
    verification_id text collate "C" not null,
    updated_at timestamptz not null,
    primary key (environment, order_id)
  ) with (fillfactor = 85)`,
  "create index order_reference_age on order_reference using brin (updated_at) with (autosummarize = on)",

  // Maps a device to its subject. The trust level itself is in the subject's state.
  `create table device (
    environment text collate "C" not null,
    id text collate "C" not null,
    canonical text collate "C" not null,
    trusted_at timestamptz not null,
    primary key (environment, id)
  ) with (fillfactor = 85)`,
  "create index device_age on device using brin (trusted_at) with (autosummarize = on)",
  "create index device_of_person on device (environment, canonical)",

  // Rate limits: the counts of the last hour. `saved_in` is that hour alone, so it rarely changes: see `PgWindowStore`.
  `create table rate_window (
    environment text collate "C" not null,
    key text collate "C" not null,
    version int not null,
    state text not null,
    saved_in timestamptz not null,
    primary key (environment, key)
  ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`,
  "create index rate_window_age on rate_window (saved_in)",

  // Refused initiates: a limited number, listed newest first, never changed.
  `create table refusal (
    environment text collate "C" not null,
    id text collate "C" not null,
    at timestamptz not null,
    reason text collate "C" not null,
    person text collate "C",
    entry text not null,
    primary key (environment, id)
  )`,
  "create index refusal_of_reason on refusal (reason, environment, id)",
  "create index refusal_of_person on refusal (person, environment, id) where person > ''",
  "create index refusal_age on refusal using brin (at) with (autosummarize = on)",

  `create table idempotency (
    environment text collate "C" not null,
    endpoint text collate "C" not null,
    key text collate "C" not null,
    fingerprint text not null,
    holder text not null,
    leased_until timestamptz not null,
    created_at timestamptz not null,
    status int,
    body text,
    ${owner},
    primary key (environment, endpoint, key)
  ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)`,
  "create index idempotency_age on idempotency (created_at)"
]

/**
 * The effects of a commit. A job's `attempt` is its fence: how often it was claimed. `failures` counts its failed runs.
 * Jobs of a gate share a limit. `job_of_gate` finds their environments and lanes by skipping from one to the next, so a
 * long lane does not delay the others. Jobs without a gate have the gate ''.
 */
const outbox = [
  `create table job (
    key text collate "C" primary key,
    environment text collate "C" not null,
    kind text collate "C" not null,
    payload text not null,
    run_at timestamptz not null,
    attempt int not null,
    dead_at timestamptz,
    last_error text,
    created_at timestamptz not null default now(),
    lane text collate "C",
    failures int not null default 0,
    gate text collate "C" not null default '',
    ${owner}
  ) with (
    fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500,
    autovacuum_vacuum_cost_delay = 0
  )`,
  "create index job_due on job (gate, run_at) where dead_at is null",
  "create index job_of_gate on job (gate, environment, lane, run_at) where dead_at is null and gate <> ''",

  `create table event (
    environment text collate "C" not null,
    id text collate "C" not null,
    type text collate "C" not null,
    created_at timestamptz not null,
    data text not null,
    primary key (environment, id)
  ) partition by range (id)`,
  // Every verification has one `otp.initiated`, so a search for those finds them quickly without an index.
  "create index event_by_type on event (environment, type, id) where type <> 'otp.initiated'",
  "create table event_default partition of event default",

  `create table webhook (
    environment text collate "C" not null,
    id text collate "C" not null,
    version int not null,
    url text collate "C" not null,
    state text not null,
    primary key (environment, id),
    unique (environment, url)
  ) with (fillfactor = 85)`,
  `create table webhook_attempt (
    environment text collate "C" not null,
    id text collate "C" not null,
    webhook_id text collate "C" not null,
    event_id text collate "C" not null,
    event_type text not null,
    attempt int not null,
    status text not null,
    url text not null,
    created_at timestamptz not null,
    duration_ms int not null,
    response_status int,
    response_body text,
    error text,
    next_attempt_at timestamptz,
    primary key (environment, id)
  ) partition by range (id)`,
  // Without `environment`, which an endpoint implies: a query for one row must not scan all rows of an environment.
  "create index webhook_attempt_log on webhook_attempt (webhook_id, id)",
  "create index webhook_attempt_event on webhook_attempt (webhook_id, event_id)",
  "create index webhook_attempt_bad on webhook_attempt (webhook_id, status, id) where status <> 'DELIVERED'",
  "create index webhook_attempt_missed on webhook_attempt (webhook_id, event_id) where status <> 'DELIVERED'",
  "create table webhook_attempt_default partition of webhook_attempt default",

  `create table hook (
    id text collate "C" primary key,
    environment text collate "C" not null,
    version int not null,
    state text not null
  ) with (fillfactor = 85)`,
  "create index hook_of_environment on hook (environment, id)",
  // The lists of hooks: bounded for each hook, and deleted by age.
  `create table hook_request (
    hook_id text collate "C" not null,
    id text collate "C" not null,
    environment text collate "C" not null,
    at timestamptz not null,
    signed boolean not null,
    entry text not null,
    primary key (hook_id, id)
  )`,
  "create index hook_request_of_kind on hook_request (hook_id, signed, id)",
  "create index hook_request_by_age on hook_request (at) where at > '-infinity'",

  // Appended by commits, then counted or charged. A row is deleted when it was added to its sum.
  `create table fact (
    kind text collate "C" not null,
    environment text collate "C" not null,
    at timestamptz not null,
    key text collate "C" not null,
    value text not null,
    times int not null default 1,
    primary key (kind, environment, at, key)
  ) with (
    autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0
  )`,

  // The audit log: written in the commit that it describes, listed newest first, never changed.
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
  "create index audit_of_action on audit (merchant_id, action, id)",
  // No block ranges: deleted rows make room for new ones, so a range that once held old rows would be scanned for ever.
  "create index audit_age on audit (at)"
]

/** Statistics: the version of each environment's sums, and the sums by quarter hour and by UTC day. */
const statistics = [
  `create table stat_head (
    environment text collate "C" primary key,
    version int not null
  ) with (fillfactor = 50)`,
  `create table stat_bucket (
    environment text collate "C" not null,
    span text collate "C" not null,
    at timestamptz not null,
    channel text collate "C" not null,
    country text collate "C" not null,
    path text collate "C" not null,
    template text collate "C" not null,
    counts text not null,
    latencies text not null,
    primary key (environment, span, at, channel, country, path, template)
  ) with (fillfactor = 60)`,
  "create index stat_bucket_age on stat_bucket (at) where span = 'QUARTER'"
]

/**
 * Money. A commit that spends sets `holds` to whether the balance allows it. False violates the check, so nothing of
 * the statement is written. The ledger is append-only. Amounts are limited to nine quadrillions, which JavaScript reads
 * exactly.
 */
const exact = "between -9000000000000000 and 9000000000000000"
const billing = [
  `create table balance (
    environment text collate "C" primary key,
    version int not null,
    amount bigint not null constraint balance_is_exact check (amount ${exact}),
    entries bigint not null,
    credit_limit bigint not null,
    is_low bool not null,
    holds bool not null constraint balance_holds check (holds)
  ) with (${hot})`,
  `create table spending (
    environment text collate "C" not null,
    day text collate "C" not null,
    channel text collate "C" not null,
    amount bigint not null constraint spending_is_exact check (amount ${exact}),
    holds bool not null constraint spending_holds check (holds),
    primary key (environment, day, channel)
  ) with (${hot})`,
  "create index spending_age on spending (day)",
  `create table ledger (
    environment text collate "C" not null,
    number bigint not null,
    at timestamptz not null,
    kind text collate "C" not null,
    amount bigint not null,
    balance bigint not null,
    channel text collate "C",
    reference text collate "C",
    item text collate "C",
    primary key (environment, number)
  )`,
  "create unique index ledger_top_up on ledger (environment, reference) where kind = 'TOP_UP'"
]

/**
 * Each version of a template's content has its own row, which never changes. A removed template has no slot, so its
 * name is free.
 */
const templates = [
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
  "create index template_removed on template (removed_at) where removed_at > '-infinity'",
  `create table template_content (
    environment text collate "C" not null,
    id text collate "C" not null,
    version int not null,
    retired_at timestamptz,
    content text not null,
    primary key (environment, id, version)
  )`,
  "create index template_content_retired on template_content (retired_at) where retired_at > '-infinity'",
  `create table sender_id (
    environment text collate "C" not null,
    header text collate "C" not null,
    created_at timestamptz not null,
    primary key (environment, header)
  )`
]

/**
 * Team members and how they sign in. What must be unique is checked at the end of a statement, because one commit may
 * pass an address, or the role of the team that takes new leads, from one row to another.
 *
 * A session is found by the hash of its token and read with its agent, whose era says whether it is still valid. A
 * session has that era in `proven_era` where the sign-in proved the address, else null.
 */
const team = [
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
  "create index agent_of_address on agent (canonical, merchant_id) where not removed",
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
    proven_era int,
    primary key (merchant_id, id)
  ) with (fillfactor = 80)`,
  "create index session_of_agent on session (merchant_id, agent_id, id)",
  // One row for each agent: a new link replaces the one before.
  `create table sign_in_link (
    merchant_id text collate "C" not null,
    id int not null,
    version int not null,
    hash text collate "C" not null unique,
    expires_at timestamptz not null,
    state text not null,
    primary key (merchant_id, id)
  ) with (fillfactor = 80)`,
  // Removed passkeys are still found by their id.
  `create table passkey (
    id text collate "C" primary key,
    canonical text collate "C" not null,
    version int not null,
    created_at timestamptz not null,
    removed boolean not null,
    state text not null
  ) with (fillfactor = 80)`,
  "create index passkey_of_person on passkey (canonical, created_at, id) where not removed",

  // A person as a sign-in provider knows them. `state` lists the agents that the person may sign in as.
  `create table known_subject (
    issuer text collate "C" not null,
    subject text collate "C" not null,
    canonical text collate "C" not null,
    known_since timestamptz not null,
    version int not null,
    state text not null,
    primary key (issuer, subject)
  )`,
  // The subject's verified address and those of its agents. Rows and no GIN index, because sessions plan no bitmap scans.
  `create table known_subject_address (
    canonical text collate "C" not null,
    issuer text collate "C" not null,
    subject text collate "C" not null,
    primary key (canonical, issuer, subject)
  )`,
  "create index known_subject_address_of_subject on known_subject_address (issuer, subject)"
]

/**
 * Conversations. Lists filter and sort by columns; the rest of a row is its state. An owner or a team of 0 is none, and a
 * lead without messages was active at `-infinity`, so each list walks one part of one index in its order. A list of both
 * open and closed leads merges two walks.
 */
const leads = [
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
    waiting_at timestamptz,
    words text not null,
    labels text not null default '',
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
  // Only leads that wait for the team, so it stays small. It answers the filters of their list, too.
  `create index lead_waiting on lead (environment, waiting_at, id) include (owner, team)
    where waiting_at is not null`,
  // Ids of labels are unique everywhere, so one index serves all environments. Leads without labels are not in it.
  "create index lead_labelled on lead using gin (string_to_array(labels, ' ')) with (fastupdate = off) where labels <> ''",
  // A row has all words of its lead, so a search for several words reads the index of one.
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
  "create index lead_message_amending on lead_message (environment, coalesce(lead_id, 0), id) where kind <> 'MESSAGE'",
  `create table lead_entry (
    environment text collate "C" not null,
    lead_id int not null,
    number int not null,
    state text not null,
    primary key (environment, lead_id, number)
  )`,
  // How far each agent has read a lead. Rows go with the lead and with the agent.
  `create table lead_read (
    environment text collate "C" not null,
    agent_id int not null,
    lead_id int not null,
    seen int not null,
    unread boolean not null,
    primary key (environment, agent_id, lead_id)
  ) with (fillfactor = 85)`,
  "create index lead_read_of_lead on lead_read (lead_id, environment)",
  // Which leads changed a moment ago, for live streams: by `agent_id` alone if it is not 0. Rows are only added, and
  // deleted within minutes.
  `create table lead_change (
    id bigint generated by default as identity,
    environment text collate "C" not null,
    lead_id int not null,
    agent_id int not null default 0,
    at timestamptz not null default clock_timestamp(),
    primary key (environment, at, id)
  ) with (autovacuum_vacuum_scale_factor = 0.05)`,
  // Who has which lead open. Rows are rewritten every few seconds and deleted within minutes, so a scan is cheap.
  `create table lead_presence (
    environment text collate "C" not null,
    lead_id int not null,
    agent_id int not null,
    email text not null,
    typing boolean not null,
    since timestamptz not null,
    seen_at timestamptz not null,
    primary key (environment, lead_id, agent_id)
  ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05)`,
  `create table saved_reply (
    environment text collate "C" not null,
    id text collate "C" not null,
    canonical text collate "C" not null,
    state text not null,
    primary key (environment, id),
    unique (environment, canonical)
  )`,
  `create table lead_label (
    merchant_id text collate "C" not null,
    id text collate "C" not null,
    canonical text collate "C" not null,
    state text not null,
    primary key (merchant_id, id),
    unique (merchant_id, canonical)
  )`,
  `create table connected_number (
    id text collate "C" primary key,
    environment text collate "C" not null,
    version int not null,
    connected_at timestamptz not null,
    state text not null
  ) with (fillfactor = 85)`,
  "create index connected_number_of_environment on connected_number (environment)",
  // The places that the guard stopped.
  `create table guard_trip (
    environment text collate "C" not null,
    reason text collate "C" not null,
    place text collate "C" not null,
    version int not null,
    ends_at timestamptz not null,
    state text not null,
    primary key (environment, reason, place)
  ) with (fillfactor = 85)`,
  // Counters that issue numbers in order, such as those of leads.
  `create table counter (
    scope text collate "C" not null,
    name text collate "C" not null,
    value bigint not null,
    primary key (scope, name)
  ) with (${hot})`
]

/** Concurrent sessions count the same campaign in rows of their own slots, so they rarely wait for each other. */
const slots = 16

const changed = (rows: string) => `
  insert into recipient_count as c (environment, campaign_id, slot, status, many)
  select r.environment, r.campaign_id, pg_backend_pid() % ${slots}, r.status, sum(r.n)::int from (${rows}) r
  group by r.environment, r.campaign_id, r.status having sum(r.n) <> 0
  order by r.environment, r.campaign_id, r.status
  on conflict (environment, campaign_id, slot, status) do update set many = c.many + excluded.many;`

const added = "select environment, campaign_id, status, 1 as n from added"
const gone = "select environment, campaign_id, status, -1 as n from gone"

const trigger = (name: string, event: string, tables: string) =>
  `create trigger ${name} after ${event} on recipient referencing ${tables}
    for each statement execute function countersign_count_recipients()`

/**
 * Campaigns, and a row for each recipient, which changes four or five times. `open` is 1 for recipients that were never
 * handed to the provider, 2 for those whose outcome is unknown, and null once it is known. `finished_at` is null again
 * when the campaign has its final counts.
 *
 * `recipient_count` has the number of a campaign's recipients in each status. Triggers keep it, so the sum over a
 * campaign's slots equals a count over its recipients in every snapshot, for every version of the service.
 */
const campaigns = [
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
  "create index recipient_at_provider on recipient (environment, provider_id) where provider_id is not null",
  `create table recipient_count (
    environment text collate "C" not null,
    campaign_id text collate "C" not null,
    slot int not null,
    status text collate "C" not null,
    many int not null,
    primary key (environment, campaign_id, slot, status)
  ) with (fillfactor = 50)`,
  `create function countersign_count_recipients() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'INSERT' then${changed(added)}
  elsif tg_op = 'UPDATE' then${changed(`${added} union all ${gone}`)}
  else${changed(gone)}
    -- The counts of a campaign go with its last recipient.
    delete from recipient_count c using (select distinct environment, campaign_id from gone) g
    where c.environment = g.environment and c.campaign_id = g.campaign_id and not exists (
      select from recipient r where r.environment = g.environment and r.campaign_id = g.campaign_id offset 0
    );
  end if;
  return null;
end $$`,
  trigger("recipient_added", "insert", "new table as added"),
  trigger("recipient_changed", "update", "old table as gone new table as added"),
  trigger("recipient_gone", "delete", "old table as gone"),

  // The latest opt-out choice of each number. Numbers that opted in again stay, so opt-outs have an index of their own.
  `create table opt_out (
    environment text collate "C" not null,
    phone text collate "C" not null,
    is_out boolean not null,
    by text not null,
    at timestamptz not null,
    primary key (environment, phone)
  )`,
  "create index opt_out_list on opt_out (environment, phone) where is_out"
]

/**
 * Traffic sources. The index by time includes the columns that reports group launches by, so they read no row. A touch
 * repeats the origin of its launch, and a trail that of its first launch, so reports need no join with launches.
 */
const attribution = [
  `create table launch (
    environment text collate "C" not null,
    id text collate "C" not null,
    version int not null,
    at timestamptz not null,
    source text collate "C" not null,
    medium text collate "C" not null,
    campaign text collate "C" not null,
    visitor text collate "C",
    click text collate "C",
    state text not null,
    primary key (environment, id)
  ) with (fillfactor = 90, autovacuum_vacuum_insert_scale_factor = 0.02)`,
  "create index launch_by_time on launch (environment, at) include (source, medium, campaign) where at > '-infinity'",
  "create index launch_of_visitor on launch (environment, visitor, at, id) where visitor is not null",
  "create index launch_of_click on launch (environment, click, at, id) where click is not null",
  `create table trail (
    environment text collate "C" not null,
    key text collate "C" not null,
    version int not null,
    first_id text collate "C" not null,
    first_at timestamptz not null,
    source text collate "C" not null,
    medium text collate "C" not null,
    campaign text collate "C" not null,
    visitor text collate "C",
    primary key (environment, key)
  ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)`,
  `create table touch (
    environment text collate "C" not null,
    kind text collate "C" not null,
    id text collate "C" not null,
    at timestamptz not null,
    launch_id text collate "C",
    visitor text collate "C",
    click text collate "C",
    source text collate "C" not null,
    medium text collate "C" not null,
    campaign text collate "C" not null,
    micros bigint,
    currency text collate "C" not null,
    details text,
    primary key (environment, kind, id)
  )`,
  "create index touch_by_time on touch (environment, at) where at > '-infinity'",
  "create index touch_of_launch on touch (environment, launch_id) where launch_id is not null"
]

/** Requests to erase a person's data. */
const erasure = [
  `create table erasure (
    environment text collate "C" not null,
    id text collate "C" not null,
    version int not null,
    person text collate "C" not null,
    state text not null,
    primary key (environment, id)
  ) with (fillfactor = 70)`
]

/** Rows that arrived before their partition are in the default partition, and move in the same transaction. */
const partitions = [
  `create function countersign_add_partition(parent text, name text, low text, high text, fill int)
  returns void language plpgsql as $$
  begin
    perform pg_advisory_xact_lock(hashtext('countersign_add_partition'));
    if to_regclass(quote_ident(name)) is not null then return; end if;
    execute format('create table %I (like %I including all) with (fillfactor = %s)', name, parent, fill);
    execute format('lock table %I in access exclusive mode', parent || '_default');
    execute format(
      'with moved as (delete from %I where id >= %L and id < %L returning *) insert into %I select * from moved',
      parent || '_default', low, high, name
    );
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, low, high);
  end $$`
]

export const schema: ReadonlyArray<string> = [
  ...deployment,
  ...merchants,
  ...verifications,
  ...outbox,
  ...statistics,
  ...billing,
  ...templates,
  ...team,
  ...leads,
  ...campaigns,
  ...attribution,
  ...erasure,
  ...partitions
]
