import { type Connection, root } from "../request/request.ts"
import { fromBase64Url } from "./base64.ts"
import { type IdTokenErrorCode, IdTokenVerificationError } from "./IdTokenVerificationError.ts"
import { keySetOf } from "./KeySet.ts"

export interface VerifyIdTokenOptions extends Connection {
  /** The client id that the token was issued for, or all of your client ids. */
  readonly clientId: string | ReadonlyArray<string>
  /** The service's `PUBLIC_URL`, if it differs from `baseUrl`. */
  readonly issuer?: string | undefined
  /** How far the clocks may differ. Default 5 seconds. */
  readonly clockToleranceSeconds?: number | undefined
}

interface CommonClaims {
  readonly iss: string
  readonly aud: string
  /** The `requestId` of the verification. */
  readonly sub: string
  /** The token's id. Accept each id once. */
  readonly jti: string
  readonly iat: number
  readonly exp: number
  /** When the user was verified, in Unix seconds. */
  readonly auth_time: number
  /** The identity as it was sent to initiate. */
  readonly identity: string
}

interface PhoneClaims extends CommonClaims {
  readonly identityType: "MOBILE"
  /** The number in canonical form: `+` and digits. */
  readonly phone_number: string
  readonly phone_number_verified: true
}

interface EmailClaims extends CommonClaims {
  readonly identityType: "EMAIL"
  readonly email: string
  readonly email_verified: true
}

/** The claims of an idToken. */
export type IdTokenClaims = PhoneClaims | EmailClaims

type Claims = Readonly<Record<string, unknown>>

const isClaims = (claims: Claims): claims is Claims & IdTokenClaims =>
  ["iss", "aud", "sub", "jti", "identity"].every((name) => typeof claims[name] === "string") &&
  ["iat", "exp", "auth_time"].every((name) => Number.isFinite(claims[name])) &&
  (claims["identityType"] === "MOBILE"
    ? typeof claims["phone_number"] === "string" && claims["phone_number_verified"] === true
    : claims["identityType"] === "EMAIL" && typeof claims["email"] === "string" && claims["email_verified"] === true)

const refuse = (errorCode: IdTokenErrorCode, message: string): never => {
  throw new IdTokenVerificationError(errorCode, message)
}

const malformed = () =>
  refuse("MALFORMED", "This is not an idToken of Countersign: pass the idToken of verify unchanged")

const jsonOf = (part: string): Claims => {
  const bytes = fromBase64Url(part)
  if (bytes === undefined) return malformed()
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
    if (typeof value === "object" && value !== null) return { ...value }
  } catch {
    // falls through to the same answer
  }
  return malformed()
}

/**
 * Verifies an idToken locally. Fetches only the service's public keys and caches them.
 *
 * Rejects with `IdTokenVerificationError` if the token is invalid, and with `CountersignError` if the keys cannot be
 * fetched. Then compare `sub` with the requestId of your login, and accept each `jti` once.
 *
 * @example
 * ```ts
 * import { verifyIdToken } from "@countersign/sdk/server"
 *
 * export const whoSignsIn = async (idToken: string, requestId: string) => {
 *   const claims = await verifyIdToken(idToken, { baseUrl: "https://verify.example.com", clientId: "cs_live_acme" })
 *   if (claims.sub !== requestId) throw new Error("This is another verification")
 *   return claims.identityType === "MOBILE" ? claims.phone_number : claims.email
 * }
 * ```
 */
export const verifyIdToken = async (token: string, options: VerifyIdTokenOptions): Promise<IdTokenClaims> => {
  if (typeof token !== "string" || token.length > 8192) return malformed()
  const [head = "", payload = "", signature = "", ...more] = token.split(".")
  if (more.length > 0) return malformed()

  // Look up the key by kid in the service's key set. Never read keys from the header.
  const { alg, crit, kid, typ } = jsonOf(head)
  if (alg !== "ES256" || typ !== "countersign-id+jwt" || crit !== undefined)
    return refuse("WRONG_KIND", "This token is not an idToken: pass the idToken that verify returned")
  const key = typeof kid === "string" ? await keySetOf(options)(kid) : undefined
  if (key === undefined)
    return refuse(
      "UNKNOWN_KEY",
      "This idToken is not signed with a published key: check that baseUrl is the service that issued it"
    )

  const bytes = fromBase64Url(signature)
  const signed = new TextEncoder().encode(`${head}.${payload}`)
  const algorithm = { name: "ECDSA", hash: "SHA-256" }
  if (bytes?.length !== 64 || !(await crypto.subtle.verify(algorithm, key, bytes, signed)))
    return refuse("WRONG_SIGNATURE", "This idToken was changed, or was not signed by the service")

  const claims = jsonOf(payload)
  if (!isClaims(claims)) return malformed()
  if (root(claims.iss) !== root(options.issuer ?? options.baseUrl))
    return refuse("WRONG_ISSUER", "Another service issued this idToken: set issuer to your service's PUBLIC_URL")
  const clientIds = typeof options.clientId === "string" ? [options.clientId] : options.clientId
  if (!clientIds.includes(claims.aud))
    return refuse("WRONG_AUDIENCE", "This idToken is for another client id: pass the client id that it was issued for")
  const now = Date.now() / 1000
  const tolerance = options.clockToleranceSeconds ?? 5
  if (now >= claims.exp + tolerance) return refuse("EXPIRED", "This idToken has expired: verify the user again")
  if (now < claims.iat - tolerance)
    return refuse("NOT_YET_VALID", "This idToken is from the future: correct this machine's clock")
  return claims
}
