import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { StoreError } from "../../src/index.storage.ts"
import { withStore } from "../fixtures/FaultyStore.ts"
import { accepted, recordingChannel, unavailable } from "../fixtures/RecordingChannel.ts"
import { ask, enter, login, way } from "../fixtures/logins.ts"
import {
  answer,
  indian,
  makeProcess,
  makeStorage,
  makeWorld,
  otp,
  requestIdOf,
  secrets,
  start,
  until,
  withSettings,
  wrong
} from "../fixtures/World.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A process, and a merchant with OneTap on. */
const world = Effect.gen(function* () {
  const made = yield* makeWorld({ idle: true })
  const on = withSettings(made.live, { oneTap: true })
  return { ...made, on, onTest: withSettings(made.test, { oneTap: true }) }
})

describe("OneTap", () => {
  it.effect("requires a code at the first login, and lets the device in at the next", () =>
    Effect.gen(function* () {
      const w = yield* world
      const asked = yield* ask(w, w.on, null)
      assert.strictEqual(way(asked), "code")
      assert.match(asked.deviceToken!, /^dvc_[0-9a-z]{26}\.0\.[\w-]{43}$/)
      assert.strictEqual(answer(yield* enter(w, w.on, asked, asked.deviceToken)), "right")

      yield* TestClock.setTime(start + minute)
      const again = yield* ask(w, w.on, asked.deviceToken, indian, { orderId: "o2" })
      assert.strictEqual(way(again), "onetap")
      const { id, method, status, verifiedAt } = again.verification
      assert.deepStrictEqual([status, method, verifiedAt], ["VERIFIED", "ONETAP", start + minute])
      assert.deepStrictEqual(yield* w.verifications.status(w.on, { orderId: "o2" }), again.verification)
      assert.notStrictEqual(id, asked.verification.id)
      const events = (yield* w.events(w.on)).filter((event) => requestIdOf(event) === id)
      assert.deepStrictEqual(
        events.map(({ createdAt, data, type }) => ({ createdAt, type, data })),
        [
          {
            createdAt: start + minute,
            type: "otp.verified",
            data: {
              requestId: id,
              identity: indian,
              identityType: "MOBILE",
              mode: "OTP",
              channel: "SMS",
              orderId: "o2",
              verifiedAt: "2030-01-07T10:01:00.000Z",
              method: "ONETAP"
            }
          }
        ]
      )
    })
  )

  it.effect("lets the device in under any spelling of the number", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { token } = yield* login(w, w.on)
      for (const spelling of ["9876543210", "+91-98765-43210", "919876543210"]) {
        assert.strictEqual(way(yield* ask(w, w.on, token, spelling)), "onetap")
      }
      const mail = yield* login(w, w.on, null, "A.B@example.com")
      assert.strictEqual(way(yield* ask(w, w.on, mail.token, "a.b@Example.com")), "onetap")
    })
  )

  it.effect("gives a new token for every use, and repeats it for the previous token within a minute", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { token } = yield* login(w, w.on)
      const once = (yield* ask(w, w.on, token)).deviceToken!
      assert.strictEqual(once, once.replace(".0.", ".1."))
      assert.notStrictEqual(once, token)
      yield* TestClock.setTime(start + 59_999)
      const late = yield* ask(w, w.on, token)
      assert.deepStrictEqual([way(late), late.deviceToken], ["onetap", once])
      const twice = yield* ask(w, w.on, once)
      assert.deepStrictEqual([way(twice), twice.deviceToken!.split(".")[1]], ["onetap", "2"])
    })
  )

  it.effect("returns an untrusted token that is still valid, and replaces any other", () =>
    Effect.gen(function* () {
      const w = yield* world
      const first = yield* ask(w, w.on, null)
      const again = yield* ask(w, w.on, first.deviceToken)
      assert.strictEqual(again.deviceToken, first.deviceToken)
      for (const text of ["", "x", `${first.deviceToken}x`, "dvc_", first.deviceToken!.replace(".0.", ".1.")]) {
        const other = yield* ask(w, w.on, text)
        assert.strictEqual(way(other), "code")
        assert.match(other.deviceToken!, /^dvc_[0-9a-z]{26}\.0\./)
        assert.notStrictEqual(other.deviceToken!.slice(0, 30), first.deviceToken!.slice(0, 30))
      }
      yield* TestClock.setTime(start + day)
      assert.notStrictEqual((yield* ask(w, w.on, first.deviceToken)).deviceToken, first.deviceToken)
    })
  )

  it.effect("does nothing while the setting is off", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { token } = yield* login(w, w.on)
      const off = yield* ask(w, w.live, token)
      assert.deepStrictEqual([way(off), off.deviceToken], ["code", null])
      // A code makes no device trusted either while it is off.
      const on = yield* ask(w, w.on, null, "9876543211")
      yield* enter(w, w.live, on, on.deviceToken)
      assert.strictEqual(way(yield* ask(w, w.on, on.deviceToken, "9876543211")), "code")
      // Devices trusted before are trusted again.
      assert.strictEqual(way(yield* ask(w, w.on, token)), "onetap")
    })
  )

  it.effect("accepts a token only from its own person and environment", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { token } = yield* login(w, w.on)
      for (const identity of ["9876543211", "a@example.com", "+6591234567"]) {
        assert.strictEqual(way(yield* ask(w, w.on, token, identity)), "code", identity)
      }
      assert.strictEqual(way(yield* ask(w, w.onTest, token)), "code")
      const neighbour = yield* Effect.orDie(w.merchants.create("Neighbour"))
      const caller = yield* Effect.orDie(w.merchants.callerOf(neighbour.live.clientId))
      assert.strictEqual(way(yield* ask(w, withSettings(caller, { oneTap: true }), token)), "code")
      assert.strictEqual(way(yield* ask(w, w.on, token)), "onetap")
    })
  )

  it.effect("ends after 30 days without use, or 90 days after the code", () =>
    Effect.gen(function* () {
      const w = yield* world
      let { token } = yield* login(w, w.on)
      for (const at of [29, 58, 87]) {
        yield* TestClock.setTime(start + at * day)
        const used = yield* ask(w, w.on, token)
        assert.strictEqual(way(used), "onetap", `day ${at}`)
        token = used.deviceToken!
      }
      yield* TestClock.setTime(start + 90 * day - 1)
      const last = yield* ask(w, w.on, token)
      assert.strictEqual(way(last), "onetap")
      yield* TestClock.setTime(start + 90 * day)
      const over = yield* ask(w, w.on, last.deviceToken)
      assert.strictEqual(way(over), "code")
      assert.strictEqual(over.deviceToken!.split(".")[1], "0")
      const renewed = yield* login(w, w.on, over.deviceToken)
      yield* TestClock.setTime(start + 120 * day - 1)
      assert.strictEqual(way(yield* ask(w, w.on, renewed.token)), "onetap")
      yield* TestClock.setTime(start + 150 * day - 1)
      assert.strictEqual(way(yield* ask(w, w.on, renewed.token.replace(".0.", ".0."))), "code")
    })
  )
})

