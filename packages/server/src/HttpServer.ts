import { Dispatcher, NodeHandler } from "@countersign/http"
import { Context, Effect, Schema, type Scope } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, Server as NetServer, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { ConnectionPlaces, type Full, isSharedBy } from "./ConnectionPlaces.ts"

/** Which variables say where to listen: `MANAGEMENT_` stands before those of the operator's own address. */
type Prefix = "" | "MANAGEMENT_"

const reasons = (prefix: Prefix): { readonly [code: string]: string } => ({
  EADDRINUSE: `another program listens there; stop it, or choose another ${prefix}PORT`,
  EACCES: `this user may not; choose a ${prefix}PORT from 1024 on`,
  EADDRNOTAVAIL: `this machine has no such address; choose another ${prefix}HOST`
})

/** Why a port cannot be listened on, and what to do. */
export const whyNot = (cause: unknown, prefix: Prefix = ""): string =>
  (cause instanceof Error && "code" in cause ? reasons(prefix)[String(cause.code)] : undefined) ?? String(cause)

/** The address cannot be listened on. */
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

/** How much a connection may ask of us, in milliseconds where it is time. */
export interface Bounds {
  /** Connections at one time, a quarter of them from one public address. One more is told to come back, with 503. */
  readonly connections: number
  /** Without a byte in either direction for so long, a socket is closed: idle ones, and readers that do not read. */
  readonly inactivity: number
  /** A request's head is there by then. */
  readonly head: number
  /** The whole of a request is there by then. */
  readonly request: number
  /** Requests over one connection that are not answered yet. One more ends the connection. */
  readonly unanswered: number
}

export const defaultBounds: Bounds = {
  connections: 10_000,
  inactivity: 30_000,
  head: 10_000,
  request: 30_000,
  unanswered: 4
}

/** Scrapers, probes and an operator's scripts. */
const managementConnections = 256

/** How many connections beyond the bound are told so at once; further ones are dropped without a word. */
const toldSo = 256

const serverOptions = ({ head, inactivity, request }: Bounds) => ({
  headersTimeout: head,
  requestTimeout: request,
  keepAliveTimeout: inactivity,
  connectionsCheckingInterval: Math.min(head, 5_000) / 2,
  // A request without a host is refused by ourselves: Node's own refusal has no body.
  requireHostHeader: false
})
/** How long requests that run may take to end once the server has been asked to stop. */
const drain = "4 seconds"
const sweepEvery = 50

/** How long a refused connection may take to read why, in milliseconds, whatever it writes meanwhile. */
const lastWords = 1_000

/** What never becomes a request gets the envelope all the same, and its connection is closed. */
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

/** For what Node's parser refuses. */
const refuse = refusal("400 Bad Request", "INVALID_REQUEST", "This is not an HTTP request we can read")

/** For a connection more than there may be. */
const refuseConnection = {
  ALL: refusal(
    "503 Service Unavailable",
    "INTERNAL_ERROR",
    "This server holds as many connections as it may; try again",
    "retry-after: 1"
  ),
  ADDRESS: refusal(
    "503 Service Unavailable",
    "INTERNAL_ERROR",
    "This server holds as many connections from your address as it may; try again, or name your proxy in TRUSTED_PROXIES",
    "retry-after: 1"
  )
}

/** Drops sockets that were reset before their address could be read, and refuses those beyond the bound. */
const admission = (bounds: Bounds, isShared: (address: string) => boolean) => {
  const refused = new WeakSet<Duplex>()
  const places = new ConnectionPlaces(bounds.connections, isShared)
  let told = 0
  /** What is refused must take no place of others: so many are told at once, each for so long. */
  const tell = (socket: Socket, why: Full) => {
    if (told >= toldSo) return void socket.destroy()
    told++
    refused.add(socket)
    refuseConnection[why](socket)
    socket.once("close", () => told--)
  }
  const onConnection = (socket: Socket) => {
    const address = NodeHandler.addressOf(socket)
    // A socket that was reset before we saw it has no address, and no limit could hold for it.
    if (address === null) return void socket.destroy()
    const taken = places.take(address)
    if (typeof taken === "string") return tell(socket, taken)
    socket.once("close", taken)
  }
  return { onConnection, isRefused: (socket: Duplex) => refused.has(socket) }
}

