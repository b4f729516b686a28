import { type OutcomeUnknown, type Proof, Refused, type Unavailable } from "@countersign/core/channel"
import { Clock, Effect, Redacted } from "effect"
import { decodeProtectedHeader, jwtVerify } from "jose"
import { createHash } from "node:crypto"
import type { KeySet } from "./KeySet.ts"

/** How far the clocks of Google and of this machine may differ, in seconds. */
const tolerance = 30
/** Core remembers a token for a day. So the oldest accepted token is younger, however long Google lets it live. */
const oldest = "1 hour"
const issuerRoot = "https://fpnv.googleapis.com/projects/"

const refused = (providerCode: string) => Effect.fail(new Refused({ providerCode }))

const tried = <A>(run: () => A | Promise<A>): Effect.Effect<A, Refused> =>
  Effect.tryPromise({ try: async () => run(), catch: () => new Refused({ providerCode: "invalid_token" }) })

/** The project whose tokens are accepted. */
export interface Project {
  readonly projectNumber: string
  readonly projectId: string
}

/**
 * Checks a token of Firebase's phone number verification: ES256 with one of Google's keys, the project as issuer and
 * twice as audience, and its times. Keys that the token names itself (`jwk`, `jku`, `x5u`, `x5c`) are ignored.
 */
export const checkToken = Effect.fnUntraced(function* (
  { projectId, projectNumber }: Project,
  keys: KeySet,
  secret: Redacted.Redacted
): Effect.fn.Return<Proof, Refused | Unavailable | OutcomeUnknown> {
  const token = Redacted.value(secret)
  const { alg, kid, typ } = yield* tried(() => decodeProtectedHeader(token))
  // Before the key is looked up: another algorithm or kind of token must not cause a request to Google.
  if (alg !== "ES256" || typ !== "JWT" || typeof kid !== "string" || kid === "") return yield* refused("header")
  const key = yield* keys.find(kid)
  if (key === null) return yield* refused("unknown_key")
  const now = yield* Clock.currentTimeMillis
  const { payload } = yield* tried(() =>
    jwtVerify(token, key, {
      algorithms: ["ES256"],
      typ: "JWT",
      issuer: `${issuerRoot}${projectNumber}`,
      requiredClaims: ["aud", "exp", "iat", "sub"],
      maxTokenAge: oldest,
      clockTolerance: tolerance,
      currentDate: new Date(now)
    })
  )
  const { aud, exp, sub } = payload
  // The tolerance is for a clock that is behind Google's. It does not extend the life of a token.
  if (exp === undefined || exp * 1000 <= now) return yield* refused("expired")
  const named = [`${issuerRoot}${projectNumber}`, `${issuerRoot}${projectId}`]
  if (!Array.isArray(aud) || !named.every((audience) => aud.includes(audience))) return yield* refused("audience")
  if (typeof sub !== "string" || !/^\+[1-9][0-9]{6,14}$/.test(sub)) return yield* refused("subject")
  return {
    phone: sub.slice(1),
    isVerified: true,
    // Without the signature: from a signature of ES256, anybody can calculate a second valid one.
    once: createHash("sha256")
      .update(token.slice(0, token.lastIndexOf(".")))
      .digest("hex")
  }
})
