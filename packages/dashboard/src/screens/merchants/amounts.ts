import type { Answer } from "../../api/Api.ts"
import { amountIn } from "../../words/amount.ts"

type Prices = Answer<"GET /v1/admin/merchants/:id/billing">["items"][number]["prices"]
const channels = ["SMS", "WHATSAPP", "RCS", "EMAIL", "TRUECALLER"] as const

/** A positive or negative amount in the smallest unit, or null when the input is not an amount. */
export const correctionIn = (typed: string, currency: string): number | null => {
  const text = typed.trim()
  const isTaken = /^[-−]/.test(text)
  const amount = amountIn(text.replace(/^[-−+]/, ""), currency)
  return amount === null ? null : isTaken ? -amount : amount
}

/** A credit limit in the smallest unit. Zero is allowed. */
export const creditIn = (typed: string, currency: string): number | null =>
  /^[0०.,\s]*$/.test(typed) ? 0 : amountIn(typed, currency)

/** Prices as editable lines: channel, optional number prefix, price. */
export const linesOf = (prices: Prices): string =>
  channels
    .flatMap((channel) => {
      const price = prices[channel]
      if (price === undefined) return []
      if (typeof price === "number") return [`${channel} ${price}`]
      return [
        `${channel} ${price.default}`,
        ...Object.entries(price.prefixes).map(([prefix, amount]) => `${channel} ${prefix} ${amount}`)
      ]
    })
    .join("\n")

/** The prices of the lines, or the first invalid line. */
export const pricesIn = (text: string): { readonly prices: Prices } | { readonly wrong: string } => {
  const found: { [channel: string]: { default?: number; prefixes: { [prefix: string]: number } } } = {}
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    if (line === "") continue
    const parts = /^(\w+)(?:\s+\+?([1-9]\d{0,14}))?\s+(\d{1,10})$/.exec(line)
    const channel = channels.find((each) => each === parts?.[1]?.toUpperCase())
    if (parts === null || channel === undefined) return { wrong: line }
    const price = (found[channel] ??= { prefixes: {} })
    if (parts[2] === undefined) price.default = Number(parts[3])
    else price.prefixes[parts[2]] = Number(parts[3])
  }
  const prices: { [channel: string]: unknown } = {}
  for (const [channel, { default: defaultPrice, prefixes }] of Object.entries(found)) {
    if (defaultPrice === undefined) return { wrong: `${channel} …` }
    prices[channel] = Object.keys(prefixes).length === 0 ? defaultPrice : { default: defaultPrice, prefixes }
  }
  return { prices: prices as Prices }
}
