import type { Duration } from "effect"

/** What Twilio reports. Others may come, and mean nothing to us. */
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

/** One receipt in the life of a message. */
export interface TwilioStep {
  readonly status: TwilioStatus
  readonly errorCode?: number
  /** How long after the one before it was answered; the simulator's `receiptDelay` unless told. */
  readonly after?: Duration.Input
  /** Comes before the request to send has been answered. */
  readonly early?: boolean
}

export type TwilioScript = ReadonlyArray<TwilioStep>

const queued: TwilioStep = { status: "queued" }
const sent: TwilioStep = { status: "sent" }
const delivered: TwilioStep = { status: "delivered" }
const read: TwilioStep = { status: "read" }

/** Lives that messages really have. */
export const scripts = {
  delivered: [queued, sent, delivered],
  read: [queued, sent, delivered, read],
  /** Some carriers return no receipt. */
  sentOnly: [queued, sent],
  /** A landline, or a carrier that cannot be reached. */
  undelivered: [queued, sent, { status: "undelivered", errorCode: 30006 }],
  failed: [queued, { status: "failed", errorCode: 30003 }],
  reversed: [delivered, sent, queued],
  twice: [queued, queued, sent, sent, delivered, delivered],
  /** The receipts win the race against the answer. */
  early: [
    { status: "queued", early: true },
    { status: "sent", early: true },
    { status: "delivered", early: true }
  ],
  /** None come, or you report by hand. */
  silent: []
} satisfies { readonly [name: string]: TwilioScript }
