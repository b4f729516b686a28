import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type QuietHours, quietUntil, zonesOf } from "../../src/engagement/campaign/quietHours.ts"
import { countriesOf } from "../../src/foundation/identity/Identity.ts"

const minute = 60_000
const home = "Asia/Kolkata"
const night: QuietHours = { from: "21:00", to: "09:00" }

const until = (phone: string, hours: QuietHours, now: string, zone = home): string | null => {
  const instant = quietUntil(phone, hours, zone, Date.parse(now))
  return instant === null ? null : new Date(instant).toISOString().replace(":00.000Z", "Z")
}

const clockIn = (timeZone: string) => new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" })

/** Searches minute by minute, comparing formatted local times. */
const bruteForce = (zones: ReadonlyArray<string>, { from, to }: QuietHours, now: number): number | null => {
  const clocks = zones.map(clockIn)
  const isQuiet = (at: number) =>
    clocks.some((clock) => {
      const time = clock.format(at)
      return from < to ? from <= time && time < to : from !== to && (time >= from || time < to)
    })
  if (!isQuiet(now)) return null
  for (let at = Math.floor(now / minute) * minute; at - now < 48 * 60 * minute; at += minute) {
    if (!isQuiet(at)) return at
  }
  return Number.NaN
}

/** Days with a clock change in some zone, and one without. */
const someDays = [
  "2026-03-08",
  "2026-03-28",
  "2026-04-04",
  "2026-10-03",
  "2026-10-24",
  "2026-10-31",
  "2026-07-15"
] as const
const up = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const clockTime = Schema.Struct({ hour: up(23), part: Schema.Literals([0, 15, 30, 59]) })
const moment = Schema.Struct({ day: Schema.Literals(someDays), since: up(2 * 86_400_000) })

const two = (number: number) => String(number).padStart(2, "0")
const shownAs = ({ hour, part }: typeof clockTime.Type) => `${two(hour)}:${two(part)}`

const places = {
  "+919876543210": ["Asia/Kolkata"],
  "+491511234567": ["Europe/Berlin"],
  "+9779812345678": ["Asia/Kathmandu"],
  "+56912345678": ["America/Santiago", "Pacific/Easter", "America/Punta_Arenas"],
  "+351912345678": ["Europe/Lisbon", "Atlantic/Azores", "Atlantic/Madeira"],
  "+64211234567": ["Pacific/Auckland", "Pacific/Chatham"]
}
const phones = Object.keys(places) as Array<keyof typeof places>

describe("quiet hours", () => {
  it("use the local time of the number's country, and include their start but not their end", () => {
    assert.strictEqual(until("+919876543210", night, "2026-01-10T15:29:59.999Z"), null)
    assert.strictEqual(until("+919876543210", night, "2026-01-10T15:30:00Z"), "2026-01-11T03:30Z")
    assert.strictEqual(until("+919876543210", night, "2026-01-11T03:29:59.999Z"), "2026-01-11T03:30Z")
    assert.strictEqual(until("+919876543210", night, "2026-01-11T03:30:00Z"), null)
    assert.strictEqual(until("+6591234567", night, "2026-01-10T15:29:00Z"), "2026-01-11T01:00Z")
    assert.strictEqual(
      until("+447911123456", { from: "12:00", to: "13:30" }, "2026-07-10T11:15:00Z"),
      "2026-07-10T12:30Z"
    )
  })

  it("are empty when they start and end at the same time", () => {
    assert.strictEqual(until("+919876543210", { from: "09:00", to: "09:00" }, "2026-01-10T03:30:00Z"), null)
  })

  it("of a country with several zones apply while they apply in any of its zones", () => {
    // Quiet hours end at 14:00 in New York and at 19:00 in Hawaii, and begin at 02:00 in New York.
    assert.strictEqual(until("+14155552671", night, "2026-01-10T14:00:00Z"), "2026-01-10T19:00Z")
    assert.strictEqual(until("+14155552671", night, "2026-01-11T01:59:00Z"), null)
    assert.strictEqual(until("+14155552671", night, "2026-01-11T02:00:00Z"), "2026-01-11T19:00Z")
  })

  it("that leave such a country no time use the merchant's zone if it belongs to it, else the middle zone", () => {
    const hours = { from: "18:00", to: "10:00" }
    const now = "2026-01-10T18:00:00Z"
    assert.strictEqual(until("+79161234567", hours, now, "Europe/Moscow"), "2026-01-11T07:00Z")
    assert.strictEqual(until("+79161234567", hours, now), "2026-01-11T03:00Z")
  })

  it("use the merchant's zone for numbers without a country, and where the platform knows no zones", () => {
    assert.strictEqual(until("+883510012345", night, "2026-01-10T20:00:00Z"), "2026-01-11T03:30Z")
    assert.deepStrictEqual(zonesOf("XK"), [])
    assert.strictEqual(until("+38344123456", night, "2026-01-10T20:00:00Z", "Europe/Belgrade"), "2026-01-11T08:00Z")
  })

  it("of a number shared by several countries apply while they apply in any of them", () => {
    assert.isAbove(countriesOf("19995551234").length, 20)
    // They end first in St Vincent and Barbados; Guam is a day ahead, and its begin at 11:00.
    assert.strictEqual(
      until("+19995551234", { from: "23:00", to: "07:00" }, "2026-01-10T12:30:00Z"),
      "2026-01-10T21:00Z"
    )
  })

  it("follow the local clock across daylight saving changes", () => {
    const berlin = "+491511234567"
    // Clocks move from 2:00 to 3:00 in spring, and from 3:00 back to 2:00 in autumn.
    assert.strictEqual(until(berlin, night, "2026-03-28T21:00:00Z"), "2026-03-29T07:00Z")
    assert.strictEqual(until(berlin, night, "2026-10-24T21:00:00Z"), "2026-10-25T08:00Z")
    // 2:30 does not exist on that day: quiet hours end when the clock jumps past it.
    assert.strictEqual(until(berlin, { from: "21:00", to: "02:30" }, "2026-03-28T21:00:00Z"), "2026-03-29T01:00Z")
    // 2:30 occurs twice.
    assert.strictEqual(until(berlin, { from: "21:00", to: "02:30" }, "2026-10-24T21:00:00Z"), "2026-10-25T00:30Z")
    assert.strictEqual(until(berlin, { from: "21:00", to: "02:30" }, "2026-10-25T00:45:00Z"), null)
    assert.strictEqual(until(berlin, { from: "21:00", to: "02:30" }, "2026-10-25T01:15:00Z"), "2026-10-25T01:30Z")
  })

  it.prop(
    "match a minute-by-minute search, in all kinds of zones, at any hours, around clock changes",
    [Schema.Literals(phones), clockTime, clockTime, moment],
    ([phone, first, last, { day, since }]) => {
      const hours = { from: shownAs(first), to: shownAs(last) }
      const now = Date.parse(`${day}T00:00:00Z`) + since
      const expected = bruteForce(places[phone], hours, now)
      // Without any time left another rule applies.
      if (!Number.isNaN(expected)) assert.strictEqual(quietUntil(phone, hours, home, now), expected)
    },
    { arbitrary: { runs: 150 } }
  )
})
