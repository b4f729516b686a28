import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import type { BalanceStore } from "../../src/account/billing/BalanceStore.ts"
import { readLedger } from "../../src/account/billing/readLedger.ts"
import { hours, minutes } from "../../src/foundation/time/Instant.ts"

/** A ledger with one entry at each of these times, numbered in this order. */
const makeLedger = (moments: ReadonlyArray<number>) => {
  const entries = moments.map(
    (at, index): BalanceStore.LedgerEntry => ({
      environment: "env_1",
      number: index + 1,
      kind: "SEND",
      amount: -1,
      balance: -index,
      channel: "SMS",
      reference: null,
      item: null,
      at
    })
  )
  const calls = { count: 0 }
  return {
    entries,
    calls,
    ledger: (_: string, { before, limit }: { readonly before: number | null; readonly limit: number }) =>
      Effect.sync(() => {
        calls.count++
        return entries
          .filter(({ number }) => before === null || number < before)
          .toReversed()
          .slice(0, limit)
      })
  }
}

const numbersOf = (entries: ReadonlyArray<BalanceStore.LedgerEntry>) => entries.map(({ number }) => number)
const up = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

describe("a time range of the ledger", () => {
  it.effect("without any length is empty, and reads nothing", () =>
    Effect.gen(function* () {
      const { calls, ledger } = makeLedger([1, 2, 3])
      assert.lengthOf(yield* Stream.runCollect(readLedger({ ledger }, "env_1", { from: 2, to: 2 }, 10)), 0)
      assert.strictEqual(calls.count, 0)
    })
  )

  it.effect.prop(
    "has the entries that a full scan finds, although their times are up to an hour out of order",
    {
      steps: Schema.Array(Schema.Struct({ later: up(minutes(90)), early: up(minutes(59)) })),
      from: up(hours(24)),
      length: up(hours(12)),
      before: up(40),
      pageSize: up(6)
    },
    ({ before, from, length, pageSize, steps }) =>
      Effect.gen(function* () {
        let now = hours(1)
        const store = makeLedger(steps.map(({ early, later }) => (now += later) - early))
        const to = from + length
        const found = yield* Stream.runCollect(
          readLedger(store, "env_1", { before: before === 0 ? null : before, from, to }, pageSize + 1)
        )
        const wanted = store.entries
          .filter(({ at, number }) => at >= from && at < to && (before === 0 || number < before))
          .toReversed()
        assert.deepStrictEqual(numbersOf(found), numbersOf(wanted))
      })
  )

  it.effect("includes an entry that was decided before its end and committed after a later one", () =>
    Effect.gen(function* () {
      const store = makeLedger([0, 70, 50, 200, 210].map(minutes))
      const found = yield* Stream.runCollect(readLedger(store, "env_1", { to: minutes(60) }, 10))
      assert.deepStrictEqual(numbersOf(found), [3, 1])
    })
  )

  it.effect("of long ago is found among a million entries with a few dozen reads", () =>
    Effect.gen(function* () {
      const count = 1_000_000
      const [entry] = makeLedger([0]).entries
      let reads = 0
      const ledger = (_: string, { before, limit }: { readonly before: number | null; readonly limit: number }) =>
        Effect.sync(() => {
          reads++
          const last = Math.min(before ?? count + 1, count + 1) - 1
          return Array.from(
            { length: Math.min(limit, last) },
            (_, index): BalanceStore.LedgerEntry => ({
              ...entry!,
              number: last - index,
              at: minutes(last - index)
            })
          )
        })
      const span = { from: minutes(100), to: minutes(103) }
      const found = yield* Stream.runCollect(readLedger({ ledger }, "env_1", span, 100))
      assert.deepStrictEqual(numbersOf(found), [102, 101, 100])
      assert.isBelow(reads, 30)
    })
  )
})
