import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { type Settings, Statistics } from "../../src/index.ts"
import {
  changeOf,
  counted,
  FactStore,
  noRecords,
  OutboxStore,
  refused,
  StatStore,
  VerificationStore
} from "../../src/index.storage.ts"
import { makeWorld, start, withSettings, type World } from "../fixtures/World.ts"

const hour = 3_600_000
const nothing = {
  asked: 0,
  sent: 0,
  delivered: 0,
  verified: 0,
  failed: 0,
  expired: 0,
  resent: 0,
  fallbacks: 0,
  oneTap: 0,
  refused: 0
}

const ask = (identity: string, channel = "SMS") => ({
  identity,
  identityType: identity.includes("@") ? ("EMAIL" as const) : ("MOBILE" as const),
  mode: "OTP",
  channel: identity.includes("@") ? "EMAIL" : channel
})

/** Three logins: by SMS and verified after four seconds, by WhatsApp to the US, by e-mail. */
const makeLogins = Effect.fnUntraced(function* (settings: Partial<Settings> = {}) {
  const world = yield* makeWorld()
  const { verifications } = world
  const live = withSettings(world.live, settings)
  const first = yield* verifications.initiate(live, ask("9876543210"))
  yield* verifications.initiate(live, ask("+14155552671", "WHATSAPP"))
  yield* verifications.initiate(live, ask("a@example.com"))
  yield* TestClock.adjust("4 seconds")
  yield* verifications.verify(live, { requestId: first.verification.id, otp: world.codeOf(first.verification) })
  return { ...world, live, statistics: Context.get(world.services, Statistics) }
})

const factsLeft = ({ live, storage }: Pick<World, "live" | "storage">) =>
  Context.get(storage, FactStore).list({
    kind: counted.name,
    environment: live.environment,
    after: null,
    limit: 100
  })

const noneRelayed = { requested: 0, sent: 0, delivered: 0, failed: 0 }

