import { CountersignError, type InitiateRequest, type Server } from "@countersign/sdk/server"
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { json } from "./answers.ts"
import { deviceInfoOf } from "./deviceInfo.ts"
import { type Fields, InvalidFields, textIn } from "./fields.ts"
import type { makeSessions, Session, User } from "./sessions.ts"

/** What each way to sign in without a code asks of Countersign. */
const asks: { readonly [how: string]: Pick<InitiateRequest, "channel" | "identityType" | "mode"> } = {
  email: { identityType: "EMAIL", mode: "MAGIC_LINK", channel: "EMAIL" },
  sms: { identityType: "MOBILE", mode: "MAGIC_LINK", channel: "SMS" },
  whatsapp: { identityType: "MOBILE", mode: "OAUTH", channel: "WHATSAPP" },
  truecaller: { identityType: "MOBILE", mode: "OAUTH", channel: "TRUECALLER" }
}

/** A login by link, as this browser's session keeps it. Neither secret ever reaches the page. */
export interface Handover {
  readonly identity: string
  readonly how: string
  /** Comes back with the approval, and says that it is this browser's. */
  readonly state: string
  /** PKCE: whoever reads the code on its way can do nothing with it. */
  readonly codeVerifier: string
  /** Whether an approval elsewhere signs this browser in. */
  readonly finishesHere: boolean
}

/** Stands in for a phone with Truecaller's app: it answers the code that Truecaller's SDK would give. */
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
  /** Signs in on a trusted device, where no link is sent. */
  readonly signIn: (request: Request, requestId: string) => Promise<Response>
  /** Lets each login through once. */
  readonly accept: (requestId: string) => boolean
  readonly playTruecaller: PlayTruecaller | undefined
}

/** Signing in by links, and by Truecaller: both end in an authorisation code that this backend exchanges. */
export const makeLinks = (options: LinksOptions) => {
  const { accept, countersign, deviceOf, keepDevice, now, path, sessions } = options

  const handoverOf = (session: Session, requestId: string) =>
    session.started.find((one) => one.requestId === requestId)?.handover

  /**
   * Whom Countersign names for a code, and nobody if it refuses it. Only the login that this browser started will do, and
   * each one once: where two tabs bring its code in one moment, the second finds it used, and the browser signed in.
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

  /** Also sends the same link again: for Countersign a login is the same if `state` and challenge are. */
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
      // Countersign takes registered addresses alone, so a forged Host gets nowhere.
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
    // Without a number to compare, a link that was approved by reflex must sign in nobody but who opened it.
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

  /** The page that waits has heard of the approval. Without a user it asks again: another tab may be signing in. */
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
