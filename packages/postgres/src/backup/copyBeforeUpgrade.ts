import { lstatSync, readdirSync, renameSync, rmSync, statfsSync } from "node:fs"
import { join } from "node:path"
import { Stop } from "./BackupError.ts"
import { freshName } from "./Copies.ts"
import { copyClosed } from "./copyDirectory.ts"

/** `data.0015-before-0033`: a copy of `data` with tables of version 15, made before the upgrade to version 33. */
const isCopy = /^data\.(\d{4,})-before-(\d{4,})$/

interface Copy {
  readonly path: string
  readonly from: number
  readonly to: number
}

const padded = (version: number) => String(version).padStart(4, "0")

/** The latest first: a killed process may have left two. */
const copiesIn = (directory: string): ReadonlyArray<Copy> =>
  readdirSync(directory)
    .flatMap((entry) => {
      const [, from, to] = isCopy.exec(entry) ?? []
      return from === undefined ? [] : [{ path: join(directory, entry), from: Number(from), to: Number(to) }]
    })
    .sort((one, other) => other.to - one.to || other.from - one.from)

/** The path of the copy from the last upgrade, if any. */
export const lastCopy = (directory: string): string | undefined => copiesIn(directory)[0]?.path

const sizeOf = (directory: string): number =>
  readdirSync(directory, { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) => (entry.isFile() ? sum + lstatSync(join(entry.parentPath, entry.name)).size : sum),
    0
  )

/** The migrations need space too. */
const headroom = 32 * 1024 * 1024

/** The free bytes for this user. Unlimited where the file system does not report them. */
const freeIn = (directory: string): number => {
  const { bavail, blocks, bsize } = statfsSync(directory)
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize
}

const inMegabytes = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`

const noRoom = (directory: string, need: number) => {
  const last = lastCopy(directory)
  const remedy = `Free ${inMegabytes(need)} in ${directory}${last === undefined ? "" : `, or remove the older copy ${last}`}`
  return new Stop(`the disk has too little space for the copy made before an upgrade. ${remedy}`)
}

export interface Upgrade {
  /** The current version of the tables. */
  readonly from: number
  readonly to: number
}

/**
 * Copies the database of a directory, which no process has open, before its tables are upgraded. Returns the path.
 * Copies of earlier upgrades are deleted once this copy is complete. After an interrupted upgrade, no new copy is made:
 * the first copy is the one that the earlier version can open.
 */
export const copyBeforeUpgrade = (directory: string, { from, to }: Upgrade, free = freeIn): string => {
  const before = copiesIn(directory)
  const unfinished = before.find((copy) => copy.from < from && from < copy.to)
  if (unfinished !== undefined) return unfinished.path
  const data = join(directory, "data")
  const need = sizeOf(data) + headroom
  if (free(directory) < need) throw noRoom(directory, need)
  // The next start removes an interrupted copy.
  const unnamed = join(directory, freshName())
  const path = join(directory, `data.${padded(from)}-before-${padded(to)}`)
  try {
    copyClosed(data, unnamed)
  } catch (error) {
    rmSync(unnamed, { recursive: true, force: true })
    if (error instanceof Error && "code" in error && error.code === "ENOSPC") throw noRoom(directory, need)
    throw error
  }
  // A copy with this name is from the same upgrade of an older state.
  for (const copy of before) if (copy.path === path) rmSync(path, { recursive: true })
  renameSync(unnamed, path)
  for (const copy of before) if (copy.path !== path) rmSync(copy.path, { recursive: true, force: true })
  return path
}
