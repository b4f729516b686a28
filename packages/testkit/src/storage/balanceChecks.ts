import {
  BalanceStore,
  type Booking,
  Conflict,
  emptyBalance,
  LeadStore,
  mostMoney,
  Subject,
  VerificationStore
} from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import * as Race from "../Race.ts"
import { amountOf, assertSound, booking, endow, fundsOf, newBalance, today } from "./balanceFixtures.ts"
import { playBalances } from "./balanceModel.ts"
import { change, fresh, noon, verification } from "./fixtures.ts"
import { lead, message } from "./leadFixtures.ts"
import { promise } from "./StorageCheck.ts"

/** `pnpm chaos` runs 10,000. */
const operations = Number(process.env["BALANCE_OPERATIONS"] ?? "400")

/** Starts a paid verification of a new person. */
const initiate = Effect.fnUntraced(function* (environment: string, booked: ReadonlyArray<Booking>) {
  const subject = Subject.empty(environment, fresh("91"))
  return yield* (yield* VerificationStore).commit(change(subject, { verification: verification(subject), booked }))
})

/** Retries until it is paid, or until the balance shows that it cannot be. */
const untilPaid = Effect.fnUntraced(function* (environment: string, price: number) {
  for (;;) {
    if ((yield* amountOf(environment)) < price) return false
    const tried = yield* Effect.exit(initiate(environment, [booking(environment, -price)]))
    if (Exit.isSuccess(tried)) return true
    assert.instanceOf(Cause.squash(tried.cause), Conflict)
  }
})

const sms = (cap: number | null, day = today) => ({ channel: "SMS", day, cap })

