import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pack, pathFor, versionOfPglite } from "./EmptyDatabase.ts"

/**
 * Creates the archive of an empty database for the installed PGlite, unless it exists. Runs as the `prepare` script.
 */
const path = pathFor(versionOfPglite())
if (!existsSync(path)) {
  const { PGlite } = await import("@electric-sql/pglite")
  const pglite = await PGlite.create()
  // A checkpoint, so that a database unpacked from the archive needs no recovery.
  await pglite.exec("checkpoint")
  const tar = await pglite.dumpDataDir("none")
  await pglite.close()
  const packed = pack(new Uint8Array(await tar.arrayBuffer()))
  mkdirSync(dirname(path), { recursive: true })
  for (const old of readdirSync(dirname(path))) if (old.endsWith(".zst")) rmSync(join(dirname(path), old))
  // Renamed into place, so that a concurrent reader finds the whole file or none.
  writeFileSync(`${path}.${process.pid}`, packed)
  renameSync(`${path}.${process.pid}`, path)
}
