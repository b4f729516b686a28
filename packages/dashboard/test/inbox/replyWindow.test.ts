import { assert, describe, it } from "vitest"
import { hoursAndMinutes, replyWindow } from "../../src/screens/inbox/replyWindow.ts"

const wrote = "2026-11-22T10:00:00.000Z"
const at = (text: string) => Date.parse(text)

describe("the 24 hours after a customer's message", () => {
  it("are open to the last millisecond, and over with the 24th hour", () => {
    const last = replyWindow(wrote, at("2026-11-23T09:59:59.999Z"))
    assert.deepStrictEqual(last, { state: "open", left: 1, share: 1 / 86_400_000, soon: true })
    assert.deepStrictEqual(replyWindow(wrote, at("2026-11-23T10:00:00.000Z")), { state: "over" })
  })

  it("are full at the message, even when its time is ahead of the local clock", () => {
    assert.deepInclude(replyWindow(wrote, at(wrote)), { state: "open", share: 1, soon: false })
    assert.deepInclude(replyWindow(wrote, at(wrote) - 5_000), { state: "open", share: 1 })
  })

  it("never started for a customer who never wrote, and are over when the time is invalid", () => {
    assert.deepStrictEqual(replyWindow(null, 0), { state: "never" })
    assert.deepStrictEqual(replyWindow("yesterday", 0), { state: "over" })
  })

  it("are marked as ending soon in the last two hours", () => {
    assert.deepInclude(replyWindow(wrote, at("2026-11-23T08:00:00.000Z")), { soon: false })
    assert.deepInclude(replyWindow(wrote, at("2026-11-23T08:00:00.001Z")), { soon: true })
  })

  it("show at least one minute until they end", () => {
    assert.deepStrictEqual(hoursAndMinutes(1), { hours: 0, minutes: 1 })
    assert.deepStrictEqual(hoursAndMinutes(21 * 3_600_000 + 57 * 60_000 + 1), { hours: 21, minutes: 58 })
    assert.deepStrictEqual(hoursAndMinutes(24 * 3_600_000), { hours: 24, minutes: 0 })
  })
})
