import { Effect, Result } from "effect"
import { accessSync, constants, existsSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { Configuration } from "../Configuration.ts"
import { type Finding, ok, problem, warning } from "./Finding.ts"

const what = "data directory"
const advice = "look at COUNTERSIGN_DATA_DIR"

const mayUse = (path: string): boolean =>
  Result.isSuccess(Result.try(() => accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)))

/** The nearest directory above that there is: what is missing below is made at the first start. */
const nearest = (path: string): string => (existsSync(path) || dirname(path) === path ? path : nearest(dirname(path)))

const ofNew = (directory: string): Finding => {
  const above = nearest(directory)
  return mayUse(above)
    ? ok(what, `${directory} is made at the first start`)
    : problem(what, `${directory} cannot be made: this user may not write to ${above}`, advice)
}

/** What `privateDirectory` would refuse or change, told beforehand. */
const ofOld = ({ secret }: Configuration, directory: string): ReadonlyArray<Finding> => {
  const stat = statSync(directory)
  if (!stat.isDirectory()) return [problem(what, `${directory} is no directory`, advice)]
  const me = process.getuid?.() ?? stat.uid
  if (stat.uid !== me)
    return [problem(what, `${directory} belongs to user ${stat.uid}, and this is user ${me}`, "run as that user")]
  if (!mayUse(directory)) return [problem(what, `${directory} cannot be read and written by this user`, advice)]
  const hasData = existsSync(join(directory, "data"))
  if (hasData && secret === undefined && !existsSync(join(directory, "secret")))
    return [problem(what, `${join(directory, "secret")} is missing, and there is data`, "put it back from your backup")]
  const isOpen = process.platform !== "win32" && (stat.mode & 0o077) !== 0
  return isOpen
    ? [
        warning(
          what,
          `${directory} is open to other users`,
          `the next start closes it; until then, chmod 700 ${directory}`
        )
      ]
    : [ok(what, hasData ? `${directory} holds the data` : `${directory} holds no data yet`)]
}

/** Whether the embedded database could be opened, as far as files tell. It is left closed. */
export const checkDirectory = (configuration: Configuration): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.sync(() => {
    if (configuration.databaseUrl !== undefined) return []
    const directory = resolve(configuration.dataDirectory)
    const looked = Result.try(() => (existsSync(directory) ? ofOld(configuration, directory) : [ofNew(directory)]))
    return Result.getOrElse(looked, () => [problem(what, `${directory} cannot be looked into`, advice)])
  })
