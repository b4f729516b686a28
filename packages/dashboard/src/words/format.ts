import { language } from "./language.ts"
import { zone } from "./zone.ts"

/** Whether Intl supports a language tag. Some browsers report tags that it rejects, such as `en-US@posix`. */
const isKnown = (tag: string) => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}

/** Locale of numbers and dates: the language of the page in the viewer's region. */
const locale =
  language === "hi"
    ? "hi-IN"
    : (globalThis.navigator?.languages.find((tag) => tag.startsWith("en") && isKnown(tag)) ?? "en")

/** The full stop of the page's language, between two texts that are also used without it. */
export const stop = language === "hi" ? "।" : "."

const whole = new Intl.NumberFormat(locale)
const share = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 })
const exact = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" })
const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" })
const clockOfSeconds = new Intl.DateTimeFormat(locale, { timeStyle: "medium" })
const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" })
const dayOfYear = new Intl.DateTimeFormat(locale, { dateStyle: "medium" })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" })

export const count = (value: number): string => whole.format(value)

/** A share in percent, or a dash when the whole is zero. */
export const percent = (part: number, of: number): string => (of === 0 ? "–" : share.format(part / of))

/** A difference in percentage points, with its sign. */
export const points = (difference: number): string => {
  const value = Math.round(difference * 1000) / 10
  return `${value > 0 ? "+" : value < 0 ? "−" : "±"}${whole.format(Math.abs(value))}`
}

/** A relative change with its sign, or null when there is no base. */
export const change = (now: number, before: number): string | null =>
  before === 0 ? null : `${now >= before ? "+" : "−"}${share.format(Math.abs(now - before) / before)}`

const unit = (value: number, unit: string, digits = 0) =>
  new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: digits }).format(
    value
  )

/** A duration: `340 ms`, `4.2 s`, `3 min`, `5 h`. */
export const duration = (ms: number): string => {
  if (ms < 1_000) return unit(Math.round(ms), "millisecond")
  if (ms < 60_000) return unit(ms / 1_000, "second", ms < 10_000 ? 1 : 0)
  if (ms < 3_600_000) return unit(Math.round(ms / 60_000), "minute")
  if (ms < 172_800_000) return unit(Math.round(ms / 3_600_000), "hour")
  return unit(Math.round(ms / 86_400_000), "day")
}

/** A number of seconds without rounding: `90 s`, `5 min`, `24 h`. */
export const seconds = (value: number): string =>
  value === 0 || value % 60 !== 0
    ? unit(value, "second")
    : value % 3_600 === 0
      ? unit(value / 3_600, "hour")
      : unit(value / 60, "minute")

/** An amount in the smallest unit, formatted. Without a currency it is a plain number. */
export const money = (amount: number, currency: string | null, digits?: number): string => {
  if (currency === null) return whole.format(amount)
  const format = new Intl.NumberFormat(locale, { style: "currency", currency })
  const usual = format.resolvedOptions().maximumFractionDigits ?? 2
  const value = amount / 10 ** usual
  return digits === undefined
    ? format.format(value)
    : new Intl.NumberFormat(locale, { style: "currency", currency, maximumFractionDigits: digits }).format(value)
}

/** An amount in whole units of a currency reported by an app. Without a currency it is a plain number. */
export const worth = (value: number, currency: string | null): string => {
  if (currency === null || !/^[A-Z]{3}$/.test(currency)) return whole.format(value)
  return new Intl.NumberFormat(locale, { style: "currency", currency, maximumFractionDigits: 2 }).format(value)
}

/** To the second, with day and year. */
export const moment = (at: Date): string => exact.format(at)
export const time = (at: Date, seconds = false): string => (seconds ? clockOfSeconds : clock).format(at)

/** Time of a row, with the date unless it is today. */
export const clockOf = (at: Date, now: number): string => {
  const today = new Date(now)
  if (today.toDateString() === at.toDateString()) return time(at, true)
  return `${(today.getFullYear() === at.getFullYear() ? day : dayOfYear).format(at)}, ${time(at, true)}`
}

const steps = [
  [60, 1, "second"],
  [3_600, 60, "minute"],
  [86_400, 3_600, "hour"],
  [7 * 86_400, 86_400, "day"]
] as const

/**
 * `2 min ago`, `tomorrow`. After a week, the date. `ticked` moves in steps: a moment between it and `clock` is shown as
 * now, never as the future.
 */
export const ago = (at: Date, ticked: number, clock = ticked): string => {
  const now = Math.max(ticked, Math.min(at.getTime(), clock))
  const seconds = Math.round((at.getTime() - now) / 1_000)
  const step = steps.find(([below]) => Math.abs(seconds) < below)
  if (step === undefined)
    return new Date(now).getFullYear() === at.getFullYear() ? day.format(at) : dayOfYear.format(at)
  return relative.format(Math.round(seconds / step[1]), step[2])
}

const dayOfWeek = new Intl.DateTimeFormat(locale, { weekday: "long" })
/** Weekday, such as `Friday`. */
export const weekday = (at: Date): string => dayOfWeek.format(at)

const month = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric" })
/** Month and year, such as `November 2026`. */
export const monthOfYear = (at: Date): string => month.format(at)

export const date = (at: Date): string => dayOfYear.format(at)
export const shortDate = (at: Date): string => day.format(at)

const regions = new Intl.DisplayNames(locale, { type: "region" })

/** A country's name. An unknown code is returned unchanged. */
export const country = (code: string): string => {
  try {
    return regions.of(code) ?? code
  } catch {
    return code
  }
}

/** A file size in a suitable unit. */
export const size = (bytes: number): string =>
  bytes < 1_000
    ? unit(bytes, "byte")
    : bytes < 1_000_000
      ? unit(bytes / 1_000, "kilobyte")
      : unit(bytes / 1_000_000, "megabyte", 1)

export { zone }
/** The display name of the viewer's zone, such as `India Standard Time`. */
export const zoneName =
  new Intl.DateTimeFormat(locale, { timeZoneName: "long" }).formatToParts().find(({ type }) => type === "timeZoneName")
    ?.value ?? zone
