import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { Instant, type InvalidField, InvalidCredentials, RateLimited } from "../../src/index.ts"
import { AttributionStore, FactStore, type Launch, type Touch, WindowStore } from "../../src/index.storage.ts"
import { begin, conversionTouch } from "../../src/engagement/attribution/attribute.ts"
import * as Trail from "../../src/engagement/attribution/Trail.ts"
import { makeAttribution } from "../fixtures/AttributionWorld.ts"
import { wrote } from "../fixtures/InboxWorld.ts"
import { makeStorage, otp, secrets, start } from "../fixtures/World.ts"
import type { Origin } from "../../src/engagement/attribution/Launch.ts"
import type { Report } from "../../src/engagement/attribution/makeReport.ts"

type World = Effect.Success<ReturnType<typeof makeAttribution>>

const utm = (source: string) => ({ utm: { source } })
const nobody = "ver_00000000000000000000000000"
const at = (before: number) => ({ occurredAt: Instant.toIso(start - before) })

/** The counts of each source, as `launches verifications conversions leads`. */
const counted = Effect.fnUntraced(function* ({ attribution, live }: World, model = "last", of = live) {
  const query = { model, to: Instant.toIso(start + 86_400_000), from: Instant.toIso(start - 40 * 86_400_000) }
  const sums: { [source: string]: ReadonlyArray<number> } = {}
  for (const row of (yield* attribution.report(of, query)).items) {
    const counts = [row.launches, row.verifications, row.conversions, row.leads]
    const key = String(row.source)
    sums[key] = counts.map((count, i) => count + (sums[key]?.[i] ?? 0))
  }
  return Object.fromEntries(Object.entries(sums).map(([source, counts]) => [source, counts.join(" ")]))
})

const login = Effect.fnUntraced(function* (world: World, launchId: string | null, phone: string) {
  const { verification } = yield* world.verifications.initiate(
    world.live,
    otp(phone, { channel: "WHATSAPP", launchId }),
    null
  )
  return {
    requestId: verification.id,
    verify: world.verifications.verify(world.live, {
      requestId: verification.id,
      otp: world.codeOf(verification)
    })
  }
})

const problem = <A>(effect: Effect.Effect<A, unknown>) =>
  Effect.map(Effect.flip(effect), (error) => `${(error as InvalidField).field}: ${(error as InvalidField).problem}`)

