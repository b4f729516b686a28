import type { EventType } from "../../foundation/event/Event.ts"
import type { Instant, Millis } from "../../foundation/time/Instant.ts"

/** A `FAILED` delivery is retried automatically. A `DEAD` delivery is sent again only on request. */
export type AttemptStatus = "DELIVERED" | "FAILED" | "DEAD"

/** One try to deliver an event to an endpoint, as the merchant sees it. */
export interface WebhookAttempt {
  readonly id: string
  readonly environment: string
  readonly webhookId: string
  readonly eventId: string
  readonly eventType: EventType
  readonly attempt: number
  readonly status: AttemptStatus
  readonly url: string
  /** The time that was signed. */
  readonly createdAt: Instant
  readonly durationMs: Millis
  readonly responseStatus: number | null
  /** The beginning of the response body. */
  readonly responseBody: string | null
  /** Why there was no response. */
  readonly error: string | null
  readonly nextAttemptAt: Instant | null
}
