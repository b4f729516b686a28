import {
  type Caller,
  describeCause,
  Idempotency,
  InvalidField,
  IpAddress,
  RateLimited,
  Refusals,
  SecretHash,
  type Services
} from "@countersign/core"
import { type IdempotencyScope, logStoreError, type Storage } from "@countersign/core/storage"
import { Cause, Clock, Context, Effect, Layer, type Redacted, Result } from "effect"
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
import { json, type TextResponse, type WireResponse } from "./WireResponse.ts"

export interface Options {
  /** Where the service is reached from outside: what providers sign their callbacks for. */
  readonly publicUrl?: string | undefined
  /** The path that the handlers are mounted under, for what describes them where no `publicUrl` does. */
  readonly basePath?: string | undefined
  /** Opens `/v1/admin/*`; without it nothing is served there. */
  readonly adminToken?: Redacted.Redacted | undefined
  /** Whose `X-Forwarded-For` is believed. Nobody's, unless they are listed: `ClientAddress.parseProxies` reads a list. */
  readonly trustedProxies?: ClientAddress.TrustedProxies | undefined
  /** More pages, by path: the development outbox is one. */
  readonly pages?: Pages.Pages | undefined
  /** A span for every request. Costs about 20 µs each, so only where somebody collects them. */
  readonly tracing?: boolean | undefined
}

/** What carries a request out, once it is known to be right. */
type Prepared = (idempotencyKey: string | null) => Effect.Effect<TextResponse, Failure>

/** What carries out a request with the public key, and answers what goes on the wire. */
type Admitted = (idempotencyKey: string | null) => Effect.Effect<unknown, Failure>

/** What a handler of any endpoint looks like, once its types have done their work. */
type AnyHandler = (input: {
  readonly payload: unknown
  readonly query: unknown
  readonly params: unknown
  readonly caller: Caller | null
  readonly idempotencyKey?: string | null
  readonly clientAddress: string | null
}) => Effect.Effect<unknown, Failure>

