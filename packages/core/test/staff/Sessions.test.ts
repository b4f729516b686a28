import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Agents, Sessions } from "../../src/index.ts"
import { StaffStore, type Session } from "../../src/index.storage.ts"
import { hashOf, newToken } from "../../src/auth/staff/sessionToken.ts"
import { withSetClock } from "../fixtures/setClock.ts"
import { makeProcess, makeWorld, start } from "../fixtures/World.ts"
import { operator } from "../../src/foundation/outbox/AuditEntry.ts"

const minute = 60_000
const hour = 60 * minute

const makePeople = Effect.gen(function* () {
  const world = yield* makeWorld({ idle: true })
  const other = yield* makeProcess(world.storage, { idle: true })
  const store = Context.get(world.storage, StaffStore)
  const agents = Context.get(world.services, Agents)
  const owner = yield* agents.create({ ...world.live, actor: operator }, { email: "owner@shop.example", role: "OWNER" })
  const asha = yield* agents.create(world.live, { email: "Asha@shop.example", role: "ADMIN" })
  let count = 0
  /** Stores a session as if the agent had signed in. */
  const signIn = Effect.fnUntraced(function* (agentId: number) {
    const token = newToken()
    const session: Session = {
      merchantId: world.live.merchantId,
      id: `ses_${++count}`,
      version: 0,
      agentId,
      era: (yield* store.membership(world.live.merchantId, agentId))!.agent.era,
      hash: hashOf(token)!,
      method: "CODE",
      emailProven: true,
      reach: [],
      address: null,
      userAgent: null,
      signedInAt: yield* Effect.clockWith((clock) => clock.currentTimeMillis),
      lastUsedAt: yield* Effect.clockWith((clock) => clock.currentTimeMillis),
      endedAt: null
    }
    yield* store.commit(StaffStore.change({ sessions: [session] }))
    return { token, session }
  })
  const sessions = { here: Context.get(world.services, Sessions), there: Context.get(other.services, Sessions) }
  const enter = (token: string, where: Sessions["Service"] = sessions.here) =>
    Effect.map(Effect.result(where.callerOf(token, null)), (result) =>
      result._tag === "Success" ? "in" : result.failure._tag
    )
  return { ...world, store, agents, owner, asha, signIn, sessions, enter, other }
})

