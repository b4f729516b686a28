import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import {
  AgentCredentials,
  Agents,
  forgetPasskeys,
  type Browser,
  type Caller,
  type Granted,
  type Holder,
  Invitations,
  Passkeys,
  Sessions,
  SignIn
} from "../../src/index.ts"
import type { PasskeyJson, PasskeyVerifier } from "../../src/index.staff.ts"
import { AuditStore, PasskeyStore, StaffStore } from "../../src/index.storage.ts"
import * as Challenge from "../../src/auth/staff/Challenge.ts"
import { makeProcess, makeStorage, makeWorld, secrets } from "../fixtures/World.ts"
import { operator } from "../../src/foundation/outbox/AuditEntry.ts"

const minute = 60_000
const browser: Browser = { address: "192.0.2.7", userAgent: "Firefox", token: null }
const by = { actor: operator, address: null }

const answerTo = (options: PasskeyJson, more: PasskeyJson): PasskeyJson => ({
  ...more,
  response: { clientDataJSON: btoa(JSON.stringify({ challenge: options["challenge"] })).replace(/=+$/, "") }
})

/** Accepts every answer to a challenge. The adapter checks signatures; core checks the rest. */
const believing: PasskeyVerifier = {
  creation: (party, { challenge, existing, owner }) =>
    Effect.succeed({ challenge, party: { ...party }, owner: { ...owner }, existing: existing.map(({ id }) => id) }),
  created: (_, { challenge, response }) =>
    Effect.succeed(
      Challenge.answered(response) === challenge && typeof response["id"] === "string"
        ? { id: response["id"], publicKey: "key", counter: 0, transports: [] }
        : null
    ),
  request: (_, { challenge }) => Effect.succeed({ challenge }),
  used: (_, { key, response }) => Effect.succeed(response["id"] === key.id ? key.counter : null)
}

const make = Effect.fnUntraced(function* (passkeys: PasskeyVerifier | undefined = believing) {
  const storage = yield* makeStorage
  const world = yield* makeWorld({ storage, idle: true, passkeys })
  const service = <I, S>(key: Context.Key<I, S>) =>
    Context.getUnsafe(world.services as Context.Context<any>, key as any) as S
  const sessions = service(Sessions)
  const agents = service(Agents)
  const invitations = service(Invitations)
  const store = Context.get(storage, StaffStore)
  const asha = yield* Effect.orDie(agents.create(world.live, { email: "asha@shop.example", role: "ADMIN" }))

  const holderOf = (granted: Granted): Effect.Effect<Holder> =>
    Effect.orDie(
      Effect.map(sessions.callerOf(Redacted.value(granted.token), null), (caller: Caller) => ({
        ...caller,
        person: caller.person ?? assert.fail("the session has no person")
      }))
    )
  /** A session that began with a code to the address. */
  const byCode = (email = "asha@shop.example") =>
    Effect.orDie(
      Effect.gen(function* () {
        const [first, ...others] = yield* store.memberships(email)
        return yield* sessions.begin([first!, ...others], { method: "CODE", emailProven: true }, browser)
      })
    )
  const mine = service(Passkeys)
  const add = Effect.fnUntraced(function* (holder: Holder, id: string) {
    return yield* mine.add(holder, { response: answerTo(yield* mine.creation(holder), { id }) })
  })
  /** Signs in with a passkey, in a browser that may already have a session. */
  const signIn = Effect.fnUntraced(function* (id: string, held?: Granted) {
    const token = held === undefined ? null : Redacted.value(held.token)
    return yield* mine.signIn(answerTo(yield* mine.request, { id }), { ...browser, token })
  })
  /** Turns requirePasskey on, after a colleague has a passkey. */
  const require = Effect.gen(function* () {
    yield* agents.create(world.live, { email: "first@shop.example", role: "ADMIN" })
    yield* add(yield* holderOf(yield* byCode("first@shop.example")), "first")
    yield* world.merchants.changeSettings({ ...world.live, actor: operator }, { requirePasskey: true })
  })
  const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
    Effect.match(effect, { onFailure: ({ _tag }) => _tag as string, onSuccess: () => "in" })
  return {
    ...world,
    storage,
    sessions,
    agents,
    invitations,
    credentials: service(AgentCredentials),
    asha,
    holderOf,
    byCode,
    passkeys: mine,
    add,
    require,
    signIn,
    tagOf,
    links: service(SignIn)
  }
})

