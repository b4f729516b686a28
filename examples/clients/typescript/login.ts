// Verifies a phone number with only Node.js 22.18 or later:  node login.ts +919876543210
import { createPublicKey, type JsonWebKey, randomUUID, verify as verifySignature } from "node:crypto"
import { createInterface } from "node:readline/promises"

const {
  CS_URL: url = "http://localhost:8080",
  CS_CLIENT_ID: clientId = "",
  CS_CLIENT_SECRET: clientSecret = ""
} = process.env

/** Calls the HTTP interface, with a POST if there is a body. A failure has `errorCode` and `message`. */
const call = async <A>(path: string, body?: object): Promise<A> => {
  const response = await fetch(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      "X-Client-Id": clientId,
      "X-Client-Secret": clientSecret,
      "Content-Type": "application/json",
      ...(body === undefined ? {} : { "Idempotency-Key": randomUUID() })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000)
  })
  const answer = (await response.json()) as A & { readonly errorCode?: string; readonly message?: string }
  if (!response.ok) throw new Error(`${answer.errorCode}: ${answer.message}`)
  return answer
}

interface Claims {
  readonly sub: string
  readonly phone_number?: string
}

/** Checks an idToken locally and returns its claims. Needs no client secret. Accept each token once, by its `jti`. */
const readIdToken = async (token: string): Promise<Claims> => {
  const [head = "", payload = "", signature = ""] = token.split(".")
  const json = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString())
  const { alg, kid, typ } = json(head)
  const { keys } = await call<{ keys: ReadonlyArray<JsonWebKey & { kid: string }> }>("/.well-known/jwks.json")
  const jwk = keys.find((key) => key.kid === kid)
  if (jwk === undefined || alg !== "ES256" || typ !== "countersign-id+jwt") throw new Error("not an idToken")
  const key = { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" } as const
  const signed = verifySignature("sha256", Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, "base64url"))
  const claims = json(payload)
  if (!signed || claims.iss !== url || claims.aud !== clientId || claims.exp <= Date.now() / 1000)
    throw new Error("the idToken is invalid, for another client, or expired")
  return claims
}

const phone = process.argv[2] ?? ""
// Keep the requestId in the visitor's session on the server. Never take it from the browser.
const { requestId } = await call<{ requestId: string }>("/v1/auth/initiate", {
  identity: phone,
  identityType: "MOBILE",
  mode: "OTP"
})

let idToken: string | null = null
const lines = createInterface({ input: process.stdin })
for await (const otp of lines) {
  const checked = await call<{ verified: boolean; message: string; idToken: string | null }>("/v1/auth/verify", {
    requestId,
    otp
  })
  console.log(checked.message)
  // A wrong code is a 200: check `verified`, never the status.
  if (checked.verified) {
    idToken = checked.idToken
    break
  }
}
lines.close()
if (idToken === null) throw new Error("no code")

const status = await call<{ deliveries: ReadonlyArray<{ channel: string; deliveryStatus: string }> }>(
  `/v1/auth/status?requestId=${encodeURIComponent(requestId)}`
)
for (const { channel, deliveryStatus } of status.deliveries) console.log(channel, deliveryStatus)

const claims = await readIdToken(idToken)
if (claims.sub !== requestId) throw new Error("another verification")

// Sign in the number in this answer, never one from the browser. Accept each requestId once.
const confirmed = await call<{ success: boolean; phoneNumber: string }>("/v1/auth/verify-code", { requestId })
if (!confirmed.success || confirmed.phoneNumber !== claims.phone_number) throw new Error("not verified")

// Only if your app verifies codes itself.
const session = await call<{ expiresIn: number }>("/v1/sdk/session", { scope: "sdk" })
console.log(`session token for ${session.expiresIn} s`)
console.log("signed in", confirmed.phoneNumber)
