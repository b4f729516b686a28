import { Effect, type Scope } from "effect"
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto"
import type { ServerResponse } from "node:http"
import { type Exchange, listen } from "../channel/ProviderServer.ts"
import type { Person, VerifierBehaviour, VerifierDouble } from "../verifier/VerifierDouble.ts"

/** All options have defaults. */
export interface Options {
  readonly projectNumber?: string
  readonly projectId?: string
  /** A free port by default. */
  readonly port?: number
}

/** Changes to a token that an app gets, for tests of the checks. */
export interface TokenChanges {
  readonly header?: { readonly [name: string]: unknown }
  readonly claims?: { readonly [name: string]: unknown }
  /** Signs with a key that the simulator does not publish. */
  readonly strangeKey?: boolean
  /** Seconds since 1970 at which the token is issued. Default: now. */
  readonly issuedAt?: number
}

/** A simulated Firebase: it signs tokens as Google does, and publishes its keys. */
export interface FirebaseSimulator extends VerifierDouble {
  readonly projectNumber: string
  readonly projectId: string
  /** The address of the public keys. The same as `url`. */
  readonly keysUrl: string
  readonly consent: (person: Person) => Effect.Effect<{ readonly token: string }>
  /** The token that the app gets for a number in E.164 digits. Over HTTP: `POST {origin}/simulator/tokens`. */
  readonly tokenFor: (phone: string, changes?: TokenChanges) => string
  /** Signs from now on with a new key. The old one stays published unless it is withdrawn. */
  readonly rotate: (options?: { readonly withdraw?: boolean }) => void
}

interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly jwk: { readonly [name: string]: unknown }
}

const root = "https://fpnv.googleapis.com/projects/"
const path = "/v1beta/jwks"
const retryAfterSeconds = 7
const slowly = 300
/** More than any client should read, in chunks. */
const flood = Buffer.alloc(64 * 1024, " ")
const floods = 1024

const makeKey = (): SigningKey => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const kid = randomUUID()
  return { kid, privateKey, jwk: { ...publicKey.export({ format: "jwk" }), kid, alg: "ES256", use: "sig" } }
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) => {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(JSON.stringify(body))
}

const phoneIn = (body: string): string | null => {
  try {
    const { phone } = JSON.parse(body) as { readonly phone?: unknown }
    return typeof phone === "string" && /^\+?[1-9]\d{6,14}$/.test(phone) ? phone.replace("+", "") : null
  } catch {
    return null
  }
}

/**
 * Starts Firebase's key address on 127.0.0.1, and signs the tokens that an app would get from
 * `getVerifiedPhoneNumber()`. The tokens have Google's real issuer and audiences.
 *
 * @example
 * ```ts
 * import { FirebaseSimulator } from "@countersign/testkit/simulators"
 * import { Effect } from "effect"
 *
 * const test = Effect.gen(function* () {
 *   const firebase = yield* FirebaseSimulator.make()
 *   // Start your service with FIREBASE_KEYS_URL=firebase.keysUrl and its project, and initiate; then:
 *   console.log(firebase.tokenFor("919876543210")) // the token that the app posts
 * }).pipe(Effect.scoped)
 * ```
 */
export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<FirebaseSimulator, never, Scope.Scope> {
  const projectNumber = options.projectNumber ?? "123456789012"
  const projectId = options.projectId ?? "simulated-project"
  const seen: Array<string> = []
  const stranger = makeKey()
  let keys: ReadonlyArray<SigningKey> = [makeKey()]
  let playing: VerifierBehaviour = "accepted"

  const tokenFor = (phone: string, { claims, header, issuedAt, strangeKey = false }: TokenChanges = {}) => {
    const { kid, privateKey } = strangeKey ? stranger : keys[0]!
    const iat = issuedAt ?? Math.floor(Date.now() / 1000)
    const signed = [
      part({ alg: "ES256", typ: "JWT", kid, ...header }),
      part({
        iss: `${root}${projectNumber}`,
        aud: [`${root}${projectNumber}`, `${root}${projectId}`],
        sub: `+${phone}`,
        iat,
        exp: iat + 3600,
        jti: randomUUID(),
        ...claims
      })
    ].join(".")
    const signature = sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" })
    return `${signed}.${signature.toString("base64url")}`
  }

  const pour = (response: ServerResponse, left = floods): void => {
    if (left === 0 || response.destroyed) return void response.end(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }))
    response.write(flood, () => pour(response, left - 1))
  }

  const treat = ({ body, raw, request, response }: Exchange): unknown => {
    const at = `${request.method} ${(request.url ?? "").split("?")[0]}`
    if (at === "POST /simulator/tokens") {
      const phone = phoneIn(body)
      return phone === null
        ? json(response, 400, { message: "phone is required, with the country code" })
        : json(response, 201, { token: tokenFor(phone) })
    }
    if (at !== `GET ${path}`) return json(response, 404, { error: { code: 404, status: "NOT_FOUND" } })
    seen.push(raw)
    if (playing === "hanging") return
    if (playing === "slam") return response.destroy()
    if (playing === "broken" || playing === "brokenAfter" || playing === "brokenLater") {
      return json(response, 500, { error: { code: 500, status: "INTERNAL" } })
    }
    if (playing === "unavailable") return json(response, 503, { error: { code: 503, status: "UNAVAILABLE" } })
    if (playing === "unknownAccount") return json(response, 403, { error: { code: 403, status: "PERMISSION_DENIED" } })
    if (playing === "overloaded") {
      return json(response, 429, { error: { code: 429 } }, { "retry-after": String(retryAfterSeconds) })
    }
    if (playing === "garbled" || playing === "garbledLater") {
      response.writeHead(200, { "content-type": "text/html" })
      return response.end("<html><h1>Sorry</h1></html>")
    }
    if (playing === "huge") {
      response.writeHead(200, { "content-type": "application/json" })
      return pour(response)
    }
    if (typeof playing === "object") {
      response.writeHead(307, { location: `${new URL(playing.redirect).origin}${request.url}` })
      return response.end()
    }
    const published = playing === "refused" ? [] : keys.map(({ jwk }) => jwk)
    const answer = () => json(response, 200, { keys: published })
    return playing === "slow" ? setTimeout(answer, slowly) : answer()
  }

  const url = `${yield* listen(treat, options.port)}${path}`
  return {
    url,
    keysUrl: url,
    projectNumber,
    projectId,
    retryAfterSeconds,
    isOffline: true,
    tokenFor,
    rotate: ({ withdraw = false } = {}) => {
      keys = [makeKey(), ...(withdraw ? [] : keys)]
    },
    // The kit's clock starts in 1970; a token is as old as the clock of the verifier says.
    consent: ({ phone }) =>
      Effect.clockWith((clock) =>
        Effect.map(clock.currentTimeMillis, (now) => ({
          token: tokenFor(phone ?? "", { issuedAt: Math.floor(now / 1000) })
        }))
      ),
    play: (next) =>
      Effect.sync(() => {
        playing = next
      }),
    seen: Effect.sync(() => [...seen]),
    secrets: Effect.succeed([])
  }
})
