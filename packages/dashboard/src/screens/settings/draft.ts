import type { Control, Settings } from "./spec.ts"
import { amountIn, mainUnit } from "../../words/amount.ts"
import { channelNamesIn } from "../../words/channels.ts"
import type { SettingName } from "../../words/settingsIndex.ts"

/** Typed text by field. A single-field setting uses `value`. */
export type Typed = { readonly [field: string]: string }

/** What the control of a setting draws, and whom it tells what was typed. */
export interface ControlProps {
  readonly name: SettingName
  readonly control: Control
  readonly typed: Typed
  readonly onType: (field: string, text: string) => void
  readonly currency: string | null
  readonly problem: string | undefined
  /** Read-only, for roles that cannot change the setting. */
  readonly locked: boolean
}

/** The parsed value, or the reason why it is invalid, with a number for the message. */
export type Read =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly why: "number" | "empty" | "text" | "most" | "line" | "price" | "prefix" | "hours" | "amount" | "colour"
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

/** Amounts are edited in the currency's main unit. Without a known currency they are in the smallest unit. */
const amountText = (amount: number, currency: string | null): string =>
  currency === null ? String(amount) : mainUnit(amount, currency)

const amountOf = (text: string, max: number, currency: string | null): number | null => {
  if (currency === null) return wholeNumber(text, 0, max)
  const amount = amountIn(text, currency, 0)
  return amount !== null && amount <= max ? amount : null
}

/** The units in which a duration can be edited. */
export const durationUnits = ["seconds", "minutes", "hours"] as const
export type DurationUnit = (typeof durationUnits)[number]
const secondsIn: { readonly [U in DurationUnit]: number } = { seconds: 1, minutes: 60, hours: 3_600 }

/** The largest unit that holds a duration without a fraction. */
const durationText = (seconds: number): Typed => {
  const unit =
    (["hours", "minutes"] as const).find((each) => seconds > 0 && seconds % secondsIn[each] === 0) ?? "seconds"
  return { value: String(seconds / secondsIn[unit]), unit }
}

/** Whole seconds of a typed duration, such as `1.5` minutes. Null when they are not whole or not a number. */
export const secondsOf = ({ unit = "seconds", value = "" }: Typed): number | null => {
  const factor = secondsIn[unit as DurationUnit]
  if (factor === undefined || !/^\d{1,9}(\.\d{1,6})?$/.test(value.trim())) return null
  // Rounded to a millionth: 0.1 hours are 360 seconds, not 360.00000000000006.
  const seconds = Math.round(Number(value) * factor * 1e6) / 1e6
  return Number.isInteger(seconds) ? seconds : null
}

type Price = NonNullable<Settings["prices"]["SMS"]>

const priceTyped = (price: Price | undefined, currency: string | null): readonly [string, string] => {
  if (price === undefined) return ["", ""]
  if (typeof price === "number") return [amountText(price, currency), ""]
  return [
    amountText(price.default, currency),
    Object.entries(price.prefixes)
      .map(([prefix, amount]) => `${prefix} ${amountText(amount, currency)}`)
      .join("\n")
  ]
}

/** A stored value as text for its fields. */
export const typedOf = (control: Control, stored: unknown, currency: string | null): Typed => {
  switch (control.kind) {
    case "number":
      if (stored === null) return { value: "" }
      return control.unit === "seconds"
        ? durationText(stored as number)
        : { value: control.unit === "money" ? amountText(stored as number, currency) : String(stored as number) }
    case "lines":
      return { value: ((stored ?? []) as ReadonlyArray<string>).join("\n") }
    case "quietHours": {
      const hours = stored as Settings["quietHours"]
      return { from: hours?.from ?? "", to: hours?.to ?? "" }
    }
    case "prices":
      return Object.fromEntries(
        channelNamesIn(stored as Settings["prices"]).flatMap((channel) => {
          const [price, prefixes] = priceTyped((stored as Settings["prices"])[channel], currency)
          return [
            [channel, price],
            [`${channel}.prefixes`, prefixes]
          ]
        })
      )
    case "caps":
      return Object.fromEntries(
        channelNamesIn(stored as Settings["dailyCap"]).map((channel) => {
          const cap = (stored as Settings["dailyCap"])[channel]
          return [channel, cap == null ? "" : amountText(cap, currency)]
        })
      )
    default:
      return { value: stored === null ? "" : String(stored as string | number | boolean) }
  }
}

const prefixesOf = (
  text: string,
  max: number,
  currency: string | null
): { readonly [prefix: string]: number } | null => {
  const prices: { [prefix: string]: number } = {}
  for (const line of linesOf(text)) {
    const [, prefix, price] = /^\+?([1-9]\d{0,14})[\s,;:=]+(\d[\d.]*)$/.exec(line) ?? []
    const amount = price === undefined ? null : amountOf(price, max, currency)
    if (prefix === undefined || amount === null) return null
    prices[prefix] = amount
  }
  return prices
}

/** Field name: the channel, or the channel with a suffix. */
const channelsOf = (typed: Typed) => new Set(Object.keys(typed).map((field) => field.split(".")[0]!))

const pricesOf = (typed: Typed, max: number, currency: string | null): Read => {
  const prices: { [channel: string]: unknown } = {}
  for (const channel of channelsOf(typed)) {
    const [text, prefixLines] = [(typed[channel] ?? "").trim(), typed[`${channel}.prefixes`] ?? ""]
    const prefixes = prefixesOf(prefixLines, max, currency)
    if (prefixes === null) return no("prefix")
    const hasPrefixes = Object.keys(prefixes).length > 0
    if (text === "" && !hasPrefixes) continue
    const amount = amountOf(text, max, currency)
    if (amount === null) return no("price")
    prices[channel] = hasPrefixes ? { default: amount, prefixes } : amount
  }
  return yes(prices)
}

const capsOf = (typed: Typed, max: number, currency: string | null): Read => {
  const caps: { [channel: string]: number } = {}
  for (const channel of channelsOf(typed)) {
    const text = (typed[channel] ?? "").trim()
    if (text === "") continue
    const amount = amountOf(text, max, currency)
    if (amount === null) return no("price")
    caps[channel] = amount
  }
  return yes(caps)
}

const clock = /^([01]\d|2[0-3]):[0-5]\d$/

/** Parses the typed text. Checks that need data, such as existing countries, are left to the service. */
export const readTyped = (control: Control, typed: Typed, currency: string | null): Read => {
  const text = (typed["value"] ?? "").trim()
  switch (control.kind) {
    case "number": {
      if (text === "" && control.null) return yes(null)
      if (control.unit === "money") {
        const amount = amountOf(text, control.most, currency)
        return amount === null ? no("amount") : yes(amount)
      }
      const value =
        control.unit === "seconds"
          ? secondsOf({ ...typed, value: text })
          : wholeNumber(text, control.least, control.most)
      return value === null || value < control.least || value > control.most ? no("number") : yes(value)
    }
    case "switch":
      return yes(text === "true")
    case "channel":
    case "country":
      return yes(text === "" ? null : text)
    case "language":
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
      return pricesOf(typed, control.most, currency)
    case "caps":
      return capsOf(typed, control.most, currency)
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
