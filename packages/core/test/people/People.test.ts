import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import { type Caller, Erasures, Exports, OptOuts, People, RefusedInitiates, type Role } from "../../src/index.ts"
import { AuditStore, VerificationStore } from "../../src/index.storage.ts"
import { makeInbox, wrote } from "../fixtures/InboxWorld.ts"
import { login } from "../fixtures/logins.ts"
import { indian, otp, start, until, withSettings, wrong } from "../fixtures/World.ts"

const day = 24 * 3_600_000
const digits = "919876543210"
const mask = "+91******3210"

const world = Effect.gen(function* () {
  const made = yield* makeInbox()
  const settings = { maxConsecutiveFailures: 2, hourlyLimit: 100, oneTap: true }
  const people = Context.get(made.services, People)
  return {
    ...made,
    people,
    optOuts: Context.get(made.services, OptOuts),
    refused: Context.get(made.services, RefusedInitiates),
    live: withSettings(made.live, settings),
    test: withSettings(made.test, settings),
    /** A customer writes. Messages are decrypted outside the test clock, so this waits for the lead. */
    heard: Effect.fnUntraced(function* (phone: string, profileName: string | null = null) {
      yield* made.arrive(wrote(phone, "hello", start, { sender: { phone, userId: null, profileName } }))
      yield* TestClock.adjust("1 second")
      yield* until(Effect.map(Effect.orDie(made.leads.page(made.live, { phone })), (leads) => leads.length > 0))
    }),
    /** The reference of the only person that a search finds. */
    only: Effect.fnUntraced(function* (caller: Caller, search: string) {
      const found = yield* people.find(caller, search)
      assert.lengthOf(found, 1, search)
      return found[0]!
    })
  }
})

type World = Effect.Success<typeof world>

const signedIn = (caller: Caller, role: Role): Caller => ({
  ...caller,
  person: {
    agentId: 7,
    email: "agent@shop.example",
    role,
    sessionId: "ses_1",
    freshUntil: start,
    emailProven: true,
    era: 0,
    needsPasskey: false
  }
})

const guessWrong = Effect.fnUntraced(function* (w: World, caller: Caller, times: number) {
  const { verification } = yield* w.verifications.initiate(caller, otp(indian, { channel: "WHATSAPP" }))
  const code = wrong(yield* Effect.succeed(w.codeOf(verification)))
  for (let n = 0; n < times; n++) yield* w.verifications.verify(caller, { requestId: verification.id, otp: code })
  return verification
})

