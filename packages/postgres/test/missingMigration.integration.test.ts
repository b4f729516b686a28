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
import { holding, seen } from "./Holding.ts"
import { storage, TestDatabase } from "./TestDatabase.ts"

const skipped = "0032_opt_outs"
/** What a database has had whose version was released without `skipped`. */
const { [skipped]: _, ...others } = Migrations.all

const inOwnDatabase = <A, E>(effect: Effect.Effect<A, E, TestDatabase>) => Effect.provide(effect, TestDatabase.layer)
const open = (options?: Parameters<typeof storage>[0]) => Effect.scoped(Layer.build(storage(options)))
const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "countersign-missing-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)
const step = (table: string) => statements([`create table ${table} (id int)`])

it.live("a migration that is missing below the newest one is run by the migrator, in order of its number", () =>
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

it.live("a missing older migration that does not fit the tables any more is refused with words", () =>
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

it.live(
  "a migration that is missing below the newest one is seen by check, by health, by a start and by a restored backup",
  () =>
    Effect.gen(function* () {
      const { connection, sql, url } = yield* TestDatabase
      yield* sql`create schema countersign`
      yield* Migrator.run(connection, others)
      const { tables } = yield* PgStorage.look({ url })
      assert.deepInclude(tables, { found: Migrations.latest, missing: [skipped] })
      const { reason } = yield* Effect.flip(open({ migrate: false }))
      assert.deepInclude(reason, { _tag: "WrongSchema", missing: [skipped] })

      const file = join(yield* folder, "a.backup")
      yield* PgBackup.backup({ from: { url }, to: file, version: "0.0.0" })
      const into = { url, schema: "restored" }
      yield* PgBackup.restore({ into, from: file, fits: () => Effect.succeed(true), resume: false })
      assert.deepInclude((yield* PgStorage.look(into)).tables, { missing: [], unknown: [] })

      const health = Context.get(yield* Layer.build(storage()), StorageHealth)
      yield* health.check
      assert.deepInclude((yield* PgStorage.look({ url })).tables, { missing: [], unknown: [] })
      yield* sql`delete from countersign_migrations where migration_id = ${Migrations.numberOf(skipped)}`
      yield* Effect.flip(health.check)
    }).pipe(Effect.scoped, inOwnDatabase)
)

it.live("tables with a migration between ours that this version does not have refuse the start", () =>
  Effect.gen(function* () {
    const { sql, url } = yield* TestDatabase
    yield* PgStorage.migrate({ url })
    yield* sql`insert into countersign_migrations (migration_id, name) values (22, 'of_another_version')`
    for (const refused of [
      Effect.asVoid(open()),
      Effect.asVoid(open({ migrate: false })),
      Effect.asVoid(PgStorage.migrate({ url }))
    ]) {
      const { message } = yield* Effect.flip(refused)
      assert.include(message, "had migration 22, which this version does not have")
    }
  }).pipe(inOwnDatabase)
)

it.live("no service and no `migrate` touches tables whose restore is not finished", () =>
  Effect.gen(function* () {
    const { sql, url } = yield* TestDatabase
    yield* PgStorage.migrate({ url })
    yield* sql`delete from countersign_migrations where migration_id > 1`
    yield* sql`insert into countersign_migrations (migration_id, name) values (${unfinishedRestore}, 'restore_unfinished')`
    for (const refused of [Effect.asVoid(open()), Effect.asVoid(PgStorage.migrate({ url }))]) {
      assert.include((yield* Effect.flip(refused)).message, "restore into these tables was not finished")
    }
    assert.deepInclude((yield* PgStorage.look({ url })).tables, { isRestoring: true })
  }).pipe(inOwnDatabase)
)

it.live("a restore waits for the process that migrates the same place, and then refuses its tables", () =>
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
    // What the process that holds the lock does meanwhile.
    yield* sql`create table countersign.countersign_migrations (migration_id int primary key, created_at timestamptz not null default now(), name text not null)`
    yield* sql`insert into countersign.countersign_migrations (migration_id, name) values (1, 'tables')`
    yield* letGo
    assert.include((yield* Fiber.join(restoring)).message, "There are tables of this service")
  }).pipe(Effect.scoped, inOwnDatabase)
)
