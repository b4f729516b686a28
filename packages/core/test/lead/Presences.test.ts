import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Caller, Presences } from "../../src/index.ts"
import { PresenceStore } from "../../src/index.storage.ts"
import { makeInbox } from "../fixtures/InboxWorld.ts"
import { start } from "../fixtures/World.ts"

const signedIn = (caller: Caller, agentId: number, email: string) => ({
  ...caller,
  person: {
    agentId,
    email,
    role: "AGENT",
    sessionId: `ses_${agentId}`,
    era: 0,
    emailProven: true,
    needsPasskey: false,
    freshUntil: start
  } as const
})

const makeDesk = Effect.gen(function* () {
  const world = yield* makeInbox()
  const { lead } = yield* world.leads.create(world.live, { phone: "+919876543210" })
  const second = yield* world.another()
  return {
    ...world,
    leadId: lead.id,
    here: Context.get(world.services, Presences),
    there: Context.get(second.services, Presences),
    asha: signedIn(world.live, 1, "asha@example.com"),
    ravi: signedIn(world.live, 2, "ravi@example.com")
  }
})

describe("the presence of an agent at a lead", () => {
  it.effect("is visible to the other agents in every process, with when they opened it and whether they type", () =>
    Effect.gen(function* () {
      const { asha, here, leadId, ravi, there } = yield* makeDesk
      assert.deepStrictEqual(yield* here.look(asha, leadId, {}), [])
      yield* TestClock.adjust("15 seconds")
      yield* here.look(asha, leadId, { typing: true })
      const [seen, ...more] = yield* there.look(ravi, leadId, {})
      assert.deepStrictEqual(more, [])
      assert.deepInclude(seen, { agentId: 1, email: "asha@example.com", typing: true, since: start })
      assert.deepStrictEqual(
        (yield* here.look(asha, leadId, {})).map(({ email, since, typing }) => [email, since, typing]),
        [["ravi@example.com", start + 15_000, false]]
      )
    })
  )

  it.effect("ends 40 seconds after the last report or immediately on leaving, and starts again with a new time", () =>
    Effect.gen(function* () {
      const { asha, here, leadId, ravi } = yield* makeDesk
      yield* here.look(asha, leadId, {})
      yield* TestClock.adjust("39 seconds")
      assert.strictEqual((yield* here.look(ravi, leadId, {})).length, 1)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* here.look(ravi, leadId, {}), [])
      yield* here.look(asha, leadId, {})
      assert.deepStrictEqual(
        (yield* here.look(ravi, leadId, {})).map(({ since }) => since),
        [start + 40_000]
      )
      assert.strictEqual((yield* here.look(asha, leadId, { gone: true })).length, 1)
      assert.deepStrictEqual(yield* here.look(ravi, leadId, {}), [])
    })
  )

  it.effect("is invisible at other leads and in other environments, and unknown where the lead does not exist", () =>
    Effect.gen(function* () {
      const { asha, here, leadId, leads, live, merchants, ravi, test } = yield* makeDesk
      yield* here.look(asha, leadId, {})
      const { lead: other } = yield* leads.create(live, { phone: "+919876543211" })
      assert.deepStrictEqual(yield* here.look(ravi, other.id, {}), [])
      const unknown = (caller: Caller) =>
        Effect.map(Effect.flip(here.look(signedIn(caller, 2, "ravi@example.com"), leadId, {})), ({ _tag }) => _tag)
      assert.strictEqual(yield* unknown(test), "UnknownLead")
      const keys = yield* Effect.orDie(merchants.create("Other"))
      const stranger = yield* Effect.orDie(merchants.authenticate(keys.live.clientId, keys.live.clientSecret))
      assert.strictEqual(yield* unknown(stranger), "UnknownLead")
      // Lead 1 of another merchant has the same number, and its own presences.
      const { lead: theirs } = yield* leads.create(stranger, { phone: "+919876543210" })
      assert.strictEqual(theirs.id, leadId)
      assert.deepStrictEqual(yield* here.look(signedIn(stranger, 2, "eve@example.com"), theirs.id, {}), [])
      assert.deepStrictEqual(
        yield* here.look(ravi, leadId, {}).pipe(Effect.map((all) => all.map((one) => one.agentId))),
        [1]
      )
    })
  )

  it.effect("is deleted from storage within minutes", () =>
    Effect.gen(function* () {
      const { asha, here, leadId, live, storage } = yield* makeDesk
      const store = Context.get(storage, PresenceStore)
      yield* here.look(asha, leadId, {})
      yield* TestClock.adjust("9 minutes")
      assert.strictEqual((yield* store.list(live.environment, leadId)).length, 1)
      yield* TestClock.adjust("12 minutes")
      assert.deepStrictEqual(yield* store.list(live.environment, leadId), [])
    })
  )
})
