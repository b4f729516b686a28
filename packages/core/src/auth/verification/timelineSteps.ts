import type { Unpaid } from "../../account/billing/charge.ts"
import { endedUnheard } from "../../foundation/delivery/Delivery.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { TimelineStep } from "./TimelineStep.ts"
import type { Verification } from "./Verification.ts"
import { whyNoFallback } from "./whyNoFallback.ts"

/** When a change was decided, and its cause: a provider's receipt, an entered code, or anything else. */
export interface ChangeCause {
  readonly at: Instant
  readonly by?: "receipt" | "code"
  /** Why a due fallback did not happen. */
  readonly unpaid?: Unpaid | "HOURLY_LIMIT"
}

const whyUnpaid = {
  NO_PRICE: "no price",
  BALANCE: "no balance",
  CAP: "cap reached",
  HOURLY_LIMIT: "limit reached"
} as const

/** The maximum number of steps. Beyond it, those in the middle are dropped and counted. */
export const mostSteps = 200
const keptAtEachEnd = mostSteps / 2

/** Appends steps to the stored ones. */
export const appendSteps = (
  storedSteps: ReadonlyArray<TimelineStep> | undefined,
  steps: ReadonlyArray<TimelineStep>
): ReadonlyArray<TimelineStep> => {
  const allSteps = storedSteps === undefined ? steps : [...storedSteps, ...steps]
  if (allSteps.length <= mostSteps) return allSteps
  const head = allSteps.slice(0, keptAtEachEnd)
  const marker = allSteps[keptAtEachEnd]!
  const alreadyDropped = marker[1] === "left out" ? marker[2] : 0
  const tail = allSteps.slice(alreadyDropped === 0 ? keptAtEachEnd : keptAtEachEnd + 1)
  const dropped = tail.slice(0, tail.length - (keptAtEachEnd - 1))
  const first = dropped[0] ?? marker
  return [...head, [first[0], "left out", alreadyDropped + dropped.length], ...tail.slice(dropped.length)]
}

/**
 * Returns the steps of a change that the states themselves do not show. Empty for a new verification, and for one
 * without problems.
 */
const stepsOf = (
  before: Verification,
  after: Verification,
  { at, by, unpaid }: ChangeCause
): ReadonlyArray<TimelineStep> => {
  const steps: Array<TimelineStep> = []
  const ms = at - before.createdAt
  let failed = false
  let bounced = false
  if (after.resends > before.resends) steps.push([ms, "resent", after.channel])
  for (const [i, delivery] of before.deliveries.entries()) {
    const next = after.deliveries[i]
    const status = next?.status
    if (status === delivery.status || (status !== "FAILED" && status !== "SKIPPED")) continue
    const wasReceipt = by === "receipt" && status === "FAILED"
    steps.push([ms, status === "SKIPPED" ? "skipped" : wasReceipt ? "bounced" : "unsent", i + 1])
    failed ||= status === "FAILED"
    bounced ||= status === "FAILED" && next !== undefined && !endedUnheard(next)
  }
  const fellBack = after.fallback?.used === true && before.fallback?.used !== true
  const byOther = after.deliveries.length > before.deliveries.length && after.deliveries.at(-1)?.avoid !== undefined
  if (byOther) steps.push([ms, "next carrier", after.deliveries.length])
  else if (fellBack) steps.push([ms, "fallback", after.deliveries.length, failed ? "failed" : "silent"])
  else {
    const whyNot = () => (bounced ? whyNoFallback(after, at, before.status) : null)
    const why = unpaid === undefined ? whyNot() : whyUnpaid[unpaid]
    if (why !== null) steps.push([ms, "no fallback", why])
  }
  if (after.attempts > before.attempts) steps.push([ms, "wrong", after.maxAttempts - after.attempts])
  if (after.expiryAnnounced && !before.expiryAnnounced) steps.push([ms, "over"])
  if (after.status === before.status) return steps
  if (after.undeliverable) steps.push([ms, "undeliverable"])
  else if (after.status === "FAILED") steps.push([ms, by === "code" ? "used up" : "mistaken"])
  if (by === "code" && (after.status === "EXPIRED" || after.undeliverable)) steps.push([ms, "late"])
  return steps
}

/**
 * Adds the steps of a change to a verification's next state. They derive from the difference, so a decision cannot
 * forget them.
 */
export const withSteps = (before: Verification | null, after: Verification, cause: ChangeCause): Verification => {
  if (before === null) return after
  const steps = stepsOf(before, after, cause)
  return steps.length === 0 ? after : { ...after, story: appendSteps(after.story, steps) }
}
