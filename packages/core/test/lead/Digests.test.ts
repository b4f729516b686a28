import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Redacted, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Agents } from "../../src/index.ts"
import type { Channel, Message } from "../../src/index.channel.ts"
import { StaffStore } from "../../src/index.storage.ts"
import { makeInbox, signedInAs, wrote } from "../fixtures/InboxWorld.ts"
import { start, until } from "../fixtures/World.ts"

const phone = "919876543210"
const text = ({ text }: Message) => Redacted.value(text)

/** An inbox whose agent Asha has proven her address, and the notices that the service mails. */
const makeDesk = Effect.fnUntraced(function* (options: { readonly notices?: boolean; readonly idle?: boolean } = {}) {
  const mails: Array<Message> = []
  const mail: Channel = {
    name: "EMAIL",
    provider: "mail",
    supports: {
      identityTypes: ["EMAIL"],
      receipts: false,
      kinds: options.notices === false ? ["Code", "Link"] : ["Code", "Notice"]
    },
    send: (message) => Effect.sync(() => (mails.push(message), { providerId: null }))
  }
  const world = yield* makeInbox({ mail, idle: options.idle === true })
  const staff = Context.get(world.storage, StaffStore)
  const find = Effect.fnUntraced(function* (id: number) {
    const { agents } = yield* staff.staff(world.live.merchantId)
    return agents.find((agent) => agent.id === id) ?? assert.fail("no agent")
  })
  const join = Effect.fnUntraced(function* (email: string, role: "AGENT" | "OWNER" | "VIEWER" = "AGENT") {
    const { id } = yield* world.hire(email, role)
    yield* staff.commit(StaffStore.change({ agents: [{ ...(yield* find(id)), agreedAt: start }] }))
    return signedInAs(world.live, id, role)
  })
  /** A customer writes now. */
  const write = Effect.fnUntraced(function* (from: string) {
    const { count } = yield* world.leads.waiting(world.live)
    yield* world.arrive(wrote(from, "Secret words", start + 1_000_000_000))
    yield* until(Effect.map(Effect.orDie(world.leads.waiting(world.live)), (now) => now.count > count))
  })
  /** Passes minutes in steps, so that background work keeps up. */
  const pass = (minutes: number, step = 1) =>
    Effect.repeat(Effect.andThen(TestClock.adjust(step * 60_000), until(Effect.succeed(true))), {
      times: minutes / step - 1
    })
  return { ...world, mails, mail, find, join, write, pass, asha: yield* join("asha@shop.example") }
})

