import { type Client, createClient } from "@countersign/sdk"
import { type Page, post, type User } from "./backend.ts"

/** A code that was sent. */
export interface Sent {
  readonly requestId: string
  readonly channel: string
  readonly codeLength: number
  readonly expiresAt: string
}

/** One of the two sign-in flows. */
export interface Way {
  /** Sends a code. A trusted device needs none: the user is signed in immediately. */
  readonly start: (identity: string) => Promise<Sent | User>
  /** Resends the code; for phones on another channel if requested. */
  readonly again: (identity: string, requestId: string, channel?: "sms") => Promise<Sent | User>
  /** Signs in with the correct code; null for a wrong one. */
  readonly check: (identity: string, requestId: string, code: string) => Promise<User | null>
  /** Ends the trust in this device. */
  readonly forget: () => Promise<void>
}

export const isUser = (result: Sent | User): result is User => "identity" in result

/** Browsers that forbid storage throw when a script accesses it. */
const deviceStorage = () => {
  try {
    return { storage: localStorage }
  } catch {
    return {}
  }
}

export const makeClient = ({ service }: Page): Client =>
  createClient({
    baseUrl: service.baseUrl ?? location.origin,
    publicKey: service.publicKey,
    sessionToken: async () => (await post<{ readonly sessionToken: string }>("api/phone/token")).sessionToken,
    ...deviceStorage()
  })

/**
 * Phones: the SDK calls Countersign from here, with the public key and a session token from our backend. At the end
 * the backend asks Countersign who was verified, and trusts nothing from this page.
 */
export const makePhoneWay = (countersign: Client): Way => {
  const finish = async (requestId: string) =>
    (await post<{ readonly user: User }>("api/phone/finish", { requestId })).user

  return {
    start: async (phone) => {
      const { oneTapApplied, sessionId, ...sent } = await countersign.initiate({ phone })
      await post("api/phone/started", { sessionId })
      return oneTapApplied ? finish(sessionId) : { ...sent, requestId: sessionId }
    },
    again: async (phone, sessionId, channel) => {
      const sent = await countersign.resend({ sessionId, phone, ...(channel === undefined ? {} : { channel }) })
      return { ...sent, requestId: sent.sessionId }
    },
    check: async (phone, sessionId, code) => {
      const { requestId, verified } = await countersign.verify({ sessionId, code, phone })
      return verified ? finish(requestId) : null
    },
    forget: () => countersign.forgetDevice()
  }
}

/** E-mail addresses: our backend calls Countersign, and this page calls only our backend. */
export const makeEmailWay = (): Way => {
  const start = async (email: string): Promise<Sent | User> => {
    const answer = await post<Omit<Sent, "channel"> | { readonly user: User }>("api/email/start", { email })
    return "user" in answer ? answer.user : { ...answer, channel: "EMAIL" }
  }
  return {
    start,
    again: start,
    check: async (_, requestId, code) =>
      (await post<{ readonly user: User | null }>("api/email/verify", { requestId, code })).user,
    forget: () => post("api/forget-device").then(() => undefined)
  }
}
