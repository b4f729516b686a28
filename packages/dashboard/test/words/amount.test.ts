import { assert, describe, it } from "vitest"
import { amountIn } from "../../src/words/amount.ts"

describe("a typed amount", () => {
  it("is in the smallest unit of its currency", () => {
    const cases = [
      ["500", "INR", 50_000],
      ["1,499.50", "INR", 149_950],
      ["1 499.5", "EUR", 149_950],
      ["१२३", "INR", 12_300],
      ["500", "JPY", 500],
      ["0.01", "USD", 1]
    ] as const
    for (const [typed, currency, amount] of cases) assert.strictEqual(amountIn(typed, currency), amount, typed)
  })

  it("is rejected when it is not positive or has too many decimals", () => {
    for (const typed of ["", "0", "0.00", "-5", "1.234", "5e3", "five", "١", "99999999999999"])
      assert.isNull(amountIn(typed, "INR"), typed)
    assert.isNull(amountIn("1.5", "JPY"))
  })
})
