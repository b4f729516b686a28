import { consoleChannel, Countersign, CountersignError } from "countersign"
import { twilio } from "countersign/twilio"
import { type Context, Hono } from "hono"
import { getCookie, setCookie } from "hono/cookie"

const { env } = process
const account = { accountSid: env.TWILIO_ACCOUNT_SID, authToken: env.TWILIO_AUTH_TOKEN, from: env.TWILIO_FROM }
const countersign = await Countersign.make({
  database: env.DATABASE_URL ?? "./data",
  secret: env.COUNTERSIGN_SECRET, // a directory stores its own
  channels: [env.NODE_ENV === "production" ? twilio(account) : consoleChannel()],
  // Numbers need a country code, messages are limited, and a trusted device needs no code.
  settings: { defaultCountry: null, resendCooldownSeconds: 30, maxResends: 3, hourlyLimitPerAddress: 20, oneTap: true }
})
const signedIn = new Map<string, string>() // stands in for your sessions
const safe = { httpOnly: true, sameSite: "Lax", secure: env.NODE_ENV === "production" } as const
const signIn = async (c: Context, login: Parameters<typeof countersign.login>[0]) => {
  const person = await countersign.login(login) // once for each requestId; null for a wrong code
  if (person === null) return c.body(null, 401)
  const session = crypto.randomUUID()
  signedIn.set(session, person.identity)
  setCookie(c, "session", session, safe)
  return c.body(null, 204)
}
const app = new Hono().mount("/verify", countersign.handler)
app.post("/login", async (c) => {
  const clientIp = null // of your platform: getConnInfo(c).remote.address on Node, Bun and Deno
  const person = { identity: (await c.req.json()).phone, identityType: "MOBILE", clientIp }
  const asked = await countersign.initiate({ ...person, deviceToken: getCookie(c, "device") ?? null })
  if (asked.deviceToken !== null) setCookie(c, "device", asked.deviceToken, { ...safe, maxAge: 90 * 86_400 })
  if (asked.oneTapApplied) return signIn(c, { requestId: asked.requestId })
  setCookie(c, "login", asked.requestId, safe)
  return c.body(null, 204)
})
app.post("/login/code", async (c) => {
  const [{ code: otp }, requestId = ""] = [await c.req.json(), getCookie(c, "login")]
  return signIn(c, { requestId, otp, deviceToken: getCookie(c, "device") ?? null })
})
app.get("/me", (c) => {
  const phone = signedIn.get(getCookie(c, "session") ?? "")
  return phone ? c.json({ phone }) : c.body(null, 401)
})
app.onError((error, c) => (error instanceof CountersignError ? error.toResponse() : c.body(null, 500)))
export default app // Bun and Deno serve it; on Node, `serve(app)` of @hono/node-server
