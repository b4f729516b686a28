import { Code, Keyring, Merchants, SecretHash, Verifications } from "@countersign/core"
import { Subject } from "@countersign/core/storage"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Clock, Context, Effect, Fiber, Layer, Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { migrationsUpTo } from "../src/backup/ourTables.ts"
import * as Migrations from "../src/Migrations.ts"
import * as Migrator from "../src/Migrator.ts"
import { settings } from "../src/settings.ts"
import { asOfOld, caller, codeFor, core, environment, secret } from "./OldLogin.ts"
import { oldTables } from "./OldTables.ts"
import { storage, TestDatabase } from "./TestDatabase.ts"

/** `UPGRADES=all` upgrades from every version there was, as `pnpm chaos` does. */
const versions = Object.keys(Migrations.all).map(Migrations.numberOf)
const chosen = process.env["UPGRADES"] === "all" ? versions.slice(0, -1) : [5, 16]
const rows = Number(process.env["UPGRADE_ROWS"] ?? "200")
const writers = 3

/** As a process of an older version connects. */
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

/** Writes and reads in the old way until it is told to stop, and knows what was acknowledged. */
const load = Effect.fnUntraced(function* (version: number) {
  const { sql } = yield* TestDatabase
  const old = yield* oldProcess
  const tables = yield* oldTables(sql, version)
  for (const { insert } of tables) yield* sql.unsafe(insert, [1, rows])
  const stop = { now: false }
  const updated = new Map<string, number>()
  let [last, rounds] = [rows, 0]
  const round = Effect.gen(function* () {
    const row = ++last
    // What belongs to one change is written by one statement.
    const parts = tables.map(({ insert, name }) => `w_${name} as (${insert.replaceAll("$2", "$1")})`)
    if (row % 2 === 0) yield* old.unsafe(`with ${parts.join(", ")} select 1`, [row])
    for (const { insert, name, select, update } of tables) {
      if (row % 2 === 1) yield* old.unsafe(insert, [row, row])
      const [found] = yield* old.unsafe(select, [row])
      assert.isDefined(found, `${name} ${row} was acknowledged and is not found`)
      // Others change the same rows at the same time.
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
  /** Until each has done one more round, or one of them failed. */
  const goesOn = Effect.suspend(() => {
    const until = rounds + 2 * writers
    const waits = Effect.whileLoop({ while: () => rounds < until, body: () => Effect.sleep(5), step: () => {} })
    return Effect.raceFirst(waits, Effect.forEach(fibers, Fiber.join, { concurrency: "unbounded", discard: true }))
  })
  return { finish, goesOn }
})

/** A merchant with a key, and a person with a code on the way, as the first version wrote them. */
const somebody = Effect.gen(function* () {
  const { sql } = yield* TestDatabase
  const keyring = Context.get(yield* Layer.build(Keyring.layer({ secret: Redacted.make(secret) })), Keyring)
  const now = yield* Clock.currentTimeMillis
  const verification = codeFor(keyring.current.id, 1, now + 200_000)
  const { canonical } = verification.identity
  const subject = Subject.nowLive(Subject.empty(environment, canonical), verification, verification.createdAt)
  const written = asOfOld(subject, verification)
  yield* sql`insert into subject (environment, canonical, version, state)
    values (${environment}, ${canonical}, 1, ${written.subject})`
  yield* sql`insert into verification (environment, id, canonical, state)
    values (${environment}, ${verification.id}, ${canonical}, ${written.verification})`
  yield* sql`insert into merchant (id, name, status, created_at) values ('mer_1', 'Acme', 'ACTIVE', now())`
  yield* sql`insert into environment (id, merchant_id, kind, settings, settings_version)
    values (${environment}, 'mer_1', 'live', '{}', 1)`
  yield* sql`insert into credential (id, environment, kind, secret_hash, created_at)
    values ('cs_1', ${environment}, 'SERVER', ${SecretHash.hash("sk_1")}, now())`
  const codeOf = (id: string, codeLength: number) => Code.derive(keyring.current, id, codeLength)
  return { verification, codeOf }
})

it.live.each(chosen)(
  "tables of version %i are upgraded while processes of that version go on, and lose nothing",
  (version) =>
    Effect.gen(function* () {
      const { connection } = yield* TestDatabase
      yield* Migrator.run(connection, migrationsUpTo(version))
      const { codeOf, verification } = yield* somebody
      const { finish, goesOn } = yield* load(version)
      yield* goesOn
      const ran = yield* Migrator.run(connection)
      assert.deepStrictEqual(ran.map(Migrations.numberOf), versions.slice(versions.indexOf(version) + 1))
      yield* goesOn
      yield* finish

      const stores = yield* Layer.build(storage())
      const services = yield* Layer.build(Layer.provide(core, Layer.succeedContext(stores)))
      const merchants = Context.get(services, Merchants)
      assert.deepInclude(yield* merchants.authenticate("cs_1", Redacted.make("sk_1")), { environment })
      const verifications = Context.get(services, Verifications)
      const verified = yield* verifications.verify(caller, {
        requestId: verification.id,
        otp: codeOf(verification.id, verification.codeLength)
      })
      assert.strictEqual(verified._tag, "Verified")
      const { verification: started } = yield* verifications.initiate(caller, {
        identity: "+919876599999",
        identityType: "MOBILE",
        mode: "OTP",
        channel: "SMS"
      })
      const again = yield* verifications.verify(caller, {
        requestId: started.id,
        otp: codeOf(started.id, started.codeLength)
      })
      assert.strictEqual(again._tag, "Verified")
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
  120_000
)
