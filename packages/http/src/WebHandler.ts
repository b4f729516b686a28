import { describeCause } from "@countersign/core"
import { Cause, Context, Effect, Stream } from "effect"
import { BodyPieces } from "./BodyPieces.ts"
import { Dispatcher } from "./Dispatcher.ts"
import { BodyTooLarge, BodyUnreadable, LargeBodiesBusy } from "./Fault.ts"
import { defect } from "./wire.ts"
import { type TakeBytes, type WireRequest, withoutPrefix } from "./WireRequest.ts"
import { discard, isStream, type WireResponse } from "./WireResponse.ts"

/** Handles the web standard `Request`: Hono, Next, Fastify, Bun, Deno, workers. */
export type WebHandler = (request: Request) => Promise<Response>

/**
 * Returns the client address of a request, because a `Request` has none. With Bun that is
 * `server.requestIP(request)?.address`. Hosting platforms put it into a header. Never use a header that callers can set.
 */
export type ClientAddressOf = (request: Request) => string | null | undefined

const unknown: ClientAddressOf = () => null

/** Reads a stream to its end. Cancels it when the body is refused or the signal aborts. */
const collect = async (
  stream: ReadableStream<Uint8Array>,
  limit: number,
  take: TakeBytes,
  signal: AbortSignal
): Promise<Uint8Array | BodyTooLarge | LargeBodiesBusy> => {
  const reader = stream.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  signal.addEventListener("abort", cancel, { once: true })
  const pieces = new BodyPieces()
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return pieces.joined()
    length += value.length
    const failure = length > limit ? new BodyTooLarge({ limit }) : take(value.length) ? null : new LargeBodiesBusy()
    if (failure !== null) {
      cancel()
      return failure
    }
    pieces.add(value)
  }
}

const takeAll: TakeBytes = () => true

const body =
  (request: Request): WireRequest["body"] =>
  (limit, take = takeAll) => {
    const stream = request.body
    if (stream === null) return Effect.succeed(new Uint8Array(0))
    return Effect.flatMap(
      Effect.tryPromise({
        try: (signal) => collect(stream, limit, take, signal),
        catch: () => new BodyUnreadable({ problem: "was cut off before the end" })
      }),
      (result): Effect.Effect<Uint8Array, BodyTooLarge | LargeBodiesBusy> =>
        result instanceof Uint8Array ? Effect.succeed(result) : Effect.fail(result)
    )
  }

/** Removes `prefix`, the path that the service is mounted under. */
const toWire = (request: Request, prefix: string, clientAddress: ClientAddressOf): WireRequest => {
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    path: withoutPrefix(pathname, prefix),
    query: search.slice(1),
    remoteAddress: clientAddress(request) ?? null,
    header: (name) => request.headers.get(name) ?? undefined,
    body: body(request)
  }
}

/** Guards against exceptions from the user's `clientAddress`. */
const safely = (answer: () => Effect.Effect<WireResponse>): Effect.Effect<WireResponse> =>
  Effect.catchDefect(Effect.suspend(answer), (cause) =>
    Effect.as(Effect.logError("The option clientAddress threw an error", describeCause(Cause.die(cause))), defect)
  )

/** Converts a body for a `Response`. A stream keeps the client's pace, stops with the client, and passes on failures. */
const bodyOf = (body: WireResponse["body"]) => {
  if (isStream(body)) return Stream.toReadableStreamWith(body, Context.empty())
  return body === "" ? null : (body as string | Uint8Array<ArrayBuffer>)
}

/** A handler from `Request` to `Response`. It never rejects. */
export const make = (
  options: { readonly prefix?: string | undefined; readonly clientAddress?: ClientAddressOf | undefined } = {}
): Effect.Effect<WebHandler, never, Dispatcher> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Dispatcher>()
    const { dispatch } = Context.get(context, Dispatcher)
    const run = Effect.runPromiseWith(context)
    const prefix = options.prefix ?? ""
    const clientAddress = options.clientAddress ?? unknown
    return (request) =>
      run(safely(() => dispatch(toWire(request, prefix, clientAddress)))).then(({ body, headers, status }) => {
        const isHead = request.method === "HEAD"
        if (isHead && isStream(body)) void run(discard(body))
        return new Response(isHead ? null : bodyOf(body), { status, headers })
      })
  })
