import { Clock, Effect, type Scope } from "effect"
import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, verify } from "node:crypto"
import { type Exchange, listen } from "../channel/ProviderServer.ts"
import { flooded, json, page, redirected } from "../lineInfo/doubleAnswers.ts"
import type { Line, LineInfoBehaviour, LineInfoDouble } from "../lineInfo/LineInfoDouble.ts"

/** All options have defaults. */
export interface Options {
  readonly clientId?: string
  /** The public key of the application, in PEM. By default the simulator makes a key pair. */
  readonly publicKey?: string
  /** How long tokens live; 300 by default. */
  readonly tokenSeconds?: number
  /** How far back the operator may look, in days. Null, the default, means without a limit. */
  readonly monitoredDays?: number | null
  /** A free port by default. */
  readonly port?: number
}

/** A simulated operator with the CAMARA APIs. */
export interface CamaraSimulator extends LineInfoDouble {
  /** The root of the APIs, the same as `url`. */
  readonly apiUrl: string
  readonly tokenUrl: string
  readonly clientId: string
  /** The application's private key in PEM. Empty when you brought a public key of your own. */
  readonly privateKey: string
  /** Ends every token that was issued. */
  readonly endTokens: Effect.Effect<void>
  /** The number of tokens issued so far. */
  readonly issued: Effect.Effect<number>
}

const retryAfterSeconds = 7
const slowly = 300
const longestAssertion = 300
const hour = 3_600_000

/** The problem with a request, in CAMARA's form. */
interface Problem {
  readonly status: number
  readonly code: string
}

const parsed = (body: string): { readonly [name: string]: unknown } | null => {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as { readonly [name: string]: unknown })
      : null
  } catch {
    return null
  }
}

const part = (text: string | undefined) => parsed(Buffer.from(text ?? "", "base64url").toString("utf8")) ?? {}

const apiOf: { readonly [path: string]: { readonly scope: string; readonly fields: ReadonlyArray<string> } } = {
  "/sim-swap/v2/check": { scope: "sim-swap:check", fields: ["phoneNumber", "maxAge"] },
  "/sim-swap/v2/retrieve-date": { scope: "sim-swap:retrieve-date", fields: ["phoneNumber"] },
  "/number-recycling/v0.2/check": { scope: "number-recycling:check", fields: ["phoneNumber", "specifiedDate"] }
}

/**
 * Starts a mobile operator with the CAMARA APIs SimSwap and NumberRecycling on 127.0.0.1. It issues tokens for client
 * credentials with a signed client assertion (`private_key_jwt`): it checks the signature, the audience, the lifetime,
 * and that each assertion comes once. It refuses unknown fields, tokens without the scope, and numbers that it does not
 * know.
 *
 * @example
 * ```ts
 * import { CamaraSimulator } from "@countersign/testkit/simulators"
 * import { Effect } from "effect"
 *
 * const test = Effect.gen(function* () {
 *   const operator = yield* CamaraSimulator.make()
 *   yield* operator.know({ number: "+919876543210", simSwappedAt: Date.UTC(2026, 0, 1) })
 *   // Create the adapter with operator.apiUrl, operator.tokenUrl, operator.clientId and operator.privateKey.
 * }).pipe(Effect.scoped)
 * ```
 */
