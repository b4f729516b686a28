import { assert, describe, it } from "vitest"
import { endOf, envLines, isLastOfDashboard, lastUseOf, overlapOf } from "../../src/screens/keys/keys.ts"

describe("an API key", () => {
  it("takes whole hours from 0 to 168 as an overlap, and nothing else", () => {
    const taken = ["0", " 24 ", "168", "169", "-1", "1.5", "1e1", "", "day"].map(overlapOf)
    assert.deepStrictEqual(taken, [0, 24, 168, null, null, null, null, null, null])
    assert.strictEqual(endOf(24, Date.parse("2026-01-31T09:30:00Z")).toISOString(), "2026-02-01T09:30:00.000Z")
  })

  it("shows its last use no more precisely than the stored hour", () => {
    const now = Date.parse("2026-01-31T09:59:00Z")
    assert.deepStrictEqual(
      [null, "2026-01-31T09:00:00.000Z", "2026-01-31T08:00:00.000Z"].map((at) => lastUseOf(at, now)),
      ["never", "now", "before"]
    )
  })

  it("cannot be revoked when it is the last one with dashboard access", () => {
    const [whole, other] = [
      { id: "a", scopes: ["auth", "dashboard"] as const },
      { id: "b", scopes: ["auth"] as const }
    ]
    assert.isTrue(isLastOfDashboard(whole, [whole, other]))
    assert.isFalse(isLastOfDashboard(whole, [whole, other, { id: "c", scopes: ["dashboard"] }]))
    assert.isFalse(isLastOfDashboard(other, [whole, other]))
  })

  it("has one environment variable per line", () => {
    const lines = envLines("https://verify.example.com", { clientId: "cs_live_a", clientSecret: "sk_live_b" })
    assert.match(lines, /^(COUNTERSIGN_[A-Z_]+=\S+\n?){3}$/)
  })
})
