import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { IpAddress, Limits, type Place, RateLimited } from "../../src/index.ts"
import { Conflict, type Storage, StoreError, WindowStore } from "../../src/index.storage.ts"
import { placesOfAddress } from "../../src/foundation/limit/placesOfAddress.ts"
import { build, makeStorage, start } from "../fixtures/World.ts"

const minute = 60_000
const hour = 60 * minute

type Store = WindowStore["Service"]

const stored = (key: string, most: number): Place => ({ key, most, limit: "environment", countedIn: "storage" })
const local = (key: string, most: number): Place => ({ ...stored(key, most), countedIn: "process" })

const full = (retryAfterSeconds: number) =>
  new RateLimited({ limit: "environment", retryAfterSeconds, requestId: null })

/** A process on a storage, optionally with a changed store. */
const process = (storage: Context.Context<Storage>, change: (store: Store) => Partial<Store> = () => ({})) => {
  const store = Context.get(storage, WindowStore)
  const changed = Layer.succeed(WindowStore, WindowStore.of({ ...store, ...change(store) }))
  return Effect.map(build(Layer.provide(Limits.layer, changed)), (context) => Context.get(context, Limits))
}

const world = Effect.gen(function* () {
  yield* TestClock.setTime(start)
  const storage = yield* makeStorage
  return { storage, limits: yield* process(storage) }
})

/** A remote store: every call yields to other fibers first. */
const distant = (store: Store): Partial<Store> => ({
  load: (environment, key) => Effect.andThen(Effect.yieldNow, store.load(environment, key)),
  save: (window, now) => Effect.andThen(Effect.yieldNow, store.save(window, now))
})

const lost = Effect.fail(new StoreError({ operation: "WindowStore.save", cause: new Error("connection lost") }))

const together = <A, E>(count: number, one: (index: number) => Effect.Effect<A, E>) =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    (index) => Effect.exit(one(index)),
    { concurrency: "unbounded" }
  )

const succeeded = (exits: ReadonlyArray<Exit.Exit<unknown, unknown>>) => exits.filter(Exit.isSuccess).length

