import { channelName, channelNamesIn } from "../../words/channels.ts"
import { count, country, money, seconds } from "../../words/format.ts"
import type { SettingName } from "../../words/settingsIndex.ts"
import { entryName, languageName } from "./entries.ts"
import { type ListOf, type Settings, spec } from "./spec.ts"
import { say } from "./words.ts"

const listed = (lines: ReadonlyArray<string>, of: ListOf | undefined) =>
  lines.length <= 3 ? lines.map((line) => entryName(line, of)).join(", ") : say.lines(lines.length)

const isEmpty = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === "" ||
  (typeof value === "object" && Object.values(value).every((each) => each == null))

/** A value as short text. */
export const shownValue = (name: SettingName, value: unknown, currency: string | null = null): string => {
  const { control } = spec[name]
  if (isEmpty(value)) return say.none[name] ?? say.nothingSet
  if (value === 0 && say.zero[name] !== undefined) return say.zero[name]
  switch (control.kind) {
    case "switch":
      return value === true ? say.on : say.off
    case "channel":
      return channelName(String(value))
    case "logo":
      return say.logo.set
    case "billing":
      return value === "PREPAID" ? say.billing.PREPAID : say.billing.OFF
    case "lines":
      return listed(value as ReadonlyArray<string>, control.of)
    case "country":
      return country(String(value))
    case "language":
      return languageName(String(value))
    case "quietHours": {
      const { from, to } = value as NonNullable<Settings["quietHours"]>
      return say.hours(from, to)
    }
    case "prices": {
      const given = value as Settings["prices"]
      return channelNamesIn(given)
        .flatMap((channel) => {
          const price = given[channel]
          // A change that added or removed a channel's price has null on its other side.
          if (price == null) return []
          const amount = typeof price === "number" ? price : price.default
          return [`${channelName(channel)} ${money(amount, currency)}${typeof price === "number" ? "" : " …"}`]
        })
        .join(", ")
    }
    case "caps": {
      const given = value as Settings["dailyCap"]
      return channelNamesIn(given)
        .flatMap((channel) =>
          given[channel] == null ? [] : [`${channelName(channel)} ${money(given[channel], currency)}`]
        )
        .join(", ")
    }
    case "number":
      return numberShown(control.unit, Number(value), currency)
    default:
      return String(value)
  }
}

const numberShown = (unit: string, value: number, currency: string | null) => {
  if (unit === "seconds") return seconds(value)
  if (unit === "money") return money(value, currency)
  return `${count(value)} ${say.units[unit]}`.trim()
}
