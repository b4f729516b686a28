import { randomBytes } from "node:crypto"
import { existsSync, readdirSync } from "node:fs"

const isUnfinished = /^restore-[0-9a-f]+$/

/** A directory name for a restore beside the database's files. It becomes the database when the restore is complete. */
export const freshName = (): string => `restore-${randomBytes(6).toString("hex")}`

/** Paths left by interrupted restores into the directory. */
export const unfinishedRestores = (directory: string): ReadonlyArray<string> =>
  existsSync(directory) ? readdirSync(directory).filter((name) => isUnfinished.test(name)) : []
