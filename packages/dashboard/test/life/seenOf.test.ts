import { assert, describe, it } from "vitest"
import { seenOf, withTestCode } from "../../src/life/seenOf.ts"

describe("what a person saw", () => {
  const message = (n: number, text: string) =>
    ({ deliveryId: `dlv_${n}`, channel: "SMS", templateId: null, templateVersion: null, subject: null, text }) as const

  it("is each text once, with how often it was sent", () => {
    const seen = seenOf([message(1, "••••"), message(2, "••••"), message(3, "other")])
    assert.deepStrictEqual(
      seen.map(({ text, times }) => [text, times]),
      [
        ["••••", 2],
        ["other", 1]
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
