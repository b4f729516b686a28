import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { OutcomeUnknown, Refused, Unavailable } from "../../src/index.channel.ts"
import { begin } from "../fixtures/apps.ts"
import { contended, distant, withStore } from "../fixtures/FaultyStore.ts"
import {
  digits,
  failing,
  makeProofWorld,
  plannedVerifier,
  post,
  type ProofWorld,
  proves,
  type Reply,
  startProof
} from "../fixtures/proving.ts"
import { makeStorage, start, until, withSettings } from "../fixtures/World.ts"

const away = failing(new Unavailable({ providerCode: "http_503" }))
const refusedCode = failing(new Refused({ providerCode: "http_403" }))
const phone = (i: number) => `+91 98765 ${String(43_000 + i)}`

const verifiedEvents = (w: ProofWorld) =>
  Effect.map(w.events(w.live), (events) => events.filter(({ type }) => type === "otp.verified").length)

/** Runs `count` concurrent posts. */
const many = <A, E>(count: number, one: (i: number) => Effect.Effect<A, E>) =>
  Effect.forEach(
    Array.from({ length: count }, (_, i) => one(i)),
    Effect.result,
    { concurrency: "unbounded" }
  )

describe("100 concurrent posts of one code", () => {
  it.effect("ask Truecaller once, and verify once", () =>
    Effect.gen(function* () {
      const { asked, verifier } = plannedVerifier(Effect.andThen(Effect.yieldNow, proves(digits)), refusedCode)
      const w = yield* makeProofWorld(verifier)
      const sessionId = yield* startProof(w, w.live)
      const answers = yield* many(100, () => post(w, w.app, { sessionId, address: "203.0.113.7" }))
      assert.strictEqual(answers.filter((one) => one._tag === "Success" && one.success.verified).length, 100)
      assert.deepStrictEqual([asked.length, yield* verifiedEvents(w)], [1, 1])
    })
  )

  it.effect("over two processes verify once, in any order of Truecaller's answers", () =>
    Effect.gen(function* () {
      // Truecaller accepts a code once.
      let left = 1
      const once = Effect.suspend((): Reply => (left-- > 0 ? proves(digits) : refusedCode))
      const storage = withStore(yield* makeStorage, distant)
      const w = yield* makeProofWorld(plannedVerifier(once).verifier, { storage })
      const other = yield* makeProofWorld(plannedVerifier(once).verifier, { storage })
      const sessionId = yield* startProof(w, w.live)
      const answers = yield* many(100, (i) => post(i % 2 === 0 ? w : other, w.app, { sessionId }))
      // A post that Truecaller refused before the other process committed must start again, and never fails the login.
      assert.isTrue(answers.every((one) => one._tag === "Failure" || one.success.verified))
      assert.isTrue((yield* post(other, w.app, { sessionId })).verified)
      assert.strictEqual(yield* verifiedEvents(w), 1)
    })
  )

  it.effect("and one post of another code ask twice, and the right code verifies", () =>
    Effect.gen(function* () {
      const { asked, verifier } = plannedVerifier(Effect.andThen(Effect.yieldNow, refusedCode), proves(digits))
      const w = yield* makeProofWorld(verifier)
      const sessionId = yield* startProof(w, w.live)
      const answers = yield* many(101, (i) => post(w, w.app, { sessionId, code: i === 1 ? "right" : "wrong" }))
      assert.strictEqual(asked.length, 2)
      assert.ok(answers[1]!._tag === "Success" && answers[1]!.success.verified)
    })
  )

  it.effect(
    "each with its own code verify or fail by the first number that Truecaller names, with at most one event",
    () =>
      Effect.gen(function* () {
        for (const [first, verified] of [
          [digits, true],
          ["919876543211", false]
        ] as const) {
          const { verifier } = plannedVerifier(proves(first), proves(digits), proves("919876543211"))
          const w = yield* makeProofWorld(verifier)
          const sessionId = yield* startProof(w, w.live)
          const app = withSettings(w.app, { sdkInitiatesPerIpPerHour: 1000 })
          const answers = yield* many(100, (i) => post(w, app, { sessionId, code: `code ${i}` }))
          assert.isTrue(answers.every((one) => one._tag === "Success" && one.success.verified === verified))
          assert.strictEqual(yield* verifiedEvents(w), verified ? 1 : 0)
        }
      })
  )
})

