import { assert, describe, it } from "vitest"
import { previewOf, receiptOf } from "../../src/screens/inbox/preview.ts"

const say = { kinds: { audio: "Voice message", image: "Picture", unknown: "?" }, deleted: "Deleted", note: "Note" }

describe("the latest message in a row of the inbox", () => {
  const last = {
    direction: "IN",
    type: "text",
    text: "Hello",
    status: null,
    sentBy: null,
    at: "2026-01-31T09:30:00.000Z",
    deleted: false
  } as const

  it("is its text, or its kind in the reader's words, with an icon for files", () => {
    assert.strictEqual(previewOf(last, say), "Hello")
    assert.strictEqual(previewOf({ ...last, type: "audio", text: null }, say), "🎤 Voice message")
    assert.strictEqual(previewOf({ ...last, type: "image", text: "The blue one" }, say), "📷 The blue one")
    assert.strictEqual(previewOf({ ...last, direction: "NOTE", text: "Call back" }, say), "Note: Call back")
    assert.strictEqual(previewOf({ ...last, text: null, deleted: true }, say), "Deleted")
  })

  it("shows a receipt for our own messages only", () => {
    assert.isNull(receiptOf(last))
    assert.isNull(receiptOf({ direction: "NOTE", status: null }))
    const signs = (["SENT", "DELIVERED", "READ", "FAILED"] as const).map(
      (status) => receiptOf({ direction: "OUT", status })!
    )
    assert.deepStrictEqual(
      signs.map(({ sign, tone }) => `${sign} ${tone}`),
      ["✓ plain", "✓✓ plain", "✓✓ read", "! bad"]
    )
  })
})
