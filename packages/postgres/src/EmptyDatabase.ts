import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
// The whole module: a named import that an older Node lacks fails before Countersign can say which Node it needs.
import * as zlib from "node:zlib"
import type { PgliteFiles } from "./PgliteFiles.ts"

/**
 * What PGlite's initdb makes, kept as one compressed archive: unpacking it takes a quarter of a second, making it three
 * whole ones. It is made when this package is installed from its sources or packed, by `makeEmptyDatabase.ts`, from the
 * PGlite that is installed then, and is named after its version. Where there is none for the version that runs, initdb
 * makes the database as ever.
 */
const nameFor = (version: string) => `pglite-${version}.tar.zst`

// Spelled as a path: bundlers take `new URL("…", import.meta.url)` for a file to bundle, and this is a folder.
const directory = join(dirname(fileURLToPath(import.meta.url)), "..", "empty")

/** Which PGlite this package would load. */
export const versionOfPglite = (): string => {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite")
  const manifest: unknown = JSON.parse(readFileSync(join(dirname(entry), "..", "package.json"), "utf8"))
  if (typeof manifest === "object" && manifest !== null && "version" in manifest) return String(manifest.version)
  throw new Error("The manifest of @electric-sql/pglite has no version")
}

/** Where `makeEmptyDatabase.ts` puts the archive for a version. */
export const pathFor = (version: string): string => join(directory, nameFor(version))

/** A checksum tells a damaged archive; the long window sees that three databases in it are nearly the same. */
export const pack = (tar: Uint8Array): Uint8Array =>
  zlib.zstdCompressSync(tar, {
    params: {
      [zlib.constants.ZSTD_c_compressionLevel]: 6,
      [zlib.constants.ZSTD_c_windowLog]: 25,
      [zlib.constants.ZSTD_c_enableLongDistanceMatching]: 1,
      [zlib.constants.ZSTD_c_checksumFlag]: 1
    }
  })

/** Room for the whole archive. In pieces of 16 KB, as by default, unpacking takes seven times as long. */
const chunkSize = 64 * 1024 * 1024

const installed = async (place: string) => readFile(join(place, nameFor(versionOfPglite())))

/**
 * The archive that a program carries, or the one for the PGlite that is installed. One that is missing, damaged or for
 * another version is no error: it is undefined, and initdb makes the database.
 */
export const load = async (
  files?: PgliteFiles,
  place: string = directory
): Promise<Buffer<ArrayBuffer> | undefined> => {
  try {
    const packed = await (files === undefined ? installed(place) : files("empty.tar.zst"))
    return await promisify(zlib.zstdDecompress)(packed, { chunkSize })
  } catch {
    return undefined
  }
}

const block = 512
const directoryType = "5"

/** The entries of a tar archive as PGlite writes them: paths below the data directory, none longer than a header has room for. */
const entries = function* (tar: Uint8Array) {
  const text = (start: number, length: number) =>
    Buffer.from(tar.buffer, tar.byteOffset + start, length)
      .toString("latin1")
      .split("\0", 1)[0]!
  for (let at = 0; at + block <= tar.length && tar[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12), 8)
    const name = text(at, 100)
    if (!/^\/?[\w.]+(\/[\w.]+)*\/?$/.test(name) || name.split("/").includes("..") || !(size >= 0))
      throw new Error(`Not an archive of a database: ${name}`)
    yield {
      name,
      isDirectory: text(at + 156, 1) === directoryType,
      content: tar.subarray(at + block, at + block + size)
    }
    at += block + Math.ceil(size / block) * block
  }
}

/**
 * Puts an empty database into a directory that is not there, with modes for its owner alone. All of it appears at once:
 * a process that is killed meanwhile leaves nothing that the next start would take for a database.
 */
export const unpackInto = (tar: Uint8Array, data: string): void => {
  const unfinished = `${data}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  for (const { content, isDirectory, name } of entries(tar)) {
    const path = join(unfinished, name)
    if (isDirectory) mkdirSync(path, { recursive: true, mode: 0o700 })
    else writeFileSync(path, content, { mode: 0o600 })
  }
  renameSync(unfinished, data)
}
