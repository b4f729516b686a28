import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type InboxWorld, makeInbox, wrote } from "../fixtures/InboxWorld.ts"
import { distantLeads } from "../fixtures/distantLeads.ts"
import { makeStorage, start, until } from "../fixtures/World.ts"

const filled = Effect.fnUntraced(function* (leads: number) {
  // Concurrent storage calls interleave.
  const world = yield* makeInbox({ storage: distantLeads(yield* makeStorage) })
  yield* world.arrive(
    ...Array.from({ length: leads }, (_, n) => wrote(`9198765${43210 + n}`, `${n}`, start - 1_000 * n))
  )
  yield* until(
    Effect.map(Effect.orDie(world.leads.page(world.live, { size: 200 })), (all) => all.length === Math.min(200, leads))
  )
  return world
})

const ids = (views: ReadonlyArray<{ readonly lead: { readonly contact: string } }>) =>
  views.map(({ lead }) => lead.contact)

const phones = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `9198765${43210 + from + n}`)

const failure = <A, E>(effect: Effect.Effect<A, E>) => Effect.map(Effect.flip(effect), (error) => ({ ...error }))

const historyOf = (world: InboxWorld, id: number) =>
  Effect.map(world.leads.history(world.live, id, { limit: 200 }), ({ items }) => items)

describe("pages of leads", () => {
  it.effect("start with the most recently active lead, and end with a short page", () =>
    Effect.gen(function* () {
      const world = yield* filled(12)
      assert.deepStrictEqual(ids(yield* world.leads.page(world.live, { size: 5 })), phones(0, 5))
      assert.deepStrictEqual(ids(yield* world.leads.page(world.live, { size: 5, page: 2 })), phones(10, 12))
      assert.deepStrictEqual(yield* world.leads.page(world.live, { size: 5, page: 10_000_000 }), [])
      for (const request of [{ size: 0 }, { size: 201 }, { page: -1 }, { page: 1.5 }, { page: 2 ** 53 }]) {
        assert.deepInclude(yield* failure(world.leads.page(world.live, request)), {
          field: Object.keys(request)[0]!
        })
      }
    })
  )

  it.effect("filter by a number in any spelling, and by all filters together", () =>
    Effect.gen(function* () {
      const world = yield* filled(3)
      yield* world.hire("asha@example.com")
      yield* world.leads.assign(world.live, { phone: "98765 43210" }, "Asha@Example.com")
      for (const phone of ["919876543210", "+91 98765-43210", "9876543210", "(98765) 432.10", "+91/98765/43210"]) {
        assert.deepStrictEqual(ids(yield* world.leads.page(world.live, { phone })), phones(0, 1), phone)
      }
      assert.deepStrictEqual(ids(yield* world.leads.page(world.live, { assignedTo: "ASHA@example.com" })), phones(0, 1))
      assert.deepStrictEqual(ids(yield* world.leads.page(world.live, { unassignedOnly: true })), phones(1, 3))
      const both = { phone: "9876543210", unassignedOnly: true }
      assert.deepStrictEqual(yield* world.leads.page(world.live, both), [])
      assert.deepStrictEqual(yield* world.leads.page(world.live, { assignedTo: "nobody@example.com" }), [])
      assert.deepStrictEqual(yield* world.leads.page(world.live, { phone: "9876500000" }), [])
      assert.deepInclude(yield* failure(world.leads.page(world.live, { phone: "98%" })), { field: "phone" })
      assert.deepInclude(yield* failure(world.leads.page(world.live, { assignedTo: "%" })), { field: "assignedTo" })
      // The other environment sees none of them.
      assert.deepStrictEqual(yield* world.leads.page(world.test, {}), [])
      assert.deepInclude(yield* failure(world.leads.get(world.test, 1)), { _tag: "UnknownLead" })
    })
  )
})

