import { countriesOf } from "../../foundation/identity/Identity.ts"
import { days, type Instant, type Millis, minutes, seconds } from "../../foundation/time/Instant.ts"
import { shown, type Zone, zoneOf } from "../../foundation/time/localDays.ts"

/** Newer platforms have the method, older ones the property, and some have neither. */
interface LocaleOfCountry extends Intl.Locale {
  readonly getTimeZones?: () => ReadonlyArray<string> | undefined
  readonly timeZones?: ReadonlyArray<string> | undefined
}

const zonesByCountry = new Map<string, ReadonlyArray<Zone>>()

/** The time zones of a country; empty when the platform knows none. */
export const zonesOf = (country: string): ReadonlyArray<Zone> => {
  const cachedZones = zonesByCountry.get(country)
  if (cachedZones !== undefined) return cachedZones
  const locale: LocaleOfCountry = new Intl.Locale(`und-${country}`)
  const names = locale.getTimeZones?.() ?? locale.timeZones ?? []
  const zones = names.flatMap((name) => zoneOf(name) ?? [])
  // The cache is bounded by the number of countries.
  zonesByCountry.set(country, zones)
  return zones
}

/**
 * `HH:MM` on the recipient's clock. When `from` is later than `to`, the span crosses midnight. Equal values disable
 * quiet hours.
 */
export interface QuietHours {
  readonly from: string
  readonly to: string
}

/** A part of each day in milliseconds since midnight, without its end. */
interface Span {
  readonly from: Millis
  readonly to: Millis
}

const day = days(1)
const minute = minutes(1)
const second = seconds(1)
/**
 * Clocks within one country differ by less than a day, so a zone set without a free moment in two days never has one.
 */
const horizon = days(2)

const sinceMidnight = (clock: string): Millis => (Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))) * minute

const timeOfDay = (local: Instant): Millis => ((local % day) + day) % day

const isWithin = ({ from, to }: Span, time: Millis): boolean =>
  from < to ? from <= time && time < to : time >= from || time < to

const isQuiet = (span: Span, zone: Zone, at: Instant): boolean => isWithin(span, timeOfDay(shown(zone, at)))

/** How far the zone's clock is ahead of UTC, at a whole second. */
const offset = (zone: Zone, at: Instant): Millis => shown(zone, at) - at

/** The first instant in (`before`, `after`] at which the zone's offset has changed. */
const changeBetween = (zone: Zone, before: Instant, after: Instant): Instant => {
  const offsetBefore = offset(zone, before)
  let [unchanged, changed] = [before, after]
  while (changed - unchanged > second) {
    const middle = unchanged + Math.floor((changed - unchanged) / 2 / second) * second
    if (offset(zone, middle) === offsetBefore) unchanged = middle
    else changed = middle
  }
  return changed
}

/** The end of the quiet span around `at` by the wall clock, also across clock changes. */
const endOf = (span: Span, zone: Zone, at: Instant): Instant => {
  const end = at + timeOfDay(span.to - timeOfDay(shown(zone, at)))
  if (offset(zone, end) === offset(zone, at)) return end
  const change = changeBetween(zone, at, end)
  return isQuiet(span, zone, change) ? endOf(span, zone, change) : change
}

/** The first instant from `now` on that is quiet in no zone; `"NEVER"` when at least one zone is quiet at any time. */
const freeIn = (span: Span, zones: ReadonlyArray<Zone>, now: Instant): Instant | "NEVER" => {
  for (let at = now; at - now <= horizon; ) {
    const ends = zones.filter((zone) => isQuiet(span, zone, at)).map((zone) => endOf(span, zone, at))
    if (ends.length === 0) return at
    at = Math.max(...ends)
  }
  return "NEVER"
}

/**
 * Picks a zone when the zones share no free time: the one whose clock agrees with the merchant's, otherwise the middle
 * one.
 */
const chosenOf = (zones: ReadonlyArray<Zone>, home: Zone | null, now: Instant): Zone => {
  const isHere = (zone: Zone) => home !== null && offset(zone, now) === offset(home, now)
  const byOffset = zones.toSorted((a, b) => offset(a, now) - offset(b, now))
  return zones.find(isHere) ?? byOffset[Math.floor(byOffset.length / 2)]!
}

const freeFrom = (span: Span, zones: ReadonlyArray<Zone>, home: Zone | null, now: Instant): Instant => {
  const among = zones.length > 0 ? zones : home === null ? [] : [home]
  const free = freeIn(span, among, now)
  if (free !== "NEVER") return free
  const chosen = freeIn(span, [chosenOf(among, home, now)], now)
  return chosen === "NEVER" ? now : chosen
}

/** Answers for the current minute: a campaign asks for the same country many times. */
const answers = { minute: 0, byCountries: new Map<string, Instant>() }
const mostAnswers = 1_000

/**
 * Returns when quiet hours end for a number; null when the number may receive messages now. Uses the time of the
 * number's country. In a country with several zones, quiet hours apply while any zone is quiet. When that leaves no
 * free time, the merchant's zone counts if its clock agrees with one of them, otherwise the middle zone. Numbers
 * without a country, such as satellite phones, use the merchant's zone.
 *
 * @example
 * ```ts
 * import { quietUntil } from "@countersign/core"
 *
 * // 22:00 in India: quiet until 9:00.
 * quietUntil("+919876543210", { from: "21:00", to: "09:00" }, "Asia/Kolkata", Date.UTC(2030, 0, 7, 16, 30))
 * // = Date.UTC(2030, 0, 8, 3, 30)
 * ```
 */
export const quietUntil = (phone: string, hours: QuietHours, timeZone: string, now: Instant): Instant | null => {
  const span = { from: sinceMidnight(hours.from), to: sinceMidnight(hours.to) }
  if (span.from === span.to) return null
  // Quiet hours and clock changes fall on whole minutes, so the answer is constant within a minute.
  const at = Math.floor(now / minute) * minute
  if (answers.minute !== at || answers.byCountries.size >= mostAnswers) {
    answers.minute = at
    answers.byCountries.clear()
  }
  const countries = countriesOf(phone.replace(/^\+/, ""))
  const key = `${hours.from}${hours.to}${timeZone} ${countries.join()}`
  const free = answers.byCountries.get(key) ?? freeFrom(span, countries.flatMap(zonesOf), zoneOf(timeZone), at)
  answers.byCountries.set(key, free)
  return free === at ? null : free
}