export const balanceChecks = [
  promise(
    "an environment without a stored balance has no money and no credit",
    Effect.gen(function* () {
      const store = yield* BalanceStore
      const environment = fresh("env")
      assert.deepStrictEqual(yield* store.funds(environment, today), {
        balance: emptyBalance(environment),
        day: today,
        spent: {}
      })
      assert.deepStrictEqual(yield* store.ledger(environment, { before: null, limit: 10 }), [])
      assert.isNull(yield* store.topUp(environment, "ref"))
      assert.instanceOf(yield* Effect.flip(initiate(environment, [booking(environment, -1)])), Conflict)
      yield* initiate(environment, [booking(environment, 0, { kind: "SEND", spent: sms(0) })])
      assert.strictEqual((yield* assertSound(environment)).length, 1)
      for (const strange of ["\u0000", "\ud800"]) {
        assert.deepStrictEqual((yield* store.funds(strange, today)).spent, {})
        assert.deepStrictEqual(yield* store.ledger(strange, { before: null, limit: 10 }), [])
        assert.isNull(yield* store.topUp(environment, strange))
      }
    })
  ),
  promise(
    "credit and warnings are written at the version they were read, and only bookings move the amount",
    Effect.gen(function* () {
      const store = yield* BalanceStore
      const environment = fresh("env")
      const first = yield* store.commit(BalanceStore.change(newBalance(environment, { amount: 999, creditLimit: 50 })))
      assert.deepStrictEqual(first, newBalance(environment, { creditLimit: 50, version: 1 }))
      const topUp = booking(environment, 300, { kind: "TOP_UP", reference: "bank-1", item: "wire" })
      const second = yield* store.commit(BalanceStore.change({ ...first, isLow: true }, { booked: [topUp] }))
      assert.deepStrictEqual(second, { ...first, isLow: true, amount: 300, version: 2 })
      assert.deepStrictEqual((yield* fundsOf(environment)).balance, second)
      const { spent: _, ...entry } = { ...topUp, number: 1, channel: null, balance: 300 }
      assert.deepStrictEqual(yield* store.topUp(environment, "bank-1"), entry)
      assert.deepStrictEqual(yield* store.ledger(environment, { before: null, limit: 10 }), [entry])
      for (const version of [0, 1, 3]) {
        const late = BalanceStore.change(
          { ...second, version },
          { booked: [booking(environment, 5, { kind: "TOP_UP" })] }
        )
        assert.instanceOf(yield* Effect.flip(store.commit(late)), Conflict)
      }
      assert.instanceOf(
        yield* Effect.flip(store.commit(BalanceStore.change(newBalance(fresh("env"), { version: 1 })))),
        Conflict
      )
      yield* initiate(environment, [booking(environment, -20)])
      assert.deepStrictEqual((yield* fundsOf(environment)).balance, { ...second, amount: 280 })
      assert.strictEqual((yield* assertSound(environment)).length, 2)
    })
  ),
  promise(
    "when 40 writers change a balance at one version, one succeeds",
    Effect.gen(function* () {
      const store = yield* BalanceStore
      for (const version of [0, 1]) {
        const environment = fresh("env")
        const known = version === 0 ? newBalance(environment) : yield* endow(environment, 7)
        const { failures, successes } = yield* Race.together(40, () =>
          store.commit(BalanceStore.change(known, { booked: [booking(environment, 1, { kind: "TOP_UP" })] }))
        )
        assert.strictEqual(successes.length, 1)
        for (const failure of failures) assert.instanceOf(failure, Conflict)
        assert.strictEqual(yield* amountOf(environment), version === 0 ? 1 : 8)
        yield* assertSound(environment)
      }
    })
  ),
  promise(
    "a top-up reference is booked once per environment, however often it is sent",
    Effect.gen(function* () {
      const store = yield* BalanceStore
      const [environment, other] = [fresh("env"), fresh("env")]
      const topUp = (environment: string) => booking(environment, 100, { kind: "TOP_UP", reference: "bank-7" })
      const pay = Effect.gen(function* () {
        const { balance } = yield* fundsOf(environment)
        return yield* store.commit(BalanceStore.change(balance, { booked: [topUp(environment)] }))
      })
      const { failures, successes } = yield* Race.together(20, () => pay)
      assert.strictEqual(successes.length, 1)
      for (const failure of failures) assert.instanceOf(failure, Conflict)
      assert.instanceOf(yield* Effect.flip(pay), Conflict)
      assert.instanceOf(yield* Effect.flip(initiate(environment, [topUp(environment)])), Conflict)
      yield* store.commit(BalanceStore.change(newBalance(other), { booked: [topUp(other)] }))
      assert.deepStrictEqual([yield* amountOf(environment), yield* amountOf(other)], [100, 100])
      // Entries that are not top-ups may have its reference.
      yield* initiate(environment, [booking(environment, -1, { reference: "bank-7" })])
      assert.strictEqual((yield* store.topUp(environment, "bank-7"))?.number, 1)
    })
  ),
  promise(
    "when 100 verifications start concurrently on a balance for 5, 5 start",
    Effect.gen(function* () {
      const environment = fresh("env")
      yield* endow(environment, 53)
      const { defects, failures, successes } = yield* Race.together(100, () =>
        initiate(environment, [booking(environment, -10)])
      )
      assert.deepStrictEqual(defects, [])
      assert.strictEqual(successes.length, 5)
      for (const failure of failures) assert.instanceOf(failure, Conflict)
      assert.strictEqual(yield* amountOf(environment), 3)
      assert.strictEqual((yield* assertSound(environment)).length, 6)
    })
  ),
  promise(
    "when verifications, refunds and top-ups race, everything affordable is paid and nothing else",
    Effect.gen(function* () {
      const environment = fresh("env")
      yield* endow(environment, 100)
      const { defects, failures, successes } = yield* Race.together(36, (index) =>
        index % 6 === 0
          ? Effect.as(initiate(environment, [booking(environment, 10, { kind: "REFUND" })]), true)
          : untilPaid(environment, 10)
      )
      assert.deepStrictEqual([defects, failures], [[], []])
      // A caller that found too little money may have read before a refund, so it retries.
      const again = successes.filter((paid) => !paid).length
      yield* Race.together(again, () => untilPaid(environment, 10))
      const entries = yield* assertSound(environment)
      assert.strictEqual(entries.filter(({ kind }) => kind === "SEND").length, 16)
      assert.strictEqual(yield* amountOf(environment), 0)
      for (const { balance } of entries) assert.isAtLeast(balance, 0)
    })
  ),
  promise(
    "a change that cannot be paid does not block other changes in its batch",
    Effect.gen(function* () {
      const [poor, rich] = [fresh("env"), fresh("env")]
      yield* endow(rich, 1_000)
      const { exits } = yield* Race.together(45, (index) =>
        index % 3 === 0
          ? initiate(poor, [booking(poor, -1)])
          : initiate(rich, index % 3 === 1 ? [booking(rich, -7)] : [])
      )
      for (const [index, exit] of exits.entries()) {
        if (index % 3 === 0) assert.instanceOf(yield* Effect.flip(exit), Conflict)
        else yield* exit
      }
      assert.strictEqual(yield* amountOf(rich), 1_000 - 15 * 7)
      assert.strictEqual((yield* assertSound(rich)).length, 16)
      assert.deepStrictEqual(yield* assertSound(poor), [])
    })
  ),
  promise(
    "concurrent commits that book two environments neither mix them up nor deadlock",
    Effect.gen(function* () {
      const [a, b] = [fresh("env"), fresh("env")]
      const [verifications, leads, store] = [yield* VerificationStore, yield* LeadStore, yield* BalanceStore]
      yield* endow(a, 1_000)
      yield* endow(b, 1_000)
      const both = (index: number) => {
        const booked = [booking(a, -1), booking(b, -2, { spent: { channel: "WHATSAPP", day: today, cap: null } })]
        return index % 2 === 0 ? booked : booked.toReversed()
      }
      const { defects, failures } = yield* Race.together(60, (index): Effect.Effect<unknown, unknown> => {
        const environment = index % 2 === 0 ? a : b
        const booked = both(index)
        if (index % 3 === 0) {
          const subject = Subject.empty(environment, fresh("91"))
          return verifications.commit(change(subject, { verification: verification(subject), booked }))
        }
        return index % 3 === 1
          ? leads.commit(
              LeadStore.change({ leads: [lead(environment, index)], messages: [message(environment, index)], booked })
            )
          : store.commit(BalanceStore.change(newBalance(fresh("env")), { booked }))
      })
      assert.deepStrictEqual([defects, failures], [[], []])
      assert.deepStrictEqual([yield* amountOf(a), yield* amountOf(b)], [940, 880])
      assert.deepStrictEqual((yield* fundsOf(a)).spent, { SMS: 60 })
      assert.deepStrictEqual((yield* fundsOf(b)).spent, { WHATSAPP: 120 })
      for (const environment of [a, b]) assert.strictEqual((yield* assertSound(environment)).length, 61)
    })
  ),
  promise(
    "credit can be spent to its limit, lowering it takes nothing back, and refunds are never refused",
    Effect.gen(function* () {
      const environment = fresh("env")
      const known = yield* endow(environment, 0, { creditLimit: 100 })
      const first = yield* initiate(environment, [booking(environment, -100)])
      assert.instanceOf(yield* Effect.flip(initiate(environment, [booking(environment, -1)])), Conflict)
      yield* (yield* BalanceStore).commit(BalanceStore.change({ ...known, creditLimit: 20 }))
      const refund = booking(environment, 30, { kind: "REFUND", spent: sms(null) })
      yield* (yield* VerificationStore).commit(change(first.subject, { booked: [refund] }))
      assert.strictEqual(yield* amountOf(environment), -70)
      // Credits and debits in one change need a sufficient balance like any other change.
      const both = [booking(environment, -1), booking(environment, 10, { kind: "REFUND" })]
      assert.instanceOf(yield* Effect.flip(initiate(environment, both)), Conflict)
      yield* initiate(environment, [booking(environment, 60)])
      yield* initiate(environment, [booking(environment, -10)])
      assert.instanceOf(yield* Effect.flip(initiate(environment, [booking(environment, -1)])), Conflict)
      assert.strictEqual(yield* amountOf(environment), -20)
      yield* assertSound(environment)
    })
  ),
  promise(
    "within a change, credits are booked before debits, then in the order written",
    Effect.gen(function* () {
      const environment = fresh("env")
      yield* initiate(environment, [booking(environment, -30), booking(environment, -10), booking(environment, 40)])
      const entries = yield* assertSound(environment)
      assert.deepStrictEqual(
        entries.map(({ amount }) => amount),
        [40, -30, -10]
      )
    })
  ),
  promise(
    "a daily cap limits only debits of its channel and day, and counts that day's refunds",
    Effect.gen(function* () {
      const environment = fresh("env")
      yield* endow(environment, 1_000)
      const send = (amount: number, spent: Booking["spent"]) =>
        initiate(environment, [booking(environment, -amount, { spent })])
      const { failures, successes } = yield* Race.together(40, () => send(10, sms(55)))
      assert.strictEqual(successes.length, 5)
      for (const failure of failures) assert.instanceOf(failure, Conflict)
      yield* send(5, sms(55))
      assert.instanceOf(yield* Effect.flip(send(1, sms(55))), Conflict)
      yield* send(1, sms(null))
      yield* send(56, { channel: "WHATSAPP", day: today, cap: 56 })
      yield* send(55, sms(55, "2999-06-02"))
      assert.instanceOf(yield* Effect.flip(send(56, sms(55, "2999-06-03"))), Conflict)
      yield* initiate(environment, [booking(environment, 11, { kind: "REFUND", spent: sms(0) })])
      assert.deepStrictEqual((yield* fundsOf(environment)).spent, { SMS: 45, WHATSAPP: 56 })
      yield* send(10, sms(55))
      assert.deepStrictEqual((yield* fundsOf(environment, "2999-06-02")).spent, { SMS: 55 })
      yield* assertSound(environment)
    })
  ),
  promise(
    "a balance equals the sum of its ledger after every step, despite losses, repeats and races",
    playBalances(operations, 6_151)
  ),
  promise(
    "a ledger is read from its end, page by page",
    Effect.gen(function* () {
      const store = yield* BalanceStore
      const environment = fresh("env")
      yield* endow(environment, 100)
      for (let n = 0; n < 4; n++) yield* initiate(environment, [booking(environment, -1)])
      const numbers = (before: number | null) =>
        Effect.map(store.ledger(environment, { before, limit: 2 }), (page) => page.map(({ number }) => number))
      assert.deepStrictEqual(yield* Effect.forEach([null, 4, 2, 1], numbers), [[5, 4], [3, 2], [1], []])
      const [last] = yield* store.ledger(environment, { before: null, limit: 1 })
      assert.deepStrictEqual([last?.kind, last?.channel, last?.balance, last?.at], ["SEND", "SMS", 96, noon])
    })
  ),
  promise(
    "amounts are exact up to nine quadrillions, and larger ones are refused",
    Effect.gen(function* () {
      const environment = fresh("env")
      yield* initiate(environment, [booking(environment, mostMoney - 2)])
      yield* initiate(environment, [booking(environment, 1)])
      assert.strictEqual(yield* amountOf(environment), mostMoney - 1)
      for (const amount of [2, mostMoney + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        assert.isTrue(Exit.isFailure(yield* Effect.exit(initiate(environment, [booking(environment, amount)]))))
      }
      for (const cap of [mostMoney + 1, 0.5]) {
        const odd = booking(environment, -1, { spent: sms(cap) })
        assert.isTrue(Exit.isFailure(yield* Effect.exit(initiate(environment, [odd]))))
      }
      yield* initiate(environment, [booking(environment, -(mostMoney - 1))])
      assert.strictEqual((yield* assertSound(environment)).length, 3)
    })
  )
]
