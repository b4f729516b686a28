import * as PgClient from "@effect/sql-pg/PgClient"
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlError from "effect/sql/SqlError"
import { fromSqlError } from "./PgFailure.ts"
import { MigrationFailed, StorageStartError } from "./StorageStartError.ts"

/** Where Postgres keeps which migrations ran. */
export const migrationsTable = "countersign_migrations"

/**
 * Keys compare byte by byte: identifiers then sort by time, and comparing is cheap. Aggregates are text, not jsonb:
 * nobody but this service reads into them. No column that changes is indexed, so a busy row is updated in place.
 */
const tables: ReadonlyArray<string> = [
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

/** Whose a device is. The trust itself is part of the person's state. */
const devices: ReadonlyArray<string> = [
  `create table device (
    environment text collate "C" not null,
    id text collate "C" not null,
    canonical text collate "C" not null,
    trusted_at timestamptz not null,
    primary key (environment, id)
  ) with (fillfactor = 85)`,
  `create index device_age on device using brin (trusted_at) with (autosummarize = on)`
]

/** What was counted of the last hour. `saved_in` is the hour alone: see `PgWindowStore`. */
const windows: ReadonlyArray<string> = [
  `create table rate_window (
    environment text collate "C" not null,
    key text collate "C" not null,
    version int not null,
    state text not null,
    saved_in timestamptz not null,
    primary key (environment, key)
  ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`,
  `create index rate_window_age on rate_window (saved_in)`
]

/** The index of expiries is walked forward, once. Nothing of it changes with a verification but when a code is sent again. */
const expiries: ReadonlyArray<string> = [
  `alter table verification add column expires_at timestamptz, add column open boolean not null default false`,
  `create index verification_expiry on verification (expires_at, id)`
]

/** Jobs for one receiver are in its lane, with an index of their own: however many wait there, no other is held up. */
const webhooks: ReadonlyArray<string> = [
  `alter table job add column lane text collate "C"`,
  `drop index job_due`,
  `create index job_due on job (run_at) where dead_at is null and lane is null`,
  `create index job_of_lane on job (lane, run_at) where dead_at is null and lane is not null`,

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
  // Without the environment, so that nobody looks for one row in what an environment has: an endpoint has but one.
  `create index webhook_attempt_log on webhook_attempt (webhook_id, id)`,
  `create index webhook_attempt_event on webhook_attempt (webhook_id, event_id)`,
  `create index webhook_attempt_bad on webhook_attempt (webhook_id, status, id) where status <> 'DELIVERED'`,
  `create table webhook_attempt_default partition of webhook_attempt default`
]

const statements = (list: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.forEach(list, (text) => sql.unsafe(text), { discard: true }))

/** Every migration by its name, in order. One that was released never changes again. */
export const all = {
  "0001_tables": statements(tables),
  "0002_devices": statements(devices),
  "0003_windows": statements(windows),
  "0004_expiries": statements(expiries),
  "0005_webhooks": statements(webhooks)
}

/** The newest migration this version knows. */
export const latest = Object.keys(all).length

const migrator = Migrator.make({})({ loader: Migrator.fromRecord(all), table: migrationsTable })

/** What failed, without the statement's text and values. */
const describe = (error: SqlError.SqlError | Migrator.MigrationError) => {
  const cause = error._tag === "SqlError" ? error : error.cause
  return SqlError.isSqlError(cause) ? fromSqlError(cause) : error
}

/**
 * Brings the tables to this version's state and says which migrations that took. Several processes may run it at once:
 * one works, the others wait and find nothing to do.
 */
export const run = (connection: PgConnection.Config): Effect.Effect<ReadonlyArray<string>, StorageStartError> =>
  PgClient.make({
    ...connection,
    maxConnections: 1,
    multiplex: false,
    startupParameters: { ...connection.startupParameters, statement_timeout: "5min", lock_timeout: "1min" }
  }).pipe(
    Effect.flatMap((sql) => Effect.provideService(migrator, SqlClient.SqlClient, sql)),
    Effect.provide(Reactivity.layer),
    Effect.scoped,
    Effect.mapBoth({
      onFailure: (error) => new StorageStartError({ reason: new MigrationFailed({ cause: describe(error) }) }),
      onSuccess: (ran) => ran.map(([id, name]) => `${id}_${name}`)
    })
  )
