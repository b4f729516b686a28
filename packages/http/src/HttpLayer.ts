import { Effect, type Layer, Option, Stream } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { BodyPieces } from "./BodyPieces.ts"
import { Dispatcher } from "./Dispatcher.ts"
import { BodyTooLarge, BodyUnreadable, LargeBodiesBusy } from "./Fault.ts"
import { type Failure, toResponse } from "./wire.ts"
import { type BodyFailure, type TakeBytes, type WireRequest } from "./WireRequest.ts"
import { discard, isStream } from "./WireResponse.ts"

const cutOff = () => new BodyUnreadable({ problem: "was cut off before the end" })

const takeAll: TakeBytes = () => true

/**
 * Reads a body in chunks, so that its bytes are counted as they arrive and small chunks do not waste memory.
 */
const streamed = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number,
  take: TakeBytes
): Effect.Effect<Uint8Array, BodyFailure> =>
  Effect.suspend(() => {
    // A platform request without a body has no stream either.
    if (request.source instanceof Request && request.source.body === null) return Effect.succeed(new Uint8Array(0))
    const pieces = new BodyPieces()
    let length = 0
    return request.stream.pipe(
      Stream.mapError(cutOff),
      Stream.runForEach((chunk): Effect.Effect<void, BodyFailure> => {
        length += chunk.length
        if (length > limit) return Effect.fail(new BodyTooLarge({ limit }))
        if (!take(chunk.length)) return Effect.fail(new LargeBodiesBusy())
        pieces.add(chunk)
        return Effect.void
      }),
      Effect.map(() => pieces.joined())
    )
  })

const toWire = (request: HttpServerRequest.HttpServerRequest): WireRequest => {
  const mark = request.url.indexOf("?")
  return {
    method: request.method,
    path: mark < 0 ? request.url : request.url.slice(0, mark),
    query: mark < 0 ? "" : request.url.slice(mark + 1),
    remoteAddress: Option.getOrNull(request.remoteAddress),
    header: (name) => request.headers[name],
    body: (limit, take = takeAll) => streamed(request, limit, take)
  }
}

/** Routes every path to the service. */
const install = Effect.fnUntraced(function* (router: HttpRouter.HttpRouter) {
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

/**
 * The service as routes of an Effect `HttpRouter`. Add it to your own router: paths without a route of yours go to
 * Countersign.
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
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Dispatcher> = HttpRouter.use(install)

/**
 * Like `layer`, but under a path, beside the routes of your own `HttpApi` or router.
 *
 * @example
 * ```ts
 * import { Dispatcher, HttpLayer } from "@countersign/http"
 * import { Layer } from "effect"
 *
 * const routes = HttpLayer.layerAt("/verify").pipe(Layer.provide(Dispatcher.layer({ basePath: "/verify" })))
 * ```
 */
export const layerAt = (path: `/${string}`): Layer.Layer<never, never, HttpRouter.HttpRouter | Dispatcher> =>
  HttpRouter.use((router) => install(router.prefixed(path)))

/**
 * Translates a service's failure into the API's answer, for use in your own routes.
 *
 * @example
 * ```ts
 * import { type Caller, Verifications } from "@countersign/core"
 * import { HttpLayer } from "@countersign/http"
 * import { Effect } from "effect"
 * import { HttpServerResponse } from "effect/http"
 *
 * const check = Effect.fn(function* (caller: Caller, requestId: string, otp: string) {
 *   const verifications = yield* Verifications
 *   const { _tag } = yield* verifications.verify(caller, { requestId, otp })
 *   return HttpServerResponse.empty({ status: _tag === "Verified" ? 204 : 401 })
 * }, Effect.catch(HttpLayer.failed))
 * ```
 */
export const failed = (failure: Failure): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const { body, headers, status } = toResponse(failure)
  return Effect.succeed(HttpServerResponse.text(body, { status, headers, contentType: "application/json" }))
}
