import { type Balance, BalanceStore, type Booking, emptyBalance } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { fresh, noon } from "./fixtures.ts"

/** A day whose spending no maintenance deletes, however long a check runs. */
export const today = "2999-06-01"

/** A booking. A negative amount is an SMS send without a cap. */
export const booking = (environment: string, amount: number, fields: Partial<Booking> = {}): Booking => ({
  environment,
  kind: amount < 0 ? "SEND" : "CORRECTION",
  amount,
  spent: amount < 0 ? { channel: "SMS", day: today, cap: null } : null,
  reference: fresh("ref"),
  item: null,
  at: noon,
  ...fields
})

/** Gives an environment money to spend, and credit. */
export const endow = Effect.fnUntraced(function* (environment: string, amount: number, more: Partial<Balance> = {}) {
  const store = yield* BalanceStore
  const { balance } = yield* store.funds(environment, today)
  const booked = amount === 0 ? [] : [booking(environment, amount, { kind: "TOP_UP" })]
  return yield* store.commit(BalanceStore.change({ ...balance, ...more }, { booked }))
})

export const newBalance = (environment: string, fields: Partial<Balance> = {}): Balance => ({
  ...emptyBalance(environment),
  ...fields
})

export const fundsOf = Effect.fnUntraced(function* (environment: string, day = today) {
  return yield* (yield* BalanceStore).funds(environment, day)
})

export const amountOf = (environment: string) => Effect.map(fundsOf(environment), ({ balance }) => balance.amount)

/** The whole ledger, oldest first. */
export const ledgerOf = Effect.fnUntraced(function* (environment: string) {
  const store = yield* BalanceStore
  const entries: Array<BalanceStore.LedgerEntry> = []
  for (let before: number | null = null; ; ) {
    const page: ReadonlyArray<BalanceStore.LedgerEntry> = yield* store.ledger(environment, { before, limit: 500 })
    entries.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < 500) return entries.toReversed()
    before = last.number
  }
})

/**
 * Checks that the balance equals the sum of the ledger and its last entry, that the numbers have no gap, and that each
 * entry adds up.
 */
export const assertSound = Effect.fnUntraced(function* (environment: string) {
  const entries = yield* ledgerOf(environment)
  let sum = 0
  for (const [index, entry] of entries.entries()) {
    sum += entry.amount
    assert.deepStrictEqual([entry.number, entry.balance], [index + 1, sum])
  }
  assert.strictEqual(yield* amountOf(environment), sum)
  return entries
})