describe("a launch", () => {
  it.effect("without consent stores nothing and does not count toward the limit", () =>
    Effect.gen(function* () {
      const world = yield* makeAttribution()
      for (const consent of [false, undefined, null]) {
        assert.isNull(
          yield* world.attribution.admitLaunch(
            world.live,
            { consent, ...utm("ad"), fingerprint: "f1", clickId: "c1", occurredAt: "nonsense" },
            "192.0.2.1"
          )
        )
      }
      assert.deepStrictEqual(yield* counted(world), {})
      const windows = Context.get(world.storage, WindowStore)
      assert.strictEqual((yield* windows.load(world.live.environment, "attribution:192.0.2.1")).version, 0)
    })
  )

  it.effect("records its source, from its own fields or from its install referrer", () =>
    Effect.gen(function* () {
      const world = yield* makeAttribution()
      const referrer = "utm_source=play&utm_medium=store&utm_campaign=%E0%A4%A8&utm_term=t&gclid=g1"
      const launched = [
        yield* world.launch({ installReferrer: referrer }),
        yield* world.launch({ installReferrer: encodeURIComponent(referrer), utm: { source: " own ", medium: "" } }),
        yield* world.launch({ installReferrer: "%", utm: { source: "  " }, platform: "android" })
      ]
      const launches = yield* world.attributions.launches(
        world.live.environment,
        launched.map(({ launchId }) => launchId)
      )
      const said = launches.map(({ click, details: { term }, origin }) => [origin, click, term])
      const origin = (source: string, medium = "store", campaign = "न"): Origin => ({ source, medium, campaign })
      assert.deepStrictEqual(said, [
        [origin("play"), "c:g1", "t"],
        [origin("own"), "c:g1", "t"],
        [origin("", "", ""), null, null]
      ])
    })
  )

  it.effect("is refused with the name of the invalid field, and stores nothing", () =>
    Effect.gen(function* () {
      const world = yield* makeAttribution()
      const refusals = {
        "utm.source: must be at most 200 characters on one line": utm("x".repeat(201)),
        "utm.term: must be at most 200 characters on one line": { utm: { term: "a\nb" } },
        "clickId: must be at most 512 characters on one line": { clickId: "\u0000" },
        "fingerprint: must be at most 512 characters on one line": { fingerprint: "\ud800" },
        "installReferrer: must be at most 200 characters on one line": {
          installReferrer: `utm_source=${"x".repeat(201)}`
        },
        "platform: must be at most 40 characters on one line": { platform: "x".repeat(41) },
        "occurredAt: must be a time in ISO 8601, such as 2026-01-31T09:30:00.000Z": {
          occurredAt: "2030-02-30T00:00:00Z"
        },
        "occurredAt: must not be in the future": at(-5 * 60_000 - 1),
        "occurredAt: must be at most 30 days ago": at(30 * 86_400_000 + 1)
      }
      for (const [expected, request] of Object.entries(refusals)) {
        assert.strictEqual(yield* problem(world.launch(request)), expected)
      }
      assert.deepStrictEqual(yield* counted(world), {})
      yield* world.launch({ ...utm("old"), ...at(30 * 86_400_000) })
      const { launchId } = yield* world.launch({ ...utm("ahead"), ...at(-5 * 60_000) })
      const [ahead] = yield* world.attributions.launches(world.live.environment, [launchId])
      assert.strictEqual(ahead?.at, start)
    })
  )

  it.effect("is recorded once for its idempotency key, also a day later, and under 100 concurrent requests", () =>
    Effect.gen(function* () {
      const world = yield* makeAttribution({ idle: true })
      yield* TestClock.setTime(start + 13.9 * 3_600_000)
      const all = yield* Effect.all(
        Array.from({ length: 100 }, () => world.launch({ fingerprint: "f1" }, "key")),
        { concurrency: "unbounded" }
      )
      yield* TestClock.adjust("1 hour")
      all.push(yield* world.launch({ fingerprint: "f1" }, "key"))
      assert.strictEqual(new Set(all.map(({ launchId }) => launchId)).size, 1)
      assert.strictEqual(new Set(all.map(({ launchToken }) => launchToken)).size, 1)
      assert.notStrictEqual((yield* world.launch({ fingerprint: "f1" }, "other")).launchId, all[0]!.launchId)
      const conversions = yield* Effect.all(
        Array.from({ length: 20 }, () => world.convert({ launchId: all[0]!.launchId }, "key")),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(conversions).size, 1)
      yield* TestClock.adjust("20 hours")
      assert.strictEqual(yield* world.convert({ launchId: all[0]!.launchId }, "key"), conversions[0])
      assert.deepStrictEqual(yield* counted(world), { null: "2 0 1 0" })
    })
  )

  it.effect(
    "is its visitor's first if it happened first, in any order of reports, and under 100 concurrent requests",
    () =>
      Effect.gen(function* () {
        const world = yield* makeAttribution()
        const other = yield* world.another()
        const launched = yield* Effect.forEach(
          Array.from({ length: 100 }, (_, i) => i),
          (i) =>
            (i % 2 === 0 ? world : other).launch({
              ...utm(i === 37 ? "first" : "later"),
              fingerprint: "f1",
              ...at(i === 37 ? 9_000 : (i * 7) % 100)
            }),
          { concurrency: "unbounded" }
        )
        yield* world.convert({ launchId: launched[5]!.launchId })
        assert.deepStrictEqual(yield* counted(world, "first"), { first: "1 0 1 0", later: "99 0 0 0" })
        assert.deepStrictEqual(yield* counted(world, "last"), { first: "1 0 0 0", later: "99 0 1 0" })
      })
  )

  it.effect("with a shared click is recorded with one commit each for 100 concurrent visitors", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const store = Context.get(storage, AttributionStore)
      let commits = 0
      // A remote storage, so that calls interleave.
      const distant = AttributionStore.of({
        ...store,
        trails: (environment, keys) => Effect.andThen(Effect.yieldNow, store.trails(environment, keys)),
        commit: (change) => {
          commits++
          return Effect.andThen(Effect.yieldNow, store.commit(change))
        }
      })
      const world = yield* makeAttribution({ storage: Context.add(storage, AttributionStore, distant) })
      yield* Effect.forEach(
        Array.from({ length: 100 }, (_, i) => `f${i}`),
        (fingerprint) => world.launch({ fingerprint, clickId: "c1" }),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(commits, 100)
    })
  )

  it.effect("joins its visitor's trail after the master secret was rotated, and no trail of another environment", () =>
    Effect.gen(function* () {
      const world = yield* makeAttribution()
      yield* world.launch({ ...utm("before"), fingerprint: "f1", ...at(1_000) })
      const rotated = yield* world.another({ secret: secrets.second, previousSecrets: [secrets.first] })
      const { launchId } = yield* rotated.launch({ ...utm("after"), fingerprint: "f1" })
      yield* rotated.convert({ launchId })
      assert.deepStrictEqual(yield* counted(world, "first"), { after: "1 0 0 0", before: "1 0 1 0" })
      const test = yield* world.launch({ ...utm("test"), fingerprint: "f1" }, null, world.test)
      yield* world.convert({ launchId: test.launchId }, null, world.test)
      assert.deepStrictEqual(yield* counted(world, "first", world.test), { test: "1 0 1 0" })
    })
  )
})

