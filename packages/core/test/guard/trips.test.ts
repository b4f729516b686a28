import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Audit, Protection } from "../../src/index.ts"
import { TripStore } from "../../src/index.storage.ts"
import { makeProcess, makeWorld, otp, withSettings, type World } from "../fixtures/World.ts"

const place = "99891234"
const numberOf = (n: number, block = place) => `+${block}${String((n * 91) % 10_000).padStart(4, "0")}`
const enforcing = { guardEnforces: ["PREFIX_UNVERIFIED"] as const, hourlyLimit: 1_000 }

type Process = Pick<World, "verifications">

const send = ({ verifications }: Process, caller: World["live"], identity: string) =>
  verifications.initiate(caller, otp(identity)).pipe(
    Effect.as("sent"),
    Effect.catch((error) =>
      Effect.succeed(
        error._tag === "GuardRefused"
          ? `${error.waitSeconds === null ? "refused" : "delayed"} ${error.reason}`
          : error._tag
      )
    )
  )

/** Requests codes for numbers of one block, a second apart, that nobody types. */
const pump = Effect.fnUntraced(function* (
  process: Process,
  caller: World["live"],
  count: number,
  from = 0,
  block = place
) {
  const outcomes: Array<string> = []
  for (let n = from; n < from + count; n++) {
    yield* TestClock.adjust("1 second")
    outcomes.push(yield* send(process, caller, numberOf(n, block)))
  }
  return outcomes
})

const tripsOf = (world: Pick<World, "services">, caller: World["live"]) =>
  Effect.map(Effect.orDie(Context.get(world.services, Protection).view(caller, {})), ({ trips }) =>
    trips.filter(({ reason }) => reason === "PREFIX_UNVERIFIED")
  )

const trippedOf = (world: Pick<World, "events">, caller: World["live"]) =>
  Effect.map(world.events(caller), (all) =>
    all.flatMap((event) =>
      event.type === "guard.tripped" && event.data.reason === "PREFIX_UNVERIFIED" ? [event.data] : []
    )
  )

/** Lets 30 codes of the block through, without enforcing anything, and waits until the trip is stored. */
const tripped = Effect.fnUntraced(function* () {
  const world = yield* makeWorld({ idle: true })
  const strict = withSettings(world.live, enforcing)
  assert.deepStrictEqual([...new Set(yield* pump(world, world.live, 30))], ["sent"])
  yield* TestClock.adjust("1 second")
  return { ...world, strict }
})

