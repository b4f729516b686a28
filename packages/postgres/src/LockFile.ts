import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** The holder of a directory, from its lock file. */
export interface Holder {
  /** Random, so that two holders are never confused. */
  readonly id: string
  /** The kernel it runs on, if known. */
  readonly kernel: string | null
  /** Its socket in the directory, if any. The kernel closes it when the process ends, however it ends. */
  readonly socket: string | null
  readonly pid: number
  readonly host: string
  /** Set by a holder that released the directory. */
  readonly released: boolean
}

const name = /^lock\.([1-9][0-9]{0,14})$/

/**
 * Lock files are numbered, and the holder of the highest number holds the directory. An exclusive create makes each
 * number at most once at a time, and the highest file is never removed. So of all processes that want the next number,
 * exactly one gets it.
 */
export const highest = (directory: string): number =>
  readdirSync(directory).reduce((top, entry) => Math.max(top, Number(name.exec(entry)?.[1] ?? 0)), 0)

const pathOf = (directory: string, number: number) => join(directory, `lock.${number}`)

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : undefined)

/** Creates the file with this number. Returns false when another process did, or has a higher number already. */
export const create = (directory: string, number: number, holder: Holder): boolean => {
  try {
    writeFileSync(pathOf(directory, number), text(holder, 0), { flag: "wx", mode: 0o600 })
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false
    throw error
  }
  if (highest(directory) === number) return true
  rmSync(pathOf(directory, number), { force: true })
  return false
}

/** Padded to one length, so that an overwrite leaves nothing of the older text. */
const text = (holder: Holder, beat: number) => `${JSON.stringify({ ...holder, beat }).padEnd(length)}\n`
const length = 511

/** Writes a heartbeat into the holder's own file. */
export const beat = (directory: string, number: number, holder: Holder, count: number): void =>
  writeFileSync(pathOf(directory, number), text(holder, count), { flag: "r+" })

/** The file's text: any change in it is a heartbeat. Undefined when the file is gone. */
export const read = (directory: string, number: number): string | undefined => {
  try {
    return readFileSync(pathOf(directory, number), "utf8")
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined
    throw error
  }
}

/** Undefined for a file whose writer has not finished, or died while writing. */
export const parse = (written: string): Holder | undefined => {
  try {
    const value: unknown = JSON.parse(written)
    if (typeof value !== "object" || value === null || !("id" in value) || typeof value.id !== "string")
      return undefined
    return value as Holder
  } catch {
    return undefined
  }
}

/**
 * Removes files of earlier holders. A socket is removed with its own lock file: other sockets may belong to waiting
 * processes.
 */
export const removeOlder = (directory: string, number: number): void => {
  for (const entry of readdirSync(directory)) {
    const found = Number(name.exec(entry)?.[1] ?? number)
    if (found >= number) continue
    const socket = parse(read(directory, found) ?? "")?.socket
    if (typeof socket === "string" && isSocketName(socket)) rmSync(join(directory, socket), { force: true })
    rmSync(pathOf(directory, found), { force: true })
  }
}

/** A name from a file becomes a path, so it must be a name that this code gave. */
export const isSocketName = (name: string): boolean => /^lock-[0-9a-f]+\.sock$/.test(name)
