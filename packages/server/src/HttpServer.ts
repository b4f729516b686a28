import { NodeHandler } from "@countersign/http"
import { Effect, Schema } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { Duplex } from "node:stream"

/** The address cannot be listened on. */
export class CannotListen extends Schema.TaggedError<CannotListen>()("CannotListen", {
  address: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `HOST, PORT: cannot listen on ${this.address}: ${String(this.cause)}`
  }
}

/** A request without a host is refused by ourselves: Node's own refusal has no body. */
const serverOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  requireHostHeader: false
}
/** How long requests that run may take to end once the server has been asked to stop. */
const drain = "4 seconds"
const sweepEvery = 50

const unreadable = JSON.stringify({
  errorCode: "INVALID_REQUEST",
  message: "This is not an HTTP request we can read",
  requestId: null
})

/** What Node's parser refuses never becomes a request; it gets the envelope all the same. */
const refuse = (socket: Duplex) => {
  if (socket.writable) {
    const headers = [
      "connection: close",
      "content-type: application/json",
      `content-length: ${Buffer.byteLength(unreadable)}`,
      "cache-control: no-store",
      `x-request-id: ${crypto.randomUUID()}`
    ]
    socket.end(`HTTP/1.1 400 Bad Request\r\n${headers.join("\r\n")}\r\n\r\n${unreadable}`)
  } else socket.destroy()
}

/** Stops accepting, lets what runs end, and lets go of connections as they fall idle. */
const stop = (server: Server) =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    const sweep = setInterval(() => server.closeIdleConnections(), sweepEvery)
    return Effect.sync(() => clearInterval(sweep))
  }).pipe(Effect.timeoutOption(drain), Effect.andThen(Effect.sync(() => server.closeAllConnections())))

/** Something else that answers below a path. */
export interface Mount {
  readonly prefix: string
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void
}

const isBelow = ({ prefix }: Mount, url = "/") =>
  url.startsWith(prefix) && (url.length === prefix.length || "/?".includes(url.charAt(prefix.length)))

export interface Options {
  readonly host: string
  readonly port: number
  readonly mount?: Mount | undefined
}

/** Serves the interface over HTTP/1.1 until the scope closes. Answers the port, which the system chooses for 0. */
export const serve = Effect.fnUntraced(function* ({ host, mount, port }: Options) {
  const handler = yield* NodeHandler.make()
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers.host === undefined && request.httpVersion === "1.1") return refuse(request.socket)
    if (mount !== undefined && isBelow(mount, request.url)) return mount.handler(request, response)
    return handler(request, response)
  }
  const server = yield* Effect.acquireRelease(
    Effect.callback<Server, CannotListen>((resume) => {
      const server = createServer(serverOptions, listener)
      server.on("checkExpectation", listener).on("clientError", (_, socket) => refuse(socket))
      const onError = (cause: Error) => resume(Effect.fail(new CannotListen({ address: `${host}:${port}`, cause })))
      server.once("error", onError)
      server.listen(port, host, () => {
        server.off("error", onError)
        resume(Effect.succeed(server))
      })
    }),
    stop
  )
  return (server.address() as AddressInfo).port
})
