import { assert, describe, it } from "@effect/vitest"
import { Context, Duration, Effect, Exit, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { type Caller, envelope, EventType } from "../../src/index.ts"
import { JobStore, noRecords, OutboxStore, WebhookStore } from "../../src/index.storage.ts"
import { webhookGate } from "../../src/account/webhook/webhookJobs.ts"
import { refused, recordingChannel } from "../fixtures/RecordingChannel.ts"
import { down, hanging, isGenuine, makeReceiver, ok, status } from "../fixtures/Receiver.ts"
import { counted, happen, logOf, makeCallers, makeTeller, pass, recorded, registered } from "../fixtures/Teller.ts"
import { makeWitness } from "../fixtures/Witness.ts"
import { makeStorage, makeWorld, otp, secrets, start, withSettings } from "../fixtures/World.ts"
import { day, minute, second } from "../fixtures/webhooks.ts"
import type { WebhookFields } from "../../src/account/webhook/webhookFields.ts"
import { EventData } from "../../src/foundation/event/EventData.ts"

const [shop, blog, news] = ["https://shop.example/hooks", "https://blog.example/hooks", "https://news.example/hooks"]
const everything = { since: start - day, until: start + 30 * day, onlyMissing: false }

/** A process that delivers webhooks, and a merchant. */
const begin = Effect.fnUntraced(function* (
  reply: Parameters<typeof makeReceiver>[0] = () => ok,
  look = Duration.seconds(1)
) {
  yield* TestClock.setTime(start)
  const storage = yield* makeStorage
  const receiver = makeReceiver(reply)
  const teller = yield* makeTeller(storage, receiver.layer, { look })
  return { storage, receiver, teller, ...(yield* makeCallers(teller)) }
})

const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), (error) => error._tag)

