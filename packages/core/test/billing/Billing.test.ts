import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Schema, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Audit, Billing, type Caller, Currency, MerchantBilling, operator } from "../../src/index.ts"
import { BalanceStore } from "../../src/index.storage.ts"
import { mostAtOnce, mostOnBalance } from "../../src/account/billing/changeBalance.ts"
import { makeProcess, makeWorld, type Options, start } from "../fixtures/World.ts"

const by = { actor: operator, address: "203.0.113.9" }

const makeShop = Effect.fnUntraced(function* (options: Options = {}) {
  const world = yield* makeWorld({ idle: true, ...options })
  const { merchant } = yield* Effect.orDie(world.merchants.create("Shop"))
  const billing = Context.get(world.services, Billing)
  const store = Context.get(world.storage, BalanceStore)
  const amountOf = ({ environment }: Caller) =>
    Effect.map(store.funds(environment, ""), (funds) => funds.balance.amount)
  return {
    ...world,
    merchant,
    billing,
    store,
    amountOf,
    accounts: Context.get(world.services, MerchantBilling),
    /** Every entry, the newest first. */
    entries: (caller: Caller) => billing.ledger(caller, {}, { before: null, limit: 1_000 }),
    /** The audit entries about money, the oldest first. */
    deeds: (caller: Caller) =>
      Effect.map(Context.get(world.services, Audit).list(caller, {}, { after: null, limit: 200 }), (found) =>
        found.filter(({ action }) => /^(money|credit)\./.test(action)).toReversed()
      ),
    /** The operator, on the caller's environment. */
    whom: ({ kind, merchantId }: Caller) => ({ merchantId, environment: kind, by })
  }
})

const shown = ({ amount, balance, kind, number, reference }: BalanceStore.LedgerEntry) => [
  number,
  kind,
  amount,
  balance,
  reference
]

const problem = (error: unknown) => {
  const { _tag, field } = error as { readonly _tag: string; readonly field?: string }
  return [_tag, field]
}

