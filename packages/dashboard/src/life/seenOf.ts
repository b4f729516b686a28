import type { Answer } from "../api/Api.ts"

type Message = Answer<"GET /v1/dashboard/verifications/:requestId/messages">["items"][number]

/** One text with its channel and outcome, and the number of sends. */
export interface Seen extends Message {
  /** The message failed, so the user has not seen it. */
  readonly failed: boolean
  readonly times: number
}

/** Each sent text once, in order. Failed sends are separate from delivered ones of the same text. */
export const seenOf = (messages: ReadonlyArray<Message>, failedIds: ReadonlySet<string>): ReadonlyArray<Seen> => {
  const all = new Map<string, Seen>()
  for (const message of messages) {
    const failed = failedIds.has(message.deliveryId)
    const key = JSON.stringify([message.channel, message.templateId, message.subject, message.text, failed])
    all.set(key, { ...message, failed, times: (all.get(key)?.times ?? 0) + 1 })
  }
  return [...all.values()]
}

/** In `test` every code is a prefix of this, so a text can be shown as it would arrive. */
const testCode = "12345678"

export const withTestCode = (text: string): string => text.replace(/•+/g, (dots) => testCode.slice(0, dots.length))
