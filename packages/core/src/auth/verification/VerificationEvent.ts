import { deliveryStatusOf, type VerificationDelivery } from "./VerificationDelivery.ts"
import type { EventOf } from "../../foundation/event/Event.ts"
import { type Instant, toIso } from "../../foundation/time/Instant.ts"
import type { Verification, VerifiedVerification } from "./Verification.ts"

const of = (id: string, { environment }: Verification, createdAt: Instant) => ({ id, environment, createdAt })

const about = ({ channel, id, identity, mode, orderId }: Verification) => ({
  requestId: id,
  identity: identity.spelling,
  identityType: identity.type,
  mode,
  channel,
  orderId
})

export const initiated = (id: string, verification: Verification, now: Instant): EventOf<"otp.initiated"> => ({
  ...of(id, verification, now),
  type: "otp.initiated",
  data: about(verification)
})

export const verified = (id: string, verification: VerifiedVerification): EventOf<"otp.verified"> => ({
  ...of(id, verification, verification.verifiedAt),
  type: "otp.verified",
  data: { ...about(verification), verifiedAt: toIso(verification.verifiedAt), method: verification.method }
})

export const expired = (id: string, verification: Verification, now: Instant): EventOf<"otp.expired"> => ({
  ...of(id, verification, now),
  type: "otp.expired",
  data: about(verification)
})

const shown = ({ attemptNumber, carrier, channel, providerCode, status, type }: VerificationDelivery) => ({
  channel,
  type,
  deliveryStatus: status,
  attemptNumber,
  carrier: carrier ?? null,
  providerCode: status === "FAILED" ? providerCode : null
})

/** A relayed code's deliveries have changed. */
export const updated = (id: string, verification: Verification, now: Instant): EventOf<"delivery.updated"> => ({
  ...of(id, verification, now),
  type: "delivery.updated",
  data: {
    requestId: verification.id,
    identity: verification.identity.spelling,
    identityType: verification.identity.type,
    channel: verification.channel,
    deliveryStatus: deliveryStatusOf(verification.deliveries),
    deliveries: verification.deliveries.map(shown)
  }
})

export const undeliverable = (id: string, verification: Verification, now: Instant): EventOf<"delivery.failed"> => ({
  ...of(id, verification, now),
  type: "delivery.failed",
  data: { ...about(verification), deliveries: verification.deliveries.map(shown) }
})
