import type { Delivery } from "@countersign/core/channel"

/** A message that stopped here instead of reaching a phone or a mailbox, as `/dev/outbox` shows it. */
export interface OutboxMessage {
  /** The provider's name for it, or ours. */
  readonly id: string
  readonly channel: string
  readonly to: string
  /** E-mail only; empty elsewhere. */
  readonly subject: string
  readonly text: string
  /** What its button copies; null when it carries no code. */
  readonly code: string | null
  /** What its link or button opens; null when it has none. */
  readonly url: string | null
  /** When it was taken, in ISO 8601. */
  readonly at: string
  readonly status: Delivery.DeliveryStatus
}

/** More than anybody looks back at. */
export const mostShown = 200

/** The newest come first. */
export const latest = (messages: ReadonlyArray<OutboxMessage>): ReadonlyArray<OutboxMessage> =>
  messages.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, mostShown)
