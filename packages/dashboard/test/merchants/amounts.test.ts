import { assert, describe, it } from "vitest"
import { correctionIn, creditIn, linesOf, pricesIn } from "../../src/screens/merchants/amounts.ts"

describe("billing input of the operator", () => {
  it("adds without a sign and deducts with either form of minus", () => {
    assert.deepStrictEqual(
      ["50", "+50", "-1,499.50", "−२०", "0", "-", "fifty"].map((typed) => correctionIn(typed, "INR")),
      [5_000, 5_000, -149_950, -2_000, null, null, null]
    )
  })
  it("accepts zero as a credit limit", () => {
    assert.deepStrictEqual(
      ["", "0", "0.00", "250", "-1", "much"].map((typed) => creditIn(typed, "INR")),
      [0, 0, 0, 25_000, null, null]
    )
  })
  it("parses prices line by line, and formats stored ones the same way", () => {
    const prices = { SMS: { default: 20, prefixes: { "977": 90, "1": 55 } }, EMAIL: 0 }
    assert.deepStrictEqual(pricesIn(linesOf(prices)), { prices })
    assert.deepStrictEqual(pricesIn("\n sms 20 \n"), { prices: { SMS: 20 } })
    assert.deepStrictEqual(pricesIn(""), { prices: {} })
  })
  it("reports the first invalid line", () => {
    for (const line of ["SMS", "SMS 2.5", "FAX 20", "SMS 0 20", "SMS -5", "__proto__ 5"])
      assert.deepStrictEqual(pricesIn(`EMAIL 1\n${line}`), { wrong: line })
    assert.deepStrictEqual(pricesIn("SMS 977 90"), { wrong: "SMS …" })
  })
})
