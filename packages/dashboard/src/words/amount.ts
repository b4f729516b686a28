/** Decimal digits of a currency: 2 for rupees, 0 for yen. */
export const digitsOf = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2

/** An amount in the currency's main unit, exact: 2035 paise are `20.35`. */
export const mainUnit = (amount: number, currency: string): string => {
  const digits = digitsOf(currency)
  const text = String(Math.abs(amount)).padStart(digits + 1, "0")
  const split = text.length - digits
  return `${amount < 0 ? "-" : ""}${text.slice(0, split)}${digits === 0 ? "" : `.${text.slice(split)}`}`
}

/**
 * Parses an amount into the smallest unit: `1,499.50` rupees is 149950. Null when it is below
 * `least` or has too many decimals. Accepts Devanagari digits.
 */
export const amountIn = (typed: string, currency: string, least = 1): number | null => {
  const digits = digitsOf(currency)
  const text = typed
    .trim()
    .replaceAll(/[\u0966-\u096f]/g, (digit) => String(digit.charCodeAt(0) - 0x0966))
    .replaceAll(/[,\s]/g, "")
  const parts = /^(\d{1,13})(?:\.(\d*))?$/.exec(text)
  if (parts === null) return null
  const fraction = parts[2] ?? ""
  if (fraction.length > digits) return null
  const amount = Number(`${parts[1]}${fraction.padEnd(digits, "0")}`)
  return Number.isSafeInteger(amount) && amount >= least ? amount : null
}
