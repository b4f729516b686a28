import { Clock, Effect, type Scope } from "effect"
import { createHash, generateKeyPairSync, randomUUID, verify } from "node:crypto"
import type { ServerResponse } from "node:http"
import { type Exchange, listen } from "../channel/ProviderServer.ts"
import type { Person, VerifierBehaviour, VerifierDouble } from "../verifier/VerifierDouble.ts"

/** All options have defaults. */
export interface Options {
  readonly clientId?: string
  readonly redirectUri?: string
  /** A free port by default. */
  readonly port?: number
}

/** A simulated operator with CAMARA NumberVerification. */
export interface NumberVerificationSimulator extends VerifierDouble {
  readonly apiUrl: string
  readonly tokenUrl: string
  readonly authorizeUrl: string
  readonly redirectUri: string
  readonly clientId: string
  /** The application's private key in PEM. */
  readonly privateKey: string
  readonly consent: (person: Person, url?: string) => Effect.Effect<{ readonly answer: string }>
  /**
   * Simulates a phone that opens the authorization address: the address of the redirect. `number` is that of the SIM, in
   * E.164 digits; null over Wi-Fi. Over HTTP, the header `x-simulated-number` has it.
   */
  readonly open: (url: string, number: string | null) => string
}

interface Login {
  readonly number: string
  readonly challenge: string
  readonly redirectUri: string
  readonly nonce: string
  used: boolean
}

const scope = "number-verification:verify"
const retryAfterSeconds = 7
const slowly = 300
/** More than any client should read, in chunks. */
const flood = Buffer.alloc(64 * 1024, " ")
const floods = 1024

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) => {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(JSON.stringify(body))
}

const page = (response: ServerResponse, status: number) => {
  response.writeHead(status, { "content-type": "text/html" })
  response.end("<html><h1>Sorry</h1></html>")
}

const part = (text: string | undefined): { readonly [claim: string]: unknown } => {
  try {
    return JSON.parse(Buffer.from(text ?? "", "base64url").toString("utf8")) as { readonly [claim: string]: unknown }
  } catch {
    return {}
  }
}

const sha256 = (text: string, encoding: "hex" | "base64url") => createHash("sha256").update(text).digest(encoding)

/**
 * Starts an operator with CAMARA NumberVerification on 127.0.0.1: the authorization endpoint that a phone opens over
 * mobile data, the token endpoint with client assertions and PKCE, and `verify`. A code, an assertion and a token work
 * once.
 *
 * @example
 * ```ts
 * import { NumberVerificationSimulator } from "@countersign/testkit/simulators"
 * import { Effect } from "effect"
 *
 * const test = Effect.gen(function* () {
 *   const operator = yield* NumberVerificationSimulator.make()
 *   // Create the verifier with operator.apiUrl, operator.tokenUrl, operator.authorizeUrl and operator.privateKey.
 *   console.log(operator.open("https://…/authorize?…", "919876543210")) // the redirect that the app posts
 * }).pipe(Effect.scoped)
 * ```
 */
