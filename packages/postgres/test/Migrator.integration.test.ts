import { StorageHealth } from "@countersign/core/storage"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import { online, statements } from "../src/Migration.ts"
import * as Migrations from "../src/Migrations.ts"
import * as Migrator from "../src/Migrator.ts"
import { PgStorage } from "../src/index.ts"
import { migrationLock } from "../src/PgSchema.ts"
import { holding, seen } from "./Holding.ts"
import { storage, TestDatabase } from "./TestDatabase.ts"

const inOwnDatabase = <A, E>(effect: Effect.Effect<A, E, TestDatabase>) => Effect.provide(effect, TestDatabase.layer)

const here = "datname = current_database() and pid <> pg_backend_pid()"
const migrating = `select from pg_locks where locktype = 'advisory' and (classid::int8 << 32 | objid::int8) = (${migrationLock}) and mode = 'ExclusiveLock'
  and granted and database = (select oid from pg_database where datname = current_database())`
const asks = (lock: string, least: number) =>
  `select from pg_stat_activity where ${here} and query like '%${lock}%' having count(*) >= ${least}`

/** The next version, which changes a table that every process uses. */
const future = { ...Migrations.all, "0999_future": statements(["alter table merchant add column future text"]) }

const open = (options?: Parameters<typeof storage>[0]) => Effect.scoped(Layer.build(storage(options)))
const fork = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.forkChild(effect, { startImmediately: true })

it.live("while a migration waits for a table, running nodes are ready and starting nodes wait for the migration", () =>
  Effect.gen(function* () {
    const { connection } = yield* TestDatabase
    const health = Context.get(yield* Layer.build(storage()), StorageHealth)
    const letGo = yield* holding("lock table merchant in access exclusive mode")
    const migration = yield* fork(Migrator.run(connection, future))
    yield* seen(migrating)
    for (let look = 0; look < 3; look++) yield* health.check
    const starts = yield* fork(Effect.all([Effect.flip(open()), Effect.flip(open())], { concurrency: "unbounded" }))
    yield* Effect.raceFirst(seen(asks("pg_try_advisory_xact_lock_shared", 2)), Fiber.join(starts))
    yield* health.check
    yield* letGo
    assert.deepStrictEqual(yield* Fiber.join(migration), ["0999_future"])
    for (const { reason } of yield* Fiber.join(starts)) {
      assert.deepInclude(reason, { _tag: "WrongSchema", found: 999, known: Migrations.latest })
    }
    yield* health.check
  }).pipe(Effect.scoped, inOwnDatabase)
)

it.live("processes that start together on outdated tables wait for the process that migrates", () =>
  Effect.gen(function* () {
    const { connection, sql } = yield* TestDatabase
    yield* sql`create schema countersign`
    yield* Migrator.run(connection, {})
    const letGo = yield* holding("lock table countersign_migrations in exclusive mode")
    const starts = yield* fork(
      Effect.all(
        Array.from({ length: 4 }, () => open({ connections: 2 })),
        { concurrency: "unbounded" }
      )
    )
    yield* seen(migrating)
    yield* Effect.raceFirst(seen(asks("pg_try_advisory", 3)), Fiber.join(starts))
    yield* letGo
    yield* Fiber.join(starts)
    const ran = yield* sql<{ id: number }>`select migration_id as id from countersign_migrations order by 1`
    assert.deepStrictEqual(
      ran.map(({ id }) => id),
      Object.keys(Migrations.all).map(Migrations.numberOf)
    )
  }).pipe(Effect.scoped, inOwnDatabase)
)

it.live("statements on a table do not queue behind a migration that waits for that table", () =>
  Effect.gen(function* () {
    const { connection, sql, url } = yield* TestDatabase
    yield* PgStorage.migrate({ url })
    const letGo = yield* holding("select from merchant") // reads like pg_dump
    const migration = yield* fork(Migrator.run(connection, future))
    yield* seen(migrating)
    // The reader behind the migration gets its turn while the first reader still reads.
    yield* seen(asks("alter table merchant", 1))
    for (let turn = 0; turn < 5; turn++) yield* sql`select from merchant`
    yield* letGo
    assert.deepStrictEqual(yield* Fiber.join(migration), ["0999_future"])
  }).pipe(Effect.scoped, inOwnDatabase)
)

const step = (table: string, ...more: ReadonlyArray<string>) => statements([`create table ${table} (id int)`, ...more])

it.live("a killed migration leaves only finished steps, and the next process continues", () =>
  Effect.gen(function* () {
    const { connection, sql } = yield* TestDatabase
    const steps = {
      "0001_first": step("first"),
      "0002_second": step("second", "lock table blocked", "insert into second values (1)"),
      "0003_third": step("third")
    }
    yield* sql`create table blocked (id int)`
    const letGo = yield* holding("lock table blocked in access exclusive mode")
    const killed = yield* fork(Effect.exit(Migrator.run({ ...connection, applicationName: "killed" }, steps)))
    yield* seen("select from countersign_migrations where migration_id = 1")
    yield* seen(`select pg_terminate_backend(pid) from pg_stat_activity where ${here} and application_name = 'killed'`)
    assert.isTrue((yield* Fiber.join(killed))._tag === "Failure")
    assert.deepStrictEqual(yield* sql`select to_regclass('first') is null as a, to_regclass('second') is null as b`, [
      { a: false, b: true }
    ])
    yield* letGo
    assert.deepStrictEqual(yield* Migrator.run(connection, steps), ["0002_second", "0003_third"])
    assert.deepStrictEqual(yield* Migrator.run(connection, steps), [])
  }).pipe(Effect.scoped, inOwnDatabase)
)

it.live("an index built online blocks no writer, and is rebuilt after its process was killed", () =>
  Effect.gen(function* () {
    const { connection, sql } = yield* TestDatabase
    const steps = {
      "0001_table": statements(["create table big (id int)", "insert into big select generate_series(1, 1000)"]),
      "0002_index": online(["drop index concurrently if exists big_id", "create index concurrently big_id on big (id)"])
    }
    yield* Migrator.run(connection, { "0001_table": steps["0001_table"] })
    const letGo = yield* holding("insert into big values (0)")
    const killed = yield* fork(Effect.exit(Migrator.run({ ...connection, applicationName: "killed" }, steps)))
    yield* seen("select from pg_class where relname = 'big_id'")
    yield* sql`insert into big values (1001)` // during the index build
    // Two more processes wait for their turn. They must not wait for each other's snapshots.
    const others = yield* fork(
      Effect.all([Migrator.run(connection, steps), Migrator.run(connection, steps)], { concurrency: "unbounded" })
    )
    yield* seen(asks("pg_try_advisory_lock", 2))
    yield* seen(`select pg_terminate_backend(pid) from pg_stat_activity where ${here} and application_name = 'killed'`)
    yield* Fiber.join(killed)
    yield* letGo
    assert.deepStrictEqual((yield* Fiber.join(others)).flat(), ["0002_index"])
    const valid = yield* sql`select indisvalid as valid from pg_index where indexrelid = 'big_id'::regclass`
    assert.deepStrictEqual(valid, [{ valid: true }])
  }).pipe(Effect.scoped, inOwnDatabase)
)
