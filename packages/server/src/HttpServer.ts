import { Dispatcher, NodeHandler } from "@countersign/http"
import { Context, Effect, Schema, type Scope } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, Server as NetServer, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { ConnectionPlaces, type Full, isSharedBy } from "./ConnectionPlaces.ts"

/** The prefix of the variables that set the address: `MANAGEMENT_` for the operator's own port. */
type Prefix = "" | "MANAGEMENT_"

const reasons = (prefix: Prefix): { readonly [code: string]: string } => ({
  EADDRINUSE: `another program already listens there; stop it, or choose another ${prefix}PORT`,
  EACCES: `this user lacks permission; choose a ${prefix}PORT of 1024 or higher`,
  EADDRNOTAVAIL: `this machine does not have that address; choose another ${prefix}HOST`
})

/** Explains why listening failed, and what to do. */
export const whyNot = (cause: unknown, prefix: Prefix = ""): string =>
  (cause instanceof Error && "code" in cause ? reasons(prefix)[String(cause.code)] : undefined) ?? String(cause)

/** The server could not listen on its address. */
export class CannotListen extends Schema.TaggedError<CannotListen>()("CannotListen", {
  address: Schema.String,
  prefix: Schema.Literals(["", "MANAGEMENT_"]),
  cause: Schema.Defect()
}) {
  override get message(): string {
    const { address, cause, prefix } = this
    return `${prefix}HOST, ${prefix}PORT: cannot listen on ${address}: ${whyNot(cause, prefix)}`
  }
}

/** Limits of connections. Times are in milliseconds. */
export interface Bounds {
  /** Connections at one time, at most a quarter of them from one public address. Further ones get a 503. */
  readonly connections: number
  /** A socket without a byte in either direction for this long is closed, including readers that do not read. */
  readonly inactivity: number
  /** The head of a request must arrive within this time. */
  readonly head: number
  /** The whole request must arrive within this time. */
  readonly request: number
  /** Unanswered requests per connection. One more closes the connection. */
  readonly unanswered: number
}

export const defaultBounds: Bounds = {
  connections: 10_000,
  inactivity: 30_000,
  head: 10_000,
  request: 30_000,
  unanswered: 4
}

const managementConnections = 256

/** How many refused connections get a 503 at the same time. Further ones are dropped without an answer. */
const toldSo = 256

const serverOptions = ({ head, inactivity, request }: Bounds) => ({
  headersTimeout: head,
  requestTimeout: request,
  keepAliveTimeout: inactivity,
  connectionsCheckingInterval: Math.min(head, 5_000) / 2,
  // This server refuses a request without a host itself, because Node's refusal has no body.
  requireHostHeader: false
})
/** How long running requests may take to finish after the server is told to stop. */
const drain = "4 seconds"
const sweepEvery = 50

/** How long a refused connection stays open to read the answer, in milliseconds, whatever it writes meanwhile. */
const lastWords = 1_000

/** An error envelope for a connection that never became a request. */
const refusal = (status: string, errorCode: string, message: string, ...more: ReadonlyArray<string>) => {
  const body = JSON.stringify({ errorCode, message, requestId: null })
  const headers = [
    "connection: close",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "cache-control: no-store",
    ...more
  ]
  return (socket: Duplex) => {
    if (!socket.writable) return void socket.destroy()
    const end = setTimeout(() => socket.destroy(), lastWords)
    socket.once("close", () => clearTimeout(end))
    socket.end(`HTTP/1.1 ${status}\r\n${headers.join("\r\n")}\r\nx-request-id: ${crypto.randomUUID()}\r\n\r\n${body}`)
  }
}

const refuse = refusal("400 Bad Request", "INVALID_REQUEST", "The request is not valid HTTP")

const refuseConnection = {
  ALL: refusal(
    "503 Service Unavailable",
    "INTERNAL_ERROR",
    "The server has reached its connection limit; try again",
    "retry-after: 1"
  ),
  ADDRESS: refusal(
    "503 Service Unavailable",
    "INTERNAL_ERROR",
    "Your address has reached its connection limit; try again, or add your proxy to TRUSTED_PROXIES",
    "retry-after: 1"
  )
}

