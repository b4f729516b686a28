import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Redacted, Schema } from "effect"
import { hash } from "node:crypto"
import {
  type Challenge,
  challengeLife,
  type ChallengeScope,
  difficultyOf,
  difficultyRange,
  isWorkDone,
  makeChallenge,
  readAnswer
} from "../../src/auth/verification/Challenge.ts"
import { leastScore } from "../../src/foundation/guard/GuardReason.ts"
import { Keyring } from "../../src/index.ts"
import { build, secrets, start } from "../fixtures/World.ts"

const scope: ChallengeScope = { environment: "env_1", canonical: "998912344711", network: "203.0.113.7" }
const ringOf = (secret: string, previous: ReadonlyArray<string> = []) =>
  Effect.map(
    build(Keyring.layer({ secret: Redacted.make(secret), previous: previous.map((one) => Redacted.make(one)) })),
    (services) => Context.get(services, Keyring)
  )

/** An answer, found as a client of another author would find it. */
const solve = ({ difficulty, token }: Pick<Challenge, "difficulty" | "token">): string => {
  for (let n = 0; ; n++) {
    if (Number.parseInt(hash("sha256", `${token}${n}`).slice(0, 8), 16) * difficulty < 2 ** 32) return String(n)
  }
}
const easy = { kind: "PROOF_OF_WORK", difficulty: 50 } as const

describe("a challenge", () => {
  it.effect("is answered by work for its own number, network and environment, until it expires", () =>
    Effect.gen(function* () {
      const ring = yield* ringOf(secrets.first)
      const challenge = makeChallenge(ring, scope, easy, start)
      const answer = { token: challenge.token, answer: solve(challenge) }
      assert.deepStrictEqual(readAnswer(ring, scope, answer, start), challenge)
      assert.deepStrictEqual(readAnswer(ring, scope, answer, start + challengeLife - 1), challenge)
      assert.strictEqual(readAnswer(ring, scope, answer, start + challengeLife), "EXPIRED")
      for (const other of [
        { ...scope, canonical: "998912344712" },
        { ...scope, network: "203.0.113.8" },
        { ...scope, network: "unknown" },
        { ...scope, environment: "env_2" },
        // The parts cannot be shifted into each other.
        { ...scope, environment: "env_1\n998912344711", canonical: "" }
      ])
        assert.strictEqual(readAnswer(ring, other, answer, start), "FORGED")
      assert.strictEqual(readAnswer(yield* ringOf(secrets.second), scope, answer, start), "FORGED")
      // A rotation of the master secret keeps challenges that are under way.
      assert.deepStrictEqual(
        readAnswer(yield* ringOf(secrets.second, [secrets.first]), scope, answer, start),
        challenge
      )
    })
  )

  it.effect("shows neither number nor network, and cannot be changed in any character", () =>
    Effect.gen(function* () {
      const ring = yield* ringOf(secrets.first)
      const { token } = makeChallenge(ring, scope, easy, start)
      assert.match(token, /^w[0-9a-z]{39}$/)
      for (const secret of [scope.canonical, scope.network, "4711"]) assert.notInclude(token, secret)
      const answer = solve({ token, difficulty: 50 })
      for (let at = 0; at < token.length; at++) {
        const changed = token.slice(0, at) + (token[at] === "0" ? "1" : "0") + token.slice(at + 1)
        assert.strictEqual(readAnswer(ring, scope, { token: changed, answer }, start), "FORGED", changed)
      }
      const captcha = { token: `c${token.slice(1)}`, answer }
      assert.strictEqual(readAnswer(ring, scope, captcha, start), "FORGED")
      for (const wrong of ["", "w", `${token}0`, ` ${token}`, token.toUpperCase(), "w".repeat(40)])
        assert.strictEqual(readAnswer(ring, scope, { token: wrong, answer }, start), "FORGED")
    })
  )

  it.effect("has an end that the service reads and not the app", () =>
    Effect.gen(function* () {
      const ring = yield* ringOf(secrets.first)
      const first = makeChallenge(ring, scope, easy, start)
      const later = makeChallenge(ring, scope, easy, start + 1)
      assert.strictEqual(first.expiresAt, start + challengeLife)
      assert.notStrictEqual(first.token.slice(-26), later.token.slice(-26))
    })
  )
})

describe("work", () => {
  it("is a short text whose hash with the token is small enough", () => {
    const token = `w${"0".repeat(39)}`
    const answer = solve({ token, difficulty: 1_000 })
    assert.isTrue(isWorkDone(token, answer, 1_000))
    assert.isTrue(isWorkDone(token, "0", 1))
    for (const wrong of ["", " 1", "-1", "1.5", "é", "\0", "1".repeat(16), "../", "1\n"])
      assert.isFalse(isWorkDone(token, wrong, 1), wrong)
    let solved = 0
    for (let n = 0; n < 40_000; n++) if (isWorkDone(token, String(n), 400)) solved++
    assert.isAbove(solved, 60)
    assert.isBelow(solved, 140)
  })

  it.prop(
    "is bounded, and never less for a higher score or for more solved challenges",
    [
      Schema.Finite.check(Schema.isBetween({ minimum: -50, maximum: 700 })),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))
    ],
    ([score, solved]) => {
      const difficulty = difficultyOf(score, solved)
      assert.isTrue(Number.isSafeInteger(difficulty))
      assert.isAtLeast(difficulty, difficultyRange.least)
      assert.isAtMost(difficulty, difficultyRange.most)
      assert.isAtLeast(difficultyOf(score + 1, solved), difficulty)
      assert.isAtLeast(difficultyOf(score, solved + 1), difficulty)
    }
  )

  it("grows with the odds of an attack, to about a second of a phone's time", () => {
    const { least, most } = difficultyRange
    assert.strictEqual(difficultyOf(leastScore, 0), least)
    assert.strictEqual(difficultyOf(leastScore + Math.log(3), 0), 3 * least)
    assert.strictEqual(difficultyOf(leastScore, 4), 5 * least)
    assert.strictEqual(difficultyOf(leastScore + Math.log(3), 100), most)
    // Half of all answers take fewer hashes than this. A slow phone computes 200,000 a second.
    assert.isAtMost((Math.LN2 * most) / 200_000, 2)
  })
})
