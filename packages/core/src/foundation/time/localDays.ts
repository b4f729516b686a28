import { Result } from "effect"
import { days, type Instant } from "./Instant.ts"

/** The days of a time zone within a period. */
export interface LocalDays {
  /** `2026-01-31`, earliest first. */
  readonly names: ReadonlyArray<string>
  /** When each day begins. The first one begins with the period. */
  readonly begin: ReadonlyArray<Instant>
}

/** Formats times in a zone. */
export type Zone = Intl.DateTimeFormat

const zones = new Map<string, Zone | null>()
const mostZones = 1_000

/** UTC offsets are rejected as zones, because programs disagree about the meaning of `+05:30`. */
const zoneName = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/

const makeZone = (name: string): Zone | null =>
  name.length > 64 || !zoneName.test(name)
    ? null
    : Result.getOrElse(
        Result.try(
          (): Zone | null =>
            new Intl.DateTimeFormat("en-u-ca-iso8601", {
              timeZone: name,
              hourCycle: "h23",
              year: "numeric",
              month: "numeric",
              day: "numeric",
              hour: "numeric",
              minute: "numeric",
              second: "numeric"
            })
        ),
        () => null
      )

/** The IANA time zone with that name; null when it does not exist. */
export const zoneOf = (name: string): Zone | null => {
  const cached = zones.get(name)
  if (cached !== undefined) return cached
  const zone = makeZone(name)
  if (zones.size < mostZones) zones.set(name, zone)
  return zone
}

/** The zone's local time at an instant, to the second, encoded as if it were UTC. */
export const shown = (zone: Zone, instant: Instant): Instant => {
  const parts = Object.fromEntries(zone.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const { day = 1, hour = 0, minute = 0, month = 1, second = 0, year = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

const day = days(1)
const dayOf = (zone: Zone, instant: Instant): number => Math.floor(shown(zone, instant) / day)
const nameOf = (number: number): string => new Date(number * day).toISOString().slice(0, 10)

/**
 * The first instant of that day or a later one in the zone. Usually midnight; when the clock change skips midnight or
 * the whole day, the instant of the change.
 */
const beginOf = (zone: Zone, number: number): Instant => {
  const midnight = number * day
  let guess = midnight - (shown(zone, midnight) - midnight)
  guess = midnight - (shown(zone, guess) - guess)
  if (dayOf(zone, guess) >= number && dayOf(zone, guess - 1) < number) return guess
  let [before, after] = [midnight - 2 * day, midnight + 2 * day]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dayOf(zone, middle) >= number) after = middle
    else before = middle
  }
  return after
}

/** The first instant of a calendar day in the zone. The day is given as its midnight in UTC. */
export const beginOfDay = (zone: Zone, utcMidnight: Instant): Instant => beginOf(zone, Math.floor(utcMidnight / day))

/** Midnight of an instant's day, moved by `moved` days. */
export const midnight = (zone: Zone, instant: Instant, moved = 0): Instant =>
  beginOf(zone, dayOf(zone, instant) + moved)

/** The local day of an instant: `2026-01-31`. */
export const dayName = (zone: Zone, instant: Instant): string => nameOf(dayOf(zone, instant))

/** The days of a period, from its start up to but excluding its end. */
export const localDays = (zone: Zone, from: Instant, to: Instant): LocalDays => {
  if (from >= to) return { names: [], begin: [] }
  const first = dayOf(zone, from)
  const numbers = Array.from({ length: dayOf(zone, to - 1) - first + 1 }, (_, index) => first + index)
  return {
    names: numbers.map(nameOf),
    begin: numbers.map((number, index) => (index === 0 ? from : beginOf(zone, number)))
  }
}
