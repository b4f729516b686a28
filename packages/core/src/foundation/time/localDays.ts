import { Result } from "effect"
import { days, type Instant } from "./Instant.ts"

/** The days of a time zone that a span of time touches. */
export interface LocalDays {
  /** `2026-01-31`, the earliest first. */
  readonly names: ReadonlyArray<string>
  /** When each of them begins; the first of them when the span does. */
  readonly begin: ReadonlyArray<Instant>
}

/** What tells a zone's own time. */
export type Zone = Intl.DateTimeFormat

const zones = new Map<string, Zone | null>()
const mostZones = 1_000

/** Offsets are no zones: `+05:30` means one thing here, and another to other programs. */
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

/** The time zone of that name in the IANA database, or null when there is none. */
export const zoneOf = (name: string): Zone | null => {
  const known = zones.get(name)
  if (known !== undefined) return known
  const made = makeZone(name)
  if (zones.size < mostZones) zones.set(name, made)
  return made
}

/** A moment as clocks of the zone show it, to the second, as if it were UTC. */
export const shown = (zone: Zone, instant: Instant): Instant => {
  const parts = Object.fromEntries(zone.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const { day = 1, hour = 0, minute = 0, month = 1, second = 0, year = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

const day = days(1)
const dayOf = (zone: Zone, instant: Instant): number => Math.floor(shown(zone, instant) / day)
const nameOf = (number: number): string => new Date(number * day).toISOString().slice(0, 10)

/**
 * The first moment at which clocks of the zone show that day or a later one. Usually it is midnight; where clocks are set
 * forward over midnight, or skip the day, it is the moment at which they are set.
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

/** Midnight of the day of a moment, moved by so many days. */
export const midnight = (zone: Zone, instant: Instant, moved = 0): Instant =>
  beginOf(zone, dayOf(zone, instant) + moved)

/** The day of a moment: `2026-01-31`. */
export const dayName = (zone: Zone, instant: Instant): string => nameOf(dayOf(zone, instant))

/** The days that a span touches: from its beginning up to its end, which is not in it. */
export const localDays = (zone: Zone, from: Instant, to: Instant): LocalDays => {
  if (from >= to) return { names: [], begin: [] }
  const first = dayOf(zone, from)
  const numbers = Array.from({ length: dayOf(zone, to - 1) - first + 1 }, (_, index) => first + index)
  return {
    names: numbers.map(nameOf),
    begin: numbers.map((number, index) => (index === 0 ? from : beginOf(zone, number)))
  }
}
