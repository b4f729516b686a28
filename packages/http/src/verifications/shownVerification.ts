import { type Caller, Identity, Instant, seenMessageName, Verification } from "@countersign/core"
import type { VerificationAnswer } from "./contract.ts"

/** A verification as whoever looks after it may see it: without a whole identity. */
export const shownVerification =
  (caller: Caller) =>
  (verification: Verification.Verification): typeof VerificationAnswer.Type => ({
    requestId: verification.id,
    identity: Identity.mask(verification.identity.type, verification.identity.canonical),
    identityType: verification.identity.type,
    mode: verification.mode,
    channel: verification.channel,
    path: verification.path,
    orderId: verification.orderId,
    trial: verification.trial !== undefined,
    authStatus: verification.status,
    attemptsLeft: Verification.attemptsLeft(verification),
    method: verification.method,
    country: Verification.countryOf(verification),
    createdAt: Instant.toIso(verification.createdAt),
    verifiedAt: Instant.toIsoOrNull(verification.verifiedAt),
    deliveries: verification.deliveries.map((delivery) => ({
      id: delivery.id,
      channel: delivery.channel,
      type: delivery.type,
      deliveryStatus: delivery.status,
      attemptNumber: delivery.attemptNumber,
      carrier: delivery.carrier ?? null,
      providerId: seenMessageName(caller, delivery.providerId),
      providerCode: delivery.status === "FAILED" ? delivery.providerCode : null,
      createdAt: Instant.toIso(delivery.createdAt)
    }))
  })
