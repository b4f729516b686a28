import { assert, describe, it } from "vitest"
import { picksSavedReply } from "../../src/screens/inbox/savedReplies.ts"

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
