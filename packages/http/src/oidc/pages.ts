import { ProviderSignIn } from "@countersign/core"
import { Effect, Redacted } from "effect"
import { userAgentOf } from "../Asked.ts"
import * as ClientAddress from "../ClientAddress.ts"
import * as DashboardOrigin from "../DashboardOrigin.ts"
import { NotFromDashboard } from "../Fault.ts"
import * as SessionCookie from "../SessionCookie.ts"
import { sessionLife } from "../sessions/granted.ts"
import type { Failure } from "../wire.ts"
import type { WireRequest } from "../WireRequest.ts"
import type { WireResponse } from "../WireResponse.ts"

export interface Options {
  readonly publicUrl?: string | undefined
  readonly basePath?: string | undefined
  readonly trustedProxies?: ClientAddress.TrustedProxies | undefined
}

/** The path of these pages. The dashboard has no pages below it. */
const root = "/dashboard/oidc"

export const serves = (path: string): boolean => path === root || path.startsWith(`${root}/`)

const ticketOrigin = (dashboardOrigin: DashboardOrigin.DashboardOrigin): DashboardOrigin.DashboardOrigin =>
  SessionCookie.beside(dashboardOrigin, "oidc")

const ticketLife = 600

const to = (location: string, cookie: string): WireResponse => ({
  status: 303,
  headers: { location, "set-cookie": cookie, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  body: ""
})

/**
 * `/dashboard/oidc/start` sends a browser to the provider, `/dashboard/oidc/callback` receives it back, and
 * `/dashboard/oidc/done` sends it to the dashboard. A callback counts only in the browser that started: its cookie has the
 * ticket.
 */
export const make = Effect.fnUntraced(function* ({ basePath = "", publicUrl, trustedProxies = [] }: Options) {
  const signIn = yield* ProviderSignIn
  const originOf = DashboardOrigin.make(publicUrl)
  const dashboard = `${(publicUrl ?? basePath).replace(/\/+$/, "")}/dashboard`

  const originFor = (request: WireRequest) => {
    const dashboardOrigin = originOf(request)
    return dashboardOrigin === null
      ? Effect.fail(new NotFromDashboard({ origin: null }))
      : Effect.succeed(dashboardOrigin)
  }

  const start = Effect.fnUntraced(function* (request: WireRequest): Effect.fn.Return<WireResponse, Failure> {
    const dashboardOrigin = yield* originFor(request)
    const { ticket, url } = yield* signIn.start
    return to(url.href, SessionCookie.set(ticketOrigin(dashboardOrigin), Redacted.value(ticket), ticketLife))
  })

  const callback = Effect.fnUntraced(function* (request: WireRequest): Effect.fn.Return<WireResponse, Failure> {
    const dashboardOrigin = yield* originFor(request)
    const ticket = SessionCookie.read(request, ticketOrigin(dashboardOrigin)) ?? ""
    const browser = {
      address: ClientAddress.of(request, trustedProxies),
      userAgent: userAgentOf(request),
      token: SessionCookie.read(request, dashboardOrigin)
    }
    return yield* signIn.finish(Redacted.make(ticket), request.query, browser).pipe(
      Effect.map(({ token }) =>
        to(`${dashboard}/oidc/done`, SessionCookie.set(dashboardOrigin, Redacted.value(token), sessionLife))
      ),
      // A person's browser waits for this answer, so the page says what to do next.
      Effect.catchTags({
        InvalidCredentials: () =>
          Effect.succeed(to(`${dashboard}#sign-in=refused`, SessionCookie.clear(ticketOrigin(dashboardOrigin)))),
        RateLimited: () =>
          Effect.succeed(to(`${dashboard}#sign-in=limited`, SessionCookie.clear(ticketOrigin(dashboardOrigin)))),
        ProviderAway: () =>
          Effect.succeed(to(`${dashboard}#sign-in=away`, SessionCookie.clear(ticketOrigin(dashboardOrigin))))
      })
    )
  })

  /** An answer can set only one cookie, so the next page clears the ticket. */
  const done = (request: WireRequest) =>
    Effect.map(originFor(request), (dashboardOrigin) =>
      to(dashboard, SessionCookie.clear(ticketOrigin(dashboardOrigin)))
    )

  return { [`${root}/start`]: start, [`${root}/callback`]: callback, [`${root}/done`]: done }
})
