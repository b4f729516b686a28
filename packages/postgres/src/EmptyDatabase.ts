import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
// Imported as a namespace: on an older Node a missing named import would fail before Countersign can say which Node it
// needs.
import * as zlib from "node:zlib"
import * as Migrations from "./Migrations.ts"
import type { PgliteFiles } from "./PgliteFiles.ts"

/**
 * A new database with empty tables: the result of PGlite's initdb and of every migration, as one compressed archive.
 * Unpacking it takes 0.25 seconds of processor time; initdb and the migrations take 5.
 *
 * `makeEmptyDatabase.ts` creates it when this package is installed from source or packed. Its name contains PGlite's
 * version and a digest of the migrations, so an archive of other tables is never used. Without an archive of that name,
 * the start runs initdb and the migrations.
 */
const nameFor = (version: string) => `pglite-${version}-${digest()}.tar.zst`

/** What the tables follow from. Increase the first number when `makeEmptyDatabase.ts` changes what it creates. */
const digest = () =>
  createHash("sha256")
    .update(JSON.stringify([1, Migrations.all]))
    .digest("hex")
    .slice(0, 16)

/** The command that creates the archive again. */
export const command = "npx -y pnpm@12 --filter @countersign/postgres run prepare"

// Built as a path because bundlers treat `new URL("…", import.meta.url)` as a file to bundle, and this is a directory.
const directory = join(dirname(fileURLToPath(import.meta.url)), "..", "empty")

/** The version of the PGlite that this package would load. */
export const versionOfPglite = (): string => {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite")
  const manifest: unknown = JSON.parse(readFileSync(join(dirname(entry), "..", "package.json"), "utf8"))
  if (typeof manifest === "object" && manifest !== null && "version" in manifest) return String(manifest.version)
  throw new Error("The manifest of @electric-sql/pglite has no version")
}

/** The path of the archive for a PGlite version. */
export const pathFor = (version: string): string => join(directory, nameFor(version))

/** The checksum detects a damaged archive. The long window deduplicates the three nearly identical databases in it. */
export const pack = (tar: Uint8Array): Uint8Array =>
  zlib.zstdCompressSync(tar, {
    params: {
      [zlib.constants.ZSTD_c_compressionLevel]: 6,
      [zlib.constants.ZSTD_c_windowLog]: 25,
      [zlib.constants.ZSTD_c_enableLongDistanceMatching]: 1,
      [zlib.constants.ZSTD_c_checksumFlag]: 1
    }
  })

/** Large enough for the whole archive: with the default of 16 KB, unpacking takes seven times as long. */
const chunkSize = 64 * 1024 * 1024

const installed = async (place: string) => readFile(join(place, nameFor(versionOfPglite())))

/**
 * The archive from `files`, or the one for the installed PGlite. Undefined when it is missing, damaged, or for another
 * version or other migrations; then initdb and the migrations create the database.
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

/**
 * Reads the entries of a tar archive from PGlite. Every path is below the data directory and fits into the tar header.
 */
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
 * Unpacks the archive into a new directory that only its owner can access. The directory appears complete or not
 * at all: a process killed halfway leaves nothing that the next start would open as a database.
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
