import type { Answer } from "../api/Api.ts"
import type { Verification } from "./result.ts"

type Message = Answer<"GET /v1/dashboard/verifications/:requestId/messages">["items"][number]

type Delivery = Pick<Verification["deliveries"][number], "deliveryStatus" | "id">
/** Statuses of a message that the user has not seen: it failed, was never needed, or is not sent yet. */
const unseen = ["FAILED", "SKIPPED", "PENDING"] as const
type Unsent = (typeof unseen)[number]

/** One text with its channel and outcome, and the number of sends. */
export interface Seen extends Message {
  /** Why the user has not seen it. Null when it was sent. */
  readonly unsent: Unsent | null
  readonly times: number
}

/** Each text once, in order. Sends that did not reach the user are separate from others of the same text. */
export const seenOf = (messages: ReadonlyArray<Message>, deliveries: ReadonlyArray<Delivery>): ReadonlyArray<Seen> => {
  const statuses = new Map(deliveries.map(({ deliveryStatus, id }) => [id, deliveryStatus]))
  const all = new Map<string, Seen>()
  for (const message of messages) {
    const unsent = unseen.find((status) => status === statuses.get(message.deliveryId)) ?? null
    const key = JSON.stringify([message.channel, message.templateId, message.subject, message.text, unsent])
    all.set(key, { ...message, unsent, times: (all.get(key)?.times ?? 0) + 1 })
  }
  return [...all.values()]
}

/** In `test` every code is a prefix of this, so a text can be shown as it would arrive. */
const testCode = "12345678"

export const withTestCode = (text: string): string => text.replace(/•+/g, (dots) => testCode.slice(0, dots.length))
