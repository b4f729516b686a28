import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { distant, withStore } from "../fixtures/FaultyStore.ts"
import { ask, enter, login, way } from "../fixtures/logins.ts"
import { indian, makeProcess, makeStorage, makeWorld, start, withSettings } from "../fixtures/World.ts"

const together = <A, E>(count: number, effect: (i: number) => Effect.Effect<A, E>) =>
  Effect.forEach(
    Array.from({ length: count }, (_, i) => effect(i)),
    Effect.result,
    { concurrency: "unbounded" }
  )

/** Several processes on one storage, whose calls interleave. */
const processes = Effect.fnUntraced(function* (count: 1 | 2) {
  const storage = withStore(yield* makeStorage, distant)
  const world = yield* makeWorld({ storage, idle: true })
  const other = { ...world, ...(yield* makeProcess(storage, { idle: true })) }
  return {
    ...world,
    on: withSettings(world.live, { oneTap: true, maxResends: 0 }),
    of: (i: number) => (i % count === 0 ? world : other)
  }
})

describe("concurrent requests with one device token", () => {
  it.effect.each([1, 2] as const)("let all of 50 uses in on %i processes, with one successor", (count) =>
    Effect.gen(function* () {
      const w = yield* processes(count)
      const { token } = yield* login(w, w.on)
      yield* TestClock.setTime(start + 1)
      const answers = yield* together(50, (i) => ask(w.of(i), w.on, token))
      const ways = answers.map((one) => (one._tag === "Success" ? way(one.success) : one.failure._tag))
      assert.deepStrictEqual([...new Set(ways)], ["onetap"])
      const tokens = new Set(answers.map((one) => (one._tag === "Success" ? one.success.deviceToken : null)))
      assert.strictEqual(tokens.size, 1)
      const [successor] = tokens
      assert.strictEqual(successor?.split(".")[1], "1")
      const ids = new Set(answers.map((one) => (one._tag === "Success" ? one.success.verification.id : "")))
      assert.strictEqual(ids.size, 50)
      const [device, ...rest] = yield* w.devices.list(w.on, indian)
      assert.deepStrictEqual([device?.serial, rest], [1, []])
      assert.strictEqual(way(yield* ask(w, w.on, successor!)), "onetap")
    })
  )

  it.effect("with 50 right codes make the device trusted once", () =>
    Effect.gen(function* () {
      const w = yield* processes(2)
      const asked = yield* ask(w, w.on, null)
      const answers = yield* together(50, (i) => enter(w.of(i), w.on, asked, asked.deviceToken))
      assert.isTrue(answers.every((one) => one._tag === "Success"))
      assert.strictEqual((yield* w.devices.list(w.on, indian)).length, 1)
      assert.strictEqual(way(yield* ask(w, w.on, asked.deviceToken)), "onetap")
    })
  )

  it.effect("of a thief and the owner at the same moment leave no valid token to either", () =>
    Effect.gen(function* () {
      const w = yield* processes(2)
      const { token } = yield* login(w, w.on)
      const stolen = (yield* ask(w, w.on, token)).deviceToken!
      yield* TestClock.setTime(start + 60_000)
      const answers = yield* together(40, (i) => ask(w.of(i), w.on, i % 4 < 2 ? token : stolen))
      assert.isTrue(answers.every((one) => one._tag === "Success" || one.failure._tag === "RateLimited"))
      assert.deepStrictEqual(yield* w.devices.list(w.on, indian), [])
      const left = new Set(answers.map((one) => (one._tag === "Success" ? one.success.deviceToken : null)))
      for (const one of [token, stolen, ...left]) assert.strictEqual(way(yield* ask(w, w.on, one)), "code")
    })
  )

  it.effect("are refused as soon as a revocation was answered", () =>
    Effect.gen(function* () {
      const w = yield* processes(2)
      const { token } = yield* login(w, w.on)
      const [device] = yield* w.devices.list(w.on, indian)
      let revoked = false
      const answers = yield* together(40, (i) =>
        Effect.gen(function* () {
          if (i === 20) {
            yield* w.devices.revoke(w.on, device!.id)
            revoked = true
            return "revoked"
          }
          const late = revoked
          const one = yield* ask(w.of(i), w.on, token)
          return late && way(one) === "onetap" ? "too late" : "fine"
        })
      )
      assert.notInclude(JSON.stringify(answers), "too late")
      assert.isTrue(revoked)
      assert.strictEqual(way(yield* ask(w, w.on, token)), "code")
    })
  )
})