describe("assigning a lead", () => {
  it.effect("a hundred times concurrently leaves one owner, and a history without gaps in order", () =>
    Effect.gen(function* () {
      const world = yield* filled(1)
      const agents = yield* Effect.forEach(
        Array.from({ length: 100 }, (_, n) => n),
        (n) => world.hire(`a${n}@example.com`)
      )
      yield* Effect.forEach(agents, ({ email }) => world.leads.assign(world.live, { leadId: 1 }, email), {
        concurrency: "unbounded"
      })
      const { assignedTo } = yield* world.leads.get(world.live, 1)
      const assigned = (yield* historyOf(world, 1)).filter(({ kind }) => kind === "ASSIGNED").toReversed()
      assert.deepStrictEqual(
        assigned.map(({ number }) => number),
        Array.from({ length: 100 }, (_, n) => n + 2)
      )
      assert.deepStrictEqual(
        assigned.map(({ from }) => from),
        [null, ...assigned.slice(0, -1).map(({ to }) => to)]
      )
      assert.strictEqual(assigned.at(-1)?.to, assignedTo)
    })
  )

  it.effect("accepts active agents only, and an empty address to unassign", () =>
    Effect.gen(function* () {
      const world = yield* filled(1)
      const lead = { leadId: 1 }
      const asha = yield* world.hire("asha@example.com")
      yield* world.leads.assign(world.live, lead, "asha@example.com")
      yield* world.leads.assign(world.live, lead, "asha@example.com")
      assert.strictEqual((yield* historyOf(world, 1)).length, 2)
      assert.strictEqual((yield* world.leads.assign(world.live, lead, "")).assignedTo, null)
      yield* world.agents.change(world.live, asha.id, { status: "SUSPENDED" })
      assert.deepInclude(yield* failure(world.leads.assign(world.live, lead, "asha@example.com")), {
        _tag: "UnknownAgent"
      })
      assert.deepInclude(yield* failure(world.leads.assign(world.live, lead, "b@example.com")), {
        _tag: "UnknownAgent"
      })
      assert.deepInclude(yield* failure(world.leads.assign(world.live, lead, "no address")), { field: "agentEmail" })
      for (const leadId of [0, -1, 2, 2 ** 31, 2 ** 60, 1.5]) {
        assert.deepInclude(yield* failure(world.leads.assign(world.live, { leadId }, "")), { _tag: "UnknownLead" })
      }
      const stranger = { phone: "+1 415 555 2671" }
      assert.deepInclude(yield* failure(world.leads.assign(world.live, stranger, "")), { _tag: "UnknownLead" })
    })
  )

  it.effect("to a team accepts its name in any case, and keeps the owner", () =>
    Effect.gen(function* () {
      const world = yield* filled(1)
      yield* world.hire("asha@example.com")
      yield* world.teams.create(world.live, { name: "Šales %" })
      yield* world.leads.assign(world.live, { leadId: 1 }, "asha@example.com")
      const moved = yield* world.leads.moveToTeam(world.live, { phone: "9876543210" }, "šALES %")
      assert.deepInclude(moved, { teamName: "Šales %", assignedTo: "asha@example.com" })
      assert.deepInclude(yield* failure(world.leads.moveToTeam(world.live, { leadId: 1 }, "Šales _")), {
        _tag: "UnknownTeam"
      })
      assert.deepInclude(yield* failure(world.leads.moveToTeam(world.live, { leadId: 1 }, "x".repeat(101))), {
        field: "teamName"
      })
      assert.strictEqual((yield* world.leads.moveToTeam(world.live, { leadId: 1 }, null)).teamName, null)
    })
  )
})

