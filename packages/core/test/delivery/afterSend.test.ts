import { assert, describe, it } from "@effect/vitest"
import { ChannelError, OutcomeUnknown, Refused, Unavailable } from "../../src/index.channel.ts"
import { afterError, afterRest } from "../../src/delivery/afterSend.ts"

const second = 1_000
const failed = (reason: ChannelError["reason"]) => new ChannelError({ channel: "SMS", reason })
const refused = failed(new Refused({ providerCode: "blocked" }))
const lost = failed(new OutcomeUnknown({ providerCode: "timeout" }))
const busy = (retryAfterSeconds?: number) =>
  failed(
    new Unavailable(
      retryAfterSeconds === undefined ? { providerCode: "busy" } : { providerCode: "busy", retryAfterSeconds }
    )
  )

/** Every case of a table of few values each: no generator is needed to have met them all. */
const cases = [0, 1, 2, 3, 4, 5, 9, 90].flatMap((failures) =>
  [false, true].flatMap((isUnanswered) =>
    [0, 0.3, 0.999].flatMap((chance) =>
      [0, 1, 999, 5_000, 30_000, 900_000].flatMap((left) =>
        [refused, lost, busy(), busy(0.5), busy(40), busy(-1)].map((error) => ({
          error,
          tried: { failures, isUnanswered },
          chance,
          end: second + left
        }))
      )
    )
  )
)

describe("what follows a send that did not succeed", () => {
  it("is never a try at the message's end or later, nor sooner than the provider wished", () => {
    for (const { chance, end, error, tried } of cases) {
      const verdict = afterError(error, tried, chance, second, end)
      if (verdict._tag !== "Again") continue
      assert.isBelow(verdict.at, end)
      const wish = error.reason._tag === "Unavailable" ? (error.reason.retryAfterSeconds ?? 0) : 0
      const wait = Math.max(wish, Math.min(20, 2 ** tried.failures)) * second
      assert.isAtLeast(verdict.at, second + wait)
      assert.isAtMost(verdict.at, second + Math.ceil(wait * 1.2))
    }
  })

  it("fails at once what was refused, whatever happened before", () => {
    for (const { chance, end, tried } of cases) {
      assert.deepStrictEqual(afterError(refused, tried, chance, second, end), {
        _tag: "Failed",
        providerCode: "blocked"
      })
    }
  })

  it("never calls failed what may be on its way, and repeats it once", () => {
    for (const { chance, end, error, tried } of cases) {
      if (error === refused) continue
      const verdict = afterError(error, tried, chance, second, end)
      const isUnanswered = tried.isUnanswered || error === lost
      if (verdict._tag === "Failed") assert.isFalse(isUnanswered)
      else assert.strictEqual(verdict.isUnanswered, isUnanswered)
      if (error === lost && tried.isUnanswered) assert.strictEqual(verdict._tag, "LeftOpen")
    }
  })

  it("comes after 1, 2, 4, 8, 16 and then always 20 seconds", () => {
    const waits = [0, 1, 2, 3, 4, 5, 6, 1_000].map((failures) => {
      const verdict = afterError(busy(), { failures, isUnanswered: false }, 0, 0, 1e9)
      return verdict._tag === "Again" ? verdict.at / second : null
    })
    assert.deepStrictEqual(waits, [1, 2, 4, 8, 16, 20, 20, 20])
  })

  it("is spread where a provider's rest ends for all at once", () => {
    assert.deepStrictEqual(
      [0, 0.5, 1].map((chance) => afterRest(11_000, chance, 1_000)),
      [11_000, 12_000, 13_000]
    )
  })
})