describe("a session", () => {
  it.effect("authenticates its agent in the environment that the request names, and in live by default", () =>
    Effect.gen(function* () {
      const world = yield* makePeople
      const { session, token } = yield* world.signIn(world.asha.id)
      const caller = yield* world.sessions.here.callerOf(token, null)
      assert.deepStrictEqual(caller, {
        ...world.live,
        credentialId: null,
        audience: "countersign:dashboard",
        scopes: ["auth", "leads", "dashboard"],
        person: {
          agentId: world.asha.id,
          email: "Asha@shop.example",
          role: "ADMIN",
          sessionId: session.id,
          emailProven: session.emailProven,
          needsPasskey: false,
          era: 0,
          freshUntil: start + 10 * minute
        },
        actor: { kind: "AGENT", id: String(world.asha.id), label: "Asha@shop.example" },
        address: null
      })
      const inTest = yield* world.sessions.here.callerOf(token, "test")
      assert.deepStrictEqual([inTest.environment, inTest.kind], [world.test.environment, "test"])
      yield* world.merchants.changeSettings(world.live, { codeLength: 4 })
      assert.strictEqual((yield* world.sessions.here.callerOf(token, null)).settings.codeLength, 4)
    })
  )

  it.effect("is refused for a forged, truncated or unknown token", () =>
    Effect.gen(function* () {
      const world = yield* makePeople
      const { token } = yield* world.signIn(world.asha.id)
      const wrong = ["", " ", token.slice(1), `${token}a`, token.toUpperCase(), hashOf(token)!, "\u0000", newToken()]
      for (const text of wrong) assert.strictEqual(yield* world.enter(text), "InvalidCredentials", text)
      assert.strictEqual(yield* world.enter(token), "in")
    })
  )

  it.effect("ends after 12 hours without use, and after 7 days however often it is used", () =>
    Effect.gen(function* () {
      const world = yield* makePeople
      const { token: idle } = yield* world.signIn(world.asha.id)
      const { token: busy } = yield* world.signIn(world.asha.id)
      yield* TestClock.adjust(12 * hour - 1)
      assert.strictEqual(yield* world.enter(busy), "in")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* world.enter(idle), "InvalidCredentials")
      for (let hours = 12; hours < 7 * 24 - 6; hours += 6) {
        assert.strictEqual(yield* world.enter(busy, world.sessions.there), "in")
        yield* TestClock.adjust(6 * hour)
      }
      yield* TestClock.adjust(start + 7 * 24 * hour - 1 - (yield* Effect.clockWith((clock) => clock.currentTimeMillis)))
      assert.strictEqual(yield* world.enter(busy), "in")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* world.enter(busy), "InvalidCredentials")
    })
  )

  it.effect("stores its last use every five minutes, not with every request", () =>
    Effect.gen(function* () {
      const world = yield* makePeople
      const { session, token } = yield* world.signIn(world.asha.id)
      const lastUse = Effect.map(world.store.session(session.hash), (found) => found!.session.lastUsedAt - start)
      for (let seconds = 0; seconds < 299; seconds += 23) {
        assert.strictEqual(yield* world.enter(token), "in")
        yield* TestClock.adjust("23 seconds")
      }
      assert.strictEqual(yield* lastUse, 0)
      yield* TestClock.adjust("1 second")
      yield* world.enter(token)
      assert.strictEqual(yield* lastUse, 300_000)
    })
  )

  const ends: {
    readonly [what: string]: { readonly role?: string; readonly status?: string; readonly email?: string }
  } = {
    "another role": { role: "AGENT" },
    "a suspension": { status: "SUSPENDED" },
    "another address": { email: "other@shop.example" }
  }
  for (const [what, fields] of Object.entries(ends)) {
    it.effect(`ends with ${what}: here immediately, in other processes within 3 seconds, and for good`, () =>
      Effect.gen(function* () {
        const world = yield* makePeople
        const { token } = yield* world.signIn(world.asha.id)
        const { here, there } = world.sessions
        for (const where of [here, there]) assert.strictEqual(yield* world.enter(token, where), "in")
        yield* world.agents.change({ ...world.live, actor: operator }, world.asha.id, fields)
        assert.strictEqual(yield* world.enter(token, here), "InvalidCredentials")
        yield* TestClock.adjust("3 seconds")
        assert.strictEqual(yield* world.enter(token, there), "InvalidCredentials")
        const { email, role, status } = world.asha
        yield* world.agents.change({ ...world.live, actor: operator }, world.asha.id, { email, role, status })
        assert.strictEqual(yield* world.enter(token, here), "InvalidCredentials")
      })
    )
  }

  it.effect("ends when its agent is removed, and not when other agents change", () =>
    Effect.gen(function* () {
      const world = yield* makePeople
      const { token } = yield* world.signIn(world.asha.id)
      const { token: owners } = yield* world.signIn(world.owner.id)
      yield* world.agents.remove(world.live, world.asha.id)
      assert.strictEqual(yield* world.enter(token), "InvalidCredentials")
      // Storing another agent's removal also stores the remaining owner, who stays signed in.
      const second = yield* world.agents.create(
        { ...world.live, actor: operator },
        { email: "second@shop.example", role: "OWNER" }
      )
      yield* world.agents.change({ ...world.live, actor: operator }, second.id, { role: "VIEWER" })
      assert.strictEqual(yield* world.enter(owners), "in")
    })
  )

  it.effect("is refused with MerchantSuspended while its merchant is suspended", () =>
    Effect.gen(function* () {
      const world = yield* makePeople
      const { token } = yield* world.signIn(world.asha.id)
      assert.strictEqual(yield* world.enter(token), "in")
      yield* world.merchants.setStatus(world.live.merchantId, "SUSPENDED")
      assert.strictEqual(yield* world.enter(token), "MerchantSuspended")
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual(yield* world.enter(token, world.sessions.there), "MerchantSuspended")
      yield* world.merchants.setStatus(world.live.merchantId, "ACTIVE")
      assert.strictEqual(yield* world.enter(token), "in")
    })
  )

  it.effect("does not become fresh again when the clock is set back", () =>
    withSetClock((set) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const world = yield* makePeople
        const { token } = yield* world.signIn(world.asha.id)
        const isFresh = Effect.gen(function* () {
          const { person } = yield* world.sessions.here.callerOf(token, null)
          return person !== null && (yield* Clock.currentTimeMillis) < person.freshUntil
        })
        assert.isTrue(yield* isFresh)
        yield* TestClock.adjust("50 minutes")
        assert.isFalse(yield* isFresh)
        set(-55 * minute)
        assert.isFalse(yield* isFresh)
        assert.deepStrictEqual(yield* world.sessions.here.addable(token), [])
      })
    )
  )
})
