import { assert, describe, it } from "@effect/vitest"
import { ChannelError, OutcomeUnknown, Refused, Unavailable } from "../../src/index.channel.ts"
import { afterSend } from "../../src/message/sending/afterSend.ts"
import { sendPolicies } from "../../src/foundation/delivery/SendPolicy.ts"

const second = 1_000
const failed = (reason: ChannelError["reason"]) =>
  ({ _tag: "Failed", carrier: "acme", error: new ChannelError({ channel: "SMS", reason }) }) as const
const refused = failed(new Refused({ providerCode: "blocked" }))
const lost = failed(new OutcomeUnknown({ providerCode: "timeout" }))
const repeatable = failed(new OutcomeUnknown({ providerCode: "timeout", repeatable: true }))
const resting = (until: number) => ({ _tag: "Resting", until }) as const
const busy = (retryAfterSeconds?: number) =>
  failed(
    new Unavailable(
      retryAfterSeconds === undefined ? { providerCode: "busy" } : { providerCode: "busy", retryAfterSeconds }
    )
  )

const { campaign, code, reply } = sendPolicies
const policies = [code, reply, campaign]

/** Every combination of a few values, so no generator is necessary. */
const cases = policies.flatMap((policy) =>
  [0, 1, 2, 3, 4, 5, 9, 90].flatMap((failures) =>
    [false, true].flatMap((isUnanswered) =>
      [0, 0.3, 0.999].flatMap((chance) =>
        [0, 1, 999, 5_000, 30_000, 900_000].flatMap((left) =>
          [refused, lost, repeatable, busy(), busy(0.5), busy(40), busy(-1)].map((outcome) => ({
            policy,
            outcome,
            tried: { failures, isUnanswered },
            chance,
            end: second + left
          }))
        )
      )
    )
  )
)

describe("after an unsuccessful send", () => {
  it("no retry happens at or after the message's end, or earlier than the provider asked", () => {
    for (const { chance, end, outcome, policy, tried } of cases) {
      const verdict = afterSend(policy, outcome, tried, chance, second, end)
      if (verdict._tag !== "Again") continue
      assert.isBelow(verdict.at, end)
      const { reason } = outcome.error
      const wish = reason._tag === "Unavailable" ? (reason.retryAfterSeconds ?? 0) : 0
      const wait = Math.max(wish, Math.min(20, 2 ** tried.failures)) * second
      assert.isAtLeast(verdict.at, second + wait)
      assert.isAtMost(verdict.at, second + Math.ceil(wait * 1.2))
    }
  })

  it("a refused message fails immediately, after any earlier tries", () => {
    for (const { chance, end, policy, tried } of cases) {
      assert.deepStrictEqual(afterSend(policy, refused, tried, chance, second, end), {
        _tag: "Heard",
        news: [{ status: "FAILED", providerId: null, providerCode: "blocked", carrier: "acme" }]
      })
    }
  })

  it("a message that may have been sent never fails, and only a code is repeated, once", () => {
    for (const { chance, end, outcome, policy, tried } of cases) {
      const isUnknown = outcome === lost || outcome === repeatable
      if (!isUnknown && (outcome === refused || !tried.isUnanswered)) continue
      const verdict = afterSend(policy, outcome, tried, chance, second, end)
      assert.notStrictEqual(verdict._tag, "Heard")
      if (verdict._tag === "Again") assert.isTrue(verdict.isUnanswered)
      if (outcome === lost && (tried.isUnanswered || policy !== code)) assert.strictEqual(verdict._tag, "Silent")
    }
  })

  it("a provider that deduplicates requests is asked again, for every kind of message", () => {
    for (const policy of policies) {
      const verdict = afterSend(policy, repeatable, { failures: 0, isUnanswered: true }, 0, 0, 60_000)
      assert.deepInclude(verdict, { _tag: "Again", at: second, isUnanswered: true, wasAsked: true })
    }
  })

  it("retries wait 1, 2, 4, 8, 16 and then 20 seconds", () => {
    const waits = [0, 1, 2, 3, 4, 5, 6, 1_000].map((failures) => {
      const verdict = afterSend(code, busy(), { failures, isUnanswered: false }, 0, 0, 1e9)
      return verdict._tag === "Again" ? verdict.at / second : null
    })
    assert.deepStrictEqual(waits, [1, 2, 4, 8, 16, 20, 20, 20])
  })

  it("a campaign's message fails after thirty tries", () => {
    const after = (failures: number) =>
      afterSend(campaign, busy(), { failures, isUnanswered: false }, 0, 0, Number.POSITIVE_INFINITY)._tag
    assert.deepStrictEqual([after(28), after(29)], ["Again", "Heard"])
  })

  it("messages that waited for an open circuit are spread over time", () => {
    assert.deepStrictEqual(
      [0, 0.5, 1].map((chance) => {
        const verdict = afterSend(reply, resting(11_000), { failures: 0, isUnanswered: false }, chance, second, 1e9)
        return verdict._tag === "Again" ? [verdict.at, verdict.wasAsked] : null
      }),
      [
        [11_000, false],
        [12_000, false],
        [13_000, false]
      ]
    )
  })

  it("a circuit that is open until the message's end fails it, or leaves it unknown if it may have been sent", () => {
    const at = (isUnanswered: boolean) =>
      afterSend(code, resting(11_000), { failures: 0, isUnanswered }, 0, second, 11_000)
    assert.deepStrictEqual(at(false), {
      _tag: "Heard",
      news: [{ status: "FAILED", providerId: null, providerCode: "provider_resting", isOurs: true }]
    })
    assert.deepStrictEqual(at(true), { _tag: "Silent", providerCode: "provider_resting", wasAsked: false })
  })
})