/** Refuses connections beyond the limits. */
const admission = (bounds: Bounds, isShared: (address: string) => boolean) => {
  const refused = new WeakSet<Duplex>()
  const places = new ConnectionPlaces(bounds.connections, isShared)
  let told = 0
  /** Refused connections must not exhaust sockets either, so their number and lifetime are limited. */
  const tell = (socket: Socket, why: Full) => {
    if (told >= toldSo) return void socket.destroy()
    told++
    refused.add(socket)
    refuseConnection[why](socket)
    socket.once("close", () => told--)
  }
  const onConnection = (socket: Socket) => {
    const address = NodeHandler.addressOf(socket)
    // A socket that the client has reset reports no address, so no limit could be applied to it.
    if (address === null) return void socket.destroy()
    const taken = places.take(address)
    if (typeof taken === "string") return tell(socket, taken)
    socket.once("close", taken)
  }
  return { onConnection, isRefused: (socket: Duplex) => refused.has(socket) }
}

/** Stops accepting, lets running requests finish, and closes connections as they become idle. */
const stop = (server: Server) =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    const sweep = setInterval(() => server.closeIdleConnections(), sweepEvery)
    return Effect.sync(() => clearInterval(sweep))
  }).pipe(Effect.timeoutOption(drain), Effect.andThen(Effect.sync(() => server.closeAllConnections())))

/**
 * Stops accepting, keeps answering on open connections, and asks clients to close them: so no request arrives on a
 * connection that the server is closing. Ends when all are closed. Idle ones close after `inactivity`; `stop` cuts off
 * the others, such as live streams.
 */
const retire = (server: Server, { inactivity, request }: Bounds) =>
  Effect.callback<void>((resume) => {
    // Not the HTTP server's `close`, which would close idle connections immediately.
    NetServer.prototype.close.call(server, () => resume(Effect.void))
  }).pipe(Effect.timeoutOption(Math.max(inactivity, request) + 1_000), Effect.asVoid)

/** Tracks the unanswered requests of every connection. */
const pending = (most: number) => {
  const unanswered = new Set<ServerResponse>()
  const counts = new WeakMap<Socket, number>()
  let leaving = false
  return {
    /**
     * Counts a request. False when its connection has too many unanswered ones: a client may write requests faster than
     * the server answers, and Node keeps reading. The connection is closed without an answer, because the client would
     * take it for the answer to its first request.
     */
    admit: ({ socket }: IncomingMessage, response: ServerResponse): boolean => {
      const count = counts.get(socket) ?? 0
      if (count >= most) {
        socket.destroy()
        return false
      }
      if (leaving) response.shouldKeepAlive = false
      counts.set(socket, count + 1)
      unanswered.add(response)
      response.once("close", () => {
        unanswered.delete(response)
        counts.set(socket, counts.get(socket)! - 1)
      })
      return true
    },
    /** From now on, every answer carries `Connection: close`. */
    bidFarewell: () => {
      leaving = true
      for (const response of unanswered) response.shouldKeepAlive = false
    }
  }
}

/** A handler for paths below `prefix` that the API does not serve itself. */
export interface Mount {
  readonly prefix: string
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void
}

/** The handlers mounted beside the API. */
export class Mounts extends Context.Service<Mounts, ReadonlyArray<Mount>>()("@countersign/server/Mounts") {}

const isBelow = ({ prefix }: Mount, path: string) => path === prefix || path.startsWith(`${prefix}/`)

export interface Address {
  readonly host: string
  readonly port: number
}

export interface Options extends Address {
  readonly mounts?: ReadonlyArray<Mount> | undefined
  readonly bounds?: Partial<Bounds> | undefined
  /** The operator's own address, if the `Dispatcher` was made with `managementApart`. */
  readonly management?: Address | undefined
  /** Whether many clients share an address. Default: this machine and private networks. */
  readonly isShared?: ((address: string) => boolean) | undefined
}

