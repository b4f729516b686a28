import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { emptyBalance, type Funds } from "../../src/account/billing/Balance.ts"
import { charge, priceOf } from "../../src/account/billing/charge.ts"

const prices = { SMS: 20, WHATSAPP: { default: 90, prefixes: { "91": 70, "9198": 60, "977": 120 } } }

const funds = (amount: number, more: Partial<Funds> = {}): Funds => ({
  balance: { ...emptyBalance("env_1"), amount },
  day: "2026-11-22",
  spent: {},
  ...more
})

describe("the price of a message", () => {
  it("is the channel's, or that of the longest matching prefix", () => {
    assert.strictEqual(priceOf(prices, "SMS", "+919876543210"), 20)
    assert.strictEqual(priceOf(prices, "WHATSAPP", "+919876543210"), 60)
    assert.strictEqual(priceOf(prices, "WHATSAPP", "+917776543210"), 70)
    assert.strictEqual(priceOf(prices, "WHATSAPP", "+9779812345678"), 120)
    assert.strictEqual(priceOf(prices, "WHATSAPP", "+14155550100"), 90)
    assert.strictEqual(priceOf(prices, "WHATSAPP", "9779812345678"), 120)
    assert.strictEqual(priceOf(prices, "WHATSAPP", "977@example.com"), 90)
    assert.strictEqual(priceOf(prices, "EMAIL", "asha@example.com"), null)
  })
})

describe("a charge", () => {
  const of = (given: Funds | null, dailyCap = {}) => charge({ prices, dailyCap }, given, "SMS", "+919876543210")

  it("takes the price while the balance covers it, down to zero", () => {
    assert.deepStrictEqual(of(funds(20)), Result.succeed({ amount: 20, day: "2026-11-22", cap: null }))
    assert.deepStrictEqual(of(funds(19)), Result.fail("BALANCE"))
  })
  it("may go below zero within the credit limit", () => {
    const balance = { ...emptyBalance("env_1"), amount: -10, creditLimit: 30 }
    assert.isTrue(Result.isSuccess(of(funds(0, { balance }))))
    assert.deepStrictEqual(of(funds(0, { balance: { ...balance, amount: -11 } })), Result.fail("BALANCE"))
  })
  it("keeps to the daily cap of its channel", () => {
    assert.isTrue(Result.isSuccess(of(funds(100, { spent: { SMS: 80, EMAIL: 500 } }), { SMS: 100 })))
    assert.deepStrictEqual(of(funds(100, { spent: { SMS: 81 } }), { SMS: 100 }), Result.fail("CAP"))
  })
  it("is refused for a channel without a price, and is zero where billing is off", () => {
    assert.deepStrictEqual(
      charge({ prices, dailyCap: {} }, funds(100), "EMAIL", "a@example.com"),
      Result.fail("NO_PRICE")
    )
    assert.deepStrictEqual(charge({ prices, dailyCap: {} }, null, "EMAIL", "a@example.com"), Result.succeed(null))
    assert.deepStrictEqual(of(null), Result.succeed({ amount: 20, day: null, cap: null }))
  })
})
