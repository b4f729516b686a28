import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import {
  type LineFact,
  type LineFacts,
  type LineInfo,
  LineInfoError,
  type LineRequest,
  OutcomeUnknown,
  Refused,
  Unavailable
} from "../../src/index.channel.ts"
import { indian, inTime, makeWorld, otp, start, withSettings, wrong, type World, until } from "../fixtures/World.ts"

const hour = 3_600_000

/** A provider that records what it is asked. */
const makeProvider = (
  facts: ReadonlyArray<LineFact>,
  answer: (request: LineRequest) => Effect.Effect<Partial<LineFacts>, LineInfoError>,
  more: Pick<LineInfo, "carrier" | "prefixes"> = {}
) => {
  const requests: Array<LineRequest> = []
  const provider: LineInfo = {
    provider: "acme",
    ...more,
    facts,
    lookUp: (request) =>
      Effect.suspend(() => {
        requests.push(request)
        return answer(request)
      })
  }
  return { provider, requests }
}

const all: ReadonlyArray<LineFact> = ["type", "carrier", "simSwapped", "simSwappedAt", "recycled"]
const mobile: LineFacts = { type: "mobile", carrier: "Airtel", simSwapped: false, simSwappedAt: null, recycled: false }
const failure = (reason: LineInfoError["reason"]) => Effect.fail(new LineInfoError({ provider: "acme", reason }))

const verify = Effect.fnUntraced(function* (
  world: World,
  line: NonNullable<Parameters<World["verifications"]["verify"]>[1]["line"]>,
  identity = indian,
  caller = world.live
) {
  const { verification } = yield* world.verifications.initiate(caller, otp(identity))
  const code = caller.kind === "test" ? "123456" : world.codeOf(verification)
  const fiber = yield* Effect.forkChild(
    world.verifications.verify(caller, { requestId: verification.id, otp: code, line })
  )
  const result = yield* inTime(fiber)
  return result._tag === "Verified" ? result.line : result._tag
})