describe("every webhook event", () => {
  it.effect("that has a source is delivered as it is listed, to its subscribers, in its environment", () =>
    Effect.gen(function* () {
      const receiver = makeReceiver(({ url }) => (url === news ? status(410) : ok))
      const email = recordingChannel("EMAIL", [refused("EMAIL")])
      const sms = recordingChannel("SMS")
      const storage = yield* makeStorage
      yield* counted
      const world = yield* makeWorld({ storage, channels: [sms.channel, email.channel], webhooks: receiver.layer })
      const { live, sdk, verifications, webhooks } = world
      const all = yield* registered(world, live, shop)
      yield* registered(world, live, blog, ["otp.verified", "session.created"])
      const test = yield* registered(world, world.test, shop)

      yield* sdk.create(live, {})
      const { verification } = yield* verifications.initiate(live, otp("+91 98765 43210", { orderId: "order-1" }))
      yield* verifications.verify(live, { requestId: verification.id, otp: world.codeOf(verification) })
      yield* verifications.initiate(live, otp("nobody@mail.example"))
      yield* verifications.initiate(withSettings(live, { codeExpirySeconds: 30 }), otp("+91 98765 43211"))
      yield* world.relays.relay(live, { identity: "+91 98765 43213", code: "482913", idempotencyKey: null })
      // Codes to one block of numbers that nobody enters, and a request that is refused for it.
      for (let n = 10; n < 25; n++) yield* verifications.initiate(live, otp(`+9989123400${n}`))
      const enforcing = withSettings(live, { guardEnforces: ["PREFIX_UNVERIFIED"] })
      yield* Effect.flip(verifications.initiate(enforcing, otp("+998912340030")))
      yield* sdk.create(world.test, {})
      yield* Effect.orDie(world.merchants.changeSettings(live, { balanceLowAt: 1 }))
      const paying = { billing: "PREPAID", prices: { SMS: 1 }, balanceLowAt: 1 } as const
      yield* Effect.flip(verifications.initiate(withSettings(live, paying), otp("+91 98765 43212")))
      yield* pass(minute + 10 * second)
      yield* registered(world, live, news, ["session.created"])
      yield* sdk.create(live, {})
      yield* pass(2 * second)
      const tested = yield* webhooks.test(live, all.id)
      yield* pass(2 * second)

      const listed = yield* world.events(live)
      const types = new Set(listed.map(({ type }) => type))
      const sources = EventType.literals.filter((type) => type !== "campaign.delivered" && type !== "message.received")
      assert.deepStrictEqual([...types].toSorted(), [...sources].toSorted())

      for (const { data, type } of listed) {
        const shape: Schema.Codec<unknown> = EventData[type]
        assert.deepStrictEqual(Schema.decodeUnknownSync(shape, { onExcessProperty: "error" })(data), data)
      }

      const idsOf = (...wanted: ReadonlyArray<string>) =>
        listed
          .filter(({ type }) => wanted.includes(type))
          .map(({ id }) => id)
          .toSorted()
      const got = receiver.at(shop).filter(({ event }) => event.environment === "live")
      const own = [...got].filter(({ event }) => event.type !== "webhook.test")
      assert.deepStrictEqual(
        own.map(({ event }) => event.id).toSorted(),
        idsOf(...sources.filter((type) => type !== "webhook.test"))
      )
      for (const told of got) {
        assert.deepStrictEqual(told.event, envelope(listed.find(({ id }) => id === told.event.id)!, "live"))
        assert.isTrue(isGenuine(all.secret, told))
      }
      assert.deepStrictEqual(receiver.idsAt(blog).toSorted(), idsOf("otp.verified", "session.created"))

      // Only the tested endpoint receives its test event.
      const tests = receiver.requests.filter(({ event }) => event.type === "webhook.test")
      assert.deepStrictEqual(
        tests.map(({ url }) => url),
        [shop]
      )
      assert.strictEqual(tested.attempt.status, "DELIVERED")
      assert.deepStrictEqual(JSON.parse(tested.body!), tests[0]!.event)

      const others = receiver.requests.filter(({ event }) => event.environment === "test")
      const inTest = yield* world.events(world.test)
      assert.deepStrictEqual(
        others.map(({ event }) => event),
        inTest.map((event) => envelope(event, "test"))
      )
      assert.isTrue(others.every((told) => isGenuine(test.secret, told) && !isGenuine(all.secret, told)))
    })
  )

  it.effect("over the size limit of receivers stays in the event list and is not sent", () =>
    Effect.gen(function* () {
      const { live, receiver, storage, teller } = yield* begin()
      const { id } = yield* registered(teller, live, shop)
      const event = {
        id: "evt_01q3xx2b80large00000000000",
        environment: live.environment,
        type: "webhook.disabled",
        createdAt: start,
        data: { webhookId: `${id}x`, url: `https://large.example/${"ü".repeat(10_000)}`, reason: "GONE" }
      } as const
      yield* teller.outbox.append({ events: [event] })
      yield* pass(second)
      assert.deepStrictEqual(receiver.requests, [])
      const [only] = yield* logOf(teller, live, id)
      assert.deepStrictEqual([only!.status, only!.error], ["FAILED", "the event is larger than 20 KB"])
      assert.lengthOf(yield* recorded(storage, live), 1)
    })
  )
})

