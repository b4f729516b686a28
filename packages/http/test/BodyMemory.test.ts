import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { BodyMemory, type BodyOwner } from "../src/BodyMemory.ts"
import { LargeBodiesBusy } from "../src/Fault.ts"
import type { TakeBytes, WireRequest } from "../src/WireRequest.ts"

const megabyte = 1024 * 1024

const onTestClock =
  <A, E>(effect: Effect.Effect<A, E>) =>
  () =>
    Effect.runPromise(Effect.provide(effect, TestClock.layer()))

const request = (body: WireRequest["body"], length?: number): WireRequest => ({
  method: "POST",
  path: "/",
  query: "",
  remoteAddress: null,
  header: (name) => (name === "content-length" && length !== undefined ? String(length) : undefined),
  body
})

const merchant = (name: string): BodyOwner => ({ name, pool: "merchants" })
const unauthenticated = (name: string): BodyOwner => ({ name, pool: "anybody" })
const provider = (name: string): BodyOwner => ({ name, pool: "callbacks" })

/** A body of this length that has arrived completely. */
const whole =
  (bytes: number): WireRequest["body"] =>
  (_, take) =>
    take?.(bytes) === false ? Effect.fail(new LargeBodiesBusy()) : Effect.succeed(new Uint8Array(bytes))

const read = (served: WireRequest) => Effect.asVoid(served.body(100 * megabyte))

describe("the memory for request bodies", () => {
  it(
    "holds 16 MB per owner and 64 MB in total, and never makes another owner wait",
    onTestClock(
      Effect.gen(function* () {
        const memory = new BodyMemory()
        const served = yield* Deferred.make<void>()
        const hold = (owner: string, bytes: number) =>
          Effect.forkChild(
            memory.within(merchant(owner), request(whole(bytes)), (counted) =>
              Effect.andThen(read(counted), Deferred.await(served))
            ),
            { startImmediately: true }
          )
        const isRefused = (owner: string, bytes: number) =>
          Effect.map(
            Effect.result(memory.within(merchant(owner), request(whole(bytes)), read)),
            (result) => result._tag === "Failure" && result.failure._tag === "LargeBodiesBusy"
          )
        const holders = [yield* hold("a", 10 * megabyte), yield* hold("a", 6 * megabyte)]
        assert.isTrue(yield* isRefused("a", 1))
        assert.isFalse(yield* isRefused("b", 16 * megabyte))
        for (const owner of ["b", "c", "d"]) holders.push(yield* hold(owner, 16 * megabyte))
        assert.isTrue(yield* isRefused("e", 1))
        yield* Deferred.succeed(served, undefined)
        yield* Fiber.awaitAll(holders)
        assert.isFalse(yield* isRefused("a", 16 * megabyte))
      })
    )
  )

  it(
    "keeps room for merchants and provider callbacks when unauthenticated requests fill their share",
    onTestClock(
      Effect.gen(function* () {
        const memory = new BodyMemory()
        const served = yield* Deferred.make<void>()
        const full = request(whole(16 * megabyte))
        const holders = yield* Effect.forEach(["strangers", "m1/public", "m2/public", "m3/public"], (name) =>
          Effect.forkChild(
            Effect.result(
              memory.within(unauthenticated(name), full, (counted) =>
                Effect.andThen(read(counted), Deferred.await(served))
              )
            ),
            { startImmediately: true }
          )
        )
        for (const owner of [merchant("m1"), provider("p1")]) yield* memory.within(owner, full, read)
        yield* Deferred.succeed(served, undefined)
        const results = yield* Effect.forEach(holders, Fiber.join)
        assert.deepStrictEqual(
          results.map(({ _tag }) => _tag),
          ["Success", "Success", "Failure", "Failure"]
        )
        yield* memory.within(unauthenticated("m3/public"), full, read)
      })
    )
  )

  it(
    "holds 16 MB for all provider callbacks together, and limits each provider to its own bound",
    onTestClock(
      Effect.gen(function* () {
        const memory = new BodyMemory()
        const tag = (owner: BodyOwner, bytes: number) =>
          Effect.map(Effect.result(memory.within(owner, request(whole(bytes)), read)), (result) => result._tag)
        const held = yield* Effect.forkChild(
          memory.within(provider("p1"), request(whole(10 * megabyte)), (counted) =>
            Effect.andThen(read(counted), Effect.never)
          ),
          { startImmediately: true }
        )
        assert.strictEqual(yield* tag(provider("p2"), 6 * megabyte), "Success")
        assert.strictEqual(yield* tag(provider("p2"), 6 * megabyte + 1), "Failure")
        assert.strictEqual(yield* tag({ ...provider("p2"), most: megabyte }, megabyte + 1), "Failure")
        assert.strictEqual(yield* tag(merchant("m1"), 16 * megabyte), "Success")
        yield* Fiber.interrupt(held)
        assert.strictEqual(yield* tag(provider("p2"), 16 * megabyte), "Success")
      })
    )
  )

  it(
    "is released when a request fails or is interrupted",
    onTestClock(
      Effect.gen(function* () {
        const memory = new BodyMemory()
        const full = request(whole(16 * megabyte))
        yield* Effect.result(
          memory.within(merchant("a"), full, (counted) => Effect.andThen(read(counted), Effect.fail("wrong")))
        )
        const fiber = yield* Effect.forkChild(
          memory.within(merchant("a"), full, (counted) => Effect.andThen(read(counted), Effect.never)),
          { startImmediately: true }
        )
        yield* Fiber.interrupt(fiber)
        yield* memory.within(merchant("a"), full, read)
      })
    )
  )

  it(
    "does not count a body that declares 8 KB or less",
    onTestClock(
      Effect.gen(function* () {
        const memory = new BodyMemory()
        const uncounted: WireRequest["body"] = (_, take) =>
          take === undefined ? Effect.succeed(new Uint8Array(1)) : Effect.die("was counted")
        yield* memory.within(merchant("a"), request(uncounted, 8 * 1024), read)
        const counted = yield* Effect.exit(memory.within(merchant("a"), request(uncounted, 8 * 1024 + 1), read))
        assert.strictEqual(counted._tag, "Failure")
      })
    )
  )

  it(
    "rejects a body that delivers less than 8 KB in 4 seconds, and accepts a slow but steady body",
    onTestClock(
      Effect.gen(function* () {
        const memory = new BodyMemory()
        const begin = (owner: string) =>
          Effect.gen(function* () {
            let arrive: TakeBytes = () => false
            const endless: WireRequest["body"] = (_, take) => {
              arrive = take!
              return Effect.never
            }
            const fiber = yield* Effect.forkChild(
              Effect.result(memory.within(merchant(owner), request(endless), read)),
              {
                startImmediately: true
              }
            )
            return { fiber, arrive: (bytes: number) => arrive(bytes) }
          })
        const silent = yield* begin("silent")
        const steady = yield* begin("steady")
        silent.arrive(3 * megabyte)
        for (let interval = 0; interval < 5; interval++) {
          steady.arrive(8 * 1024)
          yield* TestClock.adjust("4 seconds")
        }
        const result = yield* Fiber.join(silent.fiber)
        assert.strictEqual(result._tag === "Failure" && result.failure._tag, "BodyTooSlow")
        assert.isUndefined(steady.fiber.pollUnsafe())
        yield* memory.within(merchant("silent"), request(whole(16 * megabyte)), read)
        yield* Fiber.interrupt(steady.fiber)
      })
    )
  )
})
