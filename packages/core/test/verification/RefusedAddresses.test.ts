import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Caller, RefusedAddresses } from "../../src/index.ts"
import { makeAppWorld } from "../fixtures/apps.ts"
import { start, withSettings } from "../fixtures/World.ts"

const hour = 3_600_000
const address = "203.0.113.7"

/** Makes a request with the public key. Returns the seconds to wait when the request did not run. */
const ask = (app: Caller, from: string | null, answer: "refused" | "served" = "refused") =>
  Effect.flatMap(RefusedAddresses, (addresses) =>
    addresses.limit(app, from, Effect.succeed(answer), (given) => given === "refused")
  ).pipe(Effect.catch((error) => Effect.succeed(error.limit === "refusals" ? error.retryAfterSeconds : error.limit)))

const flood = (app: Caller, from: string | null, times: number) =>
  Effect.forEach(Array.from({ length: times }), () => ask(app, from))

/** An app with two initiates per address and hour, and therefore 20 refusals. */
const makeApps = Effect.gen(function* () {
  yield* TestClock.setTime(start)
  const { app, testApp } = yield* makeAppWorld()
  const settings = { sdkInitiatesPerIpPerHour: 2 }
  return { app: withSettings(app, settings), testApp: withSettings(testApp, settings) }
})

describe("an address whose requests with the public key are refused", () => {
  it.effect("is blocked for an hour after ten refusals for each initiate of its hourly limit", () =>
    Effect.gen(function* () {
      const { app } = yield* makeApps
      for (const answer of yield* flood(app, address, 20)) assert.strictEqual(answer, "refused")
      assert.strictEqual(yield* ask(app, address, "served"), 3600)
      yield* TestClock.adjust(hour - 1)
      assert.strictEqual(yield* ask(app, address, "served"), 1)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* ask(app, address, "served"), "served")
    }).pipe(Effect.provide(RefusedAddresses.layer))
  )

  it.effect("counts apart from every other network and environment; unknown addresses share one count", () =>
    Effect.gen(function* () {
      const { app, testApp } = yield* makeApps
      yield* flood(app, "2001:db8:1:1::1", 20)
      yield* flood(app, null, 20)
      assert.strictEqual(yield* ask(app, "2001:db8:1:1::2", "served"), 3600)
      assert.strictEqual(yield* ask(app, null, "served"), 3600)
      assert.strictEqual(yield* ask(app, "2001:db8:1:2::1", "served"), "served")
      assert.strictEqual(yield* ask(app, address, "served"), "served")
      assert.strictEqual(yield* ask(testApp, null, "served"), "served")
    }).pipe(Effect.provide(RefusedAddresses.layer))
  )

  it.effect("shares ten times as many refusals with all addresses of its /48", () =>
    Effect.gen(function* () {
      const { app } = yield* makeApps
      for (let i = 0; i < 200; i++) assert.strictEqual(yield* ask(app, `2001:db8:1:${i.toString(16)}::1`), "refused")
      assert.strictEqual(yield* ask(app, "2001:db8:1:ffff::1", "served"), 3600)
      assert.strictEqual(yield* ask(app, "2001:db8:2:ffff::1", "served"), "served")
    }).pipe(Effect.provide(RefusedAddresses.layer))
  )

  it.effect("may make any number of requests that succeed", () =>
    Effect.gen(function* () {
      const { app } = yield* makeApps
      for (let i = 0; i < 30; i++) assert.strictEqual(yield* ask(app, address, "served"), "served")
    }).pipe(Effect.provide(RefusedAddresses.layer))
  )
})
