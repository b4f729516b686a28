import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Caller, OptOuts, type Role } from "../../src/index.ts"
import { AuditStore } from "../../src/index.storage.ts"
import { type InboxWorld, makeInbox, wrote } from "../fixtures/InboxWorld.ts"
import { makeProcess, makeWorld, secrets, start, until, withSettings, type World } from "../fixtures/World.ts"

const digits = "919876543210"
const phone = `+${digits}`
const other = "+6591234567"

const optOutsOf = (w: Pick<World, "services">) => Context.get(w.services, OptOuts)

const failure = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

const as = (caller: Caller, role: Role): Caller => ({
  ...caller,
  person: {
    agentId: 1,
    email: "asha@example.com",
    role,
    sessionId: "ses_1",
    era: 1,
    emailProven: true,
    needsPasskey: false,
    freshUntil: start
  }
})

/** Delivers customer messages, and waits until they are stored. */
const says = Effect.fnUntraced(function* (world: InboxWorld, ...messages: ReadonlyArray<ReturnType<typeof wrote>>) {
  yield* world.arrive(...messages)
  const ids = messages.map(({ id }) => id)
  const kept = (contact: string | null) =>
    world.store.known(world.live.environment, { phone: contact, userId: null }, ids)
  yield* until(
    Effect.map(Effect.orDie(kept(messages[0]!.sender.phone)), ({ kept }) => ids.every((id) => new Set(kept).has(id)))
  )
})

const isOut = (world: World, number = phone) =>
  Effect.map(optOutsOf(world).among(world.live.environment, [number, other]), (found) => found.has(number))

