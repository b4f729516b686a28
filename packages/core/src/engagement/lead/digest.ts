import { type Agent, type DigestChoice, type DigestMinutes, isActive } from "../../auth/staff/Agent.ts"
import { atLeast } from "../../account/merchant/Role.ts"
import { hours, type Instant, minutes } from "../../foundation/time/Instant.ts"

/** An agent gets at most one mail within this time. */
const between = hours(1)

export const DigestRefusal = ["NOT_OFFERED", "ROLE", "UNPROVEN"] as const
export type DigestRefusal = (typeof DigestRefusal)[number]

/**
 * Why an agent gets no mails about waiting customers; null when they can. A merchant can enter any address, so mails go
 * only to an address whose owner has signed in.
 */
export const digestRefusalOf = ({ agreedAt, role }: Agent, isOffered: boolean): DigestRefusal | null => {
  if (!isOffered) return "NOT_OFFERED"
  if (!atLeast(role, "AGENT")) return "ROLE"
  return agreedAt === null ? "UNPROVEN" : null
}

/** The agent's digest after a choice. The same choice again changes nothing, and no choice resets the hour's limit. */
export const chosenDigest = ({ digest }: Agent, minutes: DigestMinutes | null, now: Instant): DigestChoice | null =>
  (digest?.minutes ?? null) === minutes
    ? (digest ?? null)
    : { minutes, chosenAt: Math.max(now, (digest?.chosenAt ?? 0) + 1), mailedAt: digest?.mailedAt ?? null }

/** What a digest's job does now. */
export type DigestStep =
  /** The agent made another choice, or is removed. */
  | { readonly _tag: "End" }
  | { readonly _tag: "Later"; readonly at: Instant }
  /** `since` is the longest wait, and `count` all waits that are long enough. */
  | { readonly _tag: "Mail"; readonly count: number; readonly since: Instant }

export interface DigestFacts {
  /** Null for a removed agent. */
  readonly agent: Agent | null
  /** The choice that the job carries out. */
  readonly chosenAt: Instant
  /** Whether the merchant is active, and mail can reach the agent. */
  readonly canMail: boolean
  /** Since when the agent's own and the unassigned leads wait, in any order. */
  readonly waits: ReadonlyArray<Instant>
}

/**
 * Decides about a mail. While nobody waits, the next look is after the chosen minutes: a wait that begins in between
 * cannot be longer by then, so no mail is late and a new message costs nothing.
 */
export const nextDigest = ({ agent, canMail, chosenAt, waits }: DigestFacts, now: Instant): DigestStep => {
  const digest = agent?.digest
  if (agent === null || digest?.minutes == null || digest.chosenAt !== chosenAt) return { _tag: "End" }
  const wait = minutes(digest.minutes)
  const allowedAt = digest.mailedAt === null ? now : digest.mailedAt + between
  // The clock may have been set back since the latest mail.
  if (now < allowedAt) return { _tag: "Later", at: Math.min(allowedAt, now + between) }
  if (!canMail || !isActive(agent) || digestRefusalOf(agent, true) !== null) return { _tag: "Later", at: now + wait }
  const since = Math.min(now, ...waits)
  return now - since < wait
    ? { _tag: "Later", at: since + wait }
    : { _tag: "Mail", since, count: waits.filter((start) => now - start >= wait).length }
}

/** The agent after a mail, and when the job runs again. */
export const mailed = (agent: Agent, now: Instant): { readonly agent: Agent; readonly again: Instant } => ({
  agent: agent.digest == null ? agent : { ...agent, digest: { ...agent.digest, mailedAt: now } },
  again: now + between
})
