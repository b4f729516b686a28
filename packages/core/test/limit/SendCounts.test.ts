import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { SendCounts, type SendBudgets } from "../../src/foundation/limit/SendCounts.ts"
import { hours, minutes } from "../../src/foundation/time/Instant.ts"
import { start } from "../fixtures/World.ts"

const off: SendBudgets = { hourlyLimitPerPrefix: null, hourlyLimitPerCountry: null, hourlyLimitPerMerchant: null }
const some = { ...off, hourlyLimitPerCountry: 5 }

const limit = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 6 })))
const limits = Arbitrary.schema(
  Schema.Struct({ hourlyLimitPerPrefix: limit, hourlyLimitPerCountry: limit, hourlyLimitPerMerchant: limit })
)
const step = Arbitrary.schema(
  Schema.Struct({
    number: Schema.Literals(["998912340001", "998912340002", "998912350001", "919876543210", "12025550123"]),
    pause: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 })),
    does: Schema.Literals(["send", "fail", "report"])
  })
)

describe("the counts of messages per hour", () => {
  it.prop(
    "never let one process exceed a budget within any hour, whatever others report and whichever sends fail",
    [limits, Arbitrary.array(step, { maxLength: 120 })],
    ([limits, steps]) => {
      const counts = new SendCounts()
      const sent: Array<{ readonly number: string; readonly at: number }> = []
      let now = start
      for (const [n, { does, number, pause }] of steps.entries()) {
        now += minutes(pause)
        if (does === "report") {
          counts.learn(number, `other_${n}`, now - minutes(1), now)
          continue
        }
        const counted = counts.take(number, `dlv_${n}`, limits, now)
        if (counted._tag === "Full") {
          assert.isAbove(counted.retryAt, now)
          assert.isAtMost(counted.retryAt, now + hours(1) + minutes(1))
        } else if (does === "fail") {
          counted.giveBack()
          counted.giveBack()
        } else {
          sent.push({ number, at: now })
          // Its own message comes back with the reports of storage.
          counts.learn(number, `dlv_${n}`, now, now)
        }
        const hour = sent.filter(({ at }) => at > now - hours(1))
        const of = (start: string) => hour.filter((one) => one.number.startsWith(start)).length
        assert.isAtMost(hour.length, limits.hourlyLimitPerMerchant ?? Infinity)
        for (const prefix of ["99891234", "99891235", "91987654", "1202555"])
          assert.isAtMost(of(prefix), limits.hourlyLimitPerPrefix ?? Infinity)
        for (const country of ["998", "91", "1202"])
          assert.isAtMost(of(country), limits.hourlyLimitPerCountry ?? Infinity)
      }
    }
  )

  it("counts messages of other processes at their own time, once, and forgets them after an hour", () => {
    const counts = new SendCounts()
    for (let n = 0; n < 5; n++) counts.learn("998912340001", `other_${n}`, start - minutes(30), start)
    assert.deepInclude(counts.take("998917770001", "dlv_1", some, start), {
      _tag: "Full",
      budget: "hourlyLimitPerCountry"
    })
    assert.strictEqual(counts.take("919876543210", "dlv_2", some, start)._tag, "Counted")
    assert.strictEqual(counts.take("998917770001", "dlv_3", some, start + minutes(32))._tag, "Counted")
  })

  it("keep a country's count while an attacker visits more prefixes than are kept", () => {
    const counts = new SendCounts()
    const wide = { ...off, hourlyLimitPerCountry: 11_000 }
    for (let n = 0; n < 11_000; n++) {
      const number = `9989${String(10_000 + n).padStart(5, "0")}1234`
      assert.strictEqual(counts.take(number, `dlv_${n}`, wide, start + n)._tag, "Counted")
    }
    assert.strictEqual(counts.take("998900000001", "dlv", wide, start + minutes(1))._tag, "Full")
  })
})
