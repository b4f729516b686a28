import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { channelFor, message, plain } from "./fixtures/channel.ts"

const serve = (listener: RequestListener) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer(listener).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    ),
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  )

const sendTo = Effect.fnUntraced(function* (listener: RequestListener) {
  const asked: Array<string> = []
  const meta = yield* WhatsAppSimulator.make()
  const apiUrl = yield* serve((request, response) => {
    asked.push(request.url ?? "")
    listener(request, response)
  })
  const channel = yield* channelFor(meta, { apiUrl })
  const answer = plain(yield* Effect.exit(channel.send(message())))
  assert.strictEqual(asked.length, 1, "one request")
  return `${String(answer["_tag"])} ${String(answer["providerCode"])}`
})

it.effect("a redirect is not followed, so the code is sent to no other host", () =>
  Effect.gen(function* () {
    const meta = yield* WhatsAppSimulator.make()
    for (const status of [301, 302, 307, 308]) {
      const answer = yield* sendTo((_, response) =>
        response.writeHead(status, { location: `${meta.url}/v25.0/1/messages` }).end()
      )
      assert.strictEqual(answer, `Refused http_${status}`)
    }
    assert.deepStrictEqual(yield* meta.seen, [])
  })
)

it.effect("an endless answer is read up to a limit", () =>
  Effect.gen(function* () {
    const chunk = Buffer.alloc(64 * 1_024, " ")
    for (const status of [200, 500]) {
      const answer = yield* sendTo((_, response) => {
        response.writeHead(status, { "content-type": "application/json" })
        const more = () => {
          while (!response.destroyed && response.write(chunk));
        }
        response.on("drain", more)
        more()
      })
      assert.strictEqual(answer, status === 200 ? "OutcomeUnknown http_200" : "OutcomeUnknown http_500")
    }
  })
)

it.effect("a truncated answer counts by its status", () =>
  Effect.gen(function* () {
    for (const [status, expected] of [
      [200, "OutcomeUnknown"],
      [400, "Refused"],
      [503, "Unavailable"]
    ] as const) {
      const answer = yield* sendTo((_, response) => {
        response.writeHead(status, { "content-length": "100" })
        response.write('{"messages":[{"id":"wamid.1"}]}', () => response.destroy())
      })
      assert.strictEqual(answer, `${expected} http_${status}`)
    }
  })
)

const withCode = (code: string) => Object.assign(new Error(code), { code })

const failures = [
  [
    "every address refuses",
    new AggregateError([withCode("ECONNREFUSED"), withCode("ENETUNREACH")]),
    "Unavailable not_reached"
  ],
  [
    "one address may have heard it",
    new AggregateError([withCode("ECONNREFUSED"), withCode("ECONNRESET")]),
    "OutcomeUnknown no_answer"
  ],
  ["no address", withCode("EAI_AGAIN"), "Unavailable not_reached"],
  ["no time to connect", withCode("UND_ERR_CONNECT_TIMEOUT"), "Unavailable not_reached"],
  ["a certificate of an unknown authority", withCode("UNABLE_TO_GET_ISSUER_CERT_LOCALLY"), "Unavailable not_reached"],
  ["no time to answer", withCode("UND_ERR_HEADERS_TIMEOUT"), "OutcomeUnknown no_answer"],
  ["a socket that ended", withCode("UND_ERR_SOCKET"), "OutcomeUnknown no_answer"],
  ["nothing known", new Error("?"), "OutcomeUnknown no_answer"]
] as const

for (const [what, cause, expected] of failures) {
  it.effect(`${what}: ${expected}`, () =>
    Effect.gen(function* () {
      const meta = yield* WhatsAppSimulator.make()
      const channel = yield* channelFor(meta)
      const failing: typeof fetch = () => Promise.reject(new TypeError("fetch failed", { cause }))
      const exit = yield* Effect.exit(channel.send(message())).pipe(
        Effect.provideService(FetchHttpClient.Fetch, failing)
      )
      const answer = plain(exit)
      assert.strictEqual(`${String(answer["_tag"])} ${String(answer["providerCode"])}`, expected)
    })
  )
}
