import { consoleChannel, Countersign, CountersignError } from "countersign"
import { twilio } from "countersign/twilio"
import express, { type NextFunction, type Request, type Response } from "express"

const { env } = process
const account = { accountSid: env.TWILIO_ACCOUNT_SID, authToken: env.TWILIO_AUTH_TOKEN, from: env.TWILIO_FROM }
const countersign = await Countersign.make({
  database: env.DATABASE_URL ?? "./data",
  secret: env.COUNTERSIGN_SECRET, // a directory keeps one of its own
  channels: [env.NODE_ENV === "production" ? twilio(account) : consoleChannel()],
  settings: { strictReverify: true, defaultCountry: null } // whoever knows a requestId still has to bring the code
})
const signedIn = new Map<string, string | null>() // stands in for your sessions
const safe = { httpOnly: true, sameSite: "lax", secure: env.NODE_ENV === "production" } as const
const cookie = (req: Request, name: string) => req.headers.cookie?.match(`(?:^|; )${name}=([\\w-]+)`)?.[1] ?? ""
const app = express()
app.use("/verify", countersign.nodeHandler).use(express.json()) // in this order: it reads bodies itself
app.post("/login", async (req, res) => {
  const { requestId } = await countersign.initiate({ identity: req.body?.phone, identityType: "MOBILE" })
  res.cookie("login", requestId, safe).sendStatus(204)
})
app.post("/login/code", async (req, res) => {
  const requestId = cookie(req, "login")
  const { already, verified } = await countersign.verify({ requestId, otp: req.body?.code })
  if (!verified || already) return void res.sendStatus(401)
  const session = crypto.randomUUID()
  signedIn.set(session, (await countersign.confirm({ requestId })).phoneNumber)
  res.cookie("session", session, safe).sendStatus(204)
})
app.get("/me", (req, res) => {
  const phone = signedIn.get(cookie(req, "session"))
  if (phone) res.json({ phone })
  else res.sendStatus(401)
})
app.use((error: unknown, _: Request, res: Response, next: NextFunction) =>
  error instanceof CountersignError ? res.status(error.status).json({ message: error.message }) : next(error)
)
export const server = app.listen(Number(env.PORT ?? 3000))
process.once("SIGTERM", () => server.close(() => void countersign.close()))