describe("a search for a person", () => {
  it.effect("finds them by identity in any spelling, last four digits, request, order and the name of their lead", () =>
    Effect.gen(function* () {
      const w = yield* world
      const request = otp(indian, { channel: "WHATSAPP", orderId: "order 1042" })
      const { verification } = yield* w.verifications.initiate(w.live, request)
      yield* w.verifications.initiate(w.live, otp("+91 98765 43999", { channel: "WHATSAPP" }))
      yield* w.heard(digits, "Asha Rao")
      for (const [search, by] of [
        ["9876543210", "IDENTITY"],
        [" +91 98765-43210 ", "IDENTITY"],
        ["3210", "ENDING"],
        [verification.id, "REQUEST"],
        ["order 1042", "ORDER"],
        ["asha", "NAME"],
        ["Rao As", "NAME"]
      ] as const) {
        const person = yield* w.only(w.live, search)
        assert.deepStrictEqual([person.by, person.identity], [by, mask], search)
        assert.strictEqual(person.reference, w.people.referenceOf(w.live.environment, digits))
        if (by === "NAME") assert.deepInclude(person, { name: "Asha Rao", leadId: 1, requestId: null })
        else assert.strictEqual(person.requestId, verification.id)
      }
      for (const search of [
        "9876500000",
        "98765432",
        "0000",
        "ver_01kaj3v9c0q5w8xn2rz7t4m6hd",
        "order 1",
        "nobody",
        "a@b.example"
      ])
        assert.deepStrictEqual(yield* w.people.find(w.live, search), [], search)
      for (const search of ["", "  ", "x".repeat(256)]) {
        const refused = yield* Effect.flip(w.people.find(w.live, search))
        assert.deepInclude(refused, { _tag: "InvalidField", field: "search" })
      }
    })
  )

  it.effect("finds by the last four digits the people of the last 30 days, and of leads", () =>
    Effect.gen(function* () {
      const w = yield* world
      yield* w.verifications.initiate(w.live, otp(indian, { channel: "WHATSAPP" }))
      yield* w.verifications.initiate(w.live, otp("+1 415 555 3210", { channel: "WHATSAPP" }))
      yield* w.heard("919811113210")
      const found = yield* w.people.find(w.live, "3210")
      assert.sameMembers(
        found.map(({ by, identity }) => `${by} ${identity}`),
        ["ENDING +14*****3210", `ENDING ${mask}`, `ENDING ${mask}`]
      )
      for (const search of ["210", "43210", "32 10"]) assert.deepStrictEqual(yield* w.people.find(w.live, search), [])
    })
  )

  it.effect(
    "finds a person known by a refusal, an opt-out or a lead alone, and counts that search as without result",
    () =>
      Effect.gen(function* () {
        const w = yield* world
        const viewer = signedIn(w.live, "VIEWER")
        const request = () => ({ identity: "9876500001", channel: "WHATSAPP" })
        yield* w.refused.note(w.live, { path: "SDK", errorCode: "RATE_LIMIT_EXCEEDED", reason: "address", request })
        yield* w.optOuts.add(w.live, "9876500002")
        yield* w.leads.create(w.live, { phone: "9876500003" })
        yield* TestClock.adjust("2 seconds")
        for (let n = 0; n < 100; n++) {
          const found = yield* w.people.find(viewer, `987650000${1 + (n % 3)}`)
          assert.deepStrictEqual([found.length, found[0]?.requestId], [1, null])
        }
        const limited = yield* Effect.flip(w.people.find(viewer, "9876500001"))
        assert.deepInclude(limited, { _tag: "RateLimited", limit: "lookUps" })
        assert.lengthOf(yield* w.people.find(w.live, "9876500001"), 1)
      })
  )

  it.effect("shows a signed-in caller no whole number, even in a name", () =>
    Effect.gen(function* () {
      const w = yield* world
      yield* w.heard(digits, "Asha 98765 43210")
      for (const role of ["VIEWER", "AGENT", "OWNER"] as const) {
        const caller = signedIn(w.live, role)
        const found = yield* w.people.find(caller, "asha")
        const person = yield* w.people.get(caller, found[0]!.reference)
        assert.strictEqual(person.lead?.name, "Asha 98****3210")
        assert.notMatch(JSON.stringify([found, person]).replaceAll(" ", ""), /9876543210/)
      }
    })
  )
})

