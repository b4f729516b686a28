import { assert, describe, it } from "vitest"
import { seenOf, withTestCode } from "../../src/life/seenOf.ts"

describe("the sent messages", () => {
  const message = (n: number, text: string) =>
    ({ deliveryId: `dlv_${n}`, channel: "SMS", templateId: null, templateVersion: null, subject: null, text }) as const

  it("list each text once with its number of sends", () => {
    const seen = seenOf([message(1, "••••"), message(2, "••••"), message(3, "other")], new Set())
    assert.deepStrictEqual(
      seen.map(({ text, times }) => [text, times]),
      [
        ["••••", 2],
        ["other", 1]
      ]
    )
  })

  it("separate an undelivered text from the same text delivered", () => {
    const sent = seenOf([message(1, "••••"), message(2, "••••")], new Set(["dlv_1"]))
    assert.deepStrictEqual(
      sent.map(({ failed, times }) => [failed, times]),
      [
        [true, 1],
        [false, 1]
      ]
    )
  })

  it("show the fixed code in test", () => {
    assert.strictEqual(
      withTestCode("•••••• is your code.\n@a.example #••••••"),
      "123456 is your code.\n@a.example #123456"
    )
  })
})
