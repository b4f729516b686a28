import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import type { PGlite } from "@electric-sql/pglite"
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, type Scope } from "effect"
import * as Copies from "./backup/Copies.ts"
import { type DirectoryLock, directoryLock, type LockLost } from "./DirectoryLock.ts"
import * as EmptyDatabase from "./EmptyDatabase.ts"
import { migrationsTable } from "./Migrations.ts"
import * as PgSchema from "./PgSchema.ts"
import { PgliteBridge } from "./PgliteBridge.ts"
import { closeToOthers, privateDirectory } from "./PrivateDirectory.ts"
import { partsOf, type PgliteFiles } from "./PgliteFiles.ts"
import * as Processes from "./Processes.ts"
import { settings } from "./settings.ts"
import { EmbeddedUnavailable, StorageStartError } from "./StorageStartError.ts"

export interface EmbeddedOptions {
  /** Where the data lives. Without it everything is in memory and gone when the process ends. */
  readonly directory?: string | undefined
  /**
   * Called when another process has taken the directory over, because this one was stopped for so long that it looked
   * dead. Nothing is written any more, and every operation fails: the process should end at once.
   */
  readonly onLost?: ((error: Error) => void) | undefined
  /** Where PGlite's files are, in a program that carries them itself. Without it PGlite reads its own, beside its code. */
  readonly files?: PgliteFiles | undefined
}

const failed = (problem: string) => (cause: unknown) =>
  new StorageStartError({ reason: new EmbeddedUnavailable({ problem, cause }) })

const tell = (error: LockLost) => Effect.runSync(Effect.logError(error.message))

const load = Effect.tryPromise({
  try: () => import("@electric-sql/pglite"),
  catch: failed("install @electric-sql/pglite beside this package")
})

/** A database in memory, or the one in a directory, which starts as an empty one if there is none. */
const create = async (data: string | undefined, files: PgliteFiles | undefined): Promise<PGlite> => {
  const { PGlite } = await import("@electric-sql/pglite")
  const parts = files === undefined ? {} : await partsOf(files)
  if (data !== undefined && existsSync(data)) return PGlite.create({ ...parts, dataDir: data })
  const empty = await EmptyDatabase.load(files)
  if (data === undefined)
    return PGlite.create(empty === undefined ? parts : { ...parts, loadDataDir: new Blob([empty]) })
  if (empty !== undefined) EmptyDatabase.unpackInto(empty, data)
  return PGlite.create({ ...parts, dataDir: data })
}

/** Directories of before have their tables in `public`. */
const lookInOwnSchema = async (pglite: PGlite): Promise<string> => {
  const { rows } = await pglite.query(`select where to_regclass('public.${migrationsTable}') is not null`)
  const schema = rows.length === 0 ? PgSchema.usual : "public"
  return `create schema if not exists ${schema}; set search_path = ${PgSchema.searchPath(schema)};`
}

/**
 * Opens a PGlite and says how the Postgres client connects to it. Everything above is the same as with a server.
 */
export const open = Effect.fnUntraced(function* (
  options: EmbeddedOptions,
  number: string
): Effect.fn.Return<PgConnection.Config, StorageStartError, Scope.Scope> {
  const directory = options.directory === undefined ? undefined : yield* privateDirectory(options.directory)
  const lock = directory === undefined ? undefined : yield* directoryLock(directory, options.onLost ?? tell)
  if (directory !== undefined) yield* closeToOthers(directory)
  const data = directory === undefined ? undefined : join(directory, "data")
  const connection = yield* openFiles(data, number, lock, options.files)
  if (directory !== undefined) {
    // The first open unpacks its files with modes of its own, whatever the umask.
    yield* closeToOthers(directory)
    yield* Effect.acquireRelease(
      Effect.promise(() => Copies.serve(directory).catch(() => undefined)),
      (socket) => Effect.sync(() => socket?.close())
    )
  }
  return connection
})

/** Opens a database in these files, which nobody else has open, or in memory. */
export const openFiles = Effect.fnUntraced(function* (
  data: string | undefined,
  number: string,
  lock: DirectoryLock | undefined,
  files?: EmbeddedOptions["files"]
): Effect.fn.Return<PgConnection.Config, StorageStartError, Scope.Scope> {
  yield* load
  const pglite = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => create(data, files),
      catch: failed(data === undefined ? "it did not start" : `it did not start in ${dirname(data)}`)
    }),
    // Closing writes, too.
    (opened) => (lock?.isLost() === true ? Effect.void : Effect.promise(() => opened.close()))
  )
  yield* Effect.tryPromise({
    try: async () => {
      await pglite.exec(
        Object.entries({ ...settings, [Processes.setting]: number })
          .map(([name, value]) => `set ${name} = '${value}';`)
          .join("")
      )
      await pglite.exec(await lookInOwnSchema(pglite))
    },
    catch: failed("it refuses a setting")
  })
  const bridge = new PgliteBridge({
    execProtocolRawSync: (message) => {
      lock?.assertHeld()
      return pglite.execProtocolRawSync(message)
    },
    syncToFs: () => pglite.syncToFs()
  })
  return {
    stream: bridge.connect,
    username: "postgres",
    database: "postgres",
    applicationName: "countersign",
    // The first statement may wait for a boot.
    connectTimeout: "30 seconds"
  }
})
