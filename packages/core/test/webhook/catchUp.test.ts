import { assert, describe, it } from "@effect/vitest"
import { Context, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Event, Identifier } from "../../src/index.ts"
import { noRecords, OutboxStore } from "../../src/index.storage.ts"
import { down, makeReceiver, ok } from "../fixtures/Receiver.ts"
import { happen, happening, logOf, makeCallers, makeTeller, pass, registered } from "../fixtures/Teller.ts"
import { minute, second } from "../fixtures/webhooks.ts"
import { makeStorage, start } from "../fixtures/World.ts"

const shop = "https://shop.example/hooks"
const range = { since: start - minute, until: start + 60 * minute, onlyMissing: true }

/** An endpoint that is down, with `events` events that wait minutes for their third try. */
const begin = Effect.fnUntraced(function* (events: number) {
  yield* TestClock.setTime(start)
  const storage = yield* makeStorage
  const answering = { now: down }
  const receiver = makeReceiver(() => Effect.suspend(() => answering.now))
  const teller = yield* makeTeller(storage, receiver.layer, { look: Duration.seconds(1) })
  const { live } = yield* makeCallers(teller)
  const { id } = yield* registered(teller, live, shop)
  const waiting: Array<string> = []
  for (let i = 0; i < events; i++) waiting.push(yield* happen(teller, live))
  yield* pass(20 * second)
  assert.lengthOf(receiver.requests, 2 * events)
  /** The events that the endpoint received since `from`, in the order of their ids. */
  const toldSince = (from: number) => receiver.idsAt(shop).slice(from).toSorted()
  return { answering, id, live, receiver, storage, teller, toldSince, waiting: waiting.toSorted() }
})

describe("waiting webhook deliveries are sent immediately", () => {
  it.effect("after a successful delivery, however short the outage was", () =>
    Effect.gen(function* () {
      const { answering, live, teller, toldSince, waiting } = yield* begin(4)
      answering.now = ok
      const first = yield* happen(teller, live)
      yield* pass(5 * second)
      assert.deepStrictEqual(toldSince(8), [...waiting, first].toSorted())
    })
  )

  it.effect("when another process saw the last failure", () =>
    Effect.gen(function* () {
      const { answering, id, live, receiver, storage, teller, waiting } = yield* begin(1)
      const other = yield* makeTeller(storage, receiver.layer)
      yield* teller.webhooks.change(live, id, { events: ["session.created"] })
      // The other process has cached two failures for some seconds.
      const unwanted = { ...(yield* happening(live)), type: "otp.expired" } as unknown as Event
      yield* other.outbox.append({ events: [unwanted] })
      yield* happen(teller, live)
      yield* pass(100, 100)
      answering.now = ok
      yield* happen(other, live)
      yield* pass(2 * second, 100)
      assert.include(receiver.idsAt(shop).slice(3), waiting[0])
    })
  )

  for (const events of [1, 4]) {
    it.effect(`after a successful test, when ${events} wait`, () =>
      Effect.gen(function* () {
        const { answering, id, live, receiver, teller, waiting } = yield* begin(events)
        answering.now = ok
        const { attempt } = yield* teller.webhooks.test(live, id)
        assert.strictEqual(attempt.status, "DELIVERED")
        yield* pass(5 * second)
        assert.deepStrictEqual(
          receiver
            .idsAt(shop)
            .slice(2 * events + 1)
            .toSorted(),
          waiting
        )
      })
    )
  }

  it.effect("after a successful redelivery", () =>
    Effect.gen(function* () {
      const { answering, id, live, receiver, teller, waiting } = yield* begin(2)
      answering.now = ok
      const [last] = yield* logOf(teller, live, id)
      yield* teller.webhooks.redeliver(live, id, last!.id)
      yield* pass(5 * second)
      assert.deepStrictEqual(receiver.idsAt(shop).slice(5).toSorted(), waiting)
    })
  )

  it.effect("after a replay of missing events, which sends every counted event once", () =>
    Effect.gen(function* () {
      const { answering, id, live, teller, toldSince, waiting } = yield* begin(4)
      answering.now = ok
      assert.deepStrictEqual(yield* teller.webhooks.replayable(live, id, range), { events: 4, more: false })
      yield* teller.webhooks.replay(live, id, range)
      yield* pass(5 * second)
      assert.deepStrictEqual(toldSince(8), waiting)
      yield* pass(30 * minute, minute)
      assert.lengthOf(toldSince(8), 4)
    })
  )

  it.effect("after a replay of another range, which counts them too", () =>
    Effect.gen(function* () {
      const { answering, id, live, teller, toldSince, waiting } = yield* begin(4)
      answering.now = ok
      const later = { ...range, since: start + 30 * second }
      const { replayable } = teller.webhooks
      assert.deepStrictEqual(yield* replayable(live, id, later), { events: 4, more: false })
      assert.deepStrictEqual(yield* replayable(live, id, { ...later, onlyMissing: false }), { events: 0, more: false })
      yield* teller.webhooks.replay(live, id, later)
      yield* pass(5 * second)
      assert.deepStrictEqual(toldSince(8), waiting)
      assert.deepStrictEqual(yield* replayable(live, id, later), { events: 0, more: false })
    })
  )

  it.effect("after a replay of missing events that waits behind a thousand queued deliveries", () =>
    Effect.gen(function* () {
      const { answering, id, live, storage, teller, toldSince } = yield* begin(1)
      const one = yield* happening(live)
      const many = Array.from({ length: 1_100 }, (): Event => ({ ...one, id: Identifier.make("evt", start) }))
      yield* teller.outbox.append({ events: many })
      yield* Context.get(storage, OutboxStore).append({ ...noRecords, events: [one] })
      yield* pass(200 * second, second)
      answering.now = ok
      yield* teller.webhooks.replay(live, id, range)
      yield* pass(60 * second)
      const { events } = yield* teller.webhooks.replayable(live, id, range)
      assert.strictEqual(events, 0)
      assert.include(toldSince(0), one.id)
    })
  )

  it.effect("once for each replay, even while the endpoint is still down", () =>
    Effect.gen(function* () {
      const { id, live, teller, toldSince, waiting } = yield* begin(4)
      yield* teller.webhooks.replay(live, id, range)
      yield* pass(2 * minute)
      assert.deepStrictEqual(toldSince(8), waiting)
    })
  )
})

describe("a manual success at a disabled endpoint", () => {
  it.effect("keeps its waiting deliveries", () =>
    Effect.gen(function* () {
      const { answering, id, live, teller } = yield* begin(2)
      yield* teller.webhooks.change(live, id, { status: "DISABLED" })
      answering.now = ok
      yield* teller.webhooks.test(live, id)
      yield* pass(5 * second)
      const log = yield* logOf(teller, live, id)
      assert.isFalse(log.some(({ status }) => status === "DEAD"))
    })
  )
})
