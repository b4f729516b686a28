import { type Job, JobStore, noRecords, OutboxStore, StorageHealth } from "@countersign/core/storage"
import { StorageTest } from "@countersign/testkit"
import { assert, layer } from "@effect/vitest"
import { Clock, Context, Effect, Fiber, Layer, Redacted, Schedule, Stream } from "effect"
import { Client, Pool, type PoolClient, type PoolConfig } from "pg"
import { PgDatabase, PgStorage } from "../src/index.ts"
import { storage, TestDatabase } from "./TestDatabase.ts"

/** The application's own pool. It ends with the scope. */
const ownPool = Effect.fnUntraced(function* (config: PoolConfig = {}) {
  const { url } = yield* TestDatabase
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => new Pool({ connectionString: Redacted.value(url), max: 6, application_name: "app", ...config })),
    (opened) => Effect.promise(() => (opened.ending ? Promise.resolve() : opened.end()))
  )
  pool.on("error", () => undefined)
  return pool
})

const ask = (client: Pool | PoolClient, text: string) =>
  Effect.promise(() => client.query({ rowMode: "array", text })).pipe(
    Effect.map(({ rows }) => rows as ReadonlyArray<ReadonlyArray<unknown>>)
  )

const job: Job.NewJob = { key: "one", environment: "env", kind: "send", payload: { ä: "ö" }, runAt: 0 }

const pids = Effect.gen(function* () {
  const { sql } = yield* TestDatabase
  const rows = yield* sql.unsafe<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and application_name = 'countersign'"
  )
  return rows.map(({ pid }) => pid)
})

const settingsOf = (client: Pool | PoolClient) =>
  ask(
    client,
    `select name, setting from pg_settings where name in ('search_path', 'statement_timeout', 'application_name',
      'enable_seqscan', 'lock_timeout', 'TimeZone', 'default_transaction_isolation') order by 1`
  )

const refusal = (options: PgStorage.PgPoolOptions) =>
  Effect.map(Effect.flip(Effect.scoped(Layer.build(PgStorage.layerPool(options)))), ({ message }) => message)

