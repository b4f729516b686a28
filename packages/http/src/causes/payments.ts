import { PaymentRequired } from "@countersign/core"
import type { CausesByCode } from "./Cause.ts"

const amounts = { price: 20, left: 5, currency: "INR" }

const topUp = "[top up](billing.md), or use another channel; with an `Idempotency-Key`, take a new one afterwards"

/** What has to be paid, and cannot be: nothing was sent and nothing written. */
export const payments = {
  BILLING_NOT_CONFIGURED: [
    {
      when: "billing is `PREPAID`, and the channel of the message has no price",
      advice: "set one in [`prices`](billing.md), 0 for what costs nothing",
      failure: new PaymentRequired({ channel: "SMS", why: "NO_PRICE", amounts: null, requestId: null })
    }
  ],
  INSUFFICIENT_SMS_BALANCE: [
    {
      when: "the balance does not reach for an SMS",
      advice: topUp,
      failure: new PaymentRequired({ channel: "SMS", why: "BALANCE", amounts, requestId: null })
    },
    {
      when: "what SMS may cost in a day is spent; `message` says which of the two it is",
      advice: "wait for tomorrow of your `timeZone`, or raise `dailyCap`",
      failure: new PaymentRequired({ channel: "SMS", why: "CAP", amounts, requestId: null })
    }
  ],
  INSUFFICIENT_WHATSAPP_BALANCE: [
    {
      when: "the same over WhatsApp: a code, a link, or a reply of the inbox",
      advice: topUp,
      failure: new PaymentRequired({ channel: "WHATSAPP", why: "BALANCE", amounts, requestId: null })
    }
  ],
  INSUFFICIENT_BALANCE: [
    {
      when: "the same over any other channel; `message` names it",
      advice: topUp,
      failure: new PaymentRequired({ channel: "EMAIL", why: "BALANCE", amounts, requestId: null })
    }
  ]
} as const satisfies CausesByCode
