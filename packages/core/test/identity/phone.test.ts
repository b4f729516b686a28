import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import { Identity } from "../../src/index.ts"

const parse = (spelling: string) => Result.getOrNull(Identity.parse("MOBILE", spelling))

const mobile = (
  spelling: string,
  canonical: string,
  countryCode: "91" | null = null,
  nationalNumber: string | null = null
): Identity.Identity => ({ type: "MOBILE", spelling, canonical, countryCode, nationalNumber })

describe("phone numbers", () => {
  it.each([
    ["9876543210", mobile("9876543210", "919876543210", null, "9876543210")],
    ["6000000000", mobile("6000000000", "916000000000", null, "6000000000")],
    ["7000000000", mobile("7000000000", "917000000000", null, "7000000000")],
    ["8000000000", mobile("8000000000", "918000000000", null, "8000000000")],
    ["98765 43210", mobile("98765 43210", "919876543210", null, "9876543210")],
    ["98-76-54-32-10", mobile("98-76-54-32-10", "919876543210", null, "9876543210")],
    [" 9876543210 ", mobile(" 9876543210 ", "919876543210", null, "9876543210")],
    ["919876543210", mobile("919876543210", "919876543210", "91", "9876543210")],
    ["+919876543210", mobile("+919876543210", "919876543210", "91", "9876543210")],
    ["+91 98765-43210", mobile("+91 98765-43210", "919876543210", "91", "9876543210")],
    [" + 91 9876543210", mobile(" + 91 9876543210", "919876543210", "91", "9876543210")],
    // Ten digits that begin with 91, without +: an Indian number, not a country code.
    ["9123456789", mobile("9123456789", "919123456789", null, "9123456789")],
    // Ten digits after + contain their country code.
    ["+65 9123 4567", mobile("+65 9123 4567", "6591234567")],
    ["+6591234567", mobile("+6591234567", "6591234567")],
    ["14155552671", mobile("14155552671", "14155552671")],
    ["+1 415-555-2671", mobile("+1 415-555-2671", "14155552671")],
    ["+44 7911 123456", mobile("+44 7911 123456", "447911123456")],
    ["447911123456", mobile("447911123456", "447911123456")],
    ["+39 06 1234 5678", mobile("+39 06 1234 5678", "390612345678")]
  ])("accepts %j", (spelling, expected) => {
    assert.deepStrictEqual(parse(spelling), expected)
  })

  it.each([
    ["nothing", ""],
    ["only separators", " - "],
    ["only a plus", "+"],
    ["an Indian landline", "1123456789"],
    ["first digit 5", "5876543210"],
    ["first digit 0", "0876543210"],
    ["first digit 5 with country code", "+91 58765 43210"],
    ["an Indian number too long", "+91 98765 432100"],
    ["an Indian number too short", "+91 98765 4321"],
    ["a trunk zero before ten digits", "09876543210"],
    ["an international prefix instead of +", "00919876543210"],
    ["ten digits behind a + that begin with 91", "+9123456789"],
    ["two pluses", "++919876543210"],
    ["a plus in the middle", "91+9876543210"],
    ["a plus at the end", "919876543210+"],
    ["a separator before the plus", "-+919876543210"],
    ["a dot", "98765.43210"],
    ["a slash", "98765/43210"],
    ["parentheses", "+1 (415) 555-2671"],
    ["letters", "98765ABCDE"],
    ["an extension", "+14155552671 ext 5"],
    ["an exponent", "98765e4321"],
    ["Arabic-Indic digits", "٩٨٧٦٥٤٣٢١٠"],
    ["full-width digits", "９８７６５４３２１０"],
    ["Devanagari digits", "९८७६५४३२१०"],
    ["a full-width plus", "＋919876543210"],
    ["a no-break space", "98765\u00a043210"],
    ["a narrow no-break space", "98765\u202f43210"],
    ["a right-to-left mark", "\u200f9876543210"],
    ["a left-to-right embedding", "\u202a9876543210\u202c"],
    ["a zero-width space", "98765\u200b43210"],
    ["a byte order mark", "\ufeff9876543210"],
    ["a non-breaking hyphen", "98765\u201143210"],
    ["an en dash", "98765\u201343210"],
    ["a tab", "98765\t43210"],
    ["a line break at the end", "9876543210\n"],
    ["a null character", "9876543210\0"],
    ["half an emoji", "9876543210\ud83d"],
    ["an unknown country code", "+999 12345678"],
    ["more trunk zeros than one", "+82 0098847"],
    ["too short for its country", "+1 415 555"],
    ["too long for its country", "+65 9123 45678"],
    ["more digits than any number has", "+1234567890123456"],
    ["an e-mail address", "a@example.com"],
    ["65 characters", `9876543210${" ".repeat(55)}`]
  ])("refuses %s", (_what, spelling) => {
    const result = Identity.parse("MOBILE", spelling)
    assert.ok(Result.isFailure(result))
    assert.strictEqual(result.failure.field, "identity")
  })

  it("accepts up to 64 characters", () => {
    const spelling = `9876543210${" ".repeat(54)}`
    assert.deepStrictEqual(parse(spelling), mobile(spelling, "919876543210", null, "9876543210"))
  })

  // A number with an optional trunk zero is one number, with one E.164 form.
  it.each([
    ["+44 07911 123456", "447911123456"],
    ["+49 0170 1234567", "491701234567"],
    ["+880 01712 345678", "8801712345678"],
    ["+971 050 123 4567", "971501234567"],
    ["+61 0412 345 678", "61412345678"],
    ["+86 0138 1234 5678", "8613812345678"],
    ["+7 8 916 123-45-67", "79161234567"]
  ])("parses %j to its E.164 number, or refuses it", (spelling, canonical) => {
    assert.include([canonical, undefined], parse(spelling)?.canonical)
  })

  it.each([
    ["US", "415 555 2671", "14155552671"],
    ["US", "9198765432", "19198765432"],
    ["US", "+91 98765 43210", "919876543210"],
    ["US", "919876543210", "919876543210"],
    ["US", "6591234567", "16591234567"],
    ["IS", "9876543210", null],
    ["GB", "7911-123456", "447911123456"],
    ["IN", "9876543210", "919876543210"],
    ["IN", "5876543210", null],
    [null, "9876543210", null],
    [null, "6591234567", null],
    [null, "919876543210", "919876543210"],
    [null, "+6591234567", "6591234567"],
    ["ZZ", "9876543210", null]
  ])("with the default country %s, %j is %s", (country, spelling, canonical) => {
    const parsed = Result.getOrNull(Identity.parse("MOBILE", spelling, country))
    assert.strictEqual(parsed?.canonical ?? null, canonical)
    if (parsed === null) return
    const indian = parsed.canonical.startsWith("91")
    const bare = spelling.replace(/[^0-9+]/g, "").length === 10
    assert.strictEqual(parsed.nationalNumber, indian ? parsed.canonical.slice(2) : null)
    assert.strictEqual(parsed.countryCode, indian && !bare ? "91" : null)
  })

  it("without a country are refused with a hint on what to write", () => {
    const refused = Result.flip(Identity.parse("MOBILE", "9876543210", null))
    assert.match(Result.getOrThrow(refused).problem, /^must begin with \+ and the country code/)
  })

  const separators = Schema.Array(
    Schema.Struct({ at: Schema.Int, text: Schema.Literals([" ", "-", "  ", "- ", " --"]) })
  )
  const numbers = Schema.Literals(["9876543210", "919876543210", "+919876543210", "+6591234567", "14155552671"])

  it.prop("separators never change the person of a spelling", [numbers, separators], ([number, inserts]) => {
    let spelling: string = number
    for (const { at, text } of inserts.slice(0, 10)) {
      const first = number.startsWith("+") ? 1 : 0
      const position = first + (Math.abs(at) % (spelling.length + 1 - first))
      spelling = spelling.slice(0, position) + text + spelling.slice(position)
    }
    const plain = parse(number)!
    assert.deepStrictEqual(parse(spelling), spelling.length > 64 ? null : { ...plain, spelling })
  })

  const digits = Arbitrary.schema(Schema.String.check(Schema.isPattern(/^\+?[0-9]{1,17}$/)))

  it.prop(
    "every accepted spelling has a canonical form of at most 15 digits, for the same person",
    [digits],
    ([spelling]) => {
      const identity = parse(spelling)
      if (identity === null) return
      assert.match(identity.canonical, /^[1-9][0-9]{4,14}$/)
      assert.strictEqual(parse(`+${identity.canonical}`)?.canonical, identity.canonical)
      assert.strictEqual(identity.nationalNumber !== null, identity.canonical.startsWith("91"))
    },
    { arbitrary: { runs: 2000 } }
  )

  it.prop(
    "no text makes the parser throw",
    [Schema.String],
    ([text]) => {
      assert.ok(Result.isResult(Identity.parse("MOBILE", text)))
      assert.ok(Result.isResult(Identity.parse("EMAIL", text)))
    },
    { arbitrary: { runs: 2000 } }
  )
})
