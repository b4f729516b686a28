import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { StorageHealth } from "@countersign/core/storage"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import { unfinishedRestore } from "../src/backup/ourTables.ts"
import { PgBackup, PgStorage } from "../src/index.ts"
import { statements } from "../src/Migration.ts"
import * as Migrations from "../src/Migrations.ts"
import * as Migrator from "../src/Migrator.ts"
import { migrationLock } from "../src/PgSchema.ts"
import * as TableState from "../src/TableState.ts"
import { holding, seen } from "./Holding.ts"
import { storage, TestDatabase } from "./TestDatabase.ts"

const inOwnDatabase = <A, E>(effect: Effect.Effect<A, E, TestDatabase>) => Effect.provide(effect, TestDatabase.layer)
const open = (options?: Parameters<typeof storage>[0]) => Effect.scoped(Layer.build(storage(options)))
const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "countersign-missing-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)
const step = (table: string) => statements([`create table ${table} (id int)`])

it.live("the migrator runs a missing migration that is older than the newest one, in order of its number", () =>
  Effect.gen(function* () {
    const { connection } = yield* TestDatabase
    const steps = { "0001_first": step("first"), "0004_fourth": step("fourth") }
    yield* Migrator.run(connection, steps)
    const all = {
      "0001_first": step("first"),
      "0002_second": step("second"),
      "0003_third": step("third"),
      "0004_fourth": step("fourth")
    }
    assert.deepStrictEqual(yield* Migrator.run(connection, all), ["0002_second", "0003_third"])
    assert.deepStrictEqual(yield* Migrator.run(connection, all), [])
  }).pipe(inOwnDatabase)
)

it.live("a missing older migration that no longer fits the tables is refused with a reason", () =>
  Effect.gen(function* () {
    const { connection } = yield* TestDatabase
    yield* Migrator.run(connection, { "0004_fourth": step("wanted") })
    const { message } = yield* Effect.flip(
      Migrator.run(connection, { "0002_second": step("wanted"), "0004_fourth": step("wanted") })
    )
    assert.include(message, "0002_second")
    assert.include(message, "older than migration 4")
  }).pipe(inOwnDatabase)
)

it("an older migration that did not run counts as missing, and an unknown migration between ours as unknown", () => {
  const known = { "0001_first": step("first"), "0002_second": step("second"), "0004_fourth": step("fourth") }
  const state = TableState.of([[1], [3], [4]], known)
  assert.deepInclude(state, { found: 4, missing: ["0002_second"], unknown: [3] })
})

it.live("a check, a health check and a start without migrating all detect a missing migration", () =>
  Effect.gen(function* () {
    const { sql, url } = yield* TestDatabase
    const health = Context.get(yield* Layer.build(storage()), StorageHealth)
    yield* health.check
    yield* sql`delete from countersign_migrations`
    const missing = Object.keys(Migrations.all)
    assert.deepInclude((yield* PgStorage.look({ url })).tables, { found: 0, missing, unknown: [] })
    const { reason } = yield* Effect.flip(open({ migrate: false }))
    assert.deepInclude(reason, { _tag: "WrongSchema", missing })
    yield* Effect.flip(health.check)
  }).pipe(Effect.scoped, inOwnDatabase)
)

it.live(
  "every start, check, migration and backup refuses a database of a version before 1.0 and leaves it unchanged",
  () =>
    Effect.gen(function* () {
      const { sql, url } = yield* TestDatabase
      const before = "were created by a version of Countersign before 1.0"
      yield* sql`create schema countersign`
      yield* sql`create table countersign_migrations (migration_id int primary key, name text not null)`
      for (const names of [["tables"], ["devices", "windows"]]) {
        for (const name of names)
          yield* sql`insert into countersign_migrations select coalesce(max(migration_id), 0) + 1, ${name} from countersign_migrations`
        assert.deepInclude((yield* PgStorage.look({ url })).tables, { isPrerelease: true })
        for (const refused of [
          Effect.asVoid(open()),
          Effect.asVoid(open({ migrate: false })),
          Effect.asVoid(PgStorage.migrate({ url })),
          PgBackup.backup({ from: { url }, to: join(yield* folder, "a.backup"), version: "0.0.0" })
        ]) {
          const { message } = yield* Effect.flip(refused)
          assert.include(message, before)
          assert.include(message, "start with an empty database, another schema in DATABASE_SCHEMA")
        }
      }
      const tables = yield* sql`select tablename from pg_tables where schemaname = 'countersign'`
      assert.deepStrictEqual(tables, [{ tablename: "countersign_migrations" }])
    }).pipe(Effect.scoped, inOwnDatabase)
)

it.live("tables with an unknown migration between ours refuse the start", () =>
  Effect.gen(function* () {
    const { sql, url } = yield* TestDatabase
    yield* PgStorage.migrate({ url })
    yield* sql`insert into countersign_migrations (migration_id, name) values (0, 'of_another_version')`
    for (const refused of [
      Effect.asVoid(open()),
      Effect.asVoid(open({ migrate: false })),
      Effect.asVoid(PgStorage.migrate({ url }))
    ]) {
      const { message } = yield* Effect.flip(refused)
      assert.include(message, "have migration 0, which this version does not know")
    }
  }).pipe(inOwnDatabase)
)

it.live("no service and no `migrate` touches tables whose restore is unfinished", () =>
  Effect.gen(function* () {
    const { sql, url } = yield* TestDatabase
    yield* PgStorage.migrate({ url })
    yield* sql`insert into countersign_migrations (migration_id, name) values (${unfinishedRestore}, 'restore_unfinished')`
    for (const refused of [Effect.asVoid(open()), Effect.asVoid(PgStorage.migrate({ url }))]) {
      assert.include((yield* Effect.flip(refused)).message, "restore into these tables was interrupted")
    }
    assert.deepInclude((yield* PgStorage.look({ url })).tables, { isRestoring: true })
  }).pipe(inOwnDatabase)
)

it.live("a restore waits for a process that migrates the same schema, and then refuses its tables", () =>
  Effect.gen(function* () {
    const { sql, url } = yield* TestDatabase
    const file = join(yield* folder, "a.backup")
    yield* PgStorage.migrate({ url, schema: "source" })
    yield* PgBackup.backup({ from: { url, schema: "source" }, to: file, version: "0.0.0" })
    yield* sql`create schema countersign`
    const letGo = yield* holding(
      `select pg_advisory_xact_lock(${migrationLock.replaceAll("current_schema()", "'countersign'")})`
    )
    const restoring = yield* Effect.forkChild(
      Effect.flip(PgBackup.restore({ into: { url }, from: file, fits: () => Effect.succeed(true), resume: false })),
      { startImmediately: true }
    )
    yield* seen(
      "select from pg_stat_activity where query like 'select pg_try_advisory_lock%' and datname = current_database()"
    )
    // Acts for the process that holds the lock: it migrates.
    yield* sql`create table countersign.countersign_migrations (migration_id int primary key, created_at timestamptz not null default now(), name text not null)`
    yield* sql`insert into countersign.countersign_migrations (migration_id, name) values (1, 'schema')`
    yield* letGo
    assert.include((yield* Fiber.join(restoring)).message, "already has tables of this service")
  }).pipe(Effect.scoped, inOwnDatabase)
)
