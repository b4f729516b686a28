import * as LocalRequest from "./LocalRequest.ts"
import type { Route } from "./Routes.ts"
import type { WireRequest } from "./WireRequest.ts"

/**
 * Who is served. `all` is everybody, at one address. Where the operator has an address apart, `public` is everybody else
 * and `management` the operator: `/v1/admin/*`, `/metrics`, and what describes these.
 *
 * `/healthz` and `/readyz` are answered at both. A load balancer has to ask the very address that it sends requests to:
 * one that has no connection to spare is not ready, however well the other answers.
 */
export type Audience = "all" | "public" | "management"

const isHealth = (path: string) => path === "/healthz" || path === "/readyz"

/** Whether a route of the contract is served to them. */
export const servesRoute = (audience: Audience, { needs, path }: Pick<Route, "needs" | "path">): boolean => {
  if (audience === "all") return true
  return audience === "management" ? needs.credential === "admin" || isHealth(path) : needs.credential !== "admin"
}

/** Of the pages that describe the service, those that are for the operator alone. */
const forOperators: ReadonlySet<string> = new Set(["/metrics"])
/** Pages of development show codes. */
const isForDeveloper = (path: string) => /^\/(dev|demo)(\/|$)/.test(path)

/**
 * Whether a page answers a request. Codes are shown to this machine alone, and figures to it and its private network;
 * at an address of their own, which strangers do not reach, figures are answered to everybody.
 */
export const answersPage = (
  audience: Audience,
  request: Pick<WireRequest, "header" | "path" | "remoteAddress">,
  publicUrl: string | undefined
): boolean => {
  if (isForDeveloper(request.path)) return LocalRequest.isForDeveloper(request)
  return audience === "management" || !forOperators.has(request.path) || LocalRequest.isForOperator(request, publicUrl)
}

/** Those that say on each address what is served there. */
const forBoth: ReadonlySet<string> = new Set(["/openapi.json", "/docs"])

/** Whether a page is served to them. */
export const servesPage = (audience: Audience, path: string): boolean => {
  if (audience === "all" || forBoth.has(path)) return true
  return (audience === "management") === forOperators.has(path)
}
