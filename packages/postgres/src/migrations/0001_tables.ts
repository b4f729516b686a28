/**
 * Keys compare byte by byte: identifiers then sort by time, and comparing is cheap. Aggregates are text, not jsonb:
 * nobody but this service reads into them. No column of a person's row that changes is indexed, so it is updated in
 * place. A verification's `expires_at` is indexed since 0004: a send or a resend writes an index entry.
 */
export const tables: ReadonlyArray<string> = [
  `create table subject (
    environment text collate "C" not null,
    canonical text collate "C" not null,
    version int not null,
    state text not null,
    primary key (environment, canonical)
  ) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05)`,

  `create table verification (
    environment text collate "C" not null,
    id text collate "C" not null,
    canonical text collate "C" not null,
    state text not null,
    primary key (environment, id)
  ) partition by range (id)`,
  `create table verification_default partition of verification default with (fillfactor = 80)`,

  `create table order_reference (
    environment text collate "C" not null,
    order_id text collate "C" not null,
    verification_id text collate "C" not null,
    updated_at timestamptz not null,
    primary key (environment, order_id)
  ) with (fillfactor = 85)`,
  `create index order_reference_age on order_reference using brin (updated_at) with (autosummarize = on)`,

  `create table event (
    environment text collate "C" not null,
    id text collate "C" not null,
    type text collate "C" not null,
    created_at timestamptz not null,
    data text not null,
    primary key (environment, id)
  ) partition by range (id)`,
  // The one event that every verification has is found quickly without an index of its own.
  `create index event_by_type on event (environment, type, id) where type <> 'otp.initiated'`,
  `create table event_default partition of event default`,

  `create table job (
    key text collate "C" primary key,
    environment text collate "C" not null,
    kind text collate "C" not null,
    payload text not null,
    run_at timestamptz not null,
    attempt int not null,
    dead_at timestamptz,
    last_error text,
    created_at timestamptz not null default now()
  ) with (
    fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500,
    autovacuum_vacuum_cost_delay = 0
  )`,
  `create index job_due on job (run_at) where dead_at is null`,

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
    settings_version int not null
  )`,
  `create index environment_of_merchant on environment (merchant_id)`,
  `create table credential (
    id text collate "C" primary key,
    environment text collate "C" not null references environment,
    kind text not null,
    secret_hash text,
    created_at timestamptz not null
  )`,
  `create index credential_of_environment on credential (environment)`,

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
    primary key (environment, endpoint, key)
  ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)`,
  `create index idempotency_age on idempotency (created_at)`,

  // Rows that came before their partition wait in the default one; they move in the same step.
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