describe("a place that the guard stopped", () => {
  it.effect("is announced once and shown, and refuses nobody before its reason is enforced", () =>
    Effect.gen(function* () {
      const world = yield* tripped()
      const [event, ...more] = yield* trippedOf(world, world.live)
      assert.deepInclude(event, { reason: "PREFIX_UNVERIFIED", place, enforced: false, typed: 0, cost: null })
      assert.deepStrictEqual(more, [])
      yield* TestClock.adjust("2 minutes")
      const [trip, ...others] = yield* tripsOf(world, world.live)
      assert.deepStrictEqual(others, [])
      assert.deepInclude(trip, { reason: "PREFIX_UNVERIFIED", place, enforced: false, typed: 0 })
      assert.isAtLeast(trip!.codes, 6)
      assert.isAtLeast(trip!.met, 10)
      assert.deepStrictEqual([...new Set(yield* pump(world, world.live, 5, 100))], ["sent"])
      // The test environment and other merchants have no part in it.
      assert.deepStrictEqual(yield* tripsOf(world, world.test), [])
    })
  )

  it.effect("stays stopped for twelve hours once its reason is enforced, and is judged anew afterwards", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const strict = withSettings(world.live, enforcing)
      // Just enough codes for a verdict: without a trip, the evidence would be too weak after half an hour.
      yield* pump(world, world.live, 10)
      assert.strictEqual((yield* trippedOf(world, world.live)).length, 1)
      for (let hour = 0; hour < 5; hour++) {
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* send(world, strict, numberOf(100 + hour)), "refused PREFIX_UNVERIFIED")
      }
      yield* TestClock.adjust("30 hours")
      assert.deepStrictEqual(yield* tripsOf(world, strict), [])
      assert.strictEqual(yield* send(world, strict, numberOf(200)), "sent")
    })
  )

  it.effect("is renewed by requests while the evidence alone names the reason, and not by the passing of time", () =>
    Effect.gen(function* () {
      const world = yield* tripped()
      const [{ until } = { until: 0 }] = yield* tripsOf(world, world.strict)
      yield* TestClock.adjust("7 hours")
      assert.strictEqual((yield* tripsOf(world, world.strict))[0]?.until, until)
      yield* pump(world, world.strict, 3, 300)
      yield* TestClock.adjust("1 second")
      const [renewed] = yield* tripsOf(world, world.strict)
      assert.isAtLeast(renewed!.until, until + 6 * 3_600_000)
      assert.strictEqual((yield* trippedOf(world, world.live)).length, 2)
    })
  )

  it.effect("stays stopped after a restart, and in other processes within seconds", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const other = yield* makeProcess(world.storage, { idle: true })
      const strict = withSettings(world.live, enforcing)
      yield* send(other, strict, "+919876543210")
      yield* pump(world, world.live, 30)
      yield* TestClock.adjust("6 seconds")
      yield* send(other, strict, "+919876543211")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* send(other, strict, numberOf(100)), "refused PREFIX_UNVERIFIED")
      yield* TestClock.adjust("2 hours")
      const next = yield* makeProcess(world.storage, { idle: true })
      yield* send(next, strict, "+919876543212")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* send(next, strict, numberOf(101)), "refused PREFIX_UNVERIFIED")
      assert.strictEqual((yield* trippedOf(world, world.live)).length, 1)
    })
  )

  it.effect("lets in who typed their latest code within a day, numbers of the safe list, and trusted devices", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const strict = withSettings(world.live, { ...enforcing, oneTap: true })
      const known = numberOf(7_000)
      const first = yield* world.verifications.initiate(strict, otp(known))
      const deviceToken = first.deviceToken!
      yield* world.verifications.verify(strict, {
        requestId: first.verification.id,
        otp: world.codeOf(first.verification),
        deviceToken
      })
      yield* pump(world, world.live, 60)
      assert.strictEqual((yield* trippedOf(world, world.live)).length, 1)
      assert.strictEqual(yield* send(world, strict, numberOf(200)), "refused PREFIX_UNVERIFIED")
      assert.strictEqual(yield* send(world, strict, known), "sent")
      assert.isTrue((yield* world.verifications.initiate(strict, otp(known, { deviceToken }))).oneTapApplied)
      const safe = withSettings(strict, { safeList: [place] })
      assert.strictEqual(yield* send(world, safe, numberOf(201)), "sent")
    })
  )

  it.effect("is let through by an admin, in every process, and what happened before counts no more", () =>
    Effect.gen(function* () {
      const world = yield* tripped()
      const other = yield* makeProcess(world.storage, { idle: true })
      assert.strictEqual(yield* send(world, world.strict, numberOf(100)), "refused PREFIX_UNVERIFIED")
      yield* send(other, world.strict, "+919876543210")
      yield* TestClock.adjust("1 second")
      const protection = Context.get(world.services, Protection)
      yield* protection.letThrough(world.live, { reason: "PREFIX_UNVERIFIED", place }, { safe: false })
      assert.deepStrictEqual(yield* tripsOf(world, world.live), [])
      yield* TestClock.adjust("90 seconds")
      for (const process of [world, other]) yield* send(process, world.strict, "+919876543211")
      yield* TestClock.adjust("1 second")
      for (const [n, process] of [world, other].entries())
        assert.strictEqual(yield* send(process, world.strict, numberOf(400 + n)), "sent")
      // A later process reads the same past.
      const next = yield* makeProcess(world.storage, { idle: true })
      yield* send(next, world.strict, "+919876543212")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* send(next, world.strict, numberOf(410)), "sent")
      const [entry] = yield* Context.get(world.services, Audit).list(
        world.live,
        { action: "trip.ended" },
        { after: null, limit: 10 }
      )
      assert.deepInclude(entry?.target, { kind: "trip", id: `PREFIX_UNVERIFIED ${place}` })
      // It trips again by what happens from now on.
      yield* pump(world, world.live, 30, 500)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* tripsOf(world, world.live)).length, 1)
      // Letting through what is not stopped changes nothing.
      yield* protection.letThrough(world.live, { reason: "PREFIX_UNVERIFIED", place: "1" }, { safe: false })
    })
  )

  it.effect("joins the safe list on request, but a country cannot", () =>
    Effect.gen(function* () {
      const world = yield* tripped()
      const protection = Context.get(world.services, Protection)
      yield* protection.letThrough(world.live, { reason: "PREFIX_UNVERIFIED", place }, { safe: true })
      assert.deepStrictEqual((yield* world.merchants.settings(world.live)).safeList, [place])
      const error = yield* Effect.flip(
        protection.letThrough(world.live, { reason: "COUNTRY_UNVERIFIED", place: "UZ" }, { safe: true })
      )
      assert.deepInclude(error, { _tag: "InvalidField", field: "safe" })
    })
  )

  it.effect("is never a country where people sign in, however many codes an attacker requests there", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const strict = withSettings(world.live, { guardEnforces: ["COUNTRY_UNVERIFIED"] })
      for (let n = 0; n < 20; n++) {
        const identity = `+9989${String(20 + n)}5${String(10_000 + n)}`
        const { verification } = yield* world.verifications.initiate(strict, otp(identity))
        yield* world.verifications.verify(strict, { requestId: verification.id, otp: world.codeOf(verification) })
      }
      const refusals = new Set<string>()
      for (let n = 0; n < 250; n++) {
        yield* TestClock.adjust("1 second")
        refusals.add(
          yield* send(world, strict, `+9989${String(10 + (n % 90))}${String(1_000_000 + n * 7_919).slice(1)}`)
        )
      }
      yield* TestClock.adjust("2 minutes")
      const stored = yield* Context.get(world.storage, TripStore).list(strict.environment, 0)
      assert.notInclude(
        stored.map(({ reason }) => reason),
        "COUNTRY_UNVERIFIED"
      )
      // The guard refuses the attacker meanwhile, request by request.
      assert.isTrue([...refusals].some((outcome) => outcome.endsWith("COUNTRY_UNVERIFIED")))
    })
  )

  it.effect("is not believed when a clock that was wrong stopped it far ahead", () =>
    Effect.gen(function* () {
      const world = yield* tripped()
      const store = Context.get(world.storage, TripStore)
      const trip = (yield* store.get(world.live.environment, "PREFIX_UNVERIFIED", place))!
      const day = 24 * 3_600_000
      const none = { events: [], jobs: [], done: null, facts: [], folded: [], audited: [], booked: [] }
      yield* store.commit({ ...none, trip: { ...trip, since: trip.since + 3 * day, until: trip.until + 3 * day } })
      assert.deepStrictEqual(yield* tripsOf(world, world.live), [])
    })
  )
})

describe("refusals of the guard", () => {
  it.effect("are announced at most once a minute for each reason, with their number", () =>
    Effect.gen(function* () {
      const world = yield* tripped()
      yield* pump(world, world.strict, 150, 1_000)
      yield* TestClock.adjust("1 minute")
      const counts = (yield* world.events(world.live)).flatMap(({ data, type }) =>
        type === "guard.blocked" ? [data] : []
      )
      assert.isAtMost(counts.length, 4)
      assert.strictEqual(
        counts.reduce((sum, { count }) => sum + count, 0),
        150
      )
      assert.deepStrictEqual([...new Set(counts.map(({ reason }) => reason))], ["PREFIX_UNVERIFIED"])
    })
  )
})
