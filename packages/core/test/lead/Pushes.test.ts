import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import {
  Devices,
  invalidField,
  Presences,
  Problem,
  PushSender,
  PushUnanswered,
  type PushRequest,
  Sessions
} from "../../src/index.ts"
import { JobStore, PresenceStore, StaffStore, type Storage } from "../../src/index.storage.ts"
import { makeInbox, signedInAs, wrote } from "../fixtures/InboxWorld.ts"
import { makeStorage, start, until } from "../fixtures/World.ts"

const phone = "919876543210"
const p256dh = `B${"A".repeat(86)}`
const auth = "A".repeat(22)

/** An inbox with push, the requests of its senders, and how the push service answers. */
const makeDesk = Effect.fnUntraced(function* (
  options: { readonly idle?: boolean; readonly storage?: Context.Context<Storage> } = {}
) {
  const requests: Array<PushRequest & { readonly at: number }> = []
  let answer: (request: PushRequest) => Effect.Effect<{ readonly status: number }, PushUnanswered> = () =>
    Effect.succeed({ status: 201 })
  const push = Layer.succeed(
    PushSender,
    PushSender.of({
      isOffered: true,
      check: (endpoint) =>
        endpoint.includes("inner") ? Effect.fail(invalidField("endpoint", Problem.of("URL_PUBLIC"))) : Effect.void,
      send: (request) =>
        Effect.clockWith((clock) => {
          requests.push({ ...request, at: clock.currentTimeMillisUnsafe() })
          return answer(request)
        })
    })
  )
  const world = yield* makeInbox({ ...options, push })
  const staff = Context.get(world.storage, StaffStore)
  const jobs = Context.get(world.storage, JobStore)
  const devices = Context.get(world.services, Devices)
  const find = Effect.fnUntraced(function* (id: number) {
    const { agents } = yield* staff.staff(world.live.merchantId)
    return agents.find((agent) => agent.id === id) ?? assert.fail("no agent")
  })
  const add = Effect.fnUntraced(function* (person: ReturnType<typeof signedInAs>, name: string) {
    const { key } = yield* devices.list(person)
    return yield* devices.add(person, { endpoint: `https://push.example.com/${name}`, p256dh, auth, key: key! }, null)
  })
  const join = Effect.fnUntraced(function* (email: string, device: string | null) {
    const { id } = yield* world.hire(email)
    const person = signedInAs(world.live, id)
    if (device !== null) yield* add(person, device)
    return person
  })
  let messages = 0
  /** A customer writes now, and the message is stored. */
  const write = Effect.fnUntraced(function* (from: string, process: Pick<typeof world, "arrive"> = world) {
    yield* process.arrive(wrote(from, "Secret words", start + 1_000_000_000))
    const count = ++messages
    yield* until(
      Effect.map(
        Effect.orDie(world.store.page({ environment: world.live.environment }, { offset: 0, limit: 9 })),
        (all) => all.reduce((sum, { received }) => sum + received, 0) === count
      )
    )
  })
  /** Passes seconds in steps, so that background work keeps up. */
  const pass = (seconds: number, step = 1) =>
    Effect.repeat(Effect.andThen(TestClock.adjust(step * 1_000), until(Effect.succeed(true))), {
      times: seconds / step - 1
    })
  return {
    ...world,
    push,
    requests,
    jobs,
    devices,
    find,
    add,
    join,
    write,
    pass,
    play: (next: typeof answer) => void (answer = next),
    key: (leadId = 1) => `push:${world.live.environment}:${leadId}`,
    endpoints: () => requests.map(({ endpoint }) => endpoint.split("/").at(-1))
  }
})

