import { assert, describe, it } from "vitest"
import { seenOf, withTestCode } from "../../src/life/seenOf.ts"

describe("what was sent", () => {
  const message = (n: number, text: string) =>
    ({ deliveryId: `dlv_${n}`, channel: "SMS", templateId: null, templateVersion: null, subject: null, text }) as const

  it("is each text once, with how often it was sent", () => {
    const seen = seenOf([message(1, "••••"), message(2, "••••"), message(3, "other")], new Set())
    assert.deepStrictEqual(
      seen.map(({ text, times }) => [text, times]),
      [
        ["••••", 2],
        ["other", 1]
      ]
    )
  })

  it("is marked where its message was not delivered, apart from the same text that was", () => {
    const sent = seenOf([message(1, "••••"), message(2, "••••")], new Set(["dlv_1"]))
    assert.deepStrictEqual(
      sent.map(({ failed, times }) => [failed, times]),
      [
        [true, 1],
        [false, 1]
      ]
    )
  })

  it("in test has the code that every code is", () => {
    assert.strictEqual(
      withTestCode("•••••• is your code.\n@a.example #••••••"),
      "123456 is your code.\n@a.example #123456"
    )
  })
})
