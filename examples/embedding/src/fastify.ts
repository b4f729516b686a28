import { consoleChannel, Countersign } from "countersign"
import { twilio } from "countersign/twilio"
import Fastify, { type FastifyRequest } from "fastify"

const { env } = process
const account = { accountSid: env.TWILIO_ACCOUNT_SID, authToken: env.TWILIO_AUTH_TOKEN, from: env.TWILIO_FROM }
const countersign = await Countersign.make({
  database: env.DATABASE_URL ?? "./data",
  secret: env.COUNTERSIGN_SECRET, // a directory keeps one of its own
  channels: [env.NODE_ENV === "production" ? twilio(account) : consoleChannel()],
  settings: { strictReverify: true, defaultCountry: null }, // whoever knows a requestId still has to bring the code
  basePath: "/verify"
})
const signedIn = new Map<string, string | null>() // stands in for your sessions
const safe = `; HttpOnly; SameSite=Lax; Path=/${env.NODE_ENV === "production" ? "; Secure" : ""}`
const cookie = (req: FastifyRequest, name: string) => req.headers.cookie?.match(`(?:^|; )${name}=([\\w-]+)`)?.[1] ?? ""
export const app = Fastify().addHook("onClose", () => countersign.close())
app.addHook("onRequest", (req, reply, next) => {
  if (!req.url.startsWith("/verify/")) return next()
  countersign.nodeHandler(req.raw, reply.hijack().raw) // before bodies are parsed: it reads them itself
})
app.post<{ Body?: { phone?: unknown } }>("/login", async (req, reply) => {
  const { requestId } = await countersign.initiate({ identity: String(req.body?.phone), identityType: "MOBILE" })
  return reply.header("set-cookie", `login=${requestId}${safe}`).code(204).send()
})
app.post<{ Body?: { code?: unknown } }>("/login/code", async (req, reply) => {
  const requestId = cookie(req, "login")
  const { already, verified } = await countersign.verify({ requestId, otp: String(req.body?.code) })
  if (!verified || already) return reply.code(401).send()
  const session = crypto.randomUUID()
  signedIn.set(session, (await countersign.confirm({ requestId })).phoneNumber)
  return reply.header("set-cookie", `session=${session}${safe}`).code(204).send()
})
app.get("/me", async (req, reply) => {
  const phone = signedIn.get(cookie(req, "session"))
  return phone ? { phone } : reply.code(401).send()
})
await app.listen({ port: Number(env.PORT ?? 3000) })