describe("a passkey", () => {
  it.effect("is created by a signed-in agent, signs that agent in, and is audited by its name alone", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const holder = yield* w.holderOf(yield* w.byCode())
      const options = yield* w.passkeys.creation(holder)
      assert.deepInclude(options, {
        party: { id: "verify.example.com", name: "Countersign", origin: "https://verify.example.com" },
        existing: []
      })
      const made = yield* w.passkeys.add(holder, { response: answerTo(options, { id: "key1" }), name: " My phone " })
      assert.deepInclude(made, { id: "key1", name: "My phone", lastUsedAt: null })
      yield* TestClock.adjust(minute)
      const granted = yield* w.signIn("key1")
      assert.deepInclude(granted.agent, { id: w.asha.id, role: "ADMIN" })
      const [known] = yield* w.passkeys.list(yield* w.holderOf(granted))
      assert.strictEqual(known?.lastUsedAt, made.createdAt + minute)
      const audit = yield* Context.get(w.storage, AuditStore).list(
        { merchantId: w.live.merchantId, action: "passkey.added" },
        { after: null, limit: 10 }
      )
      assert.deepStrictEqual(
        audit.map(({ actor, environment, target, to }) => [actor.label, environment, target, to]),
        [["asha@shop.example", null, { kind: "passkey", id: "key1" }, { name: "My phone" }]]
      )
    })
  )

  it.effect("answers each challenge once, within five minutes, and only for its own purpose and session", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const holder = yield* w.holderOf(yield* w.byCode())
      yield* w.add(holder, "key1")
      const answer = answerTo(yield* w.passkeys.request, { id: "key1" })
      assert.strictEqual(yield* w.tagOf(w.passkeys.signIn(answer, browser)), "in")
      assert.strictEqual(yield* w.tagOf(w.passkeys.signIn(answer, browser)), "InvalidCredentials")
      // Challenges to create and to sign in are not interchangeable, and belong to their session.
      const creation = yield* w.passkeys.creation(holder)
      const foreign = yield* w.passkeys.creation(yield* w.holderOf(yield* w.byCode()))
      const late = yield* w.passkeys.request
      for (const options of [creation, { challenge: "AAAA" }, {}]) {
        const tried = w.passkeys.signIn(answerTo(options, { id: "key1" }), browser)
        assert.strictEqual(yield* w.tagOf(tried), "InvalidCredentials")
      }
      for (const options of [foreign, late, { challenge: "AAAA" }, {}]) {
        const tried = w.passkeys.add(holder, { response: answerTo(options, { id: "key2" }) })
        assert.strictEqual(yield* w.tagOf(tried), "InvalidField")
      }
      yield* TestClock.adjust(5 * minute)
      const signingIn = w.passkeys.signIn(answerTo(late, { id: "key1" }), browser)
      assert.strictEqual(yield* w.tagOf(signingIn), "InvalidCredentials")
      const adding = w.passkeys.add(holder, { response: answerTo(creation, { id: "key2" }) })
      assert.strictEqual(yield* w.tagOf(adding), "InvalidField")
    })
  )

  it.effect("that answers a challenge fifty times at the same moment starts one session, across processes", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const other = yield* makeProcess(w.storage, { idle: true, passkeys: believing })
      yield* w.add(yield* w.holderOf(yield* w.byCode()), "key1")
      const answer = answerTo(yield* w.passkeys.request, { id: "key1" })
      const tags = yield* Effect.forEach(
        Array.from({ length: 50 }, (_, i) => i),
        (i) => w.tagOf((i % 2 === 0 ? w.passkeys : Context.get(other.services, Passkeys)).signIn(answer, browser)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        tags.filter((tag) => tag === "in"),
        1
      )
    })
  )

  it.effect(
    "created after a link opens the merchant of the link alone, and shows no other passkey of the address",
    () =>
      Effect.gen(function* () {
        const w = yield* make()
        const other = yield* w.merchants.create("Bolt")
        const bolt = yield* w.merchants.authenticate(other.live.clientId, other.live.clientSecret)
        yield* w.add(yield* w.holderOf(yield* w.byCode()), "genuine")
        // Bolt adds asha's address, and opens the invitation itself.
        const victim = yield* w.agents.create(bolt, { email: "asha@shop.example", status: "INVITED" })
        const { token } = yield* w.invitations.invite(bolt, victim.id)
        const intruder = yield* w.holderOf(yield* w.links.redeem(Redacted.value(token), browser))
        assert.deepStrictEqual(yield* w.passkeys.list(intruder), [])
        assert.strictEqual(yield* w.tagOf(w.passkeys.remove(intruder, "genuine")), "UnknownPasskey")
        yield* w.add(intruder, "planted")
        const granted = yield* w.signIn("planted")
        assert.deepStrictEqual([granted.merchant.name, granted.merchants.map(({ name }) => name)], ["Bolt", ["Bolt"]])
        const over = w.sessions.changeOver(w.live.merchantId, { ...browser, token: Redacted.value(granted.token) })
        assert.strictEqual(yield* w.tagOf(over), "UnknownMerchant")
      })
  )

  it.effect(
    "created while its owner's address changes belongs to the previous address, and opens no account of the new one",
    () =>
      Effect.gen(function* () {
        const w = yield* make()
        const other = yield* w.merchants.create("Bolt")
        const bolt = yield* w.merchants.authenticate(other.live.clientId, other.live.clientSecret)
        const mallory = yield* w.agents.create(bolt, { email: "mallory@evil.example", role: "ADMIN" })
        const genuine = yield* w.holderOf(yield* w.byCode())
        yield* w.add(genuine, "genuine")
        // The request is authorised, then its body arrives slowly while Bolt changes the agent's address to asha's.
        const holder = yield* w.holderOf(yield* w.byCode("mallory@evil.example"))
        yield* w.agents.change({ ...bolt, actor: operator }, mallory.id, { email: "asha@shop.example" })
        assert.deepStrictEqual(yield* w.passkeys.list(holder), [])
        assert.strictEqual(yield* w.tagOf(w.passkeys.remove(holder, "genuine")), "UnknownPasskey")
        yield* w.add(holder, "planted")
        assert.strictEqual(yield* w.tagOf(w.signIn("planted")), "InvalidCredentials")
      })
  )

  it.effect("created after a link opens the account in its current state, and not after a change of role", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const chosen = yield* w.agents.create(w.live, { email: "next@shop.example", role: "VIEWER", status: "INVITED" })
      const { token } = yield* w.invitations.invite(w.live, chosen.id)
      const insider = yield* w.holderOf(yield* w.links.redeem(Redacted.value(token), browser))
      const late = yield* w.passkeys.creation(insider)
      yield* w.add(insider, "planted")
      assert.strictEqual(yield* w.tagOf(w.signIn("planted")), "in")
      yield* w.agents.change({ ...w.live, actor: operator }, chosen.id, { role: "OWNER" })
      // A request that was authorised before the change fails too.
      yield* w.passkeys.add(insider, { response: answerTo(late, { id: "late" }) })
      for (const id of ["planted", "late"]) assert.strictEqual(yield* w.tagOf(w.signIn(id)), "InvalidCredentials")
      // The owner of the address creates a passkey of their own.
      const genuine = yield* w.holderOf(yield* w.byCode("next@shop.example"))
      assert.deepStrictEqual(yield* w.passkeys.list(genuine), [])
      yield* w.add(genuine, "genuine")
      assert.strictEqual((yield* w.signIn("genuine")).agent.role, "OWNER")
    })
  )

  it.effect("that was removed, or whose owner was suspended or removed, opens no account", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const holder = yield* w.holderOf(yield* w.byCode())
      for (const id of ["key1", "key2"]) yield* w.add(holder, id)
      yield* w.passkeys.remove(holder, "key1")
      assert.strictEqual(yield* w.tagOf(w.signIn("key1")), "InvalidCredentials")
      assert.strictEqual(yield* w.tagOf(w.add(holder, "key1")), "InvalidField")
      assert.strictEqual(yield* w.tagOf(w.passkeys.remove(holder, "key1")), "UnknownPasskey")
      yield* w.agents.change(w.live, w.asha.id, { status: "SUSPENDED" })
      assert.strictEqual(yield* w.tagOf(w.signIn("key2")), "InvalidCredentials")
      yield* w.agents.change(w.live, w.asha.id, { status: "ACTIVE" })
      assert.strictEqual(yield* w.tagOf(w.signIn("key2")), "InvalidCredentials")
      // The person enters a code, then uses the passkey in the same browser.
      assert.strictEqual(yield* w.tagOf(w.signIn("key2", yield* w.byCode())), "in")
      assert.strictEqual(yield* w.tagOf(w.signIn("key2")), "in")
      yield* w.merchants.setStatus(w.live.merchantId, "SUSPENDED", by)
      assert.strictEqual(yield* w.tagOf(w.signIn("key2")), "InvalidCredentials")
      yield* w.merchants.setStatus(w.live.merchantId, "ACTIVE", by)
      const forgotten = forgetPasskeys("Asha@shop.example", by).pipe(Effect.provideContext(w.storage))
      assert.deepStrictEqual(yield* forgotten, { passkeys: 1, bindings: 0 })
      assert.strictEqual(yield* w.tagOf(w.signIn("key2")), "InvalidCredentials")
    })
  )

  it.effect("of a removed agent does not open the account of another person with the same address", () =>
    Effect.gen(function* () {
      const w = yield* make()
      yield* w.add(yield* w.holderOf(yield* w.byCode()), "old")
      yield* w.agents.remove(w.live, w.asha.id)
      assert.strictEqual(yield* w.tagOf(w.signIn("old")), "InvalidCredentials")
      yield* w.agents.create({ ...w.live, actor: operator }, { email: "asha@shop.example", role: "OWNER" })
      assert.strictEqual(yield* w.tagOf(w.signIn("old")), "InvalidCredentials")
      const successor = yield* w.holderOf(yield* w.byCode())
      assert.deepStrictEqual(yield* w.passkeys.list(successor), [])
      yield* w.require
      const ruled = yield* w.holderOf(yield* w.byCode())
      // The old passkey does not count for the new agent, who creates a first one.
      assert.strictEqual(yield* w.tagOf(w.add(ruled, "new")), "in")
      assert.strictEqual((yield* w.signIn("new")).agent.role, "OWNER")
      assert.strictEqual(yield* w.tagOf(w.signIn("old")), "InvalidCredentials")
    })
  )

  it.effect("does not open an agent that another merchant creates later, until its person signs in with a code", () =>
    Effect.gen(function* () {
      const w = yield* make()
      yield* w.add(yield* w.holderOf(yield* w.byCode()), "key1")
      const other = yield* w.merchants.create("Bolt")
      const bolt = yield* w.merchants.authenticate(other.live.clientId, other.live.clientSecret)
      yield* w.agents.create(bolt, { email: "asha@shop.example", role: "ADMIN" })
      const names = ({ merchants }: Granted) => merchants.map(({ name }) => name)
      const first = yield* w.signIn("key1")
      assert.deepStrictEqual(names(first), ["Acme"])
      // A passkey cannot bind itself, and a code from eleven minutes ago is too old.
      assert.deepStrictEqual(names(yield* w.signIn("key1", first)), ["Acme"])
      const stale = yield* w.byCode()
      yield* TestClock.adjust(11 * minute)
      assert.deepStrictEqual(names(yield* w.signIn("key1", stale)), ["Acme"])
      assert.sameMembers(names(yield* w.signIn("key1", yield* w.byCode())), ["Acme", "Bolt"])
      assert.sameMembers(names(yield* w.signIn("key1")), ["Acme", "Bolt"])
      const bound = yield* Context.get(w.storage, AuditStore).list(
        { merchantId: bolt.merchantId, action: "passkey.bound" },
        { after: null, limit: 10 }
      )
      assert.deepStrictEqual(
        bound.map(({ target }) => target),
        [{ kind: "passkey", id: "key1" }]
      )
    })
  )

  it.effect("used in the browser of a colleague who just signed in does not open the colleague's account", () =>
    Effect.gen(function* () {
      const w = yield* make()
      yield* w.agents.create({ ...w.live, actor: operator }, { email: "ravi@shop.example", role: "OWNER" })
      yield* w.add(yield* w.holderOf(yield* w.byCode()), "key1")
      const granted = yield* w.signIn("key1", yield* w.byCode("ravi@shop.example"))
      assert.strictEqual(granted.agent.email, "asha@shop.example")
      assert.strictEqual((yield* w.signIn("key1")).agent.email, "asha@shop.example")
    })
  )

  it.effect("is listed and removed by an owner, for that merchant alone", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const other = yield* w.merchants.create("Bolt")
      const bolt = yield* w.merchants.authenticate(other.live.clientId, other.live.clientSecret)
      yield* w.agents.create(bolt, { email: "asha@shop.example" })
      yield* w.add(yield* w.holderOf(yield* w.byCode()), "key1")
      const ids = Effect.map(w.credentials.list(w.live, w.asha.id), ({ passkeys }) => passkeys.map(({ id }) => id))
      assert.deepStrictEqual(yield* ids, ["key1"])
      yield* w.credentials.removePasskey(w.live, w.asha.id, "key1")
      assert.deepStrictEqual(yield* ids, [])
      assert.strictEqual(yield* w.tagOf(w.credentials.removePasskey(w.live, w.asha.id, "key1")), "UnknownPasskey")
      assert.strictEqual(yield* w.tagOf(w.credentials.list(w.live, 99)), "UnknownAgent")
      assert.strictEqual((yield* w.signIn("key1")).merchant.name, "Bolt")
      const removed = yield* Context.get(w.storage, AuditStore).list(
        { merchantId: w.live.merchantId, action: "passkey.removed" },
        { after: null, limit: 10 }
      )
      assert.lengthOf(removed, 1)
    })
  )

  it.effect("is refused beyond twenty, and its id can belong to one person only", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const holder = yield* w.holderOf(yield* w.byCode())
      yield* w.agents.create(w.live, { email: "ravi@shop.example" })
      for (let i = 0; i < 20; i++) yield* w.add(holder, `key${i}`)
      assert.strictEqual(yield* w.tagOf(w.passkeys.creation(holder)), "InvalidField")
      const ravi = yield* w.holderOf(yield* w.byCode("ravi@shop.example"))
      assert.strictEqual(yield* w.tagOf(w.add(ravi, "key3")), "InvalidField")
      assert.strictEqual(yield* w.tagOf(w.passkeys.remove(ravi, "key3")), "UnknownPasskey")
      assert.strictEqual((yield* Context.get(w.storage, PasskeyStore).get("key3"))?.canonical, "asha@shop.example")
    })
  )

  it.effect("can be requested under one master secret and used under the next", () =>
    Effect.gen(function* () {
      const w = yield* make()
      yield* w.add(yield* w.holderOf(yield* w.byCode()), "key1")
      const answer = answerTo(yield* w.passkeys.request, { id: "key1" })
      const next = yield* makeProcess(w.storage, {
        idle: true,
        passkeys: believing,
        secret: secrets.second,
        previousSecrets: [secrets.first]
      })
      assert.strictEqual(yield* w.tagOf(Context.get(next.services, Passkeys).signIn(answer, browser)), "in")
    })
  )

  it.effect("is refused with PasskeysAbsent where the service has no passkey verifier", () =>
    Effect.gen(function* () {
      const w = yield* make(undefined)
      const none = yield* makeProcess(w.storage, { idle: true })
      assert.strictEqual(yield* w.tagOf(Context.get(none.services, Passkeys).request), "PasskeysAbsent")
    })
  )
})