describe("mails about waiting customers", () => {
  it.effect("go to an agent after the chosen minutes, with counts, a time and a link, and nothing of a customer", () =>
    Effect.gen(function* () {
      const { agents, asha, mails, pass, write } = yield* makeDesk()
      yield* write(phone)
      yield* pass(30, 15)
      assert.deepStrictEqual(mails, [], "off by default")
      yield* agents.changeOwn(asha, { digestMinutes: 15 })
      yield* pass(1)
      const [mail, ...more] = mails
      assert.strictEqual(more.length, 0)
      assert.deepInclude(mail, { _tag: "Notice", to: "asha@shop.example", html: null, validForSeconds: null })
      const words = text(mail!)
      assert.include(words, "1 customer of Acme has waited longer than 15 minutes.")
      assert.include(words, "15:30 on 7 January 2030 (Asia/Kolkata)")
      assert.include(words, "https://verify.example.com/dashboard/inbox")
      for (const secret of ["Secret", phone, phone.slice(-4)]) assert.notInclude(words, secret)
    })
  )

  it.effect("come at most once an hour while somebody waits, and again for later waits", () =>
    Effect.gen(function* () {
      const { agents, asha, leads, live, mails, pass, write } = yield* makeDesk()
      yield* agents.changeOwn(asha, { digestMinutes: 15 })
      yield* write(phone)
      yield* pass(14)
      assert.strictEqual(mails.length, 0)
      yield* pass(1)
      assert.strictEqual(mails.length, 1)
      yield* write("919876543211")
      yield* agents.changeOwn(asha, { digestMinutes: null })
      yield* agents.changeOwn(asha, { digestMinutes: 15 })
      yield* pass(55, 5)
      yield* pass(4)
      assert.strictEqual(mails.length, 1, "another choice does not reset the hour")
      yield* pass(1)
      assert.strictEqual(mails.length, 2)
      assert.include(text(mails[1]!), "2 customers of Acme")
      for (const id of [1, 2]) yield* leads.close(live, id)
      yield* pass(65, 5)
      assert.strictEqual(mails.length, 2)
    })
  )

  it.effect("do not come when every customer was answered before the minutes passed", () =>
    Effect.gen(function* () {
      const { agents, asha, leads, live, mails, pass, write } = yield* makeDesk()
      yield* agents.changeOwn(asha, { digestMinutes: 15 })
      yield* write(phone)
      yield* pass(14)
      yield* leads.close(live, 1)
      yield* pass(60, 10)
      assert.deepStrictEqual(mails, [])
    })
  )

  it.effect("count unassigned leads and the agent's own, not those of colleagues", () =>
    Effect.gen(function* () {
      const { agents, asha, join, leads, live, mails, pass, write } = yield* makeDesk()
      yield* join("ravi@shop.example")
      for (const [n, owner] of [null, "asha@shop.example", "ravi@shop.example"].entries()) {
        yield* write(`91987654321${n}`)
        if (owner !== null) yield* leads.assign(live, { leadId: n + 1 }, owner)
      }
      yield* agents.changeOwn(asha, { digestMinutes: 15 })
      yield* pass(16)
      assert.deepStrictEqual(
        mails.map((mail) => [mail.to, text(mail).split(" of ")[0]]),
        [["asha@shop.example", "2 customers"]]
      )
    })
  )

  it.effect(
    "stop for a suspended agent and go on when the agent is active again; a removed agent's choice is erased",
    () =>
      Effect.gen(function* () {
        const { agents, asha, find, live, mails, pass, write } = yield* makeDesk()
        const id = asha.person.agentId
        yield* agents.changeOwn(asha, { digestMinutes: 15 })
        yield* write(phone)
        yield* agents.change(live, id, { status: "SUSPENDED" })
        yield* pass(60, 15)
        assert.deepStrictEqual(mails, [])
        yield* agents.change(live, id, { status: "ACTIVE" })
        yield* pass(15)
        assert.strictEqual(mails.length, 1)
        const stored = yield* find(id)
        assert.strictEqual(stored.digest?.minutes, 15)
        yield* agents.remove(live, id)
        yield* pass(65, 5)
        assert.strictEqual(mails.length, 1)
      })
  )

  it.effect("are sent once by two processes, and not again by a process that starts later", () =>
    Effect.gen(function* () {
      const { agents, another, asha, mails, pass, write } = yield* makeDesk()
      yield* another()
      yield* agents.changeOwn(asha, { digestMinutes: 15 })
      yield* write(phone)
      yield* pass(16)
      assert.strictEqual(mails.length, 1)
      yield* another()
      yield* pass(30, 10)
      assert.strictEqual(mails.length, 1)
    })
  )

  it.effect("are sent after a restart by a process that did not see the choice", () =>
    Effect.gen(function* () {
      const { another, asha, mails, pass } = yield* makeDesk({ idle: true })
      const scope = yield* Scope.make()
      const first = yield* Effect.provideService(another(), Scope.Scope, scope)
      yield* Context.get(first.services, Agents).changeOwn(asha, { digestMinutes: 15 })
      yield* first.arrive(wrote(phone, "Hello", start))
      yield* until(Effect.map(Effect.orDie(first.leads.waiting(asha)), ({ count }) => count === 1))
      yield* Scope.close(scope, Exit.void)
      yield* pass(20, 10)
      assert.deepStrictEqual(mails, [])
      yield* another()
      yield* pass(1)
      assert.strictEqual(mails.length, 1)
    })
  )

  it.effect("are refused with the reason to a viewer, for an address without proof, and without a mail channel", () =>
    Effect.gen(function* () {
      const { agents, asha, find, hire, join, live } = yield* makeDesk()
      const refusal = Effect.fnUntraced(function* (caller: typeof asha, digestMinutes: number) {
        const error = yield* Effect.flip(agents.changeOwn(caller, { digestMinutes }))
        return error._tag === "InvalidField" ? `${error.field} ${error.problem}` : error._tag
      })
      assert.include(
        yield* refusal(yield* join("vera@shop.example", "VIEWER"), 15),
        "digestMinutes needs the role AGENT"
      )
      const { id } = yield* hire("stranger@shop.example")
      assert.include(yield* refusal(signedInAs(live, id), 15), "sign in once with a code")
      assert.include(yield* refusal(asha, 30), "must be one of 15, 60, null")
      assert.isUndefined((yield* find(id)).digest)
      const silent = yield* makeDesk({ notices: false })
      const error = yield* Effect.flip(silent.agents.changeOwn(silent.asha, { digestMinutes: 15 }))
      assert.include(String(error._tag === "InvalidField" ? error.problem : ""), "e-mail channel")
    })
  )
})
