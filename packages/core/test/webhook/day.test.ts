import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { down, hanging, isGenuine, makeReceiver, ok, status } from "../fixtures/Receiver.ts"
import {
  happen,
  happening,
  logOf,
  makeCallers,
  makeTeller,
  pass,
  recorded,
  registered,
  type Teller
} from "../fixtures/Teller.ts"
import { makeStorage, start } from "../fixtures/World.ts"
import { day, hour, minute, second } from "../fixtures/webhooks.ts"

/** Enough events to see a difference; `DAY_EVENTS=10000` for the whole day. */
const count = Number(process.env["DAY_EVENTS"] ?? "100")

const sick = "https://sick.example/hooks"
const healthy = [1, 2, 3].map((n) => `https://healthy${n}.example/hooks`)

/** A process, a failing endpoint and three healthy ones. */
const makeDay = Effect.fnUntraced(function* (reply: Parameters<typeof makeReceiver>[0], look = Duration.minutes(2)) {
  yield* TestClock.setTime(start)
  const storage = yield* makeStorage
  const receiver = makeReceiver((told, nth) => (told.url === sick ? reply!(told, nth) : ok))
  const teller = yield* makeTeller(storage, receiver.layer, { look })
  const { live } = yield* makeCallers(teller)
  const endpoints = yield* Effect.forEach([sick, ...healthy], (url) => registered(teller, live, url))
  return { storage, receiver, teller, live, endpoints, id: endpoints[0]!.id }
})

/** An answer that arrives after everything that happens at the same moment. */
const later = (reply: typeof down) => Effect.delay(reply, "10 millis")

const happenAll = (teller: Teller, live: Parameters<typeof happen>[1], n: number) =>
  Effect.forEach(Array.from({ length: n }), () => happen(teller, live))

