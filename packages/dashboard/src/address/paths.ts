import type { Environment } from "../api/call.ts"
import type { filtersOf } from "./filters.ts"
import type { Filters, FilterSpec } from "./filtersIn.ts"

/** Everything the address of the page may say, in one place: whole paths, typed both ways. */
export const base = "/dashboard"

type Values = { readonly [name: string]: string | number | boolean | null | undefined }

const query = (values: Values = {}) => {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "")
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return search.size === 0 ? "" : `?${search}`
}

/** What follows `/dashboard` or `/dashboard/test`. The screens' patterns are the same words with `:name` in them. */
export const routes = {
  overview: "/",
  verifications: "/verifications",
  verification: "/verifications/:requestId",
  channels: "/channels",
  webhooks: "/webhooks",
  webhook: "/webhooks/:id",
  inbox: "/inbox",
  lead: "/inbox/:id",
  campaigns: "/campaigns",
  campaign: "/campaigns/:id",
  attribution: "/attribution",
  templates: "/templates",
  template: "/templates/:id",
  settings: "/settings",
  keys: "/keys",
  people: "/people",
  money: "/money",
  audit: "/audit",
  merchants: "/merchants",
  merchant: "/merchants/:id"
} as const

export type RouteName = keyof typeof routes
type ParamsOf<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [N in Name]: string | number } & ParamsOf<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? { readonly [N in Name]: string | number }
    : unknown

type Settable<S extends FilterSpec> = { readonly [N in keyof S]?: Filters<S>[N] | undefined }
/**
 * What a link to a screen may ask for: a name or a value that the screen does not read is a compile error. A screen
 * without filters is asked for nothing.
 */
export type FiltersOf<R extends RouteName> = R extends keyof typeof filtersOf
  ? Settable<(typeof filtersOf)[R]>
  : Readonly<Record<string, never>>

/** The environment that an address is about. */
export const environmentOf = (path: string): Environment => (/^\/dashboard\/test(\/|$|\?)/.test(path) ? "test" : "live")

/** Live has no name in its addresses. One that was typed with it, as test has one, is the address without it. */
export const withoutLive = (path: string): string => path.replace(/^\/dashboard\/live(?=\/|$|\?)/, base)

/** Where the pages of an environment begin. */
export const root = (environment: Environment): string => (environment === "test" ? `${base}/test` : base)

/** The address of a screen: `to("live", "verification", { requestId }, filters)`. */
export const to = <R extends RouteName>(
  environment: Environment,
  route: R,
  ...[params, values]: unknown extends ParamsOf<(typeof routes)[R]>
    ? [params?: FiltersOf<R>, values?: undefined]
    : [params: ParamsOf<(typeof routes)[R]>, values?: FiltersOf<R>]
): string => {
  const pattern: string = routes[route]
  const has = pattern.includes(":")
  const fill = (params ?? {}) as Values
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(fill[name])))
  return `${root(environment)}${path === "/" ? "" : path}${query(has ? values : fill)}`
}

/** The same place in another environment; of a screen for one thing, which the other does not have, its list. */
export const across = (path: string, environment: Environment): string => {
  const rest = path.slice(root(environmentOf(path)).length)
  const [, first = ""] = rest.split(/[/?]/)
  return `${root(environment)}${first === "" ? "" : `/${first}`}`
}
