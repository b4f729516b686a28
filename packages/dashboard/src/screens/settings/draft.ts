import type { Control, Settings } from "./spec.ts"
import { channelNamesIn } from "../../words/channels.ts"

/** Typed text by field. A single-field setting uses `value`. */
export type Typed = { readonly [field: string]: string }

/** The parsed value, or the reason why it is invalid, with a number for the message. */
export type Read =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly why: "number" | "empty" | "text" | "most" | "line" | "price" | "prefix" | "hours" | "colour"
    }

const no = (why: Extract<Read, { readonly ok: false }>["why"]): Read => ({ ok: false, why })
const yes = (value: unknown): Read => ({ ok: true, value })

const wholeNumber = (text: string, min: number, max: number): number | null => {
  const value = Number(text)
  return /^\d{1,15}$/.test(text) && value >= min && value <= max ? value : null
}

const linesOf = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "")

type Price = NonNullable<Settings["prices"]["SMS"]>

const priceTyped = (price: Price | undefined): readonly [string, string] => {
  if (price === undefined) return ["", ""]
  if (typeof price === "number") return [String(price), ""]
  return [
    String(price.default),
    Object.entries(price.prefixes)
      .map(([prefix, amount]) => `${prefix} ${amount}`)
      .join("\n")
  ]
}

/** A stored value as text for its fields. */
export const typedOf = (control: Control, stored: unknown): Typed => {
  switch (control.kind) {
    case "lines":
      return { value: ((stored ?? []) as ReadonlyArray<string>).join("\n") }
    case "quietHours": {
      const hours = stored as Settings["quietHours"]
      return { from: hours?.from ?? "", to: hours?.to ?? "" }
    }
    case "prices":
      return Object.fromEntries(
        channelNamesIn(stored as Settings["prices"]).flatMap((channel) => {
          const [price, prefixes] = priceTyped((stored as Settings["prices"])[channel])
          return [
            [channel, price],
            [`${channel}.prefixes`, prefixes]
          ]
        })
      )
    case "caps":
      return Object.fromEntries(
        channelNamesIn(stored as Settings["dailyCap"]).map((channel) => [
          channel,
          String((stored as Settings["dailyCap"])[channel] ?? "")
        ])
      )
    default:
      return { value: stored === null ? "" : String(stored as string | number | boolean) }
  }
}

const prefixesOf = (text: string, max: number): { readonly [prefix: string]: number } | null => {
  const prices: { [prefix: string]: number } = {}
  for (const line of linesOf(text)) {
    const [, prefix, price] = /^\+?([1-9]\d{0,14})[\s,;:=]+(\d+)$/.exec(line) ?? []
    const amount = price === undefined ? null : wholeNumber(price, 0, max)
    if (prefix === undefined || amount === null) return null
    prices[prefix] = amount
  }
  return prices
}

/** Field name: the channel, or the channel with a suffix. */
const channelsOf = (typed: Typed) => new Set(Object.keys(typed).map((field) => field.split(".")[0]!))

const pricesOf = (typed: Typed, max: number): Read => {
  const prices: { [channel: string]: unknown } = {}
  for (const channel of channelsOf(typed)) {
    const [text, prefixLines] = [(typed[channel] ?? "").trim(), typed[`${channel}.prefixes`] ?? ""]
    const prefixes = prefixesOf(prefixLines, max)
    if (prefixes === null) return no("prefix")
    const hasPrefixes = Object.keys(prefixes).length > 0
    if (text === "" && !hasPrefixes) continue
    const amount = wholeNumber(text, 0, max)
    if (amount === null) return no("price")
    prices[channel] = hasPrefixes ? { default: amount, prefixes } : amount
  }
  return yes(prices)
}

const capsOf = (typed: Typed, max: number): Read => {
  const caps: { [channel: string]: number } = {}
  for (const channel of channelsOf(typed)) {
    const text = (typed[channel] ?? "").trim()
    if (text === "") continue
    const amount = wholeNumber(text, 0, max)
    if (amount === null) return no("price")
    caps[channel] = amount
  }
  return yes(caps)
}

const clock = /^([01]\d|2[0-3]):[0-5]\d$/

/** Parses the typed text. Checks that need data, such as existing countries, are left to the service. */
export const readTyped = (control: Control, typed: Typed): Read => {
  const text = (typed["value"] ?? "").trim()
  switch (control.kind) {
    case "number": {
      if (text === "" && control.null) return yes(null)
      const value = wholeNumber(text, control.least, control.most)
      return value === null ? no("number") : yes(value)
    }
    case "switch":
      return yes(text === "true")
    case "channel":
      return yes(text === "" ? null : text)
    case "billing":
      return yes(text)
    case "text":
      if (text === "" && control.null) return yes(null)
      return text.length <= control.longest && control.pattern.test(text) ? yes(text) : no("text")
    case "lines": {
      const lines = linesOf(typed["value"] ?? "")
      if (lines.length > control.most) return no("most")
      return yes(lines.length === 0 && control.null ? null : [...new Set(lines)])
    }
    case "colour": {
      const colour = /^#?([0-9a-f]{6})$/i.exec(text)?.[1]
      return text === "" ? yes(null) : colour === undefined ? no("colour") : yes(`#${colour.toLowerCase()}`)
    }
    case "logo":
      return yes(text === "" ? null : text)
    case "quietHours": {
      const [from, to] = [typed["from"] ?? "", typed["to"] ?? ""]
      if (from === "" && to === "") return yes(null)
      return clock.test(from) && clock.test(to) ? yes({ from, to }) : no("hours")
    }
    case "zone":
      return text === "" ? no("empty") : yes(text)
    case "prices":
      return pricesOf(typed, control.most)
    case "caps":
      return capsOf(typed, control.most)
  }
}

/** Deep equality, ignoring the order of fields. Equal values need no saving. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(
          Object.entries(inner)
            .filter(([, value]) => value !== null)
            .sort(([a], [b]) => (a < b ? -1 : 1))
        )
      : inner
  )

export const isSame = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b)

interface Change {
  readonly at: string
  readonly from: { readonly [name: string]: unknown } | null
  readonly to: { readonly [name: string]: unknown } | null
}

/** The changes of one setting, newest first. */
export const changesOf = <C extends Change>(changes: ReadonlyArray<C>, name: string): ReadonlyArray<C> =>
  changes.filter(({ from, to }) => Object.hasOwn(from ?? {}, name) || Object.hasOwn(to ?? {}, name))
