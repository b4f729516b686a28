import { days, hours, type Instant, minutes } from "../time/Instant.ts"
import { type Agent, isActive } from "./Agent.ts"

/** How somebody showed who they are. */
export const SessionMethod = ["CODE", "LINK", "PASSKEY", "OIDC"] as const
export type SessionMethod = (typeof SessionMethod)[number]

/** Somebody is signed in, in one browser. */
export interface Session {
  readonly merchantId: string
  readonly id: string
  /** The version this state was read at; 0 for one that nobody saved yet. */
  readonly version: number
  readonly agentId: number
  /** The agent's at the sign-in. */
  readonly era: number
  /** SHA-256 of the token, which is in the cookie and nowhere else. */
  readonly hash: string
  readonly method: SessionMethod
  readonly address: string | null
  readonly userAgent: string | null
  /** When they showed who they are; a session that was changed over to another merchant has that of before. */
  readonly signedInAt: Instant
  /** To some minutes. */
  readonly lastUsedAt: Instant
  readonly endedAt: Instant | null
}

export const idle = hours(12)
export const longest = days(7)
const fresh = minutes(10)

/** Until when a session may do what asks for a sign-in of just now. */
export const freshUntil = ({ signedInAt }: Pick<Session, "signedInAt">): Instant => signedInAt + fresh

/** Whether a session still lets its agent in. */
export const isLive = (session: Session, agent: Agent, now: Instant): boolean =>
  session.endedAt === null &&
  session.era === agent.era &&
  isActive(agent) &&
  now < session.lastUsedAt + idle &&
  now < session.signedInAt + longest
