import { assert, describe, it } from "vitest"
import { lanesOf } from "../../src/life/lanesOf.ts"
import { resultOf, tookOf, type Verification, wayOf } from "../../src/life/result.ts"
import { offset, stepsAbout, stepsOf } from "../../src/life/stepsOf.ts"
import { timeOf } from "../../src/life/timeOf.ts"
import { fellBack, item, message, outcome, verification } from "./Lives.ts"

describe("a verification's result in words", () => {
  const words = (more: Partial<Verification>) => resultOf(verification(more)).words

  it("says how the user was verified", () => {
    assert.strictEqual(words({}), "Verified")
    assert.strictEqual(words({ method: "ONETAP", deliveries: [] }), "OneTap")
  })

  it("shows the status of the latest message while it is pending", () => {
    const waits = { authStatus: "PENDING", method: null, verifiedAt: null } as const
    assert.strictEqual(words(waits), "Delivered")
    const queued = message(1, "SMS", 0, { deliveryStatus: "PENDING" })
    assert.strictEqual(words({ ...waits, deliveries: [queued] }), "Pending")
    assert.strictEqual(words({ ...waits, deliveries: [] }), "Pending")
    const usedUp = { ...waits, attemptsLeft: 0 }
    for (const authStatus of ["PENDING", "EXPIRED", "FAILED"] as const)
      assert.strictEqual(words({ ...usedUp, authStatus }), "No attempts left")
  })

  it("has the reason of a failure and of an expiry", () => {
    const failed = { authStatus: "FAILED", method: null, verifiedAt: null } as const
    const expired = { ...failed, authStatus: "EXPIRED" } as const
    assert.strictEqual(
      words({ ...failed, outcome: outcome({ code: "NOT_DELIVERED", cause: "30007" }) }),
      "Failed: The network filtered the message as spam"
    )
    assert.strictEqual(words({ ...failed, outcome: outcome({ code: "WRONG_NUMBER" }) }), "Failed: wrong number")
    assert.strictEqual(words({ ...failed, outcome: null }), "Failed")
    const silent = outcome({ code: "NO_RECEIPT", reason: "SILENCE" })
    assert.strictEqual(words({ ...expired, outcome: silent }), "Expired: no delivery report")
    assert.strictEqual(words({ ...expired, outcome: null }), "Expired")
  })

  it("names each channel of its route once, even after resends", () => {
    const again = [message(1, "SMS", 0), message(2, "SMS", 1), message(3, "WHATSAPP", 2), message(4, "SMS", 3)]
    assert.deepStrictEqual(wayOf(verification({ deliveries: again })), ["SMS", "WHATSAPP", "SMS"])
    assert.deepStrictEqual(wayOf(verification({ deliveries: [], method: "ONETAP" })), [])
  })

  it("has the duration until the verification", () => {
    assert.strictEqual(tookOf(verification()), 41_007)
    assert.isNull(tookOf(verification({ verifiedAt: null })))
  })
})

