import { type Fact, FactStore, noRecords, OutboxStore, Subject, VerificationStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as Race from "../Race.ts"
import { change, fact, fresh, freshKind, guesses, noon } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

const append = Effect.fnUntraced(function* (facts: ReadonlyArray<Fact>, folded: ReadonlyArray<Fact> = []) {
  yield* (yield* OutboxStore).append({ ...noRecords, facts, folded })
})

const list = Effect.fnUntraced(function* (
  kind: string,
  environment: string,
  page: { readonly after?: Fact; readonly limit?: number } = {}
) {
  return yield* (yield* FactStore).list({ kind, environment, after: page.after ?? null, limit: page.limit ?? 1_000 })
})

/** The sum in these checks: a number in a person's state, guarded by its version. */
const sumOf = (subject: Subject.Subject) => subject.guesses.SERVER.failures

const sumBy = (facts: ReadonlyArray<Fact>) => facts.reduce((sum, { value }) => sum + Number(value["n"]), 0)

/**
 * Folds the oldest facts, `limit` at a time, until there are none and no more come. Another process may fold the same
 * facts before this one commits. Each conflict means that another round succeeded, so 400 rounds are enough for the
 * check's facts.
 */
const foldAll = Effect.fnUntraced(function* (
  { canonical, environment, kind }: { readonly [part in "canonical" | "environment" | "kind"]: string },
  limit: number,
  moreCome: () => boolean
) {
  const store = yield* VerificationStore
  for (let rounds = 0; rounds < 400; ) {
    const last = !moreCome()
    const subject = yield* store.subject(environment, canonical)
    const folded = yield* list(kind, environment, { limit })
    yield* Effect.yieldNow
    if (folded.length === 0) {
      if (last) return
      continue
    }
    rounds++
    const next = { ...subject, guesses: guesses(sumOf(subject) + sumBy(folded)) }
    yield* Effect.catchTag(store.commit(change(next, { folded })), "Conflict", () => Effect.void)
  }
  assert.fail("facts that were folded are still there")
})

export const factChecks = [
  promise(
    "facts are read oldest first, by pages, separately for each kind and environment",
    Effect.gen(function* () {
      const [kind, environment] = [freshKind(), fresh("env")]
      const made = Array.from({ length: 20 }, (_, index) =>
        fact(environment, { kind, at: noon + (index % 4), key: `k${String(index).padStart(2, "0")}` })
      )
      const inOrder = made.toSorted((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))
      const elsewhere = fact(fresh("env"), { kind })
      yield* append([...made, elsewhere, fact(environment)])
      assert.deepStrictEqual(yield* list(kind, environment), inOrder)
      const first = yield* list(kind, environment, { limit: 8 })
      assert.deepStrictEqual(first, inOrder.slice(0, 8))
      assert.deepStrictEqual(yield* list(kind, environment, { after: first[7]! }), inOrder.slice(8))
      assert.deepStrictEqual(
        yield* (yield* FactStore).environments(kind),
        [environment, elsewhere.environment].toSorted()
      )
    })
  ),
  promise(
    "a fact keeps its value, and is stored once however often it is appended",
    Effect.gen(function* () {
      const [kind, environment] = [freshKind(), fresh("env")]
      const value = {
        channel: "SMS",
        amount: -3,
        ms: 0.5,
        none: null,
        text: "\u00fc\u0000\ud83d\ude00",
        ["__proto__"]: "own"
      }
      const one = fact(environment, { kind, value })
      const race = yield* Race.together(20, (index) => append([index === 0 ? one : { ...one, value: { ...value } }]))
      assert.strictEqual(race.successes.length, 20)
      assert.deepStrictEqual(yield* list(kind, environment), [one])
    })
  ),
  promise(
    "additive facts add up to their total, however storage keeps them, and are deleted when folded",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const [kind, environment] = [freshKind(), fresh("env")]
      const adding = (n: number, more: Partial<Fact> = {}) =>
        fact(environment, { kind, adds: true, value: { n }, ...more })
      // Most facts of a statement are equal; some have another instant and another value.
      yield* Race.together(60, (index) =>
        store.commit(
          change(Subject.empty(environment, fresh("92")), {
            facts: [adding(index % 2), ...(index % 10 === 0 ? [adding(1, { at: noon + 1 })] : [])]
          })
        )
      )
      const found = yield* list(kind, environment)
      const times = (n: number, at: number) =>
        found.filter((one) => one.at === at && one.value["n"] === n).reduce((sum, one) => sum + (one.times ?? 1), 0)
      assert.deepStrictEqual([times(0, noon), times(1, noon), times(1, noon + 1)], [30, 30, 6])
      yield* append([], found)
      assert.deepStrictEqual(yield* list(kind, environment), [])
    })
  ),
  promise(
    "a fact that is not additive is a row of its own, regardless of other facts in its statement",
    Effect.gen(function* () {
      const [kind, environment] = [freshKind(), fresh("env")]
      const made = Array.from({ length: 5 }, () => fact(environment, { kind }))
      yield* append([...made, made[0]!])
      assert.deepStrictEqual(
        (yield* list(kind, environment)).map(({ key }) => key).toSorted(),
        made.map(({ key }) => key).toSorted()
      )
    })
  ),
  promise(
    "folded facts are deleted, and folding them again or folding unknown facts changes nothing",
    Effect.gen(function* () {
      const [kind, environment] = [freshKind(), fresh("env")]
      const [gone, kept] = [fact(environment, { kind }), fact(environment, { kind })]
      yield* append([gone, kept])
      // Each differs from the stored fact in one field.
      const others = [
        { ...kept, kind: freshKind() },
        { ...kept, environment: fresh("env") },
        { ...kept, at: kept.at + 1 },
        { ...kept, key: fresh("fact") }
      ]
      for (let times = 0; times < 2; times++) yield* append([], [gone, ...others])
      assert.deepStrictEqual(yield* list(kind, environment), [kept])
      yield* append([], [kept])
      assert.deepStrictEqual(yield* list(kind, environment), [])
      assert.deepStrictEqual(yield* (yield* FactStore).environments(kind), [])
    })
  ),
  promise(
    "each fact is in the sum exactly once when six processes fold while a hundred facts are appended",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const [kind, environment, canonical] = [freshKind(), fresh("env"), fresh("91")]
      const made = Array.from({ length: 100 }, (_, index) =>
        // Later facts are often older than those already folded.
        fact(environment, { kind, at: noon - (index % 50), value: { n: index } })
      )
      const sum = { kind, environment, canonical }
      let coming = made.length
      const race = yield* Race.together(106, (index) =>
        index < 6
          ? foldAll(sum, 1 + index, () => coming > 0)
          : // Facts are committed with changes of other aggregates.
            Effect.yieldNow.pipe(
              Effect.andThen(
                store.commit(change(Subject.empty(environment, fresh("92")), { facts: [made[index - 6]!] }))
              ),
              Effect.ensuring(Effect.sync(() => coming--)),
              Effect.asVoid
            )
      )
      assert.deepStrictEqual([race.failures, race.defects], [[], []])
      assert.deepStrictEqual(yield* list(kind, environment), [])
      assert.strictEqual(sumOf(yield* store.subject(environment, canonical)), sumBy(made))
    })
  )
]
