import { assert, describe, it } from "@effect/vitest"
import { Effect, type Result } from "effect"
import { TestClock } from "effect/testing"
import type { Caller } from "../../src/index.ts"
import { indian, makeWorld, otp, start, type World } from "../fixtures/World.ts"
import type { ConfirmRequest, VerificationReference } from "../../src/auth/verification/Verifications.ts"

const short = (result: Result.Result<unknown, { readonly _tag: string }>) =>
  result._tag === "Success" ? "found" : result.failure._tag

const verified = Effect.fnUntraced(function* (world: World, caller: Caller, orderId = "o1") {
  const { verification } = yield* world.verifications.initiate(caller, otp(indian, { orderId }))
  const code = caller.kind === "test" ? "123456" : world.codeOf(verification)
  const right = yield* world.verifications.verify(caller, { requestId: verification.id, otp: code })
  return { id: verification.id, idToken: right._tag === "Verified" ? right.idToken : "" }
})

/** The live and test environments of two merchants, on one storage. */
const fourCallers = Effect.gen(function* () {
  const world = yield* makeWorld({ idle: true })
  const keys = yield* Effect.orDie(world.merchants.create("Other"))
  const other = (one: typeof keys.live) => Effect.orDie(world.merchants.authenticate(one.clientId, one.clientSecret))
  return { world, callers: [world.live, world.test, yield* other(keys.live), yield* other(keys.test)] as const }
})

describe("verifications of one environment", () => {
  it.effect("do not exist for the others", () =>
    Effect.gen(function* () {
      const { callers, world } = yield* fourCallers
      const mine = yield* verified(world, callers[0])
      const seen = yield* Effect.forEach(callers, (caller) =>
        Effect.all([
          Effect.result(world.verifications.status(caller, { requestId: mine.id })),
          Effect.result(world.verifications.status(caller, { orderId: "o1" })),
          Effect.result(world.verifications.confirm(caller, { requestId: mine.id })),
          Effect.result(world.verifications.confirm(caller, { idToken: mine.idToken })),
          Effect.result(world.verifications.verify(caller, { requestId: mine.id, otp: "000000" })),
          Effect.result(world.verifications.verify(caller, { orderId: "o1", otp: "000000" }))
        ])
      )
      const nothing = [
        "UnknownVerification",
        "UnknownVerification",
        "UnknownVerification",
        "InvalidField",
        "UnknownVerification",
        "UnknownVerification"
      ]
      assert.deepStrictEqual(
        seen.map((results) => results.map(short)),
        [Array<string>(6).fill("found"), nothing, nothing, nothing]
      )
    })
  )

  it.effect("have their own limits, live codes and merchant references", () =>
    Effect.gen(function* () {
      const { callers, world } = yield* fourCallers
      const ids = yield* Effect.forEach(callers, (caller) =>
        Effect.map(
          Effect.forEach(Array.from({ length: 10 }), () => verified(world, caller)),
          (all) => all.map(({ id }) => id)
        )
      )
      assert.strictEqual(new Set(ids.flat()).size, 40)
      for (const [i, caller] of callers.entries()) {
        assert.strictEqual((yield* world.verifications.status(caller, { orderId: "o1" })).id, ids[i]!.at(-1))
        assert.strictEqual((yield* Effect.flip(world.verifications.initiate(caller, otp(indian))))._tag, "RateLimited")
        assert.strictEqual((yield* world.events(caller)).length, 20)
      }
    })
  )
})