describe("push notifications about customers", () => {
  it.effect("come seconds after a message, with a count and the lead's reference and nothing of the customer", () =>
    Effect.gen(function* () {
      const { join, live, pass, requests, write } = yield* makeDesk()
      yield* join("asha@shop.example", "a")
      yield* write(phone)
      yield* write(phone)
      yield* pass(5)
      const [request, ...more] = requests
      assert.strictEqual(more.length, 0)
      assert.deepInclude(request, { endpoint: "https://push.example.com/a", p256dh, auth, ttlSeconds: 14_400 })
      assert.deepStrictEqual(JSON.parse(request!.text), { count: 2, lead: `${live.merchantId}.1` })
      assert.match(request!.topic, /^[a-z0-9]{32}$/)
      assert.strictEqual(request!.subject, "https://verify.example.com/dashboard")
      const all = JSON.stringify(request)
      for (const secret of ["Secret", phone, phone.slice(-4)]) assert.notInclude(all, secret)
    })
  )

  it.effect("come once for messages within a minute, and again after it only for a new message", () =>
    Effect.gen(function* () {
      const { join, jobs, key, pass, requests, write } = yield* makeDesk()
      yield* join("asha@shop.example", "a")
      yield* write(phone)
      yield* pass(4)
      yield* write(phone)
      yield* write(phone)
      yield* pass(55)
      assert.strictEqual(requests.length, 1)
      yield* pass(8)
      assert.strictEqual(requests.length, 2)
      assert.isAtLeast(requests[1]!.at - requests[0]!.at, 60_000)
      assert.strictEqual(JSON.parse(requests[1]!.text).count, 3)
      assert.strictEqual(requests[1]!.topic, requests[0]!.topic)
      yield* pass(130, 10)
      assert.strictEqual(requests.length, 2)
      assert.isFalse(yield* jobs.holds(key()), "a quiet conversation has no job")
      yield* write(phone)
      yield* pass(5)
      assert.strictEqual(requests.length, 3)
    })
  )

  it.effect("go to the lead's agent, or to all for an unassigned lead, and not to who has it open", () =>
    Effect.gen(function* () {
      const { endpoints, join, leads, live, pass, requests, services, write } = yield* makeDesk()
      const asha = yield* join("asha@shop.example", "a")
      yield* join("ravi@shop.example", "r")
      yield* join("mina@shop.example", null)
      yield* write(phone)
      yield* Context.get(services, Presences).look(asha, 1, {})
      yield* pass(5)
      assert.deepStrictEqual(endpoints(), ["r"])
      yield* pass(70, 10)
      yield* leads.assign(live, { leadId: 1 }, "asha@shop.example")
      requests.length = 0
      yield* write(phone)
      yield* pass(5)
      assert.deepStrictEqual(endpoints(), ["a"])
    })
  )

  it.effect("cost no job while nobody has a device", () =>
    Effect.gen(function* () {
      const { join, jobs, key, write } = yield* makeDesk()
      yield* join("mina@shop.example", null)
      yield* write(phone)
      assert.isFalse(yield* jobs.holds(key()))
    })
  )

  it.effect("miss no message that arrives while the job of the previous one ends", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const presences = Context.get(storage, PresenceStore)
      let meanwhile: Effect.Effect<unknown> = Effect.void
      const late = Context.add(storage, PresenceStore, {
        ...presences,
        list: (environment: string, leadId: number) =>
          Effect.tap(presences.list(environment, leadId), () => {
            const once = meanwhile
            meanwhile = Effect.void
            return once
          })
      })
      const { join, jobs, key, pass, requests, write } = yield* makeDesk({ storage: late })
      yield* join("asha@shop.example", "a")
      yield* write(phone)
      yield* pass(30, 2)
      assert.strictEqual(requests.length, 1)
      meanwhile = Effect.orDie(write(phone))
      yield* pass(60, 2)
      assert.strictEqual(requests.length, 2)
      assert.isTrue(yield* jobs.holds(key()))
    })
  )

  it.effect("are sent once by two processes", () =>
    Effect.gen(function* () {
      const { another, join, pass, push, requests, write } = yield* makeDesk()
      yield* another({ push })
      yield* join("asha@shop.example", "a")
      yield* write(phone)
      yield* pass(90, 3)
      assert.strictEqual(requests.length, 1)
    })
  )

  it.effect("of a process that dies while it sends come again a minute later, and none is lost", () =>
    Effect.gen(function* () {
      const { another, join, pass, play, push, requests, write } = yield* makeDesk({ idle: true })
      yield* join("asha@shop.example", "a")
      const scope = yield* Scope.make()
      const first = yield* Effect.provideService(another({ push }), Scope.Scope, scope)
      play(() => Effect.never)
      yield* write(phone, first)
      yield* pass(4)
      assert.strictEqual(requests.length, 1)
      yield* Effect.forkScoped(Scope.close(scope, Exit.void))
      yield* pass(10)
      play(() => Effect.succeed({ status: 201 }))
      yield* another({ push })
      yield* pass(44)
      assert.strictEqual(requests.length, 1, "never within a minute")
      yield* pass(10)
      assert.strictEqual(requests.length, 2)
      assert.isAtLeast(requests[1]!.at - requests[0]!.at, 60_000)
      yield* pass(130, 10)
      assert.strictEqual(requests.length, 2)
    })
  )

  it.effect("are tried again after a minute while the push service is away, and the device stays", () =>
    Effect.gen(function* () {
      const { find, join, pass, play, requests, write } = yield* makeDesk()
      const asha = yield* join("asha@shop.example", "a")
      play(() => Effect.fail(new PushUnanswered({ problem: "away" })))
      yield* write(phone)
      yield* pass(5)
      play(() => Effect.succeed({ status: 503 }))
      yield* pass(60, 2)
      assert.strictEqual(requests.length, 2)
      yield* pass(600, 20)
      assert.strictEqual(requests.length, 5)
      assert.strictEqual((yield* find(asha.person.agentId)).devices?.length, 1)
    })
  )

  it.effect("remove a device whose push service answers 404 or 410, and leave the others", () =>
    Effect.gen(function* () {
      const { add, devices, join, pass, play, write } = yield* makeDesk()
      const asha = yield* join("asha@shop.example", "a")
      yield* add(asha, "b")
      yield* add(asha, "c")
      play(({ endpoint }) =>
        Effect.succeed({ status: endpoint.endsWith("a") ? 404 : endpoint.endsWith("b") ? 410 : 500 })
      )
      yield* write(phone)
      yield* pass(5)
      assert.deepStrictEqual(
        (yield* devices.list(asha)).devices.map(({ endpoint }) => endpoint.at(-1)),
        ["c"]
      )
    })
  )
})