describe("a person", () => {
  it.effect("shows locks, devices, conversation and opt-out, whatever record led to them", () =>
    Effect.gen(function* () {
      const w = yield* world
      yield* login(w, w.live)
      yield* w.heard(digits, "Asha Rao")
      yield* w.optOuts.add(w.live, indian)
      yield* guessWrong(w, w.live, 2)
      const { reference } = yield* w.only(w.live, indian)
      const person = yield* w.people.get(w.live, reference)
      assert.deepInclude(person, { reference, identity: mask, identityType: "MOBILE", country: "IN" })
      assert.deepStrictEqual(person.locks, [
        { path: "SERVER", wrongCodes: 2, lockedUntil: start + 1_000 + day },
        { path: "SDK", wrongCodes: 0, lockedUntil: null }
      ])
      assert.deepStrictEqual([person.devices.length, person.linksPausedUntil], [1, null])
      assert.deepStrictEqual(person.lead, {
        id: 1,
        name: "Asha Rao",
        status: "OPEN",
        lastMessageAt: start,
        waitingSince: start
      })
      assert.deepStrictEqual(person.optOut, { by: "PERSON", at: start + 1_000 })
    })
  )

  it.effect("is unlocked by their reference, with an entry in the audit log that shows a mask", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { id } = yield* guessWrong(w, w.live, 2)
      const agent = signedIn(w.live, "AGENT")
      const { reference } = yield* w.only(agent, id)
      assert.strictEqual((yield* Effect.flip(w.verifications.initiate(w.live, otp(indian))))._tag, "RateLimited")
      assert.isTrue(yield* w.people.unlock(agent, reference))
      assert.isFalse(yield* w.people.unlock(agent, reference))
      const { locks } = yield* w.people.get(agent, reference)
      assert.deepStrictEqual(
        locks.map(({ lockedUntil, wrongCodes }) => [wrongCodes, lockedUntil]),
        [
          [0, null],
          [0, null]
        ]
      )
      yield* w.verifications.initiate(w.live, otp(indian, { channel: "WHATSAPP" }))
      const audit = yield* Context.get(w.storage, AuditStore).list(
        { merchantId: w.live.merchantId, action: "identity.unlocked" },
        { after: null, limit: 10 }
      )
      assert.deepStrictEqual(
        audit.map(({ target }) => target),
        [{ kind: "identity", id: mask }]
      )
    })
  )

  it.effect("is unknown in every other environment, and by anything but a reference", () =>
    Effect.gen(function* () {
      const w = yield* world
      yield* guessWrong(w, w.test, 2)
      const { reference } = yield* w.only(w.test, indian)
      const foreign = { ...w.live, environment: "env_of_another_merchant" }
      for (const caller of [w.live, foreign]) {
        for (const text of [reference, digits, indian, mask, "per_", ""]) {
          assert.strictEqual((yield* Effect.flip(w.people.get(caller, text)))._tag, "UnknownPerson")
          assert.strictEqual((yield* Effect.flip(w.people.unlock(caller, text)))._tag, "UnknownPerson")
        }
        assert.deepStrictEqual(yield* w.people.find(caller, indian), [])
      }
      assert.strictEqual((yield* w.people.get(w.test, reference)).locks[0]?.wrongCodes, 2)
    })
  )

  it.effect("is an empty page after their erasure, whose lock still counts and can be lifted", () =>
    Effect.gen(function* () {
      const w = yield* world
      yield* guessWrong(w, w.live, 2)
      const { reference } = yield* w.only(w.live, indian)
      const erasures = Context.get(w.services, Erasures)
      const { id } = yield* erasures.begin(w.live, { identity: indian })
      while ((yield* erasures.get(w.live, id)).finishedAt === null) yield* TestClock.adjust("1 second")
      const store = Context.get(w.storage, VerificationStore)
      assert.strictEqual((yield* store.subject(w.live.environment, digits)).version, 0)
      const person = yield* w.people.get(w.live, reference)
      assert.deepInclude(person, { devices: [], lead: null, optOut: null, identity: mask })
      assert.strictEqual(person.locks[0]?.wrongCodes, 2)
      assert.deepStrictEqual(yield* w.people.find(w.live, indian), [])
      assert.isTrue(yield* w.people.unlock(w.live, reference))
      assert.strictEqual((yield* w.people.get(w.live, reference)).locks[0]?.wrongCodes, 0)
    })
  )
})

describe("the refusals of a person", () => {
  it.effect("are listed by their reference and part of their export, in every spelling", () =>
    Effect.gen(function* () {
      const w = yield* world
      for (const identity of ["9876543210", indian, "9876500000", "nonsense"]) {
        const request = () => ({ identity, channel: "WHATSAPP" })
        yield* w.refused.note(w.live, { path: "SERVER", errorCode: "RATE_LIMIT_EXCEEDED", reason: "spelling", request })
      }
      yield* TestClock.adjust("2 seconds")
      const person = w.people.referenceOf(w.live.environment, digits)
      const { items } = yield* w.refused.list(w.live, { person })
      assert.deepStrictEqual(
        items.map(({ identity }) => identity),
        [mask, mask]
      )
      const all = yield* w.refused.list(w.live, {})
      assert.deepStrictEqual(all.items.filter((refusal) => refusal.person === person).length, 2)
      assert.deepStrictEqual(all.items.filter((refusal) => refusal.person === null).length, 1)
      const exported = yield* Context.get(w.services, Exports).of(w.live, indian)
      const lines = yield* Stream.runCollect(exported)
      assert.lengthOf(
        lines.filter(({ kind }) => kind === "refusal"),
        2
      )
      for (const [caller, text] of [
        [w.test, person],
        [w.live, digits]
      ] as const) {
        assert.deepInclude(yield* Effect.flip(w.refused.list(caller, { person: text })), { field: "person" })
      }
    })
  )
})
