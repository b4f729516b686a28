import { assert, describe, it } from "vitest"
import { isTroubled, waitingOf } from "../../src/shell/badgesOf.ts"

describe("badges of the menu", () => {
  it("count failing endpoints, except those that a user disabled", () => {
    const since = "2026-01-31T09:30:00.000Z"
    assert.isTrue(isTroubled({ status: "ACTIVE", failingSince: since, disabledReason: null }))
    assert.isTrue(isTroubled({ status: "DISABLED", failingSince: since, disabledReason: "GONE" }))
    assert.isFalse(isTroubled({ status: "ACTIVE", failingSince: null, disabledReason: null }))
    assert.isFalse(isTroubled({ status: "DISABLED", failingSince: since, disabledReason: "MERCHANT" }))
  })

  it("count customers who wait for a reply, whether or not their messages were read", () => {
    const [early, late] = ["2026-01-31T09:30:00.000Z", "2026-01-31T10:30:00.000Z"]
    const [answered, first, second] = [null, early, late].map((waitingSince) => ({ waitingSince }))
    assert.deepStrictEqual(waitingOf({ items: [answered!, second!, first!], more: true }), {
      count: 2,
      since: early,
      atLeast: false
    })
    assert.isTrue(waitingOf({ items: [second!], more: true }).atLeast)
    assert.deepStrictEqual(waitingOf({ items: [answered!], more: false }), { count: 0, since: null, atLeast: false })
  })
})
