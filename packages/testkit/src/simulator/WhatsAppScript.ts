import type { Duration } from "effect"
import type { WhatsAppStatus } from "./WhatsAppWebhook.ts"

/** One report in the life of a message. */
export interface WhatsAppStep {
  /** Counted from the moment the message was taken. */
  readonly after: Duration.Input
  readonly status: WhatsAppStatus
  readonly errorCode?: number
}

export type WhatsAppScript = ReadonlyArray<WhatsAppStep>

const sent: WhatsAppStep = { after: "100 millis", status: "sent" }
const delivered: WhatsAppStep = { after: "500 millis", status: "delivered" }
const read: WhatsAppStep = { after: "2 seconds", status: "read" }

/** Lives that messages really have. */
export const scripts = {
  delivered: [sent, delivered],
  read: [sent, delivered, read],
  /** Who reads at once may be reported without `delivered`. */
  readAtOnce: [sent, read],
  /** No WhatsApp, an old app, terms not accepted: only the receipt says so. */
  undeliverable: [{ after: "300 millis", status: "failed", errorCode: 131026 }],
  failedAfterSent: [sent, { after: "1 second", status: "failed", errorCode: 131026 }],
  /** Later news overtakes earlier. */
  disordered: [
    { after: "100 millis", status: "read" },
    { after: "200 millis", status: "sent" },
    { after: "300 millis", status: "delivered" }
  ],
  /** It outlived its template's time to live: Meta drops it and says nothing. */
  silent: []
} satisfies { readonly [name: string]: WhatsAppScript }
