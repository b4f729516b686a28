import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Identifier } from "../../src/index.ts"
import { plain } from "../fixtures/decisions.ts"
import { begin, enterIn, makeAppWorld } from "../fixtures/apps.ts"
import { distant, withStore } from "../fixtures/FaultyStore.ts"
import { ask, way } from "../fixtures/logins.ts"
import {
  answer,
  indian,
  makeProcess,
  makeStorage,
  otp,
  secrets,
  start,
  withSettings,
  wrong
} from "../fixtures/World.ts"

const hour = 3_600_000

describe("an app's initiate", () => {
  it.effect("starts its own session with its own code, also for a number with other sessions", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const asked = [yield* begin(w, w.app), yield* begin(w, w.app), yield* begin(w, w.app, { phone: "9876543210" })]
      assert.strictEqual(new Set(asked.map(({ verification }) => verification.id)).size, 3)
      for (const { repeated, verification } of asked) {
        assert.deepStrictEqual(
          [repeated, verification.path, verification.mode, verification.resends, verification.deliveries.length],
          [false, "SDK", "OTP", 0, 1]
        )
      }
      assert.deepStrictEqual(
        (yield* w.events(w.live)).map(({ type }) => type),
        Array(3).fill("otp.initiated")
      )
    })
  )

  it.effect("never gives a login to another caller: a code is correct only in its own session", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      // The attacker first, then the owner of the number, then the attacker again.
      const [before, victim, after] = [yield* begin(w, w.app), yield* begin(w, w.app), yield* begin(w, w.app)]
      const code = w.codeOf(victim.verification)
      for (const { verification } of [before, after]) {
        const theirs = yield* w.sdk.verify(w.app, { sessionId: verification.id, code })
        assert.isFalse(theirs.verified)
      }
      assert.isTrue((yield* enterIn(w, w.app, victim)).verified)
      const sessions = yield* Effect.forEach([before, victim, after], ({ verification }) =>
        w.verifications.status(w.live, { requestId: verification.id })
      )
      assert.deepStrictEqual(
        sessions.map(({ attempts, status }) => [status, attempts]),
        [
          ["PENDING", 1],
          ["VERIFIED", 0],
          ["PENDING", 1]
        ]
      )
      const confirmed = yield* w.verifications.confirm(w.live, { requestId: after.verification.id })
      assert.strictEqual(confirmed.status, "PENDING")
    })
  )

  it.effect("is never resent by a backend's initiate, nor the other way round", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const session = yield* begin(w, w.app, { command: "key 1" })
      const server = yield* w.verifications.initiate(w.live, otp(indian), "key 1")
      assert.notStrictEqual(server.verification.id, session.verification.id)
      assert.strictEqual((yield* w.verifications.initiate(w.live, otp(indian))).verification.id, server.verification.id)
      const named = begin(w, w.app, { sessionId: server.verification.id })
      assert.strictEqual((yield* Effect.flip(named))._tag, "UnknownVerification")
      const { resends } = yield* w.verifications.status(w.live, { requestId: session.verification.id })
      assert.strictEqual(resends, 0)
      assert.notStrictEqual((yield* begin(w, w.app)).verification.id, session.verification.id)
    })
  )

  it.effect("accepts a phone number, an order reference and a channel under the names that apps use", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const channels = yield* Effect.forEach([undefined, null, "auto", "sms", "whatsapp"], (channel) =>
        Effect.map(begin(w, w.app, { channel }), ({ verification }) => verification.channel)
      )
      assert.deepStrictEqual(channels, ["SMS", "SMS", "SMS", "SMS", "WHATSAPP"])
      const app = withSettings(w.app, { primaryChannel: "WHATSAPP", fallbackChannel: "SMS", codeLength: 5 })
      const { verification } = yield* begin(w, app, { orderId: "o1", deviceInfo: { model: "Pixel 8" } })
      assert.deepStrictEqual(
        [verification.channel, verification.fallback?.channel, verification.codeLength, verification.deviceInfo],
        ["WHATSAPP", "SMS", 5, '{"model":"Pixel 8"}']
      )
      assert.strictEqual(verification.orderId, "o1")
      const refusals = [
        [{ phone: "a@example.com" }, "InvalidField", "phone"],
        [{ phone: "" }, "InvalidField", "phone"],
        [{ orderId: "" }, "InvalidField", "orderId"],
        [{ deviceInfo: { model: "x".repeat(5000) } }, "InvalidField", "deviceInfo"],
        [{ channel: "SMS" }, "InvalidChannel", null],
        [{ channel: "email" }, "InvalidChannel", null],
        [{ channel: "constructor" }, "InvalidChannel", null]
      ] as const
      for (const [more, tag, field] of refusals) {
        const refused = yield* Effect.flip(begin(w, w.app, more))
        assert.deepStrictEqual([refused._tag, "field" in refused ? refused.field : null], [tag, field])
      }
    })
  )

  it.effect("runs once for one idempotency key, also on two processes at the same moment", () =>
    Effect.gen(function* () {
      const storage = withStore(yield* makeStorage, distant)
      const w = yield* makeAppWorld({ storage })
      const other = { ...w, ...(yield* makeProcess(storage, { idle: true })) }
      const app = withSettings(w.app, { sdkInitiatesPerIpPerHour: 100 })
      const answers = yield* Effect.all(
        Array.from({ length: 40 }, (_, i) => begin(i % 2 === 0 ? w : other, app, { command: "key 1" })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(answers.map(({ verification }) => verification.id)).size, 1)
      assert.strictEqual(answers.filter(({ repeated }) => !repeated).length, 1)
      assert.strictEqual(answers[0]!.verification.deliveries.length, 1)
      assert.notStrictEqual((yield* begin(w, w.app, { command: "key 2" })).verification.id, answers[0]!.verification.id)
      // The same key of another person is another request.
      const another = yield* begin(w, w.app, { command: "key 1", phone: "9876543211" })
      assert.isFalse(another.repeated)
    })
  )
})

