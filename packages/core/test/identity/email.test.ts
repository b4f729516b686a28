import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { Identity } from "../../src/index.ts"

const parse = (spelling: string) => Result.getOrNull(Identity.parse("EMAIL", spelling))

describe("e-mail addresses", () => {
  it.each([
    ["a@example.com", "a@example.com"],
    ["Anna.Berg@Example.COM", "anna.berg@example.com"],
    ["anna+tag@example.com", "anna+tag@example.com"],
    ["o'neil@example.ie", "o'neil@example.ie"],
    ["jürgen@exämple.de", "jürgen@exämple.de"],
    ["用户@例子.广告", "用户@例子.广告"],
    ["a@localhost", "a@localhost"]
  ])("accepts %j", (spelling, canonical) => {
    assert.deepStrictEqual(parse(spelling), {
      type: "EMAIL",
      spelling,
      canonical,
      countryCode: null,
      nationalNumber: null
    })
  })

  it.each([
    ["nothing", ""],
    ["no @", "example.com"],
    ["two @", "a@b@example.com"],
    ["nothing before the @", "@example.com"],
    ["nothing after the @", "a@"],
    ["a space", "a b@example.com"],
    ["a space around it", " a@example.com"],
    ["a no-break space", "a\u00a0b@example.com"],
    ["an ideographic space", "a\u3000b@example.com"],
    ["a tab", "a\tb@example.com"],
    ["a line break", "a@example.com\n"],
    ["a header in disguise", "a@example.com\r\nBcc: b@example.com"],
    ["a null character", "a\0@example.com"],
    ["a delete character", "a\x7f@example.com"],
    ["a zero-width space", "a\u200b@example.com"],
    ["a right-to-left override", "a\u202e@example.com"],
    ["half an emoji", "a\ud83d@example.com"],
    ["a second address", "a@example.com,b"],
    ["angle brackets", "<a@example.com>"],
    ["quotes", '"a"@example.com'],
    ["a dot at the domain's start", "a@.example.com"],
    ["a dot at the domain's end", "a@example.com."],
    ["two dots in the domain", "a@example..com"],
    ["a phone number", "+919876543210"]
  ])("refuses %s", (_what, spelling) => {
    const result = Identity.parse("EMAIL", spelling)
    assert.ok(Result.isFailure(result))
    assert.strictEqual(result.failure.field, "identity")
  })

  it("accepts up to 254 characters", () => {
    const address = (length: number) => `${"a".repeat(length - 12)}@example.com`
    assert.deepStrictEqual(
      [address(254), address(255)].map((one) => parse(one)?.spelling.length),
      [254, undefined]
    )
  })

  it.prop(
    "upper and lower case mean the same person",
    [Schema.String.check(Schema.isPattern(/^[a-z0-9]{1,20}$/))],
    ([name]) => {
      const lower = parse(`${name}@example.com`)!
      const upper = parse(`${name}@example.com`.toUpperCase())!
      assert.strictEqual(upper.canonical, lower.canonical)
      assert.strictEqual(upper.spelling, `${name}@example.com`.toUpperCase())
    }
  )
})

describe("two mailboxes that a mail server may distinguish", () => {
  it.each([
    ["the sign for kelvin and k", "\u212aelvin@example.com", "kelvin@example.com"],
    ["the sign for ångström and å", "\u212b@example.com", "\u00e5@example.com"],
    ["the sign for ohm and omega", "\u2126@example.com", "\u03c9@example.com"],
    ["the capital dotted i and i", "\u0130@example.com", "i@example.com"],
    ["the capital dotted i and i with a dot", "\u0130@example.com", "i\u0307@example.com"],
    ["the long s and s", "\u017f@example.com", "s@example.com"],
    ["the full-width a and a", "\uff21@example.com", "a@example.com"],
    ["one é of one character, the other of two", "\u00e9@example.com", "e\u0301@example.com"],
    ["two cases of a letter beyond ASCII", "\u00c9@example.com", "\u00e9@example.com"],
    ["a kelvin in the domain", "a@\u212a.example", "a@k.example"]
  ])("are two people: %s", (_what, one, other) => {
    assert.notStrictEqual(parse(one)?.canonical, parse(other)?.canonical)
  })

  it.prop(
    "have equal canonical forms only when they differ in the case of A to Z alone",
    [Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(8))],
    ([name]) => {
      const identity = parse(`${name}@example.com`)
      if (identity === null) return
      const { canonical, spelling } = identity
      assert.strictEqual(canonical.length, spelling.length)
      for (let i = 0; i < spelling.length; i++) {
        if (!/[A-Z]/.test(spelling.charAt(i))) assert.strictEqual(canonical.charAt(i), spelling.charAt(i))
      }
    },
    { arbitrary: { runs: 1000 } }
  )
})

describe("the masked form of an identity", () => {
  it.each([
    ["MOBILE", "919876543210", "+91******3210"],
    ["MOBILE", "6591234567", "+65****4567"],
    ["MOBILE", "14155552671", "+14*****2671"],
    ["MOBILE", "2904567", "+29*4567"],
    ["MOBILE", "123456", "+******"],
    ["MOBILE", "1", "+******"],
    ["EMAIL", "anna@example.com", "a***@example.com"],
    ["EMAIL", "a@example.com", "a***@example.com"]
  ] as const)("of %s %s is %s", (type, canonical, masked) => {
    assert.strictEqual(Identity.mask(type, canonical), masked)
  })

  it.prop(
    "never contains a whole number",
    [Schema.String.check(Schema.isPattern(/^[1-9][0-9]{6,14}$/))],
    ([canonical]) => {
      const masked = Identity.mask("MOBILE", canonical)
      assert.strictEqual(masked.length, canonical.length + 1)
      assert.isAtLeast(masked.split("*").length - 1, canonical.length - 6)
    }
  )
})
