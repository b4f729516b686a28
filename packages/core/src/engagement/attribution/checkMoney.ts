import { Result } from "effect"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { isCurrency } from "../../account/merchant/currency.ts"
import { invalid } from "./attributionFields.ts"
import type { Money } from "./Touch.ts"

const mostDecimals = 6
const perUnit = 1_000_000n
const most = 1_000_000_000_000

/**
 * Converts an amount by its decimal digits: 0.1 is exactly a tenth, not the nearest binary fraction. This keeps sums
 * exact.
 */
export const checkMoney = (
  value: number | null | undefined,
  currency: string | null | undefined
): Result.Result<Money | null, InvalidField> => {
  if (currency != null && !isCurrency(currency)) {
    return invalid("currency", "must be an ISO 4217 currency code in upper case, such as INR")
  }
  if (value == null) return currency == null ? Result.succeed(null) : invalid("currency", "needs a value")
  const [, units, decimals = ""] = /^(\d+)(?:\.(\d{1,6}))?$/.exec(String(Object.is(value, -0) ? 0 : value)) ?? []
  if (units === undefined || value > most) {
    return invalid("value", `must be a number from 0 to ${most} with at most ${mostDecimals} decimals`)
  }
  const micros = BigInt(units) * perUnit + BigInt(decimals.padEnd(mostDecimals, "0"))
  return Result.succeed({ micros, currency: currency ?? "" })
}

/** Converts an amount to units. The result is the nearest number, which is exact up to 15 digits. */
export const unitsOf = (micros: bigint): number =>
  Number(`${micros / perUnit}.${String(micros % perUnit).padStart(mostDecimals, "0")}`)
