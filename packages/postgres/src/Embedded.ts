import { join } from "node:path"
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, type Scope } from "effect"
import { directoryLock } from "./DirectoryLock.ts"
import { PgliteBridge } from "./PgliteBridge.ts"
import { settings } from "./settings.ts"
import { EmbeddedUnavailable, StorageStartError } from "./StorageStartError.ts"

export interface EmbeddedOptions {
  /** Where the data lives. Without it everything is in memory and gone when the process ends. */
  readonly directory?: string | undefined
}

const failed = (problem: string) => (cause: unknown) =>
  new StorageStartError({ reason: new EmbeddedUnavailable({ problem, cause }) })

const load = Effect.tryPromise({
  try: () => import("@electric-sql/pglite"),
  catch: failed("install @electric-sql/pglite beside this package")
})

/**
 * Opens a PGlite and says how the Postgres client connects to it. Everything above is the same as with a server.
 */
export const open = Effect.fnUntraced(function* (
  options: EmbeddedOptions
): Effect.fn.Return<PgConnection.Config, StorageStartError, Scope.Scope> {
  const directory = options.directory === undefined ? undefined : yield* directoryLock(options.directory)
  const { PGlite } = yield* load
  const pglite = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => PGlite.create(directory === undefined ? {} : { dataDir: join(directory, "data") }),
      catch: failed(directory === undefined ? "it did not start" : `it did not start in ${directory}`)
    }),
    (opened) => Effect.promise(() => opened.close())
  )
  yield* Effect.tryPromise({
    try: () =>
      pglite.exec(
        Object.entries(settings)
          .map(([name, value]) => `set ${name} = '${value}';`)
          .join("")
      ),
    catch: failed("it refuses a setting")
  })
  const bridge = new PgliteBridge(pglite)
  return {
    stream: bridge.connect,
    username: "postgres",
    database: "postgres",
    applicationName: "countersign",
    // The first statement may wait for a boot.
    connectTimeout: "30 seconds"
  }
})
