import type { Services } from "@countersign/core"
import type { Storage } from "@countersign/core/storage"
import { Context, Effect, Layer, type Redacted } from "effect"
import { BodyMemory } from "./BodyMemory.ts"
import * as callbacks from "./callbacks.ts"
import type { TrustedProxies } from "./ClientAddress.ts"
import * as cors from "./cors.ts"
import * as endpoints from "./endpoints.ts"
import * as hooks from "./hooks/receive.ts"
import * as links from "./links/links.ts"
import * as logos from "./logos.ts"
import { answersPage, type Audience, servesPage, servesRoute } from "./Listener.ts"
import * as oidc from "./oidc/pages.ts"
import { MethodUnknown, NotLocal, PathUnknown } from "./Fault.ts"
import { makeRecorder } from "./Metrics.ts"
import * as Pages from "./Pages.ts"
import { contract, makeFinder, type Match } from "./Routes.ts"
import { respond } from "./respond.ts"
import type { Failure } from "./wire.ts"
import * as UnnamedProxy from "./UnnamedProxy.ts"
import type { WireRequest } from "./WireRequest.ts"
import type { WireResponse } from "./WireResponse.ts"

export interface Options {
  /** The service's public URL. Providers sign their callbacks for it. */
  readonly publicUrl?: string | undefined
  /** The path that the handlers are mounted under. Used in `/openapi.json` when there is no `publicUrl`. */
  readonly basePath?: string | undefined
  /** The token for `/v1/admin/*`. Without it, these paths answer 404. */
  readonly adminToken?: Redacted.Redacted | undefined
  /** The previous admin token, accepted during a rotation. */
  readonly previousAdminToken?: Redacted.Redacted | undefined
  /** Proxies whose `X-Forwarded-For` is trusted. Default: none. `ClientAddress.parseProxies` parses a list. */
  readonly trustedProxies?: TrustedProxies | undefined
  /** Additional pages by path, such as the development outbox. */
  readonly pages?: Pages.Pages | undefined
  /** The path of the development outbox, which shows sign-in codes. Undefined without an outbox. */
  readonly outboxPage?: string | undefined
  /**
   * Produces the text of `/metrics` from this process's own metrics. Default: only these. A worker adds the metrics of the
   * other workers. False disables `/metrics`.
   */
  readonly metrics?: ((own: Effect.Effect<string>) => Effect.Effect<string>) | false | undefined
  /**
   * Whether the operator has a separate address. Then only the `management` listener serves `/v1/admin/*` and `/metrics`.
   */
  readonly managementApart?: boolean | undefined
  /** The addresses that may call `/v1/admin/*`. Default: any. `ClientAddress.parseProxies` parses a list. */
  readonly adminAddresses?: TrustedProxies | undefined
  /** Creates a span for every request, at about 20 µs each. Enable it only with a tracer. */
  readonly tracing?: boolean | undefined
}

type PagesByPath = { readonly [path: string]: (request: WireRequest) => Effect.Effect<WireResponse, Failure> }

/** Answers requests at one address. */
export interface Listener {
  readonly dispatch: (request: WireRequest) => Effect.Effect<WireResponse>
  /** Whether the API serves a path. Handlers mounted beside it must not take this path. */
  readonly serves: (path: string) => boolean
}

/** A request id that the caller chose. */
const wishedRequestId = /^[\w.-]{1,64}$/

/**
 * Turns every request into exactly one answer: finds its endpoint, callback or page, serves it, translates failures into
 * the error envelope, and adds the common headers.
 *
 * @example
 * ```ts
 * import { Dispatcher, type WireRequest } from "@countersign/http"
 * import { Effect } from "effect"
 *
 * const statusOf = Effect.fn(function* (request: WireRequest) {
 *   const dispatcher = yield* Dispatcher
 *   return (yield* dispatcher.dispatch(request)).status
 * })
 * ```
 */
export class Dispatcher extends Context.Service<
  Dispatcher,
  Listener & {
    /** The operator's separate address, with `managementApart`. */
    readonly management?: Listener
  }