describe("automatic assignment", () => {
  it.effect("rotates through the active members of the team that takes new leads", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const agents = yield* Effect.forEach(["a", "b", "c"], (name) => world.hire(`${name}@example.com`))
      const members = agents.map(({ id }) => id)
      yield* world.agents.change(world.live, members[1]!, { status: "SUSPENDED" })
      yield* world.teams.create(world.live, { name: "Sales", assignment: "ROUND_ROBIN", members, takesNew: true })
      yield* world.arrive(...Array.from({ length: 6 }, (_, n) => wrote(`9198765${43210 + n}`, "hi", start - n)))
      yield* until(Effect.map(Effect.orDie(world.leads.page(world.live, {})), (all) => all.length === 6))
      const all = yield* world.leads.page(world.live, {})
      const c = ["a@example.com", "c@example.com"]
      assert.deepStrictEqual(
        all.map(({ assignedTo }) => assignedTo),
        [...c, ...c, ...c]
      )
      assert.isTrue(all.every(({ teamName }) => teamName === "Sales"))
      // A reopened lead keeps its owner; a lead without an owner gets the next member.
      yield* world.leads.close(world.live, all[0]!.lead.id)
      assert.strictEqual((yield* world.leads.reopen(world.live, all[0]!.lead.id)).assignedTo, "a@example.com")
      yield* world.leads.close(world.live, all[0]!.lead.id)
      yield* world.leads.assign(world.live, { leadId: all[0]!.lead.id }, "")
      assert.strictEqual((yield* world.leads.reopen(world.live, all[0]!.lead.id)).assignedTo, "a@example.com")
    })
  )

  it.effect("picks the member with the fewest open leads, also within one callback", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const [a, b] = yield* Effect.forEach(["a", "b"], (name) => world.hire(`${name}@example.com`))
      yield* world.leads.create(world.live, { phone: "+14155552671" })
      yield* world.leads.create(world.live, { phone: "+14155552672" })
      yield* world.leads.assign(world.live, { leadId: 1 }, "a@example.com")
      yield* world.leads.assign(world.live, { leadId: 2 }, "a@example.com")
      yield* world.teams.create(world.live, {
        name: "Sales",
        assignment: "LEAST_OPEN",
        members: [a!.id, b!.id],
        takesNew: true
      })
      yield* world.arrive(...Array.from({ length: 4 }, (_, n) => wrote(`9198765${43210 + n}`, "hi", start - n)))
      yield* until(Effect.map(Effect.orDie(world.leads.page(world.live, {})), (all) => all.length === 6))
      assert.strictEqual((yield* world.leads.page(world.live, { assignedTo: "a@example.com" })).length, 3)
      assert.strictEqual((yield* world.leads.page(world.live, { assignedTo: "b@example.com" })).length, 3)
    })
  )
})

