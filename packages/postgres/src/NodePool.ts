import { Duplex } from "node:stream"

/** The part of a node-postgres client that is used here. */
export interface NodeClient {
  readonly query: (text: string, values?: Array<unknown>) => Promise<{ readonly rows: ReadonlyArray<unknown> }>
  readonly on: (event: "error", listener: (error: Error) => void) => unknown
  readonly release: (destroy?: boolean) => void
}

/** The part of a node-postgres `Pool` that is used here. */
export interface NodePool {
  readonly connect: () => Promise<NodeClient>
  readonly totalCount: number
  readonly idleCount: number
  readonly ending: boolean
  readonly options: { readonly max?: number | undefined }
}

/** A connection for statements, one for notifications, and one whose lock shows that this process is alive. */
export const fewest = 3
export const usual = 4
/** The default size of a node-postgres pool. */
const usualMax = 10

/** Why the pool cannot lend this many clients; undefined when it can. */
export const problemOf = (pool: NodePool, connections: number): string | undefined => {
  if (!Number.isInteger(connections) || connections < fewest) {
    return `connections must be a whole number of at least ${fewest}: one for statements, one for notifications, and one that marks this process as alive`
  }
  if (pool.ending) return "The pool was ended: pass an open pool, and close this service before the pool"
  const max = pool.options?.max ?? usualMax
  return max > connections
    ? undefined
    : `The pool has at most ${max} clients, and this service holds ${connections} of them permanently: set its max to ${connections + 1} or more`
}

/** Shorter than the connect timeout of the Postgres client. */
const patience = 4_500
const cancelRequest = 80877102

/** Why no client was available, by a code that `StorageStartError` explains. */
class NoClient extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/**
 * Opens connections through a node-postgres pool. Each takes a client out of the pool, applies the startup settings of
 * the Postgres client, and then speaks the protocol on the client's socket. It destroys the client at the end, so the
 * application never gets a client with this session's state.
 */
export const connect = (pool: NodePool) => (): Duplex => new Session(pool)

class Session extends Duplex {
  readonly #pool: NodePool
  #received: Buffer = Buffer.alloc(0)
  #client: NodeClient | undefined
  #socket: Duplex | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(pool: NodePool) {
    super({ allowHalfOpen: false })
    this.#pool = pool
  }

  override _read(): void {
    this.#socket?.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#socket !== undefined) return void this.#socket.write(chunk, done)
    this.#received = Buffer.concat([this.#received, chunk])
    if (this.#received.length >= 8 && this.#received.length >= this.#received.readInt32BE(0)) {
      // Cancel requests are not supported. Postgres ends abandoned statements by its own time limit.
      if (this.#received.readInt32BE(4) === cancelRequest) this.destroy()
      else void this.#start(parametersIn(this.#received))
    }
    done()
  }

  override _final(done: () => void): void {
    done()
    this.destroy()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer)
    this.#client?.release(true)
    this.#client = undefined
    done(error)
  }

  async #start(parameters: ReadonlyMap<string, string>): Promise<void> {
    this.#timer = setTimeout(() => this.destroy(this.#noClient(new NoClient("ETIMEDOUT"))), patience)
    try {
      const client = await this.#pool.connect()
      // The caller has left before the client was used, so the pool gets it back.
      if (this.destroyed) return client.release()
      this.#client = client
      // Without a listener, a lost connection would end the process. The socket reports it too.
      client.on("error", () => undefined)
      const [socket, processId] = await take(client, parameters)
      clearTimeout(this.#timer)
      if (!this.destroyed) this.#speakOn(socket, processId)
    } catch (cause) {
      this.destroy(this.#noClient(cause))
    }
  }

  #noClient(cause: unknown): Error {
    if (this.#client === undefined) {
      const { idleCount, options, totalCount } = this.#pool
      if (this.#pool.ending) return new NoClient("POOL_ENDED")
      if (idleCount === 0 && totalCount >= (options?.max ?? usualMax)) return new NoClient("POOL_EXHAUSTED")
    }
    return cause instanceof Error ? cause : new NoClient("ECONNREFUSED")
  }

  #speakOn(socket: Duplex, processId: number): void {
    this.#socket = socket
    // The client is idle and belongs to this session, so node-postgres's own reader misses nothing.
    socket.removeAllListeners("data")
    socket.on("data", (chunk: Buffer) => {
      if (!this.destroyed && !this.push(chunk)) socket.pause()
    })
    socket.on("close", () => {
      if (!this.destroyed) this.push(null)
    })
    this.push(started(processId))
  }
}

const parametersIn = (startup: Buffer): ReadonlyMap<string, string> => {
  const words = startup.toString("utf8", 8).split("\0")
  const found = new Map<string, string>()
  for (let i = 0; words[i]; i += 2) if (!ofAddress.has(words[i]!)) found.set(words[i]!, words[i + 1] ?? "")
  return found
}

const ofAddress: ReadonlySet<string> = new Set(["user", "database", "client_encoding"])

const configure = `
select pg_backend_pid() as pid, current_user = session_user as own_role, count(set_config(name, value, false))
from unnest($1::text[], $2::text[]) as s(name, value)`

/** Clears the session state that the application left behind, and applies the settings of this session. */
const take = async (
  client: NodeClient,
  parameters: ReadonlyMap<string, string>
): Promise<readonly [socket: Duplex, processId: number]> => {
  await client.query("rollback")
  // Resets settings, session locks, temporary tables, and the role, which applications with row-level security set.
  await client.query("discard all")
  await client.query("reset role")
  const { rows } = await client.query(configure, [[...parameters.keys()], [...parameters.values()]])
  const [{ own_role: ownRole, pid: sessionId }] = rows as [{ readonly own_role: unknown; readonly pid: unknown }]
  const pid = Number(sessionId)
  const { connection, processID } = client as {
    readonly connection?: { readonly stream?: unknown }
    readonly processID?: unknown
  }
  if (!(connection?.stream instanceof Duplex) || typeof processID !== "number") throw new NoClient("POOL_FOREIGN")
  // A pooler in between reports its own process number, and may run each statement in a different session.
  if (processID !== pid) throw new NoClient("POOL_POOLER")
  if (ownRole !== true) throw new NoClient("POOL_ROLE")
  return [connection.stream, pid]
}

/** The messages with which a server starts a session: authenticated, its process, ready. */
const started = (processId: number): Buffer => {
  const bytes = Buffer.from("R\0\0\0\x08\0\0\0\0K\0\0\0\x0c\0\0\0\0\0\0\0\0Z\0\0\0\x05I", "latin1")
  bytes.writeInt32BE(processId, 14)
  return bytes
}