>()("@countersign/http/Dispatcher") {
  static readonly layer = (options: Options = {}): Layer.Layer<Dispatcher, never, Services | Storage> =>
    Layer.effect(
      Dispatcher,
      Effect.gen(function* () {
        const bodyMemory = new BodyMemory()
        const serve = yield* endpoints.make(options, bodyMemory)
        const callback = yield* callbacks.make(options.publicUrl ?? "http://localhost", bodyMemory)
        const hook = yield* hooks.make(options, bodyMemory)
        const link = yield* links.make(bodyMemory)
        const logo = yield* logos.make
        const record = makeRecorder()
        const unnamedProxy = UnnamedProxy.watch(options.trustedProxies ?? [])

        const otherMethod = (request: WireRequest, methods: ReadonlyMap<string, Match>) =>
          request.method === "OPTIONS" && cors.isShared(request.path)
            ? Effect.succeed(cors.preflight)
            : Effect.fail(new MethodUnknown({ allow: [...methods.keys()] }))

        const own = yield* oidc.make(options)
        const open = options.adminToken !== undefined
        const routesFor = (audience: Audience) =>
          contract.filter((route) => servesRoute(audience, route) && (open || route.needs.credential !== "admin"))

        const listenerFor = Effect.fnUntraced(function* (audience: Audience) {
          const find = makeFinder(routesFor(audience))
          const described = yield* Pages.make({ ...options, audience })
          const isPublic = audience !== "management"
          const pages: PagesByPath = {
            ...(isPublic ? own : {}),
            ...Object.fromEntries(Object.entries(described).filter(([path]) => servesPage(audience, path))),
            ...(isPublic ? options.pages : {})
          }

          const page = (request: WireRequest): Effect.Effect<WireResponse, Failure> => {
            const found = Object.hasOwn(pages, request.path) ? pages[request.path] : undefined
            if (found === undefined) return Effect.fail(new PathUnknown())
            if (!answersPage(audience, request, options.publicUrl)) return Effect.fail(new NotLocal())
            return request.method === "GET" || request.method === "HEAD"
              ? found(request)
              : Effect.fail(new MethodUnknown({ allow: ["GET"] }))
          }

          /** Paths outside the contract: providers' callbacks, hooks, links, logos, and pages. */
          const beside = (request: WireRequest) => {
            if (isPublic && request.path.startsWith(callbacks.prefix)) return callback(request)
            if (isPublic && request.path.startsWith(hooks.prefix)) return hook(request)
            if (isPublic && logos.serves(request.path)) return logo(request)
            return isPublic && links.serves(request.path) ? link(request) : page(request)
          }

          const serves = (path: string) =>
            Object.hasOwn(pages, path) ||
            (isPublic &&
              (path.startsWith(callbacks.prefix) ||
                path.startsWith(hooks.prefix) ||
                links.serves(path) ||
                logos.serves(path) ||
                oidc.serves(path))) ||
            find(path).size > 0

          const dispatch = (request: WireRequest): Effect.Effect<WireResponse> => {
            const started = performance.now()
            const methods = find(request.path)
            const match = methods.get(request.method === "HEAD" ? "GET" : request.method)
            const served = () =>
              match !== undefined
                ? serve(match, request)
                : methods.size > 0
                  ? otherMethod(request, methods)
                  : beside(request)
            const wished = request.header("x-request-id")
            const requestId = wished !== undefined && wishedRequestId.test(wished) ? wished : crypto.randomUUID()
            const route = match?.route ?? null
            const warning = unnamedProxy(request, started)
            const answered = Effect.map(
              respond(
                // Served at once, not in a step of its own, unless a span has to begin before.
                warning === null && options.tracing !== true
                  ? served()
                  : Effect.andThen(warning ?? Effect.void, Effect.suspend(served))
              ),
              (response) => {
                record(route, response.status, performance.now() - started)
                const headers: Record<string, string> = { ...response.headers, "x-request-id": requestId }
                if (route !== null && route.cacheControl !== null && response.status === 200)
                  headers["cache-control"] = route.cacheControl
                if (request.path.startsWith("/v1/")) headers["cache-control"] = "no-store"
                if (cors.isShared(request.path)) Object.assign(headers, cors.headers)
                return { ...response, headers }
              }
            )
            if (options.tracing !== true) return answered
            return Effect.withSpan(
              Effect.annotateLogs(answered, { requestId }),
              route === null ? "unknown" : `${route.method} ${route.path}`,
              {
                kind: "server"
              }
            )
          }

          const listener: Listener = { dispatch, serves }
          return listener
        })

        const apart = options.managementApart === true
        const listener = yield* listenerFor(apart ? "public" : "all")
        return Dispatcher.of(apart ? { ...listener, management: yield* listenerFor("management") } : listener)
      })
    )
}