describe("a device becomes trusted only by a code", () => {
  it.effect("and not by a wrong code, or by the right code without the token", () =>
    Effect.gen(function* () {
      const w = yield* world
      const asked = yield* ask(w, w.on, null)
      const typed = wrong(w.codeOf(asked.verification))
      const verify = { requestId: asked.verification.id, otp: typed, deviceToken: asked.deviceToken }
      assert.strictEqual(answer(yield* w.verifications.verify(w.on, verify)), 2)
      assert.strictEqual(way(yield* ask(w, w.on, asked.deviceToken)), "code")
      assert.strictEqual(answer(yield* enter(w, w.on, asked, null)), "right")
      assert.strictEqual(way(yield* ask(w, w.on, asked.deviceToken)), "code")
    })
  )

  it.effect("and not by an answer that the login was verified already", () =>
    Effect.gen(function* () {
      const w = yield* world
      const asked = yield* ask(w, w.on, null)
      yield* enter(w, w.on, asked, null)
      for (const caller of [w.on, withSettings(w.on, { strictReverify: true })]) {
        assert.strictEqual(answer(yield* enter(w, caller, asked, asked.deviceToken)), "again")
        assert.strictEqual(way(yield* ask(w, w.on, asked.deviceToken)), "code")
      }
      assert.deepStrictEqual(yield* w.devices.list(w.on, indian), [])
    })
  )

  it.effect("and not by an approval, which neither trusts another device nor restarts the 90 days", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { token } = yield* login(w, w.on)
      const other = (yield* ask(w, w.on, null)).deviceToken
      const approved = yield* ask(w, w.on, token)
      assert.strictEqual(answer(yield* enter(w, w.on, approved, other)), "again")
      assert.strictEqual(way(yield* ask(w, w.on, other)), "code")
      const [device] = yield* w.devices.list(w.on, indian)
      assert.deepStrictEqual([device?.trustedAt, device?.usedAt], [start, start])
    })
  )

  it.effect("and not with a forged token, or one issued to another person", () =>
    Effect.gen(function* () {
      const w = yield* world
      const stranger = (yield* ask(w, w.on, null, "9876543211")).deviceToken!
      const invented = stranger.replace(/[^.]+$/, "A".repeat(43))
      const fromTest = (yield* ask(w, w.onTest, null)).deviceToken!
      for (const planted of [stranger, invented, fromTest, "x".repeat(5000), "\0", "\ud800"]) {
        const asked = yield* ask(w, w.on, null)
        assert.strictEqual(answer(yield* enter(w, w.on, asked, planted)), "right")
        const next = yield* ask(w, w.on, planted)
        assert.strictEqual(way(next), "code")
      }
      assert.deepStrictEqual(yield* w.devices.list(w.on, indian), [])
      assert.deepStrictEqual(yield* w.devices.list(w.on, "9876543211"), [])
    })
  )

  it.effect("and is named after its deviceInfo, from verify or else from initiate", () =>
    Effect.gen(function* () {
      const w = yield* world
      const label = Effect.map(w.devices.list(w.on, indian), (devices) => devices.map((device) => device.label))
      const asked = yield* ask(w, w.on, null, indian, { deviceInfo: { model: "Pixel 8" } })
      yield* enter(w, w.on, asked, asked.deviceToken)
      assert.deepStrictEqual(yield* label, ["Pixel 8"])
      const renewed = yield* ask(w, w.on, null)
      yield* w.verifications.verify(w.on, {
        requestId: renewed.verification.id,
        otp: w.codeOf(renewed.verification),
        deviceToken: asked.deviceToken,
        deviceInfo: { model: "Pixel 9", platform: "Android" }
      })
      assert.deepStrictEqual(yield* label, ["Pixel 9, Android"])
    })
  )
})

