import { consoleChannel, Countersign, CountersignError } from "countersign"
import { twilio } from "countersign/twilio"

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
const set = (cookie: string) => new Response(null, { status: 204, headers: { "set-cookie": cookie + safe } })
const cookie = (request: Request, name: string) =>
  request.headers.get("cookie")?.match(`(?:^|; )${name}=([\\w-]+)`)?.[1] ?? ""
const answer = async (request: Request, path: string): Promise<Response> => {
  const phone = signedIn.get(cookie(request, "session"))
  if (path === "/me") return phone ? Response.json({ phone }) : new Response(null, { status: 401 })
  if (path !== "/login" && path !== "/login/code") return countersign.handler(request)
  const body = (await request.json()) as { readonly phone?: unknown; readonly code?: unknown }
  if (path === "/login") {
    const { requestId } = await countersign.initiate({ identity: String(body.phone), identityType: "MOBILE" })
    return set(`login=${requestId}`)
  }
  const requestId = cookie(request, "login")
  const { already, verified } = await countersign.verify({ requestId, otp: String(body.code) })
  if (!verified || already) return new Response(null, { status: 401 })
  const session = crypto.randomUUID()
  signedIn.set(session, (await countersign.confirm({ requestId })).phoneNumber)
  return set(`session=${session}`)
}
const failed = (error: unknown) =>
  error instanceof CountersignError ? error.toResponse() : Promise.reject<Response>(error)
export const fetch = (request: Request) => answer(request, new URL(request.url).pathname).catch(failed)
