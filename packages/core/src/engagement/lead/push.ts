import type { Agent } from "../../auth/staff/Agent.ts"
import type { Device } from "../../auth/staff/Device.ts"
import { devicesOf } from "../../auth/staff/deviceRules.ts"
import { type Instant, minutes } from "../../foundation/time/Instant.ts"
import { type Lead, waitingSince } from "./Lead.ts"
import { type Presence, present } from "./Presence.ts"
import type { PushAnswer } from "./PushSender.ts"

/** Between two pushes about the same conversation passes at least this time. */
export const betweenPushes = minutes(1)
/** How often a push is tried while no device accepts it. */
const mostTries = 5

/** The pushes about one conversation: what was recorded before they were sent. */
export interface PushState {
  /** How many of the lead's messages the latest push that arrived was about. 0 without any. */
  readonly received: number
  /** When the latest push was recorded. Null before the first one. */
  readonly sentAt: Instant | null
  /** How often the next push was tried in vain. */
  readonly tries: number
}

/** One device to push to, and its agent. */
export interface PushTarget {
  readonly agentId: number
  readonly device: Device
}

export interface PushFacts {
  /** Null for an erased lead, and for the lead of a merchant who is not active. */
  readonly lead: Lead | null
  readonly agents: ReadonlyArray<Agent>
  /** The agents who have the lead open. */
  readonly viewers: ReadonlyArray<Presence>
  readonly state: PushState
}

/** What the job of a conversation does now. */
export type PushStep =
  | { readonly _tag: "End" }
  | { readonly _tag: "Later"; readonly at: Instant }
  /** `count` is how many messages nobody answered. */
  | { readonly _tag: "Push"; readonly targets: ReadonlyArray<PushTarget>; readonly count: number }

/** Whether a lead is for an agent: their own, or unassigned. */
const isFor = ({ assignedTo }: Pick<Lead, "assignedTo">, { id }: Agent) => assignedTo === null || assignedTo === id

/** Whether somebody could get a push about the lead, so that a message without any costs nothing. */
export const wantsPush = (lead: Lead, agents: ReadonlyArray<Agent>, now: Instant): boolean =>
  agents.some((agent) => isFor(lead, agent) && devicesOf(agent, now).length > 0)

/** Decides about a push. A lead that somebody answered, closed or snoozed in the meantime gets none. */
export const nextPush = ({ agents, lead, state, viewers }: PushFacts, now: Instant): PushStep => {
  const allowedAt = state.sentAt === null ? now : state.sentAt + betweenPushes
  // The clock may have been set back since the latest push.
  if (now < allowedAt) return { _tag: "Later", at: Math.min(allowedAt, now + betweenPushes) }
  if (lead === null || waitingSince(lead, now) === null || lead.received <= state.received) return { _tag: "End" }
  const looking = new Set(present(viewers, now).map(({ agentId }) => agentId))
  const targets = agents
    .filter((agent) => isFor(lead, agent) && !looking.has(agent.id))
    .flatMap((agent) => devicesOf(agent, now).map((device) => ({ agentId: agent.id, device })))
  return targets.length === 0 ? { _tag: "End" } : { _tag: "Push", targets, count: Math.max(1, lead.unreadCount) }
}

export const PushResult = ["SENT", "GONE", "FAILED"] as const
export type PushResult = (typeof PushResult)[number]

/** What an answer says about the device. Only 404 and 410 mean that it no longer exists. */
export const resultOf = ({ status }: PushAnswer): PushResult =>
  status >= 200 && status < 300 ? "SENT" : status === 404 || status === 410 ? "GONE" : "FAILED"

/** The state before sending. A process that dies now has recorded the push, so the next one waits its minute. */
export const recorded = (state: PushState, now: Instant): PushState => ({ ...state, sentAt: now })

/**
 * The state after sending. When some device accepted the push it is done, because a repeat would come twice there.
 * Otherwise the same push is tried again after a minute, a few times.
 */
export const pushed = (state: PushState, lead: Lead, results: ReadonlyArray<PushResult>): PushState => {
  const isTriedAgain = results.includes("FAILED") && !results.includes("SENT") && state.tries + 1 < mostTries
  return isTriedAgain ? { ...state, tries: state.tries + 1 } : { ...state, received: lead.received, tries: 0 }
}
