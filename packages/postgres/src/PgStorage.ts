import { realpathSync } from "node:fs"
import { requireSingleEffect, reveal } from "@countersign/core"
import {
  AttributionStore,
  AuditStore,
  BalanceStore,
  CampaignStore,
  ClockStore,
  ErasureStore,
  EventStore,
  FactStore,
  DeploymentStore,
  FingerprintStore,
  IdempotencyStore,
  JobStore,
  KeyStore,
  LeadStore,
  MerchantStore,
  NumberStore,
  TripStore,
  OptOutStore,
  OutboxStore,
  PasskeyStore,
  StaffStore,
  PresenceStore,
  RefusalStore,
  SavedReplyStore,
  LabelStore,
  SenderIdStore,
  type Storage,
  StatStore,
  StorageHealth,
  SubjectStore,
  TemplateStore,
  Timekeeper,
  VerificationStore,
  HookStore,
  WebhookStore,
  WindowStore
} from "@countersign/core/storage"
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import { Context, Duration, Effect, Layer, Redacted, Result, type Scope } from "effect"
import { lastCopy } from "./backup/copyBeforeUpgrade.ts"
import * as DatabaseFacts from "./DatabaseFacts.ts"
import * as Embedded from "./Embedded.ts"
import { firstContact } from "./firstContact.ts"
import * as Maintenance from "./Maintenance.ts"
import * as Migrations from "./Migrations.ts"
import * as Migrator from "./Migrator.ts"
import * as NodePool from "./NodePool.ts"
import { PgDatabase } from "./PgDatabase.ts"
import * as PgAttributionStore from "./PgAttributionStore.ts"
import * as PgAuditStore from "./PgAuditStore.ts"
import * as PgBalanceStore from "./PgBalanceStore.ts"
import * as PgCampaignStore from "./PgCampaignStore.ts"
import * as PgClockStore from "./PgClockStore.ts"
import * as PgErasureStore from "./PgErasureStore.ts"
import * as PgEventStore from "./PgEventStore.ts"
import * as PgFactStore from "./PgFactStore.ts"
import * as PgDeploymentStore from "./PgDeploymentStore.ts"
import * as PgFingerprintStore from "./PgFingerprintStore.ts"
import { PgFailure } from "./PgFailure.ts"
import * as PgIdempotencyStore from "./PgIdempotencyStore.ts"
import * as PgJobStore from "./PgJobStore.ts"
import * as PgKeyStore from "./PgKeyStore.ts"
import * as PgLeadStore from "./PgLeadStore.ts"
import * as PgMerchantStore from "./PgMerchantStore.ts"
import * as PgNumberStore from "./PgNumberStore.ts"
import * as PgTripStore from "./PgTripStore.ts"
import * as PgOptOutStore from "./PgOptOutStore.ts"
import * as PgOutbox from "./PgOutbox.ts"
import * as PgOutboxStore from "./PgOutboxStore.ts"
import * as PgPasskeyStore from "./PgPasskeyStore.ts"
import * as PgSubjectStore from "./PgSubjectStore.ts"
import * as PgStaffStore from "./PgStaffStore.ts"
import * as PgPresenceStore from "./PgPresenceStore.ts"
import * as PgRefusalStore from "./PgRefusalStore.ts"
import * as PgLabelStore from "./PgLabelStore.ts"
import * as PgSavedReplyStore from "./PgSavedReplyStore.ts"
import * as PgSenderIdStore from "./PgSenderIdStore.ts"
import * as PgStatStore from "./PgStatStore.ts"
import * as PgTemplateStore from "./PgTemplateStore.ts"
import * as PgVerificationStore from "./PgVerificationStore.ts"
import * as PgHookStore from "./PgHookStore.ts"
import * as PgWebhookStore from "./PgWebhookStore.ts"
import * as PgWakeUps from "./PgWakeUps.ts"
import * as PgWindowStore from "./PgWindowStore.ts"
import { text } from "./parameters.ts"
import * as PgSchema from "./PgSchema.ts"
import * as PgTls from "./PgTls.ts"
import * as Processes from "./Processes.ts"
import { settings } from "./settings.ts"
import * as TableState from "./TableState.ts"
import {
  EmbeddedUnavailable,
  InvalidAddress,
  InvalidPool,
  MigrationFailed,
  StorageStartError,
  Unreachable,
  UnsafeSetting,
  WrongSchema
} from "./StorageStartError.ts"

/** Every port, and the connection pool for `PgClock`. */
export type PgStoragePorts = Storage | PgDatabase

