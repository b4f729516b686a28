import { copyFileSync, cpSync, lstatSync, mkdirSync, readdirSync, rmSync, type Stats } from "node:fs"
import { copyFile } from "node:fs/promises"
import { join } from "node:path"

interface Found {
  readonly path: string
  readonly isDirectory: boolean
  readonly size: number
  readonly stamp: string | null
}

/** File systems count time in ticks: two writes within one leave the same stamp. */
const tick = 100

/** Null for what was written a moment ago: nobody can tell whether it is written again. */
const stampOf = ({ ctimeMs, mtimeMs, size }: Stats): string | null =>
  Math.abs(Date.now() - mtimeMs) < tick ? null : `${size} ${mtimeMs} ${ctimeMs}`

/** All files below a directory, with what changes when they are written. */
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

/** Small enough to be copied without anybody noticing. */
const little = 8 * 1024 * 1024
const mostRounds = 5

/**
 * Copies the directory of a database that this process has open, as a crash at one instant would leave it. Files are
 * copied while work goes on, round by round, until few have changed since; what has changed then is copied in one go,
 * between two statements. The copy is recovered when it is opened, and has everything that was acknowledged by then.
 *
 * Answers the instant that it is of.
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
  // From here on nothing is acknowledged until the copy is whole.
  const at = Date.now()
  const present = new Set(list(from).map(({ path }) => path))
  for (const path of copied.keys()) if (!present.has(path)) rmSync(join(to, path), { recursive: true, force: true })
  for (const { isDirectory, path } of changed()) {
    if (isDirectory) mkdirSync(join(to, path), { recursive: true, mode: 0o700 })
    else copyFileSync(join(from, path), join(to, path))
  }
  return at
}

/** Copies the directory of a database that nobody has open. */
export const copyClosed = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, errorOnExist: true, force: false })
