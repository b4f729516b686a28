import { PGlite } from "@electric-sql/pglite"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { afterEach, assert, beforeEach, it } from "vitest"
import * as EmptyDatabase from "../src/EmptyDatabase.ts"

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "countersign-empty-"))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const archive = async () => {
  const tar = await EmptyDatabase.load()
  if (tar === undefined) throw new Error("There is no archive: pnpm install makes it")
  return tar
}

/** The results of initdb: the databases and their locales, the configuration, and the catalogue. */
const decided = async (pglite: PGlite) => {
  const rows = await Promise.all(
    [
      "select datname, encoding, datlocprovider, datcollate, datctype, datistemplate, datallowconn from pg_database order by 1",
      "select name, setting, source from pg_settings where source <> 'default' order by 1",
      "select rolname, rolsuper, rolpassword from pg_authid order by 1",
      "select relnamespace::regnamespace::text as schema, relkind, count(*)::int from pg_class group by 1, 2 order by 1, 2",
      "select (select count(*) from pg_proc)::int as procedures, (select count(*) from pg_type)::int as types, version()"
    ].map((sql) => pglite.query(sql))
  )
  return rows.map((result) => result.rows)
}

it("the archive contains what initdb creates, in a directory and in memory", async () => {
  const data = join(directory, "data")
  const tar = await archive()
  EmptyDatabase.unpackInto(tar, data)
  const all = [
    await PGlite.create(),
    await PGlite.create({ dataDir: data }),
    await PGlite.create({ loadDataDir: new Blob([tar]) })
  ]
  const [made, unpacked, loaded] = await Promise.all(all.map(decided))
  assert.deepStrictEqual(unpacked, made)
  assert.deepStrictEqual(loaded, made)
  await Promise.all(all.map((pglite) => pglite.close()))
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

it("an archive that is missing, damaged, truncated or of another version is not used", async () => {
  const place = directory
  const name = basename(EmptyDatabase.pathFor(EmptyDatabase.versionOfPglite()))
  const write = (file: string, content: Uint8Array) => writeFileSync(join(directory, file), content)
  const packed = EmptyDatabase.pack(new Uint8Array(1024))
  assert.isUndefined(await EmptyDatabase.load(undefined, place))
  write("pglite-0.0.1.tar.zst", packed)
  assert.isUndefined(await EmptyDatabase.load(undefined, place))
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
