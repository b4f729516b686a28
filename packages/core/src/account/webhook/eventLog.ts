import { type Instant, minutes } from "../../foundation/time/Instant.ts"
import type { EventType } from "../../foundation/event/Event.ts"
import type { WebhookAttempt } from "./WebhookAttempt.ts"

/** A retry that is due this long without a result is no longer expected: its event is gone, or its endpoint changed. */
const longestDue = minutes(2)

/**
 * What became of an event at one endpoint. `WAITING` is retried at `nextAttemptAt`. `FAILED` is sent again only on
 * request.
 */
export const EventState = ["DELIVERED", "WAITING", "FAILED"] as const
export type EventState = (typeof EventState)[number]

/** An event that was sent to an endpoint, with its tries. */
export interface TriedEvent {
  readonly id: string
  readonly type: EventType
  readonly state: EventState
  /** The next try of a waiting event; null for other events. */
  readonly nextAttemptAt: Instant | null
  /** Oldest first. An event with very many tries shows its latest ones. */
  readonly attempts: ReadonlyArray<WebhookAttempt>
}

/** Whether a failed try still expects its retry. */
export const isExpected = ({ nextAttemptAt, status }: WebhookAttempt, now: Instant): boolean =>
  status === "FAILED" && nextAttemptAt !== null && nextAttemptAt > now - longestDue

/**
 * Decides the state of an event from its tries, oldest first. One success delivers an event for good: a later failed
 * try was manual. A manual try in between does not end the wait for a retry. Null without a try.
 */
export const triedEvent = (attempts: ReadonlyArray<WebhookAttempt>, now: Instant): TriedEvent | null => {
  const [first] = attempts
  if (first === undefined) return null
  const { eventId: id, eventType: type } = first
  if (attempts.some(({ status }) => status === "DELIVERED"))
    return { id, type, state: "DELIVERED", nextAttemptAt: null, attempts }
  const automatic = attempts.findLast((attempt) => attempt.status === "DEAD" || attempt.nextAttemptAt !== null)
  return automatic !== undefined && isExpected(automatic, now)
    ? { id, type, state: "WAITING", nextAttemptAt: automatic.nextAttemptAt, attempts }
    : { id, type, state: "FAILED", nextAttemptAt: null, attempts }
}