describe("two processes with webhooks", () => {
  /** Two processes on one storage; the other has just loaded the list of endpoints. */
  const beginTwo = Effect.fnUntraced(function* (reply: Parameters<typeof makeReceiver>[0] = () => ok) {
    const one = yield* begin(reply)
    const other = yield* makeTeller(one.storage, one.receiver.layer)
    yield* happen(other, one.live)
    yield* pass(10, 10)
    return { ...one, other }
  })

  it.effect("deliver every event to a new endpoint once, although one process did not know it yet", () =>
    Effect.gen(function* () {
      const { live, other, receiver, teller } = yield* beginTwo()
      yield* registered(teller, live, shop)
      const ids: Array<string> = []
      for (let i = 0; i < 40; i++) {
        ids.push(yield* happen(i % 2 === 0 ? teller : other, live))
        yield* pass(500, 250)
      }
      yield* pass(minute)
      assert.deepStrictEqual(receiver.idsAt(shop).toSorted(), ids.toSorted())
    })
  )

  it.effect(
    "deliver every event to an endpoint that was enabled again, although one process considered it disabled",
    () =>
      Effect.gen(function* () {
        const { live, other, receiver, teller } = yield* beginTwo()
        const { id } = yield* registered(teller, live, shop)
        yield* teller.webhooks.change(live, id, { status: "DISABLED" })
        yield* pass(minute)
        const missed = yield* happen(other, live)
        yield* teller.webhooks.change(live, id, { status: "ACTIVE" })
        const ids: Array<string> = []
        // More than one process has room for, so the other process claims some too.
        for (let i = 0; i < 100; i++) ids.push(yield* happen(i % 2 === 0 ? teller : other, live))
        yield* pass(minute)
        assert.deepStrictEqual(
          receiver
            .idsAt(shop)
            .filter((one) => one !== missed)
            .toSorted(),
          ids.toSorted()
        )
        const log = yield* logOf(teller, live, id)
        assert.isTrue(log.every(({ status }) => status === "DELIVERED"))
      })
  )

  it.effect("run a replay in either process", () =>
    Effect.gen(function* () {
      const { live, other, receiver, storage, teller } = yield* beginTwo()
      for (let i = 0; i < 5; i++) yield* happen(teller, live)
      const { id } = yield* registered(teller, live, shop)
      yield* teller.webhooks.replay(live, id, everything)
      // Both processes know only the endpoints from before.
      yield* pass(second)
      const ids = (yield* recorded(storage, live)).map((event) => event.id)
      assert.deepStrictEqual(receiver.idsAt(shop).toSorted(), ids)
      yield* teller.webhooks.change(live, id, { status: "DISABLED" })
      yield* pass(5 * second)
      yield* happen(other, live)
      // The counts work while the endpoint is disabled; once it is enabled, the replay sends all.
      const counts = [everything, { ...everything, onlyMissing: true }, { ...everything, until: everything.since }]
      assert.deepStrictEqual(
        yield* Effect.forEach(counts, (range) => teller.webhooks.replayable(live, id, range)),
        [ids.length + 1, 1, 0].map((events) => ({ events, more: false }))
      )
      yield* teller.webhooks.change(live, id, { status: "ACTIVE" })
      yield* teller.webhooks.replay(live, id, { ...everything, onlyMissing: true })
      yield* pass(second)
      assert.lengthOf(receiver.idsAt(shop), ids.length + 1)
    })
  )
})