export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<CamaraSimulator, never, Scope.Scope> {
  const { clientId = "simulated-client-id", monitoredDays = null, tokenSeconds = 300 } = options
  const clock = yield* Clock.Clock
  const pair = options.publicKey === undefined ? generateKeyPairSync("ec", { namedCurve: "P-256" }) : null
  const publicKey: KeyObject = pair?.publicKey ?? createPublicKey(options.publicKey ?? "")
  const privateKey = pair?.privateKey.export({ type: "pkcs8", format: "pem" }).toString() ?? ""
  const seen: Array<string> = []
  const lines = new Map<string, Line>()
  const tokens = new Map<string, { readonly scopes: ReadonlyArray<string>; readonly until: number }>()
  const secrets: Array<string> = []
  const assertions = new Set<string>()
  let playing: LineInfoBehaviour = "accepted"
  let tokenUrl = ""

  const isSigned = (assertion: string): boolean => {
    const [head, claims, signature] = assertion.split(".")
    const alg = part(head)["alg"]
    if (alg !== "ES256" && alg !== "RS256") return false
    const data = Buffer.from(`${head}.${claims}`)
    const key = { key: publicKey, dsaEncoding: "ieee-p1363" } as const
    try {
      return verify("sha256", data, key, Buffer.from(signature ?? "", "base64url"))
    } catch {
      return false
    }
  }

  /** Whether an assertion is this application's, for this endpoint, alive and new. */
  const accepts = (assertion: string): boolean => {
    const { aud, exp, iat, iss, jti, sub } = part(assertion.split(".")[1])
    const now = clock.currentTimeMillisUnsafe() / 1000
    const isOurs = iss === clientId && sub === clientId && aud === tokenUrl
    const isAlive = typeof exp === "number" && typeof iat === "number" && exp > now && exp - iat <= longestAssertion
    if (!isOurs || !isAlive || typeof jti !== "string" || assertions.has(jti) || !isSigned(assertion)) return false
    assertions.add(jti)
    return true
  }

  const token = ({ body, request, response }: Exchange) => {
    const form = new URLSearchParams(body)
    const assertion = form.get("client_assertion") ?? ""
    secrets.push(assertion)
    const isForm = /^application\/x-www-form-urlencoded\b/i.test(request.headers["content-type"] ?? "")
    const isAssertion = form.get("client_assertion_type") === "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    if (!isForm || !isAssertion) return json(response, 400, { error: "invalid_request" })
    if (playing === "unknownAccount" || !accepts(assertion)) return json(response, 401, { error: "invalid_client" })
    if (form.get("grant_type") !== "client_credentials") return json(response, 400, { error: "unsupported_grant_type" })
    const scopes = (form.get("scope") ?? "").split(" ").filter((scope) => scope !== "")
    const isGranted = scopes.every((scope) => /^(dpv:\w+|sim-swap(:[\w-]+)?|number-recycling:check)$/.test(scope))
    if (scopes.length === 0 || !isGranted) return json(response, 400, { error: "invalid_scope" })
    const value = `simulated.${randomUUID()}`
    secrets.push(value)
    tokens.set(value, { scopes, until: clock.currentTimeMillisUnsafe() + tokenSeconds * 1000 })
    return json(response, 200, {
      access_token: value,
      token_type: "Bearer",
      expires_in: tokenSeconds,
      scope: scopes.join(" ")
    })
  }

  const problemOf = (
    authorization: string | undefined,
    path: string,
    fields: { readonly [name: string]: unknown } | null
  ): Problem | null => {
    const api = apiOf[path]
    if (api === undefined) return { status: 404, code: "NOT_FOUND" }
    const [, value = ""] = /^Bearer (\S+)$/.exec(authorization ?? "") ?? []
    const issued = tokens.get(value)
    if (issued === undefined || issued.until <= clock.currentTimeMillisUnsafe()) {
      return { status: 401, code: "UNAUTHENTICATED" }
    }
    if (!issued.scopes.includes(api.scope)) return { status: 403, code: "PERMISSION_DENIED" }
    if (fields === null || Object.keys(fields).some((name) => !api.fields.includes(name))) {
      return { status: 400, code: "INVALID_ARGUMENT" }
    }
    const { maxAge = 240, phoneNumber, specifiedDate } = fields
    if (phoneNumber === undefined) return { status: 422, code: "MISSING_IDENTIFIER" }
    if (typeof phoneNumber !== "string" || !/^\+[1-9]\d{4,14}$/.test(phoneNumber)) {
      return { status: 400, code: "INVALID_ARGUMENT" }
    }
    const most = monitoredDays === null ? 2400 : Math.min(2400, monitoredDays * 24)
    const isAge = typeof maxAge === "number" && Number.isInteger(maxAge) && maxAge >= 1 && maxAge <= most
    if (api.fields.includes("maxAge") && !isAge) return { status: 400, code: "OUT_OF_RANGE" }
    const isDated = typeof specifiedDate === "string" && /^\d{4}-\d{2}-\d{2}$/.test(specifiedDate)
    if (api.fields.includes("specifiedDate") && !isDated) return { status: 400, code: "INVALID_ARGUMENT" }
    return lines.has(phoneNumber) ? null : { status: 404, code: "IDENTIFIER_NOT_FOUND" }
  }

  const answerOf = (path: string, fields: { readonly [name: string]: unknown }): unknown => {
    const line = lines.get(String(fields["phoneNumber"]))
    const { ownerSince, simSwappedAt } = line ?? {}
    const now = clock.currentTimeMillisUnsafe()
    if (path === "/sim-swap/v2/check") {
      const age = Number(fields["maxAge"] ?? 240) * hour
      return { swapped: simSwappedAt !== undefined && now - simSwappedAt <= age }
    }
    if (path === "/sim-swap/v2/retrieve-date") {
      const isShown =
        simSwappedAt !== undefined && (monitoredDays === null || now - simSwappedAt <= monitoredDays * 24 * hour)
      return {
        latestSimChange: isShown ? new Date(simSwappedAt).toISOString() : null,
        ...(isShown ? {} : { monitoredPeriod: monitoredDays ?? 3650 })
      }
    }
    return { phoneNumberRecycled: ownerSince !== undefined && ownerSince > String(fields["specifiedDate"]) }
  }

  const silence: { readonly [path: string]: Problem | { readonly latestSimChange: null } } = {
    "/sim-swap/v2/check": { status: 422, code: "SERVICE_NOT_APPLICABLE" },
    "/sim-swap/v2/retrieve-date": { latestSimChange: null },
    "/number-recycling/v0.2/check": { status: 422, code: "SERVICE_NOT_APPLICABLE" }
  }

  const api = (exchange: Exchange, path: string) => {
    const { body, request, response } = exchange
    const correlator = request.headers["x-correlator"]
    const headers = typeof correlator === "string" ? { "x-correlator": correlator } : {}
    const fields = parsed(body)
    const problem = problemOf(request.headers.authorization, path, fields)
    const decline = ({ code, status }: Problem) =>
      json(response, status, { status, code, message: `Refused: ${body}` }, headers)
    if (problem !== null) return decline(problem)
    if (playing === "strange")
      return json(response, 200, { swapped: "no", latestSimChange: 7, phoneNumberRecycled: [] })
    if (playing === "silent") {
      const answer = silence[path]!
      return "code" in answer ? decline(answer) : json(response, 200, answer, headers)
    }
    const answer = answerOf(path, fields ?? {})
    if (playing === "huge") return flooded(response, answer)
    return json(response, 200, answer, headers)
  }

  const treat = (exchange: Exchange): unknown => {
    const { raw, request, response } = exchange
    const path = (request.url ?? "").split("?")[0] ?? ""
    seen.push(raw)
    const isToken = `${request.method} ${path}` === "POST /token"
    if (playing === "hanging") return
    if (playing === "slam") return response.destroy()
    if (playing === "broken") return page(response, 500)
    if (playing === "unavailable") return page(response, 503)
    if (playing === "garbled") return page(response, 200)
    if (typeof playing === "object") return redirected(response, playing.redirect, request.url)
    if (playing === "overloaded") {
      const body = { status: 429, code: "TOO_MANY_REQUESTS", message: exchange.body }
      return json(response, 429, body, { "retry-after": String(retryAfterSeconds) })
    }
    const answer = () => (isToken ? token(exchange) : api(exchange, path))
    return playing === "slow" ? setTimeout(answer, slowly) : answer()
  }

  const url = yield* listen(treat, options.port)
  tokenUrl = `${url}/token`
  return {
    url,
    apiUrl: url,
    tokenUrl,
    clientId,
    privateKey,
    retryAfterSeconds,
    know: (line) => Effect.sync(() => void lines.set(line.number, line)),
    play: (next) =>
      Effect.sync(() => {
        playing = next
      }),
    seen: Effect.sync(() => [...seen]),
    secrets: Effect.sync(() => [...secrets, privateKey]),
    endTokens: Effect.sync(() => tokens.clear()),
    issued: Effect.sync(() => secrets.filter((secret) => secret.startsWith("simulated.")).length)
  }
})
