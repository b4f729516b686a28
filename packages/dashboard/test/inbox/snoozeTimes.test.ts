import { assert, describe, it } from "vitest"
import { sharesMornings, snoozeTimes } from "../../src/screens/inbox/snoozeTimes.ts"

const of = (now: string, zone: string) =>
  Object.values(snoozeTimes(Date.parse(now), zone)).map((at) => new Date(at).toISOString().slice(0, 16))

describe("the usual times to snooze until", () => {
  it("are in one hour, and at 9:00 tomorrow and next Monday in the merchant's time zone", () => {
    // A Friday evening in UTC is a Saturday in India.
    assert.deepStrictEqual(of("2026-11-27T20:15:00Z", "Asia/Kolkata"), [
      "2026-11-27T21:15",
      "2026-11-29T03:30",
      "2026-11-30T03:30"
    ])
    assert.deepStrictEqual(of("2026-11-27T20:15:00Z", "America/New_York")[1], "2026-11-28T14:00")
  })
  it("go to the Monday of next week on a Monday, and to tomorrow on a Sunday", () => {
    assert.deepStrictEqual(of("2026-11-30T05:00:00Z", "UTC").slice(1), ["2026-12-01T09:00", "2026-12-07T09:00"])
    assert.deepStrictEqual(of("2026-11-29T05:00:00Z", "UTC").slice(1), ["2026-11-30T09:00", "2026-11-30T09:00"])
  })
  it("are at 9:00 on the wall also when the clocks change in between", () => {
    assert.deepStrictEqual(of("2026-03-28T12:00:00Z", "Europe/Berlin")[1], "2026-03-29T07:00")
    assert.deepStrictEqual(of("2026-10-24T12:00:00Z", "Europe/Berlin")[1], "2026-10-25T08:00")
    assert.deepStrictEqual(of("2026-12-30T23:30:00Z", "Pacific/Auckland")[1], "2026-12-31T20:00")
  })

  it("are the same in one zone under two names, and differ between zones", () => {
    const now = Date.parse("2026-11-27T21:11:00.000Z")
    assert.isTrue(sharesMornings(now, "Asia/Kolkata", "Asia/Calcutta"))
    assert.isFalse(sharesMornings(now, "Asia/Kolkata", "Europe/Berlin"))
  })
})
