import { Code, Keyring, Merchants, Verifications } from "@countersign/core"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { online, statements } from "../src/Migration.ts"
import * as Migrations from "../src/Migrations.ts"
import * as Migrator from "../src/Migrator.ts"
import { settings } from "../src/settings.ts"
import { core, secret } from "./Login.ts"
import { oldTables } from "./OldTables.ts"
import { storage, TestDatabase } from "./TestDatabase.ts"

const rows = Number(process.env["UPGRADE_ROWS"] ?? "200")
const writers = 3

/** Connects like a process of an older version. */
const oldProcess = Effect.flatMap(TestDatabase, ({ connection }) =>
  Effect.provide(
    PgClient.make({
      ...connection,
      maxConnections: writers,
      startupParameters: {
        ...settings,
        ...connection.startupParameters,
        statement_timeout: "5000",
        lock_timeout: "2000",
        "countersign.process": "42"
      }
    }),
    Reactivity.layer
  )
)

/** Writes and reads with the old statements until it is stopped, and records what was acknowledged. */
const load = Effect.gen(function* () {
  const { sql } = yield* TestDatabase
  const old = yield* oldProcess
  const tables = yield* oldTables(sql)
  for (const { insert } of tables) yield* sql.unsafe(insert, [1, rows])
  const stop = { now: false }
  const updated = new Map<string, number>()
  let [last, rounds] = [rows, 0]
  const round = Effect.gen(function* () {
    const row = ++last
    // One statement writes everything that belongs to a change.
    const parts = tables.map(({ insert, name }) => `w_${name} as (${insert.replaceAll("$2", "$1")})`)
    if (row % 2 === 0) yield* old.unsafe(`with ${parts.join(", ")} select 1`, [row])
    for (const { insert, name, select, update } of tables) {
      if (row % 2 === 1) yield* old.unsafe(insert, [row, row])
      const [found] = yield* old.unsafe(select, [row])
      assert.isDefined(found, `${name} ${row} was acknowledged and is not found`)
      // Other processes change the same rows concurrently.
      const changed = yield* old.unsafe(update, [1 + ((row * 7) % rows)])
      assert.lengthOf(changed, 1)
      updated.set(name, (updated.get(name) ?? 0) + 1)
    }
    rounds++
  })
  const fibers = yield* Effect.forEach(Array.from({ length: writers }), () =>
    Effect.forkScoped(Effect.whileLoop({ while: () => !stop.now, body: () => round, step: () => {} }))
  )
  const finish = Effect.gen(function* () {
    stop.now = true
    yield* Effect.forEach(fibers, Fiber.join)
    for (const { count, counts, name } of tables) {
      const [found] = yield* sql.unsafe<{ count: number; coalesce: number }>(count, [1, last])
      assert.deepStrictEqual(
        [name, found?.count, found?.coalesce],
        [name, last, counts ? updated.get(name) : 0],
        "rows, and how often they were changed"
      )
    }
    return last
  })
  /** Waits until each process has finished one more round, or one of them failed. */
  const goesOn = Effect.suspend(() => {
    const until = rounds + 2 * writers
    const waits = Effect.whileLoop({ while: () => rounds < until, body: () => Effect.sleep(5), step: () => {} })
    return Effect.raceFirst(waits, Effect.forEach(fibers, Fiber.join, { concurrency: "unbounded", discard: true }))
  })
  return { finish, goesOn }
})

/** Every kind of step that a later version may take. Each must let processes of this version continue. */
const future: Migrations.Migrations = {
  ...Migrations.all,
  "0997_columns": statements([
    "alter table verification add column future text",
    "alter table job add column future int not null default 0",
    "create table future (id int primary key)"
  ]),
  "0998_rows": online([
    "update job set future = 1 where future = 0",
    "drop index concurrently if exists subject_future",
    "create index concurrently subject_future on subject (canonical)"
  ]),
  "0999_partitions": online([
    "create index if not exists verification_future on only verification (future)",
    {
      each: `select step from pg_inherits p join pg_class c on c.oid = p.inhrelid
        cross join lateral (values
          (1, format('drop index concurrently if exists %I', c.relname || '_future')),
          (2, format('create index concurrently %I on %I (future)', c.relname || '_future', c.relname)),
          (3, format('alter index verification_future attach partition %I', c.relname || '_future'))
        ) as s(n, step)
        where p.inhparent = 'verification'::regclass order by c.relname, n`
    }
  ])
}

it.live(
  "tables are upgraded while processes of the previous version continue and lose nothing",
  () =>
    Effect.gen(function* () {
      const { connection, sql } = yield* TestDatabase
      const services = yield* Layer.build(Layer.provide(core, storage()))
      const keyring = Context.get(yield* Layer.build(Keyring.layer({ secret: Redacted.make(secret) })), Keyring)
      const verifications = Context.get(services, Verifications)
      const merchants = Context.get(services, Merchants)
      const { live } = yield* merchants.create("Acme")
      const caller = yield* merchants.authenticate(live.clientId, live.clientSecret)
      const initiate = (identity: string) =>
        verifications.initiate(caller, { identity, identityType: "MOBILE", mode: "OTP", channel: "SMS" })
      const verify = ({ codeLength, id }: { readonly id: string; readonly codeLength: number }) =>
        verifications.verify(caller, { requestId: id, otp: Code.derive(keyring.current, id, codeLength) })
      const before = yield* initiate("+919876599998")

      const { finish, goesOn } = yield* load
      yield* goesOn
      assert.deepStrictEqual(
        yield* Migrator.run(connection, future),
        Object.keys(future).filter((name) => !(name in Migrations.all))
      )
      yield* goesOn
      yield* finish

      const invalid = yield* sql`select from pg_index where not indisvalid`
      assert.lengthOf(invalid, 0)
      assert.strictEqual((yield* verify(before.verification))._tag, "Verified")
      const after = yield* initiate("+919876599999")
      assert.strictEqual((yield* verify(after.verification))._tag, "Verified")
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
  120_000
)
