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
    return `${channel} has no price, but billing is PREPAID: set a price for it in the setting prices`
  const isCap = why === "CAP"
  if (amounts === null) return `This account cannot pay for ${channel} messages ${isCap ? "today" : "now"}`
  const { currency, left, price } = amounts
  const costs = `A message over ${channel} costs ${price} (in the smallest unit of ${currency}), but`
  return isCap
    ? `${costs} only ${left} is left of today's cap: wait until tomorrow, raise dailyCap in your settings, or use another channel`
    : `${costs} only ${left} is left: top up, or use another channel`
}

const operatorOnly = {
  TOP_UP: "Only the operator of this service can top up balances: ask them for a top-up",
  SETTINGS: "billing, prices: only the operator of this service can change them: ask them, or leave out both fields",
  CREDIT: "Only the operator of this service can change credit and make corrections"
} as const

/** The failures of billing. */
export const errors = defineErrors({
  BilledByOperator: ({ what }: BilledByOperator) => ({ errorCode: "FORBIDDEN", message: operatorOnly[what] }),
  PaymentRequired: (failure: PaymentRequired) => ({
    errorCode: codeOf(failure),
    message: messageOf(failure),
    requestId: failure.requestId
  })
})
