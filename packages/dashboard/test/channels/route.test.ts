import { assert, describe, it } from "vitest"
import { wayOf } from "../../src/screens/channels/route.ts"
import { channelStateOf, type Seen } from "../../src/screens/channelState.ts"

const channels = [
  { channel: "SMS" as const, enabled: true },
  { channel: "WHATSAPP" as const, enabled: true },
  { channel: "RCS" as const, enabled: false }
]
const way = (primaryChannel: string, fallbackChannel: string | null) =>
  wayOf({ primaryChannel, fallbackChannel, fallbackAfterSeconds: 30 }, channels)

describe("the default route", () => {
  it("is the first channel, then the fallback after its delay", () => {
    assert.deepStrictEqual(way("WHATSAPP", "SMS"), { first: "WHATSAPP", then: "SMS", afterSeconds: 30, problem: null })
    assert.deepStrictEqual([way("SMS", null).then, way("SMS", null).problem], [null, null])
  })

  it("reports a channel without a provider, and a fallback equal to the first channel", () => {
    const problems = [way("RCS", "SMS"), way("SMS", "RCS"), way("SMS", "SMS")].map(({ problem }) => problem)
    assert.deepStrictEqual(problems, ["firstOff", "thenOff", "same"])
  })
})

const now = Date.parse("2026-01-31T09:30:00.000Z")
const fine: Seen = { enabled: true, breaker: { state: "CLOSED", until: null }, waiting: 0, oldestWaitingAt: null }
const kind = (seen: Partial<Seen>) => channelStateOf({ ...fine, ...seen }, now).kind

describe("the state of a channel", () => {
  it("an open breaker takes precedence over the messages that wait for it", () => {
    const waiting = { waiting: 9, oldestWaitingAt: "2026-01-31T09:00:00.000Z" }
    assert.strictEqual(kind({ ...waiting, breaker: { state: "OPEN", until: null } }), "resting")
    assert.strictEqual(kind({ ...waiting, breaker: { state: "HALF_OPEN", until: null } }), "trying")
    assert.strictEqual(kind(waiting), "late")
    assert.strictEqual(kind({ ...waiting, enabled: false }), "off")
  })

  it("a message due for a few seconds is not late", () => {
    assert.strictEqual(kind({ waiting: 9, oldestWaitingAt: "2026-01-31T09:29:50.000Z" }), "working")
  })
})
