import type { Account, MediaContent } from "@countersign/core/channel"
import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Redacted, Stream } from "effect"
import { HttpClientRequest, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import type { RequestListener } from "node:http"
import type { Graph } from "../src/Graph.ts"
import { isTrusted, largestFile, media } from "../src/media.ts"
import { channelFor, until } from "./fixtures/channel.ts"
import { serving } from "./fixtures/serving.ts"

const phone = "+919812345678"
const graphUrl = "https://graph.facebook.com"
const theirs: Account = { id: "206540352242922", accessToken: Redacted.make("EAAGtheirs") }

const bytesOf = ({ body }: MediaContent) =>
  Effect.map(Stream.runCollect(body), (pieces) => Buffer.concat([...pieces]).toString("utf8"))

const made = Effect.gen(function* () {
  const meta = yield* WhatsAppSimulator.make()
  yield* meta.addAccount({ wabaId: "2", accessToken: "EAAGtheirs", phoneNumberIds: [theirs.id] })
  const sent = (to: string) =>
    Effect.map(
      meta.letter({
        from: phone,
        to,
        document: {
          fileName: "bill.txt",
          mimeType: "text/plain",
          base64: Buffer.from(`bill of ${to}`).toString("base64")
        }
      }),
      ({ file }) => file!.id
    )
  return { meta, sent, accounts: (yield* channelFor(meta)).accounts! }
})

const failureOf = <A>(exit: Exit.Exit<A, unknown>): string => {
  const [reason] = Exit.isFailure(exit) ? exit.cause.reasons : []
  if (reason?._tag !== "Fail") return "none"
  const error = reason.error as { readonly _tag: string; readonly reason?: { readonly providerCode: string } }
  return error.reason === undefined ? error._tag : error.reason.providerCode
}

it.effect("a file is fetched with the token of the number's owner, the merchant's or ours", () =>
  Effect.gen(function* () {
    const { accounts, meta, sent } = yield* made
    const [ours = ""] = meta.phoneNumberIds
    const mine = yield* accounts.media(yield* sent(ours), null)
    assert.deepStrictEqual([mine.mimeType, mine.size], ["text/plain", Buffer.byteLength(`bill of ${ours}`)])
    assert.strictEqual(yield* bytesOf(mine), `bill of ${ours}`)
    const other = yield* sent(theirs.id)
    assert.strictEqual(yield* bytesOf(yield* accounts.media(other, theirs)), `bill of ${theirs.id}`)
    // No token is used for another owner's file.
    assert.strictEqual(failureOf(yield* Effect.exit(accounts.media(other, null))), "MediaGone")
    const wrong = { ...theirs, accessToken: Redacted.make("EAAGno") }
    assert.strictEqual(failureOf(yield* Effect.exit(accounts.media(other, wrong))), "190")
    const unfit = { ...theirs, id: "../x" }
    assert.strictEqual(failureOf(yield* Effect.exit(accounts.media(other, unfit))), "unusable_account")
  })
)

it.effect("a file that Meta deleted or never had is reported as gone", () =>
  Effect.gen(function* () {
    const { accounts, meta, sent } = yield* made
    const id = yield* sent(theirs.id)
    yield* meta.forgetFile(id)
    for (const each of [id, "123", "", "../me", "a/b", "x".repeat(129)]) {
      assert.strictEqual(failureOf(yield* Effect.exit(accounts.media(each, theirs))), "MediaGone", each)
    }
  })
)

it("a token is sent only to Meta and to the API's own address", () => {
  const base = "http://127.0.0.1:9000/v25.0"
  for (const good of [
    "https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1&hash=a",
    "https://graph.facebook.com/1",
    "https://scontent.xx.fbcdn.net/v/1",
    "https://mmg.whatsapp.net/1",
    "http://127.0.0.1:9000/elsewhere"
  ]) {
    assert.isTrue(isTrusted(good, base), good)
  }
  for (const bad of [
    "http://lookaside.fbsbx.com/1",
    "https://lookaside.fbsbx.com:8443/1",
    "https://user:pass@lookaside.fbsbx.com/1",
    "https://evil-fbsbx.com/1",
    "https://lookaside.fbsbx.com.evil.example/1",
    "https://evil.example/?https://lookaside.fbsbx.com",
    "http://127.0.0.1:9001/1",
    "https://127.0.0.1:9000/1",
    "http://169.254.169.254/latest",
    "file:///etc/passwd",
    "data:text/plain,x",
    "/relative",
    "",
    `https://lookaside.fbsbx.com/${"x".repeat(5_000)}`
  ]) {
    assert.isFalse(isTrusted(bad, base), bad)
  }
})

/** A Graph API with one file that has these bytes. */
const holding = (bytes: RequestListener, node: (url: string) => object = () => ({})) =>
  Effect.gen(function* () {
    const server = yield* serving((request, response) => {
      if (request.url?.startsWith("/bytes") === true) return bytes(request, response)
      const url = `http://${request.headers.host}`
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify({ url: `${url}/bytes`, mime_type: "image/png", file_size: 5, ...node(url) }))
    })
    const meta = yield* WhatsAppSimulator.make()
    const { accounts } = yield* channelFor(meta, { apiUrl: server.url })
    return { server, fetch: accounts!.media("1", theirs) }
  })

