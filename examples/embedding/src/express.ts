import { consoleChannel, Countersign, CountersignError } from "countersign"
import { twilio } from "countersign/twilio"
import express, { type NextFunction, type Request, type Response } from "express"

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
const safe = { httpOnly: true, sameSite: "lax", secure: env.NODE_ENV === "production" } as const
const cookie = (req: Request, name: string) => req.headers.cookie?.match(`(?:^|; )${name}=([\\w.-]+)`)?.[1] ?? null
const signIn = async (res: Response, login: Parameters<typeof countersign.login>[0]) => {
  const person = await countersign.login(login) // once for each requestId; null for a wrong code
  if (person === null) return void res.sendStatus(401)
  const session = crypto.randomUUID()
  signedIn.set(session, person.identity)
  res.cookie("session", session, safe).sendStatus(204)
}
const app = express()
app.use("/verify", countersign.nodeHandler).use(express.json()) // in this order: it reads bodies itself
app.post("/login", async (req, res) => {
  const person = { identity: req.body?.phone, identityType: "MOBILE", clientIp: req.ip ?? null }
  const asked = await countersign.initiate({ ...person, deviceToken: cookie(req, "device") })
  if (asked.deviceToken !== null) res.cookie("device", asked.deviceToken, { ...safe, maxAge: 90 * 86_400_000 })
  if (asked.oneTapApplied) return signIn(res, { requestId: asked.requestId })
  res.cookie("login", asked.requestId, safe).sendStatus(204)
})
app.post("/login/code", (req, res) => {
  const code = { otp: String(req.body?.code), deviceToken: cookie(req, "device") }
  return signIn(res, { requestId: cookie(req, "login") ?? "", ...code })
})
app.get("/me", (req, res) => {
  const phone = signedIn.get(cookie(req, "session") ?? "")
  if (phone) res.json({ phone })
  else res.sendStatus(401)
})
app.use((error: unknown, _: Request, res: Response, next: NextFunction) =>
  error instanceof CountersignError ? res.status(error.status).json({ message: error.message }) : next(error)
)
export const server = app.listen(Number(env.PORT ?? 3000))
process.once("SIGTERM", () => server.close(() => void countersign.close()))