describe("the devices of an agent", () => {
  it.effect("go with the session that added them, with a suspension, another role, and the agent", () =>
    Effect.gen(function* () {
      const { add, agents, find, join, live, services, storage } = yield* makeDesk()
      const asha = yield* join("asha@shop.example", "a")
      yield* add({ ...asha, person: { ...asha.person, sessionId: "ses_other" } }, "b")
      const { agentId, sessionId } = asha.person
      const staff = Context.get(storage, StaffStore)
      yield* staff.commit(
        StaffStore.change({
          sessions: [
            {
              merchantId: live.merchantId,
              id: sessionId,
              version: 0,
              agentId,
              era: 0,
              hash: "0".repeat(64),
              method: "CODE",
              emailProven: true,
              reach: [],
              address: null,
              userAgent: null,
              signedInAt: start,
              lastUsedAt: start,
              endedAt: null
            }
          ]
        })
      )
      yield* Context.get(services, Sessions).end(asha, sessionId)
      assert.deepStrictEqual(
        (yield* find(agentId)).devices?.map(({ endpoint }) => endpoint.at(-1)),
        ["b"]
      )
      yield* agents.change(live, agentId, { status: "SUSPENDED" })
      assert.isNull((yield* find(agentId)).devices)
      yield* agents.change(live, agentId, { status: "ACTIVE" })
      yield* add(asha, "a")
      yield* agents.change(live, agentId, { role: "VIEWER" })
      assert.isNull((yield* find(agentId)).devices)
      const ravi = yield* join("ravi@shop.example", "r")
      yield* agents.remove(live, ravi.person.agentId)
      const membership = yield* staff.membership(live.merchantId, ravi.person.agentId)
      assert.isNull(membership)
    })
  )

  it.effect("belong to one agent of a merchant, and are audited as a number", () =>
    Effect.gen(function* () {
      const { devices, join } = yield* makeDesk()
      const asha = yield* join("asha@shop.example", "shared")
      const ravi = yield* join("ravi@shop.example", "shared")
      assert.deepStrictEqual((yield* devices.list(asha)).devices, [])
      const [device] = (yield* devices.list(ravi)).devices
      yield* devices.remove(asha, device!.id)
      assert.strictEqual((yield* devices.list(ravi)).devices.length, 1, "a colleague cannot remove it")
      yield* devices.remove(ravi, device!.id)
      assert.deepStrictEqual((yield* devices.list(ravi)).devices, [])
    })
  )

  it.effect("are refused with the reason: an inner address, a wrong key, a viewer, and a deployment without push", () =>
    Effect.gen(function* () {
      const { devices, join } = yield* makeDesk()
      const asha = yield* join("asha@shop.example", null)
      const { key } = yield* devices.list(asha)
      assert.match(key!, /^B[\w-]{86}$/)
      const good = { endpoint: "https://push.example.com/a", p256dh, auth, key: key! }
      const refusal = (person: typeof asha, more: Partial<typeof good>) =>
        Effect.map(Effect.flip(devices.add(person, { ...good, ...more }, null)), (error) =>
          error._tag === "InvalidField" ? [error.field, error.code] : error._tag
        )
      assert.deepStrictEqual(yield* refusal(asha, { endpoint: "https://inner/a" }), ["endpoint", "URL_PUBLIC"])
      assert.deepStrictEqual(yield* refusal(asha, { endpoint: `https://push.example.com/${"a".repeat(1_024)}` }), [
        "endpoint",
        "TOO_LONG"
      ])
      assert.deepStrictEqual(yield* refusal(asha, { p256dh: "BAAA" }), ["p256dh", "PUSH_KEY"])
      assert.deepStrictEqual(yield* refusal(asha, { auth: "" }), ["auth", "PUSH_KEY"])
      assert.deepStrictEqual(yield* refusal(asha, { key: p256dh }), ["key", "PUSH_SERVER_KEY"])
      const viewer = { ...asha, person: { ...asha.person, role: "VIEWER" as const } }
      assert.deepStrictEqual(yield* refusal(viewer, {}), ["endpoint", "PUSH_ROLE"])
      assert.deepStrictEqual(yield* devices.list(viewer), { devices: [], key: null, refusal: "ROLE" })
      const without = yield* makeInbox()
      const { id } = yield* without.hire("asha@shop.example")
      const other = signedInAs(without.live, id)
      const none = Context.get(without.services, Devices)
      assert.deepStrictEqual(yield* none.list(other), { devices: [], key: null, refusal: "NOT_OFFERED" })
      const error = yield* Effect.flip(none.add(other, good, null))
      assert.strictEqual(error._tag === "InvalidField" ? error.code : "", "PUSH_NOT_OFFERED")
    })
  )
})
