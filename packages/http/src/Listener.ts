import * as LocalRequest from "./LocalRequest.ts"
import type { Route } from "./Routes.ts"
import type { WireRequest } from "./WireRequest.ts"

/**
 * The audience of an address. `all` is everyone at one address. With a separate operator address, `management` serves the
 * operator (`/v1/admin/*`, `/metrics` and their description) and `public` everyone else.
 *
 * Both answer `/healthz` and `/readyz`, because a load balancer must check the address that it sends requests to.
 */
export type Audience = "all" | "public" | "management"

const isHealth = (path: string) => path === "/healthz" || path === "/readyz"

/** Whether an audience is served a route of the contract. */
export const servesRoute = (audience: Audience, { needs, path }: Pick<Route, "needs" | "path">): boolean => {
  if (audience === "all") return true
  return audience === "management" ? needs.credential === "admin" || isHealth(path) : needs.credential !== "admin"
}

/** Pages that describe the service for the operator only. */
const forOperators: ReadonlySet<string> = new Set(["/metrics"])
/** Development pages, which show codes. */
const isForDeveloper = (path: string) => /^\/(dev|demo)(\/|$)/.test(path)

/**
 * Whether a page may answer a request. Pages with codes answer only this machine. `/metrics` answers this machine and its
 * private network, and everyone at the management address, which strangers cannot reach.
 */
export const answersPage = (
  audience: Audience,
  request: Pick<WireRequest, "header" | "path" | "remoteAddress">,
  publicUrl: string | undefined
): boolean => {
  if (isForDeveloper(request.path)) return LocalRequest.isForDeveloper(request)
  return audience === "management" || !forOperators.has(request.path) || LocalRequest.isForOperator(request, publicUrl)
}

/** Pages that describe, at each address, the paths that it serves. */
const forBoth: ReadonlySet<string> = new Set(["/openapi.json", "/docs"])

/** Whether an audience is served a page. */
export const servesPage = (audience: Audience, path: string): boolean => {
  if (audience === "all" || forBoth.has(path)) return true
  return (audience === "management") === forOperators.has(path)
}