export interface PgStorageOptions {
  /**
   * `postgres://user:password@host:5432/database`; for a unix socket `?host=/var/run/postgresql`. `sslmode` and
   * `sslrootcert` have their libpq meaning. By default, TLS is used if the server offers it.
   */
  readonly url: Redacted.Redacted
  /**
   * The schema of the tables, created if missing. By default, tables on the database's search path are used where they
   * are, and new tables go into `countersign`. Services in different schemas of a database are independent.
   */
  readonly schema?: string | undefined
  /** The most connections to open. Statements carry many requests each, so few are needed. Default 16. */
  readonly connections?: number | undefined
  /** How long a statement may take; a caller that waits longer gets a `StoreError`. Default 5 seconds. */
  readonly timeout?: Duration.Input | undefined
  /** How long the start waits for a server that does not respond yet. Default: not at all. */
  readonly patience?: Duration.Input | undefined
  /** Whether to migrate the tables first. Without it, the start fails on tables of another version. Default true. */
  readonly migrate?: boolean | undefined
  /** Starts even where Postgres may lose acknowledged writes. For measurements only. */
  readonly allowDataLoss?: boolean | undefined
  readonly retention?: Maintenance.Retention | undefined
}

export interface PgPoolOptions extends Pick<PgStorageOptions, "schema" | "timeout" | "migrate" | "retention"> {
  /** A `Pool` of node-postgres. The application owns it, and ends it after this storage is closed. */
  readonly pool: NodePool.NodePool
  /** How many clients to take out of the pool and keep. At least 3, and fewer than the pool's `max`. Default 4. */
  readonly connections?: number | undefined
}

export interface PgEmbeddedOptions extends Embedded.EmbeddedOptions {
  readonly retention?: Maintenance.Retention | undefined
}

/** Opens the first connection, with TLS as the address requests, and waits for a server that is still starting. */
export const connectTo = (
  options: Pick<PgStorageOptions, "url" | "schema" | "timeout" | "patience" | "migrate">
): Effect.Effect<PgConnection.Config, StorageStartError> =>
  Result.match(PgTls.ways(reveal(options.url)), {
    onFailure: (problem) => Effect.fail(cannotStart(new InvalidAddress({ problem }))),
    onSuccess: (ways) =>
      firstContact(connectionTo(options), {
        ways,
        schema: options.schema,
        make: options.migrate ?? true,
        patience: Duration.fromInputUnsafe(options.patience ?? Duration.zero)
      })
  })

/** The network gets this much longer than Postgres's own limit. */
const grace = Duration.seconds(1)
const lockTimeout = "2s"
const oldestServer = 150_000

const connectionTo = (options: Pick<PgStorageOptions, "url" | "timeout">): PgConnection.Config => ({
  url: Redacted.make(reveal(options.url)),
  keepAlive: "30 seconds",
  ...session(options)
})

/** The settings of every session. */
const session = (options: Pick<PgStorageOptions, "timeout">) => ({
  applicationName: "countersign",
  startupParameters: {
    ...settings,
    statement_timeout: String(Duration.toMillis(timeoutOf(options))),
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: "10s"
  }
})

const timeoutOf = (options: Pick<PgStorageOptions, "timeout">) =>
  Duration.fromInputUnsafe(options.timeout ?? "5 seconds")

const cannotStart = (reason: StorageStartError["reason"]) => new StorageStartError({ reason })
const unreachable = Effect.mapError((cause: PgFailure) => cannotStart(new Unreachable({ cause })))

const checkServer = Effect.fnUntraced(function* (searchPath: string | undefined, allowDataLoss: boolean) {
  const database = yield* PgDatabase
  const rows = yield* database
    .query(
      `select current_setting('server_version_num')::int, current_setting('TimeZone'),
        current_setting('synchronous_commit'), current_setting('server_encoding'), current_setting('search_path')`,
      []
    )
    .pipe(unreachable)
  const [version, timezone, durability, encoding, found] = rows[0] ?? []
  const refuse = (setting: string, value: unknown, required: string) =>
    cannotStart(new UnsafeSetting({ setting, value: String(value), required }))
  if (Number(version) < oldestServer) return yield* refuse("server_version_num", version, `at least ${oldestServer}`)
  if (timezone !== "UTC") return yield* refuse("TimeZone", timezone, "UTC")
  if (searchPath !== undefined && found !== searchPath) {
    return yield* refuse(
      "search_path",
      found,
      `${searchPath}: a pooler in between seems to drop it; name Postgres itself`
    )
  }
  if (encoding !== "UTF8") return yield* refuse("server_encoding", encoding, "UTF8")
  if (durability !== "on" && durability !== "remote_apply" && !allowDataLoss) {
    return yield* refuse("synchronous_commit", durability, "on")
  }
})