describe("the list of leads by cursor", () => {
  it.effect("shows every lead that matches throughout, while leads move to the head", () =>
    Effect.gen(function* () {
      const world = yield* filled(20)
      const seen: Array<string> = []
      let cursor: string | null = null
      let parts = 0
      do {
        const part: Effect.Success<ReturnType<typeof world.leads.list>> = yield* world.leads.list(world.live, {
          limit: 4,
          cursor,
          status: "OPEN"
        })
        seen.push(...ids(part.items))
        cursor = part.nextCursor
        if (parts++ === 1) {
          // Two leads that the reader has not seen move past the cursor, and a new lead arrives.
          yield* world.arrive(
            wrote("919876543225", "me", start + 5_000),
            wrote("919876543226", "me too", start),
            wrote("14155552671", "new", start)
          )
          yield* until(
            Effect.map(Effect.orDie(world.leads.page(world.live, { phone: "14155552671" })), (all) => all.length === 1)
          )
        }
      } while (cursor !== null)
      for (const phone of phones(0, 20)) assert.include(seen, phone)
      assert.include(seen, "14155552671")
    })
  )

  it.effect("shows a lead whose message was sent before the list began and arrived later", () =>
    Effect.gen(function* () {
      const world = yield* filled(20)
      const [head] = yield* world.leads.page(world.live, { size: 1 })
      const first = yield* world.leads.list(world.live, { limit: 4 })
      // Between the head of the list and its cursor.
      yield* world.arrive(wrote("919876543229", "late", head!.lead.lastMessageAt! - 1))
      yield* until(
        Effect.map(Effect.orDie(world.leads.page(world.live, { phone: "919876543229" })), ([one]) => {
          return one?.lead.lastMessageAt === head!.lead.lastMessageAt! - 1
        })
      )
      const seen = ids(first.items)
      for (let cursor = first.nextCursor; cursor !== null; ) {
        const part: typeof first = yield* world.leads.list(world.live, { limit: 4, cursor })
        seen.push(...ids(part.items))
        cursor = part.nextCursor
      }
      assert.sameMembers([...new Set(seen)], phones(0, 20))
    })
  )

  it.effect("repeats at its end only leads that were active in the minute before it began", () =>
    Effect.gen(function* () {
      const world = yield* filled(100)
      const seen: Array<string> = []
      let cursor: string | null = null
      do {
        const part: Effect.Success<ReturnType<typeof world.leads.list>> = yield* world.leads.list(world.live, {
          limit: 99,
          cursor
        })
        const shown = ids(part.items)
        assert.strictEqual(new Set(shown).size, shown.length)
        seen.push(...shown)
        cursor = part.nextCursor
      } while (cursor !== null)
      assert.deepStrictEqual(seen.slice(0, 100), phones(0, 100))
      // The lead from exactly a minute before is included.
      assert.deepStrictEqual(seen.slice(100), phones(0, 61).toReversed())
    })
  )

  it.effect("shows each lead once when it fits into one page", () =>
    Effect.gen(function* () {
      const world = yield* filled(20)
      const { items, nextCursor } = yield* world.leads.list(world.live, { limit: 21 })
      assert.deepStrictEqual([items.length, nextCursor], [20, null])
      assert.strictEqual(new Set(ids(items)).size, 20)
    })
  )

  it.effect("refuses a cursor of another list or environment, or a forged one", () =>
    Effect.gen(function* () {
      const world = yield* filled(5)
      const { nextCursor } = yield* world.leads.list(world.live, { limit: 2 })
      const cursor = nextCursor ?? assert.fail("it ends too soon")
      const changed = `${cursor.slice(0, -1)}${cursor.endsWith("0") ? "1" : "0"}`
      const refused: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        world.leads.list(world.live, { limit: 2, cursor: changed }),
        world.leads.list(world.live, { limit: 2, cursor: "" }),
        world.leads.list(world.live, { limit: 2, cursor: "x".repeat(10_000) }),
        world.leads.list(world.live, { limit: 2, cursor, unassignedOnly: true }),
        world.leads.list(world.test, { limit: 2, cursor }),
        world.leads.messages(world.live, 1, { cursor }),
        world.leads.history(world.live, 1, { cursor })
      ]
      for (const call of refused) {
        const error = yield* Effect.flip(call)
        assert.deepInclude(error as { readonly field: string }, { field: "cursor" })
      }
    })
  )

  it.effect("searches the start of words and the end of a number", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      yield* world.leads.create(world.live, { phone: "+919876543210", name: "Asha Müller" })
      yield* world.leads.create(world.live, { phone: "+14155552671", name: "राम कुमार" })
      const found = (what: string) =>
        Effect.map(world.leads.search(world.live, { search: what }), ({ items }) => ids(items))
      assert.deepStrictEqual(yield* found("mül as"), ["919876543210"])
      assert.deepStrictEqual(yield* found("कुम"), ["14155552671"])
      assert.deepStrictEqual(yield* found("2671"), ["14155552671"])
      assert.deepStrictEqual(yield* found("sha"), [])
      for (const what of ["a", "%%", "123", ""]) {
        assert.deepInclude(yield* failure(world.leads.search(world.live, { search: what })), { field: "search" })
      }
      const narrowed = { search: "asha", team: null, status: "OPEN" }
      assert.deepInclude(yield* failure(world.leads.search(world.live, narrowed)), { field: "status" })
      yield* world.leads.create(world.live, { phone: "+919876543211", name: "Asha Rao" })
      const first = yield* world.leads.search(world.live, { search: "asha", limit: 1 })
      assert.deepStrictEqual([ids(first.items), first.more], [["919876543211"], true])
      const all = yield* world.leads.search(world.live, { search: "asha", limit: 200 })
      assert.deepStrictEqual([all.items.length, all.more], [2, false])
      const none = world.leads.search(world.live, { search: "asha", limit: 0 })
      assert.deepInclude(yield* failure(none), { field: "limit" })
    })
  )
})

describe("a lead that an agent creates", () => {
  it.effect("is refused when its number has a lead, and receives the customer's later messages", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const made = yield* world.leads.create(world.live, { phone: "98765 43210", name: " Asha " })
      assert.deepInclude(made.lead, {
        contact: "919876543210",
        name: "Asha",
        origin: "LEAD",
        lastMessageAt: null,
        unreadCount: 0
      })
      assert.deepInclude(yield* failure(world.leads.create(world.live, { phone: "+919876543210" })), {
        field: "phone",
        problem: "is lead 1 already"
      })
      assert.deepInclude(yield* failure(world.leads.create(world.live, { phone: "12" })), { field: "phone" })
      yield* world.arrive(
        wrote("919876543210", "hi", start, { sender: { phone: "919876543210", userId: null, profileName: "A." } })
      )
      yield* until(Effect.map(Effect.orDie(world.leads.get(world.live, 1)), ({ lead }) => lead.unreadCount === 1))
      assert.deepInclude((yield* world.leads.get(world.live, 1)).lead, { name: "A.", origin: "LEAD" })
    })
  )

  it.effect("is created once under concurrent requests", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox({ storage: distantLeads(yield* makeStorage) })
      const made = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, n) => n),
        () => Effect.exit(world.leads.create(world.live, { phone: "9876543210" })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(made.filter(({ _tag }) => _tag === "Success").length, 1)
    })
  )
})
