import { PaymentRequired } from "@countersign/core"
import type { CausesByCode } from "./Cause.ts"

const amounts = { price: 20, left: 5, currency: "INR" }

const topUp = "[top up](billing.md), or use another channel; then retry with a new `Idempotency-Key`"

/** A message that cannot be paid. Nothing was sent and nothing was stored. */
export const payments = {
  BILLING_NOT_CONFIGURED: [
    {
      when: "billing is `PREPAID`, but the channel has no price",
      advice: "set a price in [`prices`](billing.md), or 0 if the channel is free",
      failure: new PaymentRequired({ channel: "SMS", why: "NO_PRICE", amounts: null, requestId: null })
    }
  ],
  INSUFFICIENT_SMS_BALANCE: [
    {
      when: "the balance does not cover an SMS",
      advice: topUp,
      failure: new PaymentRequired({ channel: "SMS", why: "BALANCE", amounts, requestId: null })
    },
    {
      when: "today's cap for SMS is spent; `message` says whether it is the balance or the cap",
      advice: "wait until the next day in your `timeZone`, or raise `dailyCap`",
      failure: new PaymentRequired({ channel: "SMS", why: "CAP", amounts, requestId: null })
    }
  ],
  INSUFFICIENT_WHATSAPP_BALANCE: [
    {
      when: "the same for WhatsApp: a code, a link, or a reply from the inbox",
      advice: topUp,
      failure: new PaymentRequired({ channel: "WHATSAPP", why: "BALANCE", amounts, requestId: null })
    }
  ],
  INSUFFICIENT_BALANCE: [
    {
      when: "the same for any other channel, which `message` names",
      advice: topUp,
      failure: new PaymentRequired({ channel: "EMAIL", why: "BALANCE", amounts, requestId: null })
    }
  ]
} as const satisfies CausesByCode
