import { Conflict, StoreError, Window, WindowStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as Race from "../Race.ts"
import { fresh, noon } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

const hour = 3_600_000
const minute = Math.floor(noon / 60_000)

const counting = (environment: string, key: string, count: number): Window.Window => ({
  ...Window.empty(environment, key),
  buckets: [
    [minute - 60, 100_000],
    [minute, count]
  ]
})

export const windowChecks = [
  promise(
    "an unsaved window is empty, at version 0",
    Effect.gen(function* () {
      const store = yield* WindowStore
      const environment = fresh("env")
      assert.deepStrictEqual(yield* store.load(environment, "key"), Window.empty(environment, "key"))
    })
  ),
  promise(
    "a window is loaded as saved, one version later",
    Effect.gen(function* () {
      const store = yield* WindowStore
      const first = counting(fresh("env"), fresh("key"), 1)
      yield* store.save(first, noon)
      const loaded = yield* store.load(first.environment, first.key)
      assert.deepStrictEqual(loaded, { ...first, version: 1 })
      yield* store.save({ ...loaded, buckets: [] }, noon)
      assert.deepStrictEqual(yield* store.load(first.environment, first.key), { ...first, version: 2, buckets: [] })
    })
  ),
  promise(
    "when 200 saves start from one version, one succeeds and 199 get Conflict",
    Effect.gen(function* () {
      const store = yield* WindowStore
      const window = counting(fresh("env"), fresh("key"), 0)
      for (const version of [0, 1]) {
        const race = yield* Race.together(200, (index) =>
          store.save({ ...counting(window.environment, window.key, index + 1), version }, noon)
        )
        assert.deepStrictEqual(race.defects, [])
        assert.strictEqual(race.successes.length, 1)
        assert.strictEqual(race.failures.filter((error) => error instanceof Conflict).length, 199)
        const winner = race.exits.findIndex(Exit.isSuccess)
        assert.deepStrictEqual(yield* store.load(window.environment, window.key), {
          ...counting(window.environment, window.key, winner + 1),
          version: version + 1
        })
      }
    })
  ),
  promise(
    "a version other than the stored version is a Conflict, and changes nothing",
    Effect.gen(function* () {
      const store = yield* WindowStore
      const window = counting(fresh("env"), fresh("key"), 1)
      assert.instanceOf(yield* Effect.flip(store.save({ ...window, version: 1 }, noon)), Conflict)
      assert.strictEqual((yield* store.load(window.environment, window.key)).version, 0)
      yield* store.save(window, noon)
      for (const version of [0, 2]) {
        const error = yield* Effect.flip(store.save({ ...window, version, buckets: [] }, noon))
        assert.instanceOf(error, Conflict)
      }
      assert.deepStrictEqual(yield* store.load(window.environment, window.key), { ...window, version: 1 })
    })
  ),
  promise(
    "windows of different keys and environments are independent, also when saved together",
    Effect.gen(function* () {
      const store = yield* WindowStore
      const [one, other] = [fresh("env"), fresh("env")]
      const alike = ["a", "A", "a ", " a", "á", "a\u0301", "a'", "", "__proto__", "x".repeat(2_000), "\u{1f600}"]
      const windows = [one, other, `${one}a`].flatMap((environment, place) =>
        alike.map((key, index) => counting(environment, key, 100 * place + index + 1))
      )
      const race = yield* Race.together(windows.length, (index) => store.save(windows[index]!, noon))
      assert.deepStrictEqual(race.failures, [])
      for (const window of windows) {
        assert.deepStrictEqual(yield* store.load(window.environment, window.key), { ...window, version: 1 })
      }
    })
  ),
  promise(
    "a key that cannot be stored is refused or stored exactly, and harms no other save in its batch",
    Effect.gen(function* () {
      const store = yield* WindowStore
      const environment = fresh("env")
      const keys = ["a\u0000b", "good", "\ud800", "\u0000", "also good"]
      const race = yield* Race.together(keys.length, (index) =>
        store.save(counting(environment, keys[index]!, index + 1), noon)
      )
      for (const error of race.failures) assert.instanceOf(error, StoreError)
      assert.isTrue(Exit.isSuccess(race.exits[1]!) && Exit.isSuccess(race.exits[4]!))
      for (const [index, exit] of race.exits.entries()) {
        const loaded = yield* store.load(environment, keys[index]!)
        assert.strictEqual(loaded.version, Exit.isSuccess(exit) ? 1 : 0)
      }
    })
  ),
  promise(
    "purging deletes old windows, returns how many, and keeps newer ones",
    Effect.gen(function* () {
      const store = yield* WindowStore
      const environment = fresh("env")
      const names = Array.from({ length: 1_200 }, (_, index) => `old_${index}`)
      yield* Effect.forEach(names, (key) => store.save(counting(environment, key, 1), hour), {
        concurrency: 100,
        discard: true
      })
      const old = yield* store.load(environment, "old_0")
      yield* store.save(old, 5 * hour + 1)
      yield* store.save(counting(environment, "new", 1), 5 * hour)
      // No other check saves at the beginning of time, so only these windows are counted.
      assert.strictEqual(yield* store.purge(hour), 0)
      assert.strictEqual(yield* store.purge(3 * hour), names.length - 1)
      assert.strictEqual(yield* store.purge(5 * hour), 0)
      assert.strictEqual((yield* store.load(environment, "old_0")).version, 2)
      assert.strictEqual((yield* store.load(environment, "new")).version, 1)
      // A deleted window is new again, and a window loaded before can no longer be saved.
      assert.deepStrictEqual(yield* store.load(environment, "old_1"), Window.empty(environment, "old_1"))
      assert.instanceOf(yield* Effect.flip(store.save({ ...old, key: "old_1" }, noon)), Conflict)
      yield* store.purge(7 * hour)
    })
  )
]
