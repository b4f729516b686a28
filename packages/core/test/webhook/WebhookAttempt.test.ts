import { assert, describe, it } from "@effect/vitest"
import { type WebhookAnswer, WebhookUnanswered } from "../../src/index.ts"
import { judge } from "../../src/webhook/WebhookAttempt.ts"
import { start } from "../fixtures/World.ts"
import { day, hour, minute, second, webhook } from "../fixtures/webhooks.ts"

const answer = (status: number, retryAfterSeconds: number | null = null): WebhookAnswer => ({
  status,
  retryAfterSeconds,
  body: ""
})
const timeout = new WebhookUnanswered({ reason: "TIMEOUT", problem: "no answer" })

const failing = webhook({ failingSince: start })
const contract = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

describe("a try that failed", () => {
  it.each(contract.map((wait, index) => [index + 1, wait] as const))(
    "the %s. time is repeated after %s ms, a tenth more or less",
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

  it.each([10, 11, 1_000])("the %s. time is dead, and the endpoint is not switched off for it", (attempt) => {
    assert.deepStrictEqual(judge(failing, answer(500), attempt, 0.5, start), {
      status: "DEAD",
      nextAttemptAt: null,
      webhook: null,
      disabled: null
    })
  })

  it.each([100, 199, 300, 301, 302, 307, 308, 400, 401, 404, 408, 409, 411, 429, 499, 500, 503, 599])(
    "because the answer was %s",
    (status) => {
      assert.deepStrictEqual(judge(webhook(), answer(status), 1, 0.5, start), {
        status: "FAILED",
        nextAttemptAt: start + 5 * second,
        webhook: webhook({ failingSince: start }),
        disabled: null
      })
    }
  )

  it("because there was no answer", () => {
    assert.deepStrictEqual(judge(webhook(), timeout, 1, 0.5, start), judge(webhook(), answer(500), 1, 0.5, start))
  })

  it("counts from the first since something got through", () => {
    assert.strictEqual(judge(failing, answer(500), 2, 0.5, start + hour).webhook, null)
    const cleared = judge(failing, answer(200), 3, 0.5, start + hour).webhook!
    assert.strictEqual(cleared.failingSince, null)
    assert.strictEqual(judge(cleared, timeout, 1, 0.5, start + 2 * hour).webhook!.failingSince, start + 2 * hour)
  })
})

describe("Retry-After", () => {
  it.each([
    ["longer than the schedule is honoured", 600, 600 * second],
    ["shorter than the schedule changes nothing", 1, 5 * second],
    ["of nothing changes nothing", 0, 5 * second],
    ["is honoured for a day at most", 90 * 86_400, day]
  ] as const)("%s", (_what, wish, wait) => {
    for (const status of [429, 503, 500, 302]) {
      assert.strictEqual(judge(failing, answer(status, wish), 1, 0.5, start).nextAttemptAt, start + wait)
    }
  })

  it("never shortens, whatever chance says", () => {
    assert.strictEqual(judge(failing, answer(503, 4), 1, 1, start).nextAttemptAt, start + 5.5 * second)
    assert.strictEqual(judge(failing, answer(503, 5), 1, 0, start).nextAttemptAt, start + 5 * second)
    assert.approximately(judge(failing, answer(503, 86_400), 9, 1, start).nextAttemptAt!, start + 1.1 * day, 1)
  })

  it("wins no try beyond the last", () => {
    assert.strictEqual(judge(failing, answer(503, 60), 10, 0.5, start).nextAttemptAt, null)
  })
})

describe("a try that got through", () => {
  it.each([200, 201, 202, 204, 299])("with %s is delivered", (status) => {
    assert.deepStrictEqual(judge(webhook(), answer(status, 60), 10, 0.5, start), {
      status: "DELIVERED",
      nextAttemptAt: null,
      webhook: null,
      disabled: null
    })
  })

  it("clears what failed before, and leaves a disabled endpoint disabled", () => {
    assert.deepStrictEqual(judge(failing, answer(200), 1, 0.5, start).webhook, webhook())
    const off = webhook({ status: "DISABLED", disabledReason: "FAILING", failingSince: start })
    const { status, webhook: next } = judge(off, answer(200), null, 0.5, start)
    assert.deepStrictEqual([status, next], ["DELIVERED", { ...off, failingSince: null }])
  })
})

describe("an endpoint is switched off", () => {
  it.each([1, 5, 10, null])("at once by 410, at try %s", (attempt) => {
    const disabled = webhook({ status: "DISABLED", disabledReason: "GONE", failingSince: start })
    assert.deepStrictEqual(judge(webhook(), answer(410, 60), attempt, 0.5, start), {
      status: "DEAD",
      nextAttemptAt: null,
      webhook: disabled,
      disabled: "GONE"
    })
  })

  it.each([1, 10])("when nothing got through for five days, at try %s", (attempt) => {
    const almost = judge(failing, timeout, attempt, 0.5, start + 5 * day - 1)
    assert.deepStrictEqual([almost.disabled, almost.webhook], [null, null])
    assert.deepStrictEqual(judge(failing, timeout, attempt, 0.5, start + 5 * day), {
      status: "DEAD",
      nextAttemptAt: null,
      webhook: { ...failing, status: "DISABLED", disabledReason: "FAILING" },
      disabled: "FAILING"
    })
  })

  it("only once: what was on its way then is dead, and tells nobody again", () => {
    for (const reason of ["GONE", "FAILING", "MERCHANT"] as const) {
      const off = webhook({ status: "DISABLED", disabledReason: reason, failingSince: start })
      for (const response of [answer(410), timeout]) {
        const { disabled, nextAttemptAt, status, webhook: next } = judge(off, response, 3, 0.5, start + 6 * day)
        assert.deepStrictEqual([disabled, nextAttemptAt, status, next], [null, null, "DEAD", null])
      }
    }
  })
})

describe("a try by hand", () => {
  it("is not repeated, whatever came of it", () => {
    for (const response of [answer(500), answer(429, 60), answer(302), timeout]) {
      const { nextAttemptAt, status, webhook: next } = judge(webhook(), response, null, 0.5, start)
      assert.deepStrictEqual([status, nextAttemptAt, next], ["FAILED", null, webhook({ failingSince: start })])
    }
    assert.strictEqual(judge(webhook(), answer(200), null, 0.5, start).status, "DELIVERED")
  })
})
