import { assert, describe, it } from "@effect/vitest"
import { attempt, initiate, Subject, type Verification } from "../../src/index.ts"
import { expire } from "../../src/verification/expire.ts"
import { attemptWith, commandWith, settingsWith, written } from "../fixtures/decisions.ts"
import { start } from "../fixtures/World.ts"

const settings = settingsWith({ codeExpirySeconds: 60 })
const began = written(initiate(Subject.empty("env", "919876543210"), null, commandWith(), settings, start))
const { subject, verification } = began
const end = verification.expiresAt

const of = (more: Partial<Verification.Verification>) => ({ subject, verification: { ...verification, ...more } })

describe("the end of a code's time", () => {
  it("is announced once, at that moment and no earlier, and leaves the verification waiting", () => {
    assert.strictEqual(end, start + 60_000)
    assert.deepStrictEqual(expire({ subject, verification }, "evt_9", end - 1), { outcome: "NotYet", change: null })
    const decision = expire({ subject, verification }, "evt_9", end)
    const change = written(decision)
    assert.strictEqual(decision.outcome, "Announced")
    assert.deepStrictEqual(change.verification, { ...verification, expiryAnnounced: true })
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

  it("frees the person for another login", () => {
    const change = written(expire({ subject, verification }, "evt_9", end))
    assert.strictEqual(subject.live.length, 1)
    assert.deepStrictEqual(change.subject.live, [])
  })

  it("is told once whether somebody tries the code before it is announced or afterwards", () => {
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