describe("a conversion", () => {
  it.effect("belongs to the launch it names, else to that of the verification it names, else to none", () =>
    Effect.gen(function* () {
      const world = yield* makeAttribution()
      const a = yield* world.launch(utm("a"))
      const b = yield* world.launch(utm("b"))
      const foreign = yield* world.launch(utm("foreign"), null, world.test)
      const { requestId } = yield* login(world, b.launchId, "+919876500001")
      yield* world.convert({ launchId: a.launchId, requestId })
      yield* world.convert({ requestId })
      yield* world.convert({ launchId: foreign.launchId, requestId })
      yield* world.convert({ launchId: foreign.launchId })
      yield* world.convert({ launchId: "nonsense", requestId: nobody })
      yield* world.convert({ requestId }, null, world.test)
      assert.deepStrictEqual(yield* counted(world), { a: "1 0 1 0", b: "1 0 2 0", null: "0 0 2 0" })
      assert.deepStrictEqual(yield* counted(world, "last", world.test), { foreign: "1 0 0 0", null: "0 0 1 0" })
    })
  )

  it.effect("has the exact value of its decimals", () =>
    Effect.gen(function* () {
      const world = yield* makeAttribution()
      for (const value of [0.1, 0.2, 1e-6, 999_999.999_999, -0]) yield* world.convert({ value, currency: "INR" })
      yield* world.convert({ value: 7 })
      yield* world.convert({ value: 1e12, currency: "EUR" })
      yield* world.convert({})
      const [row] = (yield* world.attribution.report(world.live, {})).items
      assert.deepStrictEqual(row?.values, [
        { currency: null, value: 7 },
        { currency: "EUR", value: 1e12 },
        { currency: "INR", value: 1_000_000.3 }
      ])
      assert.strictEqual(row?.conversions, 8)
      const decimals = "value: must be a number from 0 to 1000000000000 with at most 6 decimals"
      const iso = "currency: must be an ISO 4217 currency code in upper case, such as INR"
      const refusals = [
        ...[-1, 1e-7, 1e12 + 1, 1e21, Number.NaN, Number.POSITIVE_INFINITY].map(
          (value) => [{ value }, decimals] as const
        ),
        [{ currency: "INR" }, "currency: needs a value"] as const,
        ...["inr", "XYZ", "", "RUPEE"].map((currency) => [{ value: 1, currency }, iso] as const),
        [{ event: " " }, "event: must be 1 to 100 characters on one line"] as const,
        [{ properties: { x: "y".repeat(4_096) } }, "properties: must be at most 4096 bytes of JSON"] as const
      ]
      for (const [request, expected] of refusals) {
        assert.strictEqual(yield* problem(world.convert(request)), expected, JSON.stringify(request))
      }
    })
  )

  it.effect("shares attributionPerHour with launches in an environment, over all addresses", () =>
    Effect.gen(function* () {
      const { attribution, live, test } = yield* makeAttribution({ idle: true })
      const few = (caller: typeof live) => ({ ...caller, settings: { ...caller.settings, attributionPerHour: 3 } })
      const tell = (i: number, caller = few(live)) =>
        Effect.flatMap(attribution.admitConversion(caller, { event: "order" }, `203.0.113.${i}`), (record) =>
          record(null)
        )
      for (let i = 0; i < 3; i++) yield* tell(i)
      assert.deepInclude(yield* Effect.flip(tell(4)), { _tag: "RateLimited", limit: "environment" })
      yield* tell(5, few(test))
      yield* TestClock.adjust("61 minutes")
      yield* tell(6)
    })
  )

  it.effect("shares a limit of 600 an hour per address with launches, and refused ones do not count", () =>
    Effect.gen(function* () {
      const world = yield* makeAttribution({ idle: true })
      const { attribution, live } = world
      const tell = (i: number, address: string | null = "2001:db8::1"): Effect.Effect<unknown, unknown> =>
        i % 2 === 0
          ? Effect.flatMap(attribution.admitLaunch(live, { consent: true }, address), (record) => record!(null))
          : Effect.flatMap(attribution.admitConversion(live, { event: "order" }, address), (record) => record(null))
      yield* Effect.exit(attribution.admitConversion(live, { event: "" }, "2001:db8::1"))
      const exits = yield* Effect.forEach(
        Array.from({ length: 650 }, (_, i) => i),
        (i) => Effect.exit(tell(i, `2001:db8::${i}`)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(exits.filter(Exit.isSuccess).length, 600)
      const refused = yield* Effect.flip(tell(0))
      assert.instanceOf(refused, RateLimited)
      assert.isAtLeast((refused as RateLimited).retryAfterSeconds, 3_500)
      yield* tell(0, "2001:db8:0:1::1")
      yield* tell(0, null)
      assert.isNull(yield* attribution.admitLaunch(live, { consent: false }, "2001:db8::1"))
      yield* TestClock.adjust("61 minutes")
      yield* tell(1)
    })
  )
})

describe("a withdrawal of consent", () => {
  it.effect("needs the launch's token only, and no key from the time of the launch", () =>
    Effect.gen(function* () {
      const world = yield* makeAttribution({ idle: true })
      const made = yield* world.launch(utm("ad"))
      yield* world.another({ secret: secrets.second, previousSecrets: [secrets.first], idle: true })
      const { attribution } = yield* world.another({ secret: secrets.second, idle: true })
      for (const token of ["", `${made.launchToken}x`, "x".repeat(5_000)]) {
        const refused = yield* Effect.flip(attribution.withdraw(world.live, made.launchId, token))
        assert.instanceOf(refused, InvalidCredentials)
      }
      yield* attribution.withdraw(world.live, made.launchId, made.launchToken)
      assert.deepStrictEqual(yield* counted(world), {})
    })
  )

  it.effect(
    "erases the launch with its verifications and conversions, and the next launch is the visitor's first",
    () =>
      Effect.gen(function* () {
        const world = yield* makeAttribution()
        const first = yield* world.launch({ ...utm("first"), fingerprint: "f1", clickId: "c1", ...at(9) })
        const second = yield* world.launch({ ...utm("second"), fingerprint: "f1", clickId: "c1", ...at(8) })
        const third = yield* world.launch({ ...utm("third"), fingerprint: "f1", ...at(7) })
        const { requestId, verify } = yield* login(world, first.launchId, "+919876500002")
        yield* verify
        yield* world.folded()
        yield* world.convert({ requestId })
        yield* world.convert({ launchId: third.launchId })
        const click = { sourceType: "ad", sourceId: "1201", sourceUrl: null, headline: null, clickId: "c1" }
        yield* world.arrive(wrote("919876500003", "Hi", start, { referral: click }))
        yield* world.folded(1)
        const before = { first: "1 1 2 1", second: "1 0 0 0", third: "1 0 0 0" }
        assert.deepStrictEqual(yield* counted(world, "first"), before)
        const { environment } = world.live
        for (const token of ["", second.launchToken, `${first.launchToken}x`, first.launchToken.toUpperCase()]) {
          const refused = yield* Effect.flip(world.attribution.withdraw(world.live, first.launchId, token))
          assert.instanceOf(refused, InvalidCredentials)
        }
        assert.instanceOf(
          yield* Effect.flip(world.attribution.withdraw(world.test, first.launchId, first.launchToken)),
          InvalidCredentials
        )
        assert.deepStrictEqual(yield* counted(world, "first"), before)
        for (let i = 0; i < 2; i++) yield* world.attribution.withdraw(world.live, first.launchId, first.launchToken)
        assert.deepStrictEqual(yield* counted(world, "first"), { second: "1 0 1 1", third: "1 0 0 0" })
        assert.deepStrictEqual(yield* counted(world, "last"), { second: "1 0 0 1", third: "1 0 1 0" })
        yield* world.attribution.withdraw(world.live, second.launchId, second.launchToken)
        assert.deepStrictEqual(yield* counted(world, "first"), { third: "1 0 1 0", whatsapp: "0 0 0 1" })
        yield* world.attribution.withdraw(world.live, third.launchId, third.launchToken)
        assert.deepStrictEqual(yield* counted(world, "first"), { whatsapp: "0 0 0 1" })
        const keys = ["v:", "c:c1"]
        assert.deepStrictEqual(yield* world.attributions.trails(environment, keys), [])
        assert.deepStrictEqual(yield* world.attributions.launches(environment, [first.launchId, third.launchId]), [])
      })
  )

  it.effect("before a verification was counted means that it never is, and deletes its fact", () =>
    Effect.gen(function* () {
      const world = yield* makeAttribution({ idle: true })
      const made = yield* world.launch(utm("ad"))
      const { verify } = yield* login(world, made.launchId, "+919876500004")
      yield* verify
      yield* world.attribution.withdraw(world.live, made.launchId, made.launchToken)
      const facts = Context.get(world.storage, FactStore)
      const { environment } = world.live
      const left = facts.list({ kind: "launch.verified", environment, after: null, limit: 10 })
      assert.strictEqual((yield* left).length, 1)
      yield* world.another()
      yield* world.folded()
      assert.deepStrictEqual(yield* left, [])
      assert.deepStrictEqual(yield* counted(world), {})
    })
  )

  it.effect("between the read and the commit of a dependent change makes that change decide again", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const store = Context.get(storage, AttributionStore)
      let first: (change: AttributionStore.Change) => Effect.Effect<void> = () => Effect.void
      const hooked = AttributionStore.of({
        ...store,
        commit: (change) =>
          Effect.andThen(
            Effect.suspend(() => first(change)),
            store.commit(change)
          )
      })
      const calm = yield* makeAttribution({ storage, idle: true })
      const late = yield* calm.another({ storage: Context.add(storage, AttributionStore, hooked) })
      /** Withdraws the launch just before such a change is committed. */
      const withdrawBefore = (
        made: { readonly launchId: string; readonly launchToken: string },
        kind: Touch["kind"] | null
      ) => {
        first = (change) => {
          if (kind === null ? change.trails.length === 0 : !change.touches.some((touch) => touch.kind === kind))
            return Effect.void
          first = () => Effect.void
          return Effect.orDie(calm.attribution.withdraw(calm.live, made.launchId, made.launchToken))
        }
      }

      const named = yield* calm.launch(utm("named"))
      withdrawBefore(named, "CONVERSION")
      yield* late.convert({ launchId: named.launchId })
      assert.deepStrictEqual(yield* counted(calm), { null: "0 0 1 0" })

      const verified = yield* calm.launch(utm("verified"))
      yield* (yield* login(calm, verified.launchId, "+919876500021")).verify
      withdrawBefore(verified, "VERIFICATION")
      yield* calm.folded()
      assert.deepStrictEqual(yield* counted(calm), { null: "0 0 1 0" })

      const before = yield* calm.launch({ ...utm("before"), fingerprint: "f1", ...at(9) })
      withdrawBefore(before, null)
      const { launchId } = yield* late.launch({ ...utm("after"), fingerprint: "f1" })
      yield* late.convert({ launchId })
      assert.deepStrictEqual(yield* counted(calm, "first"), { after: "1 0 1 0", null: "0 0 1 0" })
    })
  )
})

