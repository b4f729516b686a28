import { Effect, type Scope } from "effect"
import { createHash, randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { type Exchange, listen } from "../channel/ProviderServer.ts"
import type { Person, VerifierBehaviour, VerifierDouble } from "../verifier/VerifierDouble.ts"

/** A person who consents in the app. */
export interface TruecallerConsent extends Person {
  /** The S256 challenge of the app's verifier. */
  readonly codeChallenge: string
  /** Returned to the app unchanged. */
  readonly state?: string
  /** Whether the profile has the number as a JSON number, as some real profiles do. */
  readonly asNumber?: boolean
  /** The scopes that the app requests; `openid phone` by default. */
  readonly scopes?: ReadonlyArray<string>
}

/** The result of a consent for the app. */
export interface TruecallerConsented {
  readonly authorizationCode: string
  readonly state: string | null
}

/** All options have defaults. */
export interface Options {
  readonly clientId?: string
  /** A free port by default. */
  readonly port?: number
}

/** A simulated Truecaller. */
export interface TruecallerSimulator extends VerifierDouble {
  readonly consent: (person: Person) => Effect.Effect<{ readonly code: string; readonly codeVerifier: string }>
  readonly clientId: string
  /** Simulates a person's consent. Over HTTP: `POST {url}/simulator/consents`. */
  readonly authorize: (consent: TruecallerConsent) => TruecallerConsented
}

interface Login extends TruecallerConsent {
  used: boolean
}

const retryAfterSeconds = 7
const slowly = 300
/** More than any client should read, in chunks. */
const flood = Buffer.alloc(64 * 1024, " ")
const floods = 1024
/** Accepted at both addresses. */
const afterFlood = JSON.stringify({
  access_token: "simulated.flood",
  phone_number: "919876543210",
  phone_number_verified: true
})

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) => {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(JSON.stringify(body))
}

const declined = (response: ServerResponse, code: number, message: string) => json(response, code, { code, message })

const page = (response: ServerResponse, status: number) => {
  response.writeHead(status, { "content-type": "text/html" })
  response.end("<html><h1>Sorry</h1></html>")
}

const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url")

const profileOf = ({ asNumber = false, isVerified = true, phone, scopes = ["openid", "phone"] }: Login) => ({
  sub: "tc_3f9a1c",
  given_name: "Asha",
  family_name: "Rao",
  email: "asha.rao@acme.example",
  address: { locality: "Pune", postal_code: "411001" },
  ...(phone === null || !scopes.includes("phone")
    ? {}
    : {
        phone_number: asNumber ? Number(phone) : phone,
        phone_number_country_code: "IN",
        phone_number_verified: isVerified
      })
})

const parsedConsent = (body: string): TruecallerConsent | null => {
  try {
    const { phone, ...more } = JSON.parse(body) as TruecallerConsent
    if (typeof phone !== "string" || typeof more.codeChallenge !== "string") return null
    const digits = phone.replace(/\D/g, "")
    // Numbers as people write them: ten digits are an Indian number.
    return { ...more, phone: digits.length === 10 && !phone.includes("+") ? `91${digits}` : digits }
  } catch {
    return null
  }
}

/**
 * Starts Truecaller's OAuth endpoints on 127.0.0.1, for tests of number verification with Truecaller. It checks the
 * form, the client id, and the verifier against the challenge of the consent, and accepts a code once. `consent` stands
 * in for the app: it takes a person's number and the app's challenge, and returns the code that the app would get.
 *
 * @example
 * ```ts
 * import { TruecallerSimulator } from "@countersign/testkit/simulators"
 * import { Effect } from "effect"
 *
 * const test = Effect.gen(function* () {
 *   const truecaller = yield* TruecallerSimulator.make()
 *   // Start your service with TRUECALLER_API_URL=truecaller.url and its client id, and initiate; then:
 *   const { authorizationCode } = truecaller.authorize({ phone: "919876543210", codeChallenge: "…", state: "ver_…" })
 *   console.log(authorizationCode) // what the app posts
 * }).pipe(Effect.scoped)
 * ```
 */
