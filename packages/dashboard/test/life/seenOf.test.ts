import { assert, describe, it } from "vitest"
import { seenOf, withTestCode } from "../../src/life/seenOf.ts"

describe("the sent messages", () => {
  const message = (n: number, text: string) =>
    ({ deliveryId: `dlv_${n}`, channel: "SMS", templateId: null, templateVersion: null, subject: null, text }) as const

  it("list each text once with its number of sends", () => {
    const seen = seenOf([message(1, "••••"), message(2, "••••"), message(3, "other")], [])
    assert.deepStrictEqual(
      seen.map(({ text, times }) => [text, times]),
      [
        ["••••", 2],
        ["other", 1]
      ]
    )
  })

  it("separate a text that did not reach the user from the same text delivered", () => {
    const statuses = ["FAILED", "DELIVERED", "SKIPPED", "PENDING", "SENT", "READ"] as const
    const sent = seenOf(
      statuses.map((_, n) => message(n, "••••")),
      statuses.map((deliveryStatus, n) => ({ id: `dlv_${n}`, deliveryStatus }))
    )
    assert.deepStrictEqual(
      sent.map(({ times, unsent }) => [unsent, times]),
      [
        ["FAILED", 1],
        [null, 3],
        ["SKIPPED", 1],
        ["PENDING", 1]
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
