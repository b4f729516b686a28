import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { EventType, type Webhook } from "../../src/index.ts"
import { decode, disabled, enabled, encode, wants } from "../../src/account/webhook/Webhook.ts"
import { mostSecrets, rotated, signing } from "../../src/foundation/secret/rotation.ts"
import { start } from "../fixtures/World.ts"
import { day, hour, webhook } from "../fixtures/webhooks.ts"

describe("a webhook endpoint", () => {
  it("without a choice subscribes to every event type, except to tests of other endpoints", () => {
    for (const type of EventType.literals) assert.strictEqual(wants(webhook(), type), type !== "webhook.test", type)
  })

  it("with a choice subscribes to the chosen types only", () => {
    const choosy = webhook({ events: ["otp.verified", "session.created"] })
    assert.deepStrictEqual(
      EventType.literals.filter((type) => wants(choosy, type)),
      ["otp.verified", "session.created"]
    )
  })

  it("that is disabled subscribes to no type", () => {
    const off = disabled(webhook({ failingSince: start, failures: 4 }), "FAILING")
    assert.isFalse(EventType.literals.some((type) => wants(off, type)))
    assert.deepStrictEqual(enabled(off), webhook())
  })

  it("decodes to itself from its stored text", () => {
    for (const one of [
      webhook(),
      webhook({
        events: ["otp.verified"],
        description: "\u{1F4E8} Ä",
        status: "DISABLED",
        disabledReason: "GONE",
        failingSince: start,
        failures: 10,
        previous: [
          { sealed: "old", until: start },
          { sealed: "older", until: start - 1 }
        ]
      })
    ]) {
      const text = encode(one)
      assert.deepStrictEqual(decode(one.environment, one.id, one.url, one.version, text), one)
      for (const part of [one.id, one.url]) assert.notInclude(text, part)
    }
  })
})

describe("a rotated webhook secret", () => {
  const turn = (from: Webhook.Webhook, name: string, now: number) => {
    const outcome = rotated(from, name, now, false)
    assert.strictEqual(outcome._tag, "Rotated")
    return (outcome as Extract<typeof outcome, { _tag: "Rotated" }>).next
  }

  it("signs for another day after each rotation, with at most four signing secrets", () => {
    let one = webhook({ sealed: "first" })
    for (const [i, name] of ["second", "third", "fourth"].entries()) one = turn(one, name, start + i * hour)
    assert.deepStrictEqual(
      [one.sealed, ...signing(one, start + 3 * hour).map(({ sealed }) => sealed)],
      ["fourth", "third", "second", "first"]
    )
    assert.deepStrictEqual(rotated(one, "fifth", start + day - 1, false), { _tag: "Full", until: start + day })
    assert.strictEqual(signing(one, start + day - 1).length, 3)
    const next = turn(one, "fifth", start + day)
    assert.deepStrictEqual(
      next.previous.map(({ sealed }) => sealed),
      ["fourth", "third", "second"]
    )
  })

  it.prop(
    "never stops signing before its day is over, and never signs longer",
    [Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 })))],
    ([hours]) => {
      let one = webhook({ sealed: "0" })
      let now = start
      const until = new Map<string, number>()
      for (const [i, wait] of hours.entries()) {
        now += wait * hour
        const outcome = rotated(one, String(i + 1), now, false)
        if (outcome._tag === "Rotated") {
          until.set(one.sealed, now + day)
          one = outcome.next
        } else assert.isAbove(outcome.until, now)
        const signs = signing(one, now).map(({ sealed }) => sealed)
        assert.isAtMost(signs.length, mostSecrets - 1)
        const expected = [...until].filter(([, end]) => now < end).map(([name]) => name)
        assert.sameMembers(signs, expected)
      }
    },
    { arbitrary: { runs: 500 } }
  )
})