export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<TruecallerSimulator, never, Scope.Scope> {
  const clientId = options.clientId ?? "simulated-client-id"
  const seen: Array<string> = []
  const logins = new Map<string, Login>()
  const tokens = new Map<string, Login>()
  let playing: VerifierBehaviour = "accepted"

  const authorize = (consent: TruecallerConsent): TruecallerConsented => {
    const authorizationCode = `tcc_${randomUUID()}`
    logins.set(authorizationCode, { ...consent, used: false })
    return { authorizationCode, state: consent.state ?? null }
  }

  /** Why a request is refused; null when it is valid. */
  const problemOf = (request: IncomingMessage, form: URLSearchParams): readonly [number, string] | null => {
    if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers["content-type"] ?? "")) {
      return [400, "Content type must be application/x-www-form-urlencoded"]
    }
    for (const name of ["grant_type", "client_id", "code", "code_verifier"]) {
      if ((form.get(name) ?? "") === "") return [400, `Missing parameter ${name}`]
    }
    if (form.get("grant_type") !== "authorization_code") return [400, "Unsupported grant type"]
    if (form.get("client_id") !== clientId || playing === "unknownAccount") return [403, "Unknown client"]
    const login = logins.get(form.get("code")!)
    if (login === undefined || login.used || playing === "refused") return [403, "Invalid or expired code"]
    return login.codeChallenge === challengeOf(form.get("code_verifier")!) ? null : [403, "Invalid code verifier"]
  }

  const token = (request: IncomingMessage, response: ServerResponse, body: string) => {
    const form = new URLSearchParams(body)
    const problem = problemOf(request, form)
    if (problem !== null) return declined(response, ...problem)
    const login = logins.get(form.get("code")!)!
    login.used = true
    if (playing === "brokenAfter") return page(response, 500)
    const accessToken = `simulated.${randomUUID()}`
    tokens.set(accessToken, login)
    return json(response, 200, { access_token: accessToken, expires_in: 3600, token_type: "Bearer" })
  }

  const userinfo = (request: IncomingMessage, response: ServerResponse) => {
    const [, accessToken = ""] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "") ?? []
    const login = tokens.get(accessToken)
    if (login === undefined) return declined(response, 401, "Invalid access token")
    if (playing === "brokenLater") return page(response, 503)
    if (playing === "garbledLater") return page(response, 200)
    if (!(login.scopes ?? ["openid"]).includes("openid")) return declined(response, 422, "Missing scope openid")
    return json(response, 200, profileOf(login))
  }

  const pour = (response: ServerResponse, left = floods): void => {
    if (left === 0 || response.destroyed) return void response.end(afterFlood)
    response.write(flood, () => pour(response, left - 1))
  }

  const treat = ({ body, raw, request, response }: Exchange): unknown => {
    const at = `${request.method} ${(request.url ?? "").split("?")[0]}`
    if (at === "POST /simulator/consents") {
      const consent = parsedConsent(body)
      return consent === null
        ? declined(response, 400, "phone and codeChallenge are required")
        : json(response, 201, authorize(consent))
    }
    if (at !== "POST /v1/token" && at !== "GET /v1/userinfo") return declined(response, 404, "Not found")
    seen.push(raw)
    if (playing === "hanging") return
    if (playing === "slam") return response.destroy()
    if (playing === "broken") return page(response, 500)
    if (playing === "unavailable") return page(response, 503)
    if (playing === "garbled") return page(response, 200)
    if (playing === "overloaded") {
      return json(response, 429, { code: 429, message: body }, { "retry-after": String(retryAfterSeconds) })
    }
    if (playing === "huge") {
      response.writeHead(200, { "content-type": "application/json" })
      return pour(response)
    }
    if (typeof playing === "object") {
      response.writeHead(307, { location: `${playing.redirect}${request.url}` })
      return response.end()
    }
    const answer = () => (at === "POST /v1/token" ? token(request, response, body) : userinfo(request, response))
    return playing === "slow" ? setTimeout(answer, slowly) : answer()
  }

  const url = yield* listen(treat, options.port)
  return {
    url,
    clientId,
    retryAfterSeconds,
    authorize,
    consent: (person) =>
      Effect.sync(() => {
        const codeVerifier = `${randomUUID()}${randomUUID()}`
        const { authorizationCode } = authorize({ ...person, codeChallenge: challengeOf(codeVerifier) })
        return { code: authorizationCode, codeVerifier }
      }),
    play: (next) =>
      Effect.sync(() => {
        playing = next
      }),
    seen: Effect.sync(() => [...seen]),
    secrets: Effect.sync(() => [...tokens.keys(), "Asha", "Rao", "asha.rao@acme.example", "411001"])
  }
})
