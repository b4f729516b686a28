import { InvalidField, problemOfIssue } from "@countersign/core"
import { Context, Result, Schema } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "./Api.ts"
import { AnswerKept } from "./contract/AnswerKept.ts"
import { BodyOptional } from "./contract/BodyOptional.ts"
import { CacheControl } from "./contract/CacheControl.ts"
import { BodyHoldsPlace, LargestBody, Refusable } from "./contract/PublicLimits.ts"
import { MethodDefaults } from "./contract/MethodDefaults.ts"
import { type Needs, needsOf } from "./contract/Security.ts"
import { StatusOf } from "./contract/StatusOf.ts"

type Decode = (value: unknown) => Result.Result<unknown, InvalidField>

/** An endpoint of the contract, prepared for dispatch. */
export interface Route {
  readonly group: string
  readonly name: string
  /** Whether its method is at the top level instead of in its group. */
  readonly topLevel: boolean
  readonly method: string
  /** As in the contract: `/v1/admin/merchants/:id`. */
  readonly path: string
  /** The path's parameters, in order: `id`. */
  readonly paramNames: ReadonlyArray<string>
  /** See `MethodDefaults`. */
  readonly defaults: { readonly [field: string]: unknown } | null
  readonly needs: Needs
  readonly status: number
  /** For endpoints with several success statuses. */
  readonly statusOf: ((answer: object) => number) | null
  readonly cacheControl: string | null
  readonly answerKept: boolean
  /** Whether it needs one of the environment's places for reads: see `ListPlaces`. */
  readonly takesPlace: boolean
  readonly bodyHoldsPlace: boolean
  readonly payload: Decode | undefined
  /** Whether the body is bytes instead of JSON. */
  readonly takesBytes: boolean
  readonly bodyOptional: boolean
  /** In bytes. */
  readonly largestBody: number
  readonly refusable: { readonly name: string; readonly places: number } | null
  readonly query: Decode | undefined
  readonly params: Decode | undefined
}

/** A route with its path parameters. */
export interface Match {
  readonly route: Route
  readonly params: { readonly [name: string]: string }
}

/** Decodes a part of the request. A failure names the field. */
export const decoder = (schema: Schema.Top, otherwise: string): Decode => {
  const decode = Schema.decodeUnknownResult(schema as Schema.Codec<unknown>)
  return (value) =>
    Result.mapError(decode(value), (error) => {
      const { path, problem } = problemOfIssue(error.issue)
      return new InvalidField({ field: path.length === 0 ? otherwise : path.join("."), ...problem })
    })
}

const decoderOf = (schema: Schema.Top | undefined, otherwise: string) =>
  schema === undefined ? undefined : decoder(schema, otherwise)

const payloadOf = (endpoint: HttpApiEndpoint.Top): Schema.Top | undefined =>
  [...endpoint.payload.values()].flatMap(({ schemas }) => [...schemas])[0]

const theNeeds = (name: string, middleware: ReadonlySet<unknown>): Needs => {
  const found = needsOf(middleware)
  if (found.length !== 1)
    throw new Error(
      `${name} must have exactly one credential of contract/Security.ts as middleware, but has ${found.length}`
    )
  return found[0]!
}

/** The error statuses that every endpoint with this method, body and query can answer. */
const implied = (
  { method, params, payload, query }: HttpApiEndpoint.Top,
  takesPlace: boolean
): ReadonlyArray<number> => [
  ...(method === "POST" || payload.size > 0 || query !== undefined ? [400] : []),
  ...(params === undefined ? [] : [404]),
  ...(method === "POST" ? [409] : []),
  ...(payload.size > 0 ? [413, 429] : []),
  ...(takesPlace ? [429] : [])
]

/** The endpoints of a contract as routes. Throws if an endpoint does not declare all statuses that it can answer. */
export const routesOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Route> => {
  const routes: Array<Route> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, group, mergedAnnotations, middleware, successes }) => {
      const name = `${endpoint.method} ${endpoint.path}`
      const needs = theNeeds(name, middleware)
      const largestBody = Context.get(mergedAnnotations, LargestBody)
      const takesPlace = endpoint.method === "GET" && needs.credential === "staff"
      const silent = implied(endpoint, takesPlace).filter((status) => !errors.has(status))
      if (silent.length > 0) throw new Error(`${name} can answer ${silent.join(", ")} but does not declare it`)
      routes.push({
        group: group.identifier,
        name: endpoint.identifier,
        topLevel: group.topLevel,
        method: endpoint.method,
        path: endpoint.path,
        paramNames: [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name!),
        defaults: Context.get(mergedAnnotations, MethodDefaults),
        needs,
        status: [...successes.keys()][0] ?? 200,
        statusOf: Context.get(mergedAnnotations, StatusOf),
        answerKept: Context.get(mergedAnnotations, AnswerKept),
        cacheControl: Context.get(mergedAnnotations, CacheControl),
        takesPlace,
        bodyHoldsPlace: Context.get(mergedAnnotations, BodyHoldsPlace),
        payload: decoderOf(payloadOf(endpoint), "body"),
        takesBytes: [...endpoint.payload.values()].some(({ encoding }) => encoding._tag === "Uint8Array"),
        bodyOptional: Context.get(mergedAnnotations, BodyOptional),
        largestBody,
        refusable: Context.get(mergedAnnotations, Refusable),
        query: decoderOf(endpoint.query, "query"),
        params: decoderOf(endpoint.params, "path")
      })
    }
  })
  return routes
}

export const contract: ReadonlyArray<Route> = routesOf(Api)

const noParams = Object.freeze({})

const matchPattern = (pattern: ReadonlyArray<string>, path: ReadonlyArray<string>) => {
  if (pattern.length !== path.length) return undefined
  const params: Record<string, string> = {}
  for (let i = 0; i < pattern.length; i++) {
    const expected = pattern[i]!
    if (!expected.startsWith(":")) {
      if (expected !== path[i]) return undefined
      continue
    }
    const value = Result.try(() => decodeURIComponent(path[i]!))
    if (Result.isFailure(value) || value.success === "") return undefined
    params[expected.slice(1)] = value.success
  }
  return params
}

/** Finds routes: fixed paths by map, paths with parameters by pattern. */
export const makeFinder = (routes: ReadonlyArray<Route>) => {
  const fixed = new Map<string, Map<string, Match>>()
  const patterns: Array<{ readonly segments: ReadonlyArray<string>; readonly route: Route }> = []
  for (const route of routes) {
    if (route.path.includes(":")) {
      patterns.push({ segments: route.path.split("/"), route })
      continue
    }
    const methods = fixed.get(route.path) ?? new Map<string, Match>()
    fixed.set(route.path, methods.set(route.method, { route, params: noParams }))
  }

  /** The routes at a path, by method. */
  return (path: string): ReadonlyMap<string, Match> => {
    const known = fixed.get(path)
    if (known !== undefined) return known
    const found = new Map<string, Match>()
    const segments = path.split("/")
    for (const { route, segments: pattern } of patterns) {
      const params = matchPattern(pattern, segments)
      if (params !== undefined) found.set(route.method, { route, params })
    }
    return found
  }
}
