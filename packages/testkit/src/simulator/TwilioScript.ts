import type { Duration } from "effect"

/** The statuses that Twilio reports. Your service must ignore others. */
export type TwilioStatus =
  | "queued"
  | "sending"
  | "sent"
  | "delivered"
  | "undelivered"
  | "failed"
  | "read"
  | "canceled"
  | "partially_delivered"
  | (string & {})

/** One receipt of a message. */
export interface TwilioStep {
  readonly status: TwilioStatus
  readonly errorCode?: number
  /** The delay after the previous receipt was answered. Default: the simulator's `receiptDelay`. */
  readonly after?: Duration.Input
  /** Sent before the send request is answered. */
  readonly early?: boolean
}

export type TwilioScript = ReadonlyArray<TwilioStep>

const queued: TwilioStep = { status: "queued" }
const sent: TwilioStep = { status: "sent" }
const delivered: TwilioStep = { status: "delivered" }
const read: TwilioStep = { status: "read" }

/** Sequences that occur in practice. */
export const scripts = {
  delivered: [queued, sent, delivered],
  read: [queued, sent, delivered, read],
  /** Some carriers return no receipt. */
  sentOnly: [queued, sent],
  /** A landline, or an unreachable carrier. */
  undelivered: [queued, sent, { status: "undelivered", errorCode: 30006 }],
  failed: [queued, { status: "failed", errorCode: 30003 }],
  reversed: [delivered, sent, queued],
  twice: [queued, queued, sent, sent, delivered, delivered],
  /** The receipts arrive before the answer to the send request. */
  early: [
    { status: "queued", early: true },
    { status: "sent", early: true },
    { status: "delivered", early: true }
  ],
  /** No receipts, or those that you report by hand. */
  silent: []
} satisfies { readonly [name: string]: TwilioScript }
