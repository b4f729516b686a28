import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { JobStore, StoreError, VerificationStore } from "../../src/index.storage.ts"
import { begin, enterIn, makeAppWorld } from "../fixtures/apps.ts"
import { contended, withStore } from "../fixtures/FaultyStore.ts"
import { way } from "../fixtures/logins.ts"
import { accepted, recordingChannel, unavailable } from "../fixtures/RecordingChannel.ts"
import { indian, makeProcess, otp, start, until, withSettings, wrong } from "../fixtures/World.ts"

const hour = 3_600_000
const address = "203.0.113.7"

/** A number without a verification yet. */
const phone = (i: number) => `98765${String(43_000 + i)}`

const limited = (limit: string) => (error: { readonly _tag: string }) =>
  error._tag === "RateLimited" && "limit" in error && error.limit === limit

describe("the hourly limit on an app's addresses", () => {
  it.effect("counts accepted requests in any hour, for each address and each environment", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const app = withSettings(w.app, { sdkInitiatesPerIpPerHour: 3 })
      for (let i = 0; i < 3; i++) yield* begin(w, app, { phone: phone(i), address })
      const refused = yield* Effect.flip(begin(w, app, { phone: phone(3), address }))
      assert.isTrue(limited("address")(refused))
      assert.isTrue("retryAfterSeconds" in refused && refused.retryAfterSeconds > 3500)
      yield* begin(w, app, { phone: phone(3), address: "203.0.113.8" })
      yield* begin(w, withSettings(w.testApp, { sdkInitiatesPerIpPerHour: 3 }), { phone: phone(3), address })
      yield* TestClock.setTime(start + 61 * 60_000)
      yield* begin(w, app, { phone: phone(4), address })
    })
  )

  it.effect("is shared by each /64, and by all requests without an address", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const app = withSettings(w.app, { sdkInitiatesPerIpPerHour: 1 })
      yield* begin(w, app, { phone: phone(0), address: "2001:db8:1:2::1" })
      const same = ["2001:db8:1:2:ffff::9", "2001:0DB8:0001:0002::1"]
      for (const one of same) {
        assert.isTrue(limited("address")(yield* Effect.flip(begin(w, app, { phone: phone(1), address: one }))), one)
      }
      yield* begin(w, app, { phone: phone(1), address: "2001:db8:1:3::1" })
      yield* begin(w, app, { phone: phone(2), address: null })
      for (let i = 3; i < 6; i++) {
        assert.isTrue(limited("address")(yield* Effect.flip(begin(w, app, { phone: phone(i), address: null }))))
      }
    })
  )

  it.effect("gives a /48 ten times the limit of an address, and counts an IPv4 address once in every spelling", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const app = withSettings(w.app, { sdkInitiatesPerIpPerHour: 1 })
      const inside = (i: number) => `2001:db8:1:${i.toString(16)}::1`
      for (let i = 0; i < 10; i++) yield* begin(w, app, { phone: phone(i), address: inside(i) })
      // A request that is refused for another reason does not count for the /48.
      assert.isTrue(limited("address")(yield* Effect.flip(begin(w, app, { phone: phone(10), address: inside(0) }))))
      const refused = yield* Effect.flip(begin(w, app, { phone: phone(10), address: inside(10) }))
      assert.isTrue(limited("address")(refused))
      assert.isTrue("retryAfterSeconds" in refused && refused.retryAfterSeconds > 3500)
      yield* begin(w, app, { phone: phone(11), address: "2001:db8:2::1" })
      yield* begin(w, app, { phone: phone(12), address: "::ffff:192.0.2.7" })
      const mapped = yield* Effect.flip(begin(w, app, { phone: phone(13), address: "192.0.2.7" }))
      assert.isTrue(limited("address")(mapped))
      yield* TestClock.setTime(start + 61 * 60_000)
      yield* begin(w, app, { phone: phone(14), address: inside(10) })
    })
  )

  it.effect("counts resends, but not the repeat of a completed request", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const app = withSettings(w.app, { sdkInitiatesPerIpPerHour: 2 })
      const { verification } = yield* begin(w, app, { address, command: "key 1" })
      for (let i = 0; i < 10; i++) assert.isTrue((yield* begin(w, app, { address, command: "key 1" })).repeated)
      yield* TestClock.adjust("15 seconds")
      yield* begin(w, app, { address, sessionId: verification.id })
      assert.isTrue(limited("address")(yield* Effect.flip(begin(w, app, { address, sessionId: verification.id }))))
    })
  )

  it.effect("does not count a request that is refused or fails", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const app = withSettings(w.app, { sdkInitiatesPerIpPerHour: 2, hourlyLimit: 1 })
      yield* begin(w, app, { address })
      const away = () => ({
        commit: () => Effect.fail(new StoreError({ operation: "commit", cause: new Error("away") }))
      })
      const broken = { ...w, ...(yield* makeProcess(withStore(w.storage, away), { idle: true })) }
      const defect = () => ({ commit: () => Effect.die(new Error("broken")) })
      const dying = { ...w, ...(yield* makeProcess(withStore(w.storage, defect), { idle: true })) }
      const busy = { ...w, ...(yield* makeProcess(withStore(w.storage, contended(1000)), { idle: true })) }
      const never = yield* Effect.forkChild(
        begin(
          {
            ...w,
            ...(yield* makeProcess(
              withStore(w.storage, () => ({ commit: () => Effect.never })),
              { idle: true }
            ))
          },
          app,
          {
            phone: phone(7),
            address
          }
        )
      )
      yield* until(Effect.map(Effect.result(begin(w, app, { address })), () => true))
      const attempts = [
        begin(w, app, { address }),
        begin(w, app, { address, phone: "x" }),
        begin(w, app, { address, phone: phone(1), template: "welcome" }),
        begin(w, app, { address, phone: phone(1), sessionId: "ver_0123456789abcdefghjkmnpqrs" }),
        begin(broken, app, { address, phone: phone(1) }),
        begin(dying, app, { address, phone: phone(1) }),
        begin(busy, app, { address, phone: phone(1) })
      ]
      yield* Effect.yieldNow
      yield* Effect.sync(() => never.interruptUnsafe())
      for (let turns = 0; turns < 50; turns++) yield* Effect.yieldNow
      for (const attempt of [...attempts, ...attempts]) {
        const exit = yield* Effect.exit(attempt)
        assert.strictEqual(exit._tag, "Failure")
        assert.notInclude(JSON.stringify(exit), "address")
      }
      // Exactly one place is left.
      yield* begin(w, app, { phone: phone(2), address })
      assert.isTrue(limited("address")(yield* Effect.flip(begin(w, app, { phone: phone(3), address }))))
    })
  )

  it.effect("is exact under concurrent requests", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const other = { ...w, ...(yield* makeProcess(w.storage, { idle: true })) }
      const app = withSettings(w.app, { sdkInitiatesPerIpPerHour: 7 })
      const answers = yield* Effect.forEach(
        Array.from({ length: 60 }, (_, i) => begin(i % 2 === 0 ? w : other, app, { phone: phone(i), address })),
        Effect.result,
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter((one) => one._tag === "Success").length, 7)
      assert.isTrue(answers.every((one) => one._tag === "Success" || limited("address")(one.failure)))
    })
  )
})

