import { type Caller, describeCause, Idempotency, InvalidField, type Services, type Storage } from "@countersign/core"
import { Cause, Context, Effect, Layer, type Redacted, Result } from "effect"
import * as Authenticate from "./Authenticate.ts"
import { MethodUnknown, PathUnknown } from "./Fault.ts"
import * as callbacks from "./callbacks.ts"
import * as cors from "./cors.ts"
import * as ClientAddress from "./ClientAddress.ts"
import * as allHandlers from "./allHandlers.ts"
import { makeRecorder } from "./Metrics.ts"
import * as Pages from "./Pages.ts"
import { contract, makeFinder, type Match, type Route } from "./Routes.ts"
import { defect, type Failure, toResponse } from "./wire.ts"
import { parseObject, parseQuery, readText, type WireRequest } from "./WireRequest.ts"
import { json, type WireResponse } from "./WireResponse.ts"

export interface Options {
  /** Where the service is reached from outside: what providers sign their callbacks for. */
  readonly publicUrl?: string | undefined
  /** Opens `/v1/admin/*`; without it nothing is served there. */
  readonly adminToken?: Redacted.Redacted | undefined
  /** Whose `X-Forwarded-For` is believed. Nobody's, unless they are listed: `ClientAddress.parseProxies` reads a list. */
  readonly trustedProxies?: ClientAddress.TrustedProxies | undefined
  /** More pages, by path: the development outbox is one. */
  readonly pages?: Pages.Pages | undefined
  /** A span for every request. Costs about 20 µs each, so only where somebody collects them. */
  readonly tracing?: boolean | undefined
}

/** What a handler of any endpoint looks like, once its types have done their work. */
type AnyHandler = (input: {
  readonly payload: unknown
  readonly query: unknown
  readonly params: unknown
  readonly caller: Caller | null
  readonly idempotencyKey: string | null
  readonly clientAddress: string | null
}) => Effect.Effect<unknown, Failure>

const largestBody = 64 * 1024
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const givenRequestId = /^[\w.-]{1,64}$/

const decode = (decoder: Route["query"], value: () => Result.Result<unknown, Failure>) =>
  decoder === undefined ? Result.succeed(undefined) : Result.flatMap(value(), decoder)

/**
 * Turns every request into exactly one answer: finds the endpoint, checks credentials, reads and decodes the body,
 * runs the handler, and puts every failure there is into the one envelope.
 */
export class Dispatcher extends Context.Service<
  Dispatcher,
  { readonly dispatch: (request: WireRequest) => Effect.Effect<WireResponse> }
