import { PGlite } from "@electric-sql/pglite"
import { Effect } from "effect"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { afterEach, assert, beforeEach, it } from "vitest"
import * as Embedded from "../src/Embedded.ts"
import * as EmptyDatabase from "../src/EmptyDatabase.ts"
import * as Migrations from "../src/Migrations.ts"
import * as Migrator from "../src/Migrator.ts"
import type { PgliteFiles } from "../src/PgliteFiles.ts"

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "countersign-empty-"))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const archive = async () => {
  const tar = await EmptyDatabase.load()
  if (tar === undefined) throw new Error(`There is no archive for these migrations: run ${EmptyDatabase.command}`)
  return tar
}

const pglite = dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite"))

/** PGlite's files without an archive, so that initdb and the migrations create the database. */
const withoutArchive: PgliteFiles = (name) =>
  name === "empty.tar.zst" ? Promise.reject(new Error("missing")) : readFile(join(pglite, name))

const ours = "(select oid from pg_namespace where nspname = 'countersign')"

/** Everything that initdb and the migrations decide, by name. */
const catalogues = {
  databases:
    "select datname, encoding, datlocprovider, datcollate, datctype, datistemplate, datallowconn from pg_database order by 1",
  settings: "select name, setting, source from pg_settings where source <> 'default' order by 1",
  roles: "select rolname, rolsuper, rolpassword from pg_authid order by 1",
  schemas: "select nspname, nspowner::regrole::text, nspacl from pg_namespace order by 1",
  system:
    "select (select count(*) from pg_proc)::int as procedures, (select count(*) from pg_type)::int as types, version()",
  extensions: "select extname, extversion from pg_extension order by 1",
  relations: `select relname, relkind, relpersistence, reloptions, relowner::regrole::text, relacl,
    pg_get_expr(relpartbound, oid) as bound, pg_get_partkeydef(oid) as partitioned
    from pg_class where relnamespace = ${ours} order by 1`,
  columns: `select attrelid::regclass::text as relation, attnum, attname, format_type(atttypid, atttypmod) as type,
    attnotnull, attstorage, attcompression, attidentity, attgenerated, attcollation::regcollation::text as collation,
    pg_get_expr(adbin, adrelid) as default
    from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attrelid in (select oid from pg_class where relnamespace = ${ours}) and attnum > 0 order by 1, 2`,
  types: `select typname, typtype, typcategory from pg_type where typnamespace = ${ours} order by 1`,
  indexes: `select pg_get_indexdef(indexrelid) as definition, indisvalid, indisprimary, indisunique
    from pg_index where indrelid in (select oid from pg_class where relnamespace = ${ours}) order by 1`,
  constraints: `select conrelid::regclass::text as relation, conname, pg_get_constraintdef(oid) as definition, convalidated
    from pg_constraint where connamespace = ${ours} order by 1, 2`,
  functions: `select pg_get_functiondef(oid) as definition from pg_proc where pronamespace = ${ours} order by 1`,
  triggers: `select tgrelid::regclass::text as relation, pg_get_triggerdef(oid) as definition, tgenabled from pg_trigger
    where tgrelid in (select oid from pg_class where relnamespace = ${ours}) and not tgisinternal order by 1, 2`,
  sequences: `select sequencename, data_type, start_value, increment_by, last_value from pg_sequences
    where schemaname = 'countersign' order by 1`,
  ledger: "select migration_id, name from countersign.countersign_migrations order by 1"
}

const countOf = async (database: PGlite, table: string) => {
  const { rows } = await database.query<{ count: number }>(`select count(*)::int as count from countersign."${table}"`)
  return [table, rows[0]!.count] as const
}

const tablesOf = async (database: PGlite) => {
  const { rows } = await database.query<{ relname: string }>(
    `select relname from pg_class where relnamespace = ${ours} and relkind in ('r', 'p') order by 1`
  )
  return rows.map(({ relname }) => relname)
}

const decided = async (database: PGlite) => {
  const read: Record<string, ReadonlyArray<unknown>> = {}
  for (const [name, sql] of Object.entries(catalogues)) read[name] = (await database.query(sql)).rows
  return read
}

