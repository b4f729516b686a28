import type { Delivery } from "@countersign/core/channel"

/** A message in `/dev/outbox`, shown there instead of being sent to a phone or mailbox. */
export interface OutboxMessage {
  /** The provider's message id, or the delivery's id. */
  readonly id: string
  readonly channel: string
  readonly to: string
  /** Empty for channels other than e-mail. */
  readonly subject: string
  readonly text: string
  /** The code that the copy button copies. Null when the message has no code. */
  readonly code: string | null
  /** The URL of the message's link or button. Null when it has none. */
  readonly url: string | null
  /** When the message was accepted, in ISO 8601. */
  readonly at: string
  readonly status: Delivery.DeliveryStatus
}

/** The most messages that the outbox shows. */
export const mostShown = 200

/** The newest messages, newest first. */
export const latest = (messages: ReadonlyArray<OutboxMessage>): ReadonlyArray<OutboxMessage> =>
  messages.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, mostShown)
