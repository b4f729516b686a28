import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Latch } from "effect"
import { TestClock } from "effect/testing"
import { JobStore, type Storage, VerificationStore } from "../../src/index.storage.ts"
import { accepted, recordingChannel, unavailable } from "../fixtures/RecordingChannel.ts"
import { add, cutOff, jobIn, kind, unreachable } from "../fixtures/jobs.ts"
import { makeStorage, makeWorld, otp, start, withSettings } from "../fixtures/World.ts"
import { Gate } from "../../src/foundation/outbox/Gate.ts"
import type { JobOutcome, Work } from "../../src/foundation/outbox/Jobs.ts"
import { Lanes } from "../../src/foundation/outbox/Lanes.ts"

const second = 1_000

/** Storage that counts its calls for jobs, and the jobs it returns. */
const counting = (storage: Context.Context<Storage>) => {
  const store = Context.get(storage, JobStore)
  const counts = { asked: 0, handedOut: 0, givenBack: 0 }
  const count = <A, E>(effect: Effect.Effect<A, E>) => Effect.tap(effect, () => Effect.sync(() => counts.asked++))
  const counted = JobStore.of({
    ...store,
    claim: (claim) => count(store.claim(claim)),
    claimGates: (claim) =>
      Effect.tap(count(store.claimGates(claim)), ({ jobs }) => Effect.sync(() => (counts.handedOut += jobs.length))),
    nextRunAt: (kinds) => count(store.nextRunAt(kinds)),
    retry: (lease, retry) =>
      Effect.tap(count(store.retry(lease, retry)), () =>
        Effect.sync(() => (counts.givenBack += lease.key.startsWith("send:") ? 1 : 0))
      )
  })
  return { counts, storage: Context.add(storage, JobStore, counted) }
}

const people = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => otp(`98${String(from + i).padStart(8, "0")}`))

describe("a backlog of 2,000 messages", () => {
  it.effect("costs a few statements a second, keeps the rate limit, and delays no other channel", () =>
    Effect.gen(function* () {
      const { counts, storage } = counting(yield* makeStorage)
      const sms = recordingChannel("SMS")
      const whatsapp = recordingChannel("WHATSAPP")
      const paced = { ...sms.channel, limits: { perSecond: 50 } }
      const world = yield* makeWorld({ storage, channels: [paced, whatsapp.channel] })
      const live = withSettings(world.live, { codeExpirySeconds: 900 })
      yield* Effect.forEach(people(2_000), (request) => world.verifications.initiate(live, request))
      yield* TestClock.adjust("2 seconds")
      counts.asked = 0
      yield* TestClock.adjust("10 seconds")
      // Two polls a second for jobs without a gate, and at most four for the gates.
      assert.isAtMost(counts.asked, 10 * 8)
      assert.strictEqual(counts.givenBack, 0)
      const perSecond = Map.groupBy(sms.received, ({ at }) => Math.floor((at - start) / second))
      assert.isTrue([...perSecond.values()].every((sent) => sent.length <= 50))
      assert.isAtLeast(sms.received.length, 500)

      const [other] = people(1, 5_000)
      const asked = yield* Clock.currentTimeMillis
      yield* world.verifications.initiate(live, { ...other!, channel: "WHATSAPP" })
      yield* TestClock.adjust(1)
      assert.isAtMost(whatsapp.received[0]!.at, asked + 1)

      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(sms.received.length, 2_000)
      assert.strictEqual(new Set(sms.received.map(({ deliveryId }) => deliveryId)).size, 2_000)
      // Jobs are claimed only when there is room: each once, except those leased with their commit.
      assert.isAtMost(counts.handedOut, 2_001)
    })
  )

  it.effect("waits for an open circuit without being claimed, and is sent when the provider is back", () =>
    Effect.gen(function* () {
      const { counts, storage } = counting(yield* makeStorage)
      let isBack = false
      const sms = recordingChannel("SMS", [Effect.suspend(() => (isBack ? accepted : unavailable("SMS")))])
      const world = yield* makeWorld({ storage, channels: [{ ...sms.channel, limits: { perSecond: 20 } }] })
      const live = withSettings(world.live, { codeExpirySeconds: 900 })
      yield* Effect.forEach(people(300), (request) => world.verifications.initiate(live, request))
      yield* TestClock.adjust("30 seconds")
      counts.asked = 0
      counts.givenBack = 0
      counts.handedOut = 0
      yield* TestClock.adjust("120 seconds")
      assert.isAtMost(counts.asked, 120 * 5)
      assert.isAtMost(counts.handedOut, 20)
      isBack = true
      yield* TestClock.adjust("180 seconds")
      const done = sms.received.filter(({ at }) => at > start + 150 * second).map(({ deliveryId }) => deliveryId)
      assert.strictEqual(new Set(done).size, 300)
    })
  )
})