describe("a webhook receiver", () => {
  it.effect(
    "that is down for a day gets every event after its return, and three others are never delayed",
    () =>
      Effect.gen(function* () {
        const back = start + day
        const { endpoints, id, live, receiver, storage, teller } = yield* makeDay(({ at }) => (at < back ? down : ok))
        const secrets = new Map(endpoints.map(({ secret, url }) => [url, secret]))
        const batches = 20
        for (let i = 0; i < batches; i++) {
          yield* happenAll(teller, live, count / batches)
          yield* pass(day / batches, 2 * minute)
        }
        // The next event succeeds, and all waiting deliveries follow.
        yield* happen(teller, live)
        yield* pass(6 * minute, 2 * minute)

        const events = yield* recorded(storage, live)
        const ids = events.map((event) => event.id)
        const createdAt = new Map(events.map((event) => [event.id, event.createdAt]))
        assert.lengthOf(ids, count + 1)
        for (const url of healthy) {
          const got = receiver.at(url)
          assert.deepStrictEqual(got.map(({ event }) => event.id).toSorted(), ids)
          assert.isTrue(got.every(({ at, event }) => at === createdAt.get(event.id)))
        }
        const got = receiver.at(sick).filter(({ at }) => at >= back)
        assert.deepStrictEqual(got.map(({ event }) => event.id).toSorted(), ids)
        assert.isTrue(receiver.requests.every((told) => isGenuine(secrets.get(told.url)!, told)))
        assert.isTrue(receiver.requests.every(({ event, headers }) => headers["webhook-id"] === event.id))
        const log = yield* logOf(teller, live, id)
        assert.strictEqual(log.length, receiver.at(sick).length)
        assert.strictEqual(log.filter((one) => one.status === "DELIVERED").length, count + 1)
        assert.deepStrictEqual(
          log.filter((one) => one.status === "DEAD"),
          []
        )
        assert.strictEqual((yield* teller.webhooks.get(live, id)).failingSince, null)
      }),
    180_000 + 200 * count
  )

  it.effect("that hangs keeps one place, and the others are never delayed", () =>
    Effect.gen(function* () {
      let over = false
      const { id, live, receiver, storage, teller } = yield* makeDay(() => (over ? ok : hanging), Duration.seconds(30))
      for (let i = 0; i < 20; i++) {
        yield* happenAll(teller, live, 10)
        yield* pass(minute, 15 * second)
      }
      const events = yield* recorded(storage, live)
      const createdAt = new Map(events.map((event) => [event.id, event.createdAt]))
      for (const url of healthy) {
        assert.deepStrictEqual(
          receiver.idsAt(url).toSorted(),
          events.map((event) => event.id)
        )
        assert.isTrue(receiver.at(url).every(({ at, event }) => at === createdAt.get(event.id)))
      }
      const tries = receiver.at(sick).map(({ at }) => at)
      assert.isTrue(tries.slice(8).every((at, i) => at - tries[i + 7]! >= 15 * second))
      assert.isAbove(tries.length, 70)
      const log = yield* logOf(teller, live, id)
      assert.isTrue(log.every((one) => one.error === "no answer within 15 seconds" && one.durationMs === 15 * second))
      over = true
      yield* pass(15 * second)
    })
  )

  it.effect("that fails now and then gets every event, each until it is accepted or was tried ten times", () =>
    Effect.gen(function* () {
      const { id, live, receiver, storage, teller } = yield* makeDay(
        (_told, nth) => [ok, down, status(500), ok, status(302)][nth % 5]!,
        Duration.minutes(5)
      )
      for (let i = 0; i < 10; i++) {
        yield* happenAll(teller, live, 20)
        yield* pass(10 * minute, 5 * minute)
      }
      yield* pass(4 * day, 5 * minute)
      const ids = (yield* recorded(storage, live)).map((event) => event.id)
      const log = yield* logOf(teller, live, id)
      // An event that always met a failure is DEAD after its tenth try.
      const ended = log.filter((one) => one.status === "DELIVERED" || (one.status === "DEAD" && one.attempt === 10))
      assert.deepStrictEqual(ended.map(({ eventId }) => eventId).toSorted(), ids)
      assert.isAtLeast(log.filter((one) => one.status === "DELIVERED").length, 190)
      assert.strictEqual(log.length, receiver.at(sick).length)
      assert.strictEqual((yield* teller.webhooks.get(live, id)).status, "ACTIVE")
    })
  )

  it.effect("that rejects one event is retried with it at the times of the schedule only", () =>
    Effect.gen(function* () {
      let bad = ""
      const { live, receiver, teller } = yield* makeDay(
        ({ event }) => (event.id === bad ? status(500) : ok),
        Duration.seconds(30)
      )
      const event = yield* happening(live)
      bad = event.id
      yield* teller.outbox.append({ events: [event] })
      for (let i = 0; i < 100; i++) {
        yield* happen(teller, live)
        yield* pass(2 * minute, 30 * second)
      }
      // Immediately, and after 5 s, 5 min, 30 min and 2 h.
      assert.lengthOf(
        receiver.idsAt(sick).filter((id) => id === bad),
        5
      )
      assert.lengthOf(new Set(receiver.idsAt(sick)), 101)
    })
  )

  it.effect("that is down is tried ten times by the schedule, and the last try is listed as DEAD", () =>
    Effect.gen(function* () {
      const { id, live, receiver, teller } = yield* makeDay(() => down, Duration.minutes(1))
      yield* happen(teller, live)
      yield* pass(80 * hour, minute)
      const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
      const tries = receiver.at(sick)
      assert.strictEqual(tries.length, 10)
      for (const [i, wait] of waits.entries()) {
        // The process polls once a minute.
        const late = tries[i + 1]!.at - tries[i]!.at - wait * second
        assert.isTrue(late >= 0 && late <= minute, `try ${i + 2}: ${late} ms late`)
      }
      assert.strictEqual(new Set(tries.map(({ event }) => event.id)).size, 1)
      assert.strictEqual(new Set(tries.map(({ headers }) => headers["webhook-timestamp"])).size, 10)
      assert.strictEqual(new Set(tries.map(({ body }) => body)).size, 1)
      const log = yield* logOf(teller, live, id)
      assert.deepStrictEqual(
        log.map(({ attempt, status }) => [attempt, status]),
        Array.from({ length: 10 }, (_, i) => [10 - i, i === 0 ? "DEAD" : "FAILED"])
      )
      assert.strictEqual((yield* teller.webhooks.get(live, id)).status, "ACTIVE")
    })
  )

  it.effect("that is down for five days is disabled with an event, and a replay sends every event", () =>
    Effect.gen(function* () {
      let repaired = false
      const { id, live, receiver, storage, teller } = yield* makeDay(
        () => (repaired ? ok : later(down)),
        Duration.minutes(10)
      )
      for (let half = 0; half < 12; half++) {
        yield* happenAll(teller, live, 3)
        yield* pass(12 * hour, 10 * minute)
        const { status } = yield* teller.webhooks.get(live, id)
        assert.strictEqual(status, half < 10 ? "ACTIVE" : "DISABLED", `after ${half + 1} half days`)
      }
      const events = yield* recorded(storage, live)
      const told = events.filter(({ type }) => type === "webhook.disabled")
      assert.deepStrictEqual(
        told.map(({ data }) => data),
        [{ webhookId: id, url: sick, reason: "FAILING" }]
      )
      assert.isTrue(told[0]!.createdAt >= start + 5 * day && told[0]!.createdAt < start + 5 * day + 12 * hour)
      for (const url of healthy) assert.include(receiver.idsAt(url), told[0]!.id)

      // Deliveries in flight are DEAD and listed; later events are not queued.
      yield* pass(2 * day, hour)
      const log = yield* logOf(teller, live, id)
      const dead = log.filter(({ status }) => status === "DEAD").map(({ eventId }) => eventId)
      const before = events.filter(
        ({ createdAt, type }) => createdAt <= told[0]!.createdAt && type !== "webhook.disabled"
      )
      assert.deepStrictEqual(
        dead.toSorted(),
        before.map((event) => event.id)
      )
      const tried = receiver.at(sick).length
      assert.isTrue(log.some(({ error }) => error === "the endpoint is disabled"))

      repaired = true
      yield* teller.webhooks.change(live, id, { status: "ACTIVE" })
      yield* teller.webhooks.replay(live, id, { since: start, until: start + 30 * day, onlyMissing: false })
      yield* pass(hour, 10 * minute)
      const again = receiver.at(sick).slice(tried)
      assert.deepStrictEqual(
        again.map(({ event }) => event.id).toSorted(),
        events.map((event) => event.id)
      )
    })
  )

  it.effect("that answers 410 is disabled immediately, although other deliveries failed at the same moment", () =>
    Effect.gen(function* () {
      const { id, live, storage, teller } = yield* makeDay((_told, nth) => later(status(nth === 3 ? 410 : 500)))
      yield* happenAll(teller, live, 8)
      yield* pass(second)
      const { disabledReason, status: now } = yield* teller.webhooks.get(live, id)
      assert.deepStrictEqual([now, disabledReason], ["DISABLED", "GONE"])
      const told = (yield* recorded(storage, live)).filter(({ type }) => type === "webhook.disabled")
      assert.deepStrictEqual(
        told.map(({ data }) => data),
        [{ webhookId: id, url: sick, reason: "GONE" }]
      )
      yield* pass(10 * minute, 2 * minute)
      const log = yield* logOf(teller, live, id)
      assert.strictEqual(log.filter((one) => one.status === "DEAD").length, 8)
    })
  )

  it.effect("that sends Retry-After is retried after that time", () =>
    Effect.gen(function* () {
      const { live, receiver, teller } = yield* makeDay(
        (_told, nth) => (nth === 0 ? status(429, 120) : ok),
        Duration.seconds(1)
      )
      yield* happen(teller, live)
      yield* pass(119 * second)
      assert.lengthOf(receiver.at(sick), 1)
      yield* pass(2 * second)
      const [first, second_] = receiver.at(sick).map(({ at }) => at)
      assert.isTrue(second_! - first! >= 120 * second)
    })
  )
})
