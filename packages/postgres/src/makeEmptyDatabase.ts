import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pack, pathFor, versionOfPglite } from "./EmptyDatabase.ts"

/** Makes the archive of an empty database for the PGlite that is installed, unless it is there. Run as `prepare`. */
const path = pathFor(versionOfPglite())
if (!existsSync(path)) {
  const { PGlite } = await import("@electric-sql/pglite")
  const pglite = await PGlite.create()
  // What reads it has nothing to recover.
  await pglite.exec("checkpoint")
  const tar = await pglite.dumpDataDir("none")
  await pglite.close()
  const packed = pack(new Uint8Array(await tar.arrayBuffer()))
  mkdirSync(dirname(path), { recursive: true })
  for (const old of readdirSync(dirname(path))) if (old.endsWith(".zst")) rmSync(join(dirname(path), old))
  // Whoever reads it meanwhile finds all of it or nothing.
  writeFileSync(`${path}.${process.pid}`, packed)
  renameSync(`${path}.${process.pid}`, path)
}
