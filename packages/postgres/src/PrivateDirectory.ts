import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync } from "node:fs"
import { join, resolve } from "node:path"
import { Effect } from "effect"
import { EmbeddedUnavailable, NotPrivate, StorageStartError } from "./StorageStartError.ts"

const permissions = 0o777
const directoryMode = 0o700
const fileMode = 0o600

class Refused extends Error {}

/** Sets a mode and looks whether it was taken: some mounted volumes accept every mode and keep their own. */
const setMode = (path: string, mode: number): void => {
  if ((lstatSync(path).mode & permissions) === mode) return
  chmodSync(path, mode)
  const kept = lstatSync(path).mode & permissions
  if (kept !== mode)
    throw new Refused(
      `${path} stays readable by others (mode ${kept.toString(8)}): put the directory on a file system that keeps modes`
    )
}

/** Links are left alone: what they lead to is somewhere else, and need not be ours. */
const setModes = (directory: string): void => {
  setMode(directory, directoryMode)
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    try {
      if (entry.isDirectory()) setModes(path)
      else if (!entry.isSymbolicLink()) setMode(path, fileMode)
    } catch (error) {
      // Postgres removes files of its own while it runs.
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error
    }
  }
}

const refusal = (directory: string, error: unknown): StorageStartError => {
  if (error instanceof Refused) return new StorageStartError({ reason: new NotPrivate({ problem: error.message }) })
  const code = error instanceof Error && "code" in error ? error.code : undefined
  if (code !== "EPERM" && code !== "EACCES")
    return new StorageStartError({
      reason: new EmbeddedUnavailable({ problem: `${directory} cannot be used`, cause: error })
    })
  const problem = `${directory} holds files that this user may not close to others: give them to it with chown -R`
  return new StorageStartError({ reason: new NotPrivate({ problem }) })
}

const attempt = <A>(directory: string, run: () => A): Effect.Effect<A, StorageStartError> =>
  Effect.try({ try: run, catch: (error) => refusal(directory, error) })

/** Windows has no modes; a directory there has the access rights of the one it is in. */
const hasModes = process.platform !== "win32"

/**
 * A directory that nobody else can look into, made if it is not there. One that belongs to somebody else is refused:
 * its owner could read, and replace, what is kept in it.
 */
export const privateDirectory = (path: string): Effect.Effect<string, StorageStartError> =>
  attempt(resolve(path), () => {
    mkdirSync(path, { recursive: true, mode: directoryMode })
    const directory = realpathSync(path)
    if (!hasModes) return directory
    const { uid } = lstatSync(directory)
    const me = process.getuid?.() ?? uid
    if (uid !== me)
      throw new Refused(
        `${directory} belongs to user ${uid}, and this process runs as user ${me}: run it as that user, or give the directory to this one with chown -R ${me} ${directory}`
      )
    setMode(directory, directoryMode)
    return directory
  })

/** Closes everything in a directory of ours to others: 0700 for directories, 0600 for files. */
export const closeToOthers = (directory: string): Effect.Effect<void, StorageStartError> =>
  hasModes ? attempt(directory, () => setModes(directory)) : Effect.void
