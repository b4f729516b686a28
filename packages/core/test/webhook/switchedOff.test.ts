import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { down, makeReceiver, ok, status } from "../fixtures/Receiver.ts"
import { happen, logOf, makeCallers, makeTeller, pass, registered } from "../fixtures/Teller.ts"
import { makeStorage, start } from "../fixtures/World.ts"
import { hour, minute, second } from "../fixtures/webhooks.ts"

const shop = "https://shop.example/hooks"

/** Two processes on one storage, and an endpoint with the answers of the test. */
const begin = Effect.gen(function* () {
  yield* TestClock.setTime(start)
  const storage = yield* makeStorage
  const answering = { now: ok }
  const receiver = makeReceiver(() => Effect.suspend(() => answering.now))
  const look = Duration.minutes(10)
  const one = yield* makeTeller(storage, receiver.layer, { look })
  const other = yield* makeTeller(storage, receiver.layer, { look })
  const { live } = yield* makeCallers(one)
  const { id } = yield* registered(one, live, shop)
  yield* pass(minute)
  const state = Effect.map(one.webhooks.get(live, id), ({ failingSince, failures, status }) => ({
    failingSince,
    failures,
    status
  }))
  /** One event every six hours, and every delivery fails. */
  const fail = Effect.fnUntraced(function* (days: number) {
    answering.now = down
    for (let quarter = 0; quarter < 4 * days; quarter++) {
      yield* happen(one, live)
      yield* pass(6 * hour, 6 * hour)
    }
  })
  return { fail, id, live, one, other, receiver, answering, state }
})

describe("a webhook endpoint", () => {
  it.effect("is disabled when at least ten deliveries failed over five days", () =>
    Effect.gen(function* () {
      const w = yield* begin
      yield* w.fail(5)
      yield* happen(w.one, w.live)
      yield* pass(minute, 10 * second)
      assert.deepInclude(yield* w.state, { status: "DISABLED", failures: 10 })
    })
  )

  it.effect("stays enabled after a success in a process that did not know of the failures", () =>
    Effect.gen(function* () {
      const w = yield* begin
      // Both processes know the endpoint as healthy.
      yield* happen(w.one, w.live)
      yield* happen(w.other, w.live)
      yield* pass(second)
      w.answering.now = down
      yield* happen(w.one, w.live)
      yield* pass(500)
      const { failingSince } = yield* w.state
      w.answering.now = ok
      yield* happen(w.other, w.live)
      yield* pass(500)
      // A success of a healthy endpoint stores nothing but its log entry.
      assert.deepInclude(yield* w.state, { failingSince, failures: 1 })
      assert.strictEqual((yield* logOf(w.one, w.live, w.id))[0]?.status, "DELIVERED")

      yield* w.fail(6)
      assert.deepInclude(yield* w.state, { status: "ACTIVE" })
      yield* w.fail(6)
      assert.deepInclude(yield* w.state, { status: "DISABLED" })
    })
  )

  it.effect("is not disabled by tests or redeliveries, and a manual success resets its failures", () =>
    Effect.gen(function* () {
      const w = yield* begin
      w.answering.now = down
      for (let i = 0; i < 12; i++) {
        const { attempt } = yield* w.one.webhooks.test(w.live, w.id)
        assert.deepInclude(attempt, { status: "FAILED", nextAttemptAt: null })
        yield* TestClock.adjust(12 * hour)
      }
      w.answering.now = status(410)
      yield* w.one.webhooks.test(w.live, w.id)
      assert.deepStrictEqual(yield* w.state, { status: "ACTIVE", failingSince: null, failures: 0 })

      yield* w.fail(4)
      const [failed] = yield* logOf(w.one, w.live, w.id)
      yield* w.one.webhooks.redeliver(w.live, w.id, failed!.id)
      assert.deepInclude(yield* w.state, { status: "ACTIVE", failures: 10 })
      w.answering.now = ok
      yield* w.one.webhooks.redeliver(w.live, w.id, failed!.id)
      assert.deepStrictEqual(yield* w.state, { status: "ACTIVE", failingSince: null, failures: 0 })
    })
  )
})
