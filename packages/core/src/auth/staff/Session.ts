import { atLeast } from "../../account/merchant/Role.ts"
import { days, hours, type Instant, minutes, isBelieved } from "../../foundation/time/Instant.ts"
import { type Agent, isActive } from "./Agent.ts"
import { isSameMembership, type MembershipKey, membershipKey } from "./Opening.ts"

/** The sign-in method. */
export const SessionMethod = ["CODE", "LINK", "PASSKEY", "OIDC"] as const
export type SessionMethod = (typeof SessionMethod)[number]

/** A signed-in person in a browser. */
export interface Session {
  readonly merchantId: string
  readonly id: string
  /** The version this state was read at; 0 before the first save. */
  readonly version: number
  readonly agentId: number
  /** The agent's era at the sign-in. */
  readonly era: number
  /** SHA-256 of the token. Only the cookie has the token itself. */
  readonly hash: string
  readonly method: SessionMethod
  /** Whether the sign-in proved the e-mail address. Only then may the session switch to other merchants. */
  readonly emailProven: boolean
  /** The agents of the address that the sign-in reached. */
  readonly reach: ReadonlyArray<MembershipKey>
  readonly address: string | null
  readonly userAgent: string | null
  /** When the person authenticated. Switching to another merchant keeps the original time. */
  readonly signedInAt: Instant
  /** Accurate to a few minutes. */
  readonly lastUsedAt: Instant
  readonly endedAt: Instant | null
}

const idle = hours(12)
const longest = days(7)
/** How long a sign-in counts as fresh. */
export const freshLife = minutes(10)

/** How far ahead the clock of the process that started a session may be. */
const maxClockLead = minutes(1)

/**
 * Until when a session counts as freshly signed in. A sign-in time in the future means that the clock was set back. It
 * would stay fresh for too long, so it counts as expired.
 */
export const freshUntil = ({ signedInAt }: Pick<Session, "signedInAt">, now: Instant): Instant =>
  signedInAt - now > maxClockLead ? now : signedInAt + freshLife

/** Whether a session of this agent lacks a required passkey. The rule applies to the roles that manage the merchant. */
export const isBelowRule = (agent: Pick<Agent, "role">, session: Pick<Session, "method"> | null): boolean =>
  atLeast(agent.role, "ADMIN") && session?.method !== "PASSKEY"

/** Whether the session still admits its agent. */
export const isLive = (session: Session, agent: Agent, now: Instant): boolean =>
  session.endedAt === null &&
  session.era === agent.era &&
  isActive(agent) &&
  isBelieved(session.lastUsedAt, now) &&
  now < session.lastUsedAt + idle &&
  now < session.signedInAt + longest

/** Whether a session may switch to an agent: it signed in to the agent, and the agent has not changed since. */
export const reaches = ({ emailProven, reach }: Session, agent: Agent): boolean => {
  const membership = membershipKey(agent)
  return emailProven && reach.some((reached) => isSameMembership(reached, membership))
}

/** How many concurrent sessions an agent may have. */
export const mostSessions = 50

/** The least recently used sessions, which end to make room for another. */
export const crowdedOut = (live: ReadonlyArray<Session>): ReadonlyArray<Session> =>
  live
    .toSorted((a, b) => a.lastUsedAt - b.lastUsedAt || (a.id < b.id ? -1 : 1))
    .slice(0, Math.max(0, live.length + 1 - mostSessions))
