import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Proof } from "../../src/index.channel.ts"
import { contended, withStore } from "../fixtures/FaultyStore.ts"
import { digits, makeProofWorld, plannedVerifier, post, type ProofWorld, startProof } from "../fixtures/proving.ts"
import { makeStorage, start } from "../fixtures/World.ts"

const proofOf = (once: string, phone = digits): Effect.Effect<Proof> =>
  Effect.succeed({ phone, isVerified: true, once })

const signed = () => plannedVerifier(proofOf("hash of one token")).verifier

const verifiedEvents = (w: ProofWorld) =>
  Effect.map(w.events(w.live), (events) => events.filter(({ type }) => type === "otp.verified").length)

describe("a proof that its provider would accept again", () => {
  it.effect("verifies one login, and is refused at every other login of the number, which stays open", () =>
    Effect.gen(function* () {
      const w = yield* makeProofWorld(signed())
      const first = yield* startProof(w, w.live)
      assert.isTrue((yield* post(w, w.app, { sessionId: first })).verified)
      const second = yield* startProof(w, w.live)
      assert.notStrictEqual(second, first)
      const refused = yield* Effect.flip(post(w, w.app, { sessionId: second }))
      assert.deepInclude(refused, { _tag: "InvalidField", field: "code" })
      assert.strictEqual((yield* w.verifications.status(w.live, { requestId: second })).status, "PENDING")
      assert.strictEqual(yield* verifiedEvents(w), 1)
    })
  )

  it.effect("verifies one of many concurrent logins, over two processes", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const w = yield* makeProofWorld(signed(), { storage })
      const other = yield* makeProofWorld(signed(), { storage })
      // Logins of different environments: one number has one live login in each.
      const merchants = yield* Effect.forEach(Array.from({ length: 20 }), (_, n) =>
        Effect.gen(function* () {
          const caller = { ...w.live, environment: `live_${n}`, merchantId: `mer_${n}` }
          return { app: { ...w.app, environment: caller.environment }, sessionId: yield* startProof(w, caller) }
        })
      )
      const answers = yield* Effect.forEach(
        merchants,
        ({ app, sessionId }, n) => Effect.result(post(n % 2 === 0 ? w : other, app, { sessionId })),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        answers.filter((answer) => answer._tag === "Success"),
        1
      )
      for (const answer of answers)
        if (answer._tag === "Failure") assert.strictEqual(answer.failure._tag, "InvalidField")
    })
  )

  it.effect("is still refused after a restart, for as long as its provider may accept it", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const w = yield* makeProofWorld(signed(), { storage })
      assert.isTrue((yield* post(w, w.app, { sessionId: yield* startProof(w, w.live) })).verified)
      const restarted = yield* makeProofWorld(signed(), { storage })
      for (const hours of [1, 12, 23]) {
        yield* TestClock.setTime(start + hours * 3_600_000)
        const refused = yield* Effect.flip(post(restarted, w.app, { sessionId: yield* startProof(restarted, w.live) }))
        assert.strictEqual(refused._tag, "InvalidField")
      }
    })
  )

  it.effect("is used up by a login of another number, which fails", () =>
    Effect.gen(function* () {
      const w = yield* makeProofWorld(signed())
      const attacker = yield* startProof(w, w.live, "+91 98765 43211")
      assert.isFalse((yield* post(w, w.app, { sessionId: attacker })).verified)
      const owner = yield* startProof(w, w.live)
      assert.strictEqual((yield* Effect.flip(post(w, w.app, { sessionId: owner })))._tag, "InvalidField")
    })
  )

  it.effect("verifies when the app repeats it because the first try was not committed", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const w = yield* makeProofWorld(signed(), { storage })
      const sessionId = yield* startProof(w, w.live)
      const busy = yield* makeProofWorld(signed(), { storage: withStore(storage, contended(1000)) })
      assert.strictEqual((yield* Effect.flip(post(busy, w.app, { sessionId })))._tag, "Contended")
      assert.isTrue((yield* post(w, w.app, { sessionId })).verified)
    })
  )
})

describe("a proof that its provider accepts once", () => {
  it.effect("leaves no record", () =>
    Effect.gen(function* () {
      const w = yield* makeProofWorld(plannedVerifier().verifier)
      for (let n = 0; n < 2; n++)
        assert.isTrue((yield* post(w, w.app, { sessionId: yield* startProof(w, w.live) })).verified)
    })
  )
})
