import type { Price } from "./charge.ts"
import type { Till } from "./Till.ts"

/**
 * The price of a message that was given back and turns out to have been sent. It is taken now if the balance reaches; if
 * not the message costs nothing, for it cannot be called back. No cap of a day keeps it from being paid.
 */
export const revivedPrice = (price: Price, { funds }: Till): Price => {
  const canPay = funds !== null && funds.balance.amount + funds.balance.creditLimit >= price.amount
  return canPay ? { ...price, cap: null } : { ...price, day: null }
}
