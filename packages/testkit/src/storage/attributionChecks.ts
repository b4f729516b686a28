import { AttributionStore, Conflict, type Launch, StoreError } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as Race from "../Race.ts"
import { firstOf, launch, touch, trail } from "./attributionFixtures.ts"
import { fresh, noon } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

const commit = Effect.fnUntraced(function* (parts: Partial<AttributionStore.Change>) {
  yield* (yield* AttributionStore).commit(AttributionStore.change(parts))
})

const late = (parts: Partial<AttributionStore.Change>) =>
  Effect.map(Effect.flip(commit(parts)), (error) => assert.instanceOf(error, Conflict))

const kept = (launch: Launch) => ({ launch, becomes: "kept" as const })
const stored = (launch: Launch, version = 1): Launch => ({ ...launch, version })

const day = 86_400_000

const sums = Effect.fnUntraced(function* (environment: string, page: Partial<AttributionStore.SumPage> = {}) {
  const store = yield* AttributionStore
  const usual: AttributionStore.SumPage = {
    environment,
    model: "last",
    days: [noon],
    until: noon + day,
    after: null,
    limit: 1_000
  }
  return yield* store.sums({ ...usual, ...page })
})

const none = { launches: 0, verifications: 0, conversions: 0, leads: 0, values: [] }
const from = (source: string, more: Partial<AttributionStore.Sum> = {}): AttributionStore.Sum => ({
  day: 0,
  source,
  medium: "",
  campaign: "",
  ...none,
  ...more
})
const origin = (source: string, medium = "", campaign = "") => ({ source, medium, campaign })

/** Texts in code point order, which UTF-16 and dictionaries order differently. */
const inOrder = ["", " ", "A", "Z", "_", "a", "b", "é", "ﬀ", "\u{1f469}"]