describe("where the setting requirePasskey is on", () => {
  it.effect("an owner or admin had a passkey before, and the service supports passkeys", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const rule = w.merchants.changeSettings({ ...w.live, actor: operator }, { requirePasskey: true })
      assert.deepInclude(yield* Effect.flip(rule), { _tag: "InvalidField", field: "requirePasskey" })
      yield* w.agents.create(w.live, { email: "agent@shop.example", role: "AGENT" })
      yield* w.add(yield* w.holderOf(yield* w.byCode("agent@shop.example")), "agent")
      assert.strictEqual(yield* w.tagOf(rule), "InvalidField")
      yield* w.add(yield* w.holderOf(yield* w.byCode()), "key1")
      const without = yield* makeProcess(w.storage, { idle: true })
      assert.strictEqual(
        yield* w.tagOf(without.merchants.changeSettings({ ...w.live, actor: operator }, { requirePasskey: true })),
        "InvalidField"
      )
      assert.strictEqual(yield* w.tagOf(rule), "in")
      // A process without passkeys may repeat the setting and turn it off.
      for (const requirePasskey of [true, false])
        assert.strictEqual(
          yield* w.tagOf(without.merchants.changeSettings({ ...w.live, actor: operator }, { requirePasskey })),
          "in"
        )
    })
  )

  it.effect("owners and admins without a passkey can only read, until they create one and use it", () =>
    Effect.gen(function* () {
      const w = yield* make()
      yield* w.require
      const first = yield* w.holderOf(yield* w.byCode())
      assert.deepInclude(first.person, { role: "VIEWER", needsPasskey: true })
      yield* w.add(first, "key1")
      const granted = yield* w.signIn("key1")
      const full = yield* w.holderOf(granted)
      assert.deepInclude(full.person, { role: "ADMIN", needsPasskey: false })
      // An attacker with access to the mailbox can neither add a passkey nor remove the owner's.
      const second = yield* w.holderOf(yield* w.byCode())
      assert.strictEqual(yield* w.tagOf(w.passkeys.creation(second)), "PasskeyNeeded")
      assert.strictEqual(yield* w.tagOf(w.passkeys.remove(second, "key1")), "PasskeyNeeded")
      assert.strictEqual(yield* w.tagOf(w.add(full, "key2")), "in")
      // A link to the account shows no passkeys either.
      const { token } = yield* w.invitations.anyLink({ merchantId: w.live.merchantId, email: "asha@shop.example", by })
      const linked = yield* w.holderOf(yield* w.links.redeem(Redacted.value(token), browser))
      assert.deepStrictEqual(yield* w.passkeys.list(linked), [])
      assert.strictEqual(yield* w.tagOf(w.passkeys.creation(linked)), "PasskeyNeeded")
      yield* w.agents.create(w.live, { email: "ravi@shop.example", role: "AGENT" })
      const agent = yield* w.holderOf(yield* w.byCode("ravi@shop.example"))
      assert.deepInclude(agent.person, { role: "AGENT", needsPasskey: false })
    })
  )

  it.effect("a sign-in through a merchant without the setting does not get around it", () =>
    Effect.gen(function* () {
      const w = yield* make()
      yield* w.require
      yield* w.add(yield* w.holderOf(yield* w.byCode()), "key1")
      const other = yield* w.merchants.create("Bolt")
      const bolt = yield* w.merchants.authenticate(other.live.clientId, other.live.clientSecret)
      yield* w.agents.create(bolt, { email: "asha@shop.example", role: "ADMIN" })
      const names = ({ merchants }: Granted) => merchants.map(({ name }) => name)
      /** An attacker with access to the mailbox, signed in at Bolt. */
      const atBolt = Effect.gen(function* () {
        const granted = yield* w.byCode()
        assert.sameMembers(names(granted), ["Acme", "Bolt"])
        const over = { ...browser, token: Redacted.value(granted.token) }
        return yield* w.sessions.changeOver(bolt.merchantId, over)
      })
      const holder = yield* w.holderOf(yield* atBolt)
      assert.deepInclude(holder.person, { role: "ADMIN", needsPasskey: false })
      yield* w.add(holder, "planted")
      assert.deepStrictEqual(names(yield* w.signIn("planted")), ["Bolt"])
      assert.deepStrictEqual(names(yield* w.signIn("planted", yield* atBolt)), ["Bolt"])
      assert.deepStrictEqual(names(yield* w.signIn("planted", yield* w.byCode())), ["Bolt"])
      // The owner's passkey can be removed at Bolt, and stays at Acme.
      assert.sameMembers(names(yield* w.signIn("key1", yield* atBolt)), ["Acme", "Bolt"])
      yield* w.passkeys.remove(yield* w.holderOf(yield* atBolt), "key1")
      const left = yield* w.signIn("key1")
      assert.deepStrictEqual(names(left), ["Acme"])
      assert.deepInclude((yield* w.holderOf(left)).person, { role: "ADMIN", needsPasskey: false })
      // Its owner, signed in with a passkey, removes it everywhere.
      yield* w.add(yield* w.holderOf(left), "key2")
      yield* w.passkeys.remove(yield* w.holderOf(left), "key1")
      assert.strictEqual(yield* w.tagOf(w.signIn("key1")), "InvalidCredentials")
    })
  )
})
