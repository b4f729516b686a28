import { consoleChannel, Countersign, CountersignError } from "countersign"
import { twilio } from "countersign/twilio"

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
const set = (...cookies: ReadonlyArray<string>) =>
  new Response(null, { status: 204, headers: cookies.map((cookie): [string, string] => ["set-cookie", cookie + safe]) })
const cookie = (request: Request, name: string) =>
  request.headers.get("cookie")?.match(`(?:^|; )${name}=([\\w.-]+)`)?.[1] ?? null
const signIn = async (login: Parameters<typeof countersign.login>[0], ...cookies: ReadonlyArray<string>) => {
  const person = await countersign.login(login) // once for each requestId; null for a wrong code
  if (person === null) return new Response(null, { status: 401 })
  const session = crypto.randomUUID()
  signedIn.set(session, person.identity)
  return set(`session=${session}`, ...cookies)
}
const answer = async (request: Request, path: string): Promise<Response> => {
  const phone = signedIn.get(cookie(request, "session") ?? "")
  if (path === "/me") return phone ? Response.json({ phone }) : new Response(null, { status: 401 })
  if (path !== "/login" && path !== "/login/code") return countersign.handler(request)
  const body = (await request.json()) as { readonly phone?: unknown; readonly code?: unknown }
  const known = cookie(request, "device")
  if (path === "/login/code")
    return signIn({ requestId: cookie(request, "login") ?? "", otp: String(body.code), deviceToken: known })
  // A `Request` has no address. Behind your own proxy, take its header: clientIp: request.headers.get("x-real-ip")
  const person = { identity: String(body.phone), identityType: "MOBILE", clientIp: null }
  const { deviceToken, oneTapApplied, requestId } = await countersign.initiate({ ...person, deviceToken: known })
  const device = deviceToken === null ? [] : [`device=${deviceToken}; Max-Age=7776000`]
  return oneTapApplied ? signIn({ requestId }, ...device) : set(`login=${requestId}`, ...device)
}
const failed = (error: unknown) =>
  error instanceof CountersignError ? error.toResponse() : Promise.reject<Response>(error)
export const fetch = (request: Request) => answer(request, new URL(request.url).pathname).catch(failed)
