import { ProviderSignIn } from "@countersign/core"
import { Effect, Redacted } from "effect"
import { userAgentOf } from "../Asked.ts"
import * as ClientAddress from "../ClientAddress.ts"
import * as Door from "../Door.ts"
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

const ticketDoor = (door: Door.Door): Door.Door => SessionCookie.beside(door, "oidc")

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
  const doorOf = Door.make(publicUrl)
  const dashboard = `${(publicUrl ?? basePath).replace(/\/+$/, "")}/dashboard`

  const doorway = (request: WireRequest) => {
    const door = doorOf(request)
    return door === null ? Effect.fail(new NotFromDashboard({ origin: null })) : Effect.succeed(door)
  }

  const start = Effect.fnUntraced(function* (request: WireRequest): Effect.fn.Return<WireResponse, Failure> {
    const door = yield* doorway(request)
    const { ticket, url } = yield* signIn.start
    return to(url.href, SessionCookie.set(ticketDoor(door), Redacted.value(ticket), ticketLife))
  })

  const callback = Effect.fnUntraced(function* (request: WireRequest): Effect.fn.Return<WireResponse, Failure> {
    const door = yield* doorway(request)
    const ticket = SessionCookie.read(request, ticketDoor(door)) ?? ""
    const browser = {
      address: ClientAddress.of(request, trustedProxies),
      userAgent: userAgentOf(request),
      token: SessionCookie.read(request, door)
    }
    return yield* signIn.finish(Redacted.make(ticket), request.query, browser).pipe(
      Effect.map(({ token }) =>
        to(`${dashboard}/oidc/done`, SessionCookie.set(door, Redacted.value(token), sessionLife))
      ),
      // A person's browser waits for this answer, so the page says what to do next.
      Effect.catchTags({
        InvalidCredentials: () =>
          Effect.succeed(to(`${dashboard}#sign-in=refused`, SessionCookie.clear(ticketDoor(door)))),
        RateLimited: () => Effect.succeed(to(`${dashboard}#sign-in=limited`, SessionCookie.clear(ticketDoor(door)))),
        ProviderAway: () => Effect.succeed(to(`${dashboard}#sign-in=away`, SessionCookie.clear(ticketDoor(door))))
      })
    )
  })

  /** An answer can set only one cookie, so the next page clears the ticket. */
  const done = (request: WireRequest) =>
    Effect.map(doorway(request), (door) => to(dashboard, SessionCookie.clear(ticketDoor(door))))

  return { [`${root}/start`]: start, [`${root}/callback`]: callback, [`${root}/done`]: done }
})