describe("a webhook endpoint", () => {
  it.effect("that is removed receives nothing more, and its waiting deliveries are deleted", () =>
    Effect.gen(function* () {
      const { live, receiver, teller } = yield* begin(() => down)
      const { id } = yield* registered(teller, live, shop)
      for (let i = 0; i < 5; i++) yield* happen(teller, live)
      yield* pass(second)
      const tried = receiver.at(shop).length
      yield* teller.webhooks.remove(live, id)
      yield* happen(teller, live)
      yield* pass(10 * minute, second)
      assert.strictEqual(receiver.at(shop).length, tried)
      assert.strictEqual(yield* tagOf(teller.webhooks.get(live, id)), "UnknownWebhook")
      assert.strictEqual(yield* tagOf(teller.webhooks.remove(live, id)), "UnknownWebhook")
      const again = yield* registered(teller, live, shop)
      assert.notStrictEqual(again.id, id)
    })
  )

  it.effect("that is disabled has its waiting deliveries listed as DEAD, and receives them in a replay", () =>
    Effect.gen(function* () {
      let answer = down
      const { live, receiver, storage, teller } = yield* begin(() => answer)
      const { id } = yield* registered(teller, live, shop)
      for (let i = 0; i < 3; i++) yield* happen(teller, live)
      yield* pass(2 * second)
      yield* teller.webhooks.change(live, id, { status: "DISABLED" })
      yield* happen(teller, live)
      yield* pass(minute)
      const log = yield* logOf(teller, live, id)
      assert.deepStrictEqual(
        log.map(({ error, status }) => [status, error]),
        [
          ...Array.from({ length: 3 }, () => ["DEAD", "the endpoint is disabled"]),
          ...Array.from({ length: 3 }, () => ["FAILED", "connection refused"])
        ]
      )
      assert.strictEqual(receiver.at(shop).length, 3)
      assert.strictEqual(yield* tagOf(teller.webhooks.replay(live, id, everything)), "InvalidField")

      answer = ok
      const { failingSince, status } = yield* teller.webhooks.change(live, id, { status: "ACTIVE" })
      assert.deepStrictEqual([status, failingSince], ["ACTIVE", null])
      yield* teller.webhooks.replay(live, id, { ...everything, onlyMissing: true })
      yield* pass(minute)
      const ids = (yield* recorded(storage, live)).map((event) => event.id)
      assert.deepStrictEqual(receiver.idsAt(shop).slice(3).toSorted(), ids)
      yield* teller.webhooks.replay(live, id, { ...everything, onlyMissing: true })
      yield* pass(minute)
      assert.lengthOf(receiver.idsAt(shop), 7)
      yield* teller.webhooks.replay(live, id, everything)
      yield* pass(minute)
      assert.deepStrictEqual(receiver.idsAt(shop).slice(7).toSorted(), ids)
    })
  )

  it.effect("receives a replayed range with all its pages, nothing outside it, and only subscribed types", () =>
    Effect.gen(function* () {
      const { live, receiver, teller } = yield* begin()
      const ids: Array<string> = []
      for (let i = 0; i < 450; i++) {
        ids.push(yield* happen(teller, live))
        yield* TestClock.adjust(10)
      }
      const { id } = yield* registered(teller, live, shop)
      const other = yield* registered(teller, live, blog, ["otp.verified"])
      yield* pass(minute)
      assert.lengthOf(receiver.requests, 0)
      const range = { since: start + 100, until: start + 4_400, onlyMissing: false }
      const wanted = ids.slice(10, 441)
      yield* teller.webhooks.replay(live, id, range)
      yield* teller.webhooks.replay(live, other.id, range)
      yield* pass(10 * second)
      assert.deepStrictEqual(receiver.idsAt(shop).toSorted(), wanted)
      yield* teller.webhooks.replay(live, id, { ...range, onlyMissing: true })
      yield* pass(10 * second)
      assert.lengthOf(receiver.requests, wanted.length)
      yield* teller.webhooks.replay(live, id, range)
      yield* pass(10 * second)
      assert.lengthOf(receiver.requests, 2 * wanted.length)
      assert.strictEqual(yield* tagOf(teller.webhooks.replay(live, id, { ...range, until: start })), "InvalidField")
    })
  )

  it.effect(
    "that hangs starts one of a hundred concurrent replays, queues a thousand deliveries, and gets all in the end",
    () =>
      Effect.gen(function* () {
        let hangs = true
        const { live, receiver, storage, teller } = yield* begin(() => (hangs ? hanging : ok))
        const [first] = yield* Effect.andThen(happen(teller, live), recorded(storage, live))
        const many = Array.from({ length: 1_700 }, (_, i) => ({
          ...first!,
          id: `${first!.id.slice(0, 14)}${String(i).padStart(16, "0")}`
        }))
        yield* Context.get(storage, OutboxStore).append({ ...noRecords, events: many })
        const { id } = yield* registered(teller, live, shop)
        const { id: other } = yield* registered(teller, live, blog)
        yield* pass(minute)
        const asked = yield* Effect.forEach(
          Array.from({ length: 100 }),
          () => Effect.exit(teller.webhooks.replay(live, id, everything)),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(asked.filter(Exit.isSuccess), 1)
        yield* teller.webhooks.replay(live, other, { ...everything, until: start - 1 })
        yield* pass(minute)
        const lane = { gate: webhookGate, environment: live.environment, lane: id, most: 5_000 }
        assert.strictEqual(yield* Context.get(storage, JobStore).inLane(lane), 1_000)
        assert.strictEqual(yield* tagOf(teller.webhooks.replay(live, id, everything)), "ReplayRuns")
        hangs = false
        yield* pass(day, minute)
        assert.strictEqual(new Set(receiver.idsAt(shop)).size, 1_701)
        yield* teller.webhooks.replay(live, id, { ...everything, onlyMissing: true })
      })
  )

  it.effect("receives a redelivered event once, logged, and with the same id and body", () =>
    Effect.gen(function* () {
      let answer = ok
      const { live, receiver, teller, test } = yield* begin(() => answer)
      const { id, secret } = yield* registered(teller, live, shop)
      const other = yield* registered(teller, live, blog)
      yield* happen(teller, live)
      yield* pass(minute)
      const [first] = yield* logOf(teller, live, id)
      answer = status(500)
      const { attempt, body } = yield* teller.webhooks.redeliver(live, id, first!.id)
      assert.deepStrictEqual(
        [attempt.status, attempt.attempt, attempt.nextAttemptAt, attempt.responseStatus, attempt.responseBody],
        ["FAILED", 2, null, 500, "said 500"]
      )
      yield* pass(10 * minute)
      const [one, two, ...more] = receiver.at(shop)
      assert.deepStrictEqual([two!.body, two!.event.id, more], [one!.body, one!.event.id, []])
      assert.strictEqual(body, one!.body)
      assert.notStrictEqual(two!.headers["webhook-timestamp"], one!.headers["webhook-timestamp"])
      assert.isTrue(isGenuine(secret, two!))
      assert.deepStrictEqual(
        (yield* logOf(teller, live, id)).map((row) => row.id),
        [attempt.id, first!.id]
      )
      const unknown = "UnknownWebhookDelivery"
      assert.strictEqual(yield* tagOf(teller.webhooks.redeliver(live, other.id, first!.id)), unknown)
      assert.strictEqual(yield* tagOf(teller.webhooks.delivery(live, id, "dlv_nothing")), unknown)
      assert.strictEqual(yield* tagOf(teller.webhooks.redeliver(test, id, first!.id)), "UnknownWebhook")
      assert.strictEqual((yield* teller.webhooks.delivery(live, id, first!.id)).body, one!.body)
    })
  )

  it.effect("has full bodies in its log for keys, and masked ones for signed-in agents", () =>
    Effect.gen(function* () {
      const receiver = makeReceiver(() => ok)
      yield* counted
      const world = yield* makeWorld({ storage: yield* makeStorage, webhooks: receiver.layer })
      const { live, webhooks } = world
      const { id } = yield* registered(world, live, shop)
      yield* world.verifications.initiate(live, otp("98765 43210"))
      yield* pass(minute)
      const [first] = yield* webhooks.deliveries(live, id, { status: null, after: null, limit: 10 })
      const person = {
        agentId: 1,
        email: "o@shop.example",
        role: "OWNER",
        sessionId: "ses_1",
        freshUntil: start,
        emailProven: true,
        era: 0,
        needsPasskey: false
      } as const
      const shown = [
        yield* webhooks.delivery({ ...live, person }, id, first!.id),
        yield* webhooks.redeliver({ ...live, person }, id, first!.id)
      ]
      for (const { body } of shown) assert.deepInclude(JSON.parse(body!).data, { identity: "+91******3210" })
      assert.include((yield* webhooks.delivery(live, id, first!.id)).body, "98765 43210")
      for (const told of receiver.at(shop)) assert.include(told.body, "98765 43210")
      assert.lengthOf(receiver.at(shop), 2)
    })
  )

  it.effect("has each delivery logged with all its details", () =>
    Effect.gen(function* () {
      const { live, teller } = yield* begin((_told, nth) =>
        nth === 0 ? Effect.andThen(Effect.sleep(700), status(503, 60)) : down
      )
      const { id } = yield* registered(teller, live, shop)
      const eventId = yield* happen(teller, live)
      yield* pass(62 * second)
      const log = yield* logOf(teller, live, id)
      const common = {
        environment: live.environment,
        webhookId: id,
        eventId,
        eventType: "session.created",
        status: "FAILED",
        url: shop
      }
      const [second_, first] = log.map(({ id: _id, ...row }) => row)
      assert.deepStrictEqual(first, {
        ...common,
        attempt: 1,
        createdAt: start,
        durationMs: first!.durationMs,
        responseStatus: 503,
        responseBody: "said 503",
        error: null,
        nextAttemptAt: start + first!.durationMs + minute
      } as typeof first)
      assert.isAtLeast(first!.durationMs, 700)
      assert.deepStrictEqual(
        [second_!.attempt, second_!.responseStatus, second_!.responseBody, second_!.error],
        [2, null, null, "connection refused"]
      )
      for (const row of log) assert.match(row.id, /^dlv_/)
    })
  )
})

describe("a webhook secret", () => {
  it.effect("is shown once and stored encrypted, as is the previous one", () =>
    Effect.gen(function* () {
      const { live, storage, teller } = yield* begin()
      const { id, secret } = yield* registered(teller, live, shop)
      const rotated = Redacted.value((yield* teller.webhooks.rotateSecret(live, id)).secret)
      const rows = yield* Context.get(storage, WebhookStore).list(live.environment)
      const log = [rows, yield* teller.webhooks.list(live), yield* teller.webhooks.get(live, id)]
      for (const hidden of [secret, rotated]) {
        assert.notInclude(JSON.stringify(log), hidden)
        assert.notInclude(JSON.stringify(log), hidden.slice("whsec_".length))
      }
      assert.notStrictEqual(rotated, secret)
    })
  )

  it.effect("that was rotated also signs for 24 hours, and no longer", () =>
    Effect.gen(function* () {
      const { live, receiver, teller } = yield* begin(() => ok, Duration.minutes(10))
      const { id, secret: old } = yield* registered(teller, live, shop)
      yield* pass(minute)
      const rotated = Redacted.value((yield* teller.webhooks.rotateSecret(live, id)).secret)
      const judged = Effect.gen(function* () {
        const attempt = yield* teller.webhooks.test(live, id)
        const told = receiver.requests.findLast(({ event }) => event.id === attempt.attempt.eventId)!
        const two = told.headers["webhook-signature"]!.split(" ").length
        return [two, isGenuine(old, told), isGenuine(rotated, told)]
      })
      yield* pass(4 * second)
      assert.deepStrictEqual(yield* judged, [2, true, true])
      yield* TestClock.adjust(day - 4 * second - 1)
      assert.deepStrictEqual(yield* judged, [2, true, true])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* judged, [1, false, true])
    })
  )

  it.effect("that was rotated signs through further rotations, up to four secrets", () =>
    Effect.gen(function* () {
      const { live, receiver, teller } = yield* begin(() => ok, Duration.minutes(10))
      const { id, secret: deployed } = yield* registered(teller, live, shop)
      const rotate = Effect.map(teller.webhooks.rotateSecret(live, id), ({ secret }) => Redacted.value(secret))
      const all = [deployed, yield* rotate, yield* rotate, yield* rotate]
      const genuine = Effect.gen(function* () {
        yield* teller.webhooks.test(live, id)
        return all.map((secret) => isGenuine(secret, receiver.requests.at(-1)!))
      })
      assert.deepStrictEqual(yield* genuine, [true, true, true, true])
      const refusal = yield* Effect.flip(rotate)
      assert.deepInclude(refusal, { _tag: "InvalidField", field: "secret" })
      assert.include("problem" in refusal ? refusal.problem : "", new Date(start + day).toISOString())
      assert.deepStrictEqual(yield* genuine, [true, true, true, true])
      yield* TestClock.adjust(day)
      all.push(yield* rotate)
      yield* TestClock.adjust(4 * second)
      assert.deepStrictEqual(yield* genuine, [false, false, false, true, true])
    })
  )

  it.effect("that leaked stops signing immediately with endOthers, as do all older ones, even when four sign", () =>
    Effect.gen(function* () {
      const { live, receiver, teller } = yield* begin(() => ok, Duration.minutes(10))
      const { id, secret: deployed } = yield* registered(teller, live, shop)
      const rotate = (endOthers: boolean) =>
        Effect.map(teller.webhooks.rotateSecret(live, id, { endOthers }), ({ secret }) => Redacted.value(secret))
      const all = [deployed, yield* rotate(false), yield* rotate(false), yield* rotate(false)]
      const refusal = yield* Effect.flip(rotate(false))
      assert.include("problem" in refusal ? refusal.problem : "", "endOthers: true")
      all.push(yield* rotate(true))
      yield* teller.webhooks.test(live, id)
      assert.deepStrictEqual(
        all.map((secret) => isGenuine(secret, receiver.requests.at(-1)!)),
        [false, false, false, false, true]
      )
    })
  )

  it.effect("keeps signing under a new master secret, and is encrypted again with it", () =>
    Effect.gen(function* () {
      const { live, receiver, storage, teller } = yield* begin()
      const { id, secret: old } = yield* registered(teller, live, shop)
      const { secret } = yield* teller.webhooks.rotateSecret(live, id)
      const second_ = { secret: secrets.second, previous: [secrets.first] }
      const both = yield* makeTeller(storage, receiver.layer, second_)
      yield* both.webhooks.test(live, id)
      // Without the first master secret: secrets encrypted again are readable, the one before is lost.
      const last = yield* makeTeller(storage, receiver.layer, { secret: secrets.second })
      const { attempt } = yield* last.webhooks.test(live, id)
      assert.strictEqual(attempt.status, "DELIVERED")
      const [one, two] = receiver.requests
      assert.isTrue(isGenuine(Redacted.value(secret), one!) && isGenuine(old, one!))
      assert.isTrue(isGenuine(Redacted.value(secret), two!))
      const stranger = yield* makeTeller(storage, receiver.layer, { secret: "c3".repeat(32) })
      const lost = yield* stranger.webhooks.test(live, id)
      assert.deepStrictEqual(
        [lost.attempt.status, lost.attempt.error],
        ["FAILED", "the secret cannot be read; rotate it"]
      )
      assert.lengthOf(receiver.requests, 2)
    })
  )
})

