import { consoleChannel, Countersign, CountersignError } from "countersign"
import { twilio } from "countersign/twilio"
import { Hono } from "hono"
import { getCookie, setCookie } from "hono/cookie"

const { env } = process
const account = { accountSid: env.TWILIO_ACCOUNT_SID, authToken: env.TWILIO_AUTH_TOKEN, from: env.TWILIO_FROM }
const countersign = await Countersign.make({
  database: env.DATABASE_URL ?? "./data",
  secret: env.COUNTERSIGN_SECRET, // a directory keeps one of its own
  channels: [env.NODE_ENV === "production" ? twilio(account) : consoleChannel()],
  settings: { strictReverify: true, defaultCountry: null } // whoever knows a requestId still has to bring the code
})
const signedIn = new Map<string, string | null>() // stands in for your sessions
const safe = { httpOnly: true, sameSite: "Lax", secure: env.NODE_ENV === "production" } as const
const app = new Hono().mount("/verify", countersign.handler)
app.post("/login", async (c) => {
  const { requestId } = await countersign.initiate({ identity: (await c.req.json()).phone, identityType: "MOBILE" })
  setCookie(c, "login", requestId, safe)
  return c.body(null, 204)
})
app.post("/login/code", async (c) => {
  const [{ code }, requestId = ""] = [await c.req.json(), getCookie(c, "login")]
  const { already, verified } = await countersign.verify({ requestId, otp: code })
  if (!verified || already) return c.body(null, 401)
  const session = crypto.randomUUID()
  signedIn.set(session, (await countersign.confirm({ requestId })).phoneNumber)
  setCookie(c, "session", session, safe)
  return c.body(null, 204)
})
app.get("/me", (c) => {
  const phone = signedIn.get(getCookie(c, "session") ?? "")
  return phone ? c.json({ phone }) : c.body(null, 401)
})
app.onError((error, c) => (error instanceof CountersignError ? error.toResponse() : c.body(null, 500)))
export default app // Bun and Deno serve it; on Node, `serve(app)` of @hono/node-server
