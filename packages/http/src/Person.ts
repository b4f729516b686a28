import {
  atLeast,
  type Caller,
  FreshSignInNeeded,
  InvalidCredentials,
  InvalidField,
  type Merchant,
  type MerchantSuspended,
  Sessions
} from "@countersign/core"
import type { StoreError } from "@countersign/core/storage"
import { Clock, Effect, Result } from "effect"
import type { Needs } from "./contract/Security.ts"
import type { DashboardOrigin } from "./DashboardOrigin.ts"
import { BodyUnreadable, NotFromDashboard, RoleMissing } from "./Fault.ts"
import * as SessionCookie from "./SessionCookie.ts"
import { isBytes, isJson, parseQuery, type WireRequest } from "./WireRequest.ts"

const environmentHeader = "x-environment"
const merchantHeader = "x-merchant"

type NeedsPerson = Extract<Needs, { readonly credential: "staff" | "person" }>

/** A key belongs to one environment. A request that names the other one is refused. */
export const sameKind = (request: WireRequest, kind: Merchant.EnvironmentKind): Effect.Effect<void, InvalidField> => {
  const named = request.header(environmentHeader)
  return named === undefined || named === kind
    ? Effect.void
    : Effect.fail(
        new InvalidField({
          field: "X-Environment",
          problem: `this key belongs to ${kind}: send ${kind}, or omit the header`
        })
      )
}

export const changesNothing = ({ method }: WireRequest) => method === "GET" || method === "HEAD"

/**
 * Protects against cross-site requests, with which browsers send cookies. A change must carry the dashboard's `Origin`,
 * which pages cannot forge. A read may lack it, but `Sec-Fetch-Site` of newer browsers must then be the same origin or
 * `none`, for an address typed by the user.
 */
const isOwn = (request: WireRequest, { origin }: DashboardOrigin): boolean => {
  const site = request.header("sec-fetch-site")
  const said = request.header("origin")
  return changesNothing(request)
    ? (said === undefined || said === origin) && (site === undefined || site === "same-origin" || site === "none")
    : said === origin && (site === undefined || site === "same-origin")
}

/** Whether a request is a dry run of an endpoint that supports it. */
const isDry = (needs: NeedsPerson, { query }: WireRequest): boolean =>
  needs.credential === "staff" && needs.dryRun === true && Result.getOrNull(parseQuery(query))?.["dryRun"] === "true"

/** Authenticates agents who are signed in to the dashboard. */
export const make = (originOf: (request: WireRequest) => DashboardOrigin | null) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions

    /** Requires JSON or plain bytes, which forms of other sites cannot send without a CORS preflight. */
    const fromDashboard = (request: WireRequest): Effect.Effect<void, BodyUnreadable | NotFromDashboard> => {
      const dashboardOrigin = originOf(request)
      if (dashboardOrigin === null || !isOwn(request, dashboardOrigin))
        return Effect.fail(new NotFromDashboard({ origin: dashboardOrigin?.origin ?? null }))
      const isSafe = request.header("content-type") === undefined || isJson(request) || isBytes(request)
      return changesNothing(request) || isSafe
        ? Effect.void
        : Effect.fail(new BodyUnreadable({ problem: "must be JSON; send Content-Type: application/json" }))
    }

    const signedIn = Effect.fnUntraced(function* (
      needs: NeedsPerson,
      request: WireRequest
    ): Effect.fn.Return<
      Caller,
      | BodyUnreadable
      | InvalidCredentials
      | InvalidField
      | MerchantSuspended
      | NotFromDashboard
      | RoleMissing
      | FreshSignInNeeded
      | StoreError
    > {
      const dashboardOrigin = originOf(request)
      const token = dashboardOrigin === null ? null : SessionCookie.read(request, dashboardOrigin)
      if (token === null) return yield* new InvalidCredentials()
      yield* fromDashboard(request)
      if (token === "") return yield* new InvalidCredentials()
      const named = request.header(environmentHeader)
      const kind = named === "live" || named === "test" ? named : null
      const caller = yield* sessions.callerOf(token, kind)
      const { person } = caller
      if (person === null) return yield* new InvalidCredentials()
      const meant = request.header(merchantHeader)
      if (meant !== undefined && meant !== caller.merchantId)
        return yield* new InvalidField({
          field: "X-Merchant",
          problem: "names another merchant than your session's: switch merchants, or omit the header"
        })
      if (needs.credential === "staff" && !atLeast(person.role, needs.role))
        return yield* new RoleMissing({ role: needs.role, needsPasskey: person.needsPasskey })
      if (needs.fresh && !isDry(needs, request) && person.freshUntil <= (yield* Clock.currentTimeMillis))
        return yield* new FreshSignInNeeded()
      const isOfEnvironment = needs.credential === "staff" && needs.of === "environment"
      if (kind === null && (isOfEnvironment || named !== undefined))
        return yield* new InvalidField({ field: "X-Environment", problem: "must be live or test" })
      return caller
    })

    return { fromDashboard, signedIn }
  })
