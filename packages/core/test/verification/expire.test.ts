import { assert, describe, it } from "@effect/vitest"
import { attempt, deliver, type Verification } from "../../src/index.ts"
import { noPrices } from "../../src/index.storage.ts"
import { expire } from "../../src/auth/verification/expire.ts"
import { attemptWith, changed, fresh, plain, settingsWith, startedWith, written } from "../fixtures/decisions.ts"
import { start } from "../fixtures/World.ts"
import type { VerificationDelivery } from "../../src/auth/verification/VerificationDelivery.ts"

const settings = settingsWith({ codeExpirySeconds: 60 })
const began = startedWith({}, { codeExpirySeconds: 60 })
const { subject } = began
const [waiting] = began.verification.deliveries
type Delivery = VerificationDelivery
const delivery = (more: Partial<Delivery> = {}): Delivery => ({ ...waiting!, status: "SENT", ...more })
const verification: Verification.OpenVerification = { ...began.verification, deliveries: [delivery()] }
const end = verification.expiresAt

const of = (more: Partial<Verification.Verification>) => ({ subject, verification: changed(verification, more) })

describe("the expiry of a code", () => {
  it("is announced once, at that moment and no earlier, and leaves the verification PENDING", () => {
    assert.strictEqual(end, start + 60_000)
    assert.deepStrictEqual(expire({ subject, verification }, "evt_9", end - 1), { outcome: "NotYet", change: null })
    const decision = expire({ subject, verification }, "evt_9", end)
    const change = written(decision)
    assert.strictEqual(decision.outcome, "Announced")
    assert.deepStrictEqual(plain(change.verification), { ...verification, expiryAnnounced: true })
    assert.deepStrictEqual(change.jobs, [])
    assert.deepStrictEqual(change.events, [
      {
        id: "evt_9",
        environment: "env",
        type: "otp.expired",
        createdAt: end,
        data: {
          requestId: "ver_1",
          identity: "9876543210",
          identityType: "MOBILE",
          mode: "OTP",
          channel: "SMS",
          orderId: null
        }
      }
    ])
    const again = expire({ subject: change.subject, verification: change.verification }, "evt_10", end + 1)
    assert.deepStrictEqual(again, { outcome: "NotNeeded", change: null })
  })

  it.each(["VERIFIED", "FAILED", "EXPIRED"] as const)("is not announced when it is %s", (status) => {
    assert.deepStrictEqual(expire(of({ status }), "evt_9", end + 1), { outcome: "NotNeeded", change: null })
  })

  it("lets the person start another login", () => {
    const change = written(expire({ subject, verification }, "evt_9", end))
    assert.strictEqual(subject.live.length, 1)
    assert.deepStrictEqual(change.subject.live, [])
  })

  const unsent = { status: "FAILED", providerCode: "not_sent_in_time" } as const
  const pending = { status: "PENDING" } as const

  it("that no provider accepted is a failed delivery, announced once by the sweep or an attempt", () => {
    const loaded = of({ deliveries: [delivery(pending)] })
    const lost = { ...loaded.verification, deliveries: [delivery(unsent)], status: "FAILED", undeliverable: true }
    const report = { deliveryId: "dlv_1", ...unsent, providerId: null, isOurs: true } as const
    const finders = {
      "the expiry sweep": written(expire(loaded, "evt_9", end)),
      "somebody who tries the code": written(attempt(loaded, attemptWith(), settings, end)),
      "its send, that comes too late": written(deliver(loaded, [report], fresh, noPrices, null, end))
    }
    for (const [finder, change] of Object.entries(finders)) {
      assert.deepStrictEqual(
        plain<unknown>({ ...change.verification, expiryAnnounced: false }),
        { ...lost, expiryAnnounced: false },
        finder
      )
      assert.deepStrictEqual(
        change.events.map(({ type }) => type),
        ["delivery.failed"],
        finder
      )
      const found = { subject: change.subject, verification: change.verification }
      assert.strictEqual(expire(found, "evt_10", end + 1).change, null, finder)
      assert.strictEqual(deliver(found, [report], fresh, noPrices, null, end + 1).change, null, finder)
      assert.strictEqual(attempt(found, attemptWith(), settings, end + 1).outcome._tag, "Expired", finder)
    }
  })

  it.each([
    ["another was sent before", ["SENT", "PENDING"], ["SENT", "FAILED"], "otp.expired"],
    ["a later one was sent, which replaced it", ["PENDING", "SENT"], ["SKIPPED", "SENT"], "otp.expired"],
    ["another had failed", ["FAILED", "PENDING"], ["FAILED", "FAILED"], "delivery.failed"],
    ["another was skipped", ["SKIPPED", "PENDING"], ["SKIPPED", "FAILED"], "delivery.failed"],
    ["neither was sent", ["PENDING", "PENDING"], ["FAILED", "FAILED"], "delivery.failed"]
  ] as const)("with two messages, when %s", (_when, before, after, event) => {
    const deliveries = before.map((status, i) => delivery({ id: `dlv_${i + 1}`, status, attemptNumber: i + 1 }))
    const change = written(expire(of({ deliveries }), "evt_9", end))
    assert.deepStrictEqual(
      [change.verification.deliveries.map(({ status }) => status), change.events.map(({ type }) => type)],
      [after, [event]]
    )
  })

  it("leaves a message without an answer of its provider unchanged: it may still arrive", () => {
    const deliveries = [delivery({ ...pending, unanswered: true })]
    const change = written(expire(of({ deliveries }), "evt_9", end))
    assert.deepStrictEqual(change.verification.deliveries, deliveries)
    assert.deepStrictEqual([change.verification.status, change.events[0]?.type], ["PENDING", "otp.expired"])
  })

  it("is announced once, whether an attempt comes before the announcement or after it", () => {
    const tried = written(attempt({ subject, verification }, attemptWith(), settings, end))
    assert.deepStrictEqual(
      tried.events.map(({ type }) => type),
      ["otp.expired"]
    )
    assert.strictEqual(expire({ subject: tried.subject, verification: tried.verification }, "evt_9", end).change, null)
    const told = written(expire({ subject, verification }, "evt_9", end))
    const late = written(
      attempt({ subject: told.subject, verification: told.verification }, attemptWith(), settings, end + 1)
    )
    assert.deepStrictEqual([late.events, late.verification.status], [[], "EXPIRED"])
  })
})