describe("an app", () => {
  const refusal = (error: { readonly _tag: string }) => [error._tag, "problem" in error ? error.problem : null]

  it.effect("can send only to the countries that the merchant allows", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const app = withSettings(w.app, { allowedCountries: ["IN", "SG"] })
      for (const number of [indian, "9876543210", "+6591234567"]) yield* begin(w, app, { phone: number })
      // Canada shares the prefix of the United States.
      for (const number of ["+44 7911 123456", "+12015550123", "+14165550123"]) {
        assert.deepStrictEqual(
          refusal(yield* Effect.flip(begin(w, app, { phone: number, address }))),
          ["DestinationForbidden", "numbers of this country are not allowed"],
          number
        )
      }
      yield* begin(w, withSettings(w.app, { allowedCountries: ["CA"] }), { phone: "+14165550123" })
      const nowhere = withSettings(w.app, { allowedCountries: [] })
      assert.strictEqual((yield* Effect.flip(begin(w, nowhere)))._tag, "DestinationForbidden")
      yield* begin(w, withSettings(w.app, { allowedCountries: null }), { phone: "+44 7911 123456" })
    })
  )

  it.effect("cannot send to a blocked prefix in any spelling", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const app = withSettings(w.app, { blockedPrefixes: ["4479", "919876"] })
      for (const number of [indian, "9876543210", "91-9876543210", "+44 7911 123456", "+44 07911 123456"]) {
        assert.deepStrictEqual(
          refusal(yield* Effect.flip(begin(w, app, { phone: number }))),
          ["DestinationForbidden", "numbers with this prefix are blocked"],
          number
        )
      }
      yield* begin(w, app, { phone: "9875543210" })
      yield* begin(w, app, { phone: "+6591919876" })
    })
  )

  it.effect("is refused for its number before its address is counted", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const app = withSettings(w.app, { sdkInitiatesPerIpPerHour: 1, blockedPrefixes: ["44"] })
      for (let i = 0; i < 5; i++) yield* Effect.flip(begin(w, app, { phone: "+447911123456", address }))
      yield* begin(w, app, { address })
      const blocked = yield* Effect.flip(begin(w, app, { phone: "+447911123456", address }))
      assert.strictEqual(blocked._tag, "DestinationForbidden")
    })
  )
})

