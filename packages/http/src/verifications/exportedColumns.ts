import { Identity, Instant, type Outcome, type Refusal, Verification } from "@countersign/core"
import type { Columns } from "../csv/csvFile.ts"

/** A verification with what happened to it; null while it is pending, and when it is verified. */
export interface Exported {
  readonly verification: Verification.Verification
  readonly outcome: Outcome | null
}

/** The columns of exported verifications. Identities are masked unless `unmasked`. */
export const verificationColumns = (unmasked: boolean): Columns<Exported> => ({
  requestId: ({ verification }) => verification.id,
  createdAt: ({ verification }) => Instant.toIso(verification.createdAt),
  identity: ({ verification: { identity } }) =>
    unmasked ? identity.spelling : Identity.mask(identity.type, identity.canonical),
  identityType: ({ verification }) => verification.identity.type,
  country: ({ verification }) => Verification.countryOf(verification),
  channel: ({ verification }) => verification.channel,
  mode: ({ verification }) => verification.mode,
  path: ({ verification }) => verification.path,
  orderId: ({ verification }) => verification.orderId,
  trial: ({ verification }) => String(verification.trial !== undefined),
  authStatus: ({ verification }) => verification.status,
  method: ({ verification }) => verification.method,
  verifiedAt: ({ verification }) => Instant.toIsoOrNull(verification.verifiedAt),
  outcome: ({ outcome }) => outcome?.code ?? null,
  outcomeReason: ({ outcome }) => outcome?.reason ?? null,
  outcomeCause: ({ outcome }) => outcome?.cause ?? null,
  messages: ({ verification }) => verification.deliveries.length,
  lastChannel: ({ verification }) => verification.deliveries.at(-1)?.channel ?? null,
  lastCarrier: ({ verification }) => verification.deliveries.at(-1)?.carrier ?? null,
  lastDeliveryStatus: ({ verification }) => verification.deliveries.at(-1)?.status ?? null
})

/** The columns of exported refusals, whose identities are stored masked. */
export const refusalColumns: Columns<Refusal> = {
  at: ({ at }) => Instant.toIso(at),
  errorCode: ({ errorCode }) => errorCode,
  reason: ({ reason }) => reason,
  identity: ({ identity }) => identity,
  country: ({ country }) => country,
  channel: ({ channel }) => channel,
  path: ({ path }) => path
}