describe("statistics", () => {
  it.effect("are the same before and after facts are folded, which takes 10 seconds", () =>
    Effect.gen(function* () {
      const world = yield* makeLogins()
      const { live, statistics } = world
      const all = Effect.all([
        statistics.series(live, {}),
        statistics.series(live, { bucket: "15m", groupBy: "channel", tz: "Asia/Kolkata" }),
        statistics.funnel(live, { groupBy: "country" }),
        statistics.latency(live, { groupBy: "channel" }),
        statistics.latency(live, {})
      ])
      const before = yield* all
      assert.isNotEmpty(yield* factsLeft(world))
      yield* TestClock.adjust("10 seconds")
      assert.isEmpty(yield* factsLeft(world))
      assert.deepStrictEqual(yield* all, before)
      assert.deepStrictEqual(before[2], [
        { group: null, asked: 1, sent: 1, delivered: 0, verified: 0, relayed: noneRelayed, losses: [] },
        { group: "IN", asked: 1, sent: 1, delivered: 0, verified: 1, relayed: noneRelayed, losses: [] },
        { group: "US", asked: 1, sent: 1, delivered: 0, verified: 0, relayed: noneRelayed, losses: [] }
      ])
      assert.deepStrictEqual(
        before[3].map(({ group, toSend, toVerify }) => [group, toSend?.p50, toVerify?.p99 ?? null]),
        [
          ["EMAIL", 0, null],
          ["SMS", 0, 4_000 + 31],
          ["WHATSAPP", 0, null]
        ]
      )
    })
  )

  it.effect("have every point of a series without groups, and with groups the points with counts", () =>
    Effect.gen(function* () {
      const { live, statistics } = yield* makeLogins()
      const range = {
        bucket: "1h",
        from: new Date(start - hour).toISOString(),
        to: new Date(start + hour).toISOString()
      }
      const counts = { ...nothing, asked: 3, sent: 3, verified: 1 }
      assert.deepStrictEqual(yield* statistics.series(live, range), {
        bucket: "1h",
        items: [
          { at: start - hour, group: null, ...nothing },
          { at: start, group: null, ...counts }
        ]
      })
      assert.deepStrictEqual(yield* statistics.series(live, { ...range, groupBy: "path" }), {
        bucket: "1h",
        items: [{ at: start, group: "SERVER", ...counts }]
      })
      assert.deepStrictEqual(yield* statistics.usage(live.environment, start - hour, start + hour), counts)
    })
  )

  it.effect("count messages by the carrier that accepted them, and other counts without a carrier, folded or not", () =>
    Effect.gen(function* () {
      const { live, statistics } = yield* makeLogins()
      const byCarrier = statistics.funnel(live, { groupBy: "carrier" })
      const expected = [
        { group: null, asked: 3, sent: 0, delivered: 0, verified: 1, relayed: noneRelayed, losses: [] },
        { group: "silent", asked: 0, sent: 3, delivered: 0, verified: 0, relayed: noneRelayed, losses: [] }
      ]
      assert.deepStrictEqual(yield* byCarrier, expected)
      const [, { toSend } = { toSend: null }] = yield* statistics.latency(live, { groupBy: "carrier" })
      assert.strictEqual(toSend?.p50, 0)
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* byCarrier, expected)
      // By any other group they are one count.
      assert.strictEqual((yield* statistics.funnel(live, {}))[0]?.sent, 3)
    })
  )

  it.effect("count what ended without success by its outcome, and correct it after a late receipt", () =>
    Effect.gen(function* () {
      const { live, statistics, storage, verifications } = yield* makeLogins()
      const { verification } = yield* verifications.initiate(live, ask("9876543211"))
      for (let wrong = 0; wrong < verification.maxAttempts; wrong++)
        yield* verifications.verify(live, { requestId: verification.id, otp: "000000" })
      const losses = Effect.map(statistics.funnel(live, {}), ([sum]) => sum?.losses)
      assert.deepStrictEqual(yield* losses, [{ code: "NO_ATTEMPTS_LEFT", count: 1 }])
      yield* TestClock.adjust("10 minutes")
      const byChannel = yield* statistics.funnel(live, { groupBy: "channel" })
      assert.deepStrictEqual(
        byChannel.map(({ group, losses }) => [group, losses]),
        [
          ["EMAIL", [{ code: "NO_RECEIPT", count: 1 }]],
          ["SMS", [{ code: "NO_ATTEMPTS_LEFT", count: 1 }]],
          ["WHATSAPP", [{ code: "NO_RECEIPT", count: 1 }]]
        ]
      )
      const store = Context.get(storage, VerificationStore)
      const { found } = yield* store.search({
        environment: live.environment,
        filter: { outcomes: ["NO_RECEIPT SILENCE"], channel: "WHATSAPP" },
        before: "ver_~",
        since: "ver_",
        now: start,
        limit: 9,
        most: 9
      })
      const loaded = (yield* store.load(live.environment, found[0]!.id))!
      const deliveries = loaded.verification.deliveries.map((delivery) => ({
        ...delivery,
        status: "DELIVERED" as const
      }))
      const received = { ...loaded.verification, deliveries }
      yield* store.commit(changeOf(loaded.verification, loaded.subject, received, null))
      assert.deepStrictEqual(
        (yield* losses)?.map(({ code, count }) => `${code} ${count}`),
        ["DELIVERED_UNUSED 1", "NO_ATTEMPTS_LEFT 1", "NO_RECEIPT 1"]
      )
    })
  )

  it.effect("are never those of another environment or merchant", () =>
    Effect.gen(function* () {
      const { merchants, statistics, test } = yield* makeLogins()
      const { live } = yield* Effect.orDie(merchants.create("Other"))
      const other = yield* Effect.orDie(merchants.authenticate(live.clientId, live.clientSecret))
      for (const caller of [test, other]) {
        assert.deepStrictEqual(yield* statistics.funnel(caller, {}), [
          { group: null, asked: 0, sent: 0, delivered: 0, verified: 0, relayed: noneRelayed, losses: [] }
        ])
        assert.deepStrictEqual(yield* statistics.funnel(caller, { groupBy: "channel" }), [])
      }
    })
  )

  it.effect("use the price at the time of the request, for messages that were sent and did not fail", () =>
    Effect.gen(function* () {
      const unpriced = yield* makeLogins()
      assert.deepStrictEqual(yield* unpriced.statistics.spend(unpriced.live, {}), [
        { group: null, sends: 3, amount: null, costPerVerified: null }
      ])
      const { live, statistics, storage } = yield* makeLogins({ prices: { SMS: 20, WHATSAPP: 50 } })
      const bounce = counted.fact({
        environment: live.environment,
        at: start,
        key: "ver_x/1",
        value: { country: "IN", path: "SERVER", "sent SMS": 1, "bounced SMS": 1 }
      })
      yield* Context.get(storage, OutboxStore).append({ ...noRecords, facts: [bounce] })
      assert.deepStrictEqual(yield* statistics.spend(live, {}), [
        { group: null, sends: 3, amount: 70, costPerVerified: 70 }
      ])
      assert.deepStrictEqual(yield* statistics.spend(live, { groupBy: "channel" }), [
        { group: "EMAIL", sends: 1, amount: 0, costPerVerified: null },
        { group: "SMS", sends: 1, amount: 20, costPerVerified: 20 },
        { group: "WHATSAPP", sends: 1, amount: 50, costPerVerified: null }
      ])
    })
  )

  it.effect("count refusals by reason, and ignore an unreadable fact", () =>
    Effect.gen(function* () {
      const world = yield* makeLogins()
      const { live, statistics, storage } = world
      const refusal = (key: string, reason: string, channel: string | null, n: number) =>
        refused.fact({
          environment: live.environment,
          at: start,
          key,
          value: { path: "SDK", reason, channel, country: null, n }
        })
      const strange = { ...refusal("c", "limit", "SMS", 1), value: { reason: "limit", n: "many" } }
      yield* Context.get(storage, OutboxStore).append({
        ...noRecords,
        facts: [refusal("a", "limit", "SMS", 3), refusal("b", "country", null, 2), strange]
      })
      const found = [
        { group: null, reason: "country", count: 2 },
        { group: null, reason: "limit", count: 3 }
      ]
      assert.deepStrictEqual(yield* statistics.refusals(live, {}), found)
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* statistics.refusals(live, {}), found)
      assert.deepStrictEqual(
        yield* statistics.refusals(live, { groupBy: "channel" }),
        found.map((item) => (item.reason === "limit" ? { ...item, group: "SMS" } : item))
      )
      const environments = yield* Context.get(storage, FactStore).environments(refused.name)
      assert.deepStrictEqual(environments, [])
    })
  )

  it.effect("have UTC days where quarter hours are deleted, and refuse finer buckets there", () =>
    Effect.gen(function* () {
      const { live, services, storage } = yield* makeWorld({ idle: true })
      const statistics = Context.get(services, Statistics)
      const at = Date.UTC(2029, 10, 20)
      const bucket = { at, channel: "SMS", country: "IN", path: "SERVER", template: "", latencies: {} }
      yield* Context.get(storage, StatStore).commit({
        ...noRecords,
        environment: live.environment,
        version: 0,
        buckets: [
          { ...bucket, span: "DAY", counts: { asked: 5 } },
          { ...bucket, span: "QUARTER", counts: { asked: 4 } }
        ]
      })
      const range = { from: "2029-11-20T00:00:00Z", to: "2029-11-22T00:00:00Z" }
      const { items } = yield* statistics.series(live, { ...range, tz: "Asia/Kolkata" })
      assert.deepStrictEqual(
        items.map(({ asked, at }) => [new Date(at).toISOString(), asked]),
        [
          ["2029-11-20T00:00:00.000Z", 5],
          ["2029-11-21T00:00:00.000Z", 0]
        ]
      )
      assert.isTrue(Result.isFailure(yield* Effect.result(statistics.series(live, { ...range, bucket: "15m" }))))
    })
  )
})
