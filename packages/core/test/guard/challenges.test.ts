import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { hash } from "node:crypto"
import { difficultyOf } from "../../src/auth/verification/Challenge.ts"
import { type Challenge, type ChallengeAnswer, GuardRefused } from "../../src/index.ts"
import { begin, enterIn, makeAppWorld } from "../fixtures/apps.ts"
import { makeProcess, type Options, otp, withSettings } from "../fixtures/World.ts"

const phoneOf = (n: number) => `+99891234${String(1_000 + n * 7).padStart(4, "0")}`
const address = "203.0.113.7"
const enforcing = {
  guardEnforces: ["PREFIX_UNVERIFIED"],
  sdkInitiatesPerIpPerHour: 1_000,
  resendCooldownSeconds: 15
} as const

/** An answer, found as a client of another author would find it. */
const solve = ({ difficulty, token }: Challenge): ChallengeAnswer => {
  for (let n = 0; ; n++) {
    if (Number.parseInt(hash("sha256", `${token}${n}`).slice(0, 8), 16) * difficulty < 2 ** 32)
      return { token, answer: String(n) }
  }
}

/** A world whose guard holds back the next request to the block of `phoneOf`. */
const makeHeld = Effect.fnUntraced(function* (options: Options = {}) {
  const world = yield* makeAppWorld(options)
  const caller = withSettings(world.app, enforcing)
  for (let n = 500; n < 530; n++) {
    yield* TestClock.adjust("1 second")
    const { verification } = yield* world.verifications.initiate(world.live, otp(phoneOf(n)))
    if (verification.guard !== undefined) return { ...world, caller }
  }
  return yield* Effect.die("the guard saw nothing")
})

/** The refusal of a request that the guard holds back. */
const heldBack = Effect.fnUntraced(function* (request: Effect.Effect<unknown, unknown>) {
  const refused = yield* Effect.flip(request)
  if (!(refused instanceof GuardRefused)) return yield* Effect.die(refused)
  return refused
})

const challengeOf = (request: Effect.Effect<unknown, unknown>) =>
  Effect.map(heldBack(request), ({ challenge }) => {
    if (challenge === undefined) throw new Error("no challenge")
    return challenge
  })

const problemOf = (request: Effect.Effect<unknown, unknown>) =>
  Effect.map(Effect.flip(request), (error) => {
    const { _tag, field, problem } = error as { readonly [name: string]: string }
    return `${_tag} ${field} ${problem}`
  })

