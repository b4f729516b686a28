import { ChannelError } from "@countersign/core/channel"
import { ask, field, json, type Reply, tell } from "@countersign/provider-http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"

const answering = (answer: (response: ServerResponse) => void) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer((request, response) => {
          request.resume()
          request.on("end", () => answer(response))
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    ),
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  )

const asked = (answer: (response: ServerResponse) => void): Effect.Effect<Reply> =>
  Effect.scoped(Effect.flatMap(answering(answer), (url) => ask({ url, body: "x" })))

const told = (reply: Reply) =>
  tell("SMS", reply, () => undefined).pipe(
    Effect.match({
      onSuccess: () => "Sent",
      onFailure: ({ reason }) => `${reason._tag} ${reason.providerCode}`
    })
  )

describe("a request to a provider", () => {
  it.effect("returns the status, the JSON and the requested wait", () =>
    Effect.gen(function* () {
      const reply = yield* asked((response) => response.writeHead(429, { "retry-after": "7" }).end('{"a":{"b":1}}'))
      if (reply._tag !== "Answered") return assert.fail(reply._tag)
      assert.deepStrictEqual([reply.status, field(json(reply), "a", "b"), reply.retryAfterSeconds], [429, 1, 7])
      assert.strictEqual(field(json(reply), "a", "toString"), undefined)
      const error = yield* Effect.flip(tell("SMS", reply, () => undefined))
      assert.instanceOf(error, ChannelError)
      assert.deepInclude(error.reason, { _tag: "Unavailable", retryAfterSeconds: 7 })
    })
  )

  it.effect("is not read to its end if the answer is endless, or unpacks to more than the limit", () =>
    Effect.gen(function* () {
      const endless = yield* asked((response) => {
        const write = (): void => {
          if (!response.destroyed) response.write("x".repeat(16_384), () => setImmediate(write))
        }
        write()
      })
      assert.deepInclude(endless, { _tag: "Answered", text: null })
      const packed = gzipSync(Buffer.alloc(1024 * 1024, "x"))
      const bomb = yield* asked((response) => response.writeHead(200, { "content-encoding": "gzip" }).end(packed))
      assert.deepInclude(bomb, { _tag: "Answered", text: null })
      assert.deepStrictEqual(
        [yield* told(endless), yield* told(bomb)],
        ["OutcomeUnknown unreadable", "OutcomeUnknown unreadable"]
      )
    })
  )

  it.effect("does not follow a redirect, and distinguishes a lost answer from a request that was not sent", () =>
    Effect.gen(function* () {
      const redirect = yield* asked((response) => response.writeHead(307, { location: "http://127.0.0.1:1/" }).end())
      assert.strictEqual(yield* told(redirect), "Refused http_307")
      const closed = yield* asked((response) => void response.destroy())
      assert.strictEqual(yield* told(closed), "OutcomeUnknown no_answer")
      const gone = yield* Effect.scoped(answering(() => {}))
      assert.strictEqual(yield* told(yield* ask({ url: gone })), "Unavailable not_reached")
    })
  )

  it.effect("without an answer reports the reason of the operating system", () =>
    Effect.gen(function* () {
      const gone = yield* Effect.scoped(answering(() => {}))
      assert.deepStrictEqual(yield* ask({ url: gone }), { _tag: "NotReached", why: "ECONNREFUSED" })
      // The system's error code varies, but a connection to the broadcast address is never opened.
      assert.deepInclude(yield* ask({ url: "http://255.255.255.255" }), { _tag: "NotReached" })
      assert.deepStrictEqual(yield* ask({ url: "http://127.0.0.1:6000" }), { _tag: "NotReached", why: "EBADPORT" })
      for (const hangUp of [
        (response: ServerResponse) => void response.destroy(),
        (response: ServerResponse) => void response.socket?.resetAndDestroy()
      ]) {
        assert.deepStrictEqual(yield* asked(hangUp), { _tag: "Lost", why: "ECONNRESET" })
      }
      const waiting = yield* Effect.forkChild(asked(() => {}))
      // The request is sent before its deadline starts.
      yield* Effect.yieldNow
      yield* TestClock.adjust("15 seconds")
      assert.deepStrictEqual(yield* Fiber.join(waiting), { _tag: "Lost", why: "timeout" })
    })
  )

  it.effect("accepts JSON with a byte order mark", () =>
    Effect.gen(function* () {
      const reply = yield* asked((response) => response.writeHead(200).end('\ufeff{"a":1}'))
      assert.strictEqual(reply._tag === "Answered" ? field(json(reply), "a") : reply._tag, 1)
    })
  )
})
