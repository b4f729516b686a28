import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { endpointHealth, type Backlog } from "../../src/account/webhook/endpointHealth.ts"
import { triedEvent } from "../../src/account/webhook/eventLog.ts"
import type { EventLogQuery } from "../../src/account/webhook/makeEventLog.ts"
import type { WebhookAttempt } from "../../src/index.ts"
import { down, makeReceiver, ok } from "../fixtures/Receiver.ts"
import { happen, logOf, makeCallers, makeTeller, pass, registered } from "../fixtures/Teller.ts"
import { day, minute, second } from "../fixtures/webhooks.ts"
import { makeStorage, start } from "../fixtures/World.ts"

const attempt = (more: Partial<WebhookAttempt>): WebhookAttempt => ({
  id: "dlv_1",
  environment: "env",
  webhookId: "whk_1",
  eventId: "evt_1",
  eventType: "otp.verified",
  attempt: 1,
  status: "FAILED",
  url: "https://shop.example/hooks",
  createdAt: start,
  durationMs: 1,
  responseStatus: 500,
  responseBody: null,
  error: null,
  nextAttemptAt: start + minute,
  ...more
})
const delivered = attempt({ status: "DELIVERED", nextAttemptAt: null, responseStatus: 204 })
const manual = attempt({ nextAttemptAt: null })
const dead = attempt({ status: "DEAD", nextAttemptAt: null })

describe("the state of an event at an endpoint", () => {
  const stateOf = (...attempts: ReadonlyArray<WebhookAttempt>) => triedEvent(attempts, start)?.state
  it("is DELIVERED after one success, whatever a later manual try did", () => {
    assert.strictEqual(stateOf(attempt({}), delivered, manual), "DELIVERED")
  })
  it("is WAITING while a retry is expected, also after a manual try in between", () => {
    assert.strictEqual(stateOf(attempt({})), "WAITING")
    assert.strictEqual(stateOf(attempt({}), manual), "WAITING")
    assert.strictEqual(stateOf(dead, attempt({})), "WAITING")
  })
  it("is FAILED when no retry follows, or when the retry never came", () => {
    for (const tries of [[dead], [manual], [attempt({}), dead], [dead, manual]])
      assert.strictEqual(stateOf(...tries), "FAILED")
    assert.strictEqual(triedEvent([attempt({})], start + day)?.state, "FAILED")
    assert.isNull(triedEvent([], start))
  })
})

describe("the health of an endpoint", () => {
  const none: Backlog = { pending: 0, givenUp: 0, more: false, pendingSince: null }
  const active = { status: "ACTIVE", failingSince: null } as const
  const waiting = { ...none, pending: 4, pendingSince: start }
  const table: ReadonlyArray<
    readonly [what: string, ...Parameters<typeof endpointHealth>, code: string, since: number | null]
  > = [
    ["no event was sent yet", active, none, null, "NO_EVENT_YET", null],
    ["the last try got through", active, none, delivered, "WORKS", null],
    ["events wait although the last try got through", active, waiting, delivered, "WAITING", start],
    ["events were given up", active, { ...none, givenUp: 1 }, delivered, "NOT_DELIVERED", null],
    ["it fails", { ...active, failingSince: start - 1 }, waiting, attempt({}), "FAILING", start - 1],
    ["only a manual test was made, and failed", active, none, manual, "FAILING", start],
    ["it is disabled", { status: "DISABLED", failingSince: start }, waiting, attempt({}), "DISABLED", null]
  ]
  for (const [what, webhook, backlog, last, health, since] of table)
    it(`is ${health} when ${what}`, () => {
      assert.deepStrictEqual(endpointHealth(webhook, backlog, last), { health, since } as ReturnType<
        typeof endpointHealth
      >)
    })
})

const all: EventLogQuery = { state: null, type: null, eventIds: null, after: null, limit: 50 }

