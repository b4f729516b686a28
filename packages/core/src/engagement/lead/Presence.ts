import { Context, type Effect } from "effect"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { type Instant, type Millis, seconds } from "../../foundation/time/Instant.ts"

/** Somebody who has a lead open. */
export interface Presence {
  readonly environment: string
  readonly leadId: number
  readonly agentId: number
  readonly email: string
  readonly typing: boolean
  /** When they opened it. */
  readonly since: Instant
  /** When their page last said so. */
  readonly seenAt: Instant
}

/** Pages say it every 15 seconds: whoever has missed two is gone. */
export const presenceLasts: Millis = seconds(40)

/** Who still has it open at this moment. */
export const present = (all: ReadonlyArray<Presence>, now: Instant): ReadonlyArray<Presence> =>
  all.filter(({ seenAt }) => now < seenAt + presenceLasts)

/** Said again by somebody who has it open, it began when they first said it. */
export const renewed = (
  all: ReadonlyArray<Presence>,
  said: Omit<Presence, "seenAt" | "since">,
  now: Instant
): Presence => {
  const before = present(all, now).find(({ agentId }) => agentId === said.agentId)
  return { ...said, since: before?.since ?? now, seenAt: now }
}

/** Who has which lead open. It is worth a minute, so nothing is guarded: of two that are saved at once the later stays. */
export class PresenceStore extends Context.Service<
  PresenceStore,
  {
    /** Everybody who is kept for a lead, by agent, also who is gone. */
    readonly list: (environment: string, leadId: number) => Effect.Effect<ReadonlyArray<Presence>, StoreError>
    /** Keeps it, in the place of what was kept of this agent at this lead. */
    readonly save: (presence: Presence) => Effect.Effect<void, StoreError>
    readonly remove: (environment: string, leadId: number, agentId: number) => Effect.Effect<void, StoreError>
    /** Forgets who was last seen before then; says how many. */
    readonly purge: (keptSince: Instant) => Effect.Effect<number, StoreError>
  }
>()("@countersign/core/lead/PresenceStore") {}
