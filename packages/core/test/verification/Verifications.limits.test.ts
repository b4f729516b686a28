import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Caller, RateLimited } from "../../src/index.ts"
import { answer, indian, makeWorld, otp, start, withSettings, type World, wrong } from "../fixtures/World.ts"

const minute = 60_000
const hour = 60 * minute

/**
 * Starts and verifies a login, so that the next initiate starts a new one. Returns the id, or the limit that refused.
 */
const login = (world: World, caller: Caller, spelling: string) =>
  world.verifications.initiate(caller, otp(spelling)).pipe(
    Effect.tap(({ verification }) =>
      world.verifications.verify(caller, { requestId: verification.id, otp: world.codeOf(verification) })
    ),
    Effect.map(({ verification }) => verification.id),
    Effect.catchTag("RateLimited", ({ limit }) => Effect.succeed(limit))
  )

const logins = (world: World, caller: Caller, spelling: string, count: number) =>
  Effect.map(
    Effect.forEach(Array.from({ length: count }), () => login(world, caller, spelling)),
    (answers) => ({
      started: answers.filter((id) => id.startsWith("ver_")).length,
      refused: [...new Set(answers.filter((id) => !id.startsWith("ver_")))]
    })
  )

describe("the hourly limit", () => {
  it.effect("is a sliding window: ten codes at minute 59 leave no room at minute 61", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      yield* TestClock.setTime(start + 59 * minute)
      assert.deepStrictEqual(yield* logins(world, world.live, indian, 11), { started: 10, refused: ["spelling"] })
      yield* TestClock.setTime(start + 61 * minute)
      assert.deepStrictEqual(yield* logins(world, world.live, indian, 10), { started: 0, refused: ["spelling"] })
      const refusal = yield* Effect.flip(world.verifications.initiate(world.live, otp(indian)))
      assert.deepStrictEqual(
        refusal,
        new RateLimited({ limit: "spelling", retryAfterSeconds: 58 * 60, requestId: null })
      )
      yield* TestClock.setTime(start + 119 * minute - 1)
      assert.deepStrictEqual(yield* logins(world, world.live, indian, 1), { started: 0, refused: ["spelling"] })
      yield* TestClock.setTime(start + 119 * minute)
      assert.deepStrictEqual(yield* logins(world, world.live, indian, 11), { started: 10, refused: ["spelling"] })
    })
  )

  it.effect("frees a place when each code is an hour old", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      for (let i = 0; i < 10; i++) {
        yield* TestClock.setTime(start + i * 5 * minute)
        assert.match(yield* login(world, world.live, indian), /^ver_/)
      }
      for (let i = 0; i < 10; i++) {
        yield* TestClock.setTime(start + hour + i * 5 * minute - 1)
        assert.strictEqual(yield* login(world, world.live, indian), "spelling")
        yield* TestClock.setTime(start + hour + i * 5 * minute)
        assert.match(yield* login(world, world.live, indian), /^ver_/)
      }
    })
  )

  it.effect("does not count resends or refusals", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const live = withSettings(world.live, { hourlyLimit: 2 })
      const resend = world.verifications.initiate(live, otp(indian))
      for (let i = 0; i < 15; i++) yield* resend
      for (let i = 0; i < 15; i++)
        yield* Effect.flip(world.verifications.initiate(live, otp(indian, { otpLength: 99 })))
      const { id } = (yield* resend).verification
      const { _tag } = yield* world.verifications.verify(live, {
        requestId: id,
        otp: world.codeOf((yield* resend).verification)
      })
      assert.strictEqual(_tag, "Verified")
      assert.deepStrictEqual(yield* logins(world, live, indian, 3), { started: 1, refused: ["spelling"] })
    })
  )

  it.effect("is separate for each person", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const live = withSettings(world.live, { hourlyLimit: 1 })
      for (const spelling of [indian, "9876543211", "a@example.com", "b@example.com"]) {
        assert.deepStrictEqual(yield* logins(world, live, spelling, 2), { started: 1, refused: ["spelling"] })
      }
    })
  )
})