describe("a lead from an advertisement", () => {
  it.effect("counts once: as WhatsApp's, or as that of the launch with the same click", () =>
    Effect.gen(function* () {
      const world = yield* makeAttribution()
      const referral = (sourceId: string | null, clickId: string | null) => ({
        referral: { sourceType: "ad", sourceId, sourceUrl: null, headline: null, clickId }
      })
      const first = wrote("919876500011", "Hi", start - 5_000, referral("1201", null))
      yield* world.arrive(first, first, wrote("919876500012", "Hi", start, referral("1202\u0000", "click 7")))
      yield* world.arrive(
        first,
        wrote("919876500013", "Hi", start),
        wrote("919876500013", "Hi", start, referral("9", "x"))
      )
      yield* world.folded(3)
      const rows = (report: Report) =>
        report.items.map(({ campaign, leads, medium, source }) => [source, medium, campaign, leads])
      const report = world.attribution.report(world.live, { to: Instant.toIso(start + 86_400_000) })
      assert.deepStrictEqual(rows(yield* report), [
        ["whatsapp", "ad", null, 1],
        ["whatsapp", "ad", "1201", 1]
      ])
      yield* world.launch({ utm: { source: "fb", medium: "paid" }, clickId: "click 7" })
      assert.deepStrictEqual(rows(yield* report), [
        ["fb", "paid", null, 1],
        ["whatsapp", "ad", "1201", 1]
      ])
    })
  )
})

