import { dead } from "../../foundation/delivery/Delivery.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { type Lead, waitsFrom } from "./Lead.ts"
import { isReply, type LeadMessage, type Reply } from "./LeadMessage.ts"
import { type LeadStep, unchanged, withEntry } from "./LeadStep.ts"

/** Whether a change of a reply may start or end its customer's wait. */
export const decidesWait = (before: Reply, after: Reply): boolean => dead(before) !== dead(after)

const earliest = (moments: ReadonlyArray<Instant | null>): Instant | null =>
  moments.reduce((first, at) => (first === null || at === null ? (first ?? at) : Math.min(first, at)), null)

/**
 * A reply FAILED, and no later one is on its way or arrived. So the wait that it ended, or that a failed reply before it
 * ended, goes on since the same message. A lead that was closed on the strength of the reply is opened again.
 */
const unanswered = (lead: Lead, after: Reply, newest: ReadonlyArray<LeadMessage>, now: Instant): LeadStep | null => {
  const alive = newest.findIndex((row) => row.id !== after.id && isReply(row) && !dead(row))
  const since = newest.slice(0, alive === -1 ? undefined : alive)
  if (!since.some(({ id }) => id === after.id)) return null
  const from = earliest([lead.unansweredSince, ...since.map(({ endedWait }) => endedWait)])
  if (from === null || (from === lead.unansweredSince && lead.status === "OPEN")) return null
  const server = { by: null, now }
  const open =
    lead.status === "OPEN"
      ? unchanged(lead)
      : withEntry(unchanged(lead), { status: "OPEN" as const }, server, "REOPENED")
  return withEntry(open, { unansweredSince: from }, server, "UNANSWERED")
}

/** A late receipt says that a FAILED reply arrived. The customer waits only since a message after it. */
const answered = (lead: Lead, after: Reply, newest: ReadonlyArray<LeadMessage>): LeadStep | null => {
  if (after.endedWait === null || lead.unansweredSince !== after.endedWait) return null
  const later = newest.flatMap(({ at, direction }) => (direction === "IN" && at > after.at ? [at] : []))
  const next = { ...lead, unansweredSince: earliest(later) }
  return waitsFrom(next) === waitsFrom(lead) ? null : unchanged(next)
}

/**
 * The lead after one of its replies failed, or turned out not to have failed; null when that changes nothing. `newest`
 * has the conversation's latest rows, newest first.
 */
export const afterReply = (
  lead: Lead,
  after: Reply,
  newest: ReadonlyArray<LeadMessage>,
  now: Instant
): LeadStep | null => (dead(after) ? unanswered(lead, after, newest, now) : answered(lead, after, newest))