describe("many messages for one carrier of a channel", () => {
  const places = 5
  /** A carrier of Indian numbers with five seconds per message, and a carrier of American numbers. */
  const crowded = Effect.gen(function* () {
    const { counts, storage } = counting(yield* makeStorage)
    const slow = recordingChannel("SMS", [Effect.delay(accepted, "5 seconds")])
    const quick = recordingChannel("SMS")
    const channels = [
      { ...slow.channel, provider: "slow", prefixes: ["91"], limits: { atOnce: places } },
      { ...quick.channel, provider: "quick", prefixes: ["1"] }
    ]
    const world = yield* makeWorld({ storage, channels })
    const long = { codeExpirySeconds: 900 }
    const live = withSettings(world.live, long)
    yield* Effect.forEach(people(200), (request) => world.verifications.initiate(live, request))
    yield* TestClock.adjust("2 seconds")
    const { merchants } = world
    const keys = yield* merchants.create("Another")
    const another = withSettings(yield* merchants.authenticate(keys.live.clientId, keys.live.clientSecret), long)
    return { ...world, another, counts, live, quick, slow }
  })

  /** Waits until all are sent, because the last ones would wait for a stopped clock. */
  const toTheEnd = TestClock.adjust("240 seconds")

  it.effect("wait for it in storage, and use all of its places", () =>
    Effect.gen(function* () {
      const { counts, slow } = yield* crowded
      counts.givenBack = 0
      yield* TestClock.adjust("100 seconds")
      const { givenBack } = counts
      const sent = slow.received.length
      yield* toTheEnd
      assert.strictEqual(givenBack, 0)
      assert.isAtLeast(sent, 20 * places)
      assert.strictEqual(new Set(slow.received.map(({ deliveryId }) => deliveryId)).size, 200)
      assert.strictEqual(slow.received.length, 200)
    })
  )

  it.effect("keep their rate while another carrier's many commits take their time", () =>
    Effect.gen(function* () {
      const plain = yield* makeStorage
      const store = Context.get(plain, VerificationStore)
      let takes = 0
      const storage = Context.add(plain, VerificationStore, {
        ...store,
        commit: (change) => Effect.delay(store.commit(change), takes)
      })
      const paced = recordingChannel("SMS")
      const busy = recordingChannel("SMS")
      const channels = [
        { ...paced.channel, provider: "paced", prefixes: ["91"], limits: { perSecond: 5 } },
        { ...busy.channel, provider: "busy", prefixes: ["1"] }
      ]
      const { live, verifications } = yield* makeWorld({ storage, channels })
      const caller = withSettings(live, { codeExpirySeconds: 900 })
      yield* Effect.forEach(people(100), (request) => verifications.initiate(caller, request))
      const before = paced.received.length
      takes = 100
      for (let n = 0; n < 1_000; n++) {
        const american = otp(`+1202555${String(n).padStart(4, "0")}`)
        yield* Effect.forkChild(Effect.ignore(verifications.initiate(caller, american)))
        yield* TestClock.adjust(10)
      }
      // Five a second for ten seconds, less the start.
      assert.isAtLeast(paced.received.length - before, 40)
      takes = 0
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual(paced.received.length, 100)
    })
  )

  it.effect("take turns with another merchant's messages, and delay no other carrier", () =>
    Effect.gen(function* () {
      const { another, quick, slow, verifications } = yield* crowded
      const asked = yield* Clock.currentTimeMillis
      yield* Effect.forEach(people(3, 5_000), (request) => verifications.initiate(another, request))
      yield* verifications.initiate(another, otp("+12025550123"))
      yield* toTheEnd
      const theirs = slow.received.filter(({ to }) => to.startsWith("+919800005"))
      assert.strictEqual(theirs.length, 3)
      assert.isAtMost(Math.max(...theirs.map(({ at }) => at)), asked + 8_000)
      assert.isAtMost(quick.received[0]!.at, asked + 50)
    })
  )
})

