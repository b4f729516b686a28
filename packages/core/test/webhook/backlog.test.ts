import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { down, makeReceiver, ok } from "../fixtures/Receiver.ts"
import { happen, logOf, makeCallers, makeTeller, pass, registered } from "../fixtures/Teller.ts"
import { minute, second } from "../fixtures/webhooks.ts"
import { makeStorage, start } from "../fixtures/World.ts"

describe("the backlog of a webhook endpoint", () => {
  it.effect("counts events that wait for a retry and DEAD events, until they are delivered", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const answering = { now: down }
      const receiver = makeReceiver(() => Effect.suspend(() => answering.now))
      const teller = yield* makeTeller(yield* makeStorage, receiver.layer)
      const { live, test } = yield* makeCallers(teller)
      const { id } = yield* registered(teller, live, "https://shop.example/hooks")
      const backlog = Effect.map(teller.webhooks.condition(live, id), ({ givenUp, more, pending }) => ({
        pending,
        givenUp,
        more
      }))
      assert.deepStrictEqual(yield* backlog, { pending: 0, givenUp: 0, more: false })

      for (let i = 0; i < 3; i++) yield* happen(teller, live)
      yield* pass(20 * second)
      assert.lengthOf(receiver.requests, 6)
      assert.deepStrictEqual(yield* backlog, { pending: 3, givenUp: 0, more: false })
      assert.strictEqual((yield* Effect.flip(teller.webhooks.condition(test, id)))._tag, "UnknownWebhook")

      // A failed redelivery has no retry of its own, and the event's retry stays.
      const [last] = yield* logOf(teller, live, id)
      yield* teller.webhooks.redeliver(live, id, last!.id)
      assert.deepStrictEqual(yield* backlog, { pending: 3, givenUp: 0, more: false })

      yield* teller.webhooks.change(live, id, { status: "DISABLED" })
      yield* pass(10 * minute)
      assert.deepStrictEqual(yield* backlog, { pending: 0, givenUp: 3, more: false })

      yield* teller.webhooks.change(live, id, { status: "ACTIVE" })
      yield* teller.webhooks.replay(live, id, { since: start, until: start + 60 * minute, onlyMissing: true })
      yield* pass(2 * second)
      assert.deepStrictEqual(yield* backlog, { pending: 3, givenUp: 0, more: false })

      yield* teller.webhooks.change(live, id, { status: "DISABLED" })
      yield* pass(10 * minute)
      answering.now = ok
      yield* teller.webhooks.change(live, id, { status: "ACTIVE" })
      yield* teller.webhooks.redeliver(live, id, last!.id)
      assert.deepStrictEqual(yield* backlog, { pending: 0, givenUp: 2, more: false })
    })
  )
})