/** The running server. A configured port 0 is replaced by the port that the system chose. */
export interface Serving {
  readonly port: number
  /** Null without a management port. */
  readonly managementPort: number | null
  /** Closes all connections gracefully, while another worker accepts new ones. */
  readonly retire: Effect.Effect<void>
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A listening server. */
interface Listening {
  readonly server: Server
  readonly bidFarewell: () => void
}

const listen = (
  { host, port }: Address,
  prefix: Prefix,
  bounds: Bounds,
  isShared: (address: string) => boolean,
  answer: Answer
) =>
  Effect.callback<Listening, CannotListen>((resume) => {
    const { isRefused, onConnection } = admission(bounds, isShared)
    const { admit, bidFarewell } = pending(bounds.unanswered)
    const listener: Answer = (request, response) => {
      if (!admit(request, response) || isRefused(request.socket)) return
      if (request.headers.host === undefined && request.httpVersion === "1.1") return refuse(request.socket)
      answer(request, response)
    }
    const server = createServer(serverOptions(bounds), listener)
    server.maxConnections = bounds.connections + toldSo
    server.setTimeout(bounds.inactivity)
    server.on("connection", onConnection)
    server.on("checkExpectation", listener).on("clientError", (_, socket) => refuse(socket))
    const onError = (cause: Error) =>
      resume(Effect.fail(new CannotListen({ address: `${host}:${port}`, prefix, cause })))
    server.once("error", onError)
    server.listen(port, host, () => {
      server.off("error", onError)
      resume(Effect.succeed({ server, bidFarewell }))
    })
  })

const portOf = ({ server }: Listening) => (server.address() as AddressInfo).port

const startingBody = (requestId: string) =>
  JSON.stringify({ errorCode: "INTERNAL_ERROR", message: "The service is starting; try again", requestId })

/** Answers until the service is ready: `/healthz` with 200, everything else with 503. Does not read request bodies. */
const starting: Answer = (request, response) => {
  request.resume()
  const isAlive = request.url?.split("?", 1)[0] === "/healthz"
  const requestId = crypto.randomUUID()
  const headers = {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-request-id": requestId,
    ...(isAlive ? {} : { "retry-after": "1" })
  }
  const body = isAlive ? '{"status":"ok"}' : startingBody(requestId)
  response.writeHead(isAlive ? 200 : 503, headers).end(request.method === "HEAD" ? undefined : body)
}

/** Bound ports, before the service is ready. */
export interface Bound extends Serving {
  /**
   * Serves the API until the scope closes. Before this, `/healthz` answers 200, and every other request 503 with
   * `Retry-After`.
   */
  readonly open: (mounts?: ReadonlyArray<Mount>) => Effect.Effect<void, never, Dispatcher | Scope.Scope>
}

/**
 * Listens for HTTP/1.1 until the scope closes. It needs no service, so a start that cannot listen fails before it changes
 * anything. The management port opens first and has its own connection limit, so a flood on the public port cannot lock
 * out the operator. Both ports drain at the same time.
 */
export const bind = Effect.fnUntraced(function* ({
  isShared = isSharedBy([]),
  management,
  ...options
}: Omit<Options, "mounts">): Effect.fn.Return<Bound, CannotListen, Scope.Scope> {
  const bounds: Bounds = { ...defaultBounds, ...options.bounds }
  const listening: Array<Listening> = []
  let [operators, everybody]: [Answer, Answer] = [starting, starting]
  const leave = (by: (server: Server) => Effect.Effect<void>) =>
    Effect.suspend(() => {
      for (const { bidFarewell } of listening) bidFarewell()
      return Effect.forEach(listening, ({ server }) => by(server), { concurrency: "unbounded", discard: true })
    })
  yield* Effect.addFinalizer(() => leave(stop))
  const opened = (listened: Effect.Effect<Listening, CannotListen>) =>
    Effect.uninterruptible(Effect.tap(listened, (one) => Effect.sync(() => listening.push(one))))

  const managed =
    management === undefined
      ? null
      : yield* opened(
          listen(
            management,
            "MANAGEMENT_",
            { ...bounds, connections: managementConnections },
            () => true,
            (request, response) => operators(request, response)
          )
        )
  const publicly = yield* opened(
    listen(options, "", bounds, isShared, (request, response) => everybody(request, response))
  )
  return {
    port: portOf(publicly),
    managementPort: managed === null ? null : portOf(managed),
    retire: leave((server) => retire(server, bounds)),
    open: Effect.fnUntraced(function* (mounts = []) {
      const handler = yield* NodeHandler.make()
      const { serves } = yield* Dispatcher
      operators = yield* NodeHandler.make({ listener: "management" })
      // This scope is the service's: its requests must finish before the service closes.
      yield* Effect.addFinalizer(() => leave(stop))
      everybody = (request, response) => {
        const path = request.url?.split("?", 1)[0] ?? "/"
        const mount = mounts.find((each) => isBelow(each, path))
        return mount === undefined || serves(path) ? handler(request, response) : mount.handler(request, response)
      }
    })
  }
})

/** Listens and serves the API until the scope closes. */
export const serve = Effect.fnUntraced(function* ({ mounts, ...options }: Options) {
  const bound = yield* bind(options)
  yield* bound.open(mounts)
  const serving: Serving = bound
  return serving
})