describe("data that is 400 days old", () => {
  it.effect("is deleted, and later results of a launch stay for their own 400 days", () =>
    Effect.gen(function* () {
      const world = yield* makeAttribution({ idle: true })
      const { environment } = world.live
      const day = 86_400_000
      const launched = (source: string, at: number): Launch => ({
        environment,
        id: `lch_${source}`,
        version: 0,
        at,
        origin: { source, medium: "", campaign: "" },
        visitor: "v:1",
        click: null,
        details: { term: null, content: null, installReferrer: null, platform: null },
        tokenHash: ""
      })
      // The first pass is in the first hour; a day later, data that is 400 days old may be deleted.
      const [old, later] = [launched("old", start - 400 * day), launched("later", start - 390 * day)]
      const converted = { event: "order", money: null, launchId: null, requestId: null, properties: null }
      const touches = [old, later].flatMap((launch) => [
        conversionTouch(environment, `cnv_${launch.id}`, { ...converted, at: start - 389 * day }, launch),
        conversionTouch(environment, `cnv_${launch.id}_old`, { ...converted, at: old.at }, launch)
      ])
      const [trail] = begin(old, [Trail.empty(environment, "v:1")]).trails
      yield* world.attributions.commit(
        AttributionStore.change({
          launches: [old, later].map((launch) => ({ launch, becomes: "kept" as const })),
          trails: [trail!],
          touches
        })
      )
      yield* TestClock.adjust("26 hours")
      const sums = Effect.fnUntraced(function* (model: string) {
        const range = { from: Instant.toIso(old.at - 1), to: Instant.toIso(start - 380 * day) }
        const { items } = yield* world.attribution.report(world.live, { model, ...range })
        return items.map(({ conversions, launches, source }) => [source, launches, conversions])
      })
      assert.deepStrictEqual(yield* sums("last"), [
        ["later", 1, 0],
        ["later", 0, 1],
        ["old", 0, 1]
      ])
      assert.deepStrictEqual(yield* sums("first"), [
        ["later", 1, 0],
        ["later", 0, 2]
      ])
    })
  )
})
