import { existsSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Readable, Writable } from "node:stream"
import { Effect, type Scope } from "effect"
import { because, type BackupError, Stop } from "./backup/BackupError.ts"
import * as BackupFile from "./backup/BackupFile.ts"
import * as Copies from "./backup/Copies.ts"
import { copyClosed } from "./backup/copyDirectory.ts"
import { dump } from "./backup/dump.ts"
import * as Restore from "./backup/restore.ts"
import * as Session from "./backup/Session.ts"
import { freshName, unfinishedRestores } from "./backup/unfinishedRestores.ts"
import { directoryLock } from "./DirectoryLock.ts"
import * as Embedded from "./Embedded.ts"
import { connectTo, type PgStorageOptions } from "./PgStorage.ts"
import { privateDirectory } from "./PrivateDirectory.ts"
import type { StorageStartError } from "./StorageStartError.ts"

/** A database by its address, or the embedded one in a directory. */
export type Place =
  | Pick<PgStorageOptions, "url" | "schema">
  | ({ readonly directory: string } & Pick<Embedded.EmbeddedOptions, "files">)

export type { Header } from "./backup/BackupFile.ts"
export { BackupError } from "./backup/BackupError.ts"
export type { Restored } from "./backup/restore.ts"

export interface BackupOptions {
  readonly from: Place
  /** A path, whose file appears completely or not at all, or a stream, which stays open. */
  readonly to: string | Writable
  /** The version of the service. A restore by an older version names it. */
  readonly version: string
}

export interface RestoreOptions extends Pick<Restore.RestoreOptions, "resume"> {
  readonly into: Place
  readonly from: string | Readable
  /** Whether the configured secrets match this backup. */
  readonly fits: (header: BackupFile.Header) => Effect.Effect<boolean>
}

/** Identifies no process: nothing is leased here. */
const nobody = "0"

const attempt = <A>(what: string, run: () => Promise<A>) => Effect.tryPromise({ try: run, catch: because(what) })

const notMade = "The backup failed"
const notRestored = "Nothing was restored"

/** Copies the embedded database's files: through the process that has them open, or in this process when none has. */
const copyOf = Effect.fnUntraced(function* (path: string) {
  const directory = yield* privateDirectory(path)
  if (!existsSync(join(directory, "data")))
    return yield* Effect.fail(because(notMade)(new Stop(`${directory} contains no database`)))
  const taken = (name: string) =>
    Effect.acquireRelease(Effect.succeed(join(directory, name)), (copy) =>
      Effect.sync(() => rmSync(copy, { recursive: true, force: true }))
    )
  // The process that made the copy removes it when this process ends, even after a crash.
  const asked = yield* Effect.acquireRelease(
    attempt(notMade, () => Copies.ask(directory)),
    (asked) => Effect.sync(() => asked?.close())
  )
  if (asked !== undefined) {
    const { answer } = asked
    if ("failed" in answer)
      return yield* Effect.fail(
        because("The service could not copy its files")(Object.assign(new Error(), { code: answer.failed }))
      )
    return { files: yield* taken(answer.name), at: answer.at }
  }
  const copy = yield* taken(Copies.freshName())
  const at = yield* Effect.scoped(
    Effect.andThen(
      directoryLock(directory, () => {}),
      attempt(notMade, async () => {
        const began = Date.now()
        Copies.clean(directory)
        copyClosed(join(directory, "data"), copy)
        return began
      })
    )
  )
  return { files: copy, at }
})

/** A connection to the data and the instant of that data. Null: the instant is that of the first read. */
const opened = Effect.fnUntraced(function* (from: Place) {
  if (!("directory" in from)) return { config: yield* connectTo({ ...from, migrate: false }), at: null }
  const { at, files } = yield* copyOf(from.directory)
  return { config: yield* Embedded.openFiles(files, nobody, from.files), at }
})

/**
 * Backs up a consistent snapshot while the service runs: it contains every write acknowledged before. It does not
 * contain the master secret.
 *
 * @example
 * ```ts
 * import { PgBackup } from "@countersign/postgres"
 *
 * const backup = PgBackup.backup({ from: { directory: ".countersign" }, to: "countersign.backup", version: "1.0.0" })
 * ```
 */
export const backup = (options: BackupOptions): Effect.Effect<void, BackupError | StorageStartError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { from, to } = options
      const { at, config } = yield* opened(from)
      const session = yield* Effect.mapError(Session.open(config), because(notMade))
      const lines = dump(session, options.version, at)
      yield* attempt(notMade, () =>
        typeof to === "string" ? BackupFile.write(lines, to) : BackupFile.writeTo(lines, to, { end: false })
      )
    })
  )

/**
 * Paths for a restore: `files` is written first, beside the database, and renamed to `data` when complete. Fails when
 * there is a database already.
 */
const emptyFiles = Effect.fnUntraced(function* (
  path: string
): Effect.fn.Return<{ readonly files: string; readonly data: string }, BackupError | StorageStartError, Scope.Scope> {
  const directory = yield* privateDirectory(path)
  yield* directoryLock(directory, () => {})
  const data = join(directory, "data")
  if (existsSync(data))
    return yield* Effect.fail(
      because(notRestored)(
        new Stop(`${directory} already contains a database: move ${data} away, or choose another directory`)
      )
    )
  for (const name of unfinishedRestores(directory)) rmSync(join(directory, name), { recursive: true, force: true })
  return { files: join(directory, freshName()), data }
})

const into = (config: Parameters<typeof Session.open>[0], { fits, from, resume }: RestoreOptions) =>
  Effect.gen(function* () {
    const session = yield* Effect.mapError(Session.open(config), because(notRestored))
    const accept = async (header: BackupFile.Header) => {
      if (!(await Effect.runPromise(fits(header))))
        throw new Stop(
          "The backup was written with another master secret: set that secret in COUNTERSIGN_SECRET, or copy its file into the data directory"
        )
    }
    return yield* attempt(notRestored, () =>
      Restore.restore(config, session, BackupFile.read(from), { accept, resume })
    )
  }).pipe(Effect.scoped)

/**
 * Restores a backup into an empty database of either kind, and migrates its tables to this version. No service starts
 * on it before the restore is complete. Jobs that would message people are buried, unless `resume` states that the
 * service was stopped before the backup and has not run since.
 */
export const restore = (options: RestoreOptions): Effect.Effect<Restore.Restored, BackupError | StorageStartError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const place = options.into
      if (!("directory" in place)) return yield* into(yield* connectTo(place), options)
      const { data, files } = yield* emptyFiles(place.directory)
      const restored = yield* Effect.scoped(
        Effect.flatMap(Embedded.openFiles(files, nobody, place.files), (config) => into(config, options))
      ).pipe(Effect.onError(() => Effect.sync(() => rmSync(files, { recursive: true, force: true }))))
      yield* attempt(notRestored, () => Promise.resolve().then(() => renameSync(files, data)))
      return restored
    })
  )
