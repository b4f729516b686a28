import { Context, type Effect } from "effect"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { type Instant, type Millis, seconds } from "../../foundation/time/Instant.ts"

/** An agent who has a lead open. */
export interface Presence {
  readonly environment: string
  readonly leadId: number
  readonly agentId: number
  readonly email: string
  readonly typing: boolean
  /** When they opened it. */
  readonly since: Instant
  /** When their page last reported it. */
  readonly seenAt: Instant
}

/** Pages report every 15 seconds. An agent whose page missed two reports is absent. */
export const presenceLasts: Millis = seconds(40)

/** The agents who have the lead open now. */
export const present = (all: ReadonlyArray<Presence>, now: Instant): ReadonlyArray<Presence> =>
  all.filter(({ seenAt }) => now < seenAt + presenceLasts)

/** An agent at a lead, as colleagues see it. Without the time of the last report, which changes all the time. */
export type Viewer = Pick<Presence, "agentId" | "email" | "leadId" | "since" | "typing">

/** The agents who have leads open now. */
export const viewersOf = (all: ReadonlyArray<Presence>, now: Instant): ReadonlyArray<Viewer> =>
  present(all, now).map(({ agentId, email, leadId, since, typing }) => ({ agentId, email, leadId, since, typing }))

/** Renews a presence. It keeps its start while the agent has the lead open. */
export const renewed = (
  all: ReadonlyArray<Presence>,
  said: Omit<Presence, "seenAt" | "since">,
  now: Instant
): Presence => {
  const before = present(all, now).find(({ agentId }) => agentId === said.agentId)
  return { ...said, since: before?.since ?? now, seenAt: now }
}

/**
 * Stores which agents have which leads open. The data matters for a minute only, so saves are not guarded: the last one
 * wins.
 */
export class PresenceStore extends Context.Service<
  PresenceStore,
  {
    /** All stored presences of a lead, by agent, including expired ones. */
    readonly list: (environment: string, leadId: number) => Effect.Effect<ReadonlyArray<Presence>, StoreError>
    /** The presences of an environment reported at `seenSince` or later, by lead, then by agent. */
    readonly present: (environment: string, seenSince: Instant) => Effect.Effect<ReadonlyArray<Presence>, StoreError>
    /** Saves a presence, replacing the agent's earlier one for this lead. */
    readonly save: (presence: Presence) => Effect.Effect<void, StoreError>
    readonly remove: (environment: string, leadId: number, agentId: number) => Effect.Effect<void, StoreError>
    /** Deletes presences last reported before `keptSince`. Returns their number. */
    readonly purge: (keptSince: Instant) => Effect.Effect<number, StoreError>
  }
>()("@countersign/core/lead/PresenceStore") {}
