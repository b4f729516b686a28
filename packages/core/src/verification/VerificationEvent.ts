import type { Delivery } from "../delivery/Delivery.ts"
import type { Event, EventType } from "../event/Event.ts"
import { type Instant, toIso } from "../time/Instant.ts"
import type { Verification } from "./Verification.ts"

const make = (
  type: EventType,
  id: string,
  verification: Verification,
  now: Instant,
  more: Event["data"] = {}
): Event => ({
  id,
  environment: verification.environment,
  type,
  createdAt: now,
  data: {
    requestId: verification.id,
    identity: verification.identity.spelling,
    identityType: verification.identity.type,
    mode: verification.mode,
    channel: verification.channel,
    orderId: verification.orderId,
    ...more
  }
})

export const initiated = (id: string, verification: Verification, now: Instant) =>
  make("otp.initiated", id, verification, now)

export const verified = (id: string, verification: Verification, now: Instant) =>
  make("otp.verified", id, verification, now, {
    verifiedAt: verification.verifiedAt === null ? null : toIso(verification.verifiedAt),
    method: verification.method
  })

export const expired = (id: string, verification: Verification, now: Instant) =>
  make("otp.expired", id, verification, now)

const shown = ({ channel, type, status, attemptNumber }: Delivery) => ({
  channel,
  type,
  deliveryStatus: status,
  attemptNumber
})

export const undeliverable = (id: string, verification: Verification, now: Instant) =>
  make("delivery.failed", id, verification, now, { deliveries: verification.deliveries.map(shown) })