describe("an unknown template", () => {
  it.effect("is refused with its own error, and leaves nothing behind", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const app = withSettings(w.app, { oneTap: true, hourlyLimit: 1 })
      const refused = yield* Effect.flip(begin(w, app, { template: "welcome", orderId: "o1", address }))
      assert.deepStrictEqual([refused._tag, "fault" in refused && refused.fault], ["TemplateUnusable", "NOT_FOUND"])
      const subject = yield* Context.get(w.storage, VerificationStore).subject(app.environment, "919876543210")
      assert.strictEqual(subject.version, 0)
      assert.deepStrictEqual(yield* w.events(w.live), [])
      assert.isNull(yield* Context.get(w.storage, JobStore).nextRunAt(["send", "fallback"]))
      const unknown = yield* Effect.flip(w.verifications.status(w.live, { orderId: "o1" }))
      assert.strictEqual(unknown._tag, "UnknownVerification")
      // The refused request did not count: the one code per hour is still available.
      const asked = yield* begin(w, app)
      // A resend is refused in the same way. An exhausted limit is reported first.
      yield* TestClock.adjust("15 seconds")
      const named = yield* Effect.flip(begin(w, app, { template: "welcome", sessionId: asked.verification.id }))
      assert.strictEqual(named._tag, "TemplateUnusable")
      assert.isTrue(limited("spelling")(yield* Effect.flip(begin(w, app, { template: "welcome" }))))
      // OneTap comes before templates, because it sends nothing.
      yield* enterIn(w, app, asked, asked.deviceToken)
      assert.strictEqual(way(yield* begin(w, app, { template: "welcome", deviceToken: asked.deviceToken })), "onetap")
    })
  )
})

describe("an app's initiate while the provider's circuit is open", () => {
  it.effect("is refused and counts nothing", () =>
    Effect.gen(function* () {
      const sms = recordingChannel("SMS", [...Array<typeof accepted>(5).fill(unavailable("SMS")), accepted])
      const w = yield* makeAppWorld({ idle: false, channels: [sms.channel] })
      for (let i = 0; i < 5; i++) yield* begin(w, w.app, { phone: phone(i) })
      yield* until(Effect.sync(() => sms.received.length === 5))
      yield* until(Effect.map(Effect.result(begin(w, w.app, { phone: phone(9) })), (one) => one._tag === "Failure"))
      const app = withSettings(w.app, { sdkInitiatesPerIpPerHour: 1 })
      const refused = yield* Effect.flip(begin(w, app, { address, phone: phone(6) }))
      assert.strictEqual(refused._tag, "ProviderUnavailable")
      yield* TestClock.adjust("2 minutes")
      yield* begin(w, app, { address, phone: phone(6) })
    })
  )
})

