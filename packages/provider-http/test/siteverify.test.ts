import { siteverify } from "@countersign/provider-http"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Redacted } from "effect"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

interface Received {
  readonly type: string | undefined
  readonly text: string
}

/** A provider that answers every check in the same way, and its requests. */
const provider = (answer: (response: ServerResponse) => void) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ readonly url: string; readonly received: Array<Received>; readonly close: () => void }>(
        (resume) => {
          const received: Array<Received> = []
          const server = createServer((request, response) => {
            let text = ""
            request.on("data", (chunk) => (text += String(chunk)))
            request.on("end", () => {
              received.push({ type: request.headers["content-type"], text })
              answer(response)
            })
          })
          const close = () => {
            server.close()
            server.closeAllConnections()
          }
          server.listen(0, "127.0.0.1", () =>
            resume(
              Effect.succeed({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, close })
            )
          )
        }
      ),
      ({ close }) => Effect.sync(close)
    ),
    ({ received, url }) => ({ received, url })
  )

const secret = Redacted.make("0x4AAAsecret")

/** The verdict, or why there is none. */
const verdictOf = Effect.fnUntraced(function* (
  answer: (response: ServerResponse) => void,
  clientIp: string | null = "203.0.113.7"
) {
  const { received, url } = yield* provider(answer)
  const exit = yield* Effect.exit(siteverify({ url, secret })("the token+&=", { clientIp }))
  const verdict = Exit.isSuccess(exit) ? exit.value : String((Cause.squash(exit.cause) as { readonly why: string }).why)
  return { verdict, received }
})
const json = (status: number, body: object) => (response: ServerResponse) =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))

describe("siteverify", () => {
  it.effect("sends the secret, the token and the address as a form", () =>
    Effect.gen(function* () {
      const { received, verdict } = yield* verdictOf(json(200, { success: true, "error-codes": [] }))
      assert.isTrue(verdict)
      assert.strictEqual(received.length, 1)
      assert.strictEqual(received[0]?.type, "application/x-www-form-urlencoded")
      assert.deepStrictEqual(Object.fromEntries(new URLSearchParams(received[0]?.text)), {
        secret: "0x4AAAsecret",
        response: "the token+&=",
        remoteip: "203.0.113.7"
      })
      const unknown = yield* verdictOf(json(200, { success: true }), null)
      assert.notInclude(unknown.received[0]?.text, "remoteip")
    })
  )

  it.effect("says no when the provider says no", () =>
    Effect.gen(function* () {
      for (const status of [200, 400]) {
        for (const codes of [["invalid-input-response"], ["timeout-or-duplicate"], [], undefined]) {
          const { verdict } = yield* verdictOf(json(status, { success: false, "error-codes": codes }))
          assert.isFalse(verdict)
        }
      }
    })
  )

  it.effect("gives no verdict when the answer says nothing about the person", () =>
    Effect.gen(function* () {
      const answers: ReadonlyArray<readonly [string, (response: ServerResponse) => void]> = [
        [
          "the provider does not accept the secret",
          json(200, { success: false, "error-codes": ["invalid-input-secret"] })
        ],
        [
          "the provider does not accept the secret",
          json(200, { success: false, "error-codes": ["sitekey-secret-mismatch"] })
        ],
        ["http_500", json(500, { success: false })],
        ["http_503", json(503, { success: true })],
        ["http_200", json(200, { success: "true" })],
        ["http_200", json(200, [true])],
        ["http_302", (response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()],
        ["http_200", (response) => void response.writeHead(200).end("<html>")],
        ["ECONNRESET", (response) => void response.socket?.destroy()]
      ]
      for (const [why, answer] of answers) assert.strictEqual((yield* verdictOf(answer)).verdict, why)
      const exit = yield* Effect.exit(siteverify({ url: "http://127.0.0.1:1", secret })("t", { clientIp: null }))
      assert.isTrue(Exit.isFailure(exit))
      assert.notInclude(JSON.stringify(exit), "0x4AAAsecret")
    })
  )
})