>()("@countersign/http/Dispatcher") {
  static readonly layer = (options: Options = {}): Layer.Layer<Dispatcher, never, Services | Storage> =>
    Layer.effect(
      Dispatcher,
      Effect.gen(function* () {
        const handlers = (yield* allHandlers.make) as unknown as {
          readonly [group: string]: { readonly [name: string]: AnyHandler }
        }
        const idempotency = yield* Idempotency
        const authenticate = yield* Authenticate.make(options.adminToken)
        const pages: Pages.Pages = { ...(yield* Pages.make), ...options.pages }
        const find = makeFinder(
          options.adminToken === undefined ? contract.filter(({ needs }) => needs.credential !== "admin") : contract
        )
        const callback = yield* callbacks.make(options.publicUrl ?? "http://localhost")
        const trustedProxies = options.trustedProxies ?? []
        const record = makeRecorder()

        const answer = Effect.fnUntraced(function* (
          { params, route }: Match,
          request: WireRequest,
          caller: Caller | null,
          idempotencyKey: string | null,
          text: string
        ) {
          const payload = yield* Effect.fromResult(decode(route.payload, () => parseObject(text)))
          const query = yield* Effect.fromResult(decode(route.query, () => parseQuery(request.query)))
          const decodedParams = yield* Effect.fromResult(decode(route.params, () => Result.succeed(params)))
          const handler = handlers[route.group]![route.name]!
          const input = {
            payload,
            query,
            params: decodedParams,
            caller,
            idempotencyKey,
            /** Worked out for those who ask: few do, and it takes as long as a good part of a request. */
            get clientAddress() {
              return ClientAddress.of(request, trustedProxies)
            }
          }
          const answered = yield* handler(input)
          return answered === undefined ? { status: route.status, headers: {}, body: "" } : json(route.status, answered)
        })

        const once = Effect.fnUntraced(function* (
          match: Match,
          request: WireRequest,
          caller: Caller | null,
          given: string
        ) {
          if (!uuid.test(given)) return yield* new InvalidField({ field: "Idempotency-Key", problem: "must be a UUID" })
          const key = given.toLowerCase()
          const text = match.route.payload === undefined ? "" : yield* readText(request, largestBody)
          const { answer: kept, replayed } = yield* idempotency.once(
            { environment: caller?.environment ?? "operator", endpoint: `${request.method} ${request.path}`, key },
            text,
            settled(answer(match, request, caller, key, text)),
            ({ status }) => status !== 429 && status < 500
          )
          if (!replayed) return kept
          return {
            status: kept.status,
            body: kept.body,
            headers: { "content-type": "application/json", "idempotency-replayed": "true" }
          }
        })

        const serve = Effect.fnUntraced(function* (match: Match, request: WireRequest) {
          const { route } = match
          const caller = yield* authenticate(route.needs, request)
          const key = route.method === "POST" ? request.header("idempotency-key") : undefined
          if (key !== undefined) return yield* once(match, request, caller, key)
          const text = route.payload === undefined ? "" : yield* readText(request, largestBody)
          return yield* answer(match, request, caller, null, text)
        })

        /** What is not in the contract: providers' callbacks, and pages. */
        const beside = (request: WireRequest) =>
          request.path.startsWith(callbacks.prefix) ? callback(request) : page(request)

        const page = (request: WireRequest): Effect.Effect<WireResponse, Failure> => {
          const found = Object.hasOwn(pages, request.path) ? pages[request.path] : undefined
          if (found === undefined) return Effect.fail(new PathUnknown())
          return request.method === "GET" || request.method === "HEAD"
            ? found(request)
            : Effect.fail(new MethodUnknown({ allow: ["GET"] }))
        }

        const otherMethod = (request: WireRequest, methods: ReadonlyMap<string, Match>) =>
          request.method === "OPTIONS" && cors.isShared(request.path)
            ? Effect.succeed(cors.preflight)
            : Effect.fail(new MethodUnknown({ allow: [...methods.keys()] }))

        const dispatch = (request: WireRequest): Effect.Effect<WireResponse> => {
          const started = performance.now()
          const methods = find(request.path)
          const match = methods.get(request.method === "HEAD" ? "GET" : request.method)
          const served =
            match !== undefined
              ? serve(match, request)
              : methods.size > 0
                ? otherMethod(request, methods)
                : beside(request)
          const given = request.header("x-request-id")
          const requestId = given !== undefined && givenRequestId.test(given) ? given : crypto.randomUUID()
          const route = match?.route ?? null
          const answered = Effect.map(settled(served), (response) => {
            record(route, response.status, performance.now() - started)
            const headers: Record<string, string> = { ...response.headers, "x-request-id": requestId }
            if (request.path.startsWith("/v1/")) headers["cache-control"] = "no-store"
            if (cors.isShared(request.path)) Object.assign(headers, cors.headers)
            return { ...response, headers }
          })
          if (options.tracing !== true) return answered
          return Effect.withSpan(
            Effect.annotateLogs(answered, { requestId }),
            route === null ? "unknown" : `${route.method} ${route.path}`,
            {
              kind: "server"
            }
          )
        }

        return Dispatcher.of({ dispatch })
      })
    )
}

/** Whatever happened, as an answer. What the caller cannot mend is logged for the operator. */
const settled = (effect: Effect.Effect<WireResponse, Failure>): Effect.Effect<WireResponse> =>
  Effect.catchCause(effect, (cause) => {
    const failure = Cause.findErrorOption(cause)
    if (failure._tag === "Some") {
      const response = toResponse(failure.value)
      return response.status < 500
        ? Effect.succeed(response)
        : Effect.as(Effect.logWarning("A request could not be served", describeCause(cause)), response)
    }
    return Cause.hasInterruptsOnly(cause)
      ? Effect.interrupt
      : Effect.as(Effect.logError("A request met a defect", describeCause(cause)), defect)
  })
