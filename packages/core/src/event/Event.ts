import { Schema } from "effect"
import type { Instant } from "../time/Instant.ts"

/** Every event the service can record. */
export const EventType = Schema.Literals([
  "otp.initiated",
  "otp.verified",
  "otp.expired",
  "session.created",
  "delivery.failed",
  "campaign.delivered",
  "message.received",
  "webhook.disabled"
])
export type EventType = typeof EventType.Type

/**
 * Something that happened, recorded in the same commit as the change that caused it. It is never changed afterwards;
 * `data` is exactly what a webhook will carry.
 */
export interface Event {
  readonly id: string
  readonly environment: string
  readonly type: EventType
  readonly createdAt: Instant
  readonly data: { readonly [name: string]: unknown }
}
