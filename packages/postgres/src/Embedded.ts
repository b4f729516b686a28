import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import type { PGlite } from "@electric-sql/pglite"
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, type Scope } from "effect"
import { Stop } from "./backup/BackupError.ts"
import * as Copies from "./backup/Copies.ts"
import { copyBeforeUpgrade } from "./backup/copyBeforeUpgrade.ts"
import { unfinishedRestores } from "./backup/unfinishedRestores.ts"
import { type DirectoryLock, directoryLock, type LockLost } from "./DirectoryLock.ts"
import * as EmptyDatabase from "./EmptyDatabase.ts"
import { latest, migrationsTable } from "./Migrations.ts"
import * as Migrator from "./Migrator.ts"
import * as PgSchema from "./PgSchema.ts"
import { PgliteBridge } from "./PgliteBridge.ts"
import { closeToOthers, privateDirectory } from "./PrivateDirectory.ts"
import { partsOf, type PgliteFiles } from "./PgliteFiles.ts"
import * as Processes from "./Processes.ts"
import { settings } from "./settings.ts"
import * as TableState from "./TableState.ts"
import { EmbeddedUnavailable, StorageStartError } from "./StorageStartError.ts"

export interface EmbeddedOptions {
  /** The data directory. Without it, all data is in memory and lost when the process ends. */
  readonly directory?: string | undefined
  /**
   * Called when another process has taken the directory, because this process was suspended for so long that it looked
   * dead. All writes stop and every operation fails: the process should exit immediately.
   */
  readonly onLost?: ((error: Error) => void) | undefined
  /** The PGlite files, for a program that bundles them. By default PGlite reads its own files beside its code. */
  readonly files?: PgliteFiles | undefined
}

const failed = (problem: string) => (cause: unknown) =>
  new StorageStartError({ reason: new EmbeddedUnavailable({ problem, cause }) })

const tell = (error: LockLost) => Effect.runSync(Effect.logError(error.message))

const load = Effect.tryPromise({
  try: () => import("@electric-sql/pglite"),
  catch: failed("install @electric-sql/pglite next to this package")
})

/**
 * Postgres's cache. Its usual 128 MB are written when PGlite starts, so they take memory and time even if the database
 * is small. 64 MB hold the data of 20,000 logins, and the operating system caches the files too.
 */
const sharedBuffers = "shared_buffers=64MB"

/**
 * A database in memory, or in a directory. One that does not exist is created with empty tables, or, without an
 * archive, with no tables.
 */
const create = async (data: string | undefined, files: PgliteFiles | undefined): Promise<PGlite> => {
  const { PGlite } = await import("@electric-sql/pglite")
  const parts = {
    ...(files === undefined ? {} : await partsOf(files)),
    startParams: [...PGlite.defaultStartParams, "-c", sharedBuffers]
  }
  if (data !== undefined && existsSync(data)) return PGlite.create({ ...parts, dataDir: data })
  const empty = await EmptyDatabase.load(files)
  if (data === undefined)
    return PGlite.create(empty === undefined ? parts : { ...parts, loadDataDir: new Blob([empty]) })
  if (empty !== undefined) EmptyDatabase.unpackInto(empty, data)
  return PGlite.create({ ...parts, dataDir: data })
}

/** The migrations that the tables had, if there are tables. Before 1.0 they could be in `public`. */
const tableState = async (pglite: PGlite): Promise<TableState.TableState | undefined> => {
  const named = await pglite.query<{ found: string | null }>(
    `select coalesce(to_regclass('public.${migrationsTable}'), to_regclass('${PgSchema.usual}.${migrationsTable}'))::text as found`
  )
  const found = named.rows[0]?.found ?? undefined
  if (found === undefined) return undefined
  const { rows } = await pglite.query<ReadonlyArray<unknown>>(TableState.query(found), [], { rowMode: "array" })
  return TableState.of(rows)
}

/** Copies tables before an upgrade, while no process has them open. */
const createUpgradable = async (directory: string, files: PgliteFiles | undefined) => {
  const data = join(directory, "data")
  const wasThere = existsSync(data)
  if (!wasThere && unfinishedRestores(directory).length > 0)
    throw new Stop(`a restore into ${directory} was interrupted: run it again`)
  const pglite = await create(data, files)
  if (!wasThere) return { pglite, copy: undefined }
  let state: TableState.TableState | undefined
  try {
    state = await tableState(pglite)
  } catch (error) {
    await pglite.close()
    throw error
  }
  if (state?.isPrerelease === true) {
    await pglite.close()
    throw new Stop(`its tables ${TableState.prereleaseProblem}`)
  }
  // Tables of a newer version are refused later, without a migration.
  if (state === undefined || state.missing.length === 0 || state.unknown.length > 0) return { pglite, copy: undefined }
  await pglite.close()
  const copy = copyBeforeUpgrade(directory, { from: state.found, to: latest })
  return { pglite: await create(data, files), copy }
}

