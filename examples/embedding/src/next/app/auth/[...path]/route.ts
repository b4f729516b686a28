import { consoleChannel, Countersign, CountersignError } from "countersign"
import { twilio } from "countersign/twilio"

const { env } = process
const account = { accountSid: env.TWILIO_ACCOUNT_SID, authToken: env.TWILIO_AUTH_TOKEN, from: env.TWILIO_FROM }
const countersign = Countersign.once({
  database: env.DATABASE_URL ?? "./data",
  secret: env.COUNTERSIGN_SECRET, // a directory keeps one of its own
  channels: [env.NODE_ENV === "production" ? twilio(account) : consoleChannel()],
  settings: { strictReverify: true, defaultCountry: null }, // whoever knows a requestId still has to bring the code
  basePath: "/auth"
})
const signedIn = new Map<string, string | null>() // stands in for your sessions
const safe = `; HttpOnly; SameSite=Lax; Path=/${env.NODE_ENV === "production" ? "; Secure" : ""}`
const set = (cookie: string) => new Response(null, { status: 204, headers: { "set-cookie": cookie + safe } })
const cookie = (req: Request, name: string) => req.headers.get("cookie")?.match(`(?:^|; )${name}=([\\w-]+)`)?.[1] ?? ""
const answer = async (req: Request, path = new URL(req.url).pathname): Promise<Response> => {
  const phone = signedIn.get(cookie(req, "session"))
  if (path === "/auth/me") return phone ? Response.json({ phone }) : new Response(null, { status: 401 })
  const { confirm, handler, initiate, verify } = await countersign()
  if (path !== "/auth/login" && path !== "/auth/login/code") return handler(req)
  const body = (await req.json()) as { readonly phone?: unknown; readonly code?: unknown }
  if (path === "/auth/login") {
    const { requestId } = await initiate({ identity: String(body.phone), identityType: "MOBILE" })
    return set(`login=${requestId}`)
  }
  const requestId = cookie(req, "login")
  const { already, verified } = await verify({ requestId, otp: String(body.code) })
  if (!verified || already) return new Response(null, { status: 401 })
  const session = crypto.randomUUID()
  signedIn.set(session, (await confirm({ requestId })).phoneNumber)
  return set(`session=${session}`)
}
const failed = (error: unknown) => (error instanceof CountersignError ? error.toResponse() : Promise.reject(error))
const run = (req: Request) => answer(req).catch(failed)
export { run as DELETE, run as GET, run as HEAD, run as OPTIONS, run as PATCH, run as POST, run as PUT }
