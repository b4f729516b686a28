import { assert, describe, it } from "vitest"
import { isTroubled, unreadOf } from "../../src/shell/badgesOf.ts"

describe("badges of the menu", () => {
  it("count endpoints that nothing gets through to, and not one that somebody switched off", () => {
    const since = "2026-01-31T09:30:00.000Z"
    assert.isTrue(isTroubled({ status: "ACTIVE", failingSince: since, disabledReason: null }))
    assert.isTrue(isTroubled({ status: "DISABLED", failingSince: since, disabledReason: "GONE" }))
    assert.isFalse(isTroubled({ status: "ACTIVE", failingSince: null, disabledReason: null }))
    assert.isFalse(isTroubled({ status: "DISABLED", failingSince: since, disabledReason: "MERCHANT" }))
  })

  it("count conversations that wait to be read, and say when there may be more", () => {
    const [read, unread] = [{ unreadCount: 0 }, { unreadCount: 4 }]
    assert.deepStrictEqual(unreadOf({ items: [read, unread, unread], more: true }), { count: 2, atLeast: false })
    assert.deepStrictEqual(unreadOf({ items: [unread, unread], more: true }), { count: 2, atLeast: true })
    assert.deepStrictEqual(unreadOf({ items: [unread], more: false }), { count: 1, atLeast: false })
  })
})
