import type { Answer } from "../api/Api.ts"

type Message = Answer<"GET /v1/dashboard/verifications/:requestId/messages">["items"][number]

/** The same words on the same channel, however often they were sent. */
export interface Seen extends Message {
  readonly times: number
}

/** What a person saw, each text once, in order. */
export const seenOf = (messages: ReadonlyArray<Message>): ReadonlyArray<Seen> => {
  const all = new Map<string, Seen>()
  for (const message of messages) {
    const key = JSON.stringify([message.channel, message.templateId, message.subject, message.text])
    all.set(key, { ...message, times: (all.get(key)?.times ?? 0) + 1 })
  }
  return [...all.values()]
}

/** In `test` every code is the first digits of this, so that a text can be shown as it would arrive. */
const testCode = "12345678"

export const withTestCode = (text: string): string => text.replace(/•+/g, (dots) => testCode.slice(0, dots.length))
