import { type Job, JobStore, noRecords, OutboxStore } from "@countersign/core/storage"
import { assert, it } from "@effect/vitest"
import { PgConnection } from "@effect/sql-pg"
import { Clock, Context, Effect, Fiber, Layer, Logger, Redacted } from "effect"
import * as Migrator from "../src/Migrator.ts"
import { PgDatabase, PgSchema } from "../src/index.ts"
import { storage, TestDatabase } from "./TestDatabase.ts"

const open = (options?: Parameters<typeof storage>[0]) => Effect.scoped(Layer.build(storage(options)))
const inOwnDatabase = <A, E>(effect: Effect.Effect<A, E, TestDatabase>) => Effect.provide(effect, TestDatabase.layer)

/** The schemas that contain our tables. */
const schemas = Effect.gen(function* () {
  const { sql } = yield* TestDatabase
  const rows = yield* sql<{ name: string }>`select schemaname as name from pg_tables where tablename = 'job' order by 1`
  return rows.map(({ name }) => name)
})

const role = Effect.fnUntraced(function* (definition: string, name: string) {
  const { sql } = yield* TestDatabase
  yield* Effect.acquireRelease(sql.unsafe(`create role ${definition}`), () =>
    Effect.orDie(Effect.andThen(sql.unsafe(`drop owned by ${name} cascade`), sql.unsafe(`drop role ${name}`)))
  )
})

it.live("new tables go into their own schema, and other roles' functions or temporary tables are never used", () =>
  Effect.gen(function* () {
    const database = Context.get(yield* Layer.build(storage()), PgDatabase)
    assert.deepStrictEqual(yield* schemas, ["countersign"])
    assert.deepStrictEqual(yield* database.query("show search_path", []), [['"countersign", pg_temp']])
    yield* open()
    assert.deepStrictEqual(yield* schemas, ["countersign"])
  }).pipe(Effect.scoped, inOwnDatabase)
)

it.live("tables that are on the search path already are used where they are", () =>
  Effect.gen(function* () {
    const { connection, sql, url } = yield* TestDatabase
    // A service whose role or address has the schema in its search path.
    yield* Migrator.run({ url })
    yield* open()
    assert.deepStrictEqual(yield* schemas, ["public"])
    // A second service in the database must name its schema, and gets a warning that it starts empty.
    const said: Array<string> = []
    const logger = Logger.make(({ message }) => void said.push(String(message)))
    yield* Effect.provide(open({ schema: "second" }), Logger.layer([logger]))
    assert.match(
      said.join(),
      /starts in the schema "second" without data.* in "public": to use them, configure that schema/
    )
    assert.deepStrictEqual(yield* schemas, ["public", "second"])
    yield* sql.unsafe("alter table countersign_migrations rename to taken_away")
    const elsewhere = new URL(Redacted.value(connection.url))
    elsewhere.searchParams.set("options", "-c search_path=second,public")
    yield* open({ url: Redacted.make(elsewhere.href) })
    assert.deepStrictEqual(yield* schemas, ["public", "second"])
  }).pipe(Effect.scoped, inOwnDatabase)
)

it.live("tables that another role put on the search path are not written to, unless their schema is named", () =>
  Effect.gen(function* () {
    const { name, sql, url } = yield* TestDatabase
    const stranger = `stranger_of_${name}`
    yield* role(`${stranger} nologin`, stranger)
    yield* sql.unsafe(`grant all on schema public to ${stranger}`)
    yield* Migrator.run({ url, startupParameters: { role: stranger } })
    const { message, reason } = yield* Effect.flip(open())
    assert.deepInclude(reason, { _tag: "ForeignTables", schema: "public", owner: stranger })
    assert.include(message, "configure that schema")
    yield* open({ schema: "public" })
    yield* open({ schema: "countersign" })
  }).pipe(Effect.scoped, inOwnDatabase)
)

it.live(
  "a schema or tables that another role planted under the default name are refused, and a named schema gets a warning",
  () =>
    Effect.gen(function* () {
      const { connection, name, sql } = yield* TestDatabase
      const [evil, victim] = [`evil_of_${name}`, `victim_of_${name}`]
      yield* role(`${evil} nologin`, evil)
      yield* role(`${victim} login password 'x'`, victim)
      yield* sql.unsafe(`grant create on database ${name} to ${victim}`)
      yield* sql.unsafe(`create schema countersign authorization ${evil}`)
      yield* sql.unsafe(`grant all on schema countersign to ${victim}`)
      const address = new URL(Redacted.value(connection.url))
      Object.assign(address, { username: victim, password: "x" })
      const url = Redacted.make(address.href)
      const { message, reason } = yield* Effect.flip(open({ url }))
      assert.deepInclude(reason, { _tag: "ForeignTables", schema: "countersign", owner: evil, role: victim })
      assert.include(message, "configure that schema")
      // Tables of another role in the service's own schema are just as unsafe.
      yield* sql.unsafe(`alter schema countersign owner to ${victim}`)
      yield* sql.unsafe(`create table countersign.countersign_migrations (migration_id int)`)
      yield* sql.unsafe(`alter table countersign.countersign_migrations owner to ${evil}`)
      assert.strictEqual((yield* Effect.flip(open({ url }))).reason._tag, "ForeignTables")
      yield* sql.unsafe("drop table countersign.countersign_migrations")
      yield* sql.unsafe(`alter schema countersign owner to ${evil}`)
      yield* sql.unsafe(`grant all on schema countersign to ${victim}`)
      const said: Array<string> = []
      const logger = Logger.make(({ message }) => void said.push(String(message)))
      yield* Effect.provide(open({ url, schema: "countersign" }), Logger.layer([logger]))
      assert.include(said.join(), `belongs to the role ${evil}`)
    }).pipe(Effect.scoped, inOwnDatabase)
)