layer(TestDatabase.layer, { excludeTestServices: true })("a pool of node-postgres", (it) => {
  it.effect("lends its clients, and leaves the application's own sessions unchanged", () =>
    Effect.gen(function* () {
      const pool = yield* ownPool({ options: "-c search_path=app,public -c statement_timeout=4321" })
      const before = yield* settingsOf(pool)
      // Session state that the application left in the client that is lent next.
      const left = yield* Effect.promise(() => pool.connect())
      yield* ask(left, "create table if not exists public.mine (id int)")
      yield* ask(left, "set search_path to nowhere")
      yield* ask(left, "listen something")
      yield* ask(left, "begin")
      yield* ask(left, "insert into public.mine values (1)")
      left.release()

      yield* Effect.scoped(
        Effect.gen(function* () {
          const ports = yield* Layer.build(PgStorage.layerPool({ pool }))
          assert.lengthOf(yield* pids, 4)
          const database = Context.get(ports, PgDatabase)
          assert.deepStrictEqual(yield* database.query("show search_path", []), [['"countersign", pg_temp']])
          assert.deepStrictEqual(yield* settingsOf(pool), before)
          // A transaction of the application, open for as long as it likes while storage works.
          const client = yield* Effect.promise(() => pool.connect())
          yield* ask(client, "begin")
          yield* ask(client, "insert into public.mine values (2)")
          const now = yield* Clock.currentTimeMillis
          yield* Context.get(ports, OutboxStore).append({ ...noRecords, jobs: [{ ...job, runAt: now }] })
          const claim = { kinds: [{ kind: "send", lease: 60_000 }], limit: 9, now: now + 1 }
          const [claimed] = yield* Context.get(ports, JobStore).claim(claim)
          assert.deepStrictEqual(claimed?.payload, job.payload)
          yield* ask(client, "commit")
          client.release()
          assert.deepStrictEqual(yield* ask(pool, "select id from public.mine"), [[2]])
        })
      )
      assert.deepStrictEqual(yield* settingsOf(pool), before)
      // Postgres notices a closed client only after a while.
      yield* Effect.repeat(pids, { schedule: Schedule.spaced("20 millis"), until: (left) => left.length === 0 })
      // All clients of the pool belong to the application again.
      const all = yield* Effect.promise(() => Promise.all(Array.from({ length: 6 }, () => pool.connect())))
      for (const client of all) {
        assert.deepStrictEqual(yield* settingsOf(client), before)
        client.release()
      }
    }).pipe(Effect.scoped)
  )

  it.effect("receives notifications of jobs from another process, also after its clients were killed", () =>
    Effect.gen(function* () {
      const pool = yield* ownPool()
      const ports = yield* Layer.build(PgStorage.layerPool({ pool }))
      const other = yield* Layer.build(storage({ connections: 2 }))
      const hears = Effect.gen(function* () {
        const heard = yield* Effect.forkChild(Stream.runHead(Context.get(ports, JobStore).wakeUps), {
          startImmediately: true
        })
        yield* Effect.repeat(
          Context.get(other, OutboxStore).append({ ...noRecords, jobs: [{ ...job, key: crypto.randomUUID() }] }),
          { schedule: Schedule.spaced("50 millis"), until: () => heard.pollUnsafe() !== undefined }
        )
        yield* Fiber.join(heard)
      })
      yield* hears
      const database = Context.get(ports, PgDatabase)
      const working = yield* Effect.forkChild(Effect.flip(database.query("select pg_sleep(4)", [])), {
        startImmediately: true
      })
      const { sql } = yield* TestDatabase
      const asleep = sql.unsafe<{ pid: number }>("select pid from pg_stat_activity where query = 'select pg_sleep(4)'")
      const sleeping = yield* Effect.repeat(asleep, { until: (rows) => rows.length === 1 })
      assert.lengthOf(sleeping, 1)
      yield* sql.unsafe(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'countersign'"
      )
      assert.isTrue((yield* Fiber.join(working)).away)
      yield* Effect.retry(Context.get(ports, StorageHealth).check, {
        times: 200,
        schedule: Schedule.spaced("10 millis")
      })
      yield* hears
      assert.isAtMost(pool.totalCount, 5)
    }).pipe(Effect.scoped)
  )

  it.effect("keeps the deadline, and works afterwards", () =>
    Effect.gen(function* () {
      const pool = yield* ownPool()
      const ports = yield* Layer.build(PgStorage.layerPool({ pool, connections: 3, timeout: "200 millis" }))
      const database = Context.get(ports, PgDatabase)
      const { reason } = yield* Effect.flip(database.query("select pg_sleep(30)", []))
      assert.strictEqual(reason, "Timeout")
      assert.deepStrictEqual(yield* database.query("select 1", []), [[1]])
    }).pipe(Effect.scoped)
  )

  it.effect(
    "works as the role that logged in, despite a role or session lock that the application left in a client",
    () =>
      Effect.gen(function* () {
        const { name, sql } = yield* TestDatabase
        const tenant = `tenant_of_${name}`
        yield* Effect.acquireRelease(sql.unsafe(`create role ${tenant} nologin`), () =>
          Effect.orDie(sql.unsafe(`drop role ${tenant}`))
        )
        const pool = yield* ownPool()
        const leave = Effect.gen(function* () {
          const left = yield* Effect.promise(() => Promise.all(Array.from({ length: 4 }, () => pool.connect())))
          for (const client of left) yield* ask(client, `set role ${tenant}`)
          yield* ask(left[0]!, "select pg_advisory_lock(4242)")
          for (const client of left) client.release()
        })
        yield* leave
        yield* Effect.scoped(
          Effect.gen(function* () {
            const ports = yield* Layer.build(PgStorage.layerPool({ pool }))
            const { query } = Context.get(ports, PgDatabase)
            assert.deepStrictEqual(yield* query("select current_user = session_user", []), [[true]])
            assert.lengthOf(yield* sql`select from pg_locks where locktype = 'advisory' and objid = 4242`, 0)
            // Clients that replace lost clients are reset too.
            yield* sql.unsafe(
              "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'countersign'"
            )
            const idle = yield* Effect.promise(() => pool.connect())
            yield* ask(idle, `set role ${tenant}`)
            idle.release()
            const { check } = Context.get(ports, StorageHealth)
            yield* Effect.retry(check, Schedule.spaced("20 millis"))
            yield* check
          })
        )
        yield* sql.unsafe(`alter role postgres in database ${name} set role = '${tenant}'`)
        assert.include(yield* refusal({ pool: yield* ownPool() }), "acts as a different role")
      }).pipe(Effect.scoped)
  )

  it.effect("is refused with a reason when it cannot be used", () =>
    Effect.gen(function* () {
      const pool = yield* ownPool({ max: 4 })
      assert.include(yield* refusal({ pool }), "set its max to 5")
      assert.include(yield* refusal({ pool, connections: 2 }), "at least 3")
      const held = yield* Effect.promise(() => Promise.all(Array.from({ length: 4 }, () => pool.connect())))
      assert.include(yield* refusal({ pool, connections: 3 }), "all clients of the pool are in use")
      for (const client of held) client.release()
      // A caller that timed out while waiting leaves no client checked out.
      assert.deepStrictEqual(yield* ask(pool, "select 1"), [[1]])
      assert.strictEqual(pool.waitingCount, 0)

      class Pooled extends Client {
        get processID() {
          return 1
        }
        set processID(_number: number) {}
      }
      assert.include(yield* refusal({ pool: yield* ownPool({ Client: Pooled }) }), "pooler")
      const { url } = yield* TestDatabase
      const wrong = new URL(Redacted.value(url))
      wrong.password = "wrong"
      const locked = yield* ownPool({ connectionString: wrong.href })
      assert.include(yield* refusal({ pool: locked }), "the password is wrong")
      yield* Effect.promise(() => pool.end())
      assert.include(yield* refusal({ pool, connections: 3 }), "ended")
    }).pipe(Effect.scoped)
  )
})

// The rest is the same code as with an address, and takes 25 seconds: it is part of `pnpm chaos`.
if (process.env["POOL_CHECKS"] === "all") {
  const inOwnPool = Layer.unwrap(Effect.map(ownPool({ max: 10 }), (pool) => PgStorage.layerPool({ pool })))
  StorageTest.suite("a pool of node-postgres", Layer.provide(inOwnPool, TestDatabase.layer))
}