describe("opt-outs", () => {
  it.effect("are refused for a number that no message can have", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld()
      const optOuts = optOutsOf(w)
      for (const number of ["098765 43210", "0919876543210", "00919876543210", "+09876543210"]) {
        assert.strictEqual(yield* failure(optOuts.add(w.live, number)), "InvalidField", number)
      }
    })
  )

  it.effect("are added, listed and removed, with the actor audited", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld()
      const optOuts = optOutsOf(w)
      const added = yield* optOuts.add(w.live, "98765 43210")
      assert.deepStrictEqual(added, { phone, by: "PERSON", at: start })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* optOuts.add(w.live, phone), added)
      assert.deepStrictEqual(yield* optOuts.list(w.live, {}), { items: [added], nextCursor: null })
      assert.deepStrictEqual((yield* optOuts.list(w.test, {})).items, [])
      assert.deepStrictEqual(yield* optOuts.among(w.test.environment, [phone]), new Set())
      assert.deepStrictEqual(yield* optOuts.among(w.live.environment, [phone, other]), new Set([phone]))
      assert.deepStrictEqual(yield* optOuts.among(w.live.environment, []), new Set())
      assert.strictEqual(yield* failure(optOuts.remove(w.test, phone)), "UnknownOptOut")
      yield* optOuts.remove(w.live, digits)
      assert.strictEqual(yield* failure(optOuts.remove(w.live, phone)), "UnknownOptOut")
      assert.isFalse(yield* isOut(w))
      assert.deepStrictEqual((yield* optOuts.list(w.live, {})).items, [])
      const entries = yield* Context.get(w.storage, AuditStore).list(
        { merchantId: w.live.merchantId },
        { after: null, limit: 10 }
      )
      assert.deepStrictEqual(
        entries
          .filter(({ target }) => target.kind === "opt_out")
          .map(({ action, actor, target }) => [action, actor, target.id]),
        [
          ["opt_out.removed", w.live.actor, "+91******3210"],
          ["opt_out.added", w.live.actor, "+91******3210"]
        ]
      )
    })
  )

  it.effect("have pages, unmasked for agents and masked for viewers, and a cursor without a number", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld()
      const optOuts = optOutsOf(w)
      const phones = ["+14155552671", other, phone]
      for (const one of phones) yield* optOuts.add(w.live, one)
      const viewer = as(w.live, "VIEWER")
      const seen: Array<string> = []
      let cursor: string | null = null
      do {
        const page: Effect.Success<ReturnType<typeof optOuts.list>> = yield* optOuts.list(viewer, { cursor, limit: 1 })
        seen.push(...page.items.map((item) => item.phone))
        cursor = page.nextCursor
        if (cursor !== null) {
          assert.match(cursor, /^[A-Za-z0-9_.=-]+$/)
          for (const part of cursor.split(".")) assert.notInclude(Buffer.from(part, "base64").toString(), "555")
        }
      } while (cursor !== null)
      assert.deepStrictEqual(seen, ["+14*****2671", "+65****4567", "+91******3210"])
      const { nextCursor } = yield* optOuts.list(w.live, { limit: 1 })
      assert.strictEqual(yield* failure(optOuts.list(w.test, { cursor: nextCursor })), "InvalidField")
      const { items } = yield* optOuts.list(as(w.live, "AGENT"), {})
      assert.deepStrictEqual(
        items.map((item) => item.phone),
        phones
      )
      for (const query of [
        { limit: 0 },
        { limit: 201 },
        { limit: 1.5 },
        { cursor: "x" },
        { cursor: "" },
        { cursor: "a.b.c" }
      ]) {
        assert.strictEqual(yield* failure(optOuts.list(w.live, query)), "InvalidField")
      }
    })
  )

  it.effect("accept every kind of number, also in the merchant's own country", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld()
      const optOuts = optOutsOf(w)
      const american = withSettings(w.live, { defaultCountry: "US" })
      assert.strictEqual((yield* optOuts.add(american, "(415) 555-2671")).phone, "+14155552671")
      for (const text of ["", "abc", "ann@example.com", "12", "+", "\0", "9".repeat(100)]) {
        assert.strictEqual(yield* failure(optOuts.add(w.live, text)), "InvalidField", text)
        assert.strictEqual(yield* failure(optOuts.remove(w.live, text)), "InvalidField", text)
      }
    })
  )

  it.effect("come from customers, who can undo them, and are also messages of their lead", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      yield* says(world, wrote(digits, "Hello", start - 9_000))
      assert.isFalse(yield* isOut(world))
      yield* says(world, wrote(digits, "STOP", start - 8_000))
      assert.isTrue(yield* isOut(world))
      const [{ lead } = assert.fail("no lead")] = yield* world.leads.page(world.live, {})
      assert.strictEqual(lead.unreadCount, 2)
      yield* says(world, wrote(digits, "start", start - 7_000, { type: "button" }))
      assert.isFalse(yield* isOut(world))
      yield* says(world, wrote(digits, "stop", start - 6_000, { type: "list" }))
      assert.isFalse(yield* isOut(world))
      yield* says(world, wrote(digits, "बंद", start - 5_000, { type: "button" }))
      assert.deepStrictEqual((yield* optOutsOf(world).list(world.live, {})).items, [
        { phone, by: "MESSAGE", at: start - 5_000 }
      ])
    })
  )

  it.effect("are not undone by an older message that arrives late or again", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const stop = wrote(digits, "STOP", start - 8_000)
      yield* says(world, stop, wrote(digits, "START", start - 7_000))
      assert.isFalse(yield* isOut(world))
      yield* says(world, stop, wrote(digits, "and again", start))
      assert.isFalse(yield* isOut(world))
      yield* says(world, wrote(digits, "STOP", start - 7_500))
      assert.isFalse(yield* isOut(world))
      yield* optOutsOf(world).add(world.live, phone)
      yield* says(world, wrote(digits, "START", start - 1_000))
      assert.isTrue(yield* isOut(world))
      // A provider's clock may be ahead: a future message counts as now.
      yield* says(world, wrote(digits, "START", start + 60_000))
      assert.isTrue(yield* isOut(world))
      yield* TestClock.adjust("1 second")
      yield* says(world, wrote(digits, "START", start + 1_000))
      assert.isFalse(yield* isOut(world))
    })
  )

  it.effect("of a customer without a visible number apply to the lead", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      yield* says(
        world,
        wrote(digits, "Hello", start - 9_000, { sender: { phone: digits, userId: "u1", profileName: null } })
      )
      const hidden = wrote(null, "STOP", start - 8_000, { sender: { phone: null, userId: "u1", profileName: null } })
      yield* world.arrive(
        hidden,
        wrote(null, "STOP", start, { sender: { phone: null, userId: "u2", profileName: null } })
      )
      yield* until(isOut(world).pipe(Effect.orDie))
      assert.strictEqual((yield* optOutsOf(world).list(world.live, {})).items.length, 1)
    })
  )

  it.effect("are found by the dialled number and by WhatsApp's", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      yield* says(world, wrote("553191234567", "STOP", start - 9_000))
      assert.isTrue(yield* isOut(world, "+5531991234567"))
      assert.isTrue(yield* isOut(world, "+553191234567"))
    })
  )

  it.effect("survive the erasure of their person, under a hash of the number with the secret", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld()
      const optOuts = optOutsOf(w)
      const { environment } = w.live
      yield* optOuts.add(w.live, phone)
      yield* optOuts.forget(environment, phone)
      assert.deepStrictEqual((yield* optOuts.list(w.live, {})).items, [])
      assert.isTrue(yield* isOut(w))
      assert.deepInclude(yield* optOuts.of(environment, phone), { isOut: true, by: "PERSON", at: start })
      const rotated = optOutsOf(
        yield* makeProcess(w.storage, { secret: secrets.second, previousSecrets: [secrets.first] })
      )
      assert.deepStrictEqual(yield* rotated.among(environment, [phone]), new Set([phone]))
      // Without the secret of its hash it is lost.
      const later = optOutsOf(yield* makeProcess(w.storage, { secret: secrets.second }))
      assert.deepStrictEqual(yield* later.among(environment, [phone]), new Set())
      // An older message arrives late, and a newer message undoes it.
      const said = (at: number) => ({ phone, isOut: false, by: "MESSAGE", at }) as const
      yield* rotated.heard(environment, [said(start - 1)])
      assert.isTrue(yield* isOut(w))
      yield* rotated.heard(environment, [said(start + 1)])
      assert.isFalse(yield* isOut(w))
      yield* optOuts.forget(environment, phone)
      assert.isNull(yield* optOuts.of(environment, phone))
      yield* optOuts.forget(environment, phone)
      assert.isFalse(yield* isOut(w))
    })
  )
})