it.live("services in two schemas of one database neither wait for each other nor wake each other", () =>
  Effect.gen(function* () {
    const { sql, url } = yield* TestDatabase
    const odd = `We"ird, näme; select 1`
    yield* open({ schema: odd })
    assert.deepStrictEqual(yield* schemas, [odd])
    // Another process holds the migration lock of the other schema for long.
    const migrator = yield* PgConnection.make({ url, startupParameters: { search_path: PgSchema.searchPath(odd) } })
    yield* migrator.query(`select pg_advisory_lock(${PgSchema.migrationLock})`)
    const second = yield* Layer.build(storage({ schema: "second" }))
    yield* migrator.query(`select pg_advisory_unlock(${PgSchema.migrationLock})`)
    const first = yield* Layer.build(storage({ schema: odd }))
    const channelOf = (ports: Context.Context<PgDatabase>) =>
      Context.get(ports, PgDatabase).query(`select ${PgSchema.jobChannel}`, [])
    assert.notDeepEqual(yield* channelOf(first), yield* channelOf(second))
    const now = yield* Clock.currentTimeMillis
    const job: Job.NewJob = { key: "one", environment: "env", kind: "send", payload: {}, runAt: now }
    yield* Context.get(first, OutboxStore).append({ ...noRecords, jobs: [job] })
    const claim = { kinds: [{ kind: "send", lease: 1_000 }], limit: 9, now: now + 1 }
    assert.deepStrictEqual(yield* Context.get(second, JobStore).claim(claim), [])
    assert.lengthOf(yield* Context.get(first, JobStore).claim(claim), 1)
    assert.deepStrictEqual(yield* sql`select * from pg_tables where schemaname = 'public'`, [])
  }).pipe(Effect.scoped, inOwnDatabase)
)

it.live("a role that may not create the schema gets the statement that its owner must run", () =>
  Effect.gen(function* () {
    const { name, sql, url } = yield* TestDatabase
    const smallRole = `small_in_${name}`
    yield* role(`${smallRole} login password 'small'`, smallRole)
    const address = new URL(Redacted.value(url))
    address.username = smallRole
    address.password = "small"
    const small = { url: Redacted.make(address.href), connections: 2 }
    const refused = Effect.map(Effect.flip(open(small)), ({ message, reason }) => {
      assert.strictEqual(reason._tag, "SchemaMissing")
      return message.slice(message.indexOf("run: ") + 5)
    })
    const statement = yield* refused
    assert.strictEqual(statement, `create schema "countersign" authorization "${smallRole}"`)
    yield* sql.unsafe("create schema countersign")
    const second = yield* refused
    assert.strictEqual(second, `grant usage, create on schema "countersign" to "${smallRole}"`)
    yield* sql.unsafe(second)
    yield* open(small)
    yield* sql.unsafe(`drop schema countersign cascade`)
    yield* sql.unsafe(statement)
    yield* open(small)
  }).pipe(Effect.scoped, inOwnDatabase)
)

it.live("a Postgres that accepts no writes is refused with a reason, or waited for", () =>
  Effect.gen(function* () {
    const { name, sql, url } = yield* TestDatabase
    yield* sql.unsafe(`alter database ${name} set default_transaction_read_only = on`)
    const { message, reason } = yield* Effect.flip(open())
    assert.deepInclude(reason, { _tag: "ReadOnly", standby: false })
    assert.include(message, "read-only")
    const waiting = yield* Effect.forkChild(open({ patience: "30 seconds" }), { startImmediately: true })
    const writing = yield* PgConnection.make({ url })
    yield* writing.query("begin read write")
    yield* writing.query(`alter database ${name} reset default_transaction_read_only`)
    yield* writing.query("commit")
    yield* Fiber.join(waiting)
  }).pipe(Effect.scoped, inOwnDatabase)
)

it.effect.each([
  ["", "a name"],
  [" a", "spaces"],
  ["a\u0000b", "control"],
  ["ä".repeat(32), "63 bytes"],
  ["pg_catalog", "reserved by Postgres"],
  ["$user", "must not be $user"]
])("%j is not a valid schema name", ([name, problem]) =>
  Effect.sync(() => assert.include(PgSchema.problemOf(name!), problem))
)
