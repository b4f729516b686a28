import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Scope } from "effect"
import { TestClock } from "effect/testing"
import type { Caller, ListenedEvent } from "../../src/index.ts"
import { makeReceiver } from "../fixtures/Receiver.ts"
import { happen, logOf, makeCallers, makeTeller, pass, recorded } from "../fixtures/Teller.ts"
import type { Teller } from "../fixtures/Teller.ts"
import { makeStorage, start } from "../fixtures/World.ts"
import { day, hour, minute, second } from "../fixtures/webhooks.ts"
import { listenerUrl, type EventListener } from "../../src/account/webhook/EventListener.ts"

const begin = Effect.gen(function* () {
  yield* TestClock.setTime(start)
  const storage = yield* makeStorage
  // A sender that fails the test when it is used: a listener's events never go over HTTP.
  const receiver = makeReceiver()
  const process = () => makeTeller(storage, receiver.layer)
  const teller = yield* process()
  return { storage, receiver, teller, process, ...(yield* makeCallers(teller)) }
})

const recording = () => {
  const heard: Array<ListenedEvent> = []
  const listener: EventListener = (event) => Effect.sync(() => void heard.push(event))
  return { heard, listener, ids: () => heard.map(({ id }) => id) }
}

const listen = ({ webhooks }: Teller, caller: Caller, listener: EventListener) =>
  Effect.orDie(webhooks.listen(caller, listener))

const endpointOf = ({ webhooks }: Teller, caller: Caller) =>
  Effect.map(Effect.orDie(webhooks.list(caller)), (all) => all.find(({ url }) => url === listenerUrl)!)

describe("an event listener in a process", () => {
  it.effect("is called once for every event of its environment with the webhook payload, and nothing is sent", () =>
    Effect.gen(function* () {
      const { live, receiver, storage, teller, test } = yield* begin
      const { heard, listener } = recording()
      yield* listen(teller, live, listener)
      const id = yield* happen(teller, live)
      yield* happen(teller, test)
      yield* pass(20 * second)
      const [event] = yield* recorded(storage, live)
      assert.deepStrictEqual(heard, [
        {
          id,
          type: "session.created",
          createdAt: "2030-01-07T10:00:00.000Z",
          environment: "live",
          data: event!.data
        }
      ])
      assert.lengthOf(receiver.requests, 0)
    })
  )

  it.effect("is called after a restart for events that were committed before a crash", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const storage = yield* makeStorage
      const scope = yield* Scope.make()
      const dying = yield* Scope.provide(makeTeller(storage, makeReceiver().layer), scope)
      const { live } = yield* makeCallers(dying)
      // This process hangs in its listener and is killed, so only the commit remains.
      yield* listen(dying, live, () => Effect.never)
      const id = yield* happen(dying, live)
      yield* Scope.close(scope, Exit.void).pipe(Effect.forkScoped)
      yield* pass(10 * second)
      const { ids, listener } = recording()
      yield* listen(yield* makeTeller(storage, makeReceiver().layer), live, listener)
      yield* pass(minute)
      assert.deepStrictEqual(ids(), [id])
    })
  )

  it.effect("that fails is called again by the webhook schedule, and its failures are in the delivery log", () =>
    Effect.gen(function* () {
      const { live, teller } = yield* begin
      let calls = 0
      yield* listen(teller, live, () =>
        Effect.suspend(() => (++calls < 3 ? Effect.die(new TypeError("+919876543210")) : Effect.void))
      )
      yield* happen(teller, live)
      yield* pass(3 * second)
      assert.strictEqual(calls, 1)
      yield* pass(6 * second)
      assert.strictEqual(calls, 2)
      yield* pass(6 * minute, 10 * second)
      assert.strictEqual(calls, 3)
      const { id } = yield* endpointOf(teller, live)
      const log = yield* logOf(teller, live, id)
      assert.deepStrictEqual(
        log.map(({ error, status }) => [status, error]),
        [
          ["DELIVERED", null],
          ["FAILED", "onEvent failed; see the log of the process"],
          ["FAILED", "onEvent failed; see the log of the process"]
        ]
      )
    })
  )

  it.effect("that never returns times out after 20 seconds, and delays no other environment", () =>
    Effect.gen(function* () {
      const { live, teller, test } = yield* begin
      const { ids, listener } = recording()
      const end = yield* Deferred.make<void>()
      yield* listen(teller, live, () => Deferred.await(end))
      yield* listen(teller, test, listener)
      for (let i = 0; i < 300; i++) yield* happen(teller, live)
      const id = yield* happen(teller, test)
      yield* pass(3 * second)
      assert.deepStrictEqual(ids(), [id])
      yield* pass(20 * second)
      const [last] = yield* logOf(teller, live, (yield* endpointOf(teller, live)).id)
      assert.strictEqual(last?.error, "onEvent took longer than 20 seconds")
      yield* Deferred.succeed(end, undefined)
    })
  )

  it.effect("gets events that a process without a listener claimed, and loses no try by that", () =>
    Effect.gen(function* () {
      const { live, process, teller } = yield* begin
      const other = yield* process()
      const { ids, listener } = recording()
      yield* listen(teller, live, listener)
      yield* pass(20 * second)
      const told = []
      for (let i = 0; i < 20; i++) told.push(yield* happen(other, live))
      yield* pass(minute)
      assert.sameMembers(ids(), told)
      const { id } = yield* endpointOf(teller, live)
      for (const { attempt, status } of yield* logOf(teller, live, id))
        assert.deepStrictEqual([attempt, status], [1, "DELIVERED"])
    })
  )

  it.effect("that is absent for five days is disabled, and starts with new events", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const storage = yield* makeStorage
      const layer = makeReceiver().layer
      const scope = yield* Scope.make()
      const first = yield* Scope.provide(makeTeller(storage, layer), scope)
      const { live } = yield* makeCallers(first)
      yield* listen(first, live, () => Effect.void)
      yield* Scope.close(scope, Exit.void)
      const without = yield* makeTeller(storage, layer, { look: Duration.minutes(10) })
      const early = yield* happen(without, live)
      yield* pass(6 * day, hour)
      assert.deepInclude(yield* endpointOf(without, live), { status: "DISABLED", disabledReason: "FAILING" })
      yield* happen(without, live)
      const { ids, listener } = recording()
      yield* listen(without, live, listener)
      const id = yield* happen(without, live)
      yield* pass(minute)
      assert.include(ids(), id)
      assert.notInclude(ids(), early)
    })
  )

  it.effect("of several processes that start together shares one endpoint", () =>
    Effect.gen(function* () {
      const { live, process, teller } = yield* begin
      const { listener } = recording()
      const all = [teller, yield* process(), yield* process()]
      yield* Effect.all(
        all.map((each) => listen(each, live, listener)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(yield* Effect.orDie(teller.webhooks.list(live)), 1)
    })
  )
})
