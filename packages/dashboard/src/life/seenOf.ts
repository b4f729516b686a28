import type { Answer } from "../api/Api.ts"

type Message = Answer<"GET /v1/dashboard/verifications/:requestId/messages">["items"][number]

/** The same words on the same channel with the same outcome, however often they were sent. */
export interface Seen extends Message {
  /** The message was not delivered, so the person has not seen it. */
  readonly failed: boolean
  readonly times: number
}

/** What was sent, each text once, in order; what failed is apart from the same text that arrived. */
export const seenOf = (messages: ReadonlyArray<Message>, failedIds: ReadonlySet<string>): ReadonlyArray<Seen> => {
  const all = new Map<string, Seen>()
  for (const message of messages) {
    const failed = failedIds.has(message.deliveryId)
    const key = JSON.stringify([message.channel, message.templateId, message.subject, message.text, failed])
    all.set(key, { ...message, failed, times: (all.get(key)?.times ?? 0) + 1 })
  }
  return [...all.values()]
}

/** In `test` every code is the first digits of this, so that a text can be shown as it would arrive. */
const testCode = "12345678"

export const withTestCode = (text: string): string => text.replace(/•+/g, (dots) => testCode.slice(0, dots.length))
