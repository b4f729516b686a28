import { assert, describe, it } from "@effect/vitest"
import { approve, attempt, type Verification } from "../../src/index.ts"
import { Subject } from "../../src/index.storage.ts"
import {
  attemptWith,
  changed,
  countedAs,
  deviceIdAt,
  guessed,
  linkFlow,
  settingsWith,
  startedWith,
  written
} from "../fixtures/decisions.ts"
import { start } from "../fixtures/World.ts"
import { challengeOf, exchange, type ExchangeCommand } from "../../src/auth/verification/exchange.ts"

const started = (codeChallenge: string | null = null) =>
  startedWith({ flow: linkFlow({ redirectUri: "https://a.example/cb", state: "s", codeChallenge }) })

const pressed = { method: "LINK", isRight: () => true, eventId: "evt_2" } as const

/** An approval one second after the request. */
const approved = (codeChallenge: string | null = null) => {
  const { subject, verification } = written(approve(started(codeChallenge), pressed, start + 1_000))
  return { subject, verification }
}

const settings = settingsWith()
const command: ExchangeCommand = { codeVerifier: null, idempotencyKey: null, device: null, label: null, keyId: "key1" }

describe("an approval", () => {
  it("resets the consecutive wrong codes, as a right code does", () => {
    const { subject, verification } = started()
    const loaded = { subject: { ...subject, guesses: guessed(7, start) }, verification }
    const { subject: next } = written(approve(loaded, pressed, start + 1))
    assert.strictEqual(Subject.failuresInARow(next, "SERVER", start + 1), 0)
    const mistaken = written(approve(loaded, { ...pressed, isRight: () => false }, start + 1))
    assert.strictEqual(Subject.failuresInARow(mistaken.subject, "SERVER", start + 1), 8)
    assert.deepStrictEqual([mistaken.verification.status, mistaken.events], ["FAILED", []])
    assert.deepStrictEqual(mistaken.facts, [countedAs({ "failed SMS": 1, "lost.WRONG_NUMBER SMS": 1 })])
    for (const change of [next, mistaken.subject]) assert.deepStrictEqual(change.live, [])
  })

  it("checks the person only when it approves", () => {
    const never = { ...pressed, isRight: () => assert.fail("asked") }
    const { subject, verification } = approved()
    const over: ReadonlyArray<object> = [
      {},
      { status: "FAILED" },
      { status: "EXPIRED" },
      { status: "PENDING", expiresAt: start + 1_000 },
      { status: "PENDING", kind: "Code", mode: "OTP" }
    ]
    for (const [i, more] of over.entries()) {
      const { change, outcome } = approve({ subject, verification: changed(verification, more) }, never, start + 1_000)
      assert.deepStrictEqual([outcome._tag, change], [i === 0 ? "Already" : "Over", null])
    }
  })

  it("makes no device trusted; its exchange does, with number matching and a codeChallenge", () => {
    const on = settingsWith({ oneTap: true })
    const device = { id: deviceIdAt(start), serial: 0 }
    const codeVerifier = "v".repeat(43)
    const loaded = approved()
    assert.deepStrictEqual(loaded.subject.devices.trusted, [])
    const challenged = approved(challengeOf(codeVerifier)).verification
    const matched = changed(challenged, { matchesNumbers: true })
    const cases: ReadonlyArray<readonly [string, Verification.Verification, boolean]> = [
      ["number and codeChallenge", matched, true],
      ["codeChallenge alone", challenged, false],
      ["number alone", changed(loaded.verification, { matchesNumbers: true }), false],
      ["neither", loaded.verification, false],
      ["OneTap, which proves nothing new", changed(matched, { method: "ONETAP" }), false],
      [
        "Truecaller, which has no page to match a number on",
        changed(challenged, { kind: "Number", method: "TRUECALLER" }),
        false
      ]
    ]
    for (const [name, verification, trusted] of cases) {
      const isChallenged = "handover" in verification && verification.handover.codeChallenge !== null
      const verifier = isChallenged ? codeVerifier : null
      const decision = exchange(
        { ...loaded, verification },
        { ...command, device, codeVerifier: verifier },
        on,
        start + 60_999
      )
      const { deviceId, subject } = written(decision)
      assert.deepInclude(decision.outcome, { _tag: "Exchanged", deviceTrusted: trusted }, name)
      assert.deepStrictEqual(
        [deviceId, subject.devices.trusted.map(({ by, id }) => [id, by])],
        trusted ? [device.id, [[device.id, "LINK"]]] : [null, []],
        name
      )
    }
    const late = exchange(loaded, { ...command, device }, on, start + 61_000)
    assert.deepStrictEqual([late.outcome._tag, late.change], ["Unknown", null])
    const typed = attempt(loaded, attemptWith({ matches: () => assert.fail("compared"), device }), on, start + 2_000)
    assert.deepStrictEqual([typed.outcome._tag, typed.change], ["Verified", null])
  })
})

describe("an exchange", () => {
  const verifier = "v".repeat(43)
  const other = "w".repeat(43)
  const challenge = challengeOf(verifier)

  it("checks the code challenge as RFC 7636 defines it", () => {
    assert.strictEqual(
      challengeOf("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
      "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    )
  })

  it.each([
    ["no challenge, no verifier", null, null, "Exchanged"],
    ["no challenge, a verifier", null, verifier, "Unproved"],
    ["a challenge, no verifier", challenge, null, "Unproved"],
    ["a challenge, another verifier", challenge, other, "Unproved"],
    ["a challenge, itself as its verifier", challenge, challenge, "Unproved"],
    ["a challenge, its verifier", challenge, verifier, "Exchanged"]
  ] as const)(
    "with %s: the code stays valid until it is exchanged, and with a challenge for another minute",
    (_, codeChallenge, codeVerifier, expected) => {
      const loaded = approved(codeChallenge)
      const { change, outcome } = exchange(loaded, { ...command, codeVerifier }, settings, start + 2_000)
      assert.deepStrictEqual([outcome._tag, change !== null], [expected, expected === "Exchanged"])
      if (change?.verification == null) return
      const again = exchange(
        { ...loaded, verification: change.verification },
        { ...command, codeVerifier },
        settings,
        start + 2_000
      )
      assert.deepStrictEqual(
        [again.outcome._tag, again.change],
        [codeChallenge === null ? "Unknown" : "Exchanged", null]
      )
      const stranger = exchange(
        { ...loaded, verification: change.verification },
        { ...command, codeVerifier: codeChallenge === null ? null : other },
        settings,
        start + 2_000
      )
      assert.deepStrictEqual(
        [stranger.outcome._tag, stranger.change],
        [codeChallenge === null ? "Unknown" : "Unproved", null]
      )
    }
  )
})
