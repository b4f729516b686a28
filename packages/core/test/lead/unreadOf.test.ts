import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Caller } from "../../src/index.ts"
import { unreadOf } from "../../src/engagement/lead/LeadRead.ts"
import { makeInbox, signedInAs, wrote } from "../fixtures/InboxWorld.ts"
import { start, until } from "../fixtures/World.ts"

describe("unread messages", () => {
  it("are counted for each agent, from the team's count and what the agent has seen", () => {
    const read = { environment: "env", leadId: 1, agentId: 1, seen: 5, isUnread: false }
    assert.strictEqual(unreadOf({ received: 7, unreadCount: 3 }, undefined), 3)
    assert.strictEqual(unreadOf({ received: 7, unreadCount: 3 }, read), 2)
    assert.strictEqual(unreadOf({ received: 5, unreadCount: 3 }, read), 0)
    // What a colleague has answered is read, unless the agent marked it.
    assert.strictEqual(unreadOf({ received: 7, unreadCount: 0 }, read), 0)
    assert.strictEqual(unreadOf({ received: 5, unreadCount: 0 }, { ...read, isUnread: true }), 1)
    assert.strictEqual(unreadOf({ received: 7, unreadCount: 0 }, { ...read, isUnread: true }), 2)
  })

  it.effect("stay unread for the colleagues of an agent who looked, until someone answers", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const agents = [yield* world.hire("asha@shop.example"), yield* world.hire("ravi@shop.example")] as const
      const [asha, ravi] = [signedInAs(world.live, agents[0].id), signedInAs(world.live, agents[1].id)]
      const arrives = Effect.fnUntraced(function* (text: string, count: number) {
        yield* world.arrive(wrote("919876543210", text, start - 10_000 + count))
        yield* until(
          Effect.map(Effect.orDie(world.leads.page(world.live, {})), ([one]) => one?.lead.received === count)
        )
      })
      const counts = Effect.gen(function* () {
        const one = (caller: Caller) => Effect.map(world.leads.get(caller, 1), ({ unreadCount }) => unreadCount)
        return [yield* one(asha), yield* one(ravi), yield* one(world.live)]
      })
      yield* arrives("Is this still available?", 1)
      yield* arrives("Hello?", 2)
      assert.deepStrictEqual(yield* counts, [2, 2, 2])
      assert.strictEqual((yield* world.leads.read(asha, 1)).unreadCount, 0)
      assert.deepStrictEqual(yield* counts, [0, 2, 2])
      yield* arrives("Anyone?", 3)
      assert.deepStrictEqual(yield* counts, [1, 3, 3])
      assert.deepStrictEqual(
        (yield* world.leads.list(asha, {})).items.map(({ unreadCount }) => unreadCount),
        [1]
      )
      yield* world.leads.reply(asha, 1, { text: "Yes" })
      assert.deepStrictEqual(yield* counts, [0, 0, 0])
      assert.strictEqual((yield* world.leads.unread(ravi, 1)).unreadCount, 1)
      assert.deepStrictEqual(yield* counts, [0, 1, 0])

      // With the agent goes what they have read.
      assert.lengthOf(yield* world.store.reads(world.live.environment, agents[0].id, [1]), 1)
      yield* world.agents.remove({ ...world.live, person: null }, agents[0].id)
      yield* TestClock.adjust("2 seconds")
      yield* until(
        Effect.map(
          Effect.orDie(world.store.reads(world.live.environment, agents[0].id, [1])),
          (reads) => reads.length === 0
        )
      )
      assert.lengthOf(yield* world.store.reads(world.live.environment, agents[1].id, [1]), 1)
    })
  )
})