export const attributionChecks = [
  promise(
    "a launch is stored exactly, visible only in its environment, and its version grows with each save",
    Effect.gen(function* () {
      const store = yield* AttributionStore
      const environment = fresh("env")
      const made = [launch(environment), launch(environment, { visitor: "v:1", click: "c:2", at: noon - 1 })]
      yield* commit({ launches: made.map(kept) })
      const found = yield* store.launches(environment, [...made.map(({ id }) => id), fresh("lch"), "\u0000"])
      assert.sameDeepMembers(
        [...found],
        made.map((one) => stored(one))
      )
      assert.deepStrictEqual(yield* store.launches(fresh("env"), [made[0]!.id]), [])
      yield* commit({ launches: [kept(stored(made[0]!))] })
      assert.deepStrictEqual(yield* store.launches(environment, [made[0]!.id]), [stored(made[0]!, 2)])
      yield* late({ launches: [kept(stored(made[0]!))] })
      yield* late({ launches: [kept(made[0]!)] })
      yield* late({ launches: [kept(stored(launch(environment)))] })
    })
  ),
  promise(
    "erasing a launch removes all touches that name it; expiry leaves them",
    Effect.gen(function* () {
      const store = yield* AttributionStore
      const environment = fresh("env")
      const [erased, forgotten, other] = [launch(environment), launch(environment), launch(environment)]
      yield* commit({ launches: [erased, forgotten, other].map(kept) })
      const touches = [erased, erased, forgotten, other].map(({ id }) => touch(environment, { launchId: id }))
      yield* commit({ touches: [...touches, touch(environment), touch(fresh("env"), { launchId: erased.id })] })
      const { conversions, launches } = (yield* sums(environment)).reduce((a, b) => ({
        ...a,
        launches: a.launches + b.launches,
        conversions: a.conversions + b.conversions
      }))
      assert.deepStrictEqual([launches, conversions], [3, 5])
      yield* commit({
        launches: [
          { launch: stored(erased), becomes: "erased" },
          { launch: stored(forgotten), becomes: "forgotten" }
        ]
      })
      assert.deepStrictEqual(yield* store.launches(environment, [erased.id, forgotten.id, other.id]), [stored(other)])
      assert.deepStrictEqual(yield* sums(environment), [
        from("", { conversions: 3 }),
        from("google", { medium: "cpc", campaign: "diwali", launches: 1 })
      ])
      yield* late({ launches: [{ launch: stored(erased), becomes: "erased" }] })
    })
  ),
  promise(
    "when a touch of a launch and an erasure of it race at one version, only one is written",
    Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], () =>
      Effect.gen(function* () {
        const environment = fresh("env")
        const made = launch(environment)
        yield* commit({ launches: [kept(made)] })
        const race = yield* Race.together(8, (index) =>
          index === 3
            ? commit({ launches: [{ launch: stored(made), becomes: "erased" }] })
            : commit({ launches: [kept(stored(made))], touches: [touch(environment, { launchId: made.id })] })
        )
        assert.strictEqual(race.successes.length, 1)
        for (const error of race.failures) assert.instanceOf(error, Conflict)
        const [found] = yield* (yield* AttributionStore).launches(environment, [made.id])
        const counted = yield* sums(environment)
        assert.strictEqual(
          counted.reduce((sum, { conversions }) => sum + conversions, 0),
          found === undefined ? 0 : 1
        )
      })
    )
  ),
  promise(
    "a trail is guarded by its version and its first launch, and disappears without a first launch",
    Effect.gen(function* () {
      const store = yield* AttributionStore
      const environment = fresh("env")
      const [a, b] = [launch(environment), launch(environment, { at: noon - 5, visitor: "v:x", origin: origin("b") })]
      const begun = trail(environment)
      const { key } = begun
      assert.deepStrictEqual(yield* store.trails(environment, [key, "\ud800"]), [])
      yield* commit({ trails: [{ trail: begun, first: firstOf(a) }] })
      const first = { ...begun, version: 1, first: firstOf(a) }
      assert.deepStrictEqual(yield* store.trails(environment, [key, key, "v:nobody"]), [first])
      assert.deepStrictEqual(yield* store.trails(fresh("env"), [key]), [])
      yield* late({ trails: [{ trail: begun, first: firstOf(b) }] })
      yield* late({ trails: [{ trail: { ...first, first: firstOf(b) }, first: firstOf(b) }] })
      yield* late({ trails: [{ trail: { ...first, version: 2 }, first: firstOf(b) }] })
      yield* commit({ trails: [{ trail: first, first: firstOf(b) }] })
      const second = { ...begun, version: 2, first: firstOf(b) }
      assert.deepStrictEqual(yield* store.trails(environment, [key]), [second])
      yield* commit({ trails: [{ trail: second, first: null }] })
      assert.deepStrictEqual(yield* store.trails(environment, [key]), [])
      yield* late({ trails: [{ trail: second, first: firstOf(a) }] })
      // Another launch started the trail again at its first version, so changes decided on the old trail are outdated.
      yield* commit({ trails: [{ trail: begun, first: firstOf(b) }] })
      yield* late({ trails: [{ trail: first, first: firstOf(a) }] })
    })
  ),
  promise(
    "when 50 launches join a trail at one version, one is written",
    Effect.gen(function* () {
      const environment = fresh("env")
      const begun = trail(environment)
      const join = (of: typeof begun) => (index: number) => {
        const made = launch(environment, { visitor: begun.key, at: noon + index })
        return commit({ launches: [kept(made)], trails: [{ trail: of, first: firstOf(made) }] })
      }
      for (let version = 0; version < 2; version++) {
        const [now = begun] = yield* (yield* AttributionStore).trails(environment, [begun.key])
        assert.strictEqual(now.version, version)
        const race = yield* Race.together(50, join(now))
        assert.strictEqual(race.successes.length, 1)
        for (const error of race.failures) assert.instanceOf(error, Conflict)
      }
      assert.strictEqual((yield* sums(environment, { days: [noon] }))[0]?.launches, 2)
    })
  ),
  promise(
    "a change with one outdated part writes nothing",
    Effect.gen(function* () {
      const store = yield* AttributionStore
      const environment = fresh("env")
      const [made, known] = [launch(environment), launch(environment)]
      yield* commit({ launches: [kept(known)] })
      const begun = trail(environment)
      const parts = {
        launches: [kept(made), kept(stored(known))],
        trails: [{ trail: begun, first: firstOf(made) }],
        touches: [touch(environment, { launchId: made.id })]
      }
      yield* late({ ...parts, launches: [kept(made), kept(stored(known, 7))] })
      yield* late({ ...parts, launches: [kept(made), kept(known)] })
      yield* late({ ...parts, trails: [{ trail: { ...begun, version: 1, first: firstOf(made) }, first: null }] })
      assert.deepStrictEqual(yield* store.launches(environment, [made.id, known.id]), [stored(known)])
      assert.deepStrictEqual(yield* store.trails(environment, [begun.key]), [])
      assert.strictEqual((yield* sums(environment)).length, 1)
      yield* commit(parts)
      assert.strictEqual((yield* store.launches(environment, [made.id, known.id])).length, 2)
    })
  ),
  promise(
    "the two earliest launches of a visitor or click are found, and equal times are ordered by id",
    Effect.gen(function* () {
      const store = yield* AttributionStore
      const environment = fresh("env")
      const on = { visitor: "v:1", click: "c:1" }
      const made = [5, 3, 3, 4].map((at) => launch(environment, { ...on, at: noon + at }))
      const others = [launch(environment, { at: noon - 9, visitor: "v:2", click: "c:2" }), launch(fresh("env"), on)]
      yield* commit({ launches: [...made, ...others].map(kept) })
      const expected = made
        .filter(({ at }) => at === noon + 3)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map((one) => stored(one))
      assert.deepStrictEqual(yield* store.earliest(environment, "visitor", "v:1"), expected)
      assert.deepStrictEqual(yield* store.earliest(environment, "click", "c:1"), expected)
      assert.deepStrictEqual(yield* store.earliest(environment, "click", "v:1"), [])
      assert.deepStrictEqual(yield* store.earliest(environment, "visitor", "\u0000"), [])
    })
  ),
  promise(
    "a touch is counted once, however often it is written",
    Effect.gen(function* () {
      const environment = fresh("env")
      const made = touch(environment, { money: { micros: 5n, currency: "INR" } })
      yield* Race.together(20, () => commit({ touches: [made] }))
      yield* commit({ touches: [{ ...made, money: { micros: 9n, currency: "INR" } }] })
      yield* commit({
        touches: [{ ...made, kind: "LEAD", money: null }, touch(environment, { kind: "LEAD", id: "1" })]
      })
      const store = yield* AttributionStore
      assert.deepStrictEqual(yield* store.conversions(environment, [made.id, "1", "\u0000", made.id]), [made.id])
      assert.deepStrictEqual(yield* store.conversions(fresh("env"), [made.id]), [])
      assert.deepStrictEqual(yield* sums(environment), [
        from("", { conversions: 1, leads: 2, values: [{ currency: "INR", micros: 5n }] })
      ])
    })
  ),
  promise(
    "sums are grouped by day and origin, exact beyond safe integers, and respect the requested end",
    Effect.gen(function* () {
      const environment = fresh("env")
      const days = [noon - day, noon, noon + 3_600_000]
      const money = (micros: bigint, currency: string) => ({ money: { micros, currency } })
      const huge = 999_999_999_999_999_999n
      const ours = { origin: origin("news", "mail") }
      yield* commit({
        launches: [days[0]! - 1, days[0]!, noon - 1, noon, noon + day].map((at) =>
          kept(launch(environment, { at, ...ours }))
        ),
        touches: [
          touch(environment, { at: days[2]!, ...ours, ...money(huge, "INR") }),
          touch(environment, { at: noon + day - 1, ...ours, ...money(huge, "INR") }),
          touch(environment, { at: noon + day - 1, ...ours, ...money(0n, "EUR") }),
          touch(environment, { at: noon + day - 1, ...ours, ...money(1n, "") }),
          touch(environment, { at: noon + day - 1, ...ours }),
          touch(environment, { at: noon + day, ...ours }),
          touch(environment, { kind: "VERIFICATION" }),
          touch(fresh("env"), ours)
        ]
      })
      const place = { medium: "mail" }
      assert.deepStrictEqual(yield* sums(environment, { days }), [
        from("news", { ...place, launches: 2 }),
        from("", { day: 1, verifications: 1 }),
        from("news", { ...place, day: 1, launches: 1 }),
        from("news", {
          ...place,
          day: 2,
          conversions: 5,
          values: [
            { currency: "", micros: 1n },
            { currency: "EUR", micros: 0n },
            { currency: "INR", micros: 2n * huge }
          ]
        })
      ])
      assert.deepStrictEqual(yield* sums(environment, { days: [noon], until: noon }), [])
      assert.deepStrictEqual(yield* sums("\u0000"), [])
    })
  ),
  promise(
    "sums come in code point order, and paging continues after any cursor",
    Effect.gen(function* () {
      const environment = fresh("env")
      const places = inOrder.flatMap((source) => inOrder.slice(0, 3).map((campaign) => origin(source, "", campaign)))
      yield* commit({ launches: places.map((origin) => kept(launch(environment, { origin }))) })
      const all = yield* sums(environment)
      assert.deepStrictEqual(
        all.map(({ campaign, medium, source }) => origin(source, medium, campaign)),
        places
      )
      for (const [at, after] of all.entries()) {
        assert.deepStrictEqual(yield* sums(environment, { after, limit: 4 }), all.slice(at + 1, at + 5))
      }
    })
  ),
  promise(
    "the last touch is the launch's origin, the first touch that of its visitor's trail; a click's trail stands for its own",
    Effect.gen(function* () {
      const environment = fresh("env")
      const visitor = trail(environment)
      const known = trail(environment, { key: "c:known" })
      const plain = trail(environment, { key: "c:plain" })
      const first = launch(environment, { origin: origin("first") })
      const clicked = launch(environment, { origin: origin("clicked"), visitor: visitor.key })
      const alone = launch(environment, { origin: origin("alone") })
      yield* commit({
        trails: [
          { trail: visitor, first: firstOf(first) },
          { trail: known, first: firstOf(clicked) },
          { trail: plain, first: firstOf(alone) }
        ],
        touches: [
          touch(environment, { origin: origin("own"), visitor: visitor.key }),
          touch(environment, { origin: origin("own"), visitor: "v:nobody" }),
          ...["c:known", "c:plain", "c:nobody"].map((click) =>
            touch(environment, { kind: "LEAD", origin: origin("ad"), click })
          )
        ]
      })
      assert.deepStrictEqual(yield* sums(environment), [
        from("ad", { leads: 1 }),
        from("alone", { leads: 1 }),
        from("clicked", { leads: 1 }),
        from("own", { conversions: 2 })
      ])
      assert.deepStrictEqual(yield* sums(environment, { model: "first" }), [
        from("ad", { leads: 1 }),
        from("alone", { leads: 1 }),
        from("first", { conversions: 1, leads: 1 }),
        from("own", { conversions: 1 })
      ])
    })
  ),
  promise(
    "old attribution rows are found in every environment, and old touches are deleted",
    Effect.gen(function* () {
      const store = yield* AttributionStore
      const environments = [fresh("env"), fresh("env")]
      // Long before the rows of other checks.
      const old = noon - 9_000 * day
      const made = environments.flatMap((environment) =>
        [old - 2, old - 1, old].map((at) => launch(environment, { at }))
      )
      const touches = environments.flatMap((environment) =>
        [old - 2, old - 1, old].map((at) => touch(environment, { at }))
      )
      yield* commit({ launches: made.map(kept), touches })
      const due = made.filter(({ at }) => at < old)
      const found = yield* store.old(old, 100)
      assert.sameDeepMembers(
        [...found],
        due.map((one) => stored(one))
      )
      assert.strictEqual((yield* store.old(old, 3)).length, 3)
      yield* commit({ launches: found.map((launch) => ({ launch, becomes: "forgotten" as const })) })
      assert.deepStrictEqual(yield* store.old(old, 100), [])
      assert.strictEqual(yield* store.purge(old, 3), 3)
      assert.strictEqual(yield* store.purge(old, 3), 1)
      assert.strictEqual(yield* store.purge(old, 3), 0)
      for (const environment of environments) {
        const left = yield* sums(environment, { days: [old - day], until: old + 1 })
        assert.deepStrictEqual(
          left.map(({ conversions, launches }) => [conversions, launches]),
          [
            [1, 0],
            [0, 1]
          ]
        )
      }
    })
  ),
  promise(
    "an awkward origin is stored exactly, or refused whole",
    Effect.forEach(["%_'\"\\", "\u0000", "\ud800", "नमस्ते", "x".repeat(600)], (text) =>
      Effect.gen(function* () {
        const environment = fresh("env")
        const made = launch(environment, {
          origin: origin(text, text, text),
          visitor: text,
          click: text,
          details: { term: text, content: text, installReferrer: text, platform: text }
        })
        const exit = yield* Effect.exit(
          commit({ launches: [kept(made)], touches: [touch(environment, { origin: origin(text), details: text })] })
        )
        const found = yield* (yield* AttributionStore).launches(environment, [made.id])
        if (Exit.isSuccess(exit)) {
          assert.deepStrictEqual(found, [stored(made)])
          assert.deepStrictEqual(yield* (yield* AttributionStore).earliest(environment, "visitor", text), found)
        } else {
          assert.instanceOf(yield* Effect.flip(exit), StoreError)
          assert.deepStrictEqual(found, [])
          assert.deepStrictEqual(yield* sums(environment), [])
        }
      })
    )
  )
]
