import { assert, describe, it } from "vitest"
import { filledReply, picksSavedReply } from "../../src/screens/inbox/savedReplies.ts"

describe("a reply that begins with a slash", () => {
  it("is a search for a saved reply and is not sent, whether one fits or not", () => {
    for (const typed of ["/", "/helo", "/thanks a lot", "/\n", "/helo \n\n"])
      assert.isTrue(picksSavedReply("reply", typed), typed)
  })
  it("is sent as text with a leading space, with several lines, or as a note", () => {
    for (const typed of [" /24", "/a\nb", "and/or", ""]) assert.isFalse(picksSavedReply("reply", typed), typed)
    assert.isFalse(picksSavedReply("note", "/"))
  })
})

describe("the name in a saved reply", () => {
  it("is the customer's, in one line, wherever it stands", () => {
    assert.strictEqual(filledReply("Hi {{name}}, thanks {{ Name }}!", "Asha"), "Hi Asha, thanks Asha!")
    assert.strictEqual(filledReply("Hi {{name}}", " Asha\n\u202EMehta "), "Hi Asha Mehta")
    assert.strictEqual(filledReply("Hi {{name}}", "$& {{name}}"), "Hi $& {{name}}")
    assert.strictEqual(filledReply("Hi {{other}}", "Asha"), "Hi {{other}}")
  })
  it("leaves a text that reads well where the customer has none", () => {
    for (const [text, without] of [
      ["Hi {{name}}, it ships on Friday.", "Hi, it ships on Friday."],
      ["Thank you, {{name}}!", "Thank you!"],
      ["{{name}}, your order is ready.", "Your order is ready."],
      ["Hello\n{{name}}: it is paid.", "Hello\nIt is paid."],
      ["नमस्ते {{name}} जी", "नमस्ते जी"],
      ["{{name}}", ""],
      ["No place for it", "No place for it"]
    ] as const) {
      assert.strictEqual(filledReply(text, null), without)
      assert.strictEqual(filledReply(text, " \u200B "), without)
    }
  })
})