describe("line facts in the answer to a right code", () => {
  it.effect("are the requested ones and no other", () =>
    Effect.gen(function* () {
      const { provider, requests } = makeProvider(all, () =>
        Effect.succeed({ ...mobile, simSwapped: true, simSwappedAt: start - hour })
      )
      const world = yield* makeWorld({ lineInfo: [provider], idle: true })
      assert.deepStrictEqual(yield* verify(world, { facts: ["type", "simSwapped"], simSwapHours: 24 }), {
        facts: { type: "mobile", simSwapped: true },
        missing: null
      })
      assert.deepStrictEqual(requests, [
        { number: "+919876543210", facts: ["type", "simSwapped"], simSwapHours: 24, recycledSince: "2030-01-07" }
      ])
    })
  )

  it.effect("say why a fact is null: no provider, no answer, or not known", () =>
    Effect.gen(function* () {
      const none = yield* makeWorld({ idle: true })
      const facts = { type: null, carrier: null }
      assert.deepStrictEqual(yield* verify(none, { facts: ["type", "carrier"] }), { facts, missing: "NO_PROVIDER" })
      assert.deepStrictEqual(yield* verify(none, { facts: ["type", "carrier"] }, "asha@example.com"), {
        facts,
        missing: "NO_PROVIDER"
      })
      const { provider } = makeProvider(["type"], () => Effect.succeed({}))
      const silent = yield* makeWorld({ lineInfo: [provider], idle: true })
      assert.deepStrictEqual(yield* verify(silent, { facts: ["type"] }), {
        facts: { type: null },
        missing: "NOT_KNOWN"
      })
      const broken = makeProvider(["type"], () => failure(new Unavailable({ providerCode: "http_503" })))
      const down = yield* makeWorld({ lineInfo: [broken.provider], idle: true })
      assert.deepStrictEqual(yield* verify(down, { facts: ["type", "carrier"] }), { facts, missing: "UNAVAILABLE" })
    })
  )

  it.effect("never keep a person out: a provider that hangs, throws or dies costs two seconds at most", () =>
    Effect.gen(function* () {
      const ways: ReadonlyArray<() => Effect.Effect<Partial<LineFacts>, LineInfoError>> = [
        () => Effect.never,
        () => Effect.die(new Error("bug")),
        () => {
          throw new Error("bug")
        },
        () => failure(new Refused({ providerCode: "http_401", because: "account" })),
        () => failure(new OutcomeUnknown({ providerCode: "no_answer" }))
      ]
      for (const way of ways) {
        const { provider, requests } = makeProvider(["type"], way)
        const world = yield* makeWorld({ lineInfo: [provider], idle: true })
        const { verification } = yield* world.verifications.initiate(world.live, otp(indian))
        const code = world.codeOf(verification)
        const request = { requestId: verification.id, otp: code, line: { facts: ["type"] } }
        const fiber = yield* Effect.forkChild(world.verifications.verify(world.live, request), {
          startImmediately: true
        })
        // The token is signed on another thread, so the clock waits for the question.
        yield* until(Effect.sync(() => requests.length > 0))
        yield* TestClock.adjust("2 seconds")
        const exit = yield* Fiber.await(fiber)
        assert.isTrue(Exit.isSuccess(exit) && exit.value._tag === "Verified")
      }
    })
  )

  it.effect("are looked up after a right code only, and once for a repeated one", () =>
    Effect.gen(function* () {
      const { provider, requests } = makeProvider(all, () => Effect.succeed(mobile))
      const world = yield* makeWorld({ lineInfo: [provider], idle: true })
      const { verification } = yield* world.verifications.initiate(world.live, otp(indian))
      const code = world.codeOf(verification)
      const line = { facts: ["type"] }
      const enter = (typed: string, caller = world.live) =>
        world.verifications.verify(caller, { requestId: verification.id, otp: typed, line })
      yield* enter(wrong(code))
      assert.lengthOf(requests, 0)
      const first = yield* enter(code)
      const again = yield* enter(code)
      assert.deepStrictEqual(
        [first, again].map((result) => result._tag === "Verified" && result.line?.facts.type),
        ["mobile", "mobile"]
      )
      assert.lengthOf(requests, 1)
      // Without strictReverify any code is accepted now, so no request for money follows from it.
      yield* TestClock.adjust("11 minutes")
      const late = yield* enter(wrong(code))
      assert.deepStrictEqual(late._tag === "Verified" && late.line, { facts: { type: null }, missing: "UNAVAILABLE" })
      assert.lengthOf(requests, 1)
      yield* enter(code, withSettings(world.live, { strictReverify: true }))
      assert.lengthOf(requests, 2)
    })
  )

  it.effect("come from the provider with the longest prefix that tells the fact, or the order of a table", () =>
    Effect.gen(function* () {
      const world = makeProvider(all, () => Effect.succeed({ ...mobile, carrier: "World" }), { carrier: "world" })
      const india = makeProvider(
        ["carrier", "simSwapped"],
        () => Effect.succeed({ carrier: "India", simSwapped: true }),
        { carrier: "india", prefixes: ["91"] }
      )
      const lineInfo = [world.provider, india.provider]
      const facts = { facts: ["type", "carrier", "simSwapped"] }
      const byPrefix = yield* makeWorld({ lineInfo, idle: true })
      assert.deepStrictEqual((yield* verify(byPrefix, facts)) as unknown, {
        facts: { type: "mobile", carrier: "India", simSwapped: true },
        missing: null
      })
      assert.deepStrictEqual((yield* verify(byPrefix, facts, "+447911123456")) as unknown, {
        facts: { type: "mobile", carrier: "World", simSwapped: false },
        missing: null
      })
      const lineTable = [{ prefix: "91", carriers: ["india"] }]
      const byTable = yield* makeWorld({ lineInfo, lineTable, idle: true })
      assert.deepStrictEqual((yield* verify(byTable, facts)) as unknown, {
        facts: { type: null, carrier: "India", simSwapped: true },
        missing: "NO_PROVIDER"
      })
      assert.deepStrictEqual((yield* verify(byTable, facts, "+447911123456")) as unknown, {
        facts: { type: null, carrier: null, simSwapped: null },
        missing: "NO_PROVIDER"
      })
    })
  )

  it.effect("refuse a question that no provider could answer, and name the field", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const { verification } = yield* world.verifications.initiate(world.live, otp(indian))
      const rows: ReadonlyArray<readonly [Parameters<typeof verify>[1], string]> = [
        [{ facts: [] }, "line.facts"],
        [{ facts: ["type", "weather"] }, "line.facts"],
        [{ facts: ["simSwapped"], simSwapHours: 0 }, "line.simSwapHours"],
        [{ facts: ["simSwapped"], simSwapHours: 2401 }, "line.simSwapHours"],
        [{ facts: ["simSwapped"], simSwapHours: 1.5 }, "line.simSwapHours"],
        [{ facts: ["recycled"] }, "line.recycledSince"],
        [{ facts: ["recycled"], recycledSince: "2030-01-08" }, "line.recycledSince"],
        [{ facts: ["recycled"], recycledSince: "2029-02-30" }, "line.recycledSince"],
        [{ facts: ["recycled"], recycledSince: "yesterday" }, "line.recycledSince"]
      ]
      for (const [line, field] of rows) {
        const error = yield* Effect.flip(
          world.verifications.verify(world.live, { requestId: verification.id, otp: "000000", line })
        )
        assert.strictEqual(error._tag === "InvalidField" ? error.field : error._tag, field)
      }
    })
  )

  it.effect("are made up by the number's ending in a test environment, where no provider is asked", () =>
    Effect.gen(function* () {
      const { provider, requests } = makeProvider(all, () => Effect.succeed(mobile))
      const world = yield* makeWorld({ lineInfo: [provider], idle: true })
      const facts = { facts: all, recycledSince: "2029-01-01" }
      const told = (ending: string) => verify(world, facts, `+91987654${ending}`, world.test)
      const usual = { type: "mobile", carrier: "Test", simSwapped: false, recycled: false }
      const of = Effect.fnUntraced(function* (ending: string) {
        const line = yield* told(ending)
        if (typeof line !== "object") return line
        const { simSwappedAt: _, ...rest } = line.facts
        return { ...rest, missing: line.missing }
      })
      assert.deepStrictEqual(yield* of("3210"), { ...usual, missing: null })
      assert.deepStrictEqual(yield* of("0002"), { ...usual, simSwapped: true, missing: null })
      assert.deepStrictEqual(yield* of("0003"), { ...usual, recycled: true, missing: null })
      assert.deepStrictEqual(yield* of("0004"), { ...usual, type: "nonFixedVoip", missing: null })
      assert.deepStrictEqual(yield* of("0005"), {
        type: null,
        carrier: null,
        simSwapped: null,
        recycled: null,
        missing: "UNAVAILABLE"
      })
      assert.lengthOf(requests, 0)
    })
  )
})