describe("the hourly limit over all spellings of one person", () => {
  const spellings = Array.from(
    { length: 50 },
    (_, i) => `+91${" ".repeat(i % 10)}98765${"-".repeat(Math.floor(i / 10))}43210`
  )

  it.effect("allows thirty new codes in an hour, across all spellings", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const answers = yield* Effect.forEach(spellings, (spelling) => login(world, world.live, spelling))
      assert.deepStrictEqual(
        answers.map((id) => id.startsWith("ver_") || id),
        [...Array<true>(30).fill(true), ...Array<string>(20).fill("canonical")]
      )
      assert.match(yield* login(world, world.live, "9876543211"), /^ver_/)
      yield* TestClock.setTime(start + hour)
      assert.match(yield* login(world, world.live, spellings[40]!), /^ver_/)
    })
  )

  it.effect("treats upper and lower case as one address", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const live = withSettings(world.live, { canonicalHourlyLimit: 2 })
      const answers = yield* Effect.forEach(["a@b.example", "A@b.example", "a@B.example"], (one) =>
        login(world, live, one)
      )
      assert.deepStrictEqual(
        answers.map((id) => id.startsWith("ver_") || id),
        [true, true, "canonical"]
      )
    })
  )

  it.effect("can be turned off", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const live = withSettings(world.live, { canonicalHourlyLimit: 0 })
      for (const spelling of spellings) assert.match(yield* login(world, live, spelling), /^ver_/)
    })
  )
})

describe("consecutive wrong codes", () => {
  const guess = Effect.fnUntraced(function* (world: World, caller: Caller, spelling: string, wrongs: number) {
    const started = yield* Effect.result(world.verifications.initiate(caller, otp(spelling)))
    if (started._tag === "Failure") return started.failure._tag === "RateLimited" ? started.failure.limit : "?"
    const { verification } = started.success
    for (let i = 0; i < wrongs; i++) {
      yield* world.verifications.verify(caller, {
        requestId: verification.id,
        otp: wrong(world.codeOf(verification))
      })
    }
    return wrongs
  })

  it.effect("stop initiate at a hundred, across verifications, hours and spellings", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      for (let i = 0; i < 33; i++) {
        yield* TestClock.setTime(start + i * hour)
        assert.strictEqual(yield* guess(world, world.live, i % 2 === 0 ? indian : "9876543210", 3), 3)
      }
      assert.strictEqual(yield* guess(world, world.live, "+919876543210", 1), 1)
      for (const spelling of [indian, "9876543210", "+919876543210", "+91-9876543210"]) {
        assert.strictEqual(yield* guess(world, world.live, spelling, 1), "failures")
      }
      const refusal = yield* Effect.flip(world.verifications.initiate(world.live, otp(indian)))
      assert.deepStrictEqual(
        refusal,
        new RateLimited({ limit: "failures", retryAfterSeconds: 24 * 3600, requestId: null })
      )
      assert.strictEqual(yield* guess(world, world.test, indian, 0), 0)
      assert.strictEqual(yield* guess(world, world.live, "9876543211", 3), 3)

      yield* TestClock.setTime(start + 32 * hour + 24 * hour - 1)
      assert.strictEqual(yield* guess(world, world.live, indian, 0), "failures")
      yield* TestClock.setTime(start + 32 * hour + 24 * hour)
      assert.strictEqual(yield* guess(world, world.live, indian, 3), 3)
    })
  )

  it.effect("are reset by a successful verification", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const live = withSettings(world.live, { maxConsecutiveFailures: 4 })
      assert.strictEqual(yield* guess(world, live, indian, 3), 3)
      assert.match(yield* login(world, live, "9876543210"), /^ver_/)
      assert.strictEqual(yield* guess(world, live, "+919876543210", 3), 3)
      assert.strictEqual(yield* guess(world, live, "+91-9876543210", 1), 1)
      assert.strictEqual(yield* login(world, live, "+91-9876543210"), "failures")
    })
  )

  it.effect("that stop initiate still let a live code be verified", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const live = withSettings(world.live, { maxConsecutiveFailures: 1 })
      const { verification } = yield* world.verifications.initiate(live, otp(indian))
      const enter = (text: string) => world.verifications.verify(live, { requestId: verification.id, otp: text })
      const code = world.codeOf(verification)
      assert.strictEqual(answer(yield* enter(wrong(code))), 2)
      assert.strictEqual((yield* Effect.flip(world.verifications.initiate(live, otp(indian))))._tag, "RateLimited")
      assert.strictEqual(answer(yield* enter(code)), "right")
      assert.match(yield* login(world, live, indian), /^ver_/)
    })
  )
})
