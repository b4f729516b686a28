import { assert, describe, it } from "@effect/vitest"
import { attempt, type Event, type Verification } from "../../src/index.ts"
import type { Subject } from "../../src/index.storage.ts"
import { latencyClass } from "../../src/account/stat/latencyClass.ts"
import {
  attemptWith,
  changed,
  countedAs,
  deviceIdAt,
  guessed,
  plain,
  settingsWith,
  startedWith
} from "../fixtures/decisions.ts"
import { start } from "../fixtures/World.ts"
import * as Device from "../../src/auth/verification/Device.ts"
import type { AttemptCommand } from "../../src/auth/verification/attempt.ts"

type Loaded = { readonly subject: Subject.Subject; readonly verification: Verification.Verification }

const right = attemptWith()
const wrong = attemptWith({ matches: () => false })
/** For attempts that must not read the code. */
const unseen = attemptWith({ matches: () => assert.fail("compared") })
const later = start + 1000
const life = { longest: 90 * 86_400_000, unused: 30 * 86_400_000 }

const data = {
  requestId: "ver_1",
  identity: "9876543210",
  identityType: "MOBILE",
  mode: "OTP",
  channel: "SMS",
  orderId: null
} as const
const about = { id: "evt_2", environment: "env" } as const
const verified = (createdAt: number, verifiedAt: string): Event => ({
  ...about,
  type: "otp.verified",
  createdAt,
  data: { ...data, verifiedAt, method: "OTP" }
})
const expired = (createdAt: number): Event => ({ ...about, type: "otp.expired", createdAt, data })

const used = (attempts: number, more: Partial<Verification.Verification> = {}): Loaded => {
  const { subject, verification } = startedWith()
  const deliveries = verification.deliveries.map((delivery) => ({ ...delivery, status: "SENT" as const }))
  return { subject, verification: changed(verification, { deliveries, attempts, ...more }) }
}