describe("the fields of a webhook endpoint", () => {
  const refusedFields: ReadonlyArray<readonly [string, WebhookFields, string]> = [
    ["no URL", {}, "url"],
    ["a URL that nothing may go to", { url: "http://shop.example" }, "url"],
    ["no types", { url: shop, events: [] }, "events"],
    ["an unknown type", { url: shop, events: ["otp.verified", "otp.eaten"] }, "events"],
    ["the test type", { url: shop, events: ["webhook.test"] }, "events"],
    ["a long description", { url: shop, description: "x".repeat(201) }, "description"],
    ["a description with control characters", { url: shop, description: "a\u0000b" }, "description"]
  ]
  it.effect.each(refusedFields)("are refused with %s, and the error names the field", ([_what, fields, field]) =>
    Effect.gen(function* () {
      const { live, teller } = yield* begin()
      const error = yield* Effect.flip(teller.webhooks.create(live, fields))
      assert.strictEqual(error._tag === "InvalidField" ? error.field : error._tag, field)
      assert.deepStrictEqual(yield* teller.webhooks.list(live), [])
    })
  )

  it.effect("change one by one, in one environment", () =>
    Effect.gen(function* () {
      const { live, teller, test } = yield* begin()
      const { id } = yield* registered(teller, live, shop, ["otp.verified", "otp.verified"])
      const first = yield* teller.webhooks.get(live, id)
      assert.deepStrictEqual(first.events, ["otp.verified"])
      const shown = yield* teller.webhooks.change(live, id, { description: "Shop" })
      assert.deepStrictEqual({ ...shown, version: 1 }, { ...first, version: 1, description: "Shop" })
      yield* teller.webhooks.change(live, id, { events: null, url: blog })
      const { events, url } = yield* teller.webhooks.get(live, id)
      assert.deepStrictEqual([events, url], [null, blog])
      for (const foreign of [
        teller.webhooks.get(test, id),
        teller.webhooks.change(test, id, {}),
        teller.webhooks.remove(test, id),
        teller.webhooks.rotateSecret(test, id),
        teller.webhooks.test(test, id),
        teller.webhooks.replay(test, id, everything),
        teller.webhooks.get(live, "whk_nothing")
      ] as ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>>) {
        assert.strictEqual(yield* tagOf(foreign), "UnknownWebhook")
      }
    })
  )

  it.effect("contain a URL once per environment, and an environment has at most fifty endpoints", () =>
    Effect.gen(function* () {
      const { live, teller, test } = yield* begin()
      const register = (caller: Caller, url: string) => teller.webhooks.create(caller, { url })
      const race = yield* Effect.forEach(Array.from({ length: 10 }), () => Effect.exit(register(live, shop)), {
        concurrency: "unbounded"
      })
      assert.strictEqual(race.filter(Exit.isSuccess).length, 1)
      assert.strictEqual(
        yield* tagOf(register(live, "HTTPS://shop.example:443/hooks".replace("HTTPS", "https"))),
        "WebhookUrlTaken"
      )
      yield* register(test, shop)
      const second_ = yield* registered(teller, live, blog)
      assert.strictEqual(yield* tagOf(teller.webhooks.change(live, second_.id, { url: shop })), "WebhookUrlTaken")
      for (let i = 2; i < 50; i++) yield* register(live, `https://shop.example/${i}`)
      assert.strictEqual(yield* tagOf(register(live, news)), "InvalidField")
    })
  )
})

