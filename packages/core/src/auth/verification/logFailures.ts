import { Effect } from "effect"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import type { Verification } from "./Verification.ts"

/** What the log may contain about a send: enough to fix it, and nothing about the person. */
interface SendFailure {
  readonly channel: string
  readonly provider: string
  readonly providerCode: string | null
  readonly requestId: string
}

const warn = (message: string, failure: SendFailure) => Effect.annotateLogs(Effect.logWarning(message), { ...failure })

/** Logs a FAILED delivery. */
export const logFailure = (
  { id }: Pick<Verification, "id">,
  { channel, providerCode }: VerificationDelivery,
  provider: string
): Effect.Effect<void> => warn("A message was not delivered", { channel, provider, providerCode, requestId: id })

/** Logs each delivery that FAILED between two states of a verification. */
export const logFailures = (
  before: Verification,
  after: Verification,
  providerOf: (delivery: VerificationDelivery) => string
): Effect.Effect<void> => {
  const failed = after.deliveries.filter(
    ({ status }, n) => status === "FAILED" && before.deliveries[n]?.status !== "FAILED"
  )
  return Effect.forEach(failed, (delivery) => logFailure(after, delivery, providerOf(delivery)), { discard: true })
}

/** Logs a delivery that is not retried, because the message may already be on its way. */
export const logGivenUp = (failure: SendFailure): Effect.Effect<void> =>
  warn("A message failed because its provider reported no outcome", failure)
