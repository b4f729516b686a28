import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import {
  AgentCredentials,
  Agents,
  type Browser,
  forgetPasskeys,
  type Granted,
  Invitations,
  ProviderSignIn,
  Sessions,
  SignIn
} from "../../src/index.ts"
import type { IdentityProvider, ProvidedIdentity } from "../../src/index.staff.ts"
import { AuditStore, StaffStore } from "../../src/index.storage.ts"
import { makeStorage, makeWorld } from "../fixtures/World.ts"
import { operator } from "../../src/foundation/outbox/AuditEntry.ts"

const minute = 60_000
const browser: Browser = { address: "192.0.2.7", userAgent: "Firefox", token: null }
const by = { actor: operator, address: null }
const issuer = "https://accounts.example.com"

/** A provider that returns the identity of the test. */
const make = Effect.gen(function* () {
  const storage = yield* makeStorage
  let identity: ProvidedIdentity
  const asked = { times: 0, maxAge: 0 }
  const provider: IdentityProvider = {
    name: "accounts.example.com",
    start: ({ state }, _, maxAge) => {
      asked.maxAge = maxAge
      return Effect.succeed(new URL(`${issuer}/authorize?state=${state}`))
    },
    finish: () =>
      Effect.sync(() => {
        asked.times++
        return identity
      })
  }
  const world = yield* makeWorld({ storage, idle: true, identityProvider: provider })
  const at = Context.get(world.services, ProviderSignIn)
  const store = Context.get(storage, StaffStore)
  const sessions = Context.get(world.services, Sessions)
  const agents = Context.get(world.services, Agents)

  /** The result of a provider sign-in: the agent's address, role and merchants, or the error tag. */
  const comeBack = (subject: string, email: string, held?: Granted, emailVerified = true) =>
    Effect.gen(function* () {
      identity = { issuer, subject, email, emailVerified, authenticatedAt: yield* Clock.currentTimeMillis }
      const { ticket, url } = yield* at.start
      const token = held === undefined ? null : Redacted.value(held.token)
      const granted = yield* at.finish(ticket, `?state=${url.searchParams.get("state")}&code=x`, { ...browser, token })
      return `${granted.agent.email} ${granted.agent.role} of ${granted.merchants.map(({ name }) => name).join(", ")}`
    }).pipe(Effect.catch(({ _tag }) => Effect.succeed(_tag)))

  const byCode = (email: string) =>
    Effect.gen(function* () {
      const [first, ...others] = yield* store.memberships(email)
      return yield* sessions.begin([first!, ...others], { method: "CODE", emailProven: true }, browser)
    }).pipe(Effect.orDie)

  const audit = (action: string) =>
    Effect.map(
      Context.get(storage, AuditStore).list({ merchantId: world.live.merchantId, action }, { after: null, limit: 10 }),
      (entries) => entries.map(({ target }) => target.id)
    )
  /** Starts a provider sign-in of a person who signed in there `ago` milliseconds before; null omits the time. */
  const back = (email: string, ago: number | null) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      identity = {
        issuer,
        subject: email,
        email,
        emailVerified: true,
        authenticatedAt: ago === null ? null : now - ago
      }
      const { ticket, url } = yield* at.start
      const query = `?state=${url.searchParams.get("state")}&code=x`
      return (address: string) => at.finish(ticket, query, { ...browser, address })
    })
  return { ...world, agents, store, storage, comeBack, byCode, audit, asked, back }
})

describe("signing in with a provider", () => {
  const email = "asha@shop.example"

  it.effect("exchanges one code per ticket, in any process", () =>
    Effect.gen(function* () {
      const w = yield* make
      yield* w.agents.create(w.live, { email })
      const finish = yield* w.back(email, 0)
      yield* finish("192.0.2.7")
      for (const address of ["192.0.2.7", "198.51.100.4"])
        assert.strictEqual((yield* Effect.flip(finish(address)))._tag, "InvalidCredentials")
      assert.strictEqual(w.asked.times, 1)
    })
  )

  it.effect("stops exchanging codes for a network after too many failures, and does not count successes", () =>
    Effect.gen(function* () {
      const w = yield* make
      yield* w.agents.create(w.live, { email })
      for (let i = 0; i < 3; i++) yield* (yield* w.back(email, 0))("192.0.2.7")
      for (let i = 0; i < 120; i++) {
        const refused = yield* Effect.flip((yield* w.back("stranger@evil.example", 0))("192.0.2.9"))
        assert.strictEqual(refused._tag, "InvalidCredentials")
      }
      assert.strictEqual(w.asked.times, 123)
      assert.strictEqual((yield* Effect.flip((yield* w.back(email, 0))("192.0.2.9")))._tag, "RateLimited")
      assert.strictEqual(w.asked.times, 123)
      yield* (yield* w.back(email, 0))("192.0.2.7")
    })
  )

  it.effect("is as fresh as the sign-in at the provider, which must be from the last ten minutes", () =>
    Effect.gen(function* () {
      const w = yield* make
      yield* w.agents.create(w.live, { email })
      const now = yield* Clock.currentTimeMillis
      for (const [ago, left] of [
        [0, 10],
        [4, 6],
        [11, 0],
        [60 * 24 * 30, 0],
        [-5, 10],
        [null, 0]
      ] as const) {
        const { freshUntil } = yield* (yield* w.back(email, ago === null ? null : ago * minute))("192.0.2.7")
        assert.strictEqual(freshUntil, now + left * minute, String(ago))
      }
      assert.strictEqual(w.asked.maxAge, 10 * minute)
    })
  )
})

