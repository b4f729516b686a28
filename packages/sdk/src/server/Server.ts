import { CountersignError } from "../CountersignError.ts"
import { abortable } from "../request/abortable.ts"
import { idempotencyKey } from "../request/idempotencyKey.ts"
import { type Call, type Connection, request } from "../request/request.ts"
import { isAnswer } from "./isAnswer.ts"
import { type Endpoint, endpoints, type Endpoints, type ServerMethods } from "./methods.ts"
import type { ServerFileOptions, ServerPostOptions } from "./options.ts"

export interface ServerOptions extends Connection {
  /** `cs_live_…` or `cs_test_…`. */
  readonly clientId: string
  /** `sk_live_…` or `sk_test_…`. Never in a browser or app. */
  readonly clientSecret: string
}

/** Every endpoint that accepts a server key, as a method by group or at the top level. */
export interface Server extends ServerMethods {}

type Fields = Readonly<Record<string, unknown>>
type Options = ServerPostOptions & Partial<ServerFileOptions>

const queryOf = (fields: Fields): string => {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  const query = new URLSearchParams(said.map(([name, value]): [string, string] => [name, String(value)]))
  return said.length === 0 ? "" : `?${query}`
}

/** Converts a method's arguments to a request: path parameters, then input, then options. */
const read = (endpoint: Endpoint, args: ReadonlyArray<unknown>) => {
  const rest = [...args]
  const [method = "GET", pattern = ""] = endpoint.at.split(" ")
  const path = pattern.replace(/:\w+/g, (name) => {
    const value = rest.shift()
    // An empty parameter would send the request to another endpoint.
    if ((typeof value !== "string" && typeof value !== "number") || value === "")
      throw new CountersignError("INVALID_REQUEST", `${name.slice(1)}: is missing`)
    return encodeURIComponent(value)
  })
  const input = endpoint.input === undefined ? {} : { ...endpoint.defaults, ...defined(rest.shift()) }
  const options = (rest.shift() ?? {}) as Options
  if (endpoint.input !== "body") return { method, path: path + queryOf(input), body: undefined, options }
  const inQuery = new Set(endpoint.query)
  const part = (isOfQuery: boolean) =>
    Object.fromEntries(Object.entries(input).filter(([name]) => inQuery.has(name) === isOfQuery))
  return { method, path: path + queryOf(part(true)), body: JSON.stringify(part(false)), options }
}

/** Removes undefined fields, so that defaults apply. */
const defined = (input: unknown): Fields =>
  Object.fromEntries(Object.entries((input ?? {}) as Fields).filter(([, value]) => value !== undefined))

/**
 * Calls the service from a backend, with the client secret.
 *
 * Calls reject with `CountersignError`, after retries with the same `Idempotency-Key` when the service was busy or
 * unreachable.
 *
 * @example
 * ```ts
 * import { createServer } from "@countersign/sdk/server"
 *
 * const countersign = createServer({
 *   baseUrl: "https://verify.example.com",
 *   clientId: "cs_live_…",
 *   clientSecret: "sk_live_…"
 * })
 *
 * export const sendCode = (phone: string) => countersign.initiate({ identity: phone, identityType: "MOBILE" })
 * export const checkCode = (requestId: string, otp: string) => countersign.verify({ requestId, otp })
 * ```
 */
export const createServer = (options: ServerOptions): Server => {
  const credentials = { "x-client-id": options.clientId, "x-client-secret": options.clientSecret }

  const methodOf =
    (endpoint: Endpoint) =>
    async (...args: ReadonlyArray<unknown>): Promise<unknown> => {
      const { body, method, options: given, path } = read(endpoint, args)
      const { accept, signal } = given
      const call: Call<unknown> = {
        path,
        method,
        headers: {
          ...credentials,
          ...(accept === undefined ? {} : { accept }),
          ...(method === "POST" ? { "idempotency-key": given.idempotencyKey ?? idempotencyKey() } : {})
        },
        signal,
        ...(body === undefined ? {} : { body }),
        ...(endpoint.answer === "file" || accept !== undefined
          ? { isFile: true, accepts: (_): _ is typeof _ => true }
          : { accepts: isAnswer(endpoint.answer), mayBeNull: endpoint.answer.split(" | ").includes("null") })
      }
      const answer = await abortable(signal, () => request(options, call))
      return endpoint.answer === "nothing" ? undefined : answer
    }

  const under = (found: Endpoints[string]): unknown =>
    isEndpoint(found)
      ? methodOf(found)
      : Object.fromEntries(Object.entries(found).map(([name, endpoint]) => [name, methodOf(endpoint)]))

  return Object.fromEntries(Object.entries(endpoints).map(([name, found]) => [name, under(found)])) as unknown as Server
}

const isEndpoint = (found: Endpoints[string]): found is Endpoint => typeof found["at"] === "string"