describe("a top-up", () => {
  it.effect("changes the balance, is in the ledger, and is audited", () =>
    Effect.gen(function* () {
      const { amountOf, billing, deeds, entries, live, test } = yield* makeShop()
      const first = yield* billing.topUp(live, { amount: 500, reference: "pay_1" }, null)
      yield* TestClock.adjust("1 second")
      const second = yield* billing.topUp(live, { amount: 1, reference: "pay_2" }, null)
      assert.deepStrictEqual([first, second].map(shown), [
        [1, "TOP_UP", 500, 500, "pay_1"],
        [2, "TOP_UP", 1, 501, "pay_2"]
      ])
      assert.deepStrictEqual(yield* entries(live), [second, first])
      assert.deepStrictEqual([yield* amountOf(live), yield* amountOf(test)], [501, 0])
      assert.deepStrictEqual(
        (yield* deeds(live)).map(({ action, actor, from, target, to }) => ({ action, actor, from, target, to }))[0],
        {
          action: "money.topped_up",
          actor: live.actor,
          target: { kind: "balance", id: "live" },
          from: null,
          to: { amount: 500, reference: "pay_1" }
        }
      )
    })
  )

  it.effect("with a known reference returns the first top-up for ever, for any amount, and changes nothing", () =>
    Effect.gen(function* () {
      const { amountOf, billing, deeds, live, test } = yield* makeShop()
      const first = yield* billing.topUp(live, { amount: 500, reference: "pay_1" }, null)
      yield* TestClock.adjust("400 days")
      assert.deepStrictEqual(yield* billing.topUp(live, { amount: 500, reference: "pay_1" }, null), first)
      assert.deepStrictEqual(yield* billing.topUp(live, { amount: 900, reference: "pay_1" }, null), first)
      assert.strictEqual(yield* amountOf(live), 500)
      assert.lengthOf(yield* deeds(live), 1)
      // Another environment does not know the reference, and another spelling is another payment.
      yield* billing.topUp(test, { amount: 3, reference: "pay_1" }, null)
      yield* billing.topUp(live, { amount: 7, reference: "PAY_1" }, null)
      assert.deepStrictEqual([yield* amountOf(live), yield* amountOf(test)], [507, 3])
    })
  )

  it.effect("without a reference uses its idempotency key, and without both gets a reference of its own", () =>
    Effect.gen(function* () {
      const { amountOf, billing, live } = yield* makeShop()
      const key = "11111111-2222-4333-8444-555555555555"
      const first = yield* billing.topUp(live, { amount: 5 }, key)
      assert.strictEqual(first.reference, key)
      yield* TestClock.adjust("2 days")
      assert.deepStrictEqual(yield* billing.topUp(live, { amount: 5, reference: null }, key), first)
      // The request's own reference counts, and its idempotency key does not.
      yield* billing.topUp(live, { amount: 10, reference: "pay_1" }, key)
      const one = yield* billing.topUp(live, { amount: 20 }, null)
      const other = yield* billing.topUp(live, { amount: 20 }, null)
      assert.match(one.reference!, /^top_/)
      assert.notStrictEqual(one.reference, other.reference)
      assert.strictEqual(yield* amountOf(live), 55)
    })
  )

  it.effect("happens once for 50 concurrent requests with one reference in two processes, and 50 times with 50", () =>
    Effect.gen(function* () {
      const { amountOf, billing, deeds, live, storage } = yield* makeShop()
      const other = Context.get((yield* makeProcess(storage, { idle: true })).services, Billing)
      const all = Array.from({ length: 50 }, (_, index) => index)
      const topUps = (reference: (index: number) => string) =>
        Effect.forEach(
          all,
          (index) => (index % 2 === 0 ? billing : other).topUp(live, { amount: 10, reference: reference(index) }, null),
          { concurrency: "unbounded" }
        )
      const same = yield* topUps(() => "pay_1")
      assert.strictEqual(new Set(same.map(({ number }) => number)).size, 1)
      assert.strictEqual(yield* amountOf(live), 10)
      const each = yield* topUps((index) => `pay ${index}`)
      assert.strictEqual(new Set(each.map(({ number }) => number)).size, 50)
      assert.strictEqual(yield* amountOf(live), 510)
      assert.lengthOf(yield* deeds(live), 51)
    })
  )

  it.effect.each([
    [{ amount: 0 }, "amount"],
    [{ amount: -1 }, "amount"],
    [{ amount: 0.5 }, "amount"],
    [{ amount: Number.NaN }, "amount"],
    [{ amount: mostAtOnce + 1 }, "amount"],
    [{ amount: 1, reference: "" }, "reference"],
    [{ amount: 1, reference: "  " }, "reference"],
    [{ amount: 1, reference: "x".repeat(101) }, "reference"],
    [{ amount: 1, reference: "a\nb" }, "reference"],
    [{ amount: 1, reference: "a\u0000" }, "reference"],
    [{ amount: 1, reference: "a\u2028b" }, "reference"],
    [{ amount: 1, reference: "\ud83d" }, "reference"]
  ] as const)("of %j is refused for its %s, and stores nothing", ([request, field]) =>
    Effect.gen(function* () {
      const { billing, deeds, entries, live } = yield* makeShop()
      assert.deepStrictEqual(problem(yield* Effect.flip(billing.topUp(live, request, null))), ["InvalidField", field])
      assert.deepStrictEqual([yield* entries(live), yield* deeds(live)], [[], []])
    })
  )

  it.effect("fills a balance up to its maximum, and a repeat there still gets its first answer", () =>
    Effect.gen(function* () {
      const { amountOf, billing, live, store } = yield* makeShop()
      const first = yield* billing.topUp(live, { amount: mostAtOnce, reference: "x".repeat(100) }, null)
      const { balance } = yield* store.funds(live.environment, "")
      yield* store.commit(
        BalanceStore.change(balance, {
          booked: [
            {
              environment: live.environment,
              kind: "CORRECTION",
              amount: mostOnBalance - 1 - mostAtOnce,
              spent: null,
              reference: null,
              item: null,
              at: start
            }
          ]
        })
      )
      const tooMuch = yield* Effect.flip(billing.topUp(live, { amount: 2 }, null))
      assert.deepStrictEqual(problem(tooMuch), ["InvalidField", "amount"])
      yield* billing.topUp(live, { amount: 1 }, null)
      assert.strictEqual(yield* amountOf(live), mostOnBalance)
      const again = { amount: mostAtOnce, reference: "x".repeat(100) }
      assert.deepStrictEqual(yield* billing.topUp(live, again, null), first)
    })
  )

  it.effect("that ends a low balance lets the next low balance be announced again", () =>
    Effect.gen(function* () {
      const { billing, live, merchants, store } = yield* makeShop()
      const isLow = Effect.map(store.funds(live.environment, ""), (funds) => funds.balance.isLow)
      const { balance } = yield* store.funds(live.environment, "")
      yield* store.commit(BalanceStore.change({ ...balance, isLow: true }))
      const settings = yield* merchants.changeSettings(live, { balanceLowAt: 100 })
      const caller = { ...live, settings }
      yield* billing.topUp(caller, { amount: 99 }, null)
      assert.deepStrictEqual([(yield* billing.balance(caller)).low, yield* isLow], [true, true])
      yield* billing.topUp(caller, { amount: 1 }, null)
      assert.deepStrictEqual([(yield* billing.balance(caller)).low, yield* isLow], [false, false])
    })
  )
})

