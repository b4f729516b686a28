import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { AttemptsExhausted, VerificationExpired } from "../../src/index.ts"
import { answer, indian, makeWorld, otp, start, until, withSettings, wrong, type World } from "../fixtures/World.ts"
import type { VerifyRequest } from "../../src/auth/verification/Verifications.ts"

/** A world with one new verification. */
const started = Effect.fnUntraced(function* (settings: Parameters<typeof withSettings>[1] = {}, { idle = true } = {}) {
  const world = yield* makeWorld({ idle })
  const live = withSettings(world.live, settings)
  const { verification } = yield* world.verifications.initiate(live, otp(indian))
  const { id } = verification
  const code = world.codeOf(verification)
  const enter = (text: string) => world.verifications.verify(live, { requestId: id, otp: text })
  const status = Effect.map(world.verifications.status(live, { requestId: id }), (now) => now.status)
  return { ...world, live, verification, id, code, enter, status }
})

/** Waits until the provider has the code. */
const sent = ({ live, verifications }: Pick<World, "live" | "verifications">, requestId: string) =>
  until(
    Effect.map(
      Effect.orDie(verifications.status(live, { requestId })),
      ({ deliveries }) => deliveries[0]?.status === "SENT"
    )
  )

const types = (world: World) => Effect.map(world.events(world.live), (events) => events.map(({ type }) => type))

describe("wrong codes", () => {
  it.effect.each([1, 3, 10])(
    "of %i allowed report how many attempts are left, then even the right code is refused",
    (maxAttempts) =>
      Effect.gen(function* () {
        const { code, enter, id, live, status, ...world } = yield* started({ maxAttempts })
        for (let left = maxAttempts - 1; left >= 0; left--) {
          const answered = yield* enter(wrong(code))
          assert.deepStrictEqual([answer(answered), answered.verification.status], [left, "PENDING"])
        }
        assert.strictEqual(yield* status, "PENDING")
        for (let i = 0; i < 3; i++) {
          assert.deepStrictEqual(yield* Effect.flip(enter(code)), new AttemptsExhausted({ requestId: id }))
          assert.strictEqual(yield* status, "FAILED")
        }
        const { attempts, verifiedAt } = yield* world.verifications.status(live, { requestId: id })
        assert.deepStrictEqual({ attempts, verifiedAt }, { attempts: maxAttempts, verifiedAt: null })
        assert.deepStrictEqual(yield* types({ ...world, live }), ["otp.initiated"])
      })
  )

  it.effect("leave the right code its attempt", () =>
    Effect.gen(function* () {
      const { code, enter } = yield* started()
      assert.deepStrictEqual([answer(yield* enter(wrong(code))), answer(yield* enter(wrong(code)))], [2, 1])
      assert.strictEqual(answer(yield* enter(code)), "right")
    })
  )

  it.effect("are all texts except the code, however similar", () =>
    Effect.gen(function* () {
      const { code, enter } = yield* started({ maxAttempts: 10 })
      const wide = code.replace(/[0-9]/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))
      const arabic = code.replace(/[0-9]/g, (digit) => String.fromCharCode(0x660 + Number(digit)))
      const close = [
        code.slice(1),
        `${code}0`,
        `0${code}`,
        `${code} ${code}`,
        `${code.slice(0, 3)} ${code.slice(3)}`,
        wide,
        arabic,
        `\u00a0${code}`,
        `${code}\u200b`,
        `+${code}`
      ]
      for (const [i, text] of close.entries())
        assert.strictEqual(answer(yield* enter(text)), 9 - i, JSON.stringify(text))
    })
  )

  it.effect("with spaces around them are not mistaken for the right one", () =>
    Effect.gen(function* () {
      const { code, enter } = yield* started()
      assert.strictEqual(answer(yield* enter(`  ${code}\t\r\n`)), "right")
    })
  )
})

