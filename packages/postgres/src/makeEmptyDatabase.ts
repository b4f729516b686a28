import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pack, pathFor, versionOfPglite } from "./EmptyDatabase.ts"

/**
 * Creates the archive of a database with empty tables, unless there is one for the installed PGlite and these
 * migrations. Runs as the `prepare` script.
 */
const path = pathFor(versionOfPglite())
if (!existsSync(path)) {
  const [{ Effect }, { empty }] = await Promise.all([import("effect"), import("./Embedded.ts")])
  const packed = pack(await Effect.runPromise(empty))
  mkdirSync(dirname(path), { recursive: true })
  // Renamed into place, so that a concurrent reader finds the whole file or none.
  writeFileSync(`${path}.${process.pid}`, packed)
  renameSync(`${path}.${process.pid}`, path)
  for (const old of readdirSync(dirname(path)))
    if (old.endsWith(".zst") && join(dirname(path), old) !== path) rmSync(join(dirname(path), old), { force: true })
}
