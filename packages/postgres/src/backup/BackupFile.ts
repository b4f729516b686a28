import { createHash, randomBytes } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import { open, realpath, rename, rm, stat } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { Readable, type Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
// Imported as a namespace: on an older Node a missing named import would fail before Countersign can say which Node it
// needs.
import * as zlib from "node:zlib"
import { Stop } from "./BackupError.ts"

/** The first line of a backup. */
export interface Header {
  readonly countersign: "backup"
  readonly format: 2
  /** The version of the service that wrote it. */
  readonly version: string
  /** Every migration that its tables have had. */
  readonly migrations: ReadonlyArray<number>
  /** The instant of the backed-up data. */
  readonly at: string
  /** Fingerprints of the master secrets used with the storage. */
  readonly fingerprints: ReadonlyArray<string>
  readonly partitions: ReadonlyArray<Partition>
}

export interface Partition {
  readonly parent: string
  readonly name: string
  readonly low: string
  readonly high: string
}

/** The table, and the names and types of its columns, for the rows that follow. */
export interface Table {
  readonly table: string
  readonly columns: ReadonlyArray<readonly [name: string, type: string]>
}

/** Versions before 1.0 wrote format 1. */
const format = 2
/** Longer than any line we write. Reading a longer one would only fill the memory. */
const longestLine = 64 * 1024 * 1024

/** Adds a last line with the number of lines and their hash. A truncated file lacks it. */
async function* sealed(lines: AsyncIterable<string>): AsyncGenerator<string> {
  const hash = createHash("sha256")
  let count = 0
  for await (const line of lines) {
    hash.update(line).update("\n")
    count++
    yield `${line}\n`
  }
  yield `${JSON.stringify({ end: count, sha256: hash.digest("hex") })}\n`
}

const compress = () =>
  zlib.createZstdCompress({
    params: { [zlib.constants.ZSTD_c_compressionLevel]: 3, [zlib.constants.ZSTD_c_checksumFlag]: 1 }
  })

/** Writes lines to a stream with backpressure. */
export const writeTo = (lines: AsyncIterable<string>, out: Writable, options: { readonly end: boolean }) =>
  pipeline(Readable.from(sealed(lines)), compress(), out, { end: options.end })

/**
 * Resolves a symbolic link, so that a rename replaces its target. Refuses a device or a pipe, which a rename would
 * replace.
 */
const placeOf = async (name: string): Promise<string> => {
  const found = await stat(name).catch(() => undefined)
  if (found === undefined || found.isDirectory()) return name
  if (!found.isFile()) throw new Stop(`${name} is no file: name one, or give - and send the output there`)
  return realpath(name)
}

/**
 * Writes a file that only its owner may read. It appears completely or not at all, even after a crash of the machine.
 */
export const write = async (lines: AsyncIterable<string>, name: string): Promise<void> => {
  const file = await placeOf(name)
  const unfinished = `${file}.${randomBytes(4).toString("hex")}.unfinished`
  try {
    await writeTo(lines, createWriteStream(unfinished, { mode: 0o600, flags: "wx", flush: true }), { end: true })
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  try {
    const directory = await open(dirname(resolve(file)))
    await directory.sync()
    await directory.close()
  } catch {
    // Some systems cannot sync a directory.
  }
}

/** The lines of a backup. Fails at the end unless the backup is complete, so no line may take effect before that. */
export async function* read(from: string | Readable): AsyncGenerator<string> {
  const source = typeof from === "string" ? createReadStream(from) : from
  const plain = zlib.createZstdDecompress()
  source.once("error", (error: Error) => plain.destroy(error))
  source.pipe(plain)
  const hash = createHash("sha256")
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let count = 0
  let rest = ""
  let end: string | undefined
  try {
    for await (const chunk of plain) {
      const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split("\n")
      rest = lines.pop() ?? ""
      if (rest.length > longestLine) throw new Stop("This file is not a backup of this service, or it is damaged")
      for (const line of lines) {
        if (end !== undefined) throw new Stop("The backup is damaged: it has data after its end")
        if (line.startsWith('{"end":')) {
          end = line
          continue
        }
        hash.update(line).update("\n")
        count++
        yield line
      }
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && /^(ZSTD_|Z_|ERR_ENCODING)/.test(String(error.code)))
      throw new Stop(
        /prefix_unknown/.test(String(error.code))
          ? "This file is not a backup of this service"
          : "The backup is damaged or incomplete: use another backup"
      )
    throw error
  } finally {
    source.destroy()
  }
  if (end === undefined || rest !== "") throw new Stop("The backup is incomplete: use another backup")
  if (end !== JSON.stringify({ end: count, sha256: hash.digest("hex") }))
    throw new Stop("The backup was changed after it was written: use another backup")
}

/** Parses the first line. Refuses a backup that this version cannot restore. */
export const headerOf = (line: string | undefined, known: ReadonlyArray<number>): Header => {
  let header: Header
  try {
    header = JSON.parse(line ?? "") as Header
  } catch {
    throw new Stop("This file is not a backup of this service")
  }
  if (header?.countersign !== "backup") throw new Stop("This file is not a backup of this service")
  const written = Number(header.format)
  if (written === 1)
    throw new Stop(
      "The backup was written by a version of Countersign before 1.0, whose tables later versions cannot read: restore it with that version, or start with an empty database"
    )
  const isNewer = (details: string) =>
    new Stop(`The backup was written by a newer version (${header.version}, ${details}): restore it with that version`)
  if (written !== format) throw isNewer(`format ${written}; this version supports ${format}`)
  const { migrations } = header
  if (!Array.isArray(migrations) || !migrations.every(Number.isInteger))
    throw new Stop("The backup is damaged: its list of migrations cannot be read")
  const unknown = migrations.filter((id) => !known.includes(id))
  if (unknown.length > 0) throw isNewer(`tables ${unknown.join(", ")}; this version supports ${Math.max(...known)}`)
  return header
}