const tableState = Effect.gen(function* () {
  const database = yield* PgDatabase
  return yield* database.query(TableState.query(), [])
}).pipe(
  Effect.catchIf(
    (failure) => failure.sqlState === "42P01",
    () => Effect.succeed([])
  ),
  Effect.map((rows) => TableState.of(rows)),
  unreachable
)

/** False during a migration, possibly by an operator with a newer version. */
const noProcessMigrates = Effect.gen(function* () {
  const database = yield* PgDatabase
  const rows = yield* database.query(`select pg_try_advisory_xact_lock_shared(${PgSchema.migrationLock})`, [])
  return rows[0]?.[0] === true
}).pipe(unreachable)

const prepareTables = Effect.fnUntraced(function* (connection: PgConnection.Config, migrate: boolean) {
  for (;;) {
    yield* Migrator.untilTrue(noProcessMigrates, "Another process migrates the tables; waiting until it ends")
    const state = yield* tableState
    const isWrong = state.unknown.length > 0 || state.isRestoring || (state.missing.length > 0 && !migrate)
    if (isWrong) return yield* cannotStart(WrongSchema.of(state))
    if (state.missing.length === 0) break
    yield* Migrator.run(connection)
  }
  yield* unreachable(Maintenance.prepare)
})

/** Larger than a page, so that the free space of the table cannot hold it and the write fails on a full disk. */
const trialText = "x".repeat(128 * 1024)
const trialWrite = `insert into deployment (name, value) values ('trialWrite', $1)
on conflict (name) do update set value = excluded.value`
const trialEnd = "delete from deployment where name = 'trialWrite'"

/** Transactions that retain old row versions: this role's own, and those of other roles that it may see. */
const oldestTransaction = `select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 * 1000
from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
  and (backend_xmin is not null or backend_xid is not null)`

const health = Effect.map(PgDatabase, (database) =>
  StorageHealth.of({
    check: Effect.gen(function* () {
      const { missing } = TableState.of(yield* database.query(TableState.query(), []))
      // A newer version may have migrated in the meantime; its tables still work for this version.
      if (missing.length > 0) {
        return yield* new PgFailure({ reason: "Unexpected", sqlState: null })
      }
      yield* database.writes.check(
        Effect.andThen(database.query(trialWrite, [text(trialText)]), database.query(trialEnd, []))
      )
    }).pipe(Effect.mapError((failure) => failure.toStoreError("StorageHealth.check"))),
    oldestTransaction: Effect.mapBoth(database.query(oldestTransaction, []), {
      onSuccess: ([row]) => Number(row?.[0] ?? 0),
      onFailure: (failure) => failure.toStoreError("StorageHealth.oldestTransaction")
    })
  })
)

const stores = Effect.gen(function* () {
  const wakeUps = yield* PgWakeUps.make
  const outbox = yield* PgOutbox.make(wakeUps)
  return Context.mergeAll(
    Context.make(OutboxStore, yield* PgOutboxStore.make(outbox)),
    Context.make(EventStore, yield* PgEventStore.make),
    Context.make(JobStore, yield* PgJobStore.make(wakeUps)),
    Context.make(FactStore, yield* PgFactStore.make),
    Context.make(AuditStore, yield* PgAuditStore.make),
    Context.make(MerchantStore, yield* PgMerchantStore.make(outbox)),
    Context.make(KeyStore, yield* PgKeyStore.make(outbox)),
    Context.make(IdempotencyStore, yield* PgIdempotencyStore.make),
    Context.make(WindowStore, yield* PgWindowStore.make),
    Context.make(HookStore, yield* PgHookStore.make(outbox)),
    Context.make(WebhookStore, yield* PgWebhookStore.make(outbox)),
    Context.make(VerificationStore, yield* PgVerificationStore.make(outbox)),
    Context.make(LeadStore, yield* PgLeadStore.make(outbox)),
    Context.make(NumberStore, yield* PgNumberStore.make(outbox)),
    Context.make(TripStore, yield* PgTripStore.make(outbox)),
    Context.make(StaffStore, yield* PgStaffStore.make(outbox)),
    Context.make(SavedReplyStore, yield* PgSavedReplyStore.make),
    Context.make(LabelStore, yield* PgLabelStore.make(outbox)),
    Context.make(PresenceStore, yield* PgPresenceStore.make),
    Context.make(TemplateStore, yield* PgTemplateStore.make(outbox)),
    Context.make(SenderIdStore, yield* PgSenderIdStore.make(outbox)),
    Context.make(AttributionStore, yield* PgAttributionStore.make(outbox)),
    Context.make(PasskeyStore, yield* PgPasskeyStore.make(outbox)),
    Context.make(SubjectStore, yield* PgSubjectStore.make(outbox)),
    Context.make(CampaignStore, yield* PgCampaignStore.make(outbox)),
    Context.make(OptOutStore, yield* PgOptOutStore.make(outbox)),
    Context.make(ErasureStore, yield* PgErasureStore.make(outbox)),
    Context.make(BalanceStore, yield* PgBalanceStore.make(outbox)),
    Context.make(StatStore, yield* PgStatStore.make(outbox)),
    Context.make(RefusalStore, yield* PgRefusalStore.make(outbox)),
    Context.make(FingerprintStore, yield* PgFingerprintStore.make),
    Context.make(DeploymentStore, yield* PgDeploymentStore.make),
    Context.make(ClockStore, yield* PgClockStore.make(wakeUps)),
    Context.make(StorageHealth, yield* health)
  )
})

