import type { WebhookUnanswered } from "@countersign/core"
import { HttpWebhookSender } from "@countersign/webhooks"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { authority, type Certificate } from "./fixtures/Certificates.ts"
import * as Receiver from "./fixtures/Receiver.ts"
import { ca, publicV4, senderTo, shop, shopCertificate, webhook } from "./fixtures/sender.ts"

const url = `https://${shop}/hook`
const plain = `http://${shop}/hook`

const told = ({ problem, reason }: WebhookUnanswered) => {
  for (const secret of ["127.0.0.1", publicV4]) assert.notInclude(problem, secret)
  return `${reason}: ${problem}`
}

describe("the certificate of a webhook receiver", () => {
  const rows: ReadonlyArray<readonly [what: string, certificate: Certificate, told: string]> = [
    ["another name", ca.issue(["other.shop.example"]), "TLS: the server's certificate is for another name"],
    ["a name above it", ca.issue(["shop.example"]), "TLS: the server's certificate is for another name"],
    ["the address only", ca.issue([publicV4]), "TLS: the server's certificate is for another name"],
    ["expired", ca.issue([shop], 2021), "TLS: the server's certificate has expired"],
    [
      "of an unknown authority",
      authority("a stranger").issue([shop]),
      "TLS: the server does not send its intermediate certificates"
    ]
  ]
  for (const [what, certificate, expected] of rows) {
    it.effect(what, () =>
      Effect.gen(function* () {
        const receiver = yield* Receiver.make((response) => response.end(), certificate)
        const { send } = yield* senderTo(receiver)
        assert.strictEqual(told(yield* Effect.flip(send(webhook(url)))), expected)
        assert.deepStrictEqual(receiver.received, [])
      })
    )
  }

  it.effect("is required with allowPrivate too", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => response.end(), ca.issue(["other.shop.example"]))
      const { send } = yield* senderTo(receiver, { allowPrivate: true })
      assert.strictEqual((yield* Effect.flip(send(webhook(url)))).reason, "TLS")
    })
  )

  it.effect("a receiver without TLS is refused", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => response.end())
      const { send } = yield* senderTo(receiver)
      assert.strictEqual(
        told(yield* Effect.flip(send(webhook(url)))),
        "TLS: no TLS connection could be made: check that the server speaks TLS on this port"
      )
      assert.deepStrictEqual(receiver.received, [])
    })
  )
})