describe("a provider's subject", () => {
  it.effect("opens the agent it is bound to, even with another address, verified or not", () =>
    Effect.gen(function* () {
      const w = yield* make
      const asha = yield* w.agents.create(w.live, { email: "asha.gupta@shop.example" })
      assert.strictEqual(yield* w.comeBack("asha", "asha.gupta@shop.example", undefined, false), "InvalidCredentials")
      const isIn = "asha.gupta@shop.example AGENT of Acme"
      assert.strictEqual(yield* w.comeBack("asha", "asha.gupta@shop.example"), isIn)
      assert.strictEqual(yield* w.comeBack("asha", "asha.sharma@shop.example"), isIn)
      assert.strictEqual(yield* w.comeBack("asha", "", undefined, false), isIn)
      assert.deepStrictEqual(yield* w.audit("provider.bound"), [String(asha.id)])
    })
  )

  it.effect("follows an address that the provider verifies later, and leaves the old address to its next owner", () =>
    Effect.gen(function* () {
      const w = yield* make
      const asha = yield* w.agents.create(w.live, { email: "asha.gupta@shop.example" })
      yield* w.comeBack("asha", "asha.gupta@shop.example")
      yield* w.agents.change({ ...w.live, actor: operator }, asha.id, { email: "asha.sharma@shop.example" })
      yield* w.agents.create({ ...w.live, actor: operator }, { email: "asha.gupta@shop.example", role: "OWNER" })
      assert.strictEqual(yield* w.comeBack("asha", "asha.gupta@shop.example"), "InvalidCredentials")
      assert.strictEqual(
        yield* w.comeBack("asha", "asha.sharma@shop.example"),
        "asha.sharma@shop.example AGENT of Acme"
      )
      assert.strictEqual(yield* w.comeBack("other", "asha.gupta@shop.example"), "asha.gupta@shop.example OWNER of Acme")
      yield* w.agents.remove(w.live, asha.id)
      assert.strictEqual(yield* w.comeBack("asha", "asha.sharma@shop.example"), "InvalidCredentials")
    })
  )

  it.effect("opens an agent of a later era only after its person signed in with a fresh code or link", () =>
    Effect.gen(function* () {
      const w = yield* make
      const email = "asha@shop.example"
      const comeBack = (held?: Granted) => w.comeBack("asha", email, held)
      const asha = yield* w.agents.create(w.live, { email })
      assert.strictEqual(yield* comeBack(), `${email} AGENT of Acme`)
      yield* w.agents.change(w.live, asha.id, { status: "SUSPENDED" })
      yield* w.agents.change(w.live, asha.id, { status: "ACTIVE" })
      assert.strictEqual(yield* comeBack(), "InvalidCredentials")
      const stale = yield* w.byCode(email)
      yield* TestClock.adjust(11 * minute)
      assert.strictEqual(yield* comeBack(stale), "InvalidCredentials")
      assert.strictEqual(yield* comeBack(yield* w.byCode(email)), `${email} AGENT of Acme`)
      assert.strictEqual(yield* comeBack(), `${email} AGENT of Acme`)
      // Without a mail server a link does the same.
      yield* w.agents.change(w.live, asha.id, { role: "ADMIN" })
      assert.strictEqual(yield* comeBack(), "InvalidCredentials")
      const { token } = yield* Context.get(w.services, Invitations).anyLink({
        merchantId: w.live.merchantId,
        email,
        by
      })
      const linked = yield* Context.get(w.services, SignIn).redeem(Redacted.value(token), browser)
      assert.strictEqual(yield* comeBack(linked), `${email} ADMIN of Acme`)
      assert.strictEqual(yield* comeBack(), `${email} ADMIN of Acme`)
    })
  )

  it.effect("is unbound by an owner or the operator until its person signs in with a code, and both are audited", () =>
    Effect.gen(function* () {
      const w = yield* make
      const email = "asha@shop.example"
      const asha = yield* w.agents.create(w.live, { email })
      yield* w.comeBack("asha", email)
      const credentials = Context.get(w.services, AgentCredentials)
      assert.lengthOf((yield* credentials.list(w.live, asha.id)).subjects, 1)
      yield* credentials.removeBindings(w.live, asha.id)
      assert.lengthOf((yield* credentials.list(w.live, asha.id)).subjects, 0)
      assert.strictEqual(yield* w.comeBack("asha", email), "InvalidCredentials")
      assert.strictEqual(yield* w.comeBack("asha", email, yield* w.byCode(email)), `${email} AGENT of Acme`)
      const forgotten = yield* forgetPasskeys(email, by).pipe(Effect.provideContext(w.storage))
      assert.deepStrictEqual(forgotten, { passkeys: 0, bindings: 1 })
      assert.strictEqual(yield* w.comeBack("asha", email), "InvalidCredentials")
      const id = String(asha.id)
      assert.deepStrictEqual(yield* w.audit("provider.removed"), [id, id])
      assert.deepStrictEqual(yield* w.audit("provider.bound"), [id, id])
    })
  )
})
