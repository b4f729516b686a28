import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { LeadStore, StoreError } from "../../src/index.storage.ts"
import { type InboxWorld, makeInbox } from "../fixtures/InboxWorld.ts"
import { distantLeads } from "../fixtures/distantLeads.ts"
import { makeStorage, until } from "../fixtures/World.ts"
import { operator } from "../../src/foundation/outbox/AuditEntry.ts"

/** A world whose concurrent storage calls interleave. */
const makeDistant = Effect.flatMap(makeStorage, (storage) => makeInbox({ storage: distantLeads(storage) }))

const make = (world: InboxWorld, leads: number) =>
  Effect.forEach(
    Array.from({ length: leads }, (_, n) => n),
    (n) => world.leads.create(world.live, { phone: `98765${43210 + n}` }),
    { discard: true }
  )

const owned = (world: InboxWorld, agentId: number) =>
  Effect.map(Effect.orDie(world.store.ownedBy([world.live.environment], agentId, 1_000)), (leads) => leads.length)

describe("an agent", () => {
  it.effect("has a unique address, ignoring case", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      yield* world.hire(" Asha@Example.com ")
      assert.deepInclude((yield* world.agents.list(world.test))[0], {
        id: 1,
        email: "Asha@Example.com",
        role: "AGENT",
        status: "ACTIVE"
      })
      const refused = [
        { email: "asha@example.com" },
        { email: "no address" },
        {},
        { email: "b@example.com", role: "BOSS" },
        { email: "b@example.com", status: "active" }
      ]
      for (const fields of refused) {
        assert.deepInclude(yield* Effect.flip(world.agents.create(world.live, fields)), { _tag: "InvalidField" })
      }
    })
  )

  it.effect("who is removed loses all leads: a hundred in the same request, the rest in a job", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const asha = yield* world.hire("asha@example.com")
      yield* make(world, 150)
      yield* Effect.forEach(
        Array.from({ length: 150 }, (_, n) => n + 1),
        (leadId) => world.leads.assign(world.live, { leadId }, "asha@example.com"),
        { discard: true }
      )
      yield* world.teams.create(world.live, { name: "Sales", members: [asha.id] })
      yield* world.agents.remove(world.live, asha.id)
      assert.isAtMost(yield* owned(world, asha.id), 50)
      yield* TestClock.adjust("1 second")
      yield* until(Effect.map(owned(world, asha.id), (count) => count === 0))
      assert.deepStrictEqual(yield* world.agents.list(world.live), [])
      assert.deepStrictEqual((yield* world.teams.list(world.live))[0]?.members, [])
      const { items } = yield* world.leads.history(world.live, 1, {})
      assert.deepInclude(items[0], { kind: "ASSIGNED", from: "asha@example.com", to: null })
      // The address can be used again, the id cannot.
      assert.strictEqual((yield* world.hire("asha@example.com")).id, 2)
    })
  )

  it.effect("who is suspended loses every lead, even when storage fails between the suspension and the leads", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const store = Context.get(storage, LeadStore)
      let isAway = false
      const away = new StoreError({ operation: "LeadStore.ownedBy", cause: new Error("away") })
      const ownedBy: typeof store.ownedBy = (...of) => (isAway ? Effect.fail(away) : store.ownedBy(...of))
      const failing = Context.add(storage, LeadStore, LeadStore.of({ ...store, ownedBy }))
      const world = yield* makeInbox({ storage: failing })
      const asha = yield* world.hire("asha@example.com")
      yield* make(world, 3)
      yield* world.leads.assign(world.live, { leadId: 2 }, "asha@example.com")
      isAway = true
      const answer = yield* Effect.exit(world.agents.change(world.live, asha.id, { status: "SUSPENDED" }))
      assert.isTrue(Exit.isFailure(answer))
      isAway = false
      assert.strictEqual(yield* owned(world, asha.id), 1)
      yield* TestClock.adjust("1 second")
      yield* until(Effect.map(owned(world, asha.id), (count) => count === 0))
      assert.deepInclude((yield* world.agents.list(world.live))[0], { status: "SUSPENDED" })
    })
  )

  it.effect("who is suspended during concurrent assignments owns no lead in the end", () =>
    Effect.gen(function* () {
      const world = yield* makeDistant
      const asha = yield* world.hire("asha@example.com")
      yield* make(world, 40)
      const give = (leadId: number) => Effect.exit(world.leads.assign(world.live, { leadId }, "asha@example.com"))
      yield* Effect.all(
        [
          ...Array.from({ length: 20 }, (_, n) => give(n + 1)),
          world.agents.change(world.live, asha.id, { status: "SUSPENDED" }),
          ...Array.from({ length: 20 }, (_, n) => give(n + 21))
        ],
        { concurrency: "unbounded" }
      )
      yield* until(Effect.map(owned(world, asha.id), (count) => count === 0))
    })
  )

  it.effect(
    "who is the last owner is neither removed nor demoted, not even when another owner leaves at the same moment",
    () =>
      Effect.gen(function* () {
        const world = yield* makeDistant
        // A key cannot change an owner.
        const boss = { ...world.live, actor: operator }
        const [a, b] = [yield* world.hire("a@example.com", "OWNER"), yield* world.hire("b@example.com", "OWNER")]
        const left = yield* Effect.all(
          [
            Effect.exit(world.agents.remove(boss, a.id)),
            Effect.exit(world.agents.change(boss, b.id, { role: "AGENT" }))
          ],
          { concurrency: "unbounded" }
        )
        assert.strictEqual(left.filter(({ _tag }) => _tag === "Success").length, 1)
        const [last] = (yield* world.agents.list(world.live)).filter(({ role }) => role === "OWNER")
        for (const change of [{ role: "ADMIN" }, { status: "SUSPENDED" }]) {
          assert.deepInclude(yield* Effect.flip(world.agents.change(boss, last!.id, change)), {
            _tag: "InvalidField"
          })
        }
        assert.deepInclude(yield* Effect.flip(world.agents.remove(boss, last!.id)), { _tag: "InvalidField" })
      })
  )

  it.effect("of another merchant does not exist", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const { id } = yield* world.hire("a@example.com")
      const other = yield* Effect.orDie(world.merchants.create("Other"))
      const caller = yield* world.merchants.authenticate(other.live.clientId, other.live.clientSecret)
      assert.deepInclude(yield* Effect.flip(world.agents.remove(caller, id)), { _tag: "UnknownAgent" })
      assert.deepStrictEqual(yield* world.agents.list(caller), [])
    })
  )
})

