import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { maskContact, maskMessageName, maskSpelling, maskText } from "../../src/foundation/identity/maskText.ts"

describe("masking a text with identities", () => {
  const rows: ReadonlyArray<readonly [text: string, masked: string]> = [
    ["call me", "call me"],
    ["order 123456 of 2026", "order 123456 of 2026"],
    ["+919876543210", "+91******3210"],
    ["call 98765 43210 today", "call 98****3210 today"],
    ["(987) 654-3210", "(98****3210"],
    ["+91-98765-43210, or 9876543211", "+91******3210, or 98****3211"],
    ["987\u2013654\u20133210", "98****3210"],
    ["\u096f\u096e\u096d\u096c\u096b\u096a\u0969\u0968\u0967\u0966", "\u096f\u096e****\u0969\u0968\u0967\u0966"],
    ["mail asha@example.com", "mail a***@example.com"],
    ["Asha <asha.k+shop@example.co.in>", "Asha <***@example.co.in>"],
    ["\u{1f600}@example.com", "\u{1f600}***@example.com"],
    ["a@b c@d", "a***@b c***@d"],
    ["@here", "@here"]
  ]

  it("keeps the words, and two and four digits of a number", () => {
    for (const [text, masked] of rows) assert.strictEqual(maskText(text), masked)
  })

  const digits = Schema.Array(Schema.Literals(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"])).check(
    Schema.isMinLength(7),
    Schema.isMaxLength(15)
  )
  const separator = Schema.Literals(["", " ", "-", ".", ") ", " (", "\u2010", "\u00a0"])
  it.prop("leaves no whole number in any spelling", [digits, separator, Schema.String], ([number, between, words]) => {
    const masked = maskText(`${words} ${number.join(between)} ${words}`)
    assert.notInclude(masked.replace(/[\s().\-\u2010]/g, ""), number.join(""))
  })

  it("takes time in proportion to the length of the text", () => {
    for (const text of ["1 ", "a", "a@", "+", "1-)", "@"].map((part) => part.repeat(50_000))) maskText(text)
  })
})

describe("the mask of an identity", () => {
  it("is the same for all its spellings", () => {
    for (const spelling of ["+919876543210", "98765 43210", "91-98765-43210"])
      assert.strictEqual(maskSpelling("MOBILE", spelling, "IN"), "+91******3210")
    assert.strictEqual(maskSpelling("MOBILE", "415 555 2671", "US"), "+14*****2671")
    assert.strictEqual(maskSpelling("EMAIL", "Asha@Example.com", null), "a***@example.com")
    // Spellings that are no longer accepted are masked too.
    assert.strictEqual(maskSpelling("MOBILE", "12 34 56 78 90 12 34 56 78", null), "+12************5678")
  })

  it("of a customer without a visible number shows almost nothing of the provider's id", () => {
    assert.strictEqual(maskContact("919876543210"), "+91******3210")
    assert.strictEqual(maskContact("IN.13491208655302741918"), "IN***")
  })

  it("of a message's id contains no number in any encoding", () => {
    const name = `wamid.${btoa("\x1d\x18\x0c919876543210\x15\x02\x00\x11\x18\x12A1B2C3D4E5F6071829\x00")}`
    const masked = maskMessageName(name)
    assert.match(masked, /^wamid\.\*\*\*.{8}$/)
    assert.notInclude(atob(masked.slice(-8)), "3210")
    assert.strictEqual(maskMessageName("wamid.HBgMOTE5ODc2NTQzMjEw"), "wamid.***")
    assert.strictEqual(maskMessageName("SM1f0e8ae6ade43cb3c0ce4525424e404f"), "SM1f0e8ae6ade43cb3c0ce4525424e404f")
  })
})
