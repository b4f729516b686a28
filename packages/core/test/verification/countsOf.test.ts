import { assert, describe, it } from "@effect/vitest"
import { latencyClass } from "../../src/account/stat/latencyClass.ts"
import { countedFacts, countsOf } from "../../src/auth/verification/countsOf.ts"
import { identityOf, startedWith } from "../fixtures/decisions.ts"
import { start } from "../fixtures/World.ts"

const { verification } = startedWith()
const [message] = verification.deliveries

/** Sent by SMS in 40 ms, which failed; then by WhatsApp, which was read; verified after 9 s. */
const eventful = {
  ...verification,
  channel: "WHATSAPP" as const,
  resends: 2,
  status: "VERIFIED" as const,
  method: "OTP" as const,
  verifiedAt: start + 9000,
  fallback: { channel: "WHATSAPP" as const, after: 60_000, dueAt: start + 60_000, used: true },
  deliveries: [
    { ...message!, status: "FAILED" as const, sentAt: start + 40 },
    { ...message!, id: "dlv_2", status: "SKIPPED" as const },
    {
      ...message!,
      id: "dlv_3",
      channel: "WHATSAPP" as const,
      status: "READ" as const,
      createdAt: start + 5000,
      sentAt: start + 5020,
      deliveredAt: start + 6000,
      readAt: start + 7000
    }
  ]
}

describe("the statistics of a verification", () => {
  it("count it on its first channel, and each message on its own", () => {
    assert.deepStrictEqual(
      { ...countsOf(eventful) },
      {
        "asked SMS": 1,
        "resent SMS": 2,
        "fallbacks SMS": 1,
        "verified SMS": 1,
        [`toVerify.${latencyClass(9000)} SMS`]: 1,
        "sent SMS": 1,
        "bounced SMS": 1,
        [`toSend.${latencyClass(40)} SMS`]: 1,
        "sent WHATSAPP": 1,
        "delivered WHATSAPP": 1,
        [`toSend.${latencyClass(20)} WHATSAPP`]: 1,
        [`toDeliver.${latencyClass(6000)} WHATSAPP`]: 1
      }
    )
  })

  it("count only a OneTap login for a trusted device", () => {
    const approved = { ...verification, deliveries: [], status: "VERIFIED" as const, method: "ONETAP" as const }
    assert.deepStrictEqual({ ...countsOf({ ...approved, verifiedAt: start }) }, { "oneTap SMS": 1 })
  })

  it("count a code that the guard had two reasons against once, and once for each reason", () => {
    const reasons = [
      { reason: "PREFIX_UNVERIFIED" as const, score: 9 },
      { reason: "ADDRESS_UNVERIFIED" as const, score: 8 }
    ]
    const deliveries = [{ ...message!, price: { amount: 20, day: null, cap: null } }]
    const counts = countsOf({ ...verification, deliveries, guard: { verdict: "challenge", reasons } })
    assert.deepStrictEqual(Object.fromEntries(Object.entries(counts).filter(([name]) => name.startsWith("judged"))), {
      "judged SMS": 1,
      "judgedCost SMS": 20,
      "judged.PREFIX_UNVERIFIED SMS": 1,
      "judgedCost.PREFIX_UNVERIFIED SMS": 20,
      "judged.ADDRESS_UNVERIFIED SMS": 1,
      "judgedCost.ADDRESS_UNVERIFIED SMS": 20
    })
    assert.strictEqual(countsOf({ ...eventful, guard: { verdict: "delay", reasons } })["judgedTyped SMS"], 1)
  })

  it("count it as expired, until a late attempt makes it failed", () => {
    const announced = { ...verification, expiryAnnounced: true }
    assert.strictEqual(countsOf(announced)["expired SMS"], 1)
    assert.strictEqual(countsOf({ ...announced, status: "EXPIRED" as const })["expired SMS"], 1)
    const failed = countsOf({ ...announced, status: "FAILED" as const })
    assert.deepStrictEqual([failed["expired SMS"], failed["failed SMS"]], [undefined, 1])
  })

  it("add one fact with the difference, in the quarter hour of its start, and no fact without a difference", () => {
    assert.deepStrictEqual(countedFacts(verification, { ...verification, attempts: 1 }, 7), [])
    assert.deepStrictEqual(countedFacts(verification, null, 7), [])
    const failed = { ...verification, status: "FAILED" as const }
    const back = countedFacts(failed, { ...verification, resends: 1 }, 7)
    assert.deepStrictEqual(
      back.map(({ at, key, value }) => ({ at, key, value })),
      [
        {
          at: start,
          key: "ver_1/7",
          value: { country: "IN", path: "SERVER", "resent SMS": 1, "failed SMS": -1, "lost.WRONG_NUMBER SMS": -1 }
        }
      ]
    )
  })

  it("name the number's country, and no country for an e-mail address", () => {
    const of = (spelling: string) =>
      countedFacts(null, { ...verification, identity: identityOf(spelling) }, 0)[0]?.value["country"]
    assert.deepStrictEqual(["9876543210", "+14155552671", "a@example.com"].map(of), ["IN", "US", null])
  })
})
