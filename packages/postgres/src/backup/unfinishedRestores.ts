import { randomBytes } from "node:crypto"
import { existsSync, readdirSync } from "node:fs"

const isUnfinished = /^restore-[0-9a-f]+$/

/** For files beside those of the database, which become them when everything is in them. */
export const freshName = (): string => `restore-${randomBytes(6).toString("hex")}`

/** What restores into the directory left behind that were cut off. */
export const unfinishedRestores = (directory: string): ReadonlyArray<string> =>
  existsSync(directory) ? readdirSync(directory).filter((name) => isUnfinished.test(name)) : []
