import { assert, describe, it } from "vitest"
import { isTroubled } from "../../src/shell/badgesOf.ts"

describe("badges of the menu", () => {
  it("count failing endpoints, except those that a user disabled", () => {
    const since = "2026-01-31T09:30:00.000Z"
    assert.isTrue(isTroubled({ status: "ACTIVE", failingSince: since, disabledReason: null }))
    assert.isTrue(isTroubled({ status: "DISABLED", failingSince: since, disabledReason: "GONE" }))
    assert.isFalse(isTroubled({ status: "ACTIVE", failingSince: null, disabledReason: null }))
    assert.isFalse(isTroubled({ status: "DISABLED", failingSince: since, disabledReason: "MERCHANT" }))
  })
})
