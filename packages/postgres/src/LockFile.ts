import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Who holds a directory, as its lock file says. */
export interface Holder {
  /** Random, so that no two holders are ever taken for one. */
  readonly id: string
  /** The kernel it runs on, where that can be told. */
  readonly kernel: string | null
  /** Its socket in the directory, where it has one. The kernel closes it with the process, however that ends. */
  readonly socket: string | null
  readonly pid: number
  readonly host: string
  /** Set by a holder that let go. */
  readonly released: boolean
}

const name = /^lock\.([1-9][0-9]{0,14})$/

/**
 * Lock files have numbers, and the holder of the highest one holds the directory. Each number is made at most once at a
 * time, by an exclusive create, and the highest is never removed, so of all who want the next one exactly one gets it.
 */
export const highest = (directory: string): number =>
  readdirSync(directory).reduce((top, entry) => Math.max(top, Number(name.exec(entry)?.[1] ?? 0)), 0)

const pathOf = (directory: string, number: number) => join(directory, `lock.${number}`)

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : undefined)

/** Makes the file with this number. False: somebody else did, or has gone further already. */
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

/** All of one length, so that writing over an older text leaves nothing of it. */
const text = (holder: Holder, beat: number) => `${JSON.stringify({ ...holder, beat }).padEnd(length)}\n`
const length = 511

/** Writes a sign of life into the holder's own file. */
export const beat = (directory: string, number: number, holder: Holder, count: number): void =>
  writeFileSync(pathOf(directory, number), text(holder, count), { flag: "r+" })

/** What the file says, as text: any change in it is a sign of life. Undefined when it is gone. */
export const read = (directory: string, number: number): string | undefined => {
  try {
    return readFileSync(pathOf(directory, number), "utf8")
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined
    throw error
  }
}

/** Undefined: a file whose writer has not finished, or died over it. */
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

/** Removes what earlier holders left. A socket goes with its own lock file: others may belong to who waits for a turn. */
export const removeOlder = (directory: string, number: number): void => {
  for (const entry of readdirSync(directory)) {
    const found = Number(name.exec(entry)?.[1] ?? number)
    if (found >= number) continue
    const socket = parse(read(directory, found) ?? "")?.socket
    if (typeof socket === "string" && isSocketName(socket)) rmSync(join(directory, socket), { force: true })
    rmSync(pathOf(directory, found), { force: true })
  }
}

/** A name from a file is used as a path, so it must be one that we gave. */
export const isSocketName = (name: string): boolean => /^lock-[0-9a-f]+\.sock$/.test(name)
