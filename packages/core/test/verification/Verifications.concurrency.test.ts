import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { distant, withStore } from "../fixtures/FaultyStore.ts"
import {
  answer,
  indian,
  makeProcess,
  makeStorage,
  makeWorld,
  otp,
  requestIdOf,
  withSettings,
  wrong
} from "../fixtures/World.ts"

const together = <A, E, R>(count: number, effect: (i: number) => Effect.Effect<A, E, R>) =>
  Effect.forEach(
    Array.from({ length: count }, (_, i) => effect(i)),
    Effect.result,
    { concurrency: "unbounded" }
  )

/** Two processes on one storage, whose calls interleave. */
const twoProcesses = Effect.gen(function* () {
  const storage = withStore(yield* makeStorage, distant)
  const world = yield* makeWorld({ storage, idle: true })
  const other = yield* makeProcess(storage, { idle: true })
  const verifications = [world.verifications, other.verifications] as const
  return { ...world, of: (i: number) => verifications[i % 2]! }
})

describe("concurrent requests on two processes", () => {
  it.effect.each([1, 3, 10])("compare exactly %i of 200 wrong codes", (maxAttempts) =>
    Effect.gen(function* () {
      const { codeOf, of, ...world } = yield* twoProcesses
      const live = withSettings(world.live, { maxAttempts })
      const { verification } = yield* of(0).initiate(live, otp(indian))
      const code = codeOf(verification)
      const request = { requestId: verification.id, otp: wrong(code) }
      const answers = yield* together(200, (i) => of(i).verify(live, request))
      const left = answers.flatMap((one) => (one._tag === "Success" ? [answer(one.success)] : []))
      assert.sameMembers(
        left,
        Array.from({ length: maxAttempts }, (_, i) => i)
      )
      const refused = answers.flatMap((one) => (one._tag === "Failure" ? [one.failure._tag] : []))
      assert.deepStrictEqual([refused.length, [...new Set(refused)]], [200 - maxAttempts, ["AttemptsExhausted"]])
      const last = yield* Effect.flip(of(0).verify(live, { ...request, otp: code }))
      assert.strictEqual(last._tag, "AttemptsExhausted")
      const { attempts, status } = yield* of(1).status(live, { requestId: verification.id })
      assert.deepStrictEqual({ attempts, status }, { attempts: maxAttempts, status: "FAILED" })
      assert.strictEqual((yield* world.events(live)).length, 1)
    })
  )

  it.effect("accept all of 200 right codes, one of them first, with one event", () =>
    Effect.gen(function* () {
      const { codeOf, events, live, of } = yield* twoProcesses
      const { verification } = yield* of(0).initiate(live, otp(indian))
      const request = { requestId: verification.id, otp: codeOf(verification) }
      const answers = yield* together(200, (i) => of(i).verify(live, request))
      const said = answers.map((one) => (one._tag === "Success" ? answer(one.success) : one.failure._tag))
      assert.deepStrictEqual(said.map(String).toSorted(), [...Array<string>(199).fill("again"), "right"])
      assert.deepStrictEqual(
        (yield* events(live)).map(({ type }) => type),
        ["otp.initiated", "otp.verified"]
      )
    })
  )

  it.effect("with 100 right and 100 wrong codes verify once or fail, never both", () =>
    Effect.gen(function* () {
      const { codeOf, events, live, of } = yield* twoProcesses
      for (const identity of [indian, "a@example.com", "+6591234567", "9876543210", "9876543211"]) {
        const { verification } = yield* of(0).initiate(live, otp(identity))
        const { id } = verification
        const code = codeOf(verification)
        const answers = yield* together(200, (i) =>
          of(i).verify(live, { requestId: id, otp: (i * 7) % 11 < 5 ? code : wrong(code) })
        )
        const { attempts, status } = yield* of(0).status(live, { requestId: id })
        const events_ = (yield* events(live)).filter((event) => requestIdOf(event) === id)
        const first = answers.filter((one) => one._tag === "Success" && answer(one.success) === "right").length
        assert.deepStrictEqual([first, events_.length - 1], status === "VERIFIED" ? [1, 1] : [0, 0])
        assert.isAtMost(attempts, 3)
      }
    })
  )

  it.effect("start one verification for 100 initiates of one identity", () =>
    Effect.gen(function* () {
      const { events, of, ...world } = yield* twoProcesses
      const live = withSettings(world.live, { maxResends: 0 })
      const answers = yield* together(100, (i) => of(i).initiate(live, otp(indian)))
      const ids = answers.map((one) => (one._tag === "Success" ? one.success.verification.id : one.failure._tag))
      assert.strictEqual(new Set(ids).size, 1)
      const { deliveries, resends } = yield* of(0).status(live, { requestId: ids[0]! })
      assert.deepStrictEqual([resends, deliveries.length, (yield* events(live)).length], [99, 100, 1])
      assert.deepStrictEqual(
        deliveries.map(({ attemptNumber }) => attemptNumber),
        Array.from({ length: 100 }, (_, i) => i + 1)
      )
    })
  )

  it.effect("send exactly ten codes an hour to 100 workers that log in", () =>
    Effect.gen(function* () {
      const { codeOf, of, ...world } = yield* twoProcesses
      const live = withSettings(world.live, { maxResends: 0, maxAttempts: 10 })
      const answers = yield* together(100, (i) =>
        Effect.gen(function* () {
          const seen: Array<string> = []
          for (let turn = 0; turn < 4; turn++) {
            const { verification } = yield* of(i + turn).initiate(live, otp(indian))
            yield* of(i).verify(live, { requestId: verification.id, otp: codeOf(verification) })
            seen.push(verification.id)
          }
          return seen
        })
      )
      assert.isTrue(answers.every((one) => one._tag === "Success" || one.failure._tag === "RateLimited"))
      const started = (yield* world.events(live)).filter(({ type }) => type === "otp.initiated")
      const verified = (yield* world.events(live)).filter(({ type }) => type === "otp.verified")
      assert.deepStrictEqual([started.length, verified.length], [10, 10])
      assert.strictEqual((yield* Effect.flip(of(0).initiate(live, otp(indian))))._tag, "RateLimited")
    })
  )

  it.effect("keep one live verification while initiates overlap logins", () =>
    Effect.gen(function* () {
      const { codeOf, of, ...world } = yield* twoProcesses
      const live = withSettings(world.live, { maxResends: 0, hourlyLimit: 1000 })
      yield* together(60, (i) =>
        Effect.gen(function* () {
          for (let turn = 0; turn < i % 7; turn++) yield* Effect.yieldNow
          const { verification } = yield* of(i).initiate(live, otp(indian))
          for (let turn = 0; turn < i % 5; turn++) yield* Effect.yieldNow
          yield* of(i + 1).verify(live, { requestId: verification.id, otp: codeOf(verification) })
          yield* of(i + 1).initiate(live, otp(indian))
        })
      )
      const ids = new Set((yield* world.events(live)).map((event) => requestIdOf(event)!))
      const open = yield* Effect.forEach(ids, (requestId) => of(0).status(live, { requestId }))
      assert.isAtMost(open.filter(({ status }) => status === "PENDING").length, 1)
    })
  )

  it.effect("with 5,000 attempts on one verification all get an answer, and leave it consistent", () =>
    Effect.gen(function* () {
      const { codeOf, live, verifications } = yield* makeWorld({ idle: true })
      const { verification } = yield* verifications.initiate(live, otp(indian))
      const request = { requestId: verification.id, otp: wrong(codeOf(verification)) }
      const answers = yield* together(5000, () => verifications.verify(live, request))
      const said = answers.map((one) => (one._tag === "Success" ? String(answer(one.success)) : one.failure._tag))
      assert.deepStrictEqual([...new Set(said)].toSorted(), ["0", "1", "2", "AttemptsExhausted"])
    })
  )
})