export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<NumberVerificationSimulator, never, Scope.Scope> {
  const { clientId = "simulated-client-id", redirectUri = "https://app.acme.example/number" } = options
  const clock = yield* Clock.Clock
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  const seen: Array<string> = []
  const logins = new Map<string, Login>()
  const tokens = new Map<string, Login>()
  const assertions = new Set<string>()
  const secrets: Array<string> = []
  let playing: VerifierBehaviour = "accepted"
  let url = ""

  const open = (address: string, number: string | null): string => {
    const { pathname, searchParams } = new URL(address)
    const wanted = searchParams.get("scope")?.split(" ") ?? []
    const isRight =
      pathname === "/authorize" &&
      searchParams.get("response_type") === "code" &&
      searchParams.get("client_id") === clientId &&
      // A redirect URI that is not registered gets no redirect.
      searchParams.get("redirect_uri") === redirectUri &&
      searchParams.get("code_challenge_method") === "S256" &&
      /^[\w-]{43}$/.test(searchParams.get("code_challenge") ?? "") &&
      wanted.includes("openid") &&
      wanted.includes(scope) &&
      wanted.filter((each) => each.startsWith("dpv:")).length === 1
    if (!isRight) return `${url}/error`
    const back = new URL(redirectUri)
    back.searchParams.set("state", searchParams.get("state") ?? "")
    if (number === null) {
      back.searchParams.set("error", "login_required")
      return back.href
    }
    const code = `nv.${randomUUID()}`
    const nonce = searchParams.get("nonce") ?? ""
    logins.set(code, { number, challenge: searchParams.get("code_challenge") ?? "", redirectUri, nonce, used: false })
    back.searchParams.set("code", code)
    return back.href
  }

  const isAssertion = (assertion: string): boolean => {
    const [head, claims, signature] = assertion.split(".")
    const { aud, exp, iat, iss, jti, sub } = part(claims)
    const now = clock.currentTimeMillisUnsafe() / 1000
    const isAlive = typeof exp === "number" && typeof iat === "number" && exp > now && exp - iat <= 300
    if (iss !== clientId || sub !== clientId || aud !== `${url}/token` || !isAlive || typeof jti !== "string")
      return false
    if (assertions.has(jti) || part(head)["alg"] !== "ES256") return false
    assertions.add(jti)
    const key = { key: publicKey, dsaEncoding: "ieee-p1363" } as const
    return verify("sha256", Buffer.from(`${head}.${claims}`), key, Buffer.from(signature ?? "", "base64url"))
  }

  const token = (response: ServerResponse, form: URLSearchParams) => {
    const assertion = form.get("client_assertion") ?? ""
    secrets.push(assertion)
    if (playing === "unknownAccount" || !isAssertion(assertion)) return json(response, 401, { error: "invalid_client" })
    if (form.get("grant_type") !== "authorization_code") return json(response, 400, { error: "unsupported_grant_type" })
    const login = logins.get(form.get("code") ?? "")
    const isGranted =
      login !== undefined &&
      !login.used &&
      playing !== "refused" &&
      form.get("redirect_uri") === login.redirectUri &&
      sha256(form.get("code_verifier") ?? "", "base64url") === login.challenge
    if (!isGranted) return json(response, 400, { error: "invalid_grant" })
    login.used = true
    if (playing === "brokenAfter") return page(response, 500)
    const value = `simulated.${randomUUID()}`
    secrets.push(value)
    tokens.set(value, login)
    const claims = Buffer.from(JSON.stringify({ iss: url, sub: randomUUID(), aud: clientId, nonce: login.nonce }))
    return json(response, 200, {
      access_token: value,
      token_type: "Bearer",
      expires_in: 300,
      id_token: `e30.${claims.toString("base64url")}.c2ln`
    })
  }

  const compare = (response: ServerResponse, authorization: string | undefined, body: string) => {
    const [, value = ""] = /^Bearer (\S+)$/.exec(authorization ?? "") ?? []
    const login = tokens.get(value)
    if (login === undefined) return json(response, 401, { status: 401, code: "UNAUTHENTICATED", message: "Token" })
    tokens.delete(value)
    if (playing === "brokenLater") return page(response, 500)
    if (playing === "garbledLater") return page(response, 200)
    const fields = part(Buffer.from(body).toString("base64url"))
    const { hashedPhoneNumber, phoneNumber } = fields
    if (Object.keys(fields).length !== 1) {
      return json(response, 400, { status: 400, code: "INVALID_ARGUMENT", message: "Exactly one number" })
    }
    const number = `+${login.number}`
    const isVerified = phoneNumber === number || hashedPhoneNumber === sha256(number, "hex")
    return json(response, 200, { devicePhoneNumberVerified: isVerified })
  }

  const pour = (response: ServerResponse, left = floods): void => {
    if (left === 0 || response.destroyed) return void response.end("{}")
    response.write(flood, () => pour(response, left - 1))
  }

  const treat = ({ body, raw, request, response }: Exchange): unknown => {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1")
    if (pathname === "/authorize") {
      const number = request.headers["x-simulated-number"]
      response.writeHead(302, { location: open(`${url}${request.url}`, typeof number === "string" ? number : null) })
      return response.end()
    }
    seen.push(raw)
    if (playing === "hanging") return
    if (playing === "slam") return response.destroy()
    if (playing === "broken") return page(response, 500)
    if (playing === "unavailable") return page(response, 503)
    if (playing === "garbled") return page(response, 200)
    if (playing === "overloaded") {
      return json(response, 429, { code: "TOO_MANY_REQUESTS" }, { "retry-after": String(retryAfterSeconds) })
    }
    if (playing === "huge") {
      response.writeHead(200, { "content-type": "application/json" })
      return pour(response)
    }
    if (typeof playing === "object") {
      response.writeHead(307, { location: `${playing.redirect}${request.url}` })
      return response.end()
    }
    const answer = () => {
      if (`${request.method} ${pathname}` === "POST /token") return token(response, new URLSearchParams(body))
      if (`${request.method} ${pathname}` === "POST /number-verification/v2/verify") {
        return compare(response, request.headers.authorization, body)
      }
      return json(response, 404, { status: 404, code: "NOT_FOUND", message: "Not found" })
    }
    return playing === "slow" ? setTimeout(answer, slowly) : answer()
  }

  url = yield* listen(treat, options.port)
  return {
    url,
    apiUrl: url,
    tokenUrl: `${url}/token`,
    authorizeUrl: `${url}/authorize`,
    redirectUri,
    clientId,
    privateKey: pem,
    retryAfterSeconds,
    open,
    consent: ({ phone }, address = "") => Effect.sync(() => ({ answer: open(address, phone) })),
    play: (next) =>
      Effect.sync(() => {
        playing = next
      }),
    seen: Effect.sync(() => [...seen]),
    secrets: Effect.sync(() => [...secrets, pem])
  }
})
