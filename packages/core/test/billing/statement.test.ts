import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema, Stream } from "effect"
import type { BalanceStore } from "../../src/account/billing/BalanceStore.ts"
import { readAround } from "../../src/account/billing/readLedger.ts"
import { monthOf, noTally, statementOf, tally } from "../../src/account/billing/statement.ts"
import { BookingKind } from "../../src/foundation/outbox/Booking.ts"
import { days, hours, minutes, toIso } from "../../src/foundation/time/Instant.ts"

const within = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const references = ["ver_01kaj3v9c0q5w8xn2rz7t4m6hd", "cmp_01kaj3v9c0q5w8xn2rz7t4m6hd", "pay_1"]

const storeOf = (entries: ReadonlyArray<BalanceStore.LedgerEntry>) => ({
  ledger: (_: string, { before, limit }: { readonly before: number | null; readonly limit: number }) =>
    Effect.succeed(
      entries
        .filter(({ number }) => before === null || number < before)
        .toReversed()
        .slice(0, limit)
    )
})

const sum = (entries: ReadonlyArray<{ readonly amount: number }>) =>
  entries.reduce((all, { amount }) => all + amount, 0)

describe("the statement of a month", () => {
  it.effect.prop(
    "equals the ledger to the smallest unit, and opens with the closing balance of the month before",
    {
      steps: Schema.Array(
        Schema.Struct({
          later: within(0, days(9)),
          early: within(0, minutes(59)),
          amount: within(-90_000, 90_000),
          kind: within(0, 3),
          channel: within(0, 2),
          reference: within(0, 2)
        })
      ),
      pageSize: within(1, 6)
    },
    ({ pageSize, steps }) =>
      Effect.gen(function* () {
        let [now, balance] = [Date.UTC(2026, 8, 28), 0]
        const entries = steps.map(
          ({ amount, channel, early, kind, later, reference }, index): BalanceStore.LedgerEntry => {
            now += later
            balance += amount
            return {
              environment: "env_1",
              number: index + 1,
              kind: BookingKind[kind]!,
              amount,
              balance,
              channel: [null, "SMS", "WHATSAPP"][channel]!,
              reference: references[reference]!,
              item: null,
              at: now - early
            }
          }
        )
        let closing = 0
        for (const name of ["2026-09", "2026-10", "2026-11", "2026-12", "2027-01"]) {
          const month = Result.getOrThrow(monthOf(name, { timeZone: "Asia/Kolkata" }))
          const around = Stream.chunks(readAround(storeOf(entries), "env_1", month, pageSize))
          const statement = statementOf(
            yield* Stream.runFold(
              around,
              () => noTally,
              (all, page) => tally(all, page, month)
            )
          )
          const inMonth = entries.filter(({ at }) => at >= month.from && at < month.to)
          assert.strictEqual(statement.opening, sum(entries.filter(({ at }) => at < month.from)))
          assert.strictEqual(statement.closing, sum(entries.filter(({ at }) => at < month.to)))
          assert.strictEqual(statement.opening + sum(statement.lines), statement.closing)
          assert.strictEqual(statement.opening, closing)
          for (const kind of BookingKind) {
            const ofKind = (each: { readonly kind: string }) => each.kind === kind
            assert.strictEqual(sum(statement.lines.filter(ofKind)), sum(inMonth.filter(ofKind)))
          }
          assert.strictEqual(
            statement.lines.reduce((all, { count }) => all + count, 0),
            inMonth.length
          )
          closing = statement.closing
        }
      })
  )

  it("begins and ends at midnight of the merchant's time zone, also where a clock changes", () => {
    const bounds = (month: string, timeZone: string) => {
      const { from, to } = Result.getOrThrow(monthOf(month, { timeZone }))
      return [toIso(from), toIso(to), (to - from) / hours(1)]
    }
    assert.deepStrictEqual(bounds("2026-12", "Asia/Kolkata"), [
      "2026-11-30T18:30:00.000Z",
      "2026-12-31T18:30:00.000Z",
      744
    ])
    assert.deepStrictEqual(bounds("2026-03", "Europe/Berlin"), [
      "2026-02-28T23:00:00.000Z",
      "2026-03-31T22:00:00.000Z",
      743
    ])
    assert.deepStrictEqual(bounds("2026-01", "Pacific/Kiritimati").slice(0, 1), ["2025-12-31T10:00:00.000Z"])
    for (const wrong of ["", "2026", "2026-13", "2026-1", "1999-01", "2026-11-01"]) {
      assert.isTrue(Result.isFailure(monthOf(wrong, { timeZone: "UTC" })), wrong)
    }
  })
})
