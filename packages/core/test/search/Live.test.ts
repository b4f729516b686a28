import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { type Caller, Leads, Live, Presences } from "../../src/index.ts"
import { withSetClock } from "../fixtures/setClock.ts"
import { makeWorld, otp, start } from "../fixtures/World.ts"

const make = Effect.gen(function* () {
  const world = yield* makeWorld({ idle: true })
  const live = Context.get(world.services, Live)
  const tagOf = Effect.match(live.listen(world.test, null), { onFailure: ({ _tag }) => _tag, onSuccess: () => "in" })
  return { ...world, live, tagOf }
})

const person = {
  email: "asha@shop.example",
  role: "VIEWER",
  sessionId: "ses_1",
  era: 0,
  emailProven: true,
  needsPasskey: false,
  freshUntil: start
} as const

describe("the live feed", () => {
  it.effect("uses no connection until its items are read, and frees it afterwards", () =>
    Effect.gen(function* () {
      const { live, tagOf, test } = yield* make
      yield* Effect.forEach(Array.from({ length: 30 }), () => live.listen(test, null), { discard: true })
      assert.strictEqual(yield* tagOf, "in")
      const reading = yield* Effect.forEach(Array.from({ length: 20 }), () =>
        Effect.flatMap(live.listen(test, null), (items) => Effect.forkChild(Stream.runDrain(items)))
      )
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* tagOf, "TooManyListeners")
      yield* Fiber.interrupt(reading[0]!)
      assert.strictEqual(yield* tagOf, "in")
    })
  )

  it.effect("allows a person five connections, which leaves room for colleagues", () =>
    Effect.gen(function* () {
      const { live, test } = yield* make
      const as = (agentId: number) =>
        live.listen({ ...test, person: { ...person, agentId }, actor: { kind: "AGENT", id: null, label: null } }, null)
      for (let n = 0; n < 5; n++) {
        const items = yield* as(1)
        yield* Effect.forkChild(Stream.runDrain(items))
        yield* TestClock.adjust("1 second")
      }
      assert.deepInclude(yield* Effect.flip(as(1)), { _tag: "TooManyListeners", most: 5 })
      assert.isDefined(yield* as(2))
      assert.isDefined(yield* live.listen(test, null))
    })
  )

  it.effect("continues after the clock was set back", () =>
    withSetClock((set) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const { live, test, verifications } = yield* make
        const told: Array<string> = []
        const items = yield* live.listen(test, null)
        yield* Effect.forkChild(
          Stream.runForEach(items, (item) =>
            Effect.sync(() => told.push(item.kind === "verification" ? item.verification.id : item.kind))
          )
        )
        yield* TestClock.adjust("2 seconds")
        const first = yield* verifications.initiate(test, otp("a@mail.example"))
        yield* TestClock.adjust("2 seconds")
        set(-3_600_000)
        yield* TestClock.adjust("2 seconds")
        const second = yield* verifications.initiate(test, otp("b@mail.example"))
        yield* TestClock.adjust("2 seconds")
        assert.deepStrictEqual(told, [first.verification.id, "reset", second.verification.id])
      })
    )
  )

  it.effect("tells which leads changed: colleagues' changes, the end of a snooze, and only one's own read marks", () =>
    Effect.gen(function* () {
      const { live, services, test } = yield* make
      const leads = Context.get(services, Leads)
      const as = (agentId: number) => ({ ...test, person: { ...person, agentId } })
      const told: { [name: string]: Array<string> } = { one: [], two: [], key: [] }
      for (const [name, caller] of Object.entries({ one: as(1), two: as(2), key: test })) {
        const items = yield* live.listen(caller, null)
        yield* Effect.forkChild(
          Stream.runForEach(items, (item) =>
            Effect.sync(() => item.kind === "changed" && told[name]!.push(item.leads.join()))
          )
        )
      }
      const hear = Effect.fnUntraced(function* () {
        yield* TestClock.adjust("2 seconds")
        return Object.values(told).map((all) => all.splice(0).join(" "))
      })
      for (const phone of ["+919876543210", "+919876543211"]) yield* leads.create(test, { phone })
      assert.deepStrictEqual(yield* hear(), ["1,2", "1,2", "1,2"])
      yield* leads.close(as(1), 1)
      assert.deepStrictEqual(yield* hear(), ["1", "1", "1"])
      // Nothing changed.
      yield* leads.close(as(2), 1)
      assert.deepStrictEqual(yield* hear(), ["", "", ""])
      yield* leads.unread(as(2), 2)
      assert.deepStrictEqual(yield* hear(), ["", "2", ""])
      yield* leads.snooze(as(1), 2, new Date(start + 60_000).toISOString())
      assert.deepStrictEqual(yield* hear(), ["2", "2", "2"])
      yield* TestClock.adjust("40 seconds")
      assert.deepStrictEqual(yield* hear(), ["", "", ""])
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* hear(), ["2", "2", "2"])
      assert.deepStrictEqual(yield* hear(), ["", "", ""])
    })
  )

  it.effect(
    "tells signed-in people of the environment who has which lead open, after each change and when they join",
    () =>
      Effect.gen(function* () {
        const { live, services, test } = yield* make
        const [leads, presences] = [Context.get(services, Leads), Context.get(services, Presences)]
        const { lead } = yield* leads.create(test, { phone: "+919876543210" })
        const as = (agentId: number) => ({ ...test, person: { ...person, agentId, email: `${agentId}@shop.example` } })
        const heard = Effect.fnUntraced(function* (caller: Caller) {
          const told: Array<string> = []
          const items = yield* live.listen(caller, null)
          yield* Effect.forkChild(
            Stream.runForEach(items, (item) =>
              Effect.sync(() => {
                if (item.kind !== "viewers") return
                told.push(
                  item.viewers.map(({ agentId, leadId, typing }) => `${agentId}@${leadId}${typing ? "!" : ""}`).join()
                )
              })
            )
          )
          return told
        })
        const [asha, key] = [yield* heard(as(1)), yield* heard(test)]
        yield* TestClock.adjust("2 seconds")
        assert.deepStrictEqual(asha, [])
        yield* presences.look(as(2), lead.id, {})
        yield* TestClock.adjust("2 seconds")
        yield* presences.look(as(2), lead.id, { typing: true })
        yield* TestClock.adjust("2 seconds")
        // A repeated report is no change.
        yield* presences.look(as(2), lead.id, { typing: true })
        yield* TestClock.adjust("2 seconds")
        assert.deepStrictEqual(asha, [`2@${lead.id}`, `2@${lead.id}!`])
        const ravi = yield* heard(as(3))
        yield* TestClock.adjust("2 seconds")
        assert.deepStrictEqual(ravi, [`2@${lead.id}!`])
        // Nobody says that the page is gone.
        yield* TestClock.adjust("40 seconds")
        assert.deepStrictEqual([asha.at(-1), ravi.at(-1)], ["", ""])
        assert.deepStrictEqual(key, [])
      })
  )
})
