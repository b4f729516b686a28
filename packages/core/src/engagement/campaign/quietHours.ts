import { countriesOf } from "../../foundation/identity/Identity.ts"
import { days, type Instant, type Millis, minutes, seconds } from "../../foundation/time/Instant.ts"
import { shown, type Zone, zoneOf } from "../../foundation/time/localDays.ts"

/** Some platforms have the function, older ones the property, and some neither. */
interface LocaleOfCountry extends Intl.Locale {
  readonly getTimeZones?: () => ReadonlyArray<string> | undefined
  readonly timeZones?: ReadonlyArray<string> | undefined
}

const zonesByCountry = new Map<string, ReadonlyArray<Zone>>()

/** The zones whose clocks people of a country live by; none where the platform knows none. */
export const zonesOf = (country: string): ReadonlyArray<Zone> => {
  const found = zonesByCountry.get(country)
  if (found !== undefined) return found
  const locale: LocaleOfCountry = new Intl.Locale(`und-${country}`)
  const names = locale.getTimeZones?.() ?? locale.timeZones ?? []
  const zones = names.flatMap((name) => zoneOf(name) ?? [])
  // There are as many as countries have phone numbers.
  zonesByCountry.set(country, zones)
  return zones
}

/** `HH:MM` each, of the recipient's own clock. After midnight where `from` is the later one; equal ones mean never. */
export interface QuietHours {
  readonly from: string
  readonly to: string
}

/** A part of each day, in milliseconds since midnight: from its beginning up to its end, which is not in it. */
interface Span {
  readonly from: Millis
  readonly to: Millis
}

const day = days(1)
const minute = minutes(1)
const second = seconds(1)
/** Clocks of one country are less than a day apart: what is not free by then never is. */
const horizon = days(2)

const sinceMidnight = (clock: string): Millis => (Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))) * minute

const timeOfDay = (local: Instant): Millis => ((local % day) + day) % day

const isWithin = ({ from, to }: Span, time: Millis): boolean =>
  from < to ? from <= time && time < to : time >= from || time < to

const isQuiet = (span: Span, zone: Zone, at: Instant): boolean => isWithin(span, timeOfDay(shown(zone, at)))

/** By how much clocks of the zone are ahead of UTC, at a whole second. */
const offset = (zone: Zone, at: Instant): Millis => shown(zone, at) - at

/** The moment after `before`, up to `after`, at which clocks of the zone are changed. */
const changeBetween = (zone: Zone, before: Instant, after: Instant): Instant => {
  const old = offset(zone, before)
  let [same, other] = [before, after]
  while (other - same > second) {
    const middle = same + Math.floor((other - same) / 2 / second) * second
    if (offset(zone, middle) === old) same = middle
    else other = middle
  }
  return other
}

/** The first moment after `at`, a quiet one, that is not: by the clock on the wall, whenever it is changed. */
const endOf = (span: Span, zone: Zone, at: Instant): Instant => {
  const end = at + timeOfDay(span.to - timeOfDay(shown(zone, at)))
  if (offset(zone, end) === offset(zone, at)) return end
  const change = changeBetween(zone, at, end)
  return isQuiet(span, zone, change) ? endOf(span, zone, change) : change
}

/** The first moment that is quiet in none of the zones; `"NEVER"` where it is always quiet in one of them. */
const freeIn = (span: Span, zones: ReadonlyArray<Zone>, now: Instant): Instant | "NEVER" => {
  for (let at = now; at - now <= horizon; ) {
    const ends = zones.filter((zone) => isQuiet(span, zone, at)).map((zone) => endOf(span, zone, at))
    if (ends.length === 0) return at
    at = Math.max(...ends)
  }
  return "NEVER"
}

/** Of zones that leave no time together: the merchant's, if it is the time in one of them, else the middle one. */
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

/** Answers of the minute that is running: whoever writes to a country writes to many there. */
const answers = { minute: 0, byCountries: new Map<string, Instant>() }
const mostAnswers = 1_000

/**
 * Until when nobody writes to a number; null when one may write now. The time is that of the number's country. Of a
 * country with several zones it is quiet while it is quiet in any of them; where that would leave no time at all, the
 * merchant's own zone counts if its clocks agree with one of them, else the middle one. Of numbers that belong to no
 * country, such as satellite phones, the merchant's zone counts.
 *
 * @example
 * ```ts
 * import { quietUntil } from "@countersign/core"
 *
 * // 22:00 in India: nobody writes before 9:00.
 * quietUntil("+919876543210", { from: "21:00", to: "09:00" }, "Asia/Kolkata", Date.UTC(2030, 0, 7, 16, 30))
 * // = Date.UTC(2030, 0, 8, 3, 30)
 * ```
 */
export const quietUntil = (phone: string, hours: QuietHours, timeZone: string, now: Instant): Instant | null => {
  const span = { from: sinceMidnight(hours.from), to: sinceMidnight(hours.to) }
  if (span.from === span.to) return null
  // Hours begin and end with a minute, and so do the changes of clocks: within one the answer is the same.
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
