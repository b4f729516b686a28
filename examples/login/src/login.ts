import { createServer } from "@countersign/sdk/server"
import { isJustStarted, isOneTap, maySignIn } from "./accept.ts"
import { guarded, json, nothing, problem } from "./answers.ts"
import { cookie, cookieOf } from "./cookies.ts"
import { type Fields, readFields, textIn } from "./fields.ts"
import { fileAt } from "./files.ts"
import { makeLinks, type PlayTruecaller } from "./links.ts"
import { makeOnce } from "./makeOnce.ts"
import { refused } from "./refused.ts"
import { readRules, type Service } from "./rules.ts"
import { isSameOrigin } from "./sameOrigin.ts"
import { makeSessions, type Started } from "./sessions.ts"

export interface LoginOptions {
  /** Countersign's address for this backend, and the server key. */
  readonly service: Service
  /** Countersign's address for browsers. Null: the page's own address. */
  readonly browserUrl: string | null
  readonly publicKey: string
  /** The path of the page, with a slash at both ends. */
  readonly path?: string
  /** In development: the page that shows messages. */
  readonly outboxUrl?: string | undefined
  /** In development: a simulated phone with Truecaller's app. */
  readonly playTruecaller?: PlayTruecaller | undefined
  readonly now?: () => number
}

const deviceDays = 90

/**
 * A login: its page and its backend. Codes to phone numbers use the SDK in the browser. Codes to e-mail addresses, and all
 * links, use this backend.
 */
export const makeLogin = (options: LoginOptions): ((request: Request) => Promise<Response>) => {
  const { browserUrl, path = "/", publicKey, service } = options
  const now = options.now ?? Date.now
  const countersign = createServer({ ...service, baseUrl: service.url })
  const sessions = makeSessions(path, now)
  const claim = makeOnce()
  const accept = makeOnce()

  const startedBy = (request: Request, requestId: string, by: Started["path"]) =>
    sessions.of(request).started.some((one) => one.requestId === requestId && one.path === by)

  const notYours = () => problem(403, "NOT_YOURS", "This browser did not request that code. Request a new one.")

  /** Signs in with the identity that Countersign returns, never with one from the browser. */
  const signIn = async (request: Request, requestId: string): Promise<Response> => {
    const status = await countersign.status({ requestId })
    if (!maySignIn(status, now()))
      return problem(401, "NOT_VERIFIED", "The code was not entered in time. Request a new one.")
    if (!accept(requestId)) return problem(401, "USED", "That code was already used. Request a new one.")
    const { identity, identityType, verifiedAt } = status
    const user = { identity, identityType, verifiedAt: verifiedAt ?? "", oneTap: isOneTap(status), byLink: false }
    return sessions.renew(request, json(200, { user }), user)
  }

  /** The backend stores the device token of e-mail logins; the SDK stores that of phones. */
  const keepDevice = (request: Request, response: Response, token: string | null): Response => {
    const maxAgeSeconds = token === null ? 0 : deviceDays * 24 * 60 * 60
    response.headers.append("set-cookie", cookie(request, { name: "device", value: token ?? "", path, maxAgeSeconds }))
    return response
  }
  const deviceOf = (request: Request) => {
    const deviceToken = cookieOf(request, "device")
    return deviceToken === undefined || deviceToken === "" ? {} : { deviceToken }
  }

  const links = makeLinks({
    countersign,
    sessions,
    path,
    now,
    lifetimeSeconds: async () => (await readRules(service)).codeExpirySeconds,
    deviceOf,
    keepDevice,
    signIn,
    accept,
    playTruecaller: options.playTruecaller
  })

  const reads: { readonly [path: string]: (request: Request) => Promise<Response> } = {
    /** The signed-in user, and the page's configuration. */
    "api/session": async (request) =>
      json(200, {
        user: sessions.of(request).user,
        service: { baseUrl: browserUrl, publicKey },
        rules: await readRules(service),
        outboxUrl: options.outboxUrl ?? null,
        truecaller: options.playTruecaller !== undefined,
        now: now()
      }),

    back: links.back,

    /** The channels that the code was sent on, so that the page can show a second one. */
    "api/progress": async (request) => {
      const requestId = new URL(request.url).searchParams.get("requestId") ?? ""
      if (!startedBy(request, requestId, "phone") && !startedBy(request, requestId, "email")) return notYours()
      const { authStatus, deliveries } = await countersign.status({ requestId })
      const channels = deliveries.filter((one) => one.deliveryStatus !== "SKIPPED").map(({ channel }) => channel)
      return json(200, { channels: [...new Set(channels)], failed: authStatus === "FAILED" })
    }
  }

  const writes: { readonly [path: string]: (request: Request, fields: Fields) => Promise<Response> } = {
    "api/phone/token": async () => {
      const { sessionToken } = await countersign.createSession()
      return json(200, { sessionToken })
    },

    /** The browser sends the id right after the SDK started a verification. Only the first browser to send it owns it. */
    "api/phone/started": async (request, fields) => {
      const requestId = textIn(fields, "sessionId")
      if (startedBy(request, requestId, "phone")) return nothing()
      const status = await countersign.status({ requestId })
      if (!isJustStarted(status, now()) || !claim(requestId)) return notYours()
      return sessions.start(request, nothing(), { requestId, path: "phone" })
    },

    "api/phone/finish": async (request, fields) => {
      const requestId = textIn(fields, "requestId")
      return startedBy(request, requestId, "phone") ? signIn(request, requestId) : notYours()
    },

    /** Also resends a code: Countersign repeats a valid one. */
    "api/email/start": async (request, fields) => {
      const identity = textIn(fields, "email").trim()
      const rules = await readRules(service)
      const { deviceToken, oneTapApplied, requestId } = await countersign.initiate({
        identity,
        identityType: "EMAIL",
        channel: "EMAIL",
        otpLength: rules.codeLength,
        ...deviceOf(request)
      })
      if (oneTapApplied) return keepDevice(request, await signIn(request, requestId), deviceToken)
      const expiresAt = new Date(now() + rules.codeExpirySeconds * 1000).toISOString()
      const answer = json(200, { requestId, codeLength: rules.codeLength, expiresAt })
      return sessions.start(request, keepDevice(request, answer, deviceToken), { requestId, path: "email" })
    },

    "api/email/verify": async (request, fields) => {
      const requestId = textIn(fields, "requestId")
      if (!startedBy(request, requestId, "email")) return notYours()
      const otp = textIn(fields, "code")
      const { verified } = await countersign.verify({ requestId, otp, ...deviceOf(request) })
      return verified ? signIn(request, requestId) : json(200, { user: null })
    },

    "api/link/start": links.start,
    "api/link/finish": links.finish,

    "api/sign-out": async (request) => sessions.renew(request, nothing(), null),

    "api/forget-device": async (request) => keepDevice(request, nothing(), null)
  }

  const find = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (`${pathname}/` === path) return new Response(null, { status: 308, headers: { location: path } })
    const name = pathname.startsWith(path) ? pathname.slice(path.length) : "/"
    if (request.method === "POST" && Object.hasOwn(writes, name)) {
      if (!isSameOrigin(request)) return problem(403, "FORBIDDEN", "Sign in from the page itself.")
      return writes[name]!(request, await readFields(request))
    }
    if (request.method !== "GET" && request.method !== "HEAD") return problem(405, "METHOD_NOT_ALLOWED", "Use GET.")
    if (Object.hasOwn(reads, name)) return reads[name]!(request)
    return (await fileAt(name)) ?? problem(404, "NOT_FOUND", "Page not found.")
  }

  return async (request) => guarded(await find(request).catch(refused), browserUrl)
}
