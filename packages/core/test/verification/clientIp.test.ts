import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as RequestKey from "../../src/foundation/outbox/RequestKey.ts"
import { ask, enter } from "../fixtures/logins.ts"
import { makeWorld, otp, start, withSettings } from "../fixtures/World.ts"

const hour = 3_600_000
const phone = (n: number) => `+9198765432${String(n).padStart(2, "0")}`

describe("hourlyLimitPerAddress", () => {
  it.effect("refuses an address after the hourly number of sends, and counts IPv6 by /64", () =>
    Effect.gen(function* () {
      const { live, verifications } = yield* makeWorld({ idle: true })
      const caller = withSettings(live, { hourlyLimitPerAddress: 2 })
      const from = (n: number, clientIp: string) => verifications.initiate(caller, otp(phone(n), { clientIp }))
      yield* from(1, "2001:db8::1")
      yield* from(2, "2001:db8::2")
      const refused = yield* Effect.flip(from(3, "2001:db8::3"))
      assert.deepInclude(refused, { _tag: "RateLimited", limit: "address" })
      yield* from(4, "203.0.113.7")
      yield* from(5, "::ffff:203.0.113.7")
      assert.strictEqual((yield* Effect.flip(from(6, "203.0.113.7")))._tag, "RateLimited")
      yield* TestClock.setTime(start + hour + 60_000)
      yield* from(7, "203.0.113.7")
    })
  )

  it.effect("does not count requests that send no message: a refused one, and a OneTap login", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ idle: true })
      const caller = withSettings(w.live, { hourlyLimitPerAddress: 2, oneTap: true })
      const clientIp = "203.0.113.7"
      const asked = yield* ask(w, caller, null, phone(1), { clientIp })
      yield* enter(w, caller, asked, asked.deviceToken)
      const tapped = yield* ask(w, caller, asked.deviceToken, phone(1), { clientIp })
      assert.isTrue(tapped.oneTapApplied)
      yield* Effect.flip(w.verifications.initiate(caller, otp("nobody", { clientIp })))
      yield* ask(w, caller, null, phone(2), { clientIp })
      const refused = yield* Effect.flip(ask(w, caller, null, phone(3), { clientIp }))
      assert.strictEqual(refused._tag, "RateLimited")
    })
  )

  it.effect("accepts the repeat of a request that took the last place and crashed before its answer", () =>
    Effect.gen(function* () {
      const { live, verifications } = yield* makeWorld({ idle: true })
      const caller = withSettings(live, { hourlyLimitPerAddress: 1 })
      const tryOnce = (isRepeat: boolean) =>
        Effect.provideService(
          verifications.initiate(caller, otp(phone(1), { clientIp: "203.0.113.7" }), "key"),
          RequestKey.RequestKey,
          { firstAt: start, isRepeat, derive: () => new Uint8Array(32).fill(7) }
        )
      const first = yield* tryOnce(false)
      const again = yield* tryOnce(true)
      assert.deepInclude(again, { repeated: true, verification: first.verification })
      const other = verifications.initiate(caller, otp(phone(2), { clientIp: "203.0.113.7" }), "other key")
      assert.strictEqual((yield* Effect.flip(other))._tag, "RateLimited")
    })
  )

  it.effect("refuses the repeat of a request whose first try sent nothing", () =>
    Effect.gen(function* () {
      const { live, verifications } = yield* makeWorld({ idle: true })
      const caller = withSettings(live, { hourlyLimitPerAddress: 1 })
      yield* verifications.initiate(caller, otp(phone(1), { clientIp: "203.0.113.7" }))
      const repeat = Effect.provideService(
        verifications.initiate(caller, otp(phone(2), { clientIp: "203.0.113.7" }), "key"),
        RequestKey.RequestKey,
        { firstAt: start, isRepeat: true, derive: () => new Uint8Array(32).fill(7) }
      )
      assert.deepInclude(yield* Effect.flip(repeat), { _tag: "RateLimited", limit: "address" })
      yield* TestClock.adjust("61 minutes")
      assert.isFalse((yield* repeat).repeated)
      const other = verifications.initiate(caller, otp(phone(3), { clientIp: "203.0.113.7" }))
      assert.strictEqual((yield* Effect.flip(other))._tag, "RateLimited")
    })
  )

  it.effect("is off by default, and without a clientIp", () =>
    Effect.gen(function* () {
      const { live, verifications } = yield* makeWorld({ idle: true })
      for (let n = 1; n <= 5; n++) yield* verifications.initiate(live, otp(phone(n), { clientIp: "203.0.113.7" }))
      const caller = withSettings(live, { hourlyLimitPerAddress: 1 })
      for (let n = 6; n <= 9; n++) yield* verifications.initiate(caller, otp(phone(n)))
    })
  )

  it.effect("refuses a clientIp that is not an address", () =>
    Effect.gen(function* () {
      const { live, verifications } = yield* makeWorld({ idle: true })
      const request = otp(phone(1), { clientIp: "203.0.113.7, 10.0.0.1" })
      const refused = yield* Effect.flip(verifications.initiate(live, request))
      assert.deepInclude(refused, { _tag: "InvalidField", field: "clientIp" })
    })
  )
})