describe("the balance", () => {
  it.effect("shows the amount, what is available, and what the merchant's local day has cost", () =>
    Effect.gen(function* () {
      const { accounts, billing, live, merchants, services, store, whom } = yield* makeShop()
      assert.strictEqual(Context.get(services, Currency).code, "INR")
      assert.deepStrictEqual(yield* billing.balance(live), {
        balance: 0,
        currency: "INR",
        creditLimit: 0,
        available: 0,
        low: false,
        spentToday: [],
        day: "2030-01-07",
        billedBy: "merchant"
      })
      yield* billing.topUp(live, { amount: 100 }, null)
      yield* accounts.change(whom(live), { creditLimit: 50 })
      const patch = { timeZone: "Pacific/Kiritimati", dailyCap: { WHATSAPP: 80, SMS: null }, balanceLowAt: 71 }
      const settings = yield* merchants.changeSettings({ ...live, actor: operator }, patch)
      const { balance } = yield* store.funds(live.environment, "")
      const spent = { channel: "SMS", day: "2030-01-08", cap: null }
      yield* store.commit(
        BalanceStore.change(balance, {
          booked: [
            {
              environment: live.environment,
              kind: "SEND",
              amount: -30,
              spent,
              reference: "ver_1",
              item: "dlv_1",
              at: start
            }
          ]
        })
      )
      assert.deepStrictEqual(yield* billing.balance({ ...live, settings }), {
        balance: 70,
        currency: "INR",
        creditLimit: 50,
        available: 120,
        low: true,
        spentToday: [
          { channel: "SMS", amount: 30, cap: null },
          { channel: "WHATSAPP", amount: 0, cap: 80 }
        ],
        day: "2030-01-08",
        billedBy: "merchant"
      })
    })
  )
})

