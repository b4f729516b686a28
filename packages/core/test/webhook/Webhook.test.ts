import { assert, describe, it } from "@effect/vitest"
import { EventType } from "../../src/index.ts"
import { decode, disabled, enabled, encode, wants } from "../../src/webhook/Webhook.ts"
import { start } from "../fixtures/World.ts"
import { webhook } from "../fixtures/webhooks.ts"

describe("an endpoint", () => {
  it("without a choice wants every type there is, but no test of somebody else", () => {
    for (const type of EventType.literals) assert.strictEqual(wants(webhook(), type), type !== "webhook.test", type)
  })

  it("with a choice wants what it chose", () => {
    const choosy = webhook({ events: ["otp.verified", "session.created"] })
    assert.deepStrictEqual(
      EventType.literals.filter((type) => wants(choosy, type)),
      ["otp.verified", "session.created"]
    )
  })

  it("that is disabled wants nothing", () => {
    const off = disabled(webhook({ failingSince: start }), "FAILING")
    assert.isFalse(EventType.literals.some((type) => wants(off, type)))
    assert.deepStrictEqual(enabled(off), webhook())
  })

  it("is kept whole", () => {
    for (const one of [
      webhook(),
      webhook({
        events: ["otp.verified"],
        description: "\u{1F4E8} Ä",
        status: "DISABLED",
        disabledReason: "GONE",
        failingSince: start,
        previous: { sealed: "old", until: start }
      })
    ]) {
      const text = encode(one)
      assert.deepStrictEqual(decode(one.environment, one.id, one.url, one.version, text), one)
      for (const part of [one.id, one.url]) assert.notInclude(text, part)
    }
  })
})
