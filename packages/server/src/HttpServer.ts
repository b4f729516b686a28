import { NodeHandler } from "@countersign/http"
import { Effect, Schema } from "effect"
import { createServer, type Server } from "node:http"
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

const timeouts = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 }
/** How long requests that run may take to end once the server has been asked to stop. */
const drain = "4 seconds"
const sweepEvery = 50

const unreadable = JSON.stringify({
  errorCode: "INVALID_REQUEST",
  message: "This is not an HTTP request we can read",
  requestId: null
})

/** What Node's parser refuses never becomes a request; it gets the envelope all the same. */
const refuse = (_error: Error, socket: Duplex) => {
  if (socket.writable) {
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(unreadable)}\r\n\r\n${unreadable}`
    )
  } else socket.destroy()
}

/** Stops accepting, lets what runs end, and lets go of connections as they fall idle. */
const stop = (server: Server) =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    const sweep = setInterval(() => server.closeIdleConnections(), sweepEvery)
    return Effect.sync(() => clearInterval(sweep))
  }).pipe(Effect.timeoutOption(drain), Effect.andThen(Effect.sync(() => server.closeAllConnections())))

/** Serves the interface over HTTP/1.1 until the scope closes. Answers the port, which the system chooses for 0. */
export const serve = Effect.fnUntraced(function* (options: { readonly host: string; readonly port: number }) {
  const handler = yield* NodeHandler.make()
  const server = yield* Effect.acquireRelease(
    Effect.callback<Server, CannotListen>((resume) => {
      const server = createServer(timeouts, handler)
      server.on("checkExpectation", handler).on("clientError", refuse)
      const onError = (cause: Error) =>
        resume(Effect.fail(new CannotListen({ address: `${options.host}:${options.port}`, cause })))
      server.once("error", onError)
      server.listen(options.port, options.host, () => {
        server.off("error", onError)
        resume(Effect.succeed(server))
      })
    }),
    stop
  )
  return (server.address() as AddressInfo).port
})