const layerOf = (options: {
  /** `number` identifies this process. Every session carries it. */
  readonly connection: (number: string) => Effect.Effect<PgConnection.Config, StorageStartError, Scope.Scope>
  /** Whether other processes may use the same database. */
  readonly shared: boolean
  readonly connections: number
  readonly kept?: number | undefined
  readonly deadline: Duration.Duration
  readonly migrate: boolean
  readonly allowDataLoss: boolean
  readonly retention: Maintenance.Retention
}): Layer.Layer<PgStoragePorts, StorageStartError> => {
  requireSingleEffect("@countersign/postgres", Effect)
  const { connections, deadline, kept } = options
  const portsOn = Effect.fnUntraced(function* (connection: PgConnection.Config, number: string) {
    yield* checkServer(connection.startupParameters?.["search_path"], options.allowDataLoss)
    yield* prepareTables(connection, options.migrate)
    // The embedded database has only this process, so earlier holders are gone.
    yield* unreachable(options.shared ? Processes.join(connection, number) : Processes.release(null))
    const ports = yield* stores
    const time = yield* Effect.provideContext(Timekeeper.make, ports)
    yield* Effect.forkScoped(Maintenance.run(options.retention, time))
    return ports
  })
  return Layer.unwrap(
    Effect.gen(function* () {
      const number = yield* Processes.draw
      const connection = yield* options.connection(number)
      return Layer.effectContext(portsOn(connection, number)).pipe(
        Layer.provideMerge(
          PgDatabase.layer({ connection, connections, kept, deadline }).pipe(
            Layer.catch((cause) => Layer.effectContext(Effect.fail(cannotStart(new Unreachable({ cause })))))
          )
        )
      )
    })
  )
}

const bearing =
  (number: string) =>
  (connection: PgConnection.Config): PgConnection.Config => ({
    ...connection,
    startupParameters: { ...connection.startupParameters, [Processes.setting]: number }
  })

/**
 * Storage in Postgres 15 or newer. The start fails with a reason when Postgres is unreachable, is not durable, or has
 * tables of a newer version. Later failures are `StoreError`s, and storage recovers by itself when Postgres does.
 *
 * @example
 * ```ts
 * import { PgStorage } from "@countersign/postgres"
 * import { Redacted } from "effect"
 *
 * const storage = PgStorage.layer({ url: Redacted.make("postgres://localhost/countersign") })
 * ```
 */
export const layer = (options: PgStorageOptions): Layer.Layer<PgStoragePorts, StorageStartError> =>
  layerOf({
    connection: (number) => Effect.map(connectTo(options), bearing(number)),
    shared: true,
    connections: options.connections ?? 16,
    deadline: Duration.sum(timeoutOf(options), grace),
    migrate: options.migrate ?? true,
    allowDataLoss: options.allowDataLoss ?? false,
    retention: options.retention ?? {}
  })

/** Connects by taking clients out of the pool. */
const connectThrough = (options: PgPoolOptions, connections: number) => {
  const problem = NodePool.problemOf(options.pool, connections)
  if (problem !== undefined) return Effect.fail(cannotStart(new InvalidPool({ problem })))
  const { applicationName, startupParameters } = session(options)
  return firstContact(
    {
      stream: NodePool.connect(options.pool),
      // A placeholder: the pool has already signed in to Postgres.
      username: "pool",
      applicationName,
      startupParameters: { ...startupParameters, default_transaction_isolation: "read committed" }
    },
    { ways: [false], schema: options.schema, make: options.migrate ?? true, patience: Duration.zero }
  )
}