describe("a media file", () => {
  it.effect("at another host than Meta is not fetched, and a redirect is not followed", () =>
    Effect.gen(function* () {
      const asked: Array<string | undefined> = []
      const stranger = yield* serving((request, response) => {
        asked.push(request.headers.authorization)
        response.end("x")
      })
      const elsewhere = yield* holding(
        (_, response) => void response.end("x"),
        () => ({ url: `${stranger.url}/bytes` })
      )
      assert.strictEqual(failureOf(yield* Effect.exit(elsewhere.fetch)), "untrusted_address")
      const moved = yield* holding((_, response) => {
        response.writeHead(302, { location: `${stranger.url}/bytes` }).end()
      })
      assert.strictEqual(failureOf(yield* Effect.exit(moved.fetch)), "http_302")
      assert.deepStrictEqual(asked, [])
    })
  )

  it.effect("that cannot be downloaded is gone, or reports the reason", () =>
    Effect.gen(function* () {
      for (const [status, failure] of [
        [404, "MediaGone"],
        [410, "MediaGone"],
        [401, "http_401"],
        [503, "http_503"]
      ] as const) {
        const { fetch } = yield* holding((_, response) => void response.writeHead(status).end("<html>"))
        assert.strictEqual(failureOf(yield* Effect.exit(fetch)), failure)
      }
    })
  )

  it.effect("over 100 MB is refused if its length is declared, and cut otherwise", () =>
    Effect.gen(function* () {
      const told = yield* holding(
        (_, response) => void response.end("12345"),
        () => ({ file_size: String(largestFile + 1) })
      )
      assert.strictEqual(failureOf(yield* Effect.exit(told.fetch)), "file_too_large")
      const late = yield* holding((_, response) => {
        response.writeHead(200, { "content-length": largestFile + 1 })
        response.write("12345")
      })
      assert.strictEqual(failureOf(yield* Effect.exit(late.fetch)), "file_too_large")
      yield* until(late.server.open, (open) => open <= 1)
      const piece = new Uint8Array(1_024 * 1_024)
      let stopped = false
      const endless = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(piece),
        cancel: () => void (stopped = true)
      })
      // Sending 100 MB over a socket would only test the socket.
      const graph: Graph = {
        post: () => Effect.succeed({ _tag: "Lost" }),
        postForm: () => Effect.succeed({ _tag: "Lost" }),
        get: () =>
          Effect.succeed({
            _tag: "Answered",
            status: 200,
            body: { url: `${graphUrl}/bytes`, mime_type: "image/png", file_size: 5 },
            retryAfterSeconds: null
          }),
        open: (url) => {
          const response = HttpClientResponse.fromWeb(HttpClientRequest.get(url), new Response(endless))
          return Effect.succeed({ _tag: "Open", response, size: null })
        }
      }
      const { body, size } = yield* media(graph, graphUrl, "1", null)
      assert.strictEqual(size, 5, "what Meta says of it where its bytes do not")
      let length = 0
      const exit = yield* Effect.exit(Stream.runForEach(body, (each) => Effect.sync(() => (length += each.length))))
      assert.strictEqual(failureOf(exit), "file_too_large")
      assert.isAtMost(length, largestFile)
      assert.isAbove(length, largestFile - 2 * piece.length)
      assert.isTrue(stopped)
    })
  )

  it.effect("that is cut off or stalls fails its stream", () =>
    Effect.gen(function* () {
      const broken = yield* holding((_, response) => {
        response.writeHead(200, { "content-length": 10 })
        response.write("12345", () => response.destroy())
      })
      assert.strictEqual(failureOf(yield* Effect.exit(bytesOf(yield* broken.fetch))), "no_answer")
      const stuck = yield* holding((_, response) => {
        response.writeHead(200, { "content-length": 10 })
        response.write("12345")
      })
      const { body } = yield* stuck.fetch
      const reading = yield* Effect.forkChild(Effect.exit(Stream.runDrain(body)), { startImmediately: true })
      yield* TestClock.adjust("15 seconds")
      assert.include(["timeout", "no_answer"], failureOf(yield* Fiber.join(reading)))
    })
  )

  it.effect("is not read further when its reader stops: the connection is closed and little was buffered", () =>
    Effect.gen(function* () {
      let closed = 0
      let written = 0
      const piece = Buffer.alloc(64 * 1_024)
      const { fetch } = yield* holding((_, response) => {
        response.on("close", () => closed++)
        const more = () => {
          for (;;) {
            written += piece.length
            if (!response.write(piece) || written > largestFile) return
          }
        }
        response.on("drain", more)
        more()
      })
      const { body } = yield* fetch
      yield* Stream.runDrain(Stream.take(body, 1))
      yield* until(
        Effect.sync(() => closed),
        (count) => count === 1
      )
      assert.isBelow(written, 20 * 1_024 * 1_024)
    })
  )

  it.effect("with a content type that is invalid in a header is sent as plain bytes", () =>
    Effect.gen(function* () {
      for (const mime_type of ["text/html\r\nx: 1", "", null, "image", `image/${"x".repeat(200)}`]) {
        const { fetch } = yield* holding(
          (_, response) => void response.end("12345"),
          () => ({ mime_type })
        )
        const content = yield* fetch
        assert.strictEqual(content.mimeType, "application/octet-stream")
        assert.strictEqual(yield* bytesOf(content), "12345")
      }
    })
  )
})