const wanting = { guardLineTypes: ["nonFixedVoip" as const], guardSimSwapHours: 72, guardRecycledDays: 30 }
const numberOf = (n: number) => `+9198765${String(n).padStart(5, "0")}`

describe("line facts in the guard", () => {
  const voip: Partial<LineFacts> = { type: "nonFixedVoip", simSwapped: true, recycled: true }

  it.effect("are looked up for no merchant that did not turn them on", () =>
    Effect.gen(function* () {
      const { provider, requests } = makeProvider(all, () => Effect.succeed(voip))
      const world = yield* makeWorld({ lineInfo: [provider], idle: true })
      const { verification } = yield* world.verifications.initiate(world.live, otp(indian))
      assert.isUndefined(verification.guard)
      assert.lengthOf(requests, 0)
    })
  )

  it.effect("are recorded as reasons, and refuse only where a reason is enforced", () =>
    Effect.gen(function* () {
      const { provider, requests } = makeProvider(all, () => Effect.succeed(voip))
      const world = yield* makeWorld({ lineInfo: [provider], idle: true })
      const shadow = yield* world.verifications.initiate(withSettings(world.live, wanting), otp(numberOf(1)))
      assert.deepStrictEqual(shadow.verification.guard, {
        verdict: "block",
        reasons: [
          { reason: "LINE_TYPE", score: 9.3 },
          { reason: "SIM_SWAPPED", score: 9.3 },
          { reason: "NUMBER_RECYCLED", score: 9.3 }
        ]
      })
      assert.deepStrictEqual(requests, [
        {
          number: "+919876500001",
          facts: ["type", "simSwapped", "recycled"],
          simSwapHours: 72,
          recycledSince: "2029-12-08"
        }
      ])
      const enforcing = withSettings(world.live, { ...wanting, guardEnforces: ["SIM_SWAPPED"] })
      const refused = yield* Effect.flip(world.verifications.initiate(enforcing, otp(numberOf(2))))
      assert.deepStrictEqual(refused._tag === "GuardRefused" && [refused.reason, refused.waitSeconds], [
        "SIM_SWAPPED",
        null
      ])
    })
  )

  it.effect("give no reason when the provider fails, is silent, or is slower than a second", () =>
    Effect.gen(function* () {
      const enforces = { ...wanting, guardEnforces: ["LINE_TYPE", "SIM_SWAPPED", "NUMBER_RECYCLED"] as const }
      const ways: ReadonlyArray<Effect.Effect<Partial<LineFacts>, LineInfoError>> = [
        Effect.succeed({}),
        failure(new Unavailable({ providerCode: "http_503" })),
        Effect.die(new Error("bug")),
        Effect.never
      ]
      for (const way of ways) {
        const world = yield* makeWorld({ lineInfo: [makeProvider(all, () => way).provider], idle: true })
        const fiber = yield* Effect.forkChild(
          world.verifications.initiate(withSettings(world.live, enforces), otp(indian)),
          { startImmediately: true }
        )
        const { verification } = yield* inTime(fiber)
        assert.isUndefined(verification.guard)
      }
    })
  )

  it.effect("of a slow provider serve the next request of the number", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<Partial<LineFacts>>()
      const { provider, requests } = makeProvider(all, () => Deferred.await(answer))
      const world = yield* makeWorld({ lineInfo: [provider], idle: true })
      const caller = withSettings(world.live, wanting)
      const first = yield* Effect.forkChild(world.verifications.initiate(caller, otp(indian)))
      assert.isUndefined((yield* inTime(first)).verification.guard)
      yield* Deferred.succeed(answer, voip)
      const next = yield* world.verifications.initiate(caller, otp(indian))
      assert.strictEqual(next.verification.guard?.reasons[0]?.reason, "LINE_TYPE")
      assert.lengthOf(requests, 1)
    })
  )

  it.effect("are looked up once for concurrent requests, kept ten minutes, and for no other merchant", () =>
    Effect.gen(function* () {
      const { provider, requests } = makeProvider(all, () => Effect.as(Effect.sleep("200 millis"), voip))
      const world = yield* makeWorld({ lineInfo: [provider], idle: true })
      const caller = withSettings(world.live, wanting)
      const ask = world.verifications.initiate(caller, otp(indian))
      const fibers = yield* Effect.forEach([1, 2, 3, 4], () => Effect.forkChild(ask))
      for (const fiber of fibers) yield* inTime(fiber)
      yield* TestClock.adjust("9 minutes")
      yield* ask
      assert.lengthOf(requests, 1)
      yield* TestClock.adjust("1 minute")
      yield* inTime(yield* Effect.forkChild(ask))
      assert.lengthOf(requests, 2)
      const keys = yield* world.merchants.create("Other")
      const other = yield* world.merchants.authenticate(keys.live.clientId, keys.live.clientSecret)
      yield* inTime(yield* Effect.forkChild(world.verifications.initiate(withSettings(other, wanting), otp(indian))))
      assert.lengthOf(requests, 3, "a merchant whose answer comes at once would learn that another one asked")
    })
  )

  it.effect("cost an attacker who changes numbers no more of the merchant's money than the hourly limit", () =>
    Effect.gen(function* () {
      const { provider, requests } = makeProvider(all, () => Effect.succeed({ type: "mobile" }))
      const world = yield* makeWorld({ lineInfo: [provider], lineLookupsPerHour: 5, idle: true })
      const caller = withSettings(world.live, wanting)
      for (let n = 0; n < 12; n++) yield* world.verifications.initiate(caller, otp(numberOf(n * 101)))
      assert.lengthOf(requests, 5)
      // A right code is no attack, so its facts are still looked up.
      assert.deepStrictEqual(yield* verify(world, { facts: ["type"] }), { facts: { type: "mobile" }, missing: null })
      yield* TestClock.adjust("1 hour")
      yield* world.verifications.initiate(caller, otp(numberOf(9_999)))
      assert.lengthOf(requests, 7)
    })
  )

  it.effect(
    "are not looked up for numbers on the safe list, for test keys, or for requests that are refused anyway",
    () =>
      Effect.gen(function* () {
        const { provider, requests } = makeProvider(all, () => Effect.succeed(voip))
        const world = yield* makeWorld({ lineInfo: [provider], idle: true })
        yield* world.verifications.initiate(withSettings(world.live, { ...wanting, safeList: ["91"] }), otp(indian))
        yield* world.verifications.initiate(withSettings(world.test, wanting), otp(indian))
        const strict = withSettings(world.live, { ...wanting, allowedCountries: ["GB"] })
        yield* Effect.flip(world.verifications.initiate(strict, otp(indian)))
        const limited = withSettings(world.live, {
          ...wanting,
          hourlyLimit: 1,
          maxResends: 1,
          resendCooldownSeconds: 60
        })
        yield* Effect.flip(world.verifications.initiate(limited, otp(indian)))
        const poor = withSettings(world.live, { ...wanting, billing: "PREPAID", prices: { SMS: 25 } })
        yield* Effect.flip(world.verifications.initiate(poor, otp(numberOf(4))))
        assert.lengthOf(requests, 0)
      })
  )

  it.effect("of a provider that fails five times rest, so that no initiate waits for it", () =>
    Effect.gen(function* () {
      const { provider, requests } = makeProvider(all, () => Effect.never)
      const world = yield* makeWorld({ lineInfo: [provider], idle: true })
      const caller = withSettings(world.live, wanting)
      for (let n = 0; n < 5; n++) {
        yield* inTime(yield* Effect.forkChild(world.verifications.initiate(caller, otp(numberOf(n)))))
      }
      yield* TestClock.adjust("10 seconds")
      const before = requests.length
      // No clock moves, so a wait would never end.
      yield* world.verifications.initiate(caller, otp(numberOf(77)))
      assert.lengthOf(requests, before)
    })
  )
})
