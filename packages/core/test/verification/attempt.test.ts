import { assert, describe, it } from "@effect/vitest"
import { attempt, type Event, type Subject, type Verification } from "../../src/index.ts"
import { settingsWith, startedWith } from "../fixtures/decisions.ts"
import { start } from "../fixtures/World.ts"

type Loaded = { readonly subject: Subject.Subject; readonly verification: Verification.Verification }

const right = { matches: () => true, eventId: "evt_2" }
const wrong = { matches: () => false, eventId: "evt_2" }
/** For attempts that must not even look at the code. */
const unseen = { matches: () => assert.fail("compared"), eventId: "evt_2" }
const later = start + 1000

const data = {
  requestId: "ver_1",
  identity: "9876543210",
  identityType: "MOBILE",
  mode: "OTP",
  channel: "SMS",
  orderId: null
}
const event = (type: Event["type"], createdAt: number, more = {}): Event => ({
  id: "evt_2",
  environment: "env",
  type,
  createdAt,
  data: { ...data, ...more }
})

const used = (attempts: number, more: Partial<Verification.Verification> = {}): Loaded => {
  const { subject, verification } = startedWith()
  return { subject, verification: { ...verification, attempts, ...more } }
}

describe("an attempt", () => {
  it("with the right code verifies, ends what could be sent again, and forgets failures", () => {
    const fresh = used(2)
    const loaded = { ...fresh, subject: { ...fresh.subject, failures: 7, failedAt: start } }
    const verification = { ...loaded.verification, status: "VERIFIED", method: "OTP", verifiedAt: later } as const
    assert.deepStrictEqual(attempt(loaded, right, settingsWith(), later), {
      outcome: { _tag: "Verified", verification, already: false },
      change: {
        subject: { ...loaded.subject, failures: 0, live: [] },
        verification,
        orderId: null,
        events: [event("otp.verified", later, { verifiedAt: "2030-01-07T10:00:01.000Z", method: "OTP" })],
        jobs: [],
        done: null
      }
    })
  })

  it.each([
    [0, 2],
    [1, 1],
    [2, 0]
  ])("with a wrong code after %i wrong ones leaves %i, and stays PENDING", (before, left) => {
    const loaded = used(before)
    const verification = { ...loaded.verification, attempts: before + 1 }
    assert.deepStrictEqual(attempt(loaded, wrong, settingsWith(), later), {
      outcome: { _tag: "WrongCode", verification, left },
      change: {
        subject: { ...loaded.subject, failures: 1, failedAt: later },
        verification,
        orderId: null,
        events: [],
        jobs: [],
        done: null
      }
    })
  })

  it("after the last wrong one FAILS it without a look at the code", () => {
    const loaded = used(3)
    const verification = { ...loaded.verification, status: "FAILED" as const }
    assert.deepStrictEqual(attempt(loaded, unseen, settingsWith(), later), {
      outcome: { _tag: "Exhausted", verification },
      change: {
        subject: { ...loaded.subject, live: [] },
        verification,
        orderId: null,
        events: [],
        jobs: [],
        done: null
      }
    })
  })

  it("counts by the limit that held when it was sent", () => {
    const { outcome } = attempt(used(2, { maxAttempts: 5 }), wrong, settingsWith({ maxAttempts: 1 }), later)
    assert.deepStrictEqual([outcome._tag, "left" in outcome && outcome.left], ["WrongCode", 2])
  })

  it("at the millisecond of expiry is too late, and one before is not", () => {
    const loaded = used(1)
    const { expiresAt } = loaded.verification
    assert.strictEqual(attempt(loaded, right, settingsWith(), expiresAt - 1).outcome._tag, "Verified")
    const verification = { ...loaded.verification, status: "EXPIRED" as const }
    assert.deepStrictEqual(attempt(loaded, unseen, settingsWith(), expiresAt), {
      outcome: { _tag: "Expired", verification },
      change: {
        subject: { ...loaded.subject, live: [] },
        verification,
        orderId: null,
        events: [event("otp.expired", expiresAt)],
        jobs: [],
        done: null
      }
    })
  })

  it("on an exhausted and expired one finds it expired", () => {
    const loaded = used(3)
    assert.strictEqual(attempt(loaded, unseen, settingsWith(), loaded.verification.expiresAt).outcome._tag, "Expired")
  })

  it.each([
    ["EXPIRED", false, "Expired"],
    ["FAILED", false, "Exhausted"],
    ["FAILED", true, "Expired"]
  ] as const)("on a %s one (undeliverable: %s) repeats its error and changes nothing", (status, undeliverable, tag) => {
    const loaded = used(1, { status, undeliverable })
    for (const now of [later, loaded.verification.expiresAt, loaded.verification.endsAt + 1]) {
      assert.deepStrictEqual(attempt(loaded, unseen, settingsWith(), now), {
        outcome: { _tag: tag, verification: loaded.verification },
        change: null
      })
    }
  })
})

describe("an attempt on a VERIFIED one", () => {
  const verified = (attempts = 0) => used(attempts, { status: "VERIFIED", method: "OTP", verifiedAt: later })

  it("is right again, whatever the code and the time", () => {
    const loaded = verified()
    assert.deepStrictEqual(attempt(loaded, unseen, settingsWith(), start + 10 ** 9), {
      outcome: { _tag: "Verified", verification: loaded.verification, already: true },
      change: null
    })
  })

  it("asks for the right code under strictReverify, counts wrong ones, and stays VERIFIED", () => {
    const settings = settingsWith({ strictReverify: true })
    const loaded = verified(1)
    assert.deepStrictEqual(attempt(loaded, right, settings, later), {
      outcome: { _tag: "Verified", verification: loaded.verification, already: true },
      change: null
    })
    const verification = { ...loaded.verification, attempts: 2 }
    assert.deepStrictEqual(attempt(loaded, wrong, settings, later), {
      outcome: { _tag: "WrongCode", verification, left: 1 },
      change: {
        subject: { ...loaded.subject, failures: 1, failedAt: later },
        verification,
        orderId: null,
        events: [],
        jobs: [],
        done: null
      }
    })
    assert.deepStrictEqual(attempt(verified(3), unseen, settings, later), {
      outcome: { _tag: "Exhausted", verification: verified(3).verification },
      change: null
    })
  })
})
