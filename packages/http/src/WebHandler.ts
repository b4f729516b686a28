import { Context, Effect } from "effect"
import { Dispatcher } from "./Dispatcher.ts"
import { BodyTooLarge, BodyUnreadable } from "./Fault.ts"
import { joined, type WireRequest, withoutPrefix } from "./WireRequest.ts"

/** Handles the platform's own `Request`: Hono, Next, Fastify, Bun, Deno, workers. */
export type WebHandler = (request: Request) => Promise<Response>

const collect = async (stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array | null> => {
  const chunks: Array<Uint8Array> = []
  let length = 0
  for await (const chunk of stream) {
    length += chunk.length
    if (length > limit) return null
    chunks.push(chunk)
  }
  return joined(chunks)
}

const body =
  (request: Request): WireRequest["body"] =>
  (limit) => {
    const stream = request.body
    if (stream === null) return Effect.succeed(new Uint8Array(0))
    return Effect.flatMap(
      Effect.tryPromise({
        try: () => collect(stream, limit),
        catch: () => new BodyUnreadable({ problem: "did not arrive whole" })
      }),
      (bytes) => (bytes === null ? Effect.fail(new BodyTooLarge({ limit })) : Effect.succeed(bytes))
    )
  }

/** `prefix` is the path that the service is mounted under, to be taken off. */
const toWire = (request: Request, prefix: string): WireRequest => {
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    path: withoutPrefix(pathname, prefix),
    query: search.slice(1),
    header: (name) => request.headers.get(name) ?? undefined,
    body: body(request)
  }
}

/** A handler from `Request` to `Response`. It never rejects. */
export const make = (
  options: { readonly prefix?: string | undefined } = {}
): Effect.Effect<WebHandler, never, Dispatcher> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Dispatcher>()
    const { dispatch } = Context.get(context, Dispatcher)
    const run = Effect.runPromiseWith(context)
    const prefix = options.prefix ?? ""
    return (request) =>
      run(dispatch(toWire(request, prefix))).then(
        ({ body, headers, status }) => new Response(request.method === "HEAD" ? null : body, { status, headers })
      )
  })
