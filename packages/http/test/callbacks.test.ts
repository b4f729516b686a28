import { Core } from "@countersign/core"
import type { Channel } from "@countersign/core/channel"
import { MemoryStorage } from "@countersign/core/memory"
import { Deferred, Effect, Fiber, Layer, ManagedRuntime, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { LargeBodiesBusy } from "../src/Fault.ts"
import { Dispatcher, type WireRequest } from "../src/index.ts"

const megabyte = 1024 * 1024

const channelOf = (name: Channel["name"], callback: string): Channel => ({
  name,
  provider: callback,
  supports: { identityTypes: ["MOBILE"], receipts: true },
  callback: {
    name: callback,
    largestBody: 3 * megabyte,
    receive: () => Effect.succeed({ status: 200, contentType: "text/plain", body: "", receipts: [], inbound: [] })
  },
  send: () => Effect.succeed({ providerId: null })
})

const request = (path: string, body: WireRequest["body"]): WireRequest => ({
  method: "POST",
  path,
  query: "",
  remoteAddress: "203.0.113.7",
  header: () => undefined,
  body
})

/** A body of which this many bytes have arrived; the rest arrives when `rest` completes. */
const body =
  (bytes: number, rest: Effect.Effect<void> = Effect.void): WireRequest["body"] =>
  (_, take) =>
    take?.(bytes) === false ? Effect.fail(new LargeBodiesBusy()) : Effect.as(rest, new Uint8Array(0))

describe("the request bodies of provider callbacks", () => {
  it("hold 16 MB together, and a stranger who writes to one provider's path uses none of another's share", async () => {
    const channels = [channelOf("SMS", "one"), channelOf("WHATSAPP", "two")]
    const runtime = ManagedRuntime.make(
      Dispatcher.layer().pipe(
        Layer.provide(Core.layer({ secret: Redacted.make("00".repeat(32)), publicUrl: "http://localhost", channels })),
        Layer.provide(MemoryStorage.layer)
      )
    )
    const program = Effect.gen(function* () {
      const { dispatch } = yield* Dispatcher
      const rest = yield* Deferred.make<void>()
      const status = (name: string, bytes: number) =>
        Effect.map(dispatch(request(`/v1/callbacks/${name}`, body(bytes))), (answer) => answer.status)
      const stranger = yield* Effect.forkChild(
        dispatch(request("/v1/callbacks/one", body(8 * megabyte, Deferred.await(rest)))),
        { startImmediately: true }
      )
      assert.strictEqual(yield* status("one", 1), 429)
      assert.strictEqual(yield* status("two", 8 * megabyte), 200)
      assert.strictEqual(yield* status("two", 8 * megabyte + 1), 429)
      yield* Deferred.succeed(rest, undefined)
      assert.strictEqual((yield* Fiber.join(stranger)).status, 200)
      assert.strictEqual(yield* status("one", 8 * megabyte), 200)
    })
    try {
      await runtime.runPromise(program)
    } finally {
      await runtime.dispose()
    }
  })
})