describe("a correction", () => {
  it.effect("adds or takes an amount with a reason, and never more than the balance with its credit", () =>
    Effect.gen(function* () {
      const { accounts, amountOf, deeds, entries, live, whom } = yield* makeShop()
      const correct = (amount: number, reason = "Charged twice") =>
        Effect.ensuring(accounts.correct(whom(live), { amount, reason }, null), TestClock.adjust("1 second"))
      const credit = (creditLimit: number) =>
        Effect.ensuring(accounts.change(whom(live), { creditLimit }), TestClock.adjust("1 second"))
      assert.deepStrictEqual(shown(yield* correct(30)), [1, "CORRECTION", 30, 30, "Charged twice"])
      assert.deepStrictEqual(problem(yield* Effect.flip(correct(-31))), ["InvalidField", "amount"])
      yield* credit(10)
      assert.deepStrictEqual(shown(yield* correct(-40)), [2, "CORRECTION", -40, -10, "Charged twice"])
      for (const amount of [-1, 0, -0, 0.5, mostAtOnce + 1, -mostAtOnce - 1]) {
        assert.deepStrictEqual(problem(yield* Effect.flip(correct(amount))), ["InvalidField", "amount"])
      }
      assert.deepStrictEqual(problem(yield* Effect.flip(correct(1, "two\nlines"))), ["InvalidField", "reason"])
      // A credit limit below the debt stops sends; corrections still apply.
      const { available, balance } = yield* credit(0)
      assert.deepStrictEqual([available, balance], [0, -10])
      yield* correct(4)
      assert.strictEqual(yield* amountOf(live), -6)
      assert.strictEqual(
        (yield* entries(live)).reduce((sum, { amount }) => sum + amount, 0),
        -6
      )
      assert.deepStrictEqual(
        (yield* deeds(live)).map(({ action, actor, address, from, to }) => [action, actor.kind, address, from, to]),
        [
          ["money.corrected", "OPERATOR", by.address, null, { amount: 30, reason: "Charged twice" }],
          ["credit.changed", "OPERATOR", by.address, { creditLimit: 0 }, { creditLimit: 10 }],
          ["money.corrected", "OPERATOR", by.address, null, { amount: -40, reason: "Charged twice" }],
          ["credit.changed", "OPERATOR", by.address, { creditLimit: 10 }, { creditLimit: 0 }],
          ["money.corrected", "OPERATOR", by.address, null, { amount: 4, reason: "Charged twice" }]
        ]
      )
    })
  )

  it.effect("is made once for its idempotency key, under concurrent and late repeats", () =>
    Effect.gen(function* () {
      const { accounts, amountOf, live, whom } = yield* makeShop()
      const key = "11111111-2222-4333-8444-555555555555"
      const correct = accounts.correct(whom(live), { amount: 5, reason: "A gift" }, key)
      const all = yield* Effect.all(Array<typeof correct>(20).fill(correct), { concurrency: "unbounded" })
      assert.strictEqual(new Set(all.map(({ number }) => number)).size, 1)
      yield* TestClock.adjust("300 days")
      yield* accounts.topUp(whom(live), { amount: 100 }, null)
      assert.deepStrictEqual(yield* correct, all[0])
      assert.strictEqual(yield* amountOf(live), 105)
    })
  )
})

describe("the operator", () => {
  it.effect("bills either environment of a merchant, and an unchanged value is no change", () =>
    Effect.gen(function* () {
      const { accounts, deeds, live, merchants, test, whom } = yield* makeShop()
      const change = { billing: "PREPAID", prices: { SMS: 25 }, creditLimit: 300 } as const
      assert.deepInclude(yield* accounts.change(whom(live), change), { environment: "live", ...change })
      yield* accounts.change(whom(live), change)
      yield* accounts.topUp(whom(test), { amount: 9 }, null)
      assert.deepStrictEqual(
        (yield* accounts.of(live.merchantId)).map(({ balance, billing, creditLimit, environment, prices }) => ({
          environment,
          billing,
          prices,
          creditLimit,
          balance
        })),
        [
          { environment: "live", ...change, balance: 0 },
          { environment: "test", billing: "OFF", prices: {}, creditLimit: 0, balance: 9 }
        ]
      )
      assert.lengthOf(yield* deeds(live), 1)
      assert.strictEqual((yield* merchants.settings(live)).billing, "PREPAID")
    })
  )

  it.effect("changes nothing when a part is refused, and gets UnknownMerchant for an unknown merchant", () =>
    Effect.gen(function* () {
      const { accounts, live, whom } = yield* makeShop()
      const [before] = yield* accounts.of(live.merchantId)
      for (const [change, field] of [
        [{ billing: "PREPAID", creditLimit: -1 }, "creditLimit"],
        [{ billing: "PREPAID", creditLimit: 0.5 }, "creditLimit"],
        [{ creditLimit: 5, billing: "POSTPAID" }, "billing"],
        [{ creditLimit: 5, prices: { SMS: { default: 1, prefixes: { "+977": 2 } } } }, "prices.SMS.prefixes.+977"]
      ] as const) {
        assert.deepStrictEqual(problem(yield* Effect.flip(accounts.change(whom(live), change))), [
          "InvalidField",
          field
        ])
      }
      assert.deepStrictEqual((yield* accounts.of(live.merchantId))[0], before)
      const nobody = { ...whom(live), merchantId: "mer_404" }
      assert.strictEqual((yield* Effect.flip(accounts.of("mer_404")))._tag, "UnknownMerchant")
      assert.strictEqual((yield* Effect.flip(accounts.topUp(nobody, { amount: 1 }, null)))._tag, "UnknownMerchant")
    })
  )
})

