import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Agents, type Browser, type Granted, Invitations, Sessions, SignIn } from "../../src/index.ts"
import type { Channel, Message } from "../../src/index.channel.ts"
import { AuditStore, JobStore, FactStore, StaffStore, type Storage } from "../../src/index.storage.ts"
import { systemCaller } from "../../src/account/merchant/systemEnvironment.ts"
import { kinds } from "../../src/account/stat/fold.ts"
import { makeProcess, makeStorage, makeWorld, until } from "../fixtures/World.ts"
import { operator } from "../../src/foundation/outbox/AuditEntry.ts"

const minute = 60_000
const browser: Browser = { address: "192.0.2.7", userAgent: "Firefox", token: null }
const by = { actor: operator, address: null }

/** A mail server that keeps each code by its address. */
const mailbox = (local: boolean) => {
  const codes = new Map<string, string>()
  let sent = 0
  const channel: Channel = {
    name: "EMAIL",
    provider: "kept",
    supports: { identityTypes: ["EMAIL"], receipts: false, local, kinds: ["Code"] },
    send: (message: Message) =>
      Effect.sync(() => {
        sent++
        if (message._tag === "Code") codes.set(message.to, Redacted.value(message.code))
        return { providerId: null }
      })
  }
  return { channel, codes, count: () => sent }
}

/** Wraps storage and records every call of a store. A call yields first, as one to a database does. */
const noting = (storage: Context.Context<Storage>, calls: Array<string>): Context.Context<Storage> =>
  Context.makeUnsafe(
    new Map(
      Array.from(storage.mapUnsafe, ([name, service]: [string, any]) => [
        name,
        new Proxy(service, {
          get: (target, method: string) => {
            const found = target[method]
            if (typeof found !== "function") return found
            return (...given: ReadonlyArray<unknown>) => {
              calls.push(`${name.split("/").at(-1)}.${method}`)
              const called = found(...given)
              return Effect.isEffect(called) ? Effect.andThen(Effect.yieldNow, called) : called
            }
          }
        })
      ])
    )
  )

const make = Effect.fnUntraced(function* (
  options: { readonly withMail?: boolean; readonly idle?: boolean; readonly local?: boolean } = {}
) {
  const mail = mailbox(options.local === true)
  const calls: Array<string> = []
  const plain = yield* makeStorage
  const storage = noting(plain, calls)
  const signInJobs = Context.get(plain, JobStore).nextRunAt(["sign-in-code", "sign-in-refused"])
  /** Waits until the jobs of earlier requests have ended: sealing takes real time. */
  const ended = until(Effect.map(Effect.orDie(signInJobs), (next) => next === null))
  const channels = options.withMail === false ? [] : [mail.channel]
  const world = yield* makeWorld({ storage, channels, idle: options.idle === true })
  const service = <I, S>(key: Context.Key<I, S>) =>
    Context.getUnsafe(world.services as Context.Context<any>, key as any) as S
  const agents = service(Agents)
  const signIn = service(SignIn)
  const owner = yield* Effect.orDie(
    agents.create({ ...world.live, actor: operator }, { email: "owner@shop.example", role: "OWNER" })
  )
  /** The nonce of each browser, by the address that it requested a code for. */
  const nonces = new Map<string, string>()
  const nonceOf = (email: string) => nonces.get(email.trim().toLowerCase()) ?? null
  const askOnly = Effect.fnUntraced(function* (email: string, address: string | null) {
    const nonce = yield* signIn.ask(email, { address, nonce: nonceOf(email) })
    nonces.set(email.trim().toLowerCase(), Redacted.value(nonce))
  })
  /** Requests a code, and waits until its job has ended. */
  const ask = Effect.fnUntraced(function* (email: string, address: string | null = "192.0.2.7") {
    calls.length = 0
    yield* askOnly(email, address)
    yield* until(Effect.sync(() => calls.includes("VerificationStore.commit")))
    yield* ended
  })
  const confirm = (email: string, code: string, more: Partial<Browser> = {}) =>
    signIn.confirm({ email, code, nonce: nonceOf(email) }, { ...browser, ...more })
  const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
    Effect.match(effect, { onFailure: ({ _tag }) => _tag as string, onSuccess: () => "in" })
  const audited = (merchantId = world.live.merchantId) =>
    Effect.map(
      Effect.orDie(Context.get(storage, AuditStore).list({ merchantId }, { after: null, limit: 100 })),
      (entries) => entries.toReversed()
    )
  return {
    ...world,
    mail,
    calls,
    agents,
    signIn,
    owner,
    ask,
    askOnly,
    ended,
    nonces,
    confirm,
    tagOf,
    audited,
    sessions: service(Sessions),
    invitations: service(Invitations),
    store: Context.get(storage, StaffStore)
  }
})

const tokenOf = (granted: Granted) => Redacted.value(granted.token)
const atobUrl = (text: string) => atob(text.replaceAll("-", "+").replaceAll("_", "/"))

