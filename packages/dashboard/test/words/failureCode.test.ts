import { assert, describe, it } from "vitest"
import { failureInWords, reasonInWords, whyNotDelivered } from "../../src/words/failureCode.ts"

describe("the reason of a failed message", () => {
  it("is the same sentence on channels, in a conversation and in a campaign", () => {
    for (const code of ["30003", "131026", "131049", "132000", "not_sent_in_time", "provider_resting", "smtp_550"])
      assert.strictEqual(whyNotDelivered(code), failureInWords(code), code)
  })
  it("is a sentence on every screen", () => {
    assert.strictEqual(whyNotDelivered("unreachable"), "The provider could not be reached.")
    assert.strictEqual(
      failureInWords("131056"),
      "Too many messages to this number in a short time. Wait, then try again."
    )
  })
  it("is short within a sentence, and the code itself when it is unknown", () => {
    assert.strictEqual(reasonInWords("30003"), "The phone is off or out of reach")
    assert.strictEqual(reasonInWords("99999"), "99999")
  })
  it("has words for every code of the service's own channels", () => {
    const own = ["bad_address", "broken", "empty_brand", "no_turn", "rejected", "template_gone", "unreadable_answer"]
    assert.deepStrictEqual(
      [...own, "unsupported", "unusable_token"].filter((code) => failureInWords(code) === null),
      []
    )
    assert.strictEqual(failureInWords("21659"), failureInWords("21212"))
  })
  it("names an unknown code", () => {
    assert.strictEqual(failureInWords("constructor"), null)
    assert.strictEqual(whyNotDelivered("99999"), "The provider rejected the message: 99999.")
  })
})
