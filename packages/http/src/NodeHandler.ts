import { Context, Effect, Stream } from "effect"
import { BodyPieces } from "./BodyPieces.ts"
import { Dispatcher, type Listener } from "./Dispatcher.ts"
import { BodyTooLarge, BodyUnreadable, LargeBodiesBusy, PathUnknown } from "./Fault.ts"
import { respond } from "./respond.ts"
import { defect } from "./wire.ts"
import { type BodyFailure, type WireRequest, withoutPrefix } from "./WireRequest.ts"
import { discard, isStream, type StreamBody, type WireResponse } from "./WireResponse.ts"

/** The members of Node's `IncomingMessage` that are used here. This package also runs without Node's types. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: { readonly [name: string]: string | Array<string> | undefined }
  // oxlint-disable-next-line typescript/no-explicit-any -- Node types its listeners so
  on(event: string, listener: (...args: Array<any>) => void): unknown
  // oxlint-disable-next-line typescript/no-explicit-any -- Node types its listeners so
  off(event: string, listener: (...args: Array<any>) => void): unknown
  resume(): unknown
  readonly readableEnded: boolean
  readonly destroyed?: boolean | undefined
  /** Set by a body parser that ran before. */
  readonly body?: unknown
  readonly socket?: NodeSocket | null | undefined
}

/** The members of a request's socket that are used here. */
export interface NodeSocket {
  readonly remoteAddress?: string | undefined
}

/** The members of Node's `ServerResponse` that are used here. */
export interface NodeResponse {
  readonly destroyed: boolean
  readonly headersSent: boolean
  writeHead(status: number, headers: { readonly [name: string]: string | number }): unknown
  /** False when the client reads too slowly. The event `drain` follows when it has caught up. */
  write(chunk: Uint8Array): boolean
  end(body?: string | Uint8Array): unknown
  destroy(): unknown
  on(event: "close" | "drain", listener: () => void): unknown
  off(event: "close" | "drain", listener: () => void): unknown
}

/** Handles requests of Node's own server and of frameworks built on it: in Express, pass it to `app.use`. */
export type NodeHandler = (request: NodeRequest, response: NodeResponse) => void

const encoder = new TextEncoder()

/** The addresses of connections, stored while they were open. */
const addresses = new WeakMap<NodeSocket, string>()

/**
 * The client address of a socket. A reset socket reports none, so call this when a connection opens: the address is stored.
 * Null when the socket was already closed.
 *
 * @example
 * ```ts
 * import { NodeHandler } from "@countersign/http"
 * import { createServer } from "node:http"
 *
 * const server = createServer()
 * server.on("connection", (socket) => {
 *   if (NodeHandler.addressOf(socket) === null) socket.destroy()
 * })
 * ```
 */
export const addressOf = (socket: NodeSocket): string | null => {
  const known = addresses.get(socket)
  if (known !== undefined) return known
  const address = socket.remoteAddress
  if (address === undefined) return null
  addresses.set(socket, address)
  return address
}

const broken = Effect.fail(new BodyUnreadable({ problem: "was cut off before the end" }))
const noRoom = Effect.fail(new LargeBodiesBusy())
const tooLarge = (limit: number) => Effect.fail(new BodyTooLarge({ limit }))

const isForm = (request: NodeRequest) =>
  /^application\/x-www-form-urlencoded *(;|$)/i.test(String(request.headers["content-type"]))

/** Restores the body from the result of a body parser that ran before, for JSON and forms. */
const parsedBefore = (request: NodeRequest): Effect.Effect<Uint8Array, BodyUnreadable> =>
  typeof request.body === "object" && request.body !== null
    ? Effect.sync(() =>
        encoder.encode(
          isForm(request)
            ? new URLSearchParams(request.body as Record<string, string>).toString()
            : JSON.stringify(request.body)
        )
      )
    : Effect.fail(new BodyUnreadable({ problem: "was already consumed; mount this handler before body parsers" }))