describe("a sign-in code", () => {
  it.effect("arrives by e-mail, and starts a session once", () =>
    Effect.gen(function* () {
      const w = yield* make()
      yield* w.ask(" Owner@Shop.example ")
      const code = w.mail.codes.get("owner@shop.example")!
      assert.match(code, /^[0-9]{6}$/)
      const granted = yield* w.confirm("OWNER@shop.example", ` ${code} `)
      assert.deepInclude(granted.agent, { id: w.owner.id, email: "owner@shop.example", role: "OWNER" })
      assert.deepStrictEqual(granted.merchant, { id: w.live.merchantId, name: "Acme" })
      assert.deepStrictEqual(granted.merchants, [granted.merchant])
      const caller = yield* w.sessions.callerOf(tokenOf(granted), "test")
      assert.strictEqual(caller.environment, w.test.environment)
      assert.strictEqual(yield* w.tagOf(w.confirm("owner@shop.example", code)), "InvalidCredentials")
      const [entry] = (yield* w.audited()).filter(({ action }) => action === "session.started")
      assert.deepInclude(entry, {
        environment: null,
        actor: { kind: "AGENT", id: "1", label: "owner@shop.example" },
        address: "192.0.2.7"
      })
      assert.strictEqual(entry?.to?.["method"], "CODE")
      assert.notInclude(JSON.stringify(entry), tokenOf(granted))
    })
  )

  it.effect("signs in once when many requests enter it at the same moment", () =>
    Effect.gen(function* () {
      const w = yield* make()
      yield* w.ask("owner@shop.example")
      const code = w.mail.codes.get("owner@shop.example")!
      const all = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => w.tagOf(w.confirm("owner@shop.example", code)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(all.filter((tag) => tag === "in").length, 1)
      assert.strictEqual(yield* Effect.map(w.store.sessions(w.live.merchantId, 1), (list) => list.length), 1)
    })
  )

  it.effect("is refused with one error whether it is wrong, late, used, or was never sent", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const entered = (code: string) => w.tagOf(w.confirm("owner@shop.example", code))
      assert.strictEqual(yield* entered("123456"), "InvalidCredentials")
      yield* w.ask("owner@shop.example")
      const code = w.mail.codes.get("owner@shop.example")!
      for (const wrong of ["x".repeat(1_000), "\u0000", code.slice(1)]) {
        assert.strictEqual(yield* entered(wrong), "InvalidCredentials", wrong)
      }
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(yield* entered(code), "InvalidCredentials")
      yield* TestClock.adjust("61 minutes")
      yield* w.ask("owner@shop.example")
      const second = w.mail.codes.get("owner@shop.example")!
      for (let n = 0; n < 5; n++) yield* entered("nothing")
      assert.strictEqual(yield* entered(second), "RateLimited")
    })
  )

  it.effect(
    "works in the browser that requested it, and strangers cannot use up that browser's requests or attempts",
    () =>
      Effect.gen(function* () {
        const w = yield* make()
        const email = "owner@shop.example"
        yield* w.ask(email)
        const own = w.nonces.get(email)!
        const asStranger = (n: number) => ({ address: `198.51.100.${n}`, nonce: null })
        // Four browsers of strangers receive codes too, and each uses all its attempts.
        for (let n = 0; n < 8; n++) {
          const asked = yield* Effect.exit(w.signIn.ask(email, asStranger(n)))
          assert.strictEqual(Exit.isSuccess(asked), n < 4, String(n))
          if (!Exit.isSuccess(asked)) continue
          const nonce = Redacted.value(asked.value)
          for (let tried = 0; tried < 7; tried++) {
            const tag = yield* w.tagOf(w.signIn.confirm({ email, code: "000000", nonce }, browser))
            assert.strictEqual(tag, tried < 5 ? "InvalidCredentials" : "RateLimited")
          }
        }
        for (let n = 0; n < 40; n++)
          yield* Effect.exit(w.signIn.confirm({ email, code: "000000", nonce: null }, browser))
        w.nonces.set(email, own)
        yield* w.ask(email)
        const code = w.mail.codes.get(email)!
        for (let n = 0; n < 4; n++) assert.strictEqual(yield* w.tagOf(w.confirm(email, "000000")), "InvalidCredentials")
        assert.strictEqual(yield* w.tagOf(w.confirm(email, code)), "in")
      })
  )

  it.effect("is compared only in the browser that requested it, for the same address, within the hour", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const email = "owner@shop.example"
      yield* w.ask(email)
      const code = w.mail.codes.get(email)!
      const nonce = w.nonces.get(email)!
      yield* w.ask("other@shop.example")
      for (const wrong of [null, "", "x", `${nonce}x`, w.nonces.get("other@shop.example")!])
        assert.strictEqual(
          yield* w.tagOf(w.signIn.confirm({ email, code, nonce: wrong }, browser)),
          "InvalidCredentials"
        )
      assert.strictEqual(yield* w.tagOf(w.signIn.confirm({ email, code, nonce }, browser)), "in")
    })
  )

  it.effect("accepts one spelling of its browser's nonce, so another spelling gives no further attempts", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const email = "owner@shop.example"
      yield* w.ask(email)
      const code = w.mail.codes.get(email)!
      const nonce = w.nonces.get(email)!
      // The last character has unused bits, so all of these decode to the same nonce.
      const others = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", (last) =>
        nonce.slice(0, -1).concat(last)
      ).filter((text) => text !== nonce && atobUrl(text) === atobUrl(nonce))
      assert.strictEqual(others.length, 15)
      for (const other of others)
        assert.strictEqual(
          yield* w.tagOf(w.signIn.confirm({ email, code, nonce: other }, browser)),
          "InvalidCredentials"
        )
      assert.strictEqual(yield* w.tagOf(w.signIn.confirm({ email, code, nonce }, browser)), "in")
    })
  )

  it.effect("does not count once it succeeds: nine sign-ins within an hour get nine codes", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const email = "owner@shop.example"
      for (let n = 1; n <= 9; n++) {
        yield* w.ask(email)
        assert.strictEqual(yield* w.tagOf(w.confirm(email, w.mail.codes.get(email)!)), "in", String(n))
        assert.strictEqual(w.mail.count(), n)
      }
      // A browser that loses its nonce is not limited either.
      for (let n = 1; n <= 9; n++) {
        w.nonces.clear()
        yield* w.ask(email)
        assert.strictEqual(yield* w.tagOf(w.confirm(email, w.mail.codes.get(email)!)), "in", String(n))
      }
    })
  )

  it.effect("is refused with RateLimited after four in an hour, whether or not an agent has the address", () =>
    Effect.gen(function* () {
      const w = yield* make()
      for (const email of ["owner@shop.example", "nobody@shop.example"]) {
        for (let n = 0; n < 4; n++) yield* w.ask(email)
        const refused = yield* Effect.flip(w.askOnly(email, "192.0.2.7"))
        assert.deepInclude(refused, { _tag: "RateLimited", limit: "signInCodes" })
      }
      assert.strictEqual(w.mail.count(), 4)
    })
  )

  it.effect("is never sent to an invited, suspended or removed agent, or for a suspended merchant", () =>
    Effect.gen(function* () {
      const w = yield* make()
      yield* w.agents.create(w.live, { email: "invited@shop.example", status: "INVITED" })
      yield* w.agents.create(w.live, { email: "suspended@shop.example", status: "SUSPENDED" })
      const gone = yield* w.agents.create(w.live, { email: "gone@shop.example" })
      yield* w.agents.remove(w.live, gone.id)
      for (const name of ["invited", "suspended", "gone", "nobody"]) yield* w.ask(`${name}@shop.example`)
      yield* w.merchants.setStatus(w.live.merchantId, "SUSPENDED")
      yield* w.ask("owner@shop.example")
      assert.strictEqual(w.mail.count(), 0)
      // The fixed codes of test environments do not sign in.
      for (const name of ["invited", "suspended", "gone", "nobody", "owner"]) {
        assert.strictEqual(yield* w.tagOf(w.confirm(`${name}@shop.example`, "123456")), "InvalidCredentials", name)
      }
    })
  )

  it.effect(
    "that is refused is audited once an hour, for the merchants whose agents have signed in with the address",
    () =>
      Effect.gen(function* () {
        const w = yield* make()
        yield* w.agents.create(w.live, { email: "invited@shop.example", status: "INVITED" })
        const refusals = Effect.map(w.audited(), (entries) =>
          entries
            .filter(({ action }) => action === "session.refused")
            .map(({ actor, address, target, to }) => ({
              actor: actor.kind,
              address,
              id: target.id,
              to
            }))
        )
        // A merchant can add the address of an agent who has never signed in, so such refusals are not audited.
        yield* w.ask("owner@shop.example")
        yield* w.confirm("owner@shop.example", w.mail.codes.get("owner@shop.example")!)
        const wrong = "none"
        for (const name of ["nobody", "invited", "owner"]) {
          for (let n = 0; n < 3; n++) yield* w.tagOf(w.confirm(`${name}@shop.example`, wrong))
        }
        const by = { actor: "SYSTEM" as const, address: "192.0.2.7" }
        const ofOwner = { ...by, id: String(w.owner.id) }
        yield* until(Effect.map(refusals, (found) => found.length > 0))
        assert.deepStrictEqual(yield* refusals, [{ ...ofOwner, to: { reason: "WRONG_CODE", status: "ACTIVE" } }])
        for (let n = 0; n < 3; n++) yield* w.ask("owner@shop.example")
        for (let n = 0; n < 2; n++) yield* w.tagOf(w.askOnly("owner@shop.example", "192.0.2.7"))
        yield* until(Effect.map(refusals, (found) => found.length > 1))
        // Both have the same time, so their order is open.
        assert.sameDeepMembers(
          [...(yield* refusals)],
          ["WRONG_CODE", "TOO_MANY_CODES"].map((reason) => ({ ...ofOwner, to: { reason, status: "ACTIVE" } }))
        )
      })
  )

  it.effect("costs the same storage calls for known and unknown addresses: to request, to try, and to exhaust", () =>
    Effect.gen(function* () {
      const w = yield* make()
      yield* w.agents.create(w.live, { email: "invited@shop.example", status: "INVITED" })
      const during = Effect.fnUntraced(function* <A, E>(effect: Effect.Effect<A, E>) {
        yield* w.ended
        // What follows a job may still call storage.
        for (let before = -1; before !== w.calls.length; ) {
          before = w.calls.length
          yield* until(Effect.succeed(true))
        }
        w.calls.length = 0
        yield* Effect.exit(effect)
        return w.calls.toSorted()
      })
      const course = Effect.fnUntraced(function* (email: string, codes: ReadonlyArray<string>) {
        w.nonces.clear()
        const asked = yield* during(w.askOnly(email, "192.0.2.7"))
        yield* until(Effect.sync(() => w.calls.includes("VerificationStore.commit")))
        const tried: Array<ReadonlyArray<string>> = []
        for (const code of codes) tried.push(yield* during(w.confirm(email, code)))
        return { asked, tried }
      })
      const codes = ["000000", "123456", "123456", "1", "2", "3"]
      yield* course("somebody@shop.example", codes)
      const known = yield* course("owner@shop.example", codes)
      assert.isAbove(known.asked.length, 0)
      assert.isTrue(known.tried[0]?.includes("VerificationStore.commit"))
      const noCodes = ["", " \t", "1".repeat(65)]
      const knownWithout = yield* course("owner@shop.example", noCodes)
      for (const email of ["nobody@shop.example", "invited@shop.example"]) {
        assert.deepStrictEqual(yield* course(email, codes), known, email)
        assert.deepStrictEqual(yield* course(email, noCodes), knownWithout, email)
      }
    })
  )

  it.effect("cannot be guessed: of 2,000 guesses over a day, from any number of addresses, about 50 are compared", () =>
    Effect.gen(function* () {
      const w = yield* make({ idle: true })
      const self = systemCaller("live")
      const request = {
        identity: "owner@shop.example",
        identityType: "EMAIL",
        mode: "OTP",
        orderId: "owner@shop.example"
      }
      const compared = () => w.calls.filter((call) => call === "VerificationStore.commit").length
      let code = ""
      let tried = 0
      let refused = 0
      for (let n = 0; n < 2_000; n++) {
        const address = `198.51.${Math.floor(n / 200)}.${n % 200}`
        if (n % 5 === 0 && (yield* w.tagOf(w.askOnly(request.identity, address))) === "in") {
          // Does the work of the job, because this world runs none.
          const started = yield* Effect.result(w.verifications.initiate(self, request))
          if (started._tag === "Success") code = w.codeOf(started.success.verification)
        }
        const guess = String(n).padStart(6, "0")
        w.calls.length = 0
        const tag = yield* w.tagOf(w.confirm(request.identity, guess === code ? "none" : guess, { address }))
        assert.notStrictEqual(tag, "in")
        tried += compared()
        if (tag === "RateLimited") refused++
        yield* TestClock.adjust(43_200)
      }
      assert.isAbove(tried, 40)
      assert.isAtMost(tried, 55)
      assert.isAbove(refused, 1_200)
    })
  )

  it.effect("has the same limits for known and unknown addresses", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const course = (email: string) =>
        Effect.gen(function* () {
          const asked = yield* Effect.forEach(Array.from({ length: 12 }), (_, n) =>
            w.tagOf(w.signIn.ask(email, { address: `203.0.113.${n}`, nonce: null }))
          )
          const tried = yield* Effect.forEach(Array.from({ length: 33 }), (_, n) =>
            w.tagOf(w.confirm(email, "000000", { address: `203.0.113.${n}` }))
          )
          return { asked, tried }
        })
      const known = yield* course("owner@shop.example")
      assert.deepStrictEqual(yield* course("nobody@shop.example"), known)
      assert.strictEqual(known.asked.filter((tag) => tag === "RateLimited").length, 7)
      assert.strictEqual(known.tried.filter((tag) => tag === "RateLimited").length, 3)
      assert.strictEqual(yield* w.tagOf(w.signIn.ask("no address", { address: null, nonce: null })), "InvalidField")
    })
  )

  it.effect(
    "opens the merchant that was used last, and lets the agent switch to others with the same active address",
    () =>
      Effect.gen(function* () {
        const w = yield* make()
        // Without a last use, the older agent counts.
        yield* TestClock.adjust("1 second")
        const other = yield* w.merchants.create("Bolt")
        const third = yield* w.merchants.create("Coil")
        const inOther = yield* w.merchants.authenticate(other.live.clientId, other.live.clientSecret)
        const inThird = yield* w.merchants.authenticate(third.live.clientId, third.live.clientSecret)
        yield* w.agents.create(inOther, { email: "Owner@shop.example", role: "VIEWER" })
        yield* w.agents.create(inThird, { email: "owner@shop.example", status: "INVITED" })
        yield* w.ask("owner@shop.example")
        const first = yield* w.confirm("owner@shop.example", w.mail.codes.get("owner@shop.example")!)
        assert.strictEqual(first.merchant.name, "Acme")
        assert.deepStrictEqual(first.merchants.map(({ name }) => name).toSorted(), ["Acme", "Bolt"])
        yield* TestClock.adjust("3 minutes")
        const moved = yield* w.sessions.changeOver(other.merchant.id, { ...browser, token: tokenOf(first) })
        assert.deepInclude(moved.agent, { role: "VIEWER", merchantId: other.merchant.id })
        assert.strictEqual(moved.freshUntil, first.freshUntil)
        assert.strictEqual(yield* w.tagOf(w.sessions.callerOf(tokenOf(first), null)), "InvalidCredentials")
        assert.strictEqual((yield* w.sessions.callerOf(tokenOf(moved), null)).environment, inOther.environment)
        for (const nowhere of [third.merchant.id, "mer_none", ""]) {
          const tag = yield* w.tagOf(w.sessions.changeOver(nowhere, { ...browser, token: tokenOf(moved) }))
          assert.strictEqual(tag, "UnknownMerchant")
        }
        yield* w.ask("owner@shop.example")
        const again = yield* w.confirm("owner@shop.example", w.mail.codes.get("owner@shop.example")!)
        assert.strictEqual(again.merchant.name, "Bolt")
      })
  )

  it.effect("does not open a merchant that added the address and redeemed its own link", () =>
    Effect.gen(function* () {
      const w = yield* make()
      // Bolt's agent is older than the one at Acme, and its link session is used last.
      const keys = yield* w.merchants.create("Bolt")
      const bolt = yield* w.merchants.authenticate(keys.live.clientId, keys.live.clientSecret)
      const email = "asha@shop.example"
      const planted = yield* w.agents.create(bolt, { email, status: "INVITED" })
      yield* TestClock.adjust(minute)
      yield* w.agents.create(w.live, { email })
      const signIn = Effect.gen(function* () {
        yield* TestClock.adjust(61 * minute)
        yield* w.ask(email)
        return yield* w.confirm(email, w.mail.codes.get(email)!)
      })
      assert.strictEqual((yield* signIn).merchant.name, "Acme")
      const { token } = yield* w.invitations.invite(bolt, planted.id)
      yield* TestClock.adjust(minute)
      yield* w.signIn.redeem(Redacted.value(token), browser)
      const granted = yield* signIn
      assert.strictEqual(granted.merchant.name, "Acme")
      // A new role at Acme does not make Bolt the last merchant.
      const [asha] = (yield* w.agents.list(w.live)).filter((agent) => agent.email === email)
      yield* w.agents.change(w.live, asha!.id, { role: "ADMIN" })
      const promoted = yield* signIn
      assert.strictEqual(promoted.merchant.name, "Acme")
      assert.sameMembers(
        promoted.merchants.map(({ name }) => name),
        ["Acme", "Bolt"]
      )
      // Switching to Bolt confirms it.
      yield* w.sessions.changeOver(bolt.merchantId, { ...browser, token: tokenOf(promoted) })
      assert.strictEqual((yield* signIn).merchant.name, "Bolt")
      // An address that replaces another person's is unconfirmed again.
      yield* w.agents.change({ ...bolt, actor: operator }, planted.id, { email: "second@shop.example" })
      yield* w.agents.change({ ...bolt, actor: operator }, planted.id, { email })
      assert.strictEqual((yield* signIn).merchant.name, "Acme")
    })
  )

  it.effect("starts a session that cannot switch to a merchant which adds the address later, or again", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const email = "asha@shop.example"
      const asha = yield* w.agents.create(w.live, { email })
      const keys = yield* w.merchants.create("Bolt")
      const bolt = yield* w.merchants.authenticate(keys.live.clientId, keys.live.clientSecret)
      yield* TestClock.adjust(minute)
      const there = yield* w.agents.create(bolt, { email })
      yield* w.ask(email)
      const granted = yield* w.confirm(email, w.mail.codes.get(email)!)
      assert.strictEqual(granted.merchant.name, "Acme")
      yield* w.agents.remove(bolt, there.id)
      yield* w.agents.create({ ...bolt, actor: operator }, { email, role: "OWNER" })
      const over = w.sessions.changeOver(bolt.merchantId, { ...browser, token: tokenOf(granted) })
      assert.strictEqual(yield* w.tagOf(over), "UnknownMerchant")
      assert.deepStrictEqual(
        (yield* w.sessions.accountStatus(tokenOf(granted))).merchants.map(({ name }) => name),
        ["Acme"]
      )
      assert.strictEqual(granted.agent.id, asha.id)
    })
  )

  it.effect("is not sent without a mail server, and the answer is the same", () =>
    Effect.gen(function* () {
      const w = yield* make({ withMail: false })
      yield* w.ask("owner@shop.example")
      yield* w.ask("nobody@shop.example")
      for (const code of ["123456", "000000"]) {
        assert.strictEqual(yield* w.tagOf(w.confirm("owner@shop.example", code)), "InvalidCredentials")
      }
      const { token } = yield* w.invitations.signInLink({
        merchantId: w.live.merchantId,
        email: "owner@shop.example",
        by
      })
      assert.strictEqual((yield* w.signIn.redeem(Redacted.value(token), browser)).agent.id, w.owner.id)
    })
  )

  it.effect("leaves no event in any environment, and no extra merchant in any list", () =>
    Effect.gen(function* () {
      const w = yield* make()
      yield* w.ask("owner@shop.example")
      yield* w.confirm("owner@shop.example", w.mail.codes.get("owner@shop.example")!)
      assert.deepStrictEqual(yield* w.events(w.live), [])
      assert.deepStrictEqual(yield* w.events(w.test), [])
      const listed = yield* w.merchants.list({ after: null, limit: 100 })
      assert.deepStrictEqual(
        listed.map(({ name }) => name),
        ["Acme"]
      )
      assert.strictEqual(yield* w.tagOf(w.merchants.setStatus("countersign", "SUSPENDED")), "UnknownMerchant")
      assert.strictEqual(yield* w.tagOf(w.merchants.get("countersign")), "UnknownMerchant")
    })
  )

  it.effect("is sent to an address at localhost only by a channel that stays on this machine", () =>
    Effect.gen(function* () {
      for (const local of [false, true]) {
        const w = yield* make({ local })
        for (const email of ["owner@localhost", "owner@shop.localhost"]) {
          yield* w.agents.create({ ...w.live, actor: operator }, { email, role: "OWNER" })
          yield* w.ask(email)
        }
        assert.strictEqual(w.mail.count(), local ? 2 : 0)
      }
    })
  )

  it.effect("is in no statistic, whether or not an agent has the address", () =>
    Effect.gen(function* () {
      const w = yield* make()
      for (const email of ["owner@shop.example", "nobody@shop.example"]) {
        yield* w.ask(email)
        yield* w.tagOf(w.confirm(email, w.mail.codes.get(email) ?? "000000"))
      }
      const facts = Context.get(w.storage, FactStore)
      for (const kind of kinds) assert.deepStrictEqual(yield* facts.environments(kind), [], kind)
    })
  )
})