describe("a session that the request names", () => {
  it.effect("is resent: the same code, the same attempts, and no new session in the limits", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const app = withSettings(w.app, { hourlyLimit: 1 })
      const { verification } = yield* begin(w, app)
      const sessionId = verification.id
      const guess = wrong(w.codeOf(verification))
      assert.isFalse((yield* w.sdk.verify(app, { sessionId, code: guess })).verified)
      yield* TestClock.setTime(start + 60_000)
      const again = yield* begin(w, app, { sessionId, channel: "whatsapp", orderId: "o2" })
      const { attempts, channel, deliveries, id, resends } = again.verification
      assert.deepStrictEqual([id, attempts, resends, channel, deliveries.length], [sessionId, 1, 1, "WHATSAPP", 2])
      assert.strictEqual(w.codeOf(again.verification), w.codeOf(verification))
      assert.strictEqual((yield* Effect.flip(begin(w, app)))._tag, "RateLimited")
      assert.strictEqual(again.verification.orderId, "o2")
      assert.isTrue((yield* enterIn(w, app, again)).verified)
    })
  )

  it.effect("is resent once for one idempotency key", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const { verification } = yield* begin(w, w.app)
      yield* TestClock.adjust("15 seconds")
      const again = { sessionId: verification.id, command: "key 1" }
      const first = yield* begin(w, w.app, again)
      const repeat = yield* begin(w, w.app, again)
      assert.deepStrictEqual([first.repeated, repeat.repeated], [false, true])
      assert.deepStrictEqual(plain(repeat.verification), first.verification)
    })
  )

  it.effect("is unknown when it does not exist, belongs to another caller, or is for another number", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const mine = (yield* begin(w, w.app)).verification.id
      const inTest = (yield* begin(w, w.testApp)).verification.id
      const neighbour = yield* Effect.orDie(w.merchants.create("Neighbour"))
      const theirApp = yield* Effect.orDie(w.merchants.callerOfPublicKey(neighbour.live.publicKey))
      const theirs = (yield* begin(w, theirApp)).verification.id
      const nobody = Identifier.make("ver", start)
      for (const sessionId of [inTest, theirs, nobody, "", "ver_", "\0", mine.toUpperCase(), ` ${mine}`]) {
        const refused = yield* Effect.flip(begin(w, w.app, { sessionId }))
        assert.strictEqual(refused._tag, "UnknownVerification", sessionId)
        const unchecked = yield* Effect.flip(w.sdk.verify(w.app, { sessionId, code: "123456" }))
        assert.strictEqual(unchecked._tag, "UnknownVerification", sessionId)
      }
      const foreign = yield* Effect.flip(begin(w, w.app, { sessionId: mine, phone: "9876543211" }))
      assert.strictEqual(foreign._tag, "UnknownVerification")
      const { resends } = yield* w.verifications.status(w.live, { requestId: mine })
      assert.strictEqual(resends, 0)
    })
  )

  it.effect("is replaced by a new one once it is over", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const expired = (yield* begin(w, w.app)).verification
      const verified = yield* begin(w, w.app)
      yield* enterIn(w, w.app, verified)
      const exhausted = (yield* begin(w, w.app)).verification
      for (let i = 0; i < 3; i++) {
        yield* w.sdk.verify(w.app, { sessionId: exhausted.id, code: wrong(w.codeOf(exhausted)) })
      }
      for (const id of [verified.verification.id, exhausted.id]) {
        const next = yield* begin(w, w.app, { sessionId: id })
        assert.notStrictEqual(next.verification.id, id)
        assert.strictEqual(next.verification.resends, 0)
      }
      yield* TestClock.setTime(expired.expiresAt - 1)
      assert.strictEqual((yield* begin(w, w.app, { sessionId: expired.id })).verification.id, expired.id)
      yield* TestClock.setTime(expired.endsAt)
      const next = yield* begin(w, w.app, { sessionId: expired.id, command: "key 1" })
      assert.notStrictEqual(next.verification.id, expired.id)
      // A repeat starts one session: its key is known, although its session is over.
      const repeat = yield* begin(w, w.app, { sessionId: expired.id, command: "key 1" })
      assert.deepStrictEqual([repeat.repeated, repeat.verification], [true, next.verification])
    })
  )

  it.effect("is replaced by a new one when its code can no longer be derived", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const { verification } = yield* begin(w, w.app)
      // A process with the old secret makes the storage accept the new one.
      yield* makeProcess(w.storage, { idle: true, secret: secrets.second, previousSecrets: [secrets.first] })
      const fresh = { ...w, ...(yield* makeProcess(w.storage, { idle: true, secret: secrets.second })) }
      const next = yield* begin(fresh, w.app, { sessionId: verification.id })
      assert.notStrictEqual(next.verification.id, verification.id)
      assert.strictEqual(next.verification.keyId, fresh.keyring.current.id)
    })
  )
})

