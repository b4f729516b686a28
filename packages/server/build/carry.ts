import { execFile } from "node:child_process"
import { cp, mkdir, readdir, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const run = promisify(execFile)
const packages = fileURLToPath(new URL("../..", import.meta.url))

/** PGlite's code is bundled; these are the files that it reads. */
const pglite = dirname(createRequire(join(packages, "postgres", "package.json")).resolve("@electric-sql/pglite"))

/** The new database with empty tables, created now unless it is there for these migrations. */
const empty = async (): Promise<string> => {
  await run(process.execPath, [join(packages, "postgres", "src", "makeEmptyDatabase.ts")])
  const folder = join(packages, "postgres", "empty")
  const [archive, ...others] = (await readdir(folder)).filter((name) => name.endsWith(".tar.zst"))
  if (archive === undefined || others.length > 0) throw new Error(`There is not exactly one archive in ${folder}`)
  return join(folder, archive)
}

/** Puts the files that a built program carries into a folder: those of the embedded database. */
export const carryDatabase = async (into: string): Promise<void> => {
  const folder = join(into, "pglite")
  await mkdir(folder, { recursive: true })
  for (const name of ["pglite.wasm", "pglite.data", "initdb.wasm"]) await cp(join(pglite, name), join(folder, name))
  await cp(await empty(), join(folder, "empty.tar.zst"))
}

/** And those of the dashboard, which is built if it is not there or not of these sources. */
export const carryPage = async (into: string): Promise<void> => {
  await run(process.execPath, [join(packages, "dashboard", "build", "main.ts"), join(into, "page")])
}

/** All of them, in place of what was there. */
export const carry = async (into: string): Promise<void> => {
  await rm(into, { recursive: true, force: true })
  await carryDatabase(into)
  await carryPage(into)
}
