import type { Lead } from "./Lead.ts"

/**
 * How far an agent has read a lead. Reading is per agent, so that one agent's look does not hide a message from the
 * others. Who waits for an answer is decided for the whole team: see `waitingSince`.
 */
export interface LeadRead {
  readonly environment: string
  readonly leadId: number
  readonly agentId: number
  /** The lead's `received` when the agent read it. */
  readonly seen: number
  /** The agent marked it as unread, so it stays unread until they read it again. */
  readonly isUnread: boolean
}

/**
 * How many messages an agent has not read. A lead that they never opened has the team's count: the messages since the
 * latest answer. What the team has answered is no longer unread for anyone.
 */
export const unreadOf = (
  { received, unreadCount }: Pick<Lead, "received" | "unreadCount">,
  read: LeadRead | undefined
): number => {
  if (read === undefined) return unreadCount
  const since = Math.max(0, received - read.seen)
  return read.isUnread ? Math.max(1, since) : Math.min(unreadCount, since)
}
