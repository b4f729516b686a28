import { Conflict, type Hook, type HookEntry, HookStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as Race from "../Race.ts"
import { fresh, id, noon } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

export const hook = (environment: string, fields: Partial<Hook> = {}): Hook => ({
  id: id("hok"),
  environment,
  version: 0,
  kind: "supabase-sms",
  name: "Sign-in of the shop",
  sealed: "v1.sealed",
  previous: [{ sealed: "v1.older", until: noon + 1 }],
  createdAt: noon,
  ...fields
})

const entry = ({ environment, id: hookId }: Hook, fields: Partial<HookEntry> = {}): HookEntry => ({
  id: id("hrq"),
  environment,
  hookId,
  at: noon,
  signed: true,
  outcome: "SENT",
  recipients: ["+91******3210"],
  deliveryIds: ["ver_1"],
  purpose: "sign-in",
  errorCode: null,
  problem: null,
  ...fields
})

const numbered = (own: Hook, many: number, fields: Partial<HookEntry> = {}) =>
  Array.from({ length: many }, (_, i) => entry(own, { id: `hrq_${String(i).padStart(6, "0")}`, ...fields }))

const add = Effect.fnUntraced(function* (made: Hook) {
  return yield* (yield* HookStore).commit(HookStore.change(made))
})

const pageOf = ({ environment, id: hookId }: Hook, limit = 10_000, after: string | null = null) => ({
  environment,
  hookId,
  after,
  limit
})

export const hookChecks = [
  promise(
    "a hook is found by its id alone, and saved at the version that was read",
    Effect.gen(function* () {
      const store = yield* HookStore
      const made = hook(fresh("env"))
      assert.isNull(yield* store.get(made.id))
      assert.deepStrictEqual(yield* add(made), { ...made, version: 1 })
      assert.deepStrictEqual(yield* store.get(made.id), { ...made, version: 1 })
      assert.instanceOf(yield* Effect.flip(add({ ...made, environment: fresh("env") })), Conflict)
      const changed: Hook = { ...made, version: 1, sealed: "v1.other", previous: [] }
      assert.deepStrictEqual(yield* add(changed), { ...changed, version: 2 })
      assert.instanceOf(yield* Effect.flip(add({ ...changed, sealed: "v1.late" })), Conflict)
      assert.deepStrictEqual(yield* store.get(made.id), { ...changed, version: 2 })
      for (const missing of ["", "\u0000", "\ud800", "%"]) assert.isNull(yield* store.get(missing))
    })
  ),
  promise(
    "an environment lists its own hooks by age, and only it can delete them",
    Effect.gen(function* () {
      const store = yield* HookStore
      const environment = fresh("env")
      const made = [yield* add(hook(environment)), yield* add(hook(environment))]
      const foreign = yield* add(hook(fresh("env")))
      const expected = made.toSorted((a, b) => (a.id < b.id ? -1 : 1))
      assert.deepStrictEqual(yield* store.list(environment), expected)
      const stolen = store.remove(HookStore.change({ ...foreign, environment }))
      assert.instanceOf(yield* Effect.flip(stolen), Conflict)
      yield* store.remove(HookStore.change(made[0]!))
      assert.isNull(yield* store.get(made[0]!.id))
      assert.isNotNull(yield* store.get(foreign.id))
    })
  ),
  promise(
    "of 50 rotations from one version, one succeeds",
    Effect.gen(function* () {
      const made = yield* add(hook(fresh("env")))
      const race = yield* Race.together(50, (i) => add({ ...made, sealed: `v1.${i}` }))
      assert.strictEqual(race.successes.length, 1)
      for (const error of race.failures) assert.instanceOf(error, Conflict)
      assert.deepStrictEqual(yield* (yield* HookStore).get(made.id), race.successes[0])
    })
  ),
  promise(
    "a hook lists its requests newest first, page by page, and none of another hook or environment",
    Effect.gen(function* () {
      const store = yield* HookStore
      const [own, other] = [hook(fresh("env")), hook(fresh("env"))]
      const entries = numbered(own, 5, { problem: "identity: 'quoted' \u{1f600}", outcome: "REFUSED" })
      yield* store.note([...entries, entry(other)])
      yield* store.note([entries[0]!, entry(other, { signed: false })])
      const newest = entries.toReversed()
      assert.deepStrictEqual(yield* store.requests(pageOf(own)), newest)
      assert.deepStrictEqual(yield* store.requests(pageOf(own, 2)), newest.slice(0, 2))
      assert.deepStrictEqual(yield* store.requests(pageOf(own, 2, newest[1]!.id)), newest.slice(2, 4))
      assert.deepStrictEqual(yield* store.requests({ ...pageOf(own), environment: other.environment }), [])
      assert.strictEqual((yield* store.requests(pageOf(other))).length, 2)
    })
  ),
  promise(
    "a hook keeps a bounded number of requests, and those of strangers push out no others",
    Effect.gen(function* () {
      const store = yield* HookStore
      const own = hook(fresh("env"))
      const { mostSigned, mostUnsigned } = HookStore
      yield* store.note(numbered(own, 10))
      yield* store.note(
        numbered(own, 4 * mostUnsigned, { signed: false, outcome: "UNSIGNED" }).map((one) => ({
          ...one,
          id: `${one.id}_`
        }))
      )
      yield* store.note([entry(own, { id: "hrq_a", signed: false, outcome: "UNSIGNED" })])
      const kept = yield* store.requests(pageOf(own))
      assert.strictEqual(kept.filter(({ signed }) => signed).length, 10)
      assert.isAtMost(kept.filter(({ signed }) => !signed).length, mostUnsigned + 1)
      yield* store.note(numbered(own, mostSigned + 20).map((one) => ({ ...one, id: `hrq_b${one.id}` })))
      yield* store.note([entry(own, { id: "hrq_c" })])
      const last = yield* store.requests(pageOf(own))
      assert.isAtMost(last.filter(({ signed }) => signed).length, mostSigned + 1)
      assert.strictEqual(last[0]!.id, "hrq_c")
    })
  ),
  promise(
    "old requests are deleted, and newer ones stay",
    Effect.gen(function* () {
      const store = yield* HookStore
      const own = hook(fresh("env"))
      const old = noon - 1_000_000_000
      yield* store.note([entry(own, { id: "hrq_1", at: old - 1 }), entry(own, { id: "hrq_2", at: old })])
      assert.isAtLeast(yield* store.purge(old), 1)
      assert.deepStrictEqual(
        (yield* store.requests(pageOf(own))).map(({ id }) => id),
        ["hrq_2"]
      )
    })
  )
]