describe("an orderId as a reference", () => {
  it.effect("points to the verification that was requested last", () =>
    Effect.gen(function* () {
      const { live, verifications } = yield* makeWorld({ idle: true })
      const start = (identity: string, orderId: string | null) =>
        Effect.map(verifications.initiate(live, otp(identity, { orderId })), ({ verification }) => verification.id)
      const named = (orderId: string) => Effect.map(verifications.status(live, { orderId }), ({ id }) => id)
      const one = yield* start(indian, "o1")
      const two = yield* start("a@example.com", "o1")
      assert.strictEqual(yield* named("o1"), two)
      // A resend with an orderId moves it to the resent verification; a resend without one moves nothing.
      assert.strictEqual(yield* start(indian, "o1"), one)
      assert.strictEqual(yield* named("o1"), one)
      assert.strictEqual(yield* start("a@example.com", null), two)
      assert.strictEqual(yield* named("o1"), one)
      assert.strictEqual((yield* verifications.status(live, { requestId: two })).orderId, "o1")
    })
  )

  const unknown: ReadonlyArray<readonly [VerificationReference, string]> = [
    [{ orderId: "o2" }, "UnknownVerification"],
    [{ orderId: "" }, "UnknownVerification"],
    [{ orderId: "x".repeat(256) }, "UnknownVerification"],
    [{ orderId: "a\0b" }, "UnknownVerification"],
    [{ orderId: "\ud83d" }, "UnknownVerification"],
    [{ orderId: "__proto__" }, "UnknownVerification"],
    [{ requestId: "", orderId: "o1" }, "UnknownVerification"],
    [{ requestId: null, orderId: null }, "InvalidField"],
    [{}, "InvalidField"],
    [{ requestId: null, orderId: "o1" }, "found"]
  ]

  it.effect.each(unknown)("finds for %j: %s", ([reference, expected]) =>
    Effect.gen(function* () {
      const { live, verifications } = yield* makeWorld({ idle: true })
      yield* verifications.initiate(live, otp(indian, { orderId: "o1" }))
      assert.strictEqual(short(yield* Effect.result(verifications.status(live, reference))), expected)
    })
  )

  it.effect("is ignored when the request also has a requestId", () =>
    Effect.gen(function* () {
      const { live, verifications } = yield* makeWorld({ idle: true })
      const { verification } = yield* verifications.initiate(live, otp(indian, { orderId: "o1" }))
      yield* verifications.initiate(live, otp("a@example.com", { orderId: "o2" }))
      assert.deepStrictEqual(
        yield* verifications.status(live, { requestId: verification.id, orderId: "o2" }),
        verification
      )
    })
  )
})

describe("confirm", () => {
  it.effect("accepts an idToken for five minutes, and its requestId without a time limit", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const { id, idToken } = yield* verified(world, world.live)
      const seen = Effect.all([
        Effect.map(Effect.result(world.verifications.confirm(world.live, { idToken })), short),
        Effect.map(Effect.result(world.verifications.confirm(world.live, { requestId: id })), short),
        // A request with both uses the requestId.
        Effect.map(Effect.result(world.verifications.confirm(world.live, { requestId: id, idToken: "x" })), short)
      ])
      yield* TestClock.setTime(start + 299_000)
      assert.deepStrictEqual(yield* seen, ["found", "found", "found"])
      yield* TestClock.setTime(start + 301_000)
      assert.deepStrictEqual(yield* seen, ["InvalidField", "found", "found"])
    })
  )

  it.effect("returns a PENDING verification unchanged", () =>
    Effect.gen(function* () {
      const { events, live, verifications } = yield* makeWorld({ idle: true })
      const { verification } = yield* verifications.initiate(live, otp(indian))
      yield* TestClock.setTime(start + 300_000)
      const request = { requestId: verification.id }
      assert.deepStrictEqual(yield* verifications.confirm(live, request), verification)
      assert.deepStrictEqual(yield* verifications.status(live, request), verification)
      assert.strictEqual((yield* events(live)).length, 1)
    })
  )

  const bad: ReadonlyArray<readonly [ConfirmRequest, string]> = [
    [{}, "requestId"],
    [{ requestId: null, idToken: null }, "requestId"],
    [{ idToken: "" }, "idToken"],
    [{ idToken: "x.y.z" }, "idToken"]
  ]

  it.effect.each(bad)("refuses %j for %s", ([request, field]) =>
    Effect.gen(function* () {
      const { live, verifications } = yield* makeWorld({ idle: true })
      const error = yield* Effect.flip(verifications.confirm(live, request))
      assert.deepStrictEqual([error._tag, "field" in error && error.field], ["InvalidField", field])
    })
  )

  it.effect("refuses a token of ours for another verification, and one of another kind", () =>
    Effect.gen(function* () {
      const { live, tokens, verifications } = yield* makeWorld({ idle: true })
      const { verification } = yield* verifications.initiate(live, otp(indian))
      const { audience } = live
      const forged = [
        yield* tokens.sign("id", { audience, subject: "ver_404" }),
        yield* tokens.sign("session", { audience, subject: verification.id })
      ]
      for (const idToken of forged) {
        assert.strictEqual((yield* Effect.flip(verifications.confirm(live, { idToken })))._tag, "InvalidField")
      }
    })
  )
})
