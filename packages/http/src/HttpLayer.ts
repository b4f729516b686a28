import { ByteSize, Effect, type Layer, Option } from "effect"
import { HttpIncomingMessage, HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Dispatcher } from "./Dispatcher.ts"
import { BodyTooLarge, BodyUnreadable } from "./Fault.ts"
import type { WireRequest } from "./WireRequest.ts"
import { discard, isStream } from "./WireResponse.ts"

const toWire = (request: HttpServerRequest.HttpServerRequest): WireRequest => {
  const mark = request.url.indexOf("?")
  return {
    method: request.method,
    path: mark < 0 ? request.url : request.url.slice(0, mark),
    query: mark < 0 ? "" : request.url.slice(mark + 1),
    remoteAddress: Option.getOrNull(request.remoteAddress),
    header: (name) => request.headers[name],
    body: (limit) =>
      request.arrayBuffer.pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limit)),
        Effect.mapBoth({
          onSuccess: (bytes) => new Uint8Array(bytes),
          onFailure: ({ reason }) =>
            reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
              ? new BodyTooLarge({ limit })
              : new BodyUnreadable({ problem: "did not arrive whole" })
        })
      )
  }
}

/**
 * The service as routes of an Effect `HttpRouter`: add it to your own, and everything your router does not know goes
 * to Countersign.
 *
 * @example
 * ```ts
 * import { Dispatcher, HttpLayer } from "@countersign/http"
 * import { Layer } from "effect"
 * import { HttpRouter } from "effect/http"
 *
 * const routes = HttpLayer.layer.pipe(Layer.provide(Dispatcher.layer()))
 * export const app = HttpRouter.serve(routes)
 * ```
 */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Dispatcher> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { dispatch } = yield* Dispatcher
    yield* router.add(
      "*",
      "/*",
      Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
        const { body, headers, status } = yield* dispatch(toWire(request))
        // An answer without a body has no type either.
        if (body === "") return HttpServerResponse.empty({ status, headers })
        if (isStream(body) && request.method === "HEAD") {
          yield* discard(body)
          return HttpServerResponse.empty({ status, headers })
        }
        const options = { status, headers, contentType: headers["content-type"] ?? "application/json" }
        if (isStream(body)) return HttpServerResponse.stream(body, options)
        return typeof body === "string"
          ? HttpServerResponse.text(body, options)
          : HttpServerResponse.uint8Array(body, options)
      })
    )
  })
)
