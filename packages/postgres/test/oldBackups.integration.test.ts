import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { migrationsUpTo } from "../src/backup/ourTables.ts"
import { PgBackup } from "../src/index.ts"
import * as Migrations from "../src/Migrations.ts"
import * as Migrator from "../src/Migrator.ts"
import { oldTables } from "./OldTables.ts"
import { TestDatabase } from "./TestDatabase.ts"

const rows = 20

/** The first, and the last whose jobs have no owners. */
it.live.each([1, 9])("a backup of tables of version %i is restored whole and brought up to date", (version) =>
  Effect.gen(function* () {
    const { connection, sql, url } = yield* TestDatabase
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "countersign-old-backup-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    const file = join(folder, "old.backup")
    yield* sql`create schema countersign`
    yield* Migrator.run(connection, migrationsUpTo(version))
    const tables = yield* oldTables(sql, version)
    for (const { insert } of tables) yield* sql.unsafe(insert, [1, rows])
    yield* sql`insert into job (key, environment, kind, payload, run_at, attempt)
      values ('send:1', 'env_1', 'send', '{}', now(), 0)`
    yield* PgBackup.backup({ from: { url }, to: file, version: "0.0.0" })

    const restored = yield* PgBackup.restore({
      into: { url, schema: "restored" },
      from: file,
      fits: () => Effect.succeed(true),
      resume: false
    })
    assert.strictEqual(restored.header.schema, version)
    assert.strictEqual(restored.rows, tables.length * rows + 1)
    assert.deepStrictEqual(restored.putAside, { jobs: 1, campaigns: 0 })
    yield* sql`alter schema countersign rename to before`
    yield* sql`alter schema restored rename to countersign`
    for (const { count, name } of tables) {
      const [found] = yield* sql.unsafe<{ count: number }>(count, [1, rows])
      assert.deepStrictEqual([name, found?.count], [name, rows])
    }
    const newest = yield* sql`select max(migration_id) as version from countersign_migrations`
    assert.deepStrictEqual(newest, [{ version: Migrations.latest }])
    const held = yield* sql`select from job where owner is not null`
    assert.lengthOf(held, 0)
  }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
)