describe("rate limits", () => {
  it.effect("accept as many requests as there are places, and tell the others when to retry", () =>
    Effect.gen(function* () {
      const { limits } = yield* world
      for (let i = 0; i < 3; i++) yield* limits.take("env", [stored("key", 3)])
      yield* TestClock.adjust(10 * minute)
      const refused = yield* Effect.flip(limits.take("env", [stored("key", 3)]))
      assert.deepStrictEqual(refused, full(51 * 60))
      yield* TestClock.adjust(51 * minute - 1)
      assert.deepStrictEqual(yield* Effect.flip(limits.take("env", [stored("key", 3)])), full(1))
      yield* TestClock.adjust(1)
      yield* limits.take("env", [stored("key", 3)])
    })
  )

  it.effect("are exact under concurrent requests in several processes", () =>
    Effect.gen(function* () {
      const { storage } = yield* world
      for (const limit of [1, 10, 30]) {
        const processes = yield* Effect.all([1, 2, 3].map(() => process(storage, distant)))
        const exits = yield* together(200, (index) =>
          processes[index % 3]!.take("env", [stored(`key ${limit}`, limit)])
        )
        assert.strictEqual(succeeded(exits), limit)
        const errors = yield* Effect.forEach(exits.filter(Exit.isFailure), (exit) => Effect.flip(exit))
        assert.isTrue(errors.every((error) => error._tag === "RateLimited"))
      }
    })
  )

  it.effect("count each key and each environment separately", () =>
    Effect.gen(function* () {
      const { limits } = yield* world
      const places = [
        ["one", "a"],
        ["one", "b"],
        ["two", "a"],
        ["one/a", ""],
        ["one", "/a"]
      ] as const
      for (const [environment, key] of places) yield* limits.take(environment, [stored(key, 1)])
      for (const [environment, key] of places) yield* Effect.flip(limits.take(environment, [stored(key, 1)]))
    })
  )

  it.effect("count all addresses of a /64 together, and all spellings of an address", () =>
    Effect.gen(function* () {
      const { limits } = yield* world
      const take = (address: string) => {
        const canonical = IpAddress.parse(address)
        assert.isNotNull(canonical, address)
        return limits.take("env", placesOfAddress(canonical, { key: "call", most: 1, limit: "address" }))
      }
      const rotating = Array.from({ length: 1_000 }, (_, i) => `2001:db8:7:1:${(i * 61).toString(16)}::${i}`)
      assert.strictEqual(succeeded(yield* together(1_000, (index) => take(rotating[index]!))), 1)
      const spellings = [
        "192.0.2.33",
        "::ffff:192.0.2.33",
        "::FFFF:192.0.2.33",
        "::ffff:c000:221",
        "::FfFf:C000:0221",
        "0:0:0:0:0:ffff:192.0.2.33",
        "0000:0000:0000:0000:0000:ffff:c000:0221",
        "0::ffff:c000:221"
      ]
      assert.strictEqual(succeeded(yield* together(spellings.length, (index) => take(spellings[index]!))), 1)
      yield* take("192.0.2.34")
      yield* take("2001:db8:7:2::1")
    })
  )

  it.effect("release a place once, in any process and however often it is released", () =>
    Effect.gen(function* () {
      const { limits, storage } = yield* world
      const other = yield* process(storage)
      const first = yield* limits.take("env", [stored("key", 2)])
      yield* other.take("env", [stored("key", 2)])
      yield* TestClock.adjust(10 * minute)
      yield* Effect.all([first.giveBack, first.giveBack, first.giveBack], { concurrency: "unbounded" })
      yield* other.take("env", [stored("key", 2)])
      yield* Effect.flip(limits.take("env", [stored("key", 2)]))
    })
  )

  it.effect("are exact when some of many requests release their places", () =>
    Effect.gen(function* () {
      const { storage } = yield* world
      const processes = yield* Effect.all([1, 2].map(() => process(storage, distant)))
      const exits = yield* together(100, (index) =>
        Effect.flatMap(processes[index % 2]!.take("env", [stored("key", 50)]), (place) =>
          index % 4 < 2 ? Effect.as(place.giveBack, "given back") : Effect.succeed("kept")
        )
      )
      const kept = exits.filter((exit) => Exit.isSuccess(exit) && exit.value === "kept").length
      const window = yield* Context.get(storage, WindowStore).load("env", "key")
      assert.deepStrictEqual(window.buckets, [[start / minute, kept]])
      assert.isAtMost(kept, 50)
    })
  )

  it.effect("fail when storage fails, and count nothing that was not stored", () =>
    Effect.gen(function* () {
      const { limits, storage } = yield* world
      const broken = yield* process(storage, () => ({ save: () => lost }))
      assert.strictEqual((yield* Effect.flip(broken.take("env", [stored("key", 1)])))._tag, "StoreError")
      yield* limits.take("env", [stored("key", 1)])
    })
  )

  it.effect("fail with Contended when other processes always win", () =>
    Effect.gen(function* () {
      const { storage } = yield* world
      const slow = yield* process(storage, () => ({ save: ({ key }) => Effect.fail(new Conflict({ key })) }))
      assert.strictEqual((yield* Effect.flip(slow.take("env", [stored("key", 1)])))._tag, "Contended")
    })
  )

  it.effect("log a place that could not be released, without its key", () =>
    Effect.gen(function* () {
      const { storage } = yield* world
      const lines: Array<unknown> = []
      const logger = Logger.make(({ message }) => void lines.push(message))
      let works = true
      const failing = yield* process(storage, (store) => ({
        save: (window, now) => (works ? store.save(window, now) : lost)
      }))
      const place = yield* failing.take("env", [stored("192.0.2.33", 1)])
      works = false
      yield* Effect.provide(place.giveBack, Logger.layer([logger]))
      assert.deepStrictEqual(lines, [
        ["A request was not returned to its rate limit", { operation: "WindowStore.save" }]
      ])
    })
  )

  it.effect("refuse a flood without a queue once they are reached", () =>
    Effect.gen(function* () {
      const { storage } = yield* world
      const store = Context.get(storage, WindowStore)
      const limits = yield* process(storage, () => ({
        // Loads answer in rounds, as one statement does for all waiting requests.
        load: (environment, key) => Effect.delay(store.load(environment, key), 5)
      }))
      yield* Effect.forkChild(limits.take("env", [stored("key", 1)]))
      yield* TestClock.adjust(5)
      const flood = yield* Effect.forkChild(together(500, () => limits.take("env", [stored("key", 1)])))
      yield* TestClock.adjust(5)
      assert.isDefined(flood.pollUnsafe())
    })
  )

  it.effect("delete old windows every hour", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const storage = yield* makeStorage
      const purged: Array<number> = []
      let broken = true
      const limits = yield* process(storage, (store) => ({
        purge: (keptSince) =>
          Effect.suspend(() => {
            purged.push(keptSince - start)
            return broken ? lost : store.purge(keptSince)
          })
      }))
      yield* limits.take("env", [stored("key", 1)])
      yield* TestClock.adjust(hour)
      broken = false
      yield* TestClock.adjust(2 * hour)
      assert.deepStrictEqual(purged, [-hour, 0, hour])
      assert.strictEqual((yield* Context.get(storage, WindowStore).load("env", "key")).version, 0)
    })
  )

  it.effect("take several places together, all of them or none", () =>
    Effect.gen(function* () {
      const { storage } = yield* world
      const processes = yield* Effect.all([1, 2].map(() => process(storage, distant)))
      const counted = (key: string) =>
        Effect.map(Context.get(storage, WindowStore).load("env", key), ({ buckets }) =>
          buckets.reduce((sum, [, count]) => sum + count, 0)
        )
      const places = [stored("wide", 100), stored("narrow", 7), local("here", 5)]
      const exits = yield* together(60, (index) => processes[index % 2]!.take("env", places))
      // Storage has room for seven, and each process for five, so both together have room for seven.
      assert.strictEqual(succeeded(exits), 7)
      assert.deepStrictEqual(yield* Effect.all([counted("wide"), counted("narrow")]), [7, 7])
      const taken = exits.flatMap((exit) => (Exit.isSuccess(exit) ? [exit.value] : []))
      yield* Effect.forEach([...taken, ...taken], ({ giveBack }) => giveBack)
      assert.deepStrictEqual(yield* Effect.all([counted("wide"), counted("narrow")]), [0, 0])
      assert.strictEqual(succeeded(yield* together(60, (index) => processes[index % 2]!.take("env", places))), 7)
    })
  )

  it.effect("keep the places of an effect that succeeds, and release those of one that fails or does not count", () =>
    Effect.gen(function* () {
      const { limits } = yield* world
      const places = [stored("stored", 2), local("local", 2)]
      const seen = Effect.suspend(() => limits.look("env", places))
      const fails = Effect.flatMap(seen, ({ during }) => Effect.exit(during(Effect.fail("no"))))
      const dies = Effect.flatMap(seen, ({ during }) => Effect.exit(during(Effect.die("no"))))
      const repeats = Effect.flatMap(seen, ({ during }) => during(Effect.succeed(true), (repeated) => !repeated))
      const leaves = Effect.flatMap(seen, ({ during }) => Effect.timeout(during(Effect.never), 1))
      for (const one of [fails, dies, repeats, fails, dies, repeats]) yield* one
      const left = yield* Effect.forkChild(Effect.exit(leaves))
      yield* TestClock.adjust(1)
      yield* Effect.sync(() => left.interruptUnsafe())
      const keeps = Effect.flatMap(seen, ({ during }) => during(Effect.succeed("yes")))
      yield* keeps
      yield* keeps
      assert.strictEqual((yield* Effect.flip(keeps))._tag, "RateLimited")
    })
  )

  it.effect("read several places in one round and write them in one", () =>
    Effect.gen(function* () {
      const { storage } = yield* world
      const rounds: Array<string> = []
      const store = Context.get(storage, WindowStore)
      const limits = yield* process(storage, () => ({
        load: (environment, key) => Effect.delay(store.load(environment, key), 5),
        save: (window, now) => Effect.delay(store.save(window, now), 5)
      }))
      const taking = yield* Effect.forkChild(
        Effect.tap(limits.take("env", [stored("a", 1), stored("b", 1), local("c", 1)]), () =>
          Effect.sync(() => rounds.push("taken"))
        )
      )
      yield* TestClock.adjust(9)
      assert.deepStrictEqual(rounds, [])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(rounds, ["taken"])
      assert.isDefined(taking.pollUnsafe())
    })
  )
})

describe("the rate limits of an address", () => {
  const keys = (address: string | null) =>
    placesOfAddress(address, { key: "call", most: 3, limit: "address" }).map(
      ({ countedIn, key, most }) => `${key} ${most} ${countedIn}`
    )

  it("are for its /64 and, ten times higher and in memory only, for its /48", () => {
    assert.deepStrictEqual(keys("2001:db8:7:1:a:b:c:d"), [
      "call:2001:db8:7:1::/64 3 storage",
      "call:2001:db8:7::/48 30 process"
    ])
  })

  it("are one for IPv4 in every spelling, and one for all unreadable addresses", () => {
    for (const address of ["192.0.2.7", "::ffff:192.0.2.7", "::FFFF:c000:207"]) {
      assert.deepStrictEqual(keys(address), ["call:192.0.2.7 3 storage"])
    }
    for (const address of [null, "", "192.0.2.7:1234", "x".repeat(10_000)]) {
      assert.deepStrictEqual(keys(address), ["call:unknown 3 storage"])
    }
  })
})
