import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { StorageHealth } from "@countersign/core/storage"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger } from "effect"
import { copyBeforeUpgrade, lastCopy } from "../src/backup/copyBeforeUpgrade.ts"
import * as Session from "../src/backup/Session.ts"
import * as Embedded from "../src/Embedded.ts"
import { PgStorage } from "../src/index.ts"
import { statements } from "../src/Migration.ts"
import * as Migrations from "../src/Migrations.ts"
import * as Migrator from "../src/Migrator.ts"

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "countersign-upgrade-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

/** Reads a database without migrating it. */
const asked = (data: string, ...statements: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const session = yield* Session.open(yield* Embedded.openFiles(data, "0"))
      return yield* Effect.forEach(statements, (statement) => Effect.promise(() => session(statement)))
    })
  )
const version = "select max(migration_id)::int from countersign_migrations"

/** Creates a database with these migrations and statements. */
const directoryWith = Effect.fnUntraced(function* (
  migrations: Migrations.Migrations,
  ...statements: ReadonlyArray<string>
) {
  const directory = yield* temporary
  const data = join(directory, "data")
  yield* Effect.scoped(Effect.flatMap(Embedded.openFiles(data, "0"), (to) => Migrator.run(to, migrations)))
  yield* asked(data, ...statements)
  return directory
})

const said: Array<unknown> = []
const open = (directory: string) =>
  Effect.scoped(
    Effect.flatMap(Layer.build(PgStorage.layerEmbedded({ directory })), (ports) =>
      Effect.sync(() => Context.get(ports, StorageHealth))
    )
  ).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => said.push(message))])))
const entries = (directory: string) => readdirSync(directory).filter((entry) => /^(copy|data)/.test(entry))
const named = (from: string) => `data.${from}-before-${String(Migrations.latest).padStart(4, "0")}`

it.live(
  "an embedded directory is copied before its tables are upgraded, and a failed upgrade explains how to go back",
  () =>
    Effect.gen(function* () {
      const inTheWay = "known_subject"
      const directory = yield* directoryWith(
        {},
        "create table kept as select 'Acme' as name",
        `create table ${inTheWay} ()`
      )
      const copy = join(directory, named("0000"))
      const failure = yield* Effect.flip(open(directory))
      assert.include(failure.message, "0001_schema")
      assert.include(failure.message, `rename the copy to data`)
      assert.include(failure.message, copy)
      assert.strictEqual(statSync(copy).mode & 0o777, 0o700)
      assert.isTrue(JSON.stringify(said).includes(copy))

      // The next start continues the upgrade, and keeps the copy that the old version can open.
      yield* Effect.flip(open(directory))
      assert.deepStrictEqual(entries(directory), ["data", named("0000")])
      assert.deepStrictEqual((yield* asked(join(directory, "data"), version))[0], [[null]])
      yield* asked(join(directory, "data"), `drop table ${inTheWay}`)
      yield* open(directory)
      assert.deepStrictEqual((yield* asked(join(directory, "data"), version))[0], [[Migrations.latest]])

      // As the message suggests.
      rmSync(join(directory, "data"), { recursive: true })
      renameSync(copy, join(directory, "data"))
      const [at, name] = yield* asked(join(directory, "data"), version, "select name from kept")
      assert.deepStrictEqual([at, name], [[[null]], [["Acme"]]])
    }).pipe(Effect.scoped),
  60_000
)

it.live.each(["countersign", "public"])(
  "a directory of a version before 1.0, with its tables in the schema %s, is refused and neither copied nor changed",
  (schema) =>
    Effect.gen(function* () {
      const directory = yield* directoryWith({ "0001_tables": statements([]), "0002_devices": statements([]) })
      if (schema === "public")
        yield* asked(join(directory, "data"), "alter table countersign_migrations set schema public")
      const { message } = yield* Effect.flip(open(directory))
      assert.include(message, "were created by a version of Countersign before 1.0")
      assert.include(message, "another directory in COUNTERSIGN_DATA_DIR")
      assert.deepStrictEqual(entries(directory), ["data"])
      const [ran] = yield* asked(join(directory, "data"), `select count(*)::int from ${schema}.countersign_migrations`)
      assert.deepStrictEqual(ran, [[2]])
    }).pipe(Effect.scoped),
  60_000
)

it.live(
  "a first start and a start without an upgrade copy nothing, one copy is kept, and without space nothing changes",
  () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      yield* open(directory)
      yield* open(directory)
      assert.deepStrictEqual(entries(directory), ["data"])
      assert.isUndefined(lastCopy(directory))

      const without = () => 1024 * 1024
      assert.throws(() => copyBeforeUpgrade(directory, { from: 33, to: 40 }, without), /Free \d+ MB/)
      assert.deepStrictEqual(entries(directory), ["data"])
      const first = copyBeforeUpgrade(directory, { from: 33, to: 40 })
      assert.strictEqual(copyBeforeUpgrade(directory, { from: 36, to: 40 }, without), first)
      assert.throws(() => copyBeforeUpgrade(directory, { from: 33, to: 40 }, without), first)
      rmSync(join(first, "PG_VERSION"))
      assert.strictEqual(copyBeforeUpgrade(directory, { from: 33, to: 40 }), first)
      assert.isTrue(existsSync(join(first, "PG_VERSION")))
      const second = copyBeforeUpgrade(directory, { from: 40, to: 41 })
      assert.strictEqual(lastCopy(directory), second)
      assert.deepStrictEqual(entries(directory), ["data", "data.0040-before-0041"])
    }).pipe(Effect.scoped),
  60_000
)