describe("a sign-in link", () => {
  it.effect("activates an invited agent once, of 100 requests that redeem it at the same moment", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const asha = yield* w.agents.create(w.live, { email: "asha@shop.example", status: "INVITED", role: "ADMIN" })
      const { expiresAt, token, url } = yield* w.invitations.invite(w.live, asha.id)
      assert.strictEqual(Redacted.value(url), `https://verify.example.com/dashboard#redeem=${Redacted.value(token)}`)
      assert.strictEqual(expiresAt - (yield* Effect.clockWith((clock) => clock.currentTimeMillis)), 72 * 60 * minute)
      const all = yield* Effect.forEach(
        Array.from({ length: 100 }),
        () => w.tagOf(w.signIn.redeem(Redacted.value(token), browser)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(all.filter((tag) => tag === "in").length, 1)
      assert.strictEqual(all.filter((tag) => tag === "InvalidCredentials").length, 99)
      const sessions = yield* w.store.sessions(w.live.merchantId, asha.id)
      assert.deepStrictEqual(
        sessions.map(({ method }) => method),
        ["LINK"]
      )
      assert.deepInclude((yield* w.agents.list(w.live))[1], { status: "ACTIVE", role: "ADMIN" })
      const entries = (yield* w.audited()).map(({ action, actor }) => `${action} by ${actor.kind}`)
      for (const entry of ["agent.invited by KEY", "agent.activated by AGENT", "session.started by AGENT"]) {
        assert.strictEqual(entries.filter((each) => each === entry).length, 1, entry)
      }
      assert.notInclude(JSON.stringify(yield* w.audited()), Redacted.value(token))
      // Audited times are ISO text, as in the HTTP API.
      const told = (yield* w.audited()).map(({ from, to }) => ({ from, to }))
      assert.notMatch(JSON.stringify(told), /:\d{9,}/)
    })
  )

  it.effect("is refused once it is expired or replaced, or once the agent's role, address or status changed", () =>
    Effect.gen(function* () {
      const w = yield* make({ idle: true })
      const asha = yield* w.agents.create(w.live, { email: "asha@shop.example", status: "INVITED", role: "AGENT" })
      const invite = Effect.map(w.invitations.invite({ ...w.live, actor: operator }, asha.id), ({ token }) =>
        Redacted.value(token)
      )
      const redeem = (token: string) => w.tagOf(w.signIn.redeem(token, browser))
      const boss = { ...w.live, actor: operator }
      const change = (fields: object) => w.agents.change(boss, asha.id, fields)

      const first = yield* invite
      const second = yield* invite
      assert.strictEqual(yield* redeem(first), "InvalidCredentials")
      yield* TestClock.adjust("72 hours")
      assert.strictEqual(yield* redeem(second), "InvalidCredentials")
      const third = yield* invite
      // An ADMIN who created the link would become an OWNER by it.
      yield* change({ role: "OWNER" })
      assert.strictEqual(yield* redeem(third), "InvalidCredentials")
      const fourth = yield* invite
      yield* change({ status: "SUSPENDED" })
      assert.strictEqual(yield* redeem(fourth), "InvalidCredentials")
      assert.strictEqual(yield* w.tagOf(change({ status: "INVITED" })), "InvalidField")
      yield* change({ status: "ACTIVE" })
      assert.strictEqual(yield* w.tagOf(change({ status: "INVITED" })), "InvalidField")
      assert.strictEqual(yield* redeem(fourth), "InvalidCredentials")
      const link = (email: string) =>
        Effect.map(w.invitations.signInLink({ merchantId: w.live.merchantId, email, by }), ({ token }) =>
          Redacted.value(token)
        )
      const fifth = yield* link("asha@shop.example")
      yield* change({ email: "other@shop.example" })
      assert.strictEqual(yield* redeem(fifth), "InvalidCredentials")
      const sixth = yield* link("other@shop.example")
      yield* w.merchants.setStatus(w.live.merchantId, "SUSPENDED")
      assert.strictEqual(yield* redeem(sixth), "InvalidCredentials")
      yield* w.merchants.setStatus(w.live.merchantId, "ACTIVE")
      yield* w.agents.remove(boss, asha.id)
      for (const token of [sixth, "", "x", sixth.toUpperCase(), "\u0000"]) {
        assert.strictEqual(yield* redeem(token), "InvalidCredentials")
      }
    })
  )

  it.effect("opens its own merchant alone, because its creator may have kept it", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const other = yield* w.merchants.create("Bolt")
      const inOther = yield* w.merchants.authenticate(other.live.clientId, other.live.clientSecret)
      const victim = yield* w.agents.create(inOther, { email: "owner@shop.example", status: "INVITED" })
      const { token } = yield* w.invitations.invite(inOther, victim.id)
      const granted = yield* w.signIn.redeem(Redacted.value(token), browser)
      assert.deepStrictEqual(granted.merchants, [{ id: other.merchant.id, name: "Bolt" }])
      const over = w.sessions.changeOver(w.live.merchantId, { ...browser, token: tokenOf(granted) })
      assert.strictEqual(yield* w.tagOf(over), "UnknownMerchant")
    })
  )

  it.effect("shows and ends no session but its own", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const caller = (granted: Granted) =>
        Effect.map(w.sessions.callerOf(tokenOf(granted), null), (found) => ({ ...found, person: found.person! }))
      const [membership] = yield* w.store.memberships("owner@shop.example")
      const proven = yield* caller(
        yield* w.sessions.begin([membership!], { method: "CODE", emailProven: true }, browser)
      )
      const link = { merchantId: w.live.merchantId, email: "owner@shop.example", by }
      const { token } = yield* w.invitations.signInLink(link)
      const linked = yield* caller(yield* w.signIn.redeem(Redacted.value(token), browser))
      const ids = Effect.map(w.sessions.list(linked), (all) => all.map(({ id }) => id))
      assert.deepStrictEqual(yield* ids, [linked.person.sessionId])
      assert.strictEqual(yield* w.tagOf(w.sessions.end(linked, proven.person.sessionId)), "UnknownSession")
      assert.lengthOf(yield* w.sessions.list(proven), 2)
      assert.strictEqual(yield* w.tagOf(w.sessions.end(proven, linked.person.sessionId)), "in")
    })
  )

  it.effect("invites INVITED agents, and only owners create one for an owner or an active agent", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const person = {
        agentId: 9,
        email: "a@shop.example",
        sessionId: "ses_1",
        freshUntil: 0,
        emailProven: true,
        era: 0,
        needsPasskey: false
      }
      const admin = { ...w.live, person: { ...person, role: "ADMIN" as const } }
      const boss = { ...w.live, person: { ...person, role: "OWNER" as const } }
      const second = yield* w.agents.create(
        { ...w.live, actor: operator },
        { email: "b@shop.example", status: "INVITED", role: "OWNER" }
      )
      assert.strictEqual(yield* w.tagOf(w.invitations.invite(admin, second.id)), "AboveOwnRole")
      assert.strictEqual(yield* w.tagOf(w.invitations.invite(boss, second.id)), "in")
      // Only an owner, not an admin or a key, creates a link for an ACTIVE agent.
      const active = yield* w.agents.create(w.live, { email: "c@shop.example", role: "ADMIN" })
      const key = { ...w.live, actor: { kind: "KEY", id: "cs_live_1", label: null } } as const
      for (const caller of [admin, key])
        assert.strictEqual(yield* w.tagOf(w.invitations.invite(caller, active.id)), "AboveOwnRole")
      assert.strictEqual(yield* w.tagOf(w.invitations.invite(boss, active.id)), "in")
      assert.strictEqual(yield* w.tagOf(w.invitations.invite(boss, w.owner.id)), "in")
      yield* w.agents.change(w.live, active.id, { status: "SUSPENDED" })
      assert.strictEqual(yield* w.tagOf(w.invitations.invite(boss, active.id)), "InvalidField")
      assert.strictEqual(yield* w.tagOf(w.invitations.invite(boss, 99)), "UnknownAgent")
    })
  )

  it.effect("for an owner creates that owner once, however often they are invited", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const invite = (email: string, id = w.live.merchantId) => w.invitations.inviteOwner({ merchantId: id, email, by })
      const all = yield* Effect.forEach(Array.from({ length: 10 }), () => w.tagOf(invite("Second@shop.example")), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(new Set(all), new Set(["in"]))
      const [, second, ...others] = yield* w.agents.list(w.live)
      assert.deepStrictEqual(others, [])
      assert.deepInclude(second, { email: "Second@shop.example", role: "OWNER", status: "INVITED" })
      assert.strictEqual(yield* w.tagOf(invite("owner@shop.example")), "InvalidField")
      assert.strictEqual(yield* w.tagOf(invite("third@shop.example", "mer_none")), "UnknownMerchant")
      const link = (email: string) => w.invitations.signInLink({ merchantId: w.live.merchantId, email, by })
      assert.strictEqual(yield* w.tagOf(link("nobody@shop.example")), "InvalidField")
      yield* w.agents.create(w.live, { email: "away@shop.example", status: "SUSPENDED" })
      assert.strictEqual(yield* w.tagOf(link("away@shop.example")), "InvalidField")
      const { token } = yield* link("second@shop.example")
      assert.strictEqual((yield* w.signIn.redeem(Redacted.value(token), browser)).agent.role, "OWNER")
    })
  )
})

