import { StorageHealth } from "@countersign/core/storage"
import { assert, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Redacted, Schedule } from "effect"
import { PgClock, PgDatabase, PgStorage } from "../src/index.ts"
import { all, latest } from "../src/Migrations.ts"
import { holding } from "./Holding.ts"
import { storage, TestDatabase } from "./TestDatabase.ts"

const open = (options?: Parameters<typeof storage>[0]) => Effect.scoped(Layer.build(storage(options)))
const refusal = (options?: Parameters<typeof storage>[0]) =>
  Effect.map(Effect.flip(open(options)), ({ reason }) => reason)
const inOwnDatabase = <A, E>(effect: Effect.Effect<A, E, TestDatabase>) => Effect.provide(effect, TestDatabase.layer)

it.live("many processes can start on an empty database concurrently", () =>
  Effect.gen(function* () {
    const { sql } = yield* TestDatabase
    yield* Effect.all(
      Array.from({ length: 5 }, () => open({ connections: 2 })),
      { concurrency: "unbounded" }
    )
    const ran = yield* sql<{ n: number }>`select count(*)::int as n from countersign_migrations`
    assert.strictEqual(ran[0]?.n, Object.keys(all).length)
    assert.deepStrictEqual(yield* PgStorage.migrate({ url: (yield* TestDatabase).url }), [])
  }).pipe(inOwnDatabase)
)

it.live("tables of a newer version refuse the start, and so do older tables when migrating is not allowed", () =>
  Effect.gen(function* () {
    const { sql, url } = yield* TestDatabase
    assert.deepInclude(yield* refusal({ migrate: false }), { _tag: "WrongSchema", found: 0, known: latest })
    assert.deepStrictEqual(yield* PgStorage.migrate({ url }), Object.keys(all))
    yield* open({ migrate: false })
    yield* sql`insert into countersign_migrations (migration_id, name) values (999, 'of_the_future')`
    assert.deepInclude(yield* refusal(), { _tag: "WrongSchema", found: 999, known: latest })
  }).pipe(inOwnDatabase)
)

it.live("a server that may lose acknowledged writes is refused, unless that is allowed", () =>
  Effect.gen(function* () {
    const { name, sql } = yield* TestDatabase
    yield* sql.unsafe(`alter database ${name} set synchronous_commit = off`)
    assert.deepInclude(yield* refusal(), { _tag: "UnsafeSetting", setting: "synchronous_commit", value: "off" })
    yield* open({ allowDataLoss: true })
  }).pipe(inOwnDatabase)
)

it.live("without a server the start fails with the reason and without the password", () =>
  Effect.gen(function* () {
    const url = Redacted.make("postgres://user:canary@127.0.0.1:1/nothing")
    const error = yield* Effect.flip(Effect.scoped(Layer.build(PgStorage.layer({ url }))))
    assert.strictEqual(error.reason._tag, "Unreachable")
    assert.notInclude(error.message, "canary")
  })
)

it.live(
  "storage that refuses writes is unhealthy until it accepts them again, and healthy storage makes no trial write",
  () =>
    Effect.gen(function* () {
      const { name, sql } = yield* TestDatabase
      const ports = yield* Layer.build(storage())
      const [health, database] = [Context.get(ports, StorageHealth), Context.get(ports, PgDatabase)]
      const trials = sql`select from pg_stat_activity where datname = ${name} and query like '%trialWrite%' and pid <> pg_backend_pid()`
      yield* health.check
      assert.lengthOf(yield* trials, 0)
      // Like a full disk: reads succeed, writes are refused.
      const refuse = (table: string) =>
        sql.unsafe(`create trigger refuse before insert on ${table}
      for each row execute function refuse()`)
      yield* sql.unsafe(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'no space' using errcode = '53100'; end $$`)
      yield* refuse("deployment")
      // No write was refused yet.
      yield* health.check
      yield* Effect.flip(database.query("insert into deployment (name, value) values ('fact', 'x')", []))
      yield* Effect.flip(health.check)
      yield* sql.unsafe("drop trigger refuse on deployment")
      // The next trial write comes within a second.
      yield* Effect.retry(health.check, Schedule.spaced("50 millis"))
      yield* health.check
      assert.lengthOf(yield* sql`select from deployment where name = 'trialWrite'`, 0)
    }).pipe(Effect.scoped, inOwnDatabase)
)

it.live("the age of the oldest transaction grows while one is open, and is 0 otherwise", () =>
  Effect.gen(function* () {
    const health = Context.get(yield* Layer.build(storage()), StorageHealth)
    const letGo = yield* holding("create table held (id int)")
    yield* Effect.repeat(health.oldestTransaction!, {
      schedule: Schedule.spaced("20 millis"),
      until: (age) => age > 50
    })
    yield* letGo
    yield* Effect.repeat(health.oldestTransaction!, {
      schedule: Schedule.spaced("20 millis"),
      until: (age) => age < 50
    })
  }).pipe(Effect.scoped, inOwnDatabase)
)

it.live("storage without its tables is unhealthy", () =>
  Effect.gen(function* () {
    const { sql } = yield* TestDatabase
    const health = Context.get(yield* Layer.build(storage()), StorageHealth)
    yield* health.check
    yield* sql`alter table countersign_migrations rename to elsewhere`
    assert.strictEqual((yield* Effect.flip(health.check)).operation, "StorageHealth.check")
    yield* sql`alter table elsewhere rename to countersign_migrations`
    yield* health.check
  }).pipe(Effect.scoped, inOwnDatabase)
)

it.live("expiry follows the database's clock and ignores the machine's clock", () =>
  Effect.gen(function* () {
    const { sql } = yield* TestDatabase
    const real = yield* Clock.Clock
    for (const wrong of [-300_000, 300_000]) {
      const machine: Clock.Clock = Object.assign(Object.create(real), {
        currentTimeMillisUnsafe: () => real.currentTimeMillisUnsafe() + wrong,
        currentTimeMillis: Effect.map(real.currentTimeMillis, (now) => now + wrong)
      })
      const clock = Layer.provide(PgClock.layer, storage()).pipe(Layer.provide(Layer.succeed(Clock.Clock, machine)))
      yield* Effect.gen(function* () {
        const before = yield* sql<{ now: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`
        const now = yield* Clock.currentTimeMillis
        const after = yield* sql<{ now: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`
        assert.isAtLeast(now, before[0]!.now - 1_000)
        assert.isAtMost(now, after[0]!.now + 1_000)
        yield* Effect.sleep(1)
      }).pipe(Effect.provide(clock))
    }
  }).pipe(inOwnDatabase)
)