/** Every kind of caller of a merchant, and of the operator. */
const speakers = ({ live, test }: { readonly live: Caller; readonly test: Caller }) => {
  const person = {
    agentId: 1,
    email: "owner@shop.example",
    role: "OWNER" as const,
    sessionId: "ses_1",
    era: 1,
    emailProven: true,
    needsPasskey: false,
    freshUntil: start + 600_000
  }
  const agent = { kind: "AGENT", id: "1", label: person.email } as const
  return {
    merchants: [live, test, { ...live, person, actor: agent }, { ...test, person, actor: agent }],
    operators: [
      { ...live, actor: operator },
      { ...test, actor: { kind: "SYSTEM", id: null, label: null } as const }
    ]
  }
}

describe("where the operator bills", () => {
  it.effect("no merchant tops up or changes billing or prices, in either environment, and the operator does", () =>
    Effect.gen(function* () {
      const shop = yield* makeShop({ billedBy: "operator" })
      const { billing, live, merchants, test } = shop
      const { merchants: callers, operators } = speakers({ live, test })
      const settings = yield* merchants.settings(live)
      for (const caller of callers) {
        for (const patch of [
          { billing: "PREPAID" },
          { prices: { SMS: 1 } },
          { brand: "New", prices: { SMS: 0 } },
          { prices: { SMS: { default: 0, prefixes: {} } }, billing: "OFF" }
        ]) {
          const refused = yield* Effect.flip(merchants.changeSettings(caller, patch))
          assert.deepInclude(refused, { _tag: "BilledByOperator", what: "SETTINGS" })
        }
        const refused = yield* Effect.flip(billing.topUp(caller, { amount: 1, reference: "pay_1" }, null))
        assert.deepInclude(refused, { _tag: "BilledByOperator", what: "TOP_UP" })
      }
      assert.deepStrictEqual(yield* merchants.settings(live), settings)
      assert.deepStrictEqual([yield* shop.entries(live), yield* shop.entries(test)], [[], []])
      for (const caller of operators) {
        yield* merchants.changeSettings(caller, { billing: "PREPAID", prices: { SMS: 20 } })
        yield* billing.topUp(caller, { amount: 100 }, null)
      }
    })
  )

  it.effect("a merchant may repeat the current billing and prices, and change all other money settings", () =>
    Effect.gen(function* () {
      const { live, merchants, test } = yield* makeShop({ billedBy: "operator" })
      const owner = speakers({ live, test }).merchants[2]!
      const prices = { SMS: { default: 20, prefixes: { "1": 3, "977": 90 } }, WHATSAPP: 70 }
      yield* merchants.changeSettings({ ...live, actor: operator }, { billing: "PREPAID", prices })
      const reordered = { WHATSAPP: 70, SMS: { prefixes: { "977": 90, "1": 3 }, default: 20 } }
      const patch = { dailyCap: { SMS: 5_000 }, balanceLowAt: 1_000, timeZone: "Asia/Kathmandu" }
      const whole = { ...(yield* merchants.settings(live)), ...patch, prices: reordered }
      assert.deepInclude(yield* merchants.changeSettings(owner, whole), { ...patch, billing: "PREPAID" })
      for (const [name, value] of [
        ["billing", "prepaid"],
        ["billing", null],
        ["prices", null],
        ["prices", { sms: 0 }]
      ] as const) {
        assert.strictEqual(
          (yield* Effect.flip(merchants.changeSettings(owner, { [name]: value })))._tag,
          "InvalidField"
        )
      }
      const gone = { prices: { ...prices, SMS: { default: 20, prefixes: { "977": 90 } } } }
      for (const patch of [{ prices: {} }, { prices: { WHATSAPP: 70 } }, gone, { billing: "OFF" }]) {
        assert.strictEqual((yield* Effect.flip(merchants.changeSettings(owner, patch)))._tag, "BilledByOperator")
      }
      assert.deepStrictEqual((yield* merchants.settings(live)).prices, prices)
    })
  )

  it.effect("a merchant never sets its own credit or corrections, under either value of billedBy", () =>
    Effect.gen(function* () {
      for (const billedBy of ["merchant", "operator"] as const) {
        const { billing, live, test } = yield* makeShop({ billedBy })
        for (const caller of speakers({ live, test }).merchants) {
          for (const attempt of [
            billing.setCredit(caller, 1_000),
            billing.correct(caller, { amount: 1, reason: "Mine" }, null)
          ]) {
            assert.deepInclude(yield* Effect.flip(attempt), { _tag: "BilledByOperator", what: "CREDIT" })
          }
        }
      }
    })
  )
})