describe("a timeline as a list", () => {
  const steps = stepsOf(verification(), fellBack)

  it("has each step with its reason", () => {
    assert.deepStrictEqual(
      steps.map(({ ms, title }) => `${offset(ms)} ${title}`),
      [
        "+0.000 Requested by your backend, over WhatsApp",
        "+0.148 Sent over WhatsApp",
        "+30.002 Fallback to SMS",
        "+30.310 Sent over SMS",
        "+34.871 Delivered (SMS)",
        "+38.200 Wrong code, 2 attempts left",
        "+41.007 Verified",
        "+41.066 Webhook otp.verified → 503",
        "+1:35.1 Delivered (WhatsApp)"
      ]
    )
    const notes = steps.map(({ note }) => note)
    assert.strictEqual(notes[0], "SMS is the fallback")
    assert.strictEqual(notes[3], "accepted in 308 ms")
    assert.match(notes[4] ?? "", /^4\.6 s.* after sending$/)
    assert.match(notes[7] ?? "", /^try 1, 12 ms; retry at /)
    assert.strictEqual(notes[8], "no effect: already verified")
  })

  it("says in words why a message failed, with the code", () => {
    const failed = (["RECEIPT", "SEND_FAILED"] as const).map((kind, n) =>
      item(n, kind, { channel: "SMS", deliveryId: "dlv_1", deliveryStatus: "FAILED", providerCode: "30003" })
    )
    const [tried, unknown] = [
      item(3, "SEND_TRIED", { channel: "SMS", providerCode: "not_reached", nextTryAt: null }),
      item(4, "RECEIPT", { channel: "SMS", deliveryStatus: "FAILED", providerCode: "99999" })
    ]
    const said = stepsOf(verification(), [...failed, tried, unknown]).map(({ id, note, title }) => [title, note, id])
    assert.deepStrictEqual(said, [
      ["SMS delivery failed", "The phone is off or out of reach", "30003"],
      ["SMS not sent", "The phone is off or out of reach", "30003"],
      [
        "SMS not sent yet",
        "No connection could be made; not retried, because the message may be on its way",
        "not_reached"
      ],
      ["SMS delivery failed", "99999", null]
    ])
  })

  it("filters one group of steps between start and result", () => {
    const kinds = stepsAbout(steps, "code").map(({ kind }) => kind)
    assert.deepStrictEqual(kinds, ["INITIATED", "CODE_TRIED", "VERIFIED"])
    assert.strictEqual(stepsAbout(steps, null), steps)
  })

  it("shows only the remaining attempts of a wrong code", () => {
    const [tried] = stepsOf(verification(), [item(1, "CODE_TRIED", { attemptsLeft: 0, otp: "481516" }, "481516 wrong")])
    assert.notInclude(JSON.stringify(tried), "481516")
  })

  it("has distinct keys for hundreds of steps at the same instant", () => {
    const many = Array.from({ length: 600 }, (_, n) => item(Math.floor(n / 3), "WEBHOOK_TRIED", { attempt: n }))
    assert.strictEqual(new Set(stepsOf(verification(), many).map(({ key }) => key)).size, 600)
  })

  it("shows the time since the start in suitable units", () => {
    assert.deepStrictEqual([0, 148, 59_999, 95_100, 7_391_000, 90_000_000, -3].map(offset), [
      "+0.000",
      "+0.148",
      "+59.999",
      "+1:35.1",
      "+2:03:11",
      "+1 d 01:00",
      "−0.003"
    ])
  })
})

describe("the lanes of a timeline", () => {
  it("show one message each, without a receipt until the fallback starts", () => {
    const [whatsApp, sms, codes, webhooks] = lanesOf(
      verification(),
      stepsOf(verification(), fellBack.slice(0, -1)),
      41_066
    )
    assert.deepStrictEqual(whatsApp!.bars, [
      { from: 0, to: 148, state: "queued" },
      { from: 148, to: 30_002, state: "silent" }
    ])
    assert.deepStrictEqual(sms!.bars, [
      { from: 30_002, to: 30_310, state: "queued" },
      { from: 30_310, to: 34_871, state: "underway" }
    ])
    assert.deepStrictEqual(
      codes!.marks.map(({ title }) => title),
      ["Wrong code, 2 attempts left", "Verified"]
    )
    assert.lengthOf(webhooks!.marks as never, 1)
  })

  it("grow while the verification is pending", () => {
    const deliveries = [message(1, "SMS", 0)]
    const waits = verification({ authStatus: "PENDING", verifiedAt: null, method: null, deliveries })
    const sent = stepsOf(waits, [item(100, "SENT", { deliveryId: "dlv_1", channel: "SMS" })])
    assert.deepStrictEqual(lanesOf(waits, sent, 9_000)[0]!.bars[1], { from: 100, to: 9_000, state: "silent" })
  })

  it("are limited in number after many resends", () => {
    const deliveries = Array.from({ length: 40 }, (_, n) => message(n, "SMS", n * 1_000))
    const steps = stepsOf(verification(), fellBack)
    assert.isAtMost(lanesOf(verification({ deliveries }), steps, 41_066).length, 10)
  })
})

it("an identifier contains its creation time", () => {
  assert.strictEqual(timeOf("ver_01kaj3v9c0q5w8xn2rz7t4m6hd"), timeOf("ver_01kaj3v9c0zzzzzzzzzzzzzzzz"))
  assert.isAbove(timeOf("ver_01kaj3v9c1"), timeOf("ver_01kaj3v9c0"))
})