describe("an attempt", () => {
  it("with the right code verifies, ends resends, and resets failures", () => {
    const fresh = used(2)
    const loaded = { ...fresh, subject: { ...fresh.subject, guesses: guessed(7, start) } }
    const verification = { ...loaded.verification, status: "VERIFIED", method: "OTP", verifiedAt: later } as const
    assert.deepStrictEqual(plain(attempt(loaded, right, settingsWith(), later)), {
      outcome: { _tag: "Verified", verification, already: false },
      change: {
        subject: { ...loaded.subject, guesses: guessed(0, 0), live: [], unused: 0 },
        verification,
        orderId: null,
        deviceId: null,
        events: [verified(later, "2030-01-07T10:00:01.000Z")],
        jobs: [],
        done: null,
        facts: [countedAs({ "verified SMS": 1, [`toVerify.${latencyClass(later - start)} SMS`]: 1 })],
        folded: [],
        audited: [],
        booked: []
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
    assert.deepStrictEqual(plain(attempt(loaded, wrong, settingsWith(), later)), {
      outcome: { _tag: "WrongCode", verification, left },
      change: {
        subject: { ...loaded.subject, guesses: guessed(1, later) },
        verification,
        orderId: null,
        deviceId: null,
        events: [],
        jobs: [],
        done: null,
        facts: left === 0 ? [countedAs({ "lost.NO_ATTEMPTS_LEFT SMS": 1 })] : [],
        folded: [],
        audited: [],
        booked: []
      }
    })
  })

  it("after the last wrong one FAILS the verification without comparing the code", () => {
    const loaded = used(3)
    const verification = changed(loaded.verification, { status: "FAILED" })
    assert.deepStrictEqual(plain(attempt(loaded, unseen, settingsWith(), later)), {
      outcome: { _tag: "Exhausted", verification },
      change: {
        subject: { ...loaded.subject, live: [] },
        verification,
        orderId: null,
        deviceId: null,
        events: [],
        jobs: [],
        done: null,
        facts: [countedAs({ "failed SMS": 1 })],
        folded: [],
        audited: [],
        booked: []
      }
    })
  })

  it("uses the attempt limit that applied when the code was sent", () => {
    const { outcome } = attempt(used(2, { maxAttempts: 5 }), wrong, settingsWith({ maxAttempts: 1 }), later)
    assert.deepStrictEqual([outcome._tag, "left" in outcome && outcome.left], ["WrongCode", 2])
  })

  it("is too late from the millisecond of expiry, and in time one before", () => {
    const loaded = used(1)
    const { expiresAt } = loaded.verification
    assert.strictEqual(attempt(loaded, right, settingsWith(), expiresAt - 1).outcome._tag, "Verified")
    const verification = changed(loaded.verification, { status: "EXPIRED", expiryAnnounced: true })
    assert.deepStrictEqual(plain(attempt(loaded, unseen, settingsWith(), expiresAt)), {
      outcome: { _tag: "Expired", verification },
      change: {
        subject: { ...loaded.subject, live: [] },
        verification,
        orderId: null,
        deviceId: null,
        events: [expired(expiresAt)],
        jobs: [],
        done: null,
        facts: [countedAs({ "expired SMS": 1, "lost.NO_RECEIPT SMS": 1 })],
        folded: [],
        audited: [],
        booked: []
      }
    })
  })

  it("on an exhausted and expired one is refused as expired", () => {
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
      assert.deepStrictEqual(plain(attempt(loaded, unseen, settingsWith(), now)), {
        outcome: { _tag: tag, verification: loaded.verification },
        change: null
      })
    }
  })
})

describe("an attempt on a VERIFIED one", () => {
  const verified = (attempts = 0) => {
    const { subject, verification } = used(attempts, { status: "VERIFIED", method: "OTP", verifiedAt: later })
    return { subject, verification: verification as Verification.VerifiedVerification }
  }

  it("succeeds again, with any code and at any time", () => {
    const loaded = verified()
    assert.deepStrictEqual(plain(attempt(loaded, unseen, settingsWith(), start + 10 ** 9)), {
      outcome: { _tag: "Verified", verification: loaded.verification, already: true },
      change: null
    })
  })

  it("repeats the first answer to the request with the same idempotency key, and to no other", () => {
    const settings = settingsWith({ strictReverify: true })
    const loaded = verified()
    const verifiedByKey = { ...loaded, verification: { ...loaded.verification, verifiedBy: "key_1" } }
    const answerTo = (command: AttemptCommand) => attempt(verifiedByKey, command, settings, later).outcome
    const { verification } = verifiedByKey
    assert.deepStrictEqual(answerTo({ ...unseen, mark: "key_1" }), { _tag: "Verified", verification, already: false })
    assert.strictEqual(answerTo({ ...wrong, mark: "key_2" })._tag, "WrongCode")
  })

  it("requires the right code under strictReverify, counts wrong ones, and stays VERIFIED", () => {
    const settings = settingsWith({ strictReverify: true })
    const loaded = verified(1)
    assert.deepStrictEqual(plain(attempt(loaded, right, settings, later)), {
      outcome: { _tag: "Verified", verification: loaded.verification, already: true },
      change: null
    })
    const verification = { ...loaded.verification, attempts: 2 }
    assert.deepStrictEqual(plain(attempt(loaded, wrong, settings, later)), {
      outcome: { _tag: "WrongCode", verification, left: 1 },
      change: {
        subject: { ...loaded.subject, guesses: guessed(1, later) },
        verification,
        orderId: null,
        deviceId: null,
        events: [],
        jobs: [],
        done: null,
        facts: [],
        folded: [],
        audited: [],
        booked: []
      }
    })
    assert.deepStrictEqual(plain(attempt(verified(3), unseen, settings, later)), {
      outcome: { _tag: "Exhausted", verification: verified(3).verification },
      change: null
    })
  })
})

describe("a device token that is sent with a code", () => {
  const issuedAt = start - 1000
  const token = { id: deviceIdAt(issuedAt), serial: 0 }
  const on = settingsWith({ oneTap: true })
  const known = {
    ...used(0),
    devices: Device.trust(Device.none, token, { keyId: "key1", label: null, by: "CODE" }, life, issuedAt)
  }
  const trusted: Loaded = { ...known, subject: { ...known.subject, devices: known.devices } }
  const changeWith = (loaded: Loaded, command: Partial<AttemptCommand>, settings = on) =>
    attempt(loaded, attemptWith(command), settings, later).change

  it("makes its device trusted and listed for this person", () => {
    const change = changeWith(used(0), { device: token, label: "Pixel 8", keyId: "key2" })
    assert.strictEqual(change?.deviceId, token.id)
    assert.deepStrictEqual(change?.subject.devices, {
      trusted: [{ ...token, keyId: "key2", label: "Pixel 8", replacedAt: [], trustedAt: later, usedAt: later }],
      revokedAt: 0
    })
  })

  it("of a trusted device extends its trust", () => {
    const change = changeWith(trusted, { device: token })
    assert.strictEqual(change?.deviceId, token.id)
    assert.deepStrictEqual(
      change?.subject.devices.trusted.map(({ trustedAt }) => trustedAt),
      [later]
    )
  })

  it.each([
    ["that is worth nothing", trusted, { device: { ...token, serial: 5 } }, on],
    ["that was issued too long ago", trusted, { device: { id: deviceIdAt(later - 86_400_000, 2), serial: 0 } }, on],
    ["while OneTap is off", used(0), { device: token }, settingsWith()],
    ["and a wrong code", trusted, { device: token, matches: () => false }, on],
    ["after the end", used(0, { expiresAt: later }), { device: token }, on],
    ["after the last attempt", used(3), { device: token }, on]
  ] as const)("%s changes nothing about devices", (_what, loaded, command, settings) => {
    const change = changeWith(loaded, command, settings)
    assert.deepStrictEqual([change?.deviceId, change?.subject.devices], [null, loaded.subject.devices])
  })

  it("changes nothing when the login was verified before", () => {
    for (const settings of [on, settingsWith({ oneTap: true, strictReverify: true })]) {
      assert.isNull(changeWith(used(0, { status: "VERIFIED" }), { device: token }, settings))
    }
  })
})
