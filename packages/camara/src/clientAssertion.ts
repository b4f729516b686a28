import { Clock, Effect } from "effect"
import { SignJWT } from "jose"
import { randomUUID } from "node:crypto"
import type { Operator } from "./Operator.ts"

/** Valid for one request. Operators refuse assertions that live longer than five minutes. */
const livesSeconds = 60

/** The value of `client_assertion_type`. */
export const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

/**
 * A new client assertion (`private_key_jwt`). Each has an id of its own, for this operator alone, so one that leaks can be
 * used neither again nor elsewhere.
 */
export const clientAssertion = ({ algorithm, audience, clientId, key, keyId }: Operator): Effect.Effect<string> =>
  Effect.flatMap(Clock.currentTimeMillis, (millis) => {
    const now = Math.floor(millis / 1000)
    const assertion = new SignJWT()
      .setProtectedHeader({ alg: algorithm, typ: "JWT", ...(keyId === undefined ? {} : { kid: keyId }) })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(audience)
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + livesSeconds)
    return Effect.promise(() => assertion.sign(key))
  })