/**
 * The same storage through the application's own node-postgres pool. It takes `connections` clients out of the pool and
 * keeps them, with its own settings, until it is closed. Then the clients are destroyed, and the pool opens others as
 * needed. A lost client is replaced by another from the pool.
 *
 * @example
 * ```ts
 * import { PgStorage } from "@countersign/postgres"
 * import { Pool } from "pg"
 *
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 20 })
 * const storage = PgStorage.layerPool({ pool, schema: "countersign", connections: 4 })
 * ```
 */
export const layerPool = (options: PgPoolOptions): Layer.Layer<PgStoragePorts, StorageStartError> => {
  const connections = options.connections ?? NodePool.usual
  // One more connection holds the lock that shows that this process is alive.
  const ofDatabase = connections - 1
  return layerOf({
    connection: (number) => Effect.map(connectThrough(options, connections), bearing(number)),
    shared: true,
    connections: ofDatabase,
    kept: ofDatabase,
    deadline: Duration.sum(timeoutOf(options), grace),
    migrate: options.migrate ?? true,
    allowDataLoss: false,
    retention: options.retention ?? {}
  })
}

/**
 * The same storage without a server: a PGlite inside this process, in a directory or in memory. It suits trials and
 * small installations; a power cut may lose the last writes. Only one process at a time can open a directory.
 *
 * @example
 * ```ts
 * import { PgStorage } from "@countersign/postgres"
 *
 * const storage = PgStorage.layerEmbedded({ directory: ".countersign" })
 * ```
 */
export const layerEmbedded = (options: PgEmbeddedOptions = {}): Layer.Layer<PgStoragePorts, StorageStartError> =>
  layerOf({
    connection: (number) => Embedded.open(options, number),
    shared: false,
    connections: 4,
    deadline: Duration.seconds(30),
    migrate: true,
    allowDataLoss: true,
    retention: options.retention ?? {}
  }).pipe(Layer.catch((error) => Layer.effectContext(Effect.fail(sayingMore(error, options.directory)))))

/** Adds the remedy: more open files for a start with too few, and the copy to go back to for a failed upgrade. */
const sayingMore = (error: StorageStartError, directory: string | undefined): StorageStartError => {
  const cause = "cause" in error.reason ? error.reason.cause : undefined
  if (lacksFiles(cause)) {
    const problem =
      "this process has too low a limit of open files. Raise it (ulimit -n 65536, LimitNOFILE=65536 in a systemd unit, --ulimit nofile=65536 of Docker) and start again"
    return cannotStart(new EmbeddedUnavailable({ problem, cause }))
  }
  if (error.reason._tag !== "MigrationFailed" || directory === undefined) return error
  const { after, migration } = error.reason
  return cannotStart(new MigrationFailed({ migration, after, copy: lastCopy(realpathSync(directory)) ?? null, cause }))
}

/**
 * Whether PGlite failed because no file could be opened. It closes some files and retries, finds the file from its
 * first try, and reports a duplicate (58P02).
 */
const lacksFiles = (cause: unknown): boolean => {
  if (typeof cause !== "object" || cause === null) return false
  if ("sqlState" in cause) return cause.sqlState === "58P02" || cause.sqlState === "53000"
  return "code" in cause && (cause.code === "EMFILE" || cause.code === "ENFILE")
}

/** Reports what a start at `url` would find. It starts and changes nothing. */
export const look = (
  options: Pick<PgStorageOptions, "url" | "schema" | "timeout">
): Effect.Effect<DatabaseFacts.DatabaseFacts, StorageStartError> =>
  Effect.gen(function* () {
    const connection = yield* connectTo({ ...options, migrate: false })
    const deadline = Duration.sum(timeoutOf(options), grace)
    const looking = Effect.gen(function* () {
      yield* checkServer(connection.startupParameters?.["search_path"], false)
      return yield* unreachable(DatabaseFacts.read({ ...(yield* tableState), known: Migrations.latest }))
    })
    return yield* Effect.provide(
      looking,
      PgDatabase.layer({ connection, connections: 1, deadline }).pipe(
        Layer.catch((cause) => Layer.effectContext(Effect.fail(cannotStart(new Unreachable({ cause })))))
      )
    )
  })

/** Migrates the tables at `url` to this version. Returns the migrations that ran. */
export const migrate = (
  options: Pick<PgStorageOptions, "url" | "schema">
): Effect.Effect<ReadonlyArray<string>, StorageStartError> =>
  Effect.flatMap(connectTo(options), (connection) => Migrator.run(connection))