const begin = Effect.fnUntraced(function* () {
  yield* TestClock.setTime(start)
  const answering = { now: ok }
  const receiver = makeReceiver(() => Effect.suspend(() => answering.now))
  const teller = yield* makeTeller(yield* makeStorage, receiver.layer)
  const { live, test } = yield* makeCallers(teller)
  const { id } = yield* registered(teller, live, "https://shop.example/hooks")
  const events = (query: Partial<EventLogQuery> = {}) => teller.webhooks.events(live, id, { ...all, ...query })
  return { answering, events, id, live, receiver, teller, test }
})

describe("the events of a webhook endpoint", () => {
  it.effect("are listed newest first, each with its tries, by state and by type", () =>
    Effect.gen(function* () {
      const { answering, events, live, teller, id, test } = yield* begin()
      const first = yield* happen(teller, live)
      yield* pass(2 * second)
      answering.now = down
      const later = yield* happen(teller, live)
      yield* pass(20 * second)
      const { items } = yield* events()
      assert.deepStrictEqual(
        items.map((item) => [item.id, item.state, item.attempts.map(({ attempt }) => attempt)]),
        [
          [later, "WAITING", [1, 2]],
          [first, "DELIVERED", [1]]
        ]
      )
      assert.isNotNull(items[0]?.nextAttemptAt)
      const idsOf = (query: Partial<EventLogQuery>) =>
        Effect.map(events(query), (page) => page.items.map((item) => item.id))
      assert.deepStrictEqual(yield* idsOf({ state: "WAITING" }), [later])
      assert.deepStrictEqual(yield* idsOf({ state: "FAILED" }), [])
      assert.deepStrictEqual(yield* idsOf({ state: "DELIVERED" }), [first])
      assert.deepStrictEqual(yield* idsOf({ type: "otp.verified" }), [])
      assert.deepStrictEqual(yield* idsOf({ type: "session.created" }), [later, first])
      assert.deepStrictEqual(yield* idsOf({ eventIds: [first] }), [first])
      assert.deepStrictEqual(yield* idsOf({ eventIds: ["evt_1"] }), [])
      assert.strictEqual((yield* Effect.flip(teller.webhooks.events(test, id, all)))._tag, "UnknownWebhook")
    })
  )

  it.effect("are paged without losing or repeating an event", () =>
    Effect.gen(function* () {
      const { events, live, teller } = yield* begin()
      const made: Array<string> = []
      for (let i = 0; i < 7; i++) made.push(yield* happen(teller, live))
      yield* pass(2 * second)
      const seen: Array<string> = []
      let after: string | null = null
      do {
        const page: { items: ReadonlyArray<{ id: string }>; nextCursor: string | null } = yield* events({
          after,
          limit: 3
        })
        seen.push(...page.items.map((item) => item.id))
        after = page.nextCursor
      } while (after !== null)
      assert.deepStrictEqual(seen, made.toSorted().toReversed())
    })
  )
})

