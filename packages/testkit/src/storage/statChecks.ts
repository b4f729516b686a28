import {
  Conflict,
  type Fact,
  FactStore,
  noRecords,
  OutboxStore,
  type StatBucket,
  StatStore
} from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as Race from "../Race.ts"
import { fact, fresh, freshKind, noon } from "./fixtures.ts"
import { playStatistics } from "./statModel.ts"
import { promise } from "./StorageCheck.ts"

/** `pnpm chaos` runs 10,000. */
const operations = Number(process.env["STAT_OPERATIONS"] ?? "250")

const quarter = 15 * 60_000

/** The sums of a quarter hour of SMS messages to Indian numbers. */
export const bucket = (more: Partial<StatBucket> = {}): StatBucket => ({
  span: "QUARTER",
  at: noon,
  channel: "SMS",
  country: "IN",
  path: "SERVER",
  template: "",
  counts: { asked: 3, "refused.limit": 1 },
  latencies: { "toSend.37": 2 },
  ...more
})

const commit = Effect.fnUntraced(function* (
  environment: string,
  version: number,
  buckets: ReadonlyArray<StatBucket>,
  folded: ReadonlyArray<Fact> = []
) {
  return yield* (yield* StatStore).commit({ ...noRecords, environment, version, buckets, folded })
})

const read = Effect.fnUntraced(function* (
  environment: string,
  more: Partial<Parameters<StatStore["Service"]["read"]>[0]> = {}
) {
  const page = { environment, span: "QUARTER", from: noon, to: noon + quarter, latencies: true, kinds: [] } as const
  return yield* (yield* StatStore).read({ ...page, ...more })
})

export const statChecks = [
  promise(
    "sums are found by key and by time, with or without latencies, only in their environment",
    Effect.gen(function* () {
      const store = yield* StatStore
      const [environment, other] = [fresh("env"), fresh("env")]
      assert.strictEqual(yield* store.version(environment), 0)
      const made = bucket()
      const later = bucket({ at: noon + quarter })
      const day = bucket({ span: "DAY" })
      const nowhere = bucket({ channel: "", country: "", path: "", counts: {}, latencies: {} })
      assert.strictEqual(yield* commit(environment, 0, [made, later, day, nowhere]), 1)
      assert.strictEqual(yield* store.version(environment), 1)
      const places = [made, bucket({ country: "US" }), day]
      const found = yield* store.buckets(environment, places)
      assert.sameDeepMembers([...found], [made, day])
      assert.deepStrictEqual(yield* store.buckets(other, places), [])
      assert.deepStrictEqual(yield* store.buckets(environment, []), [])
      assert.sameDeepMembers([...(yield* read(environment)).buckets], [made, nowhere])
      assert.deepStrictEqual((yield* read(environment, { span: "DAY" })).buckets, [day])
      const ahead = yield* read(environment, { from: noon + 1, to: noon + quarter + 1, latencies: false })
      assert.deepStrictEqual(ahead.buckets, [{ ...later, latencies: {} }])
      assert.deepStrictEqual(yield* read(other), { buckets: [], facts: [] })
      assert.deepStrictEqual(yield* read("\u0000"), { buckets: [], facts: [] })
      assert.strictEqual(yield* store.version("\ud800"), 0)
    })
  ),
  promise(
    "sums are replaced as a whole, and other sums stay",
    Effect.gen(function* () {
      const store = yield* StatStore
      const environment = fresh("env")
      const other = bucket({ channel: "RCS" })
      yield* commit(environment, 0, [bucket(), other])
      const next = bucket({ counts: { asked: 4 }, latencies: {} })
      assert.strictEqual(yield* commit(environment, 1, [next]), 2)
      assert.sameDeepMembers([...(yield* store.buckets(environment, [next, other]))], [next, other])
    })
  ),
  promise(
    "facts that are not folded yet are read with the sums of their time, by kind",
    Effect.gen(function* () {
      const environment = fresh("env")
      const [kind, another] = [freshKind(), freshKind()]
      const early = fact(environment, { kind, at: noon })
      const late = fact(environment, { kind, at: noon + quarter })
      const strange = fact(environment, { kind: another, at: noon })
      yield* (yield* OutboxStore).append({ ...noRecords, facts: [early, late, strange] })
      assert.deepStrictEqual((yield* read(environment, { kinds: [kind] })).facts, [early])
      assert.deepStrictEqual((yield* read(environment)).facts, [])
      const both = yield* read(environment, { kinds: [kind, another], to: noon + quarter + 1, span: "DAY" })
      assert.sameDeepMembers([...both.facts], [early, late, strange])
    })
  ),
  promise(
    "when many processes fold the same facts concurrently, one succeeds, and concurrent readers see each fact once",
    Effect.gen(function* () {
      const store = yield* StatStore
      const environment = fresh("env")
      const kind = freshKind()
      const facts = Array.from({ length: 40 }, (_, index) => fact(environment, { kind, key: `k${index}` }))
      yield* (yield* OutboxStore).append({ ...noRecords, facts })
      const total = Effect.map(
        read(environment, { kinds: [kind], from: 0, to: Number.MAX_SAFE_INTEGER / 4 }),
        (found) => found.buckets.reduce((sum, { counts }) => sum + (counts["asked"] ?? 0), found.facts.length)
      )
      const foldOne = Effect.gen(function* () {
        const version = yield* store.version(environment)
        const page = { kind, environment, after: null, limit: 4 }
        const found = yield* (yield* FactStore).list(page)
        const [known] = yield* store.buckets(environment, [bucket()])
        const asked = (known?.counts["asked"] ?? 0) + found.length
        yield* Effect.catchTag(
          commit(environment, version, [bucket({ counts: { asked } })], found),
          "Conflict",
          () => Effect.void
        )
      })
      const fold = Effect.repeat(foldOne, { times: 9 })
      const { defects, failures, successes } = yield* Race.together(12, (index) =>
        index < 8
          ? Effect.as(fold, 40)
          : Effect.map(Effect.replicateEffect(total, 10), (seen) => seen.find((sum) => sum !== 40) ?? 40)
      )
      assert.deepStrictEqual([defects, failures], [[], []])
      assert.deepStrictEqual([...new Set(successes)], [40])
      for (let left = facts.length; left > 0; left = (yield* read(environment, { kinds: [kind] })).facts.length) {
        yield* foldOne
      }
      assert.strictEqual((yield* store.buckets(environment, [bucket()]))[0]?.counts["asked"], 40)
    })
  ),
  promise(
    "statistics equal a count over the rows after crashes, late facts and repeated folds",
    playStatistics(operations, 7_919)
  ),
  promise(
    "a change decided on an outdated version is a Conflict, also at version 0",
    Effect.gen(function* () {
      const environment = fresh("env")
      yield* commit(environment, 0, [bucket()])
      for (const version of [0, 2]) {
        const late = yield* Effect.flip(commit(environment, version, [bucket({ counts: { asked: 9 } })]))
        assert.instanceOf(late, Conflict)
      }
      assert.deepStrictEqual((yield* read(environment)).buckets, [bucket()])
    })
  )
]