/** Opens a PGlite, and returns how the Postgres client connects to it. Everything above works as with a server. */
export const open = Effect.fnUntraced(function* (
  options: EmbeddedOptions,
  number: string
): Effect.fn.Return<PgConnection.Config, StorageStartError, Scope.Scope> {
  const directory = options.directory === undefined ? undefined : yield* privateDirectory(options.directory)
  const lock = directory === undefined ? undefined : yield* directoryLock(directory, options.onLost ?? tell)
  if (directory !== undefined) yield* closeToOthers(directory)
  const place = directory === undefined ? "" : ` in ${directory}`
  const connection = yield* serving(number, lock, place, async () => {
    if (directory === undefined) return { pglite: await create(undefined, options.files), copy: undefined }
    return createUpgradable(directory, options.files)
  })
  if (directory !== undefined) {
    // PGlite unpacks its files with its own modes, whatever the umask, so the modes are set after the first open.
    yield* closeToOthers(directory)
    yield* Effect.acquireRelease(
      Effect.promise(() => Copies.serve(directory).catch(() => undefined)),
      (socket) => Effect.sync(() => socket?.close())
    )
  }
  return connection
})

/**
 * Opens a database in these files, which no other process has open. Files that do not exist are created without tables,
 * because a restore creates the tables of its backup.
 */
export const openFiles = (
  data: string,
  number: string,
  files?: PgliteFiles
): Effect.Effect<PgConnection.Config, StorageStartError, Scope.Scope> =>
  serving(number, undefined, ` in ${dirname(data)}`, async () => {
    const wasThere = existsSync(data)
    const pglite = await create(data, files)
    if (!wasThere) await pglite.exec(`drop schema if exists ${PgSchema.usual} cascade`)
    return { pglite, copy: undefined }
  })

/**
 * A tar archive of a new database with empty tables. It has no partitions by date: each start creates those. Nothing in
 * it may differ between installations, because all of them start from the same archive.
 */
export const empty: Effect.Effect<Uint8Array, StorageStartError> = Effect.scoped(
  Effect.gen(function* () {
    const { PGlite } = yield* load
    const pglite = yield* Effect.promise(() => PGlite.create())
    const connection = yield* serving("0", undefined, "", async () => ({ pglite, copy: undefined }))
    yield* Migrator.run(connection)
    return yield* Effect.promise(async () => {
      // A checkpoint, so that a database unpacked from the archive needs no recovery.
      await pglite.exec("checkpoint")
      const tar = await pglite.dumpDataDir("none")
      return new Uint8Array(await tar.arrayBuffer())
    })
  })
)

const serving = Effect.fnUntraced(function* (
  number: string,
  lock: DirectoryLock | undefined,
  place: string,
  start: () => Promise<{ readonly pglite: PGlite; readonly copy: string | undefined }>
): Effect.fn.Return<PgConnection.Config, StorageStartError, Scope.Scope> {
  yield* load
  const { copy, pglite } = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: start,
      catch: (cause) => failed(cause instanceof Stop ? cause.message : `it failed to start${place}`)(cause)
    }),
    // Closing writes too.
    (opened) => (lock?.isLost() === true ? Effect.void : Effect.promise(() => opened.pglite.close()))
  )
  if (copy !== undefined)
    yield* Effect.logInfo("The tables are upgraded. A copy of the previous database is kept", { copy })
  yield* Effect.tryPromise({
    try: async () => {
      await pglite.exec(
        Object.entries({ ...settings, [Processes.setting]: number })
          .map(([name, value]) => `set ${name} = '${value}';`)
          .join("")
      )
      const schema = PgSchema.usual
      await pglite.exec(`create schema if not exists ${schema}; set search_path = ${PgSchema.searchPath(schema)};`)
    },
    catch: failed("it rejects a setting")
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
    // The first statement may have to wait for PGlite to start.
    connectTimeout: "30 seconds"
  }
})