describe("a replaced token", () => {
  it.effect("that is used later revokes its family: the person gets a code, and the successor is invalid", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { token } = yield* login(w, w.on)
      const other = yield* login(w, w.on)
      const issued = (yield* ask(w, w.on, null)).deviceToken!
      const successor = (yield* ask(w, w.on, token)).deviceToken!
      yield* TestClock.setTime(start + minute)
      const theft = yield* ask(w, w.on, token)
      assert.strictEqual(way(theft), "code")
      assert.strictEqual(way(yield* ask(w, w.on, successor)), "code")
      // Tokens issued before the theft are invalid; the trust of another device remains.
      const planted = yield* ask(w, w.on, issued)
      assert.notStrictEqual(planted.deviceToken, issued)
      yield* enter(w, w.on, planted, issued)
      assert.strictEqual(way(yield* ask(w, w.on, issued)), "code")
      assert.strictEqual(way(yield* ask(w, w.on, other.token)), "onetap")
      assert.strictEqual((yield* w.devices.list(w.on, indian)).length, 1)
    })
  )

  it.effect("starts a normal login, whose new token is trusted with its code", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { token } = yield* login(w, w.on)
      yield* ask(w, w.on, token)
      yield* TestClock.setTime(start + minute)
      const theft = yield* ask(w, w.on, token)
      assert.strictEqual(answer(yield* enter(w, w.on, theft, theft.deviceToken)), "right")
      assert.strictEqual(way(yield* ask(w, w.on, theft.deviceToken)), "onetap")
    })
  )

  it.effect("counts as theft at verify too: the code is right, and no device is trusted", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { token } = yield* login(w, w.on)
      const successor = (yield* ask(w, w.on, token)).deviceToken!
      yield* TestClock.setTime(start + minute)
      const asked = yield* ask(w, w.on, null)
      assert.strictEqual(answer(yield* enter(w, w.on, asked, token)), "right")
      assert.deepStrictEqual(yield* w.devices.list(w.on, indian), [])
      assert.strictEqual(way(yield* ask(w, w.on, successor)), "code")
    })
  )

  it.effect("is neither renewed nor called a theft when a completed request repeats", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { token } = yield* login(w, w.on)
      yield* ask(w, w.on, token)
      const first = yield* w.verifications.initiate(w.on, otp(indian), "key 1")
      yield* TestClock.setTime(start + minute)
      const repeat = yield* w.verifications.initiate(w.on, otp(indian, { deviceToken: token }), "key 1")
      assert.deepStrictEqual([repeat.repeated, repeat.verification], [true, first.verification])
      assert.notStrictEqual(repeat.deviceToken, token)
      assert.strictEqual((yield* w.devices.list(w.on, indian)).length, 1)
    })
  )
})

