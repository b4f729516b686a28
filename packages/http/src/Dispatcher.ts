import type { Services } from "@countersign/core"
import type { Storage } from "@countersign/core/storage"
import { Context, Effect, Layer, type Redacted } from "effect"
import { BodyMemory } from "./BodyMemory.ts"
import * as callbacks from "./callbacks.ts"
import type { TrustedProxies } from "./ClientAddress.ts"
import * as cors from "./cors.ts"
import * as endpoints from "./endpoints.ts"
import * as links from "./links/links.ts"
import { answersPage, type Audience, servesPage, servesRoute } from "./Listener.ts"
import * as oidc from "./oidc/pages.ts"
import { MethodUnknown, NotLocal, PathUnknown } from "./Fault.ts"
import { makeRecorder } from "./Metrics.ts"
import * as Pages from "./Pages.ts"
import { contract, makeFinder, type Match } from "./Routes.ts"
import { settled } from "./settled.ts"
import type { Failure } from "./wire.ts"
import * as UnnamedProxy from "./UnnamedProxy.ts"
import type { WireRequest } from "./WireRequest.ts"
import type { WireResponse } from "./WireResponse.ts"

export interface Options {
  /** Where the service is reached from outside: what providers sign their callbacks for. */
  readonly publicUrl?: string | undefined
  /** The path that the handlers are mounted under, for what describes them where no `publicUrl` does. */
  readonly basePath?: string | undefined
  /** Opens `/v1/admin/*`; without it nothing is served there. */
  readonly adminToken?: Redacted.Redacted | undefined
  /** The operator's token before: it opens the same, while another takes its place. */
  readonly previousAdminToken?: Redacted.Redacted | undefined
  /** Whose `X-Forwarded-For` is believed. Nobody's, unless they are listed: `ClientAddress.parseProxies` reads a list. */
  readonly trustedProxies?: TrustedProxies | undefined
  /** More pages, by path: the development outbox is one. */
  readonly pages?: Pages.Pages | undefined
  /** The path of the development outbox, where there is one: whoever signs in reads their code there. */
  readonly outboxPage?: string | undefined
  /**
   * What `/metrics` answers, given this process's own figures; by default these. One of several processes behind one port
   * adds those of the others. False: there is no `/metrics`.
   */
  readonly metrics?: ((own: Effect.Effect<string>) => Effect.Effect<string>) | false | undefined
  /**
   * Whether the operator has an address apart: then `/v1/admin/*` and `/metrics` are served by `management`, and by
   * nothing else.
   */
  readonly managementApart?: boolean | undefined
  /** From where `/v1/admin/*` may be called; from anywhere unless told. `ClientAddress.parseProxies` reads a list. */
  readonly adminAddresses?: TrustedProxies | undefined
  /** A span for every request. Costs about 20 µs each, so only where somebody collects them. */
  readonly tracing?: boolean | undefined
}

type PagesByPath = { readonly [path: string]: (request: WireRequest) => Effect.Effect<WireResponse, Failure> }

/** What answers at one address. */
export interface Listener {
  readonly dispatch: (request: WireRequest) => Effect.Effect<WireResponse>
  /** Whether the interface has something to say at a path, so that what is mounted beside it must leave it alone. */
  readonly serves: (path: string) => boolean
}

/** A request id that the caller chose. */
const wishedRequestId = /^[\w.-]{1,64}$/

/**
 * Turns every request into exactly one answer: finds its endpoint, callback or page, has it served, and puts every
 * failure into the one envelope and the headers that every answer has around it.
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
    /** The operator's own address, where there is one apart. */
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
        const link = yield* links.make(bodyMemory)
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

          /** What is not in the contract: providers' callbacks, links, and pages. */
          const beside = (request: WireRequest) => {
            if (isPublic && request.path.startsWith(callbacks.prefix)) return callback(request)
            return isPublic && links.serves(request.path) ? link(request) : page(request)
          }

          const serves = (path: string) =>
            Object.hasOwn(pages, path) ||
            (isPublic && (path.startsWith(callbacks.prefix) || links.serves(path) || oidc.serves(path))) ||
            find(path).size > 0

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
            const wished = request.header("x-request-id")
            const requestId = wished !== undefined && wishedRequestId.test(wished) ? wished : crypto.randomUUID()
            const route = match?.route ?? null
            const warning = unnamedProxy(request, started)
            const answered = Effect.map(
              settled(warning === null ? served : Effect.andThen(warning, served)),
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
