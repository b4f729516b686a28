import type { Item } from "../../api/Api.ts"

export type Attention = Item<"GET /v1/dashboard/attention">

/** Whether it prevents verifications or webhooks now. Others can wait an hour. */
export const isGrave = (item: Attention): boolean => {
  switch (item.code) {
    case "CHANNEL_OFF":
      return item.role === "PRIMARY"
    case "CARRIER_PAUSED":
    case "CUSTOMERS_WAITING":
    case "KEY_RETIRING":
    case "BALANCE_LOW":
      return false
    default:
      return true
  }
}

/** Tells two items apart. */
export const idOf = (item: Attention): string => {
  const { channel, carrier, country, webhookId, keyId } = item as Readonly<Record<string, unknown>>
  return JSON.stringify([item.code, channel, carrier, country, webhookId, keyId])
}