describe("the sessions of one person", () => {
  const signedIn = Effect.fnUntraced(function* (
    w: Effect.Success<ReturnType<typeof make>>,
    more: Partial<Browser> = {}
  ) {
    const [membership] = yield* w.store.memberships("owner@shop.example")
    const shown = { method: "CODE", emailProven: true } as const
    const granted = yield* w.sessions.begin([membership!], shown, { ...browser, ...more })
    const caller = yield* w.sessions.callerOf(tokenOf(granted), null)
    return { token: tokenOf(granted), who: { ...caller, person: caller.person! } }
  })

  it.effect("are listed and ended by that person alone, with effect here immediately", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const other = yield* makeProcess(w.storage)
      const there = Context.get(other.services, Sessions)
      const first = yield* signedIn(w)
      yield* TestClock.adjust("1 second")
      const second = yield* signedIn(w, { userAgent: "Safari", address: null })
      assert.deepStrictEqual(
        (yield* w.sessions.list(first.who)).map(({ address, id, userAgent }) => ({ address, id, userAgent })),
        [
          { address: null, id: second.who.person.sessionId, userAgent: "Safari" },
          { address: "192.0.2.7", id: first.who.person.sessionId, userAgent: "Firefox" }
        ]
      )
      assert.strictEqual(yield* w.tagOf(there.callerOf(second.token, null)), "in")
      const stranger = yield* w.agents.create(w.live, { email: "s@shop.example" })
      const strangers = { ...first.who, person: { ...first.who.person, agentId: stranger.id } }
      const end = (who: typeof first.who, id: string) => w.tagOf(w.sessions.end(who, id))
      assert.strictEqual(yield* end(strangers, second.who.person.sessionId), "UnknownSession")
      assert.strictEqual(yield* end(first.who, second.who.person.sessionId), "in")
      assert.strictEqual(yield* end(first.who, second.who.person.sessionId), "UnknownSession")
      assert.strictEqual(yield* w.tagOf(w.sessions.callerOf(second.token, null)), "InvalidCredentials")
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual(yield* w.tagOf(there.callerOf(second.token, null)), "InvalidCredentials")
      assert.strictEqual(yield* end(first.who, first.who.person.sessionId), "in")
      assert.deepStrictEqual(
        (yield* w.audited()).filter(({ action }) => action === "session.ended").map(({ to }) => to?.["reason"]),
        ["REVOKED", "SIGN_OUT"]
      )
    })
  )

  it.effect("are replaced when the same browser signs in again, and the oldest ends beyond 50", () =>
    Effect.gen(function* () {
      const w = yield* make()
      const first = yield* signedIn(w)
      const again = yield* signedIn(w, { token: first.token })
      yield* signedIn(w, { token: "not a token" })
      assert.strictEqual(yield* w.tagOf(w.sessions.callerOf(first.token, null)), "InvalidCredentials")
      for (let n = 0; n < 50; n++) {
        yield* TestClock.adjust("1 second")
        yield* signedIn(w)
      }
      assert.strictEqual((yield* w.sessions.list(again.who)).length, 50)
      assert.strictEqual(yield* w.tagOf(w.sessions.callerOf(again.token, null)), "InvalidCredentials")
    })
  )
})