/** Stops accepting, lets what runs end, and lets go of connections as they fall idle. */
const stop = (server: Server) =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    const sweep = setInterval(() => server.closeIdleConnections(), sweepEvery)
    return Effect.sync(() => clearInterval(sweep))
  }).pipe(Effect.timeoutOption(drain), Effect.andThen(Effect.sync(() => server.closeAllConnections())))

/**
 * Accepts no more, answers what is asked over the connections there are, and asks each to be closed by who opened it:
 * nobody's request meets a connection that we are just closing. Over when all are closed. An idle one is, after
 * `inactivity`; what goes on for longer, as a live stream, is cut off by `stop`.
 */
const retire = (server: Server, { inactivity, request }: Bounds) =>
  Effect.callback<void>((resume) => {
    // Not `close` of the HTTP server, which ends idle connections at once.
    NetServer.prototype.close.call(server, () => resume(Effect.void))
  }).pipe(Effect.timeoutOption(Math.max(inactivity, request) + 1_000), Effect.asVoid)

/** What every connection waits for. */
const pending = (most: number) => {
  const unanswered = new Set<ServerResponse>()
  const counts = new WeakMap<Socket, number>()
  let leaving = false
  return {
    /**
     * Notes a request that came. False for one more than its connection may wait for: a client may write requests faster
     * than we answer, and Node reads on. No answer of ours would do, because the client would take it for that of the first.
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
    /** Says with each answer that it is the connection's last one, from now on. */
    bidFarewell: () => {
      leaving = true
      for (const response of unanswered) response.shouldKeepAlive = false
    }
  }
}

/** Something else that answers below a path, but for what the interface itself serves there. */
export interface Mount {
  readonly prefix: string
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void
}

/** What is mounted beside the interface, by the part of the service that makes it. */
export class Mounts extends Context.Service<Mounts, ReadonlyArray<Mount>>()("@countersign/server/Mounts") {}

const isBelow = ({ prefix }: Mount, path: string) => path === prefix || path.startsWith(`${prefix}/`)

export interface Address {
  readonly host: string
  readonly port: number
}

export interface Options extends Address {
  readonly mounts?: ReadonlyArray<Mount> | undefined
  readonly bounds?: Partial<Bounds> | undefined
  /** The operator's own address, where `Dispatcher` was made with one apart. */
  readonly management?: Address | undefined
  /** Whether many people may connect from one address. By default from this machine and private networks. */
  readonly isShared?: ((address: string) => boolean) | undefined
}

/** The interface, served. Ports are those that the system chose for 0. */
export interface Serving {
  readonly port: number
  /** Null where the operator has no address apart. */
  readonly managementPort: number | null
  /** Lets go of all connections, while somebody else takes the new ones. */
  readonly retire: Effect.Effect<void>
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** One address that is listened on. */
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

/** What answers until the service can: it lives, and takes no work yet. Nothing of the request is read. */
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

/** Ports that are listened on, before there is a service behind them. */
export interface Bound extends Serving {
  /**
   * Serves the interface from now on, until the scope closes. Before, `/healthz` answers 200 and every other request 503
   * with `Retry-After`.
   */
  readonly open: (mounts?: ReadonlyArray<Mount>) => Effect.Effect<void, never, Dispatcher | Scope.Scope>
}

/**
 * Listens over HTTP/1.1 until the scope closes, without a service yet: a start that cannot listen fails here, before it
 * has changed anything. The operator's own address opens first and has connections of its own: who fills the public one
 * does not shut the operator out. Both drain at one time.
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
      // Requests end before the service does, whose scope this is.
      yield* Effect.addFinalizer(() => leave(stop))
      everybody = (request, response) => {
        const path = request.url?.split("?", 1)[0] ?? "/"
        const mount = mounts.find((each) => isBelow(each, path))
        return mount === undefined || serves(path) ? handler(request, response) : mount.handler(request, response)
      }
    })
  }
})

/** Listens and serves the interface until the scope closes. */
export const serve = Effect.fnUntraced(function* ({ mounts, ...options }: Options) {
  const bound = yield* bind(options)
  yield* bound.open(mounts)
  const serving: Serving = bound
  return serving
})