describe("a retry of a webhook event", () => {
  it.effect("sends a waiting event now, and a second press sends nothing more", () =>
    Effect.gen(function* () {
      const { answering, events, id, live, receiver, teller } = yield* begin()
      answering.now = down
      const event = yield* happen(teller, live)
      yield* pass(20 * second)
      answering.now = ok
      assert.lengthOf(receiver.requests, 2)
      assert.deepStrictEqual(yield* teller.webhooks.retry(live, id, event), { events: 1 })
      assert.deepStrictEqual(yield* teller.webhooks.retry(live, id, event), { events: 1 })
      yield* pass(5 * second)
      assert.lengthOf(receiver.requests, 3)
      assert.deepStrictEqual(yield* teller.webhooks.retry(live, id, event), { events: 0 })
      assert.strictEqual((yield* events()).items[0]?.state, "DELIVERED")
    })
  )

  it.effect("of all waiting events sends each once, says how many, and is in the audit log", () =>
    Effect.gen(function* () {
      const { answering, id, live, receiver, teller } = yield* begin()
      answering.now = down
      for (let i = 0; i < 4; i++) yield* happen(teller, live)
      yield* pass(20 * second)
      assert.deepInclude(yield* teller.webhooks.condition(live, id), { health: "FAILING", pending: 4, since: start })
      assert.deepStrictEqual(yield* teller.webhooks.retryWaiting(live, id), { events: 4 })
      assert.deepStrictEqual(yield* teller.webhooks.retryWaiting(live, id), { events: 0 })
      yield* pass(5 * second)
      assert.lengthOf(receiver.requests, 12)
      answering.now = ok
      assert.deepStrictEqual(yield* teller.webhooks.retryWaiting(live, id), { events: 4 })
      yield* pass(5 * second)
      assert.lengthOf(receiver.requests, 16)
      assert.deepInclude(yield* teller.webhooks.condition(live, id), { health: "WORKS", pending: 0 })
    })
  )

  it.effect("sends an event again that was given up, once, with its own retries", () =>
    Effect.gen(function* () {
      const { answering, events, id, live, receiver, teller } = yield* begin()
      answering.now = down
      const event = yield* happen(teller, live)
      yield* pass(20 * second)
      yield* teller.webhooks.change(live, id, { status: "DISABLED" })
      assert.strictEqual((yield* Effect.flip(teller.webhooks.retry(live, id, event)))._tag, "InvalidField")
      assert.strictEqual((yield* Effect.flip(teller.webhooks.retryWaiting(live, id)))._tag, "InvalidField")
      yield* pass(10 * minute)
      yield* teller.webhooks.change(live, id, { status: "ACTIVE" })
      assert.strictEqual((yield* events()).items[0]?.state, "FAILED")
      answering.now = ok
      const before = receiver.requests.length
      yield* Effect.all([teller.webhooks.retry(live, id, event), teller.webhooks.retry(live, id, event)], {
        concurrency: 2
      })
      yield* pass(5 * second)
      assert.lengthOf(receiver.requests, before + 1)
      assert.strictEqual((yield* events()).items[0]?.state, "DELIVERED")
      assert.lengthOf(yield* logOf(teller, live, id), 4)
    })
  )

  it.effect("does not start an event a second time while its request runs", () =>
    Effect.gen(function* () {
      const { answering, id, live, receiver, teller } = yield* begin()
      answering.now = down
      const event = yield* happen(teller, live)
      yield* pass(20 * second)
      answering.now = Effect.andThen(Effect.sleep("10 seconds"), ok)
      yield* teller.webhooks.retry(live, id, event)
      yield* pass(2 * second)
      assert.lengthOf(receiver.requests, 3)
      yield* teller.webhooks.retry(live, id, event)
      yield* teller.webhooks.retryWaiting(live, id)
      yield* pass(20 * second)
      assert.lengthOf(receiver.requests, 3)
    })
  )

  it.effect("brings the delivery of a replay forward, and adds no second one", () =>
    Effect.gen(function* () {
      const { answering, id, live, receiver, teller } = yield* begin()
      answering.now = down
      const failed = yield* happen(teller, live)
      yield* pass(2 * second)
      yield* teller.webhooks.change(live, id, { status: "DISABLED" })
      yield* pass(10 * second)
      yield* teller.webhooks.change(live, id, { status: "ACTIVE" })
      yield* teller.webhooks.replay(live, id, { since: start, until: start + minute, onlyMissing: false })
      yield* pass(20 * second)
      answering.now = ok
      const before = receiver.requests.length
      yield* teller.webhooks.retry(live, id, failed)
      yield* pass(5 * second)
      assert.lengthOf(
        receiver
          .idsAt("https://shop.example/hooks")
          .slice(before)
          .filter((sent) => sent === failed),
        1
      )
    })
  )

  it.effect("knows only events that were sent to this endpoint, for its own merchant", () =>
    Effect.gen(function* () {
      const { id, live, teller, test } = yield* begin()
      const foreign = yield* happen(teller, test)
      yield* pass(2 * second)
      for (const absent of [foreign, "evt_1", "dlv_1", ""])
        assert.strictEqual((yield* Effect.flip(teller.webhooks.retry(live, id, absent)))._tag, "UnknownWebhookDelivery")
      assert.strictEqual((yield* Effect.flip(teller.webhooks.retry(test, id, foreign)))._tag, "UnknownWebhook")
    })
  )
})