describe("an app that disconnects during its post", () => {
  it.effect("does not cancel it: the verified number is kept", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<void>()
      const { asked, verifier } = plannedVerifier(Effect.andThen(Deferred.await(answer), proves(digits)), refusedCode)
      const w = yield* makeProofWorld(verifier)
      const sessionId = yield* startProof(w, w.live)
      const fiber = yield* Effect.forkChild(post(w, w.app, { sessionId }))
      yield* until(Effect.sync(() => asked.length === 1))
      yield* Fiber.interrupt(fiber)
      yield* Deferred.succeed(answer, undefined)
      yield* until(
        Effect.map(
          w.verifications.status(w.live, { requestId: sessionId }),
          ({ status }) => status === "VERIFIED"
        ).pipe(Effect.orDie)
      )
      assert.isTrue((yield* post(w, w.app, { sessionId })).verified)
    })
  )
})

describe("a code of another login", () => {
  it.effect("approves neither the login it is posted to nor its own", () =>
    Effect.gen(function* () {
      const { asked, verifier } = plannedVerifier(proves("919876543211"), refusedCode)
      const w = yield* makeProofWorld(verifier)
      const [victim, own] = [yield* startProof(w, w.live), yield* startProof(w, w.live, "+91 98765 43211")]
      const stolen = yield* Effect.flip(post(w, w.app, { sessionId: victim, state: own }))
      assert.deepInclude(stolen, { _tag: "InvalidField", field: "state" })
      assert.deepStrictEqual(asked, [])
      assert.isFalse((yield* post(w, w.app, { sessionId: victim })).verified)
      assert.strictEqual((yield* Effect.flip(post(w, w.app, { sessionId: own })))._tag, "InvalidField")
      assert.strictEqual(yield* verifiedEvents(w), 0)
    })
  )
})

describe("the hourly limit of an address", () => {
  const address = "203.0.113.7"
  const limitOf = (error: { readonly _tag: string }) => ("limit" in error ? error.limit : error._tag)

  it.effect("counts verifier calls apart from initiates; all requests without an address share one limit", () =>
    Effect.gen(function* () {
      const { asked, verifier } = plannedVerifier(refusedCode)
      const w = yield* makeProofWorld(verifier)
      const app = withSettings(w.app, { sdkInitiatesPerIpPerHour: 2 })
      const sessionId = yield* startProof(w, w.live)
      for (const from of [address, "2001:db8:1:2::1", null]) {
        for (let i = 0; i < 2; i++) yield* begin(w, app, { phone: phone(i), address: from })
        const tags = yield* Effect.forEach(["one", "two", "three"], (code) =>
          Effect.map(Effect.flip(post(w, app, { sessionId, code, address: from })), limitOf)
        )
        assert.deepStrictEqual(tags, ["InvalidField", "InvalidField", "address"])
      }
      assert.strictEqual(
        limitOf(yield* Effect.flip(post(w, app, { sessionId, address: "2001:db8:1:2::9" }))),
        "address"
      )
      assert.strictEqual(asked.length, 6)
      yield* TestClock.setTime(start + 61 * 60_000)
      const fresh = yield* startProof(w, w.live)
      assert.strictEqual(limitOf(yield* Effect.flip(post(w, app, { sessionId: fresh, address }))), "InvalidField")
    })
  )

  it.effect("does not count posts that are refused early, already verified, or unanswered", () =>
    Effect.gen(function* () {
      const { verifier } = plannedVerifier(away, away, proves(digits), refusedCode)
      const w = yield* makeProofWorld(verifier)
      const app = withSettings(w.app, { sdkInitiatesPerIpPerHour: 2 })
      const sessionId = yield* startProof(w, w.live)
      for (let i = 0; i < 5; i++) {
        yield* Effect.flip(post(w, app, { sessionId, address, state: "x" }))
        yield* Effect.flip(post(w, app, { sessionId, address, code: "" }))
        yield* Effect.flip(post(w, app, { sessionId: "ver_00000000000000000000000000", address }))
      }
      for (let i = 0; i < 2; i++) {
        assert.strictEqual((yield* Effect.flip(post(w, app, { sessionId, address })))._tag, "ProofUnavailable")
      }
      for (let i = 0; i < 5; i++) assert.isTrue((yield* post(w, app, { sessionId, address })).verified)
      const second = yield* startProof(w, w.live, phone(1))
      assert.strictEqual((yield* Effect.flip(post(w, app, { sessionId: second, address })))._tag, "InvalidField")
      assert.strictEqual(limitOf(yield* Effect.flip(post(w, app, { sessionId: second, address }))), "address")
    })
  )
})

