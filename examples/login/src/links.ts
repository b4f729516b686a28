import { CountersignError, type InitiateRequest, type Server } from "@countersign/sdk/server"
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { json } from "./answers.ts"
import { deviceInfoOf } from "./deviceInfo.ts"
import { type Fields, InvalidFields, textIn } from "./fields.ts"
import type { makeSessions, Session, User } from "./sessions.ts"

/** The initiate request of each sign-in method without a code. */
const asks: { readonly [how: string]: Pick<InitiateRequest, "channel" | "identityType" | "mode"> } = {
  email: { identityType: "EMAIL", mode: "MAGIC_LINK", channel: "EMAIL" },
  sms: { identityType: "MOBILE", mode: "MAGIC_LINK", channel: "SMS" },
  whatsapp: { identityType: "MOBILE", mode: "OAUTH", channel: "WHATSAPP" },
  truecaller: { identityType: "MOBILE", mode: "OAUTH", channel: "TRUECALLER" }
}

/** A login by link, as stored in this browser's session. Neither secret ever reaches the page. */
export interface Handover {
  readonly identity: string
  readonly how: string
  /** Returns with the approval, and proves that this browser requested it. */
  readonly state: string
  /** PKCE: the authorisation code is useless without it. */
  readonly codeVerifier: string
  /** Whether an approval on another device signs this browser in. */
  readonly finishesHere: boolean
}

/** Simulates a phone with Truecaller's app: returns the code that Truecaller's SDK would return. */
export type PlayTruecaller = (consent: {
  readonly phone: string
  readonly codeChallenge: string
  readonly state: string
}) => Promise<string>

const secret = () => randomBytes(32).toString("base64url")
const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url")

const same = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

export interface LinksOptions {
  readonly countersign: Server
  readonly sessions: ReturnType<typeof makeSessions>
  readonly path: string
  readonly now: () => number
  readonly lifetimeSeconds: () => Promise<number>
  readonly deviceOf: (request: Request) => { readonly deviceToken?: string }
  readonly keepDevice: (request: Request, response: Response, token: string | null) => Response
  /** Signs in on a trusted device, without a link. */
  readonly signIn: (request: Request, requestId: string) => Promise<Response>
  /** Accepts each login once. */
  readonly accept: (requestId: string) => boolean
  readonly playTruecaller: PlayTruecaller | undefined
}

/** Sign-in by links and by Truecaller: both end in an authorisation code that this backend exchanges. */
export const makeLinks = (options: LinksOptions) => {
  const { accept, countersign, deviceOf, keepDevice, now, path, sessions } = options

  const handoverOf = (session: Session, requestId: string) =>
    session.started.find((one) => one.requestId === requestId)?.handover

  /**
   * The user that Countersign returns for a code, or null if it refuses the code. Accepts only the login that this browser
   * started, once: if two tabs send its code, the second finds it used and the browser signed in.
   */
  const exchange = async (
    request: Request,
    requestId: string,
    { codeVerifier }: Handover,
    code: string
  ): Promise<User | null> => {
    const found = await countersign.token({ code, codeVerifier, ...deviceOf(request) }).catch((error: unknown) => {
      if (error instanceof CountersignError) return null
      throw error
    })
    if (found === null || found.requestId !== requestId || !accept(requestId)) return null
    const { identity, identityType } = found
    return { identity, identityType, verifiedAt: new Date(now()).toISOString(), oneTap: false, byLink: true }
  }

  /** Also resends a link: for Countersign, the same `state` and challenge are the same login. */
  const start = async (request: Request, fields: Fields): Promise<Response> => {
    const how = textIn(fields, "how")
    const ask = Object.hasOwn(asks, how) ? asks[how] : undefined
    if (ask === undefined) throw new InvalidFields("This sign-in method does not exist.")
    const identity = textIn(fields, "identity").trim()
    const known = sessions
      .of(request)
      .started.find(({ handover }) => handover?.identity === identity && handover.how === how)?.handover
    const { codeVerifier, state } = known ?? { codeVerifier: secret(), state: secret() }
    const { deviceToken, matchNumber, oneTapApplied, requestId } = await countersign.initiate({
      ...ask,
      identity,
      // Countersign accepts only registered addresses, so a forged Host has no effect.
      redirectUri: new URL(`${path}back`, request.url).href,
      state,
      codeChallenge: challengeOf(codeVerifier),
      deviceInfo: deviceInfoOf(request),
      ...deviceOf(request)
    })
    if (oneTapApplied) return keepDevice(request, await options.signIn(request, requestId), deviceToken)
    const isTruecaller = how === "truecaller"
    const answer = json(200, {
      requestId,
      matchNumber: matchNumber ?? null,
      expiresAt: new Date(now() + (await options.lifetimeSeconds()) * 1000).toISOString(),
      truecaller: isTruecaller ? await played(identity, requestId) : null
    })
    // Without number matching, an approval must sign in only the browser that opened the link.
    const finishesHere = isTruecaller || matchNumber !== undefined
    const handover = { identity, how, state, codeVerifier, finishesHere }
    return sessions.start(request, keepDevice(request, answer, deviceToken), { requestId, path: "link", handover })
  }

  /** In an app, Truecaller's SDK does this on the phone, and the verifier never leaves it. */
  const played = async (phone: string, requestId: string) => {
    if (options.playTruecaller === undefined) throw new InvalidFields("Truecaller works only in mobile apps.")
    const codeVerifier = secret()
    const code = await options.playTruecaller({ phone, codeChallenge: challengeOf(codeVerifier), state: requestId })
    return { code, codeVerifier }
  }

  /** The approval returns here, in the browser that opened the link. */
  const back = async (request: Request): Promise<Response> => {
    const query = new URL(request.url).searchParams
    const session = sessions.of(request)
    const to = (location: string) => new Response(null, { status: 303, headers: { location } })
    const started = session.started.find(({ handover }) => same(handover?.state ?? "", query.get("state") ?? ""))
    if (started?.handover === undefined) return to(session.user === null ? `${path}?back=elsewhere` : path)
    const user = await exchange(request, started.requestId, started.handover, query.get("code") ?? "")
    return user === null ? to(`${path}?back=failed`) : sessions.renew(request, to(path), user)
  }

  /** The waiting page has seen the approval. Without a user it asks again, because another tab may be signing in. */
  const finish = async (request: Request, fields: Fields): Promise<Response> => {
    const requestId = textIn(fields, "requestId")
    const session = sessions.of(request)
    if (session.user !== null) return json(200, { user: session.user })
    const handover = handoverOf(session, requestId)
    const code = handover?.finishesHere === true ? (await countersign.status({ requestId })).code : null
    if (handover === undefined || code === null) return json(200, { user: null })
    const user = await exchange(request, requestId, handover, code)
    const answer = json(200, { user })
    return user === null ? answer : sessions.renew(request, answer, user)
  }

  return { start, back, finish }
}
