import type { VerificationDelivery } from "./VerificationDelivery.ts"
import { countryOf } from "../../foundation/identity/Identity.ts"
import type { Fact } from "../../foundation/outbox/Fact.ts"
import { byCarrier, counted, type Counts, entryOf } from "../../account/stat/statFacts.ts"
import { startOf } from "../../account/stat/StatBucket.ts"
import { endedCode } from "./keptOutcome.ts"
import { latencyClass } from "../../account/stat/latencyClass.ts"
import type { Verification } from "./Verification.ts"

type Open = { [entry: string]: number }

/** The merchant's own template that a message uses; null for the built-in text. */
const templateOf = (delivery: VerificationDelivery | undefined): string | null => delivery?.text?.id ?? null

type Message = "sent" | "bounced" | "cost" | "delivered"
type MessageCounters = { readonly [M in Message]: string }

const ofCheckable: MessageCounters = { sent: "sent", bounced: "bounced", cost: "cost", delivered: "delivered" }

/** Whether a relayed code was typed is known elsewhere, so its messages must not lower any share of verified codes. */
const ofRelayed: MessageCounters = {
  sent: "relayedSent",
  bounced: "relayedBounced",
  cost: "relayedCost",
  delivered: "relayedDelivered"
}

const addMessage = (
  entries: Open,
  sign: number,
  start: number,
  delivery: VerificationDelivery,
  counters: MessageCounters
): void => {
  const { carrier, channel, createdAt, deliveredAt, price, sentAt, status } = delivery
  const addTo = (counter: string, n: number) => {
    const entry = entryOf(byCarrier(counter, carrier), channel, templateOf(delivery))
    entries[entry] = (entries[entry] ?? 0) + sign * n
  }
  const add = (counter: Message | `to${string}`, n = 1) =>
    addTo(counter in counters ? counters[counter as Message] : counter, n)
  const delivered = status === "DELIVERED" || status === "READ"
  if (delivered || status === "SENT" || sentAt !== undefined) {
    add("sent")
    if (sentAt !== undefined) add(`toSend.${latencyClass(sentAt - createdAt)}`)
    if (status === "FAILED") add("bounced")
    else if (price !== undefined) add("cost", price.amount)
  }
  if (delivered) {
    add("delivered")
    if (deliveredAt !== undefined) add(`toDeliver.${latencyClass(deliveredAt - start)}`)
  }
}

/** Adds or subtracts the counts of a verification. Runs on the hot path: a new verification adds one entry. */
const addTo = (entries: Open, sign: number, verification: Verification): void => {
  const { createdAt, deliveries, expiryAnnounced, fallback, method, resends, status, verifiedAt } = verification
  const first = deliveries[0]
  const channel = first?.channel ?? verification.channel
  const add = (counter: string, n = 1) => {
    const entry = entryOf(counter, channel, templateOf(first))
    entries[entry] = (entries[entry] ?? 0) + sign * n
  }
  if (method === "ONETAP") return add("oneTap")
  const isRelayed = verification.kind === "Relayed"
  add(isRelayed ? "relayed" : "asked")
  for (const delivery of deliveries) {
    if (delivery.status !== "PENDING")
      addMessage(entries, sign, createdAt, delivery, isRelayed ? ofRelayed : ofCheckable)
  }
  if (isRelayed) {
    if (status === "FAILED") add("relayedFailed")
    return
  }
  if (resends > 0) add("resent", resends)
  if (fallback?.used === true) add("fallbacks")
  if (status === "VERIFIED") {
    add("verified")
    add(`toVerify.${latencyClass(verifiedAt - createdAt)}`)
  } else if (status === "FAILED") add("failed")
  else if (status === "EXPIRED" || expiryAnnounced) add("expired")
  if (verification.guard !== undefined) {
    const cost = deliveries.reduce(
      (sum, { price, status }) => sum + (status === "FAILED" ? 0 : (price?.amount ?? 0)),
      0
    )
    // Once for the code, and once for each of its reasons.
    for (const of of ["", ...verification.guard.reasons.map(({ reason }) => `.${reason}`)]) {
      add(`judged${of}`)
      if (status === "VERIFIED") add(`judgedTyped${of}`)
      if (cost > 0) add(`judgedCost${of}`, cost)
    }
  }
  const lost = endedCode(verification)
  if (lost !== null) add(`lost.${lost}`)
}

/**
 * Returns the counts of a verification as it stands, all in the quarter hour in which it started. A message counts on
 * its own channel. Everything else counts on the first requested channel.
 */
export const countsOf = (verification: Verification): Counts => {
  const entries: Open = {}
  addTo(entries, 1, verification)
  return entries
}

/**
 * Returns the difference in counts that a change makes, as one fact or none. So the sum of a verification's facts
 * always equals its counts, no matter which decisions changed it.
 */
export const countedFacts = (
  before: Verification | null,
  after: Verification | null,
  version: number
): ReadonlyArray<Fact> => {
  if (after === null) return []
  const entries: Open = {}
  addTo(entries, 1, after)
  if (before !== null) addTo(entries, -1, before)
  let value: { [name: string]: string | number | null } | null = null
  for (const entry in entries) {
    if (entries[entry] === 0) continue
    value ??= {
      country: after.identity.type === "MOBILE" ? countryOf(after.identity.canonical) : null,
      path: after.path,
      ...(after.sandbox === true ? { sandbox: "yes" } : {})
    }
    value[entry] = entries[entry]!
  }
  return value === null
    ? []
    : [
        counted.fact({
          environment: after.environment,
          // Facts of one quarter hour with the same dimensions share a row.
          at: startOf("QUARTER", after.createdAt),
          key: `${after.id}/${version}`,
          adds: true,
          value
        })
      ]
}