describe("a challenge of the guard", () => {
  it.effect("lets an app pass once, for the number and from the network that it was made for", () =>
    Effect.gen(function* () {
      const world = yield* makeHeld()
      const { caller } = world
      const phone = phoneOf(1)
      const refused = yield* heldBack(begin(world, caller, { phone, address }))
      assert.strictEqual(refused.waitSeconds, 60)
      const { challenge } = refused
      assert.isDefined(challenge)
      const answer = solve(challenge!)
      assert.match(
        yield* problemOf(begin(world, caller, { phone: phoneOf(2), address, challenge: answer })),
        /^InvalidField challenge is no answer for this number, network and environment/
      )
      assert.match(
        yield* problemOf(begin(world, caller, { phone, address: "203.0.113.8", challenge: answer })),
        /^InvalidField challenge is no answer/
      )
      assert.match(
        yield* problemOf(begin(world, caller, { phone, address, challenge: { ...answer, answer: "0" } })),
        /^InvalidField challenge does not solve its challenge/
      )
      const { verification } = yield* begin(world, caller, { phone, address, challenge: answer })
      assert.strictEqual(verification.status, "PENDING")
      assert.match(
        yield* problemOf(begin(world, caller, { phone, address, challenge: answer })),
        /^InvalidField challenge was used before/
      )
    })
  )

  it.effect("is answered once, although two processes get the answer at the same time", () =>
    Effect.gen(function* () {
      const world = yield* makeHeld()
      const other = { ...(yield* makeProcess(world.storage, { idle: true })), codeOf: world.codeOf }
      const phone = phoneOf(1)
      const challenge = solve(yield* challengeOf(begin(world, world.caller, { phone, address })))
      const outcomes = yield* Effect.forEach(
        [world, other, world, other],
        (process) =>
          begin(process, world.caller, { phone, address, challenge }).pipe(
            Effect.as("sent"),
            Effect.catch(({ _tag }) => Effect.succeed<string>(_tag))
          ),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(outcomes.toSorted(), ["InvalidField", "InvalidField", "InvalidField", "sent"])
    })
  )

  it.effect("expires, and answers no other merchant's", () =>
    Effect.gen(function* () {
      const world = yield* makeHeld()
      const phone = phoneOf(1)
      const challenge = solve(yield* challengeOf(begin(world, world.caller, { phone, address })))
      const keys = yield* world.merchants.create("Other")
      const other = yield* world.merchants.callerOfPublicKey(keys.live.publicKey)
      assert.match(yield* problemOf(begin(world, other, { phone, address, challenge })), /is no answer/)
      yield* TestClock.adjust("3 minutes")
      assert.match(yield* problemOf(begin(world, world.caller, { phone, address, challenge })), /has expired/)
    })
  )

  it.effect("is not used up by a request that is refused for another reason", () =>
    Effect.gen(function* () {
      const world = yield* makeHeld()
      const phone = phoneOf(1)
      const challenge = solve(yield* challengeOf(begin(world, world.caller, { phone, address })))
      const request = { phone, address, challenge }
      assert.strictEqual(
        (yield* Effect.flip(begin(world, world.caller, { ...request, template: "none" })))._tag,
        "TemplateUnusable"
      )
      yield* begin(world, world.caller, request)
    })
  )

  it.effect("never lets a block pass, nor a flood into a country, nor a request over a limit", () =>
    Effect.gen(function* () {
      const world = yield* makeHeld()
      const phone = phoneOf(1)
      const challenge = solve(yield* challengeOf(begin(world, world.caller, { phone, address })))
      const full = withSettings(world.caller, { ...enforcing, sdkInitiatesPerIpPerHour: 1 })
      yield* begin(world, full, { phone: "+919876543210", address })
      assert.deepInclude(yield* Effect.flip(begin(world, full, { phone, address, challenge })), { limit: "address" })
      const elsewhere = withSettings(world.caller, { ...enforcing, allowedCountries: ["IN"] })
      assert.strictEqual(
        (yield* Effect.flip(begin(world, elsewhere, { phone, address, challenge })))._tag,
        "DestinationForbidden"
      )
      for (let n = 600; n < 620; n++) yield* world.verifications.initiate(world.live, otp(phoneOf(n)))
      const blocked = yield* heldBack(begin(world, world.caller, { phone, address, challenge }))
      assert.deepStrictEqual([blocked.waitSeconds, blocked.challenge], [null, undefined])
    })
  )

  it.effect("is not made for a flood into a country: work is cheap for whoever sends it", () =>
    Effect.gen(function* () {
      const world = yield* makeAppWorld()
      const caller = withSettings(world.app, { ...enforcing, guardEnforces: ["COUNTRY_TOO_FAST"] })
      for (let n = 0; n < 201; n++) {
        yield* world.verifications.initiate(world.live, otp(`+99893${1_000_000 + n * 10_007}`))
      }
      const refused = yield* heldBack(begin(world, caller, { phone: "+998941234567", address }))
      assert.deepInclude(refused, { reason: "COUNTRY_TOO_FAST", waitSeconds: 60 })
      assert.isUndefined(refused.challenge)
    })
  )

  it.effect("is harder after each one that was solved for the block, but not after one that nobody solved", () =>
    Effect.gen(function* () {
      const world = yield* makeHeld()
      /** The challenge, which must be as hard as the score and so many solved challenges make it. */
      const offer = Effect.fnUntraced(function* (n: number, from: string, solved: number) {
        const refused = yield* heldBack(begin(world, world.caller, { phone: phoneOf(n), address: from }))
        assert.strictEqual(refused.challenge?.difficulty, difficultyOf(refused.answerable ?? 0, solved))
        return refused.challenge!
      })
      for (let n = 1; n < 20; n++) yield* offer(n, address, 0)
      const challenge = solve(yield* offer(1, address, 0))
      const begun = yield* begin(world, world.caller, { phone: phoneOf(1), address, challenge })
      // The code is typed, so the block is held back only after another two.
      yield* enterIn(world, world.caller, begun)
      for (let n = 700; n < 702; n++) yield* world.verifications.initiate(world.live, otp(phoneOf(n)))
      yield* offer(3, "198.51.100.1", 1)
    })
  )

  it.effect("is not asked of a trusted device, whose sign-in sends nothing", () =>
    Effect.gen(function* () {
      const world = yield* makeAppWorld()
      const caller = withSettings(world.app, { ...enforcing, oneTap: true })
      const phone = phoneOf(1)
      const first = yield* begin(world, caller, { phone, address })
      yield* enterIn(world, caller, first, first.deviceToken)
      // The owner's number is not judged by its block until three codes in a row were not entered.
      for (let n = 0; n < 3; n++) {
        yield* TestClock.adjust("9 hours")
        yield* begin(world, caller, { phone, address })
      }
      yield* TestClock.adjust("1 hour")
      for (let n = 500; n < 530; n++) {
        yield* TestClock.adjust("1 second")
        yield* world.verifications.initiate(world.live, otp(phoneOf(n)))
      }
      yield* heldBack(begin(world, caller, { phone, address }))
      const again = yield* begin(world, caller, { phone, address, deviceToken: first.deviceToken })
      assert.isTrue(again.oneTapApplied)
    })
  )

  it.effect("is also made for a resend", () =>
    Effect.gen(function* () {
      const world = yield* makeAppWorld()
      const caller = withSettings(world.app, enforcing)
      const phone = phoneOf(1)
      const { verification } = yield* begin(world, caller, { phone, address })
      let n = 500
      for (let seen = false; !seen; n++) {
        yield* TestClock.adjust("1 second")
        seen = (yield* world.verifications.initiate(world.live, otp(phoneOf(n)))).verification.guard !== undefined
      }
      yield* TestClock.adjust("15 seconds")
      const request = { phone, address, sessionId: verification.id }
      const challenge = solve(yield* challengeOf(begin(world, caller, request)))
      const resent = yield* begin(world, caller, { ...request, challenge })
      assert.deepStrictEqual([resent.verification.id, resent.verification.deliveries.length], [verification.id, 2])
    })
  )

  it.effect("is never made for a server key, which waits as before", () =>
    Effect.gen(function* () {
      const world = yield* makeHeld()
      const caller = withSettings(world.live, enforcing)
      const refused = yield* heldBack(world.verifications.initiate(caller, otp(phoneOf(1))))
      assert.deepStrictEqual([refused.waitSeconds, refused.challenge], [60, undefined])
    })
  )
})

describe("a challenge with the merchant's own captcha", () => {
  it.effect("is answered by the captcha's token, which its provider judges with the app's address", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const world = yield* makeHeld({
        checkCaptcha: (token, { clientIp }) =>
          Effect.sync(() => asked.push(`${token} ${clientIp}`)).pipe(Effect.as(token === "right"))
      })
      const phone = phoneOf(1)
      const { kind, token } = yield* challengeOf(begin(world, world.caller, { phone, address }))
      assert.strictEqual(kind, "CAPTCHA")
      const answer = (text: string, more: object = {}) =>
        begin(world, world.caller, { phone, address, challenge: { token, answer: text }, ...more })
      assert.match(yield* problemOf(answer("wrong")), /does not solve/)
      // Nobody is asked about an answer for another number.
      assert.match(yield* problemOf(answer("right", { phone: phoneOf(2) })), /is no answer/)
      yield* answer("right")
      assert.match(yield* problemOf(answer("right")), /was used before/)
      assert.deepStrictEqual(asked, [`wrong ${address}`, `right ${address}`])
    })
  )

  it.effect("becomes a proof of work when the provider fails or does not answer within three seconds", () =>
    Effect.gen(function* () {
      const called = yield* Deferred.make<void>()
      const world = yield* makeHeld({
        checkCaptcha: (token) =>
          token === "slow" ? Effect.andThen(Deferred.succeed(called, void 0), Effect.never) : Effect.die("away")
      })
      const phone = phoneOf(1)
      const { token } = yield* challengeOf(begin(world, world.caller, { phone, address }))
      const answer = (text: string) =>
        challengeOf(begin(world, world.caller, { phone, address, challenge: { token, answer: text } }))
      assert.strictEqual((yield* answer("any")).kind, "PROOF_OF_WORK")
      const waiting = yield* Effect.forkChild(answer("slow"))
      yield* Deferred.await(called)
      yield* TestClock.adjust("3 seconds")
      const work = yield* Fiber.join(waiting)
      assert.strictEqual(work.kind, "PROOF_OF_WORK")
      yield* begin(world, world.caller, { phone, address, challenge: solve(work) })
    })
  )
})
