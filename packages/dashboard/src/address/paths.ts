import type { Environment } from "../api/place.ts"
import type { filtersOf } from "./filters.ts"
import type { Settable } from "./filtersIn.ts"

/** All addresses of the page in one place, typed for reading and writing. */
export const base = "/dashboard"

type Values = { readonly [name: string]: string | number | boolean | null | undefined }

const query = (values: Values = {}) => {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "")
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return search.size === 0 ? "" : `?${search}`
}

/** Path patterns after `/dashboard` or `/dashboard/test`, with parameters as `:name`. */
export const routes = {
  overview: "/",
  verifications: "/verifications",
  verification: "/verifications/:requestId",
  /** One end user, by their reference. The team is `people`. */
  person: "/person/:id",
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
  protection: "/protection",
  hooks: "/hooks",
  settings: "/settings",
  keys: "/keys",
  team: "/team",
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

/** The filters that a link to a screen can set. A name or value that the screen does not read is a compile error. */
export type FiltersOf<R extends RouteName> = R extends keyof typeof filtersOf
  ? Settable<(typeof filtersOf)[R]>
  : Readonly<Record<string, never>>

/** The environment of an address. */
export const environmentOf = (path: string): Environment => (/^\/dashboard\/test(\/|$|\?)/.test(path) ? "test" : "live")

/** Live addresses have no environment segment. An address typed with `/live` means the one without it. */
export const withoutLive = (path: string): string => path.replace(/^\/dashboard\/live(?=\/|$|\?)/, base)

/** Root address of an environment. */
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

/** The same screen in another environment. A detail view becomes its list, because its item does not exist there. */
export const across = (path: string, environment: Environment): string => {
  const rest = path.slice(root(environmentOf(path)).length)
  const [, first = ""] = rest.split(/[/?]/)
  return `${root(environment)}${first === "" ? "" : `/${first}`}`
}
