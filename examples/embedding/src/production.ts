import { consoleChannel, Countersign, CountersignError } from "countersign"
import { twilio } from "countersign/twilio"
import express, { type NextFunction, type Request, type Response } from "express"
import { createHmac, timingSafeEqual } from "node:crypto"

// A login ready to deploy: any number of processes on one Postgres, behind a proxy that terminates TLS. They store no
// session: the cookie is signed. PROXIES names the proxies whose X-Forwarded-For Express and Countersign trust.
const { env } = process
const isProduction = env.NODE_ENV === "production"
const proxies = (env.PROXIES ?? "loopback").split(",")
const need = (name: string, inDevelopment: string): string => {
  const value = env[name] ?? (isProduction ? "" : inDevelopment)
  if (value === "") throw new Error(`${name} is missing`)
  return value
}
const sessionSecret = need("SESSION_SECRET", "development")
const account = { accountSid: env.TWILIO_ACCOUNT_SID, authToken: env.TWILIO_AUTH_TOKEN, from: env.TWILIO_FROM }
const countersign = await Countersign.make({
  database: need("DATABASE_URL", "./data"),
  secret: env.COUNTERSIGN_SECRET,
  baseUrl: env.PUBLIC_URL, // https://shop.example/verify: Twilio sends its receipts there
  channels: [isProduction ? twilio(account) : consoleChannel()],
  trustedProxies: proxies,
  settings: {
    brand: "Shop",
    defaultCountry: null, // numbers need a country code
    resendCooldownSeconds: 30, // with these two, a user gets at most 4 messages for a code
    maxResends: 3,
    hourlyLimit: 5,
    hourlyLimitPerAddress: 20,
    oneTap: true
  },
  onEvent: ({ data, id, type }) => {
    if (type === "delivery.failed") console.warn(JSON.stringify({ id, type, requestId: data.requestId }))
  }
})

const day = 86_400_000
const safe = { httpOnly: true, sameSite: "lax", secure: isProduction } as const
const cookie = (req: Request, name: string) => req.headers.cookie?.match(`(?:^|; )${name}=([\\w.-]+)`)?.[1] ?? null
const sign = (text: string) => createHmac("sha256", sessionSecret).update(text).digest()
const session = (phone: string) => {
  const text = Buffer.from(JSON.stringify({ phone, until: Date.now() + 30 * day })).toString("base64url")
  return `${text}.${sign(text).toString("base64url")}`
}
const signedIn = (req: Request): string | null => {
  const [text = "", signature = ""] = cookie(req, "session")?.split(".") ?? []
  const [given, right] = [Buffer.from(signature, "base64url"), sign(text)]
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  const { phone, until } = JSON.parse(Buffer.from(text, "base64url").toString())
  return until > Date.now() ? phone : null
}
const signIn = async (res: Response, login: Parameters<typeof countersign.login>[0]) => {
  const person = await countersign.login(login) // once for each requestId; null for a wrong code
  if (person === null) return void res.status(401).json({ message: "This code is wrong, or was used" })
  res.cookie("session", session(person.identity), { ...safe, maxAge: 30 * day }).sendStatus(204)
}

const app = express().disable("x-powered-by").set("trust proxy", proxies)
app.use("/verify", countersign.nodeHandler).use(express.json({ limit: "4kb" })) // in this order
app.post("/login", async (req, res) => {
  const person = { identity: String(req.body?.phone), identityType: "MOBILE", clientIp: req.ip ?? null }
  const asked = await countersign.initiate({ ...person, deviceToken: cookie(req, "device") })
  if (asked.deviceToken !== null) res.cookie("device", asked.deviceToken, { ...safe, maxAge: 90 * day })
  if (asked.oneTapApplied) return signIn(res, { requestId: asked.requestId })
  res.cookie("login", asked.requestId, safe).sendStatus(204)
})
app.post("/login/code", (req, res) => {
  const code = { otp: String(req.body?.code), deviceToken: cookie(req, "device") }
  return signIn(res, { requestId: cookie(req, "login") ?? "", ...code })
})
app.get("/me", (req, res) => void (signedIn(req) === null ? res.sendStatus(401) : res.json({ phone: signedIn(req) })))
app.use((error: unknown, _: Request, res: Response, next: NextFunction) =>
  error instanceof CountersignError ? res.status(error.status).json({ message: error.message }) : next(error)
)
export const server = app.listen(Number(env.PORT ?? 3000))
process.once("SIGTERM", () => server.close(() => void countersign.close()))
