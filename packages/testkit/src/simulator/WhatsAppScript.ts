import type { Duration } from "effect"
import type { WhatsAppStatus } from "./WhatsAppWebhook.ts"

/** One report of a message. */
export interface WhatsAppStep {
  /** Counted from the acceptance of the message. */
  readonly after: Duration.Input
  readonly status: WhatsAppStatus
  readonly errorCode?: number
}

export type WhatsAppScript = ReadonlyArray<WhatsAppStep>

const sent: WhatsAppStep = { after: "100 millis", status: "sent" }
const delivered: WhatsAppStep = { after: "500 millis", status: "delivered" }
const read: WhatsAppStep = { after: "2 seconds", status: "read" }

/** Sequences that occur in practice. */
export const scripts = {
  delivered: [sent, delivered],
  read: [sent, delivered, read],
  /** A message that is read immediately may be reported without `delivered`. */
  readAtOnce: [sent, read],
  /** No WhatsApp, an old app, or terms not accepted: only the receipt reports it. */
  undeliverable: [{ after: "300 millis", status: "failed", errorCode: 131026 }],
  failedAfterSent: [sent, { after: "1 second", status: "failed", errorCode: 131026 }],
  /** Later reports overtake earlier ones. */
  disordered: [
    { after: "100 millis", status: "read" },
    { after: "200 millis", status: "sent" },
    { after: "300 millis", status: "delivered" }
  ],
  /** The message outlived its template's time to live: Meta drops it without a report. */
  silent: []
} satisfies { readonly [name: string]: WhatsAppScript }