describe("OneTap", () => {
  it.effect("comes before the limit on wrong codes: a trusted device guesses nothing", () =>
    Effect.gen(function* () {
      const w = yield* world
      const capped = withSettings(w.on, { maxConsecutiveFailures: 2 })
      const { token } = yield* login(w, capped)
      const asked = yield* ask(w, capped, null)
      const requestId = asked.verification.id
      const guess = wrong(w.codeOf(asked.verification))
      for (const left of [2, 1]) {
        assert.strictEqual(answer(yield* w.verifications.verify(capped, { requestId, otp: guess })), left)
      }
      const refused = yield* Effect.flip(ask(w, capped, null))
      assert.deepStrictEqual([refused._tag, "limit" in refused && refused.limit], ["RateLimited", "failures"])
      assert.strictEqual(way(yield* ask(w, capped, token)), "onetap")
      // Being let in resets nothing: it is no proof of identity.
      assert.strictEqual((yield* Effect.flip(ask(w, capped, null)))._tag, "RateLimited")
    })
  )

  it.effect("comes before the hourly limits: a trusted device is let in when they are exhausted", () =>
    Effect.gen(function* () {
      const w = yield* world
      const few = withSettings(w.on, {
        hourlyLimit: 1,
        canonicalHourlyLimit: 1,
        resendCooldownSeconds: 600,
        maxResends: 1
      })
      let { token } = yield* login(w, few)
      assert.strictEqual((yield* Effect.flip(ask(w, few, null)))._tag, "RateLimited")
      for (let i = 0; i < 20; i++) {
        const used = yield* ask(w, few, token)
        assert.strictEqual(way(used), "onetap")
        token = used.deviceToken!
      }
      // None of the refused requests was counted.
      yield* TestClock.setTime(start + hour)
      assert.strictEqual(way(yield* ask(w, few, null)), "code")
    })
  )

  it.effect("neither resends a live code nor ends it", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { token } = yield* login(w, w.on)
      const pending = yield* ask(w, w.on, null)
      const approved = yield* ask(w, w.on, token)
      assert.strictEqual(way(approved), "onetap")
      assert.notStrictEqual(approved.verification.id, pending.verification.id)
      const { verification } = yield* ask(w, w.on, null)
      assert.deepStrictEqual([verification.id, verification.resends], [pending.verification.id, 1])
      assert.strictEqual(answer(yield* enter(w, w.on, pending, null)), "right")
    })
  )

  it.effect("lets a trusted device in while the provider's circuit is open", () =>
    Effect.gen(function* () {
      const sms = recordingChannel("SMS", [accepted, unavailable("SMS")])
      const w = yield* makeWorld({ channels: [sms.channel] })
      const on = withSettings(w.live, { oneTap: true })
      const { token } = yield* login(w, on)
      yield* until(Effect.sync(() => sms.received.length === 1))
      // One send succeeded, so the circuit opens after ten sends of which half failed.
      for (let i = 0; i < 9; i++) yield* ask(w, on, null, `987654322${i}`)
      yield* until(Effect.sync(() => sms.received.length === 10))
      yield* until(Effect.map(Effect.result(ask(w, on, null, "9876543230")), (one) => one._tag === "Failure"))
      assert.strictEqual((yield* Effect.flip(ask(w, on, null)))._tag, "ProviderUnavailable")
      assert.strictEqual(way(yield* ask(w, on, token)), "onetap")
    })
  )
})

describe("after the master secret was rotated", () => {
  it.effect("a device is recognised by its old token, and gets one under the new secret", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const old = yield* makeWorld({ storage, idle: true })
      const on = withSettings(old.live, { oneTap: true })
      const process = (options: Parameters<typeof makeProcess>[1]) =>
        Effect.map(makeProcess(storage, { idle: true, secret: secrets.second, ...options }), (made) => ({
          ...old,
          ...made
        }))
      const both = yield* process({ previousSecrets: [secrets.first] })
      const fresh = yield* process({})

      const { token } = yield* login(old, on)
      const issued = (yield* ask(old, on, null)).deviceToken!
      const used = yield* ask(both, on, token)
      assert.strictEqual(way(used), "onetap")
      // Both processes derive the same successor, although their newest secrets differ.
      const again = yield* ask(both, on, token)
      assert.deepStrictEqual([way(again), again.deviceToken], ["onetap", used.deviceToken])
      // An untrusted token can still be trusted, and is returned unchanged.
      const asked = yield* ask(both, on, issued)
      assert.strictEqual(asked.deviceToken, issued)
      // Without the old secret only tokens of the new one are valid.
      assert.strictEqual(way(yield* ask(fresh, on, token)), "code")
      assert.strictEqual(way(yield* ask(fresh, on, used.deviceToken)), "onetap")
    })
  )
})

describe("OneTap while storage fails", () => {
  it.effect("lets no device in, and uses up no token", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { token } = yield* login(w, w.on)
      const away = withStore(w.storage, () => ({
        commit: () => Effect.fail(new StoreError({ operation: "commit", cause: new Error("away") }))
      }))
      const broken = { ...w, ...(yield* makeProcess(away, { idle: true })) }
      assert.strictEqual((yield* Effect.flip(ask(broken, w.on, token)))._tag, "StoreError")
      yield* TestClock.setTime(start + hour)
      assert.strictEqual(way(yield* ask(w, w.on, token)), "onetap")
    })
  )
})