describe("input that is not an attempt", () => {
  const bad: ReadonlyArray<readonly [string, Omit<VerifyRequest, "otp"> & { readonly otp?: string }, string]> = [
    ["an empty code", { otp: "" }, "otp"],
    ["only spaces", { otp: " \t\n" }, "otp"],
    ["only a no-break space", { otp: "\u00a0" }, "otp"],
    ["65 characters", { otp: "1".repeat(65) }, "otp"],
    ["a megabyte", { otp: "1".repeat(1_048_576) }, "otp"],
    ["both ids", { orderId: "o1" }, "orderId"],
    ["too much deviceInfo", { deviceInfo: { a: "x".repeat(4096) } }, "deviceInfo"],
    ["no id", { requestId: null }, "requestId"]
  ]

  it.effect.each(bad)("is refused and not counted: %s", ([_what, request, field]) =>
    Effect.gen(function* () {
      const { code, id, live, verifications } = yield* started()
      const error = yield* Effect.flip(verifications.verify(live, { requestId: id, otp: code, ...request }))
      assert.deepStrictEqual([error._tag, "field" in error && error.field], ["InvalidField", field])
      const { attempts, status } = yield* verifications.status(live, { requestId: id })
      assert.deepStrictEqual({ attempts, status }, { attempts: 0, status: "PENDING" })
    })
  )

  it.effect.each([
    "",
    "ver_",
    "ver_1",
    `ver_${"0".repeat(26)}`,
    `evt_${"0".repeat(26)}`,
    "' OR 1=1 --",
    "\0",
    "__proto__",
    "x".repeat(100_000)
  ])("is unknown with the id %j", (requestId) =>
    Effect.gen(function* () {
      const { code, live, verifications } = yield* started()
      const { _tag } = yield* Effect.flip(verifications.verify(live, { requestId, otp: code }))
      assert.strictEqual(_tag, "UnknownVerification")
    })
  )

  it.effect("may have up to 64 characters", () =>
    Effect.gen(function* () {
      const { code, enter } = yield* started()
      assert.strictEqual(answer(yield* enter("1".repeat(64))), 2)
      assert.strictEqual(answer(yield* enter(code.padEnd(64))), "right")
    })
  )
})

describe("the expiry of a code", () => {
  it.effect.each([30, 300, 900])("after %i seconds is exact to the millisecond", (codeExpirySeconds) =>
    Effect.gen(function* () {
      const world = yield* started({ codeExpirySeconds }, { idle: false })
      const { code, enter, live, status, verification, verifications } = world
      const other = yield* verifications.initiate(live, otp("a@example.com"))
      yield* sent(world, other.verification.id)
      yield* TestClock.setTime(start + codeExpirySeconds * 1000 - 1)
      assert.strictEqual(answer(yield* enter(code)), "right")

      yield* TestClock.setTime(start + codeExpirySeconds * 1000)
      const late = { requestId: other.verification.id, otp: "000000" }
      const expired = new VerificationExpired({ requestId: other.verification.id, undeliverable: false })
      assert.strictEqual((yield* verifications.status(live, { requestId: late.requestId })).status, "PENDING")
      assert.deepStrictEqual(yield* Effect.flip(verifications.verify(live, late)), expired)
      assert.deepStrictEqual(yield* Effect.flip(verifications.verify(live, late)), expired)
      assert.strictEqual((yield* verifications.status(live, { requestId: late.requestId })).status, "EXPIRED")
      assert.deepStrictEqual([yield* status, verification.expiresAt], ["VERIFIED", start + codeExpirySeconds * 1000])
    })
  )

  it.effect("that was never sent is a failed delivery, and so is a late attempt's error", () =>
    Effect.gen(function* () {
      const { code, enter, id, status, ...world } = yield* started()
      yield* TestClock.setTime(start + 300_000)
      const expired = new VerificationExpired({ requestId: id, undeliverable: true })
      for (let i = 0; i < 2; i++) assert.deepStrictEqual(yield* Effect.flip(enter(code)), expired)
      assert.strictEqual(yield* status, "FAILED")
      assert.deepStrictEqual(yield* types(world), ["otp.initiated", "delivery.failed"])
    })
  )

  it.effect("is recorded once", () =>
    Effect.gen(function* () {
      const { code, enter, ...world } = yield* started({}, { idle: false })
      yield* sent(world, world.id)
      yield* TestClock.setTime(start + 300_000)
      yield* Effect.all([Effect.flip(enter(code)), Effect.flip(enter(code))], { concurrency: 2 })
      assert.deepStrictEqual(yield* types(world), ["otp.initiated", "otp.expired"])
    })
  )
})

describe("strictReverify", () => {
  it.effect("asks for the right code again, and counts wrong ones", () =>
    Effect.gen(function* () {
      const { code, enter, status } = yield* started({ strictReverify: true, maxAttempts: 2 })
      const answers = yield* Effect.forEach([code, code, wrong(code), code, wrong(code)], enter)
      assert.deepStrictEqual(answers.map(answer), ["right", "again", 1, "again", 0])
      assert.strictEqual((yield* Effect.flip(enter(code)))._tag, "AttemptsExhausted")
      assert.strictEqual(yield* status, "VERIFIED")
    })
  )
})
