import type { Item } from "../api/Api.ts"
import type { Tone } from "../parts/Pill.tsx"
import { channelName } from "../words/channels.ts"
import { reasonInWords } from "../words/failureCode.ts"
import { say } from "./words.ts"

export type Verification = Item<"GET /v1/dashboard/verifications">
type Delivery = Verification["deliveries"][number]

export interface Result {
  readonly words: string
  readonly tone: Tone
}

const ofMessage = ({ deliveryStatus, providerCode }: Delivery): Result => {
  const words = say.message[deliveryStatus]
  if (deliveryStatus === "FAILED")
    return { words: providerCode === null ? words : `${words}: ${reasonInWords(providerCode)}`, tone: "bad" }
  return { words, tone: deliveryStatus === "PENDING" || deliveryStatus === "SKIPPED" ? "plain" : "accent" }
}

const endOf = ({ attemptsLeft, authStatus, deliveries, method, outcome, relayed }: Verification): Result => {
  const last = deliveries.at(-1)
  if (authStatus === "VERIFIED")
    return { words: say.verifiedBy[method ?? "OTP"] ?? channelName(method ?? ""), tone: "good" }
  if (attemptsLeft === 0) return { words: say.noneLeft, tone: "bad" }
  // Whether a relayed code was typed is known elsewhere, so only its message has a status.
  if (authStatus === "PENDING" || (relayed !== null && authStatus === "EXPIRED"))
    return last === undefined ? { words: say.waiting, tone: "plain" } : ofMessage(last)
  if (authStatus === "EXPIRED") {
    const why = outcome === null ? "" : `: ${say.outcomes[outcome.code]}`
    return { words: `${say.expired}${why}`, tone: "warn" }
  }
  const cause = outcome?.cause ?? null
  const what = outcome === null ? null : say.outcomes[outcome.code]
  const reason = cause === null ? null : reasonInWords(cause)
  // An unknown code says nothing alone.
  const why = reason === null ? what : reason === cause && what !== null ? `${what} (${cause})` : reason
  return { words: why === null ? say.failed : `${say.failed}: ${why}`, tone: "bad" }
}

/** A verification's status as text. While it is pending, the status of its latest message. */
export const resultOf = (verification: Verification): Result => {
  const { tone, words } = endOf(verification)
  return verification.outcome?.lockedUntil == null
    ? { tone, words }
    : { tone: "bad", words: `${words} · ${say.locked}` }
}

/** An item of the live stream, which never has a lock, with the lock that the list shows. A refetch follows soon. */
export const withLock = (shown: Verification, { outcome, ...live }: Verification): Verification => ({
  ...live,
  outcome:
    outcome === null ? null : { ...outcome, lockedUntil: outcome.lockedUntil ?? shown.outcome?.lockedUntil ?? null }
})

/** The channels of a verification in order. A repeated channel is a resend. */
export const wayOf = ({ channel, deliveries, method }: Verification): ReadonlyArray<string> => {
  if (deliveries.length === 0) return method === "ONETAP" ? [] : [channel]
  return deliveries.map((delivery) => delivery.channel).filter((name, n, all) => name !== all[n - 1])
}

/** Milliseconds from the start to the verification, or null. */
export const tookOf = ({ createdAt, verifiedAt }: Verification): number | null =>
  verifiedAt === null ? null : Math.max(0, Date.parse(verifiedAt) - Date.parse(createdAt))

/** Whether it can still change without an event, by a receipt or a wrong code. */
export const isAlive = ({ authStatus }: Verification): boolean => authStatus === "PENDING"
