import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as BackupFile from "../src/backup/BackupFile.ts"
import * as Restore from "../src/backup/restore.ts"
import * as Session from "../src/backup/Session.ts"
import { PgBackup, PgStorage } from "../src/index.ts"
import { statements } from "../src/Migration.ts"
import * as Migrations from "../src/Migrations.ts"
import { oldTables } from "./OldTables.ts"
import { TestDatabase } from "./TestDatabase.ts"

const rows = 20

/** The next version: it has all our migrations, and one more that changes existing rows. */
const future: Migrations.Migrations = {
  ...Migrations.all,
  "0998_added": statements(["create table added (id int)", "insert into added values (1)"]),
  "0999_filled": statements([
    "alter table merchant add column future text",
    "update merchant set future = 'was ' || name"
  ])
}

it.live("a backup of an older version is restored completely into its own tables, which are then migrated", () =>
  Effect.gen(function* () {
    const { connection, sql, url } = yield* TestDatabase
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "countersign-old-backup-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    const file = join(folder, "old.backup")
    yield* PgStorage.migrate({ url })
    const tables = yield* oldTables(sql)
    for (const { insert } of tables) yield* sql.unsafe(insert, [1, rows])
    yield* sql`insert into job (key, environment, kind, payload, run_at, attempt)
      values ('send:1', 'env_1', 'send', '{}', now(), 0)`
    yield* PgBackup.backup({ from: { url }, to: file, version: "0.0.0" })

    yield* sql`alter schema countersign rename to before`
    yield* sql`create schema countersign`
    const session = yield* Session.open(connection)
    const restored = yield* Effect.promise(() =>
      Restore.restore(connection, session, BackupFile.read(file), {
        accept: () => Promise.resolve(),
        resume: true,
        migrations: future
      })
    )
    assert.deepStrictEqual(restored.header.migrations, [Migrations.latest])
    for (const { count, name } of tables) {
      const [found] = yield* sql.unsafe<{ count: number }>(count, [1, rows])
      assert.deepStrictEqual([name, found?.count], [name, rows])
    }
    const ran = yield* sql<{ id: number }>`select migration_id as id from countersign_migrations order by 1`
    assert.deepStrictEqual(
      ran.map(({ id }) => id),
      Object.keys(future).map(Migrations.numberOf)
    )
    assert.lengthOf(yield* sql`select from merchant where future = 'was ' || name`, rows)
    assert.lengthOf(yield* sql`select from added`, 1)
    assert.lengthOf(yield* sql`select from job where owner is not null`, 0)
  }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
)
