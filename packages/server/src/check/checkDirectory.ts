import { Effect, Result } from "effect"
import { accessSync, constants, existsSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { Configuration } from "../Configuration.ts"
import { type Finding, ok, problem, warning } from "./Finding.ts"

const what = "data directory"
const advice = "check COUNTERSIGN_DATA_DIR"

const mayUse = (path: string): boolean =>
  Result.isSuccess(Result.try(() => accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)))

/** The nearest existing ancestor. The first start creates the missing directories below it. */
const nearest = (path: string): string => (existsSync(path) || dirname(path) === path ? path : nearest(dirname(path)))

const ofNew = (directory: string): Finding => {
  const above = nearest(directory)
  return mayUse(above)
    ? ok(what, `the first start creates ${directory}`)
    : problem(what, `${directory} cannot be created: this user may not write to ${above}`, advice)
}

/** Reports what `privateDirectory` would refuse or change at the start. */
const ofOld = ({ secret }: Configuration, directory: string): ReadonlyArray<Finding> => {
  const stat = statSync(directory)
  if (!stat.isDirectory()) return [problem(what, `${directory} is not a directory`, advice)]
  const me = process.getuid?.() ?? stat.uid
  if (stat.uid !== me)
    return [
      problem(what, `${directory} belongs to user ${stat.uid}, but this is user ${me}`, `run as user ${stat.uid}`)
    ]
  if (!mayUse(directory)) return [problem(what, `${directory} is not readable and writable by this user`, advice)]
  const hasData = existsSync(join(directory, "data"))
  if (hasData && secret === undefined && !existsSync(join(directory, "secret")))
    return [problem(what, `${join(directory, "secret")} is missing, but there is data`, "restore it from your backup")]
  const isOpen = process.platform !== "win32" && (stat.mode & 0o077) !== 0
  return isOpen
    ? [
        warning(
          what,
          `${directory} is accessible to other users`,
          `the next start makes it private; until then, run chmod 700 ${directory}`
        )
      ]
    : [ok(what, hasData ? `${directory} contains data` : `${directory} contains no data yet`)]
}

/** Whether the embedded database could be opened, judging by its files alone. Does not open it. */
export const checkDirectory = (configuration: Configuration): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.sync(() => {
    if (configuration.databaseUrl !== undefined) return []
    const directory = resolve(configuration.dataDirectory)
    const looked = Result.try(() => (existsSync(directory) ? ofOld(configuration, directory) : [ofNew(directory)]))
    return Result.getOrElse(looked, () => [problem(what, `${directory} cannot be read`, advice)])
  })