describe("a code in a session", () => {
  it.effect("is compared, counted and refused like every code", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const { verification } = yield* begin(w, w.app)
      const code = w.codeOf(verification)
      const typed = (text: string) => w.sdk.verify(w.app, { sessionId: verification.id, code: text })
      for (const text of ["", "  ", "1".repeat(65)]) {
        const refused = yield* Effect.flip(typed(text))
        assert.deepStrictEqual([refused._tag, "field" in refused && refused.field], ["InvalidField", "code"])
      }
      assert.isFalse((yield* typed(wrong(code))).verified)
      assert.isTrue((yield* typed(` ${code}\n`)).verified)
      assert.isTrue((yield* typed("0")).verified)

      const other = (yield* begin(w, w.app)).verification
      const guess = { sessionId: other.id, code: wrong(w.codeOf(other)) }
      for (let i = 0; i < 3; i++) yield* w.sdk.verify(w.app, guess)
      const exhausted = yield* Effect.flip(w.sdk.verify(w.app, { ...guess, code: w.codeOf(other) }))
      assert.strictEqual(exhausted._tag, "AttemptsExhausted")
      const late = (yield* begin(w, w.app)).verification
      yield* TestClock.setTime(late.expiresAt)
      const expired = yield* Effect.flip(w.sdk.verify(w.app, { sessionId: late.id, code: w.codeOf(late) }))
      assert.strictEqual(expired._tag, "VerificationExpired")
    })
  )

  it.effect(
    "may also be checked by the backend, which shares its attempts; the backend's codes never work in a session",
    () =>
      Effect.gen(function* () {
        const w = yield* makeAppWorld()
        const { verification } = yield* begin(w, w.app)
        const guess = wrong(w.codeOf(verification))
        yield* w.sdk.verify(w.app, { sessionId: verification.id, code: guess })
        const byServer = { requestId: verification.id, otp: guess }
        assert.strictEqual(answer(yield* w.verifications.verify(w.live, byServer)), 1)
        yield* w.sdk.verify(w.app, { sessionId: verification.id, code: guess })
        assert.strictEqual((yield* Effect.flip(w.verifications.verify(w.live, byServer)))._tag, "AttemptsExhausted")

        const server = (yield* w.verifications.initiate(w.live, otp(indian))).verification
        const byApp = { sessionId: server.id, code: w.codeOf(server) }
        assert.strictEqual((yield* Effect.flip(w.sdk.verify(w.app, byApp)))._tag, "UnknownVerification")
        const { attempts, status } = yield* w.verifications.status(w.live, { requestId: server.id })
        assert.deepStrictEqual([attempts, status], [0, "PENDING"])
      })
  )
})