describe("a verifier that is away", () => {
  it.effect("is not called after five failures for ten seconds, then one post may try it", () =>
    Effect.gen(function* () {
      const { asked, verifier } = plannedVerifier(away, away, away, away, away, proves("919876543006"))
      const w = yield* makeProofWorld(verifier)
      const sessions = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7], (i) => startProof(w, w.live, phone(i)))
      for (const sessionId of sessions.slice(0, 5)) yield* Effect.flip(post(w, w.app, { sessionId }))
      const resting = yield* Effect.flip(post(w, w.app, { sessionId: sessions[5]! }))
      assert.deepInclude(resting, { _tag: "ProofUnavailable", retryAfterSeconds: 10 })
      assert.strictEqual(asked.length, 5)
      yield* TestClock.adjust("10 seconds")
      assert.isTrue((yield* post(w, w.app, { sessionId: sessions[5]! })).verified)
    })
  )

  it.effect("is still called when one person alone fails, or codes are refused", () =>
    Effect.gen(function* () {
      const unreadable = failing(new OutcomeUnknown({ providerCode: "unreadable" }))
      const { asked, verifier } = plannedVerifier(...Array(10).fill(unreadable), refusedCode)
      const w = yield* makeProofWorld(verifier)
      const sessionId = yield* startProof(w, w.live)
      const app = withSettings(w.app, { sdkInitiatesPerIpPerHour: 1000 })
      for (let i = 0; i < 80; i++) yield* Effect.flip(post(w, app, { sessionId }))
      assert.strictEqual(asked.length, 80)
    })
  )

  it.effect("gets at most 64 concurrent calls of one merchant; the next post is refused immediately", () =>
    Effect.gen(function* () {
      const { asked, verifier } = plannedVerifier(Effect.never)
      const w = yield* makeProofWorld(verifier)
      const app = withSettings(w.app, { sdkInitiatesPerIpPerHour: 1000 })
      const sessions = yield* Effect.forEach(Array.from({ length: 65 }), (_, i) => startProof(w, w.live, phone(i)))
      const fibers = yield* Effect.forEach(sessions, (sessionId) =>
        Effect.forkChild(Effect.flip(post(w, app, { sessionId })))
      )
      yield* until(Effect.sync(() => fibers.some((fiber) => fiber.pollUnsafe() !== undefined)))
      assert.strictEqual(asked.length, 64)
      yield* TestClock.adjust("10 seconds")
      for (const fiber of fibers) assert.strictEqual((yield* Fiber.join(fiber))._tag, "ProofUnavailable")
    })
  )
})

describe("a verifier that stalls for one merchant", () => {
  it.effect("is still called for another merchant", () =>
    Effect.gen(function* () {
      const hang = Array.from({ length: 64 }, (): Reply => Effect.never)
      const { asked, verifier } = plannedVerifier(...hang, proves(digits))
      const w = yield* makeProofWorld(verifier)
      const app = withSettings(w.app, { sdkInitiatesPerIpPerHour: 1000 })
      const sessionId = yield* startProof(w, w.live)
      yield* Effect.forEach(Array.from({ length: 80 }), (_, i) =>
        Effect.forkChild(post(w, app, { sessionId, code: `code ${i}` }))
      )
      yield* until(Effect.sync(() => asked.length === 64))
      const other = { ...w.live, environment: "live_other", merchantId: "mrc_other" }
      const others = yield* startProof(w, other)
      assert.isTrue((yield* post(w, { ...w.app, environment: other.environment }, { sessionId: others })).verified)
    })
  )
})

describe("a verified number", () => {
  it.effect("is stored in the end although other commits keep changing the person", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const { asked, verifier } = plannedVerifier(proves(digits))
      const w = yield* makeProofWorld(verifier, { storage })
      const sessionId = yield* startProof(w, w.live)
      const busy = yield* makeProofWorld(verifier, { storage: withStore(storage, contended(20)) })
      assert.isTrue((yield* post(busy, w.app, { sessionId })).verified)
      assert.strictEqual(asked.length, 1)
    })
  )
})
