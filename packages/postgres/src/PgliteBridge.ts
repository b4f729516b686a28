import { Duplex } from "node:stream"

/** The part of PGlite that the bridge uses. */
export interface PgliteBackend {
  readonly execProtocolRawSync: (message: Uint8Array) => Uint8Array
  readonly syncToFs: () => Promise<void>
}

const message = {
  bind: 0x42,
  close: 0x43,
  describe: 0x44,
  flush: 0x48,
  notification: 0x41,
  parse: 0x50,
  query: 0x51,
  readyForQuery: 0x5a,
  sync: 0x53,
  terminate: 0x58
} as const
/** The status in a ReadyForQuery outside of a transaction. */
const idle = 0x49
/** A clock set back by less needs no repair. */
const smallestStep = 1_000
/** The subject of a Describe or Close. */
const statement = 0x53
const sslRequest = 80877103
const cancelRequest = 80877102

interface Exchange {
  readonly session: Session
  readonly bytes: Buffer
}

/**
 * Lets several connections share the single backend of a PGlite, each as if it had its own. Whole exchanges take turns,
 * a transaction keeps the turn until it ends, and session state is cleaned up afterwards.
 *
 * @example
 * ```ts
 * const bridge = new PgliteBridge(await PGlite.create())
 * PgClient.layer({ stream: bridge.connect, username: "postgres", database: "postgres" })
 * ```
 */
export class PgliteBridge {
  readonly #backend: PgliteBackend
  readonly #waiting: Array<Exchange> = []
  readonly #sessions = new Set<Session>()
  /** The session with an open transaction: only its exchanges may run. */
  #owner: Session | undefined
  #running = false
  #lastId = 0
  #offset = clockOffset()

  constructor(backend: PgliteBackend) {
    this.#backend = backend
  }

  /** Opens a connection: a duplex that speaks the Postgres protocol. */
  readonly connect = (): Duplex => {
    const session = new Session(`s${++this.#lastId}_`, {
      submit: (bytes) => this.#submit({ session, bytes }),
      closed: () => this.#closed(session)
    })
    this.#sessions.add(session)
    return session
  }

  #submit(exchange: Exchange): void {
    this.#waiting.push(exchange)
    if (this.#running) return
    this.#running = true
    setImmediate(() => void this.#run())
  }

  async #run(): Promise<void> {
    for (let exchange = this.#take(); exchange !== undefined; exchange = this.#take()) {
      try {
        const answer = Buffer.from(this.#backend.execProtocolRawSync(exchange.bytes))
        await this.#backend.syncToFs()
        this.#deliver(exchange.session, answer)
        if (this.#owner === undefined && this.#wasSetBack()) this.#backend.execProtocolRawSync(flushStatistics())
      } catch (cause) {
        exchange.session.destroy(cause instanceof Error ? cause : new Error(String(cause)))
      }
      if (this.#waiting.length > 0) await new Promise((resume) => setImmediate(resume))
    }
    this.#running = false
  }

  /** Whether the clock was set back since the last call. */
  #wasSetBack(): boolean {
    const before = this.#offset
    this.#offset = clockOffset()
    return before - this.#offset > smallestStep
  }

  #take(): Exchange | undefined {
    if (this.#owner === undefined) return this.#waiting.shift()
    const next = this.#waiting.findIndex(({ session }) => session === this.#owner)
    return next < 0 ? undefined : this.#waiting.splice(next, 1)[0]
  }

  #deliver(session: Session, answer: Buffer): void {
    let status: number | undefined
    for (const [type, start, end] of frames(answer)) {
      if (type === message.readyForQuery) status = answer[start + 5]
      // Notifications go to all connections, because the backend reports them only to the connection with the turn.
      if (type === message.notification) this.#tellOthers(session, answer.subarray(start, end))
    }
    this.#owner = status === idle || session.destroyed ? undefined : session
    if (session.destroyed) return
    session.push(answer)
    if (status !== undefined) session.ready = true
  }

  #tellOthers(told: Session, notification: Buffer): void {
    for (const session of this.#sessions) {
      if (session !== told && session.ready && !session.destroyed) session.push(notification)
    }
  }

  #closed(session: Session): void {
    this.#sessions.delete(session)
    for (let i = this.#waiting.length; i-- > 0; ) {
      if (this.#waiting[i]!.session === session) this.#waiting.splice(i, 1)
    }
    const inTransaction = this.#owner === session
    if (inTransaction) this.#owner = undefined
    const cleanUp = [
      ...(inTransaction ? ["rollback"] : []),
      ...[...session.statements].map((name) => `deallocate "${name}"`)
    ].join(";")
    if (cleanUp !== "") this.#submit({ session, bytes: queryFrame(cleanUp) })
  }
}