describe("the log of webhooks", () => {
  it.effect("contains no person, no secret and no body", () => {
    const { heard, layer } = makeWitness()
    return Effect.gen(function* () {
      const receiver = makeReceiver((_told, nth) => (nth % 2 === 0 ? down : status(500)))
      const storage = yield* makeStorage
      yield* counted
      const store = Context.get(storage, WebhookStore)
      let failures = 0
      const faulty = Context.add(
        storage,
        WebhookStore,
        WebhookStore.of({
          ...store,
          record: (record) => (failures++ < 3 ? Effect.die(new Error(JSON.stringify(record))) : store.record(record))
        })
      )
      const world = yield* makeWorld({ storage: faulty, webhooks: receiver.layer })
      const { id, secret } = yield* registered(world, world.live, shop)
      yield* world.verifications.initiate(world.live, otp("+91 98765 43210", { orderId: "order-7" }))
      yield* pass(20 * second)
      const rotated = yield* world.webhooks.rotateSecret(world.live, id)
      yield* world.webhooks.test(world.live, id)
      yield* pass(10 * minute, 5 * second)
      assert.isAbove(failures, 3)
      assert.include(receiver.requests[0]!.body, "+91 98765 43210")
      assert.isAbove(heard.length, 0)
      const all = heard.join("\n")
      for (const hidden of ["98765", "order-7", secret, Redacted.value(rotated.secret), "webhook-signature"]) {
        assert.notInclude(all, hidden)
      }
    }).pipe(Effect.provide(layer))
  })
})
