import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type WebhookAnswer, WebhookUnanswered } from "../../src/index.ts"
import { judge } from "../../src/account/webhook/webhookRetries.ts"
import { start } from "../fixtures/World.ts"
import { day, hour, minute, second, webhook } from "../fixtures/webhooks.ts"

const answer = (status: number, retryAfterSeconds: number | null = null): WebhookAnswer => ({
  status,
  retryAfterSeconds,
  body: ""
})
const timeout = new WebhookUnanswered({ reason: "TIMEOUT", problem: "no answer" })

const failing = webhook({ failingSince: start, failures: 10 })
const contract = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

describe("a failed webhook delivery", () => {
  it.each(contract.map((wait, index) => [index + 1, wait] as const))(
    "is retried after try %s in %s ms, plus or minus a tenth",
    (attempt, wait) => {
      for (const [chance, factor] of [
        [0, 0.9],
        [0.5, 1],
        [1, 1.1]
      ] as const) {
        const { nextAttemptAt, status } = judge(failing, answer(500), attempt, chance, start)
        assert.strictEqual(status, "FAILED")
        assert.approximately(nextAttemptAt! - start, wait * factor, 1)
      }
    }
  )

  it.each([10, 11, 1_000])("is DEAD after try %s, and does not disable its endpoint", (attempt) => {
    assert.deepStrictEqual(judge(failing, answer(500), attempt, 0.5, start), {
      status: "DEAD",
      nextAttemptAt: null,
      webhook: null,
      disabled: null
    })
  })

  it.each([100, 199, 300, 301, 302, 307, 308, 400, 401, 404, 408, 409, 411, 429, 499, 500, 503, 599])(
    "is retried when the answer was %s",
    (status) => {
      assert.deepStrictEqual(judge(webhook(), answer(status), 1, 0.5, start), {
        status: "FAILED",
        nextAttemptAt: start + 5 * second,
        webhook: webhook({ failingSince: start, failures: 1 }),
        disabled: null
      })
    }
  )

  it("is retried when there was no answer", () => {
    assert.deepStrictEqual(judge(webhook(), timeout, 1, 0.5, start), judge(webhook(), answer(500), 1, 0.5, start))
  })

  it("sets failingSince at the first failure after a success", () => {
    assert.strictEqual(judge(failing, answer(500), 2, 0.5, start + hour).webhook, null)
    const cleared = judge(failing, answer(200), 3, 0.5, start + hour).webhook!
    assert.strictEqual(cleared.failingSince, null)
    const again = judge(cleared, timeout, 1, 0.5, start + 2 * hour).webhook!
    assert.deepStrictEqual([again.failingSince, again.failures], [start + 2 * hour, 1])
  })
})

describe("the Retry-After of a receiver", () => {
  it.each([
    ["longer than the schedule is honoured", 600, 600 * second],
    ["shorter than the schedule changes nothing", 1, 5 * second],
    ["of zero changes nothing", 0, 5 * second],
    ["is honoured for a day at most", 90 * 86_400, day]
  ] as const)("%s", (_what, wish, wait) => {
    for (const status of [429, 503, 500, 302]) {
      assert.strictEqual(judge(failing, answer(status, wish), 1, 0.5, start).nextAttemptAt, start + wait)
    }
  })

  it("never shortens the wait, for any random part", () => {
    assert.strictEqual(judge(failing, answer(503, 4), 1, 1, start).nextAttemptAt, start + 5.5 * second)
    assert.strictEqual(judge(failing, answer(503, 5), 1, 0, start).nextAttemptAt, start + 5 * second)
    assert.approximately(judge(failing, answer(503, 86_400), 9, 1, start).nextAttemptAt!, start + 1.1 * day, 1)
  })

  it("grants no try after the last", () => {
    assert.strictEqual(judge(failing, answer(503, 60), 10, 0.5, start).nextAttemptAt, null)
  })
})

describe("a successful webhook delivery", () => {
  it.each([200, 201, 202, 204, 299])("with %s is DELIVERED", (status) => {
    assert.deepStrictEqual(judge(webhook(), answer(status, 60), 10, 0.5, start), {
      status: "DELIVERED",
      nextAttemptAt: null,
      webhook: null,
      disabled: null
    })
  })

  it("resets the failures, and leaves a disabled endpoint disabled", () => {
    assert.deepStrictEqual(judge(failing, answer(200), 1, 0.5, start).webhook, webhook())
    const off = webhook({ status: "DISABLED", disabledReason: "FAILING", failingSince: start, failures: 10 })
    const { status, webhook: next } = judge(off, answer(200), null, 0.5, start)
    assert.deepStrictEqual([status, next], ["DELIVERED", { ...off, failingSince: null, failures: 0 }])
  })
})