describe("too many wrong codes", () => {
  it.effect("in sessions stop further sessions, and each session counts its own attempts", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const app = withSettings(w.app, { maxConsecutiveFailures: 4 })
      const [one, two] = [yield* begin(w, app), yield* begin(w, app)]
      for (const { verification } of [one, one, two, two]) {
        yield* w.sdk.verify(app, { sessionId: verification.id, code: wrong(w.codeOf(verification)) })
      }
      assert.isTrue(limited("failures")(yield* Effect.flip(begin(w, app))))
      const sessions = yield* Effect.forEach([one, two], ({ verification }) =>
        w.verifications.status(w.live, { requestId: verification.id })
      )
      assert.deepStrictEqual(
        sessions.map(({ attempts }) => attempts),
        [2, 2]
      )
      yield* enterIn(w, app, two)
      yield* TestClock.setTime(start + hour)
      yield* begin(w, app)
    })
  )

  const capped = Effect.gen(function* () {
    const w = yield* makeAppWorld()
    const settings = { maxConsecutiveFailures: 3, maxAttempts: 10 }
    return { ...w, app: withSettings(w.app, settings), live: withSettings(w.live, settings) }
  })
  type Capped = Effect.Success<typeof capped>
  const guessInApp = Effect.fnUntraced(function* (w: Capped, times: number) {
    const { verification } = yield* begin(w, w.app)
    const wrongs = { sessionId: verification.id, code: wrong(w.codeOf(verification)) }
    yield* Effect.replicateEffect(w.sdk.verify(w.app, wrongs), times)
    return verification
  })
  const guessAtBackend = Effect.fnUntraced(function* (w: Capped, times: number) {
    const { verification } = yield* w.verifications.initiate(w.live, otp(indian))
    const wrongs = { requestId: verification.id, otp: wrong(w.codeOf(verification)) }
    yield* Effect.replicateEffect(w.verifications.verify(w.live, wrongs), times)
    return verification
  })
  const atBackend = (w: Capped) => Effect.result(w.verifications.initiate(w.live, otp(indian)))
  const isCapped = (result: Result.Result<unknown, { readonly _tag: string }>) =>
    Result.isFailure(result) && limited("failures")(result.failure)

  it.effect("in sessions never stop the merchant's own backend, even when its endpoint checked them", () =>
    Effect.gen(function* () {
      const w = yield* capped
      yield* guessInApp(w, 2)
      const { verification } = yield* begin(w, w.app)
      const otherwise = { requestId: verification.id, otp: wrong(w.codeOf(verification)) }
      assert.strictEqual((yield* w.verifications.verify(w.live, otherwise))._tag, "WrongCode")
      assert.isTrue(isCapped(yield* Effect.result(begin(w, w.app))))
      assert.isFalse(isCapped(yield* atBackend(w)))
    })
  )

  it.effect("at the backend do not stop apps", () =>
    Effect.gen(function* () {
      const w = yield* capped
      yield* guessAtBackend(w, 3)
      assert.isTrue(isCapped(yield* atBackend(w)))
      assert.isFalse(isCapped(yield* Effect.result(begin(w, w.app))))
    })
  )

  it.effect("at the backend are not reset by a success in an app", () =>
    Effect.gen(function* () {
      const w = yield* capped
      yield* guessAtBackend(w, 3)
      yield* enterIn(w, w.app, yield* begin(w, w.app))
      const { verification } = yield* begin(w, w.app)
      const checked = yield* w.verifications.verify(w.live, {
        requestId: verification.id,
        otp: w.codeOf(verification)
      })
      assert.strictEqual(checked._tag, "Verified")
      assert.isTrue(isCapped(yield* atBackend(w)))
    })
  )

  it.effect("in sessions are reset when the person logs in through the backend", () =>
    Effect.gen(function* () {
      const w = yield* capped
      yield* guessInApp(w, 3)
      assert.isTrue(isCapped(yield* Effect.result(begin(w, w.app))))
      const { verification } = yield* w.verifications.initiate(w.live, otp(indian))
      yield* w.verifications.verify(w.live, { requestId: verification.id, otp: w.codeOf(verification) })
      assert.isFalse(isCapped(yield* Effect.result(begin(w, w.app))))
    })
  )
})
