import { Identifier } from "@countersign/core"
import { noRecords, type Refusal, RefusalStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { fresh, noon } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

export const refusal = (environment: string, fields: Partial<Refusal> = {}): Refusal => {
  const { at = noon } = fields
  return {
    environment,
    id: Identifier.make("rfs", at),
    at,
    path: "SERVER",
    errorCode: "RATE_LIMIT_EXCEEDED",
    reason: "spelling",
    identity: "+91******3210",
    person: null,
    channel: "SMS",
    country: "IN",
    ...fields
  }
}

const everything = { reason: null, persons: null, before: "rfs_~", since: "rfs_", limit: 100 }

export const refusalChecks = [
  promise(
    "refusals come newest first, by reason, by time and page by page, only in their environment",
    Effect.gen(function* () {
      const store = yield* RefusalStore
      const environment = fresh("env")
      const all = Array.from({ length: 6 }, (_, n) =>
        refusal(environment, { at: noon + n * 1_000, reason: n % 3 === 0 ? "country" : "spelling" })
      )
      const change = { ...noRecords, refusals: [...all, refusal(fresh("env"))] }
      yield* store.commit(change)
      // Written twice, as after a lost answer.
      yield* store.commit(change)
      const numbers = (page: Partial<RefusalStore.Page>) =>
        Effect.map(store.list({ environment, ...everything, ...page }), (found) =>
          found.map(({ id }) => all.findIndex((one) => one.id === id))
        )
      assert.deepStrictEqual(yield* store.list({ environment, ...everything }), all.toReversed())
      assert.deepStrictEqual(yield* numbers({ limit: 2 }), [5, 4])
      assert.deepStrictEqual(yield* numbers({ before: all[4]?.id ?? "" }), [3, 2, 1, 0])
      assert.deepStrictEqual(yield* numbers({ reason: "country" }), [3, 0])
      assert.deepStrictEqual(
        yield* numbers({ reason: "spelling", since: Identifier.first("rfs", noon + 2_000) }),
        [5, 4, 2]
      )
      assert.deepStrictEqual(yield* numbers({ reason: "none" }), [])
    })
  ),
  promise(
    "refusals of a person are found by any of their references, until the references are forgotten",
    Effect.gen(function* () {
      const store = yield* RefusalStore
      const environment = fresh("env")
      const other = fresh("env")
      const persons = ["per_old", "per_new", "per_old", null, "per_else", "per_new"]
      const all = persons.map((person, n) =>
        refusal(environment, { at: noon + n * 1_000, person, reason: n % 2 === 0 ? "country" : "spelling" })
      )
      const foreign = refusal(other, { person: "per_old" })
      yield* store.commit({ ...noRecords, refusals: [...all, foreign] })
      const numbers = (page: Partial<RefusalStore.Page>) =>
        Effect.map(store.list({ environment, ...everything, persons: ["per_new", "per_old"], ...page }), (found) =>
          found.map(({ id }) => all.findIndex((one) => one.id === id))
        )
      assert.deepStrictEqual(yield* numbers({}), [5, 2, 1, 0])
      assert.deepStrictEqual(yield* numbers({ limit: 2 }), [5, 2])
      assert.deepStrictEqual(yield* numbers({ before: all[2]!.id }), [1, 0])
      assert.deepStrictEqual(yield* numbers({ since: all[2]!.id }), [5, 2])
      assert.deepStrictEqual(yield* numbers({ reason: "country" }), [2, 0])
      assert.deepStrictEqual(yield* numbers({ persons: ["per_none"] }), [])

      yield* store.forget(environment, ["per_old", "per_new"])
      assert.deepStrictEqual(yield* numbers({}), [])
      assert.deepStrictEqual(yield* numbers({ persons: null }), [5, 4, 3, 2, 1, 0])
      assert.deepStrictEqual(yield* numbers({ persons: ["per_else"] }), [4])
      assert.deepStrictEqual(yield* store.list({ environment: other, ...everything, persons: ["per_old"] }), [foreign])
    })
  )
]
