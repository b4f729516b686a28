import { atLeast } from "../../account/merchant/Role.ts"
import { days, hours, type Instant, minutes, isBelieved } from "../../foundation/time/Instant.ts"
import { type Agent, isActive } from "./Agent.ts"
import { isSameMembership, type MembershipKey, membershipKey } from "./Opening.ts"

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
  /** Whether the sign-in showed that the e-mail address is theirs: only then may they go on to other merchants. */
  readonly emailProven: boolean
  /** The agents of the address that the sign-in reached. */
  readonly reach: ReadonlyArray<MembershipKey>
  readonly address: string | null
  readonly userAgent: string | null
  /** When they showed who they are; a session that was changed over to another merchant has that of before. */
  readonly signedInAt: Instant
  /** To some minutes. */
  readonly lastUsedAt: Instant
  readonly endedAt: Instant | null
}

const idle = hours(12)
const longest = days(7)
/** How long a sign-in is one of just now. */
export const freshLife = minutes(10)

/** By so much the clock of the process that began a session may be ahead. */
const mostAhead = minutes(1)

/**
 * Until when a session may do what asks for a sign-in of just now. One that lies ahead was of before the clock was set back,
 * and would be fresh for longer: it has been until now.
 */
export const freshUntil = ({ signedInAt }: Pick<Session, "signedInAt">, now: Instant): Instant =>
  signedInAt - now > mostAhead ? now : signedInAt + freshLife

/**
 * Whether a session that signed in to an agent, if there is one, is of less than a passkey, where that is the rule: for
 * those who arrange what others have.
 */
export const isBelowRule = (agent: Pick<Agent, "role">, session: Pick<Session, "method"> | null): boolean =>
  atLeast(agent.role, "ADMIN") && session?.method !== "PASSKEY"

/** Whether a session still lets its agent in. */
export const isLive = (session: Session, agent: Agent, now: Instant): boolean =>
  session.endedAt === null &&
  session.era === agent.era &&
  isActive(agent) &&
  isBelieved(session.lastUsedAt, now) &&
  now < session.lastUsedAt + idle &&
  now < session.signedInAt + longest

/** Whether a session may go on to an agent: it signed in to it, and the agent has not changed since. */
export const reaches = ({ emailProven, reach }: Session, agent: Agent): boolean => {
  const membership = membershipKey(agent)
  return emailProven && reach.some((reached) => isSameMembership(reached, membership))
}

/** How many sessions an agent may have at once. */
export const mostSessions = 50

/** Sessions that make room for one more: those used longest ago. */
export const crowdedOut = (live: ReadonlyArray<Session>): ReadonlyArray<Session> =>
  live
    .toSorted((a, b) => a.lastUsedAt - b.lastUsedAt || (a.id < b.id ? -1 : 1))
    .slice(0, Math.max(0, live.length + 1 - mostSessions))