it("the archive contains what initdb and every migration create, in a directory and in memory", async () => {
  const [made, unpacked] = [join(directory, "made"), join(directory, "unpacked")]
  await Effect.runPromise(
    Effect.scoped(Effect.flatMap(Embedded.openFiles(made, "0", withoutArchive), (to) => Migrator.run(to)))
  )
  const tar = await archive()
  EmptyDatabase.unpackInto(tar, unpacked)
  const open = [{ dataDir: made }, { dataDir: unpacked }, { loadDataDir: new Blob([tar]) }]
  const [expected, ...archived] = await Promise.all(
    open.map(async (options) => {
      const database = await PGlite.create(options)
      const found = await decided(database)
      await database.close()
      return found
    })
  )
  for (const found of archived)
    for (const [name, rows] of Object.entries(expected!))
      assert.deepStrictEqual(found[name], rows, `${name} differ from the migrations': run ${EmptyDatabase.command}`)
  assert.lengthOf(expected!["ledger"]!, Object.keys(Migrations.all).length)
  for (const name of ["relations", "columns", "indexes", "constraints", "functions", "triggers"])
    assert.isNotEmpty(expected![name], name)
}, 60_000)

it("the archive contains no rows except the migrations that ran, so installations share no key, secret or process", async () => {
  const database = await PGlite.create({ loadDataDir: new Blob([await archive()]) })
  const counts = []
  for (const table of await tablesOf(database)) counts.push(await countOf(database, table))
  assert.isAbove(counts.length, 30)
  assert.deepStrictEqual(
    counts.filter(([, count]) => count > 0),
    [["countersign_migrations", Object.keys(Migrations.all).length]]
  )
  await database.close()
})

it("unpacked files are private to their owner and appear all together, also after a killed start", async () => {
  const data = join(directory, "data")
  mkdirSync(`${data}.unfinished`)
  writeFileSync(join(`${data}.unfinished`, "left.behind"), "x")
  EmptyDatabase.unpackInto(await archive(), data)
  assert.deepStrictEqual(readdirSync(directory), ["data"])
  assert.isFalse(existsSync(join(data, "left.behind")))
  const entries = readdirSync(data, { recursive: true, withFileTypes: true })
  assert.isAbove(entries.length, 900)
  for (const entry of entries) {
    const { mode } = statSync(join(entry.parentPath, entry.name))
    assert.strictEqual(mode & 0o777, entry.isDirectory() ? 0o700 : 0o600, entry.name)
  }
})

it("an archive that is missing, damaged, truncated, of another version or of other migrations is not used", async () => {
  const place = directory
  const name = basename(EmptyDatabase.pathFor(EmptyDatabase.versionOfPglite()))
  const write = (file: string, content: Uint8Array) => writeFileSync(join(directory, file), content)
  const packed = EmptyDatabase.pack(new Uint8Array(1024))
  assert.isUndefined(await EmptyDatabase.load(undefined, place))
  for (const other of [name.replace(/\d+\.\d+\.\d+/, "0.0.1"), name.replace(/[0-9a-f]{16}/, "0".repeat(16))]) {
    assert.notStrictEqual(other, name)
    write(other, packed)
    assert.isUndefined(await EmptyDatabase.load(undefined, place))
  }
  write(name, packed.subarray(0, -1))
  assert.isUndefined(await EmptyDatabase.load(undefined, place))
  const damaged = Uint8Array.from(packed)
  damaged[damaged.length - 1]! ^= 1
  write(name, damaged)
  assert.isUndefined(await EmptyDatabase.load(undefined, place))
  write(name, packed)
  assert.lengthOf((await EmptyDatabase.load(undefined, place))!, 1024)
})

it.each(["../evil", "/etc/../evil", "a/../../evil", "a b"])("an archive that writes to %s is refused", (name) => {
  const tar = new Uint8Array(1024)
  tar.set(Buffer.from(name))
  tar.set(Buffer.from("00000000000"), 124)
  assert.throws(() => EmptyDatabase.unpackInto(tar, join(directory, "data")), /Not an archive/)
  assert.deepStrictEqual(readdirSync(directory), ["data.unfinished"])
})