describe("the ledger", () => {
  const movement = Schema.Int.check(Schema.isBetween({ minimum: -400, maximum: 500 }))

  it.effect.prop(
    "adds up to the balance, and each entry has the balance after it",
    [Schema.Array(movement)],
    ([amounts]) =>
      Effect.gen(function* () {
        const { accounts, amountOf, entries, live, whom } = yield* makeShop()
        yield* accounts.change(whom(live), { creditLimit: 250 })
        for (const amount of amounts) {
          yield* Effect.ignore(accounts.correct(whom(live), { amount, reason: "Any" }, null))
        }
        let sum = 0
        for (const { amount, balance } of (yield* entries(live)).toReversed()) {
          sum += amount
          assert.strictEqual(balance, sum)
          assert.isAtLeast(balance, -250)
        }
        assert.strictEqual(yield* amountOf(live), sum)
      }),
    { arbitrary: { runs: 20 } }
  )

  it.effect("has pages from the newest to the oldest, and filters by time", () =>
    Effect.gen(function* () {
      const { billing, live } = yield* makeShop()
      for (let hour = 0; hour < 5; hour++) {
        yield* billing.topUp(live, { amount: 1, reference: `pay ${hour}` }, null)
        yield* TestClock.adjust("1 hour")
      }
      const numbers = (query: object, before: number | null = null, limit = 2) =>
        Effect.map(billing.ledger(live, query, { before, limit }), (found) => found.map(({ number }) => number))
      assert.deepStrictEqual(yield* numbers({}), [5, 4])
      assert.deepStrictEqual(yield* numbers({}, 4), [3, 2])
      assert.deepStrictEqual(yield* numbers({}, 2), [1])
      assert.deepStrictEqual(yield* numbers({}, 1), [])
      const at = (hour: number) => new Date(start + hour * 3_600_000).toISOString()
      assert.deepStrictEqual(yield* numbers({ from: at(1), to: at(3) }, null, 9), [3, 2])
      assert.deepStrictEqual(yield* numbers({ from: at(1), to: at(3) }, 3, 9), [2])
      assert.deepStrictEqual(yield* numbers({ to: at(1) }), [1])
      assert.deepStrictEqual(yield* numbers({ from: at(4) }), [5])
      assert.deepStrictEqual(yield* numbers({ from: at(3), to: at(1) }), [])
      for (const field of ["from", "to"]) {
        const query = { [field]: "yesterday" }
        const asked = [
          billing.ledger(live, query, { before: null, limit: 1 }),
          Effect.flatMap(billing.wholeLedger(live, query), Stream.runCollect)
        ]
        for (const ask of asked) assert.deepStrictEqual(problem(yield* Effect.flip(ask)), ["InvalidField", field])
      }
    })
  )

  it.effect("streams each entry from the start of reading once, while more are added", () =>
    Effect.gen(function* () {
      const { billing, live, store } = yield* makeShop()
      const add = Effect.fnUntraced(function* (count: number) {
        const { balance } = yield* store.funds(live.environment, "")
        const booking = { kind: "CORRECTION", amount: 1, spent: null, reference: null, item: null, at: start } as const
        const booked = Array.from({ length: count }, () => ({ ...booking, environment: live.environment }))
        yield* store.commit(BalanceStore.change(balance, { booked }))
      })
      yield* add(2_500)
      const numbers = new Array<number>()
      yield* Stream.runForEach(yield* billing.wholeLedger(live, {}), ({ number }) => {
        numbers.push(number)
        return numbers.length % 500 === 0 ? Effect.orDie(add(100)) : Effect.void
      })
      assert.deepStrictEqual(
        numbers,
        Array.from({ length: 2_500 }, (_, index) => 2_500 - index)
      )
    })
  )
})
