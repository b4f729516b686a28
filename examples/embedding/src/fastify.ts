import { consoleChannel, Countersign } from "countersign"
import { twilio } from "countersign/twilio"
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify"

const { env } = process
const account = { accountSid: env.TWILIO_ACCOUNT_SID, authToken: env.TWILIO_AUTH_TOKEN, from: env.TWILIO_FROM }
const countersign = await Countersign.make({
  database: env.DATABASE_URL ?? "./data",
  secret: env.COUNTERSIGN_SECRET, // a directory stores its own
  channels: [env.NODE_ENV === "production" ? twilio(account) : consoleChannel()],
  // Numbers need a country code, messages are limited, and a trusted device needs no code.
  settings: { defaultCountry: null, resendCooldownSeconds: 30, maxResends: 3, hourlyLimitPerAddress: 20, oneTap: true },
  basePath: "/verify"
})
const signedIn = new Map<string, string>() // stands in for your sessions
const safe = `; HttpOnly; SameSite=Lax; Path=/${env.NODE_ENV === "production" ? "; Secure" : ""}`
const cookie = (req: FastifyRequest, name: string) =>
  req.headers.cookie?.match(`(?:^|; )${name}=([\\w.-]+)`)?.[1] ?? null
const signIn = async (reply: FastifyReply, login: Parameters<typeof countersign.login>[0]) => {
  const person = await countersign.login(login) // once for each requestId; null for a wrong code
  if (person === null) return reply.code(401).send()
  const session = crypto.randomUUID()
  signedIn.set(session, person.identity)
  return reply.header("set-cookie", `session=${session}${safe}`).code(204).send()
}
export const app = Fastify().addHook("onClose", () => countersign.close())
app.addHook("onRequest", (req, reply, next) => {
  if (!req.url.startsWith("/verify/")) return next()
  countersign.nodeHandler(req.raw, reply.hijack().raw) // before bodies are parsed: it reads them itself
})
app.post<{ Body?: { phone?: unknown } }>("/login", async (req, reply) => {
  const person = { identity: String(req.body?.phone), identityType: "MOBILE", clientIp: req.ip }
  const asked = await countersign.initiate({ ...person, deviceToken: cookie(req, "device") })
  const { deviceToken, oneTapApplied, requestId } = asked
  if (deviceToken !== null) reply.header("set-cookie", `device=${deviceToken}; Max-Age=7776000${safe}`)
  if (oneTapApplied) return signIn(reply, { requestId })
  return reply.header("set-cookie", `login=${requestId}${safe}`).code(204).send()
})
app.post<{ Body?: { code?: unknown } }>("/login/code", async (req, reply) => {
  const code = { otp: String(req.body?.code), deviceToken: cookie(req, "device") }
  return signIn(reply, { requestId: cookie(req, "login") ?? "", ...code })
})
app.get("/me", async (req, reply) => {
  const phone = signedIn.get(cookie(req, "session") ?? "")
  return phone ? { phone } : reply.code(401).send()
})
await app.listen({ port: Number(env.PORT ?? 3000) })
