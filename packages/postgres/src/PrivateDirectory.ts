import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { Effect } from "effect"
import { ofDisk } from "./backup/BackupError.ts"
import { EmbeddedUnavailable, NotPrivate, StorageStartError } from "./StorageStartError.ts"

const permissions = 0o777
const directoryMode = 0o700
const fileMode = 0o600

class Refused extends Error {}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "")

/**
 * Creates a directory and its parents. `mkdirSync` with `recursive` never returns when the parent exists and `mkdir`
 * still fails with ENOENT, as below `/proc`.
 */
const make = (directory: string): void => {
  if (existsSync(directory)) {
    if (!statSync(directory).isDirectory()) throw new Refused(`${directory} is a file: choose a directory`)
    return
  }
  const parent = dirname(directory)
  if (!existsSync(parent)) make(parent)
  try {
    mkdirSync(directory, { mode: directoryMode })
  } catch (error) {
    const code = codeOf(error)
    // Another process created it concurrently.
    if (code === "EEXIST") return
    const why = code === "ENOENT" ? "no directory can be created there" : (ofDisk[code] ?? code)
    throw new Refused(
      `${directory} cannot be created: ${why}. Create it and make this user its owner with chown, or choose another directory`
    )
  }
}

/** Sets a mode and checks it, because some mounted volumes accept every mode and keep their own. */
const setMode = (path: string, mode: number): void => {
  if ((lstatSync(path).mode & permissions) === mode) return
  chmodSync(path, mode)
  const kept = lstatSync(path).mode & permissions
  if (kept !== mode)
    throw new Refused(
      `${path} stays readable by other users (mode ${kept.toString(8)}): move the directory to a file system with file permissions`
    )
}

/** Skips links: their targets are elsewhere, and may belong to another user. */
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
  const code = codeOf(error)
  if (code !== "EPERM" && code !== "EACCES") {
    const why = ofDisk[code] ?? code
    return new StorageStartError({
      reason: new EmbeddedUnavailable({
        problem: `${directory} cannot be used${why === "" ? "" : `: ${why}`}`,
        cause: error
      })
    })
  }
  const problem = `${directory} contains files whose permissions this user cannot change: make this user their owner with chown -R`
  return new StorageStartError({ reason: new NotPrivate({ problem }) })
}

const attempt = <A>(directory: string, run: () => A): Effect.Effect<A, StorageStartError> =>
  Effect.try({ try: run, catch: (error) => refusal(directory, error) })

/** Windows has no modes; a directory there has the access rights of the one it is in. */
const hasModes = process.platform !== "win32"

/**
 * A directory that only its owner can read, created if missing. A directory of another user is refused: that user could
 * read and replace its contents.
 */
export const privateDirectory = (path: string): Effect.Effect<string, StorageStartError> =>
  attempt(resolve(path), () => {
    make(resolve(path))
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

/** Restricts a directory to its owner: 0700 for directories, 0600 for files. */
export const closeToOthers = (directory: string): Effect.Effect<void, StorageStartError> =>
  hasModes ? attempt(directory, () => setModes(directory)) : Effect.void