describe("a webhook endpoint is disabled", () => {
  it.each([1, 5, 10])("immediately by 410, at try %s", (attempt) => {
    const disabled = webhook({ status: "DISABLED", disabledReason: "GONE", failingSince: start, failures: 1 })
    assert.deepStrictEqual(judge(webhook(), answer(410, 60), attempt, 0.5, start), {
      status: "DEAD",
      nextAttemptAt: null,
      webhook: disabled,
      disabled: "GONE"
    })
  })

  it("by ten failures in a row over five days, and not by fewer or sooner", () => {
    const failAt = (days: ReadonlyArray<number>) => {
      let one = webhook()
      for (const at of days) one = judge(one, answer(500), 1, 0.5, start + at * day).webhook ?? one
      return one.disabledReason
    }
    assert.strictEqual(failAt([0, 5]), null)
    assert.strictEqual(failAt([0, 1, 2, 3, 4, 5, 6, 7, 8]), null)
    assert.strictEqual(failAt([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), "FAILING")
    assert.strictEqual(failAt([...Array<number>(50).fill(0), 4.99]), null)
    assert.strictEqual(failAt([...Array<number>(9).fill(0), 5]), "FAILING")
    assert.strictEqual(failAt([...Array<number>(50).fill(0), 5]), "FAILING")
  })

  it.each([1, 10])("when no delivery succeeded for five days, at try %s", (attempt) => {
    const almost = judge(failing, timeout, attempt, 0.5, start + 5 * day - 1)
    assert.deepStrictEqual([almost.disabled, almost.webhook], [null, null])
    assert.deepStrictEqual(judge(failing, timeout, attempt, 0.5, start + 5 * day), {
      status: "DEAD",
      nextAttemptAt: null,
      webhook: { ...failing, status: "DISABLED", disabledReason: "FAILING" },
      disabled: "FAILING"
    })
  })

  it("only once: deliveries in flight become DEAD without another event", () => {
    for (const reason of ["GONE", "FAILING", "MERCHANT"] as const) {
      const off = webhook({ status: "DISABLED", disabledReason: reason, failingSince: start, failures: 10 })
      for (const response of [answer(410), timeout]) {
        const { disabled, nextAttemptAt, status, webhook: next } = judge(off, response, 3, 0.5, start + 6 * day)
        assert.deepStrictEqual([disabled, nextAttemptAt, status, next], [null, null, "DEAD", null])
      }
    }
  })
})

describe("a manual delivery", () => {
  it("is not retried after any result", () => {
    for (const response of [answer(500), answer(429, 60), answer(302), timeout]) {
      const { nextAttemptAt, status, webhook: next } = judge(webhook(), response, null, 0.5, start)
      assert.deepStrictEqual([status, nextAttemptAt, next], ["FAILED", null, null])
    }
    assert.strictEqual(judge(webhook(), answer(200), null, 0.5, start).status, "DELIVERED")
  })

  it("that fails does not count: neither as a first nor as a last failure, nor with 410", () => {
    for (const response of [answer(500), answer(410), timeout]) {
      for (const one of [webhook(), failing]) {
        assert.deepStrictEqual(judge(one, response, null, 0.5, start + 6 * day), {
          status: "FAILED",
          nextAttemptAt: null,
          webhook: null,
          disabled: null
        })
      }
    }
  })

  it("that succeeds resets the failures, like every other", () => {
    assert.deepStrictEqual(judge(failing, answer(200), null, 0.5, start).webhook, webhook())
  })
})

/** The rule in its simplest form: since the last success at least ten deliveries failed, over five days. */
const shouldBeOff = (tries: ReadonlyArray<{ readonly at: number; readonly how: "ok" | "failed" | "by hand" }>) => {
  const last = tries.findLastIndex(({ how }) => how === "ok")
  const row = tries.slice(last + 1).filter(({ how }) => how === "failed")
  return row.length >= 10 && row.at(-1)!.at - row[0]!.at >= 5 * day
}

describe("any sequence of deliveries", () => {
  const Try = Schema.Struct({
    wait: Schema.Literals([0, second, hour, 6 * hour, 12 * hour, day]),
    how: Schema.Literals([
      "failed",
      "failed",
      "failed",
      "failed",
      "failed",
      "by hand",
      "failed",
      "failed",
      "failed",
      "ok"
    ])
  })
  let switchedOff = 0

  it.prop(
    "disables the endpoint at the delivery that the rule names, and stores at most ten changes per row of failures",
    [Schema.Array(Try).check(Schema.isMinLength(10), Schema.isMaxLength(60))],
    ([tries]) => {
      let one = webhook()
      let now = start
      let writes = 0
      const seen: Array<{ at: number; how: "ok" | "failed" | "by hand" }> = []
      for (const { how, wait } of tries) {
        now += wait
        seen.push({ at: now, how })
        const response = how === "ok" ? answer(204) : answer(500)
        const { disabled, webhook: next } = judge(one, response, how === "by hand" ? null : 1, 0.5, now)
        assert.strictEqual(disabled, how === "failed" && shouldBeOff(seen) ? "FAILING" : null)
        writes = how === "ok" ? 0 : writes + (next === null ? 0 : 1)
        assert.isAtMost(writes, 11)
        one = next ?? one
        if (disabled !== null) {
          switchedOff++
          return
        }
      }
    },
    { arbitrary: { runs: 1_000, size: 60 } }
  )

  it("disabled an endpoint often enough to be significant", () => assert.isAbove(switchedOff, 20))
})