describe("a receiver with a faulty or missing answer", () => {
  const closed = "CONNECTION: the server closed the connection before its answer was complete"
  const strange = "PROTOCOL: the answer is not HTTP"
  const large = "PROTOCOL: the headers of the answer are larger than 16 KB"
  const rows: ReadonlyArray<readonly [what: string, answer: (socket: Socket) => void, told: string]> = [
    ["disconnects immediately", (socket) => socket.end(), closed],
    ["resets", (socket) => socket.resetAndDestroy(), closed],
    ["hangs up in the status line", (socket) => socket.end("HTTP/1.1 20"), closed],
    ["hangs up in the headers", (socket) => socket.end("HTTP/1.1 200 OK\r\nA: b\r\n"), closed],
    ["hangs up in the body", (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), closed],
    [
      "hangs up in a chunk",
      (socket) => socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf"),
      closed
    ],
    ["speaks SMTP", (socket) => socket.write("220 mail.shop.example ESMTP\r\n"), strange],
    ["speaks SSH", (socket) => socket.write("SSH-2.0-OpenSSH_9.9\r\n"), strange],
    ["sends noise", (socket) => socket.write(Buffer.alloc(4096, 0xa5)), strange],
    [
      "has two lengths",
      (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
      strange
    ],
    [
      "has a bad chunk",
      (socket) => socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
      strange
    ],
    [
      "switches protocols",
      (socket) => socket.write("HTTP/1.1 101 Up\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
      strange
    ],
    ["hints for ever", (socket) => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(1000)), strange],
    ["has 1 MB of headers", (socket) => socket.write(`HTTP/1.1 200 OK\r\nA: ${"a".repeat(1_000_000)}\r\n\r\n`), large],
    ["has 10,000 headers", (socket) => socket.write(`HTTP/1.1 200 OK\r\n${"A: b\r\n".repeat(10_000)}\r\n`), large],
    [
      "has 1 MB of trailers",
      (socket) =>
        socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: ${"a".repeat(1_000_000)}\r\n\r\n`),
      large
    ]
  ]
  for (const [what, answer, expected] of rows) {
    it.effect(what, () =>
      Effect.gen(function* () {
        const receiver = yield* Receiver.bare((socket) => socket.once("data", () => answer(socket)))
        const { send } = yield* senderTo(receiver, { allowPrivate: true })
        assert.strictEqual(told(yield* Effect.flip(send(webhook(plain)))), expected)
        yield* receiver.closed(1)
        assert.strictEqual(receiver.sockets.length, 1)
      })
    )
  }

  it.effect("is reported as unreachable if nothing listens", () =>
    Effect.gen(function* () {
      const gone = yield* Effect.scoped(Receiver.make(() => {}))
      const { send } = yield* senderTo(gone)
      assert.strictEqual(told(yield* Effect.flip(send(webhook(url)))), "CONNECTION: the server refused the connection")
    })
  )
})

describe("the answer of a webhook receiver", () => {
  const rows: ReadonlyArray<
    readonly [status: number, headers: { readonly [name: string]: string }, retryAfterSeconds: number | null]
  > = [
    [204, {}, null],
    [400, {}, null],
    [410, {}, null],
    [429, { "retry-after": "120" }, 120],
    // The test clock starts in 1970.
    [429, { "retry-after": "Thu, 01 Jan 1970 00:01:30 GMT" }, 90],
    [503, { "retry-after": "later" }, null],
    [599, {}, null]
  ]
  for (const [status, headers, retryAfterSeconds] of rows) {
    it.effect(`${status} ${JSON.stringify(headers)}`, () =>
      Effect.gen(function* () {
        const receiver = yield* Receiver.make((response) => response.writeHead(status, headers).end(), shopCertificate)
        const { send } = yield* senderTo(receiver)
        assert.deepStrictEqual(yield* send(webhook(url)), { status, retryAfterSeconds, body: "" })
      })
    )
  }

  it.effect("may end with the connection, as from an old server", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.bare((socket) =>
        socket.once("data", () => socket.end("HTTP/1.0 200 OK\r\n\r\nall of it"))
      )
      const { send } = yield* senderTo(receiver, { allowPrivate: true })
      assert.strictEqual((yield* send(webhook(plain))).body, "all of it")
    })
  )

  it.effect("of 100 MB is read only at its start", () =>
    Effect.gen(function* () {
      const whole = 100 * 1024 * 1024
      const chunk = Buffer.alloc(64 * 1024, "x")
      let sent = 0
      const pour = (response: ServerResponse) => {
        while (sent < whole && !response.destroyed) {
          sent += chunk.length
          if (!response.write(chunk)) return response.once("drain", () => pour(response))
        }
        return response.end()
      }
      const receiver = yield* Receiver.make((response) => {
        response.writeHead(200, { "content-length": whole })
        pour(response)
      }, shopCertificate)
      const { send } = yield* senderTo(receiver)
      const answer = yield* send(webhook(url))
      assert.deepStrictEqual(answer, { status: 200, retryAfterSeconds: null, body: "x".repeat(1024) })
      yield* receiver.closed(1)
      // At most the buffers of both sockets, not the whole body.
      assert.isBelow(sent, 16 * 1024 * 1024)
    })
  )

  it.effect("of 64 KB leaves the connection open", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => response.end(Buffer.alloc(64 * 1024)), shopCertificate)
      const { send } = yield* senderTo(receiver)
      yield* send(webhook(url))
      yield* send(webhook(url))
      assert.strictEqual(receiver.sockets.length, 1)
    })
  )
})

describe("a slow webhook receiver", () => {
  /** Writes a byte now and then, until the connection closes. */
  const drip = (socket: Socket, first: string) => {
    socket.write(first)
    const timer = setInterval(() => socket.write("a"), 5)
    socket.on("close", () => clearInterval(timer))
  }
  const rows: ReadonlyArray<readonly [what: string, answer: (socket: Socket) => void]> = [
    ["says nothing", () => {}],
    ["drips its status line", (socket) => drip(socket, "HTTP/1.1 200 ")],
    ["drips its headers", (socket) => drip(socket, "HTTP/1.1 200 OK\r\nX: ")],
    ["drips its body", (socket) => drip(socket, "HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n")],
    ["never ends its body", (socket) => socket.write("HTTP/1.1 200 OK\r\n\r\nbeginning")]
  ]
  for (const [what, answer] of rows) {
    it.effect(`${what}: times out after exactly 15 seconds`, () =>
      Effect.gen(function* () {
        const receiver = yield* Receiver.bare((socket) => socket.once("data", () => answer(socket)))
        const { send } = yield* senderTo(receiver, { allowPrivate: true })
        const fiber = yield* Effect.forkChild(Effect.flip(send(webhook(plain))), { startImmediately: true })
        yield* receiver.reached
        yield* TestClock.adjust("14999 millis")
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("1 millis")
        assert.strictEqual(told(yield* Fiber.join(fiber)), "TIMEOUT: the answer was not complete within 15 seconds")
        yield* receiver.closed(1)
      })
    )
  }

  for (const [what, answer] of rows) {
    it.live(`${what}: times out after the configured deadline`, () =>
      Effect.gen(function* () {
        const receiver = yield* Receiver.bare((socket) => socket.once("data", () => answer(socket)))
        const { send } = yield* senderTo(receiver, { allowPrivate: true, deadline: "60 millis" })
        assert.strictEqual((yield* Effect.flip(send(webhook(plain)))).reason, "TIMEOUT")
        yield* receiver.closed(1)
      })
    )
  }

  it.effect("times out if it never starts TLS", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.bare(() => {})
      const { send } = yield* senderTo(receiver)
      const fiber = yield* Effect.forkChild(Effect.flip(send(webhook(url))), { startImmediately: true })
      yield* receiver.reached
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).reason, "TIMEOUT")
      yield* receiver.closed(1)
    })
  )

  it.effect("times out on a slow name server as well", () =>
    Effect.gen(function* () {
      const sender = yield* HttpWebhookSender.make({ resolve: () => Effect.never })
      const fiber = yield* Effect.forkChild(Effect.flip(sender.send(webhook(url))))
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).reason, "TIMEOUT")
    })
  )

  it.effect("is disconnected when the send is interrupted", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make(() => {}, shopCertificate)
      const { send } = yield* senderTo(receiver)
      const fiber = yield* Effect.forkChild(send(webhook(url)), { startImmediately: true })
      yield* receiver.reached
      yield* Fiber.interrupt(fiber)
      yield* receiver.closed(1)
    })
  )

  it.effect("is disconnected when the scope ends", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make(() => {}, shopCertificate)
      const failure = yield* Effect.scoped(
        Effect.gen(function* () {
          const { send } = yield* senderTo(receiver)
          const fiber = yield* Effect.forkDetach(Effect.flip(send(webhook(url))), { startImmediately: true })
          yield* receiver.reached
          return fiber
        })
      )
      yield* receiver.closed(1)
      assert.strictEqual((yield* Fiber.join(failure)).reason, "CONNECTION")
    })
  )
})