/** How often an address may be refused for each initiate that it has in the hour. */
const refusalsForEach = 10
/** What is part of a key in storage has a bound; a longer path, which no id of ours makes, stands there as its hash. */
const longestEndpoint = 512

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
        const pages: Pages.Pages = { ...(yield* Pages.make(options)), ...options.pages }
        const find = makeFinder(
          options.adminToken === undefined ? contract.filter(({ needs }) => needs.credential !== "admin") : contract
        )
        const callback = yield* callbacks.make(options.publicUrl ?? "http://localhost")
        const trustedProxies = options.trustedProxies ?? []
        const record = makeRecorder()
        const refusals = new Refusals()

        /** Decodes a request, and makes ready what carries it out. For the public key, this is where it is refused. */
        const prepare = Effect.fnUntraced(function* (
          { params, route }: Match,
          request: WireRequest,
          caller: Caller | null,
          text: string
        ): Effect.fn.Return<Prepared, Failure> {
          const payload = yield* Effect.fromResult(decode(route.payload, () => parseObject(text)))
          const query = yield* Effect.fromResult(decode(route.query, () => parseQuery(request.query)))
          const decodedParams = yield* Effect.fromResult(decode(route.params, () => Result.succeed(params)))
          const handler = handlers[route.group]![route.name]!
          const input = {
            payload,
            query,
            params: decodedParams,
            caller,
            /** Worked out for those who ask: few do, and it takes as long as a good part of a request. */
            get clientAddress() {
              return ClientAddress.of(request, trustedProxies)
            }
          }
          const written = Effect.map((answered: unknown) =>
            answered === undefined ? { status: route.status, headers: {}, body: "" } : json(route.status, answered)
          )
          if (route.needs.credential !== "public")
            return (idempotencyKey) => written(handler({ ...input, idempotencyKey }) as Effect.Effect<unknown, Failure>)
          const admitted = (yield* handler(input)) as Admitted
          return (idempotencyKey) => written(admitted(idempotencyKey))
        })

        const scopeOf = (request: WireRequest, caller: Caller | null, key: string): IdempotencyScope => ({
          environment: caller?.environment ?? "operator",
          endpoint: `${request.method} ${request.path.length > longestEndpoint ? SecretHash.hash(request.path) : request.path}`,
          key
        })

        /** Runs once for its key; a repeat gets what `keep` let be kept. */
        const once = Effect.fnUntraced(function* (
          scope: IdempotencyScope,
          text: string,
          run: Effect.Effect<TextResponse, Failure>,
          keep: (status: number) => boolean
        ) {
          const { answer: kept, replayed } = yield* idempotency.once(scope, text, settled(run), ({ status }) =>
            keep(status)
          )
          if (!replayed) return kept
          return {
            status: kept.status,
            body: kept.body,
            headers: { "content-type": "application/json", "idempotency-replayed": "true" }
          }
        })

        /** The request's idempotency key, which only a POST may have. */
        const keyOf = (match: Match, request: WireRequest) => {
          const given = match.route.method === "POST" ? request.header("idempotency-key") : undefined
          if (given === undefined) return Effect.succeed(null)
          return uuid.test(given)
            ? Effect.succeed(given.toLowerCase())
            : Effect.fail(new InvalidField({ field: "Idempotency-Key", problem: "must be a UUID" }))
        }

        /**
         * Serves whoever has the public key: everybody. Shape and address are checked before anything is written, a
         * refused request leaves no row, and an address that goes on being refused is told so before all else.
         */
        const servePublic = Effect.fnUntraced(function* (match: Match, request: WireRequest, caller: Caller) {
          const address = ClientAddress.of(request, trustedProxies)
          const network = address === null ? IpAddress.unknownNetwork : IpAddress.networkOf(address)
          const place = `${caller.environment}/${network}`
          const most = refusalsForEach * caller.settings.sdkInitiatesPerIpPerHour
          const retryAfterSeconds = refusals.secondsUntilFree(place, most, yield* Clock.currentTimeMillis)
          if (retryAfterSeconds !== null)
            return yield* new RateLimited({ limit: "refusals", retryAfterSeconds, requestId: null })
          const served = yield* settled(
            Effect.gen(function* () {
              const key = yield* keyOf(match, request)
              const text = match.route.payload === undefined ? "" : yield* readText(request, largestBody)
              if (key === null) return yield* (yield* prepare(match, request, caller, text))(null)
              const scope = scopeOf(request, caller, key)
              const run = yield* Effect.matchEffect(prepare(match, request, caller, text), {
                onSuccess: (prepared) => Effect.succeed(prepared(key)),
                // Refused now, but carried out before with this key: its first answer is still its answer.
                onFailure: (failure) =>
                  Effect.flatMap(idempotency.knows(scope), (known) =>
                    known ? Effect.succeed(Effect.fail(failure)) : Effect.fail(failure)
                  )
              })
              return yield* once(scope, text, run, (status) => status < 400)
            })
          )
          if (served.status >= 400 && served.status < 500) refusals.count(place, yield* Clock.currentTimeMillis)
          return served
        })

        const serve = Effect.fnUntraced(function* (match: Match, request: WireRequest) {
          const { route } = match
          const caller = yield* authenticate(route.needs, request)
          if (route.needs.credential === "public" && caller !== null) return yield* servePublic(match, request, caller)
          const key = yield* keyOf(match, request)
          const text = route.payload === undefined ? "" : yield* readText(request, largestBody)
          const run = Effect.flatMap(prepare(match, request, caller, text), (prepared) => prepared(key))
          return key === null
            ? yield* run
            : yield* once(scopeOf(request, caller, key), text, run, (status) => status !== 429 && status < 500)
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
            if (route !== null && route.cacheControl !== null && response.status === 200)
              headers["cache-control"] = route.cacheControl
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
const settled = <R extends WireResponse>(effect: Effect.Effect<R, Failure>): Effect.Effect<R | TextResponse> =>
  Effect.catchCause(effect, (cause) => {
    const failure = Cause.findErrorOption(cause)
    if (failure._tag === "Some") {
      const response = toResponse(failure.value)
      const { value } = failure
      // Not being ready is the answer that was asked for.
      if (response.status < 500 || value._tag === "NotReady") return Effect.succeed(response)
      return value._tag === "StoreError"
        ? Effect.as(logStoreError("A request could not be served", value), response)
        : Effect.as(Effect.logWarning("A request could not be served", describeCause(cause)), response)
    }
    return Cause.hasInterruptsOnly(cause)
      ? Effect.interrupt
      : Effect.as(Effect.logError("A request met a defect", describeCause(cause)), defect)
  })
