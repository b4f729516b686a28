import { Clock, Effect, Redacted } from "effect"
import { SignJWT } from "jose"
import { randomUUID } from "node:crypto"
import type { Credentials } from "./Options.ts"

/** A token is for one request, and a clock may differ. */
const livesSeconds = 15 * 60

/** The value of `Authorization` for one request. */
export const authorization = (credentials: Credentials): Effect.Effect<string> => {
  if (credentials._tag === "Account") {
    const { apiKey, apiSecret } = credentials
    return Effect.succeed(`Basic ${Buffer.from(`${apiKey}:${Redacted.value(apiSecret)}`, "utf8").toString("base64")}`)
  }
  const { id, key } = credentials
  return Effect.flatMap(Clock.currentTimeMillis, (millis) => {
    const now = Math.floor(millis / 1000)
    const token = new SignJWT({ application_id: id })
      .setProtectedHeader({ alg: "RS256", typ: "JWT" })
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + livesSeconds)
    return Effect.map(
      Effect.promise(() => token.sign(key)),
      (signed) => `Bearer ${signed}`
    )
  })
}
