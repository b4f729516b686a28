import { assert, describe, it } from "vitest"
import { type Attention, idOf, isGrave } from "../../src/screens/overview/attention.ts"

const window = { from: "2026-11-20T12:00:00.000Z", to: "2026-11-20T15:00:00.000Z" }
const low = { channel: "SMS", country: "IN", count: 90, share: 0.2, usual: 0.9, ...window }

describe("what needs attention", () => {
  it("is grave when verifications or webhooks fail, and not when it can wait", () => {
    const can: ReadonlyArray<readonly [Attention, boolean]> = [
      [{ code: "CONVERSION_LOW", ...low }, true],
      [{ code: "CHANNEL_OFF", channel: "SMS", role: "PRIMARY" }, true],
      [{ code: "CHANNEL_OFF", channel: "RCS", role: "FALLBACK" }, false],
      [{ code: "CUSTOMERS_WAITING", count: 2, more: false, since: window.from }, false],
      [{ code: "BALANCE_LOW", balance: 5, currency: "INR" }, false]
    ]
    for (const [item, grave] of can) assert.strictEqual(isGrave(item), grave, item.code)
  })

  it("tells items of one code apart by their channel, country, carrier, endpoint or key", () => {
    const items: ReadonlyArray<Attention> = [
      { code: "CONVERSION_LOW", ...low },
      { code: "DELIVERY_LOW", ...low },
      { code: "CONVERSION_LOW", ...low, country: "US" },
      { code: "CONVERSION_LOW", ...low, channel: "RCS" },
      { code: "KEY_RETIRING", keyId: "a", name: null, until: window.to },
      { code: "KEY_RETIRING", keyId: "b", name: null, until: window.to }
    ]
    assert.strictEqual(new Set(items.map(idOf)).size, items.length)
  })
})