describe("an app's hourly limit", () => {
  it.effect("is separate from the backend's, per spelling and over all spellings", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const few = { hourlyLimit: 2, canonicalHourlyLimit: 3 }
      const [app, server] = [withSettings(w.app, few), withSettings(w.live, few)]
      yield* begin(w, app)
      yield* begin(w, app)
      const spelling = yield* Effect.flip(begin(w, app))
      yield* begin(w, app, { phone: "9876543210" })
      const canonical = yield* Effect.flip(begin(w, app, { phone: "9876543210" }))
      assert.deepStrictEqual(
        [spelling, canonical].map((one) => "limit" in one && one.limit),
        ["spelling", "canonical"]
      )
      const asked = yield* w.verifications.initiate(server, otp(indian))
      yield* w.verifications.verify(server, { requestId: asked.verification.id, otp: w.codeOf(asked.verification) })
      yield* w.verifications.initiate(server, otp(indian))
      yield* TestClock.setTime(start + hour)
      yield* begin(w, app)
    })
  )
})

describe("OneTap in an app", () => {
  it.effect("lets a device in that a code made trusted, in the app and at the backend", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const [app, live] = [withSettings(w.app, { oneTap: true }), withSettings(w.live, { oneTap: true })]
      const asked = yield* begin(w, app)
      assert.strictEqual(way(asked), "code")
      assert.isTrue((yield* enterIn(w, app, asked, asked.deviceToken)).verified)
      const inApp = yield* begin(w, app, { deviceToken: asked.deviceToken })
      assert.deepStrictEqual([way(inApp), inApp.verification.path], ["onetap", "SDK"])
      assert.strictEqual(way(yield* ask(w, live, inApp.deviceToken)), "onetap")
      // A device that is let in does not resend the named session.
      const pending = yield* begin(w, app)
      const token = (yield* ask(w, live, inApp.deviceToken)).deviceToken
      const tapped = yield* begin(w, app, { deviceToken: token, sessionId: pending.verification.id })
      assert.strictEqual(way(tapped), "onetap")
      assert.notStrictEqual(tapped.verification.id, pending.verification.id)
    })
  )

  it.effect("makes no device trusted after a wrong code, or without the token", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const app = withSettings(w.app, { oneTap: true })
      const { deviceToken, verification } = yield* begin(w, app)
      const guess = { sessionId: verification.id, code: wrong(w.codeOf(verification)), deviceToken }
      assert.isFalse((yield* w.sdk.verify(app, guess)).verified)
      assert.isTrue((yield* enterIn(w, app, { verification })).verified)
      assert.isTrue((yield* enterIn(w, app, { verification }, deviceToken)).verified)
      assert.strictEqual(way(yield* begin(w, app, { deviceToken })), "code")
    })
  )
})