describe("a message that waits for its provider until its code expires", () => {
  it.effect("is FAILED with its verification, and leaves no job behind", () =>
    Effect.gen(function* () {
      const { counts, storage } = counting(yield* makeStorage)
      const sms = recordingChannel("SMS", [unavailable("SMS")])
      const world = yield* makeWorld({ storage, channels: [{ ...sms.channel, limits: { perSecond: 1 } }] })
      const live = withSettings(world.live, { codeExpirySeconds: 30 })
      const made = yield* Effect.forEach(people(100), (request) => world.verifications.initiate(live, request))
      // The circuit is open from second 14 to second 34.
      yield* TestClock.adjust("33 seconds")
      counts.handedOut = 0
      for (const { verification } of made) {
        const { deliveries, status } = yield* world.verifications.status(live, { requestId: verification.id })
        assert.deepStrictEqual([status, ...deliveries.map((one) => one.status)], ["FAILED", "FAILED"])
      }
      const room = { gate: "SMS", limit: 1_000, free: 1_000, share: null, held: [], room: 1_000, rooms: [] }
      const kinds = [{ kind: "send", lease: 1 }]
      const far = { kinds, now: start + 1e9, gates: [room] }
      assert.deepStrictEqual(yield* Context.get(storage, JobStore).claimGates(far), { jobs: [], next: null })
    })
  )
})

describe("one merchant's slow endpoints", () => {
  const handlerOf = (calls: Array<{ readonly at: number; readonly environment: string }>) => (job: Work<unknown>) =>
    Effect.gen(function* () {
      calls.push({ at: ((yield* Clock.currentTimeMillis) - start) / second, environment: job.environment })
      if (job.environment === "slow") yield* Effect.sleep("10 seconds")
      const well: JobOutcome = { _tag: "Completed" }
      return well
    })

  it.effect("use half of the places, and another merchant's job starts immediately in any process", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const storage = yield* makeStorage
      const calls: Array<{ readonly at: number; readonly environment: string }> = []
      const gate = new Gate({ name: "receivers", places: 256, share: 1, lanes: new Lanes() })
      const jobs = yield* cutOff(storage, gate)
      yield* jobs.handle(kind, handlerOf(calls))
      const slow = Array.from({ length: 16 }, (_, lane) =>
        Array.from({ length: 500 }, (_, i) => ({ ...jobIn(`slow${lane}`, String(i)), environment: "slow" }))
      ).flat()
      yield* add(storage, slow)
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual(gate.running, 128)

      yield* add(storage, [{ ...jobIn("quick", "elsewhere"), environment: "quick" }])
      yield* TestClock.adjust(50)
      yield* jobs.commit([{ ...jobIn("quick", "here"), environment: "quick" }], (work) => add(storage, work))
      yield* TestClock.adjust(50)
      const quick = calls.filter(({ environment }) => environment === "quick")
      assert.strictEqual(quick.length, 2)
      assert.isTrue(quick.every(({ at }) => at <= 60.1))
      yield* jobs.end
    })
  )

  const ofSlow = (name: string) =>
    Array.from({ length: 32 }, (_, lane) =>
      Array.from({ length: 8 }, (_, i) => ({ ...jobIn(`${name}${lane}`, String(i)), environment: "slow" }))
    ).flat()

  it.effect("use no more of them when new jobs arrive during a claim", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const storage = yield* makeStorage
      const store = Context.get(storage, JobStore)
      const claim = yield* Latch.make()
      const slow = JobStore.of({
        ...store,
        claimGates: (asked) => Effect.andThen(claim.await, store.claimGates(asked))
      })
      const gate = new Gate({ name: "receivers", places: 256, share: 1, lanes: new Lanes() })
      const jobs = yield* cutOff(Context.add(storage, JobStore, slow), gate)
      yield* jobs.handle(kind, () => Effect.never)
      yield* add(storage, ofSlow("waiting"))
      yield* TestClock.adjust("1 second")
      yield* jobs.commit(ofSlow("new"), (work) => add(storage, work))
      assert.strictEqual(gate.running, 64)
      yield* claim.open
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(gate.running, 128)
      yield* jobs.end
    })
  )

  it.effect("use no fewer of them after a failed claim", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const storage = yield* makeStorage
      const gate = new Gate({ name: "receivers", places: 256, share: 1, lanes: new Lanes() })
      const jobs = yield* cutOff(unreachable(storage, Number.POSITIVE_INFINITY), gate)
      yield* jobs.handle(kind, () => Effect.never)
      yield* TestClock.adjust("5 seconds")
      yield* jobs.commit(ofSlow("new"), (work) => add(storage, work))
      assert.strictEqual(gate.running, 128)
      yield* jobs.end
    })
  )
})
