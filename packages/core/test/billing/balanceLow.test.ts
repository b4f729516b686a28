import { assert, describe, it } from "@effect/vitest"
import { emptyBalance } from "../../src/account/billing/Balance.ts"
import { lowJobs, warnOfLowBalance } from "../../src/account/billing/balanceLow.ts"
import type { Booking } from "../../src/index.storage.ts"
import { settingsWith } from "../fixtures/decisions.ts"
import { start } from "../fixtures/World.ts"

const how = { currency: "INR", done: { key: "balance-low:env", fence: 1 }, eventId: "evt_1" }

const balance = (amount: number, isLow: boolean) => ({ ...emptyBalance("env"), amount, isLow, version: 3 })

const taken = (amount: number): Booking => ({
  environment: "env",
  kind: "SEND",
  amount: -amount,
  spent: { channel: "SMS", day: "2030-01-07", cap: null },
  reference: "ver_1",
  item: "dlv_1",
  at: start
})

describe("a low balance", () => {
  it.each([
    [99, false, 100, "announced"],
    [99, true, 100, "nothing"],
    [100, false, 100, "nothing"],
    [100, true, 100, "stored"],
    [-5, false, 0, "announced"],
    [0, false, null, "nothing"],
    [0, true, null, "stored"]
  ] as const)("of %d, low before: %s, with balanceLowAt %s is %s", (amount, isLow, balanceLowAt, expected) => {
    const change = warnOfLowBalance(balance(amount, isLow), { balanceLowAt }, how, start)
    assert.strictEqual(change === null ? "nothing" : change.events.length === 1 ? "announced" : "stored", expected)
    if (change === null) return
    assert.deepStrictEqual([change.balance, change.done], [{ ...balance(amount, !isLow) }, how.done])
    const data = { balance: amount, threshold: balanceLowAt ?? 0, currency: "INR" }
    for (const event of change.events) assert.deepInclude(event, { type: "balance.low", environment: "env", data })
  })

  it.each([
    [120, false, 20, 0],
    [120, false, 21, 1],
    [90, true, 20, 0],
    [130, true, 20, 1],
    [90, false, 0, 1]
  ])(
    "is checked when a charge crosses the threshold: %d, low before: %s, after a charge of %d",
    (amount, isLow, price, n) => {
      const funds = { balance: balance(amount, isLow), day: "2030-01-07", spent: {} }
      const budget = { settings: settingsWith({ balanceLowAt: 100 }), funds }
      const jobs = lowJobs(budget, price === 0 ? [] : [taken(price)], start)
      assert.deepStrictEqual(
        jobs.map(({ key, runAt }) => [key, runAt]),
        Array.from({ length: n }, () => ["balance-low:env", start + 1_000])
      )
      assert.deepStrictEqual(lowJobs({ ...budget, funds: null }, [taken(500)], start), [])
    }
  )
})