/** Reads a body directly from Node's events, because a stream would cost more than the rest of the request. */
const body =
  (request: NodeRequest): WireRequest["body"] =>
  (limit, take) => {
    if (Number(request.headers["content-length"] ?? 0) > limit) return tooLarge(limit)
    if (request.readableEnded) return parsedBefore(request)
    // A socket that closed during authentication emits no more events, so waiting for its body would never end.
    if (request.destroyed) return broken
    return Effect.callback((resume) => {
      const pieces = new BodyPieces()
      let length = 0
      const stopListening = () => {
        for (const [event, listener] of listeners) request.off(event, listener)
      }
      const settle = (result: Effect.Effect<Uint8Array, BodyFailure>) => {
        stopListening()
        resume(result)
      }
      /** Reads and drops the rest of the body, so that the client can receive the answer. */
      const drop = (result: Effect.Effect<never, BodyFailure>) => {
        settle(result)
        request.resume()
      }
      const onData = (chunk: Uint8Array) => {
        length += chunk.length
        if (length > limit) return drop(tooLarge(limit))
        if (take !== undefined && !take(chunk.length)) return drop(noRoom)
        pieces.add(chunk)
      }
      const onEnd = () => settle(Effect.succeed(pieces.joined()))
      const onBroken = () => settle(broken)
      const listeners = [
        ["data", onData],
        ["end", onEnd],
        ["error", onBroken],
        ["close", onBroken]
      ] as const
      for (const [event, listener] of listeners) request.on(event, listener)
      return Effect.sync(() => {
        stopListening()
        request.resume()
      })
    })
  }

const header = (request: NodeRequest) => (name: string) => {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

const toWire = (request: NodeRequest, prefix: string): WireRequest => {
  const url = request.url ?? "/"
  const mark = url.indexOf("?")
  return {
    method: request.method ?? "GET",
    path: withoutPrefix(mark < 0 ? url : url.slice(0, mark), prefix),
    query: mark < 0 ? "" : url.slice(mark + 1),
    remoteAddress: request.socket == null ? null : addressOf(request.socket),
    header: header(request),
    body: body(request)
  }
}

const write = (response: NodeResponse, status: number, headers: WireResponse["headers"], body: string | Uint8Array) => {
  if (response.destroyed || response.headersSent) return
  // HTTP allows neither a body nor a length with 204 and 304.
  const length = typeof body === "string" ? encoder.encode(body).length : body.length
  response.writeHead(status, status === 204 || status === 304 ? headers : { ...headers, "content-length": length })
  response.end(body)
}

const drained = (response: NodeResponse) =>
  Effect.callback<void>((resume) => {
    const onDrain = () => {
      response.off("drain", onDrain)
      resume(Effect.void)
    }
    response.on("drain", onDrain)
    return Effect.sync(() => response.off("drain", onDrain))
  })

/** Writes the stream with backpressure: it reads more only when the client has received what was written. */
const pour = (response: NodeResponse, body: StreamBody) =>
  Stream.runForEach(body, (chunk) => Effect.suspend(() => (response.write(chunk) ? Effect.void : drained(response))))

/** Starts an effect in the background and returns a function that stops it. */
type Start = <A, E>(effect: Effect.Effect<A, E>, onExit: (succeeded: boolean) => void) => () => void

const stream = (
  response: NodeResponse,
  { headers, status }: WireResponse,
  body: StreamBody,
  { isHead, start }: { readonly isHead: boolean; readonly start: Start }
) => {
  const unread = response.destroyed || response.headersSent
  if (unread || isHead) start(discard(body), () => {})
  if (unread) return
  response.writeHead(status, headers)
  if (isHead) return void response.end()
  // When the client disconnects, or the socket times out, only `close` is emitted.
  const stop = start(pour(response, body), (succeeded) => (succeeded ? response.end() : response.destroy()))
  response.on("close", stop)
}

/** Answers everything with 404 when there is no separate operator address. */
const nobody: Pick<Listener, "dispatch"> = { dispatch: () => respond(Effect.fail(new PathUnknown())) }

/**
 * A handler for Node's own server.
 *
 * A started request is finished even when its client has disconnected, because it may have committed. The client then
 * repeats the request. A streamed body stops when its client disconnects. A failing stream closes the connection.
 */
export const make = (
  options: {
    readonly prefix?: string | undefined
    /** Set `management` for the handler of the separate operator address. */
    readonly listener?: "management" | undefined
  } = {}
): Effect.Effect<NodeHandler, never, Dispatcher> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Dispatcher>()
    const dispatcher = Context.get(context, Dispatcher)
    const { dispatch } = options.listener === "management" ? (dispatcher.management ?? nobody) : dispatcher
    const run = Effect.runCallbackWith(context)
    const prefix = options.prefix ?? ""
    const start: Start = (effect, onExit) => {
      const stop = run(effect, { onExit: (exit) => onExit(exit._tag === "Success") })
      return () => stop()
    }
    return (request, response) => {
      run(dispatch(toWire(request, prefix)), {
        onExit: (exit) => {
          const answer: WireResponse = exit._tag === "Success" ? exit.value : defect
          const { body, headers, status } = answer
          if (isStream(body)) stream(response, answer, body, { isHead: request.method === "HEAD", start })
          else write(response, status, headers, body)
        }
      })
    }
  })
