import { copyFileSync, cpSync, lstatSync, mkdirSync, readdirSync, rmSync, type Stats } from "node:fs"
import { copyFile } from "node:fs/promises"
import { join } from "node:path"

interface Found {
  readonly path: string
  readonly isDirectory: boolean
  readonly size: number
  readonly stamp: string | null
}

/** Milliseconds per tick of file timestamps: two writes within one tick leave the same stamp. */
const tick = 100

/** Null for a file written a moment ago: a second write in the same tick would not change its stamp. */
const stampOf = ({ ctimeMs, mtimeMs, size }: Stats): string | null =>
  Math.abs(Date.now() - mtimeMs) < tick ? null : `${size} ${mtimeMs} ${ctimeMs}`

/** Lists all files below a directory, each with a stamp that changes when it is written. */
const list = (directory: string, below = ""): Array<Found> =>
  readdirSync(join(directory, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name)
    try {
      const stats = lstatSync(join(directory, path))
      if (entry.isDirectory()) return [{ path, isDirectory: true, size: 0, stamp: "" }, ...list(directory, path)]
      return entry.isFile() ? [{ path, isDirectory: false, size: stats.size, stamp: stampOf(stats) }] : []
    } catch {
      return [] // Postgres removes files of its own while it runs.
    }
  })

const isGone = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT"

/** Small enough to copy without a noticeable pause. */
const little = 8 * 1024 * 1024
const mostRounds = 5

/**
 * Copies the directory of a database that this process has open. The copy is what a crash at one instant would leave.
 * It copies files while statements run, in rounds, until few have changed. It then copies the remaining changes
 * synchronously, between two statements. Postgres recovers the copy on opening, with everything acknowledged before
 * that instant.
 *
 * Returns that instant.
 */
export const copyOpen = async (from: string, to: string): Promise<number> => {
  mkdirSync(to, { mode: 0o700 })
  const copied = new Map<string, string | null>()
  const changed = () => list(from).filter(({ path, stamp }) => stamp === null || copied.get(path) !== stamp)
  for (let round = 0; round < mostRounds; round++) {
    const files = changed()
    if (round > 0 && files.reduce((sum, { size }) => sum + size, 0) < little) break
    for (const { isDirectory, path, stamp } of files) {
      try {
        if (isDirectory) mkdirSync(join(to, path), { recursive: true, mode: 0o700 })
        else await copyFile(join(from, path), join(to, path))
        copied.set(path, stamp)
      } catch (error) {
        if (!isGone(error)) throw error
      }
    }
  }
  // No statement runs, and none is acknowledged, until the copy is complete.
  const at = Date.now()
  const present = new Set(list(from).map(({ path }) => path))
  for (const path of copied.keys()) if (!present.has(path)) rmSync(join(to, path), { recursive: true, force: true })
  for (const { isDirectory, path } of changed()) {
    if (isDirectory) mkdirSync(join(to, path), { recursive: true, mode: 0o700 })
    else copyFileSync(join(from, path), join(to, path))
  }
  return at
}

/** Copies the directory of a database that no process has open. */
export const copyClosed = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, errorOnExist: true, force: false })