/** The difference between wall clock and steady clock. It changes only when the wall clock is set. */
const clockOffset = () => Date.now() - performance.now()

const frames = function* (bytes: Buffer): Generator<readonly [type: number, start: number, end: number]> {
  for (let start = 0; start + 5 <= bytes.length; ) {
    const end = start + 1 + bytes.readInt32BE(start + 1)
    yield [bytes[start]!, start, end]
    start = end
  }
}

const queryFrame = (sql: string): Buffer => {
  const frame = Buffer.alloc(6 + Buffer.byteLength(sql))
  frame[0] = message.query
  frame.writeInt32BE(frame.length - 1, 1)
  frame.write(sql, 5)
  return frame
}

/**
 * Makes the backend write its statistics now. The backend schedules that by the wall clock. After the clock is set back
 * by more than 24 days, the delay exceeds what a JavaScript timer can hold: the timer fires immediately, repeatedly,
 * and with a warning each time. Writing now restarts the schedule.
 */
const flushStatistics = () => queryFrame("select pg_stat_force_next_flush()")

interface SessionOwner {
  readonly submit: (bytes: Buffer) => void
  readonly closed: () => void
}

/** The client's end of one connection. It collects messages until one requires a response of the backend. */
class Session extends Duplex {
  readonly statements = new Set<string>()
  started = false
  /** The session has started. Before that, a client expects no notifications. */
  ready = false
  readonly #prefix: string
  readonly #owner: SessionOwner
  #received: Buffer = Buffer.alloc(0)
  #collected: Array<Buffer> = []

  constructor(prefix: string, owner: SessionOwner) {
    super({ allowHalfOpen: false })
    this.#prefix = prefix
    this.#owner = owner
  }

  override _read(): void {}

  override _final(done: () => void): void {
    this.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#owner.closed()
    done(error)
  }

  override _write(chunk: Buffer, _encoding: unknown, done: () => void): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    let complete = false
    for (let frame = this.#nextFrame(); frame !== undefined; frame = this.#nextFrame()) {
      complete = (this.started ? this.#collect(frame) : this.#start(frame)) || complete
      if (this.destroyed) return done()
    }
    if (complete) {
      this.#owner.submit(Buffer.concat(this.#collected))
      this.#collected = []
    }
    done()
  }

  #nextFrame(): Buffer | undefined {
    const header = this.started ? 1 : 0 // the startup packet has no type byte
    if (this.#received.length < header + 4) return undefined
    const length = header + this.#received.readInt32BE(header)
    if (this.#received.length < length) return undefined
    const frame = this.#received.subarray(0, length)
    this.#received = this.#received.subarray(length)
    return frame
  }

  #start(frame: Buffer): boolean {
    const code = frame.readInt32BE(4)
    if (code === sslRequest) {
      this.push("N")
      return false
    }
    if (code === cancelRequest) {
      this.destroy() // a running statement cannot be interrupted
      return false
    }
    this.started = true
    this.#collected.push(frame)
    return true
  }

  #collect(frame: Buffer): boolean {
    const type = frame[0]
    if (type === message.terminate) {
      this.push(null)
      this.destroy()
      return false
    }
    this.#collected.push(this.#rename(frame))
    return type === message.sync || type === message.query || type === message.flush
  }

  /** Gives a prepared statement a unique name, because all sessions share the backend's names. */
  #rename(frame: Buffer): Buffer {
    const type = frame[0]
    const at = nameOffset(frame)
    if (at === undefined || frame[at] === 0) return frame
    const name = this.#prefix + frame.toString("utf8", at, frame.indexOf(0, at))
    if (type === message.parse) this.statements.add(name)
    if (type === message.close) this.statements.delete(name)
    const renamed = Buffer.concat([frame.subarray(0, at), Buffer.from(this.#prefix), frame.subarray(at)])
    renamed.writeInt32BE(renamed.length - 1, 1)
    return renamed
  }
}

/** The position of a prepared statement's name in a message. */
const nameOffset = (frame: Buffer): number | undefined => {
  switch (frame[0]) {
    case message.parse:
      return 5
    case message.bind:
      return frame.indexOf(0, 5) + 1
    case message.describe:
    case message.close:
      return frame[5] === statement ? 6 : undefined
    default:
      return undefined
  }
}
