import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Caller } from "../../src/index.ts"
import { makeInbox, signedInAs, wrote } from "../fixtures/InboxWorld.ts"
import { start, until } from "../fixtures/World.ts"

/** A lead that waits unassigned, and two agents. */
const makeDesk = Effect.gen(function* () {
  const world = yield* makeInbox()
  const [asha, ravi] = [yield* world.hire("asha@shop.example"), yield* world.hire("ravi@shop.example")]
  yield* world.arrive(wrote("919876543210", "Is this still available?", start - 5_000))
  yield* until(Effect.map(Effect.orDie(world.leads.page(world.live, {})), (all) => all.length === 1))
  const answer = Effect.fnUntraced(function* (caller: Caller) {
    yield* world.leads.reply(caller, 1, { text: "Yes" })
    return (yield* world.leads.get(world.live, 1)).assignedTo
  })
  return {
    ...world,
    answer,
    asha: signedInAs(world.live, asha.id),
    ravi: signedInAs(world.live, ravi.id),
    ashaId: asha.id
  }
})

describe("an answer", () => {
  it.effect("assigns an unassigned lead to the agent who gives it, and leaves an assigned one", () =>
    Effect.gen(function* () {
      const { answer, asha, leads, live, ravi } = yield* makeDesk
      assert.strictEqual(yield* answer(asha), "asha@shop.example")
      assert.strictEqual(yield* answer(ravi), "asha@shop.example")
      const { items } = yield* leads.history(live, 1, {})
      assert.deepStrictEqual(
        items.map(({ by, kind, to }) => [kind, by, to]),
        [
          ["ASSIGNED", "agent-1@shop.example", "asha@shop.example"],
          ["CREATED", null, null]
        ]
      )
    })
  )

  it.effect("assigns nothing with the setting off, by a key, or by an agent who has just left", () =>
    Effect.gen(function* () {
      const { agents, answer, asha, ashaId, live } = yield* makeDesk
      assert.isNull(yield* answer({ ...asha, settings: { ...asha.settings, answerAssigns: false } }))
      assert.isNull(yield* answer(live))
      yield* agents.remove(live, ashaId)
      assert.isNull(yield* answer(asha))
    })
  )

  it.effect("of two agents at the same time leaves one owner", () =>
    Effect.gen(function* () {
      const { answer, asha, leads, live, ravi } = yield* makeDesk
      yield* Effect.all([answer(asha), answer(ravi)], { concurrency: 2 })
      const { items } = yield* leads.history(live, 1, {})
      assert.lengthOf(
        items.filter(({ kind }) => kind === "ASSIGNED"),
        1
      )
    })
  )
})