describe("a team", () => {
  it.effect("has a unique name and known agents, and only one team takes new leads", () =>
    Effect.gen(function* () {
      const world = yield* makeDistant
      const { id } = yield* world.hire("a@example.com")
      const sales = yield* world.teams.create(world.live, { name: " Ｓales ", members: [id], takesNew: true })
      assert.deepInclude(sales, { id: 1, name: "Ｓales", assignment: "OFF", members: [id], takesNew: true })
      const refused = [
        { name: "SALES" },
        { name: "" },
        { name: "x".repeat(101) },
        { name: "b", members: [7] },
        { name: "b", members: [id, id] },
        { name: "b", assignment: "RANDOM" }
      ]
      for (const fields of refused) {
        assert.deepInclude(yield* Effect.flip(world.teams.create(world.live, fields)), { _tag: "InvalidField" })
      }
      const [b, c] = yield* Effect.all(
        ["b", "c"].map((name) => world.teams.create(world.live, { name, takesNew: true })),
        { concurrency: "unbounded" }
      )
      const taking = (yield* world.teams.list(world.test)).filter(({ takesNew }) => takesNew)
      assert.strictEqual(taking.length, 1)
      assert.include([b?.id, c?.id], taking[0]?.id)
      yield* world.teams.remove(world.live, sales.id)
      yield* world.teams.change(world.live, b!.id, { name: "sales" })
      assert.deepInclude(yield* Effect.flip(world.teams.remove(world.live, sales.id)), { _tag: "UnknownTeam" })
    })
  )
})

describe("a saved reply", () => {
  it.effect("has a unique name in its environment", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const { savedReplies: replies } = world
      const hours = yield* replies.create(world.live, { name: "Hours", text: "9 to 6" })
      yield* replies.create(world.test, { name: "Hours", text: "never" })
      assert.deepInclude(yield* Effect.flip(replies.create(world.live, { name: "hours", text: "x" })), {
        field: "name"
      })
      assert.deepInclude(yield* Effect.flip(replies.create(world.live, { name: "x" })), { field: "text" })
      assert.strictEqual((yield* replies.change(world.live, hours.id, { text: "9 to 7" })).name, "Hours")
      assert.deepInclude(yield* Effect.flip(replies.remove(world.test, hours.id)), { _tag: "UnknownSavedReply" })
      yield* replies.remove(world.live, hours.id)
      assert.deepStrictEqual(yield* replies.list(world.live), [])
    })
  )
})
