import type { BilledByOperator, PaymentRequired } from "@countersign/core"
import type { ErrorCode } from "../contract/ErrorEnvelope.ts"
import { defineErrors } from "../ErrorTable.ts"

const codeOf = ({ channel, why }: PaymentRequired): ErrorCode => {
  if (why === "NO_PRICE") return "BILLING_NOT_CONFIGURED"
  if (channel === "SMS") return "INSUFFICIENT_SMS_BALANCE"
  return channel === "WHATSAPP" ? "INSUFFICIENT_WHATSAPP_BALANCE" : "INSUFFICIENT_BALANCE"
}

const messageOf = ({ amounts, channel, why }: PaymentRequired): string => {
  if (why === "NO_PRICE")
    return `No price is set for ${channel}, and billing is PREPAID: it must get one in the setting prices`
  const isCap = why === "CAP"
  if (amounts === null) return `This account cannot pay for a message over ${channel} ${isCap ? "today" : "now"}`
  const { currency, left, price } = amounts
  const costs = `A message over ${channel} costs ${price} (in the smallest unit of ${currency}), and`
  return isCap
    ? `${costs} the day's cap leaves ${left}: wait for tomorrow, raise dailyCap in your settings, or use another channel`
    : `${costs} the balance leaves ${left}: top up, or use another channel`
}

const operatorOnly = {
  TOP_UP: "Whoever runs this service pays in for its merchants: ask them for a top-up",
  SETTINGS: "billing and prices are set by whoever runs this service: ask them, or send the change without both",
  CREDIT: "Credit and corrections are for whoever runs this service"
} as const

/** How money fails, on the wire. */
export const errors = defineErrors({
  BilledByOperator: ({ what }: BilledByOperator) => ({ errorCode: "FORBIDDEN", message: operatorOnly[what] }),
  PaymentRequired: (failure: PaymentRequired) => ({
    errorCode: codeOf(failure),
    message: messageOf(failure),
    requestId: failure.requestId
  })
})
