import { WebhookSender } from "@countersign/core"
import { HttpWebhookSender } from "@countersign/webhooks"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import dns from "node:dns"
import { vi } from "vitest"
import { blackHole } from "./fixtures/blackHole.ts"
import * as Receiver from "./fixtures/Receiver.ts"
import {
  ca,
  countSockets,
  names,
  publicV4,
  publicV6,
  senderTo,
  shop,
  shopCertificate,
  webhook
} from "./fixtures/sender.ts"

const ok = Receiver.make((response) => response.end("thanks"), shopCertificate)

describe("a delivered webhook", () => {
  it.effect("uses TLS for the host name in the URL, at the checked address", () =>
    Effect.gen(function* () {
      const receiver = yield* ok
      const routed: Array<readonly [string, number]> = []
      const { send } = yield* senderTo(receiver, {
        route: (address, port) => {
          routed.push([address, port])
          return ["127.0.0.1", receiver.port]
        }
      })
      const answer = yield* send(webhook(`https://${shop}:8443/events?tenant=1#part`))
      assert.deepStrictEqual(answer, { status: 200, retryAfterSeconds: null, body: "thanks" })
      assert.deepStrictEqual(routed, [[publicV4, 8443]])
      assert.deepStrictEqual(receiver.received, [
        {
          method: "POST",
          path: "/events?tenant=1",
          headers: {
            "content-type": "application/json",
            "x-service-signature": "00ff",
            host: `${shop}:8443`,
            "content-length": String(Buffer.byteLength(webhook("").body)),
            connection: "keep-alive"
          },
          body: webhook("").body,
          serverName: shop
        }
      ])
    })
  )

  it.effect("ignores a trailing dot and capital letters in the host name", () =>
    Effect.gen(function* () {
      const receiver = yield* ok
      const { check, send } = yield* senderTo(receiver)
      const url = "https://Hooks.Shop.Example./"
      yield* check(url)
      assert.strictEqual((yield* send(webhook(url))).status, 200)
      assert.strictEqual(receiver.received[0]?.headers.host, shop)
      assert.strictEqual(receiver.received[0]?.serverName, shop)
    })
  )

  it.effect("needs a certificate for the address if the URL contains an address", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => response.end(), ca.issue(["127.0.0.1"]))
      const { send } = yield* senderTo(receiver)
      assert.strictEqual((yield* send(webhook(`https://${publicV4}/`))).status, 200)
      assert.deepStrictEqual(
        receiver.received.map(({ headers: { host }, serverName }) => ({ host, serverName })),
        [{ host: publicV4, serverName: false }]
      )
      const other = yield* Receiver.make((response) => response.end(), shopCertificate)
      const failure = yield* Effect.flip((yield* senderTo(other)).send(webhook(`https://${publicV4}/`)))
      assert.strictEqual(failure.problem, "the server's certificate is for another name")
    })
  )

  it.effect("is sent by the layer of core's port", () =>
    Effect.gen(function* () {
      const receiver = yield* ok
      const { resolve } = names({ [shop]: [publicV4] })
      const layer = HttpWebhookSender.layer({
        authorities: ca.cert,
        resolve,
        route: () => ["127.0.0.1", receiver.port]
      })
      const program = Effect.flatMap(WebhookSender, ({ send }) => send(webhook(`https://${shop}/`)))
      assert.strictEqual((yield* Effect.provide(program, layer)).status, 200)
    })
  )
})

describe("a host name whose addresses change", () => {
  it.effect("is refused if it is private at the send and was public at registration", () =>
    Effect.gen(function* () {
      const trap = yield* Receiver.trap
      const sockets = yield* countSockets
      const { resolve } = names({ [shop]: { inTurn: [[publicV4], ["127.0.0.1"]] } })
      const { check, send } = yield* HttpWebhookSender.make({ resolve })
      yield* check(`https://${shop}:${trap.port}/`)
      const failure = yield* Effect.flip(send(webhook(`https://${shop}:${trap.port}/`)))
      assert.strictEqual(failure.reason, "ADDRESS_REFUSED")
      assert.strictEqual(sockets.opened, 0)
      assert.deepStrictEqual(trap.sockets, [])
    })
  )

  it.effect("is resolved once per attempt, so a private answer a moment later is never used", () =>
    Effect.gen(function* () {
      const receiver = yield* ok
      const trap = yield* Receiver.trap
      const system = vi.spyOn(dns, "lookup")
      const { asked, resolve } = names({ [shop]: { inTurn: [[publicV4], ["127.0.0.1"]] } })
      const { send } = yield* senderTo(receiver, {
        resolve,
        route: (address) => ["127.0.0.1", address === publicV4 ? receiver.port : trap.port]
      })
      assert.strictEqual((yield* send(webhook(`https://${shop}/`))).status, 200)
      assert.deepStrictEqual(asked, [shop])
      assert.strictEqual(system.mock.calls.length, 0)
      system.mockRestore()
      // The connection is still open, but the name now resolves to another address.
      assert.strictEqual((yield* Effect.flip(send(webhook(`https://${shop}/`)))).reason, "ADDRESS_REFUSED")
      assert.strictEqual(receiver.received.length, 1)
      assert.deepStrictEqual(trap.sockets, [])
    })
  )

  it.effect("is not sent over a connection to its previous address", () =>
    Effect.gen(function* () {
      const first = yield* ok
      const second = yield* ok
      const { resolve } = names({ [shop]: { inTurn: [[publicV4], ["192.31.196.2"], [publicV4]] } })
      const { send } = yield* senderTo(first, {
        resolve,
        route: (address) => ["127.0.0.1", address === publicV4 ? first.port : second.port]
      })
      for (let at = 0; at < 3; at++) yield* send(webhook(`https://${shop}/`))
      assert.deepStrictEqual([first.received.length, second.received.length], [2, 1])
      assert.deepStrictEqual([first.sockets.length, second.sockets.length], [1, 1])
    })
  )

  it.effect("is not sent over a connection for another name at its address", () =>
    Effect.gen(function* () {
      const receiver = yield* ok
      const { resolve } = names({ [shop]: [publicV4], "other.example": [publicV4] })
      const { send } = yield* senderTo(receiver, { resolve })
      assert.strictEqual((yield* send(webhook(`https://${shop}/`))).status, 200)
      const failure = yield* Effect.flip(send(webhook("https://other.example/")))
      assert.strictEqual(failure.problem, "the server's certificate is for another name")
      assert.strictEqual(receiver.received.length, 1)
    })
  )
})

describe("a webhook that is directed elsewhere", () => {
  for (const status of [300, 301, 302, 303, 305, 307, 308]) {
    it.effect(`is not redirected: ${status} is a final answer`, () =>
      Effect.gen(function* () {
        const trap = yield* Receiver.trap
        for (const allowPrivate of [false, true]) {
          const location = `http${allowPrivate ? "" : "s"}://127.0.0.1:${trap.port}/`
          const receiver = yield* Receiver.make(
            (response) => response.writeHead(status, { location }).end("over there"),
            shopCertificate
          )
          const { send } = yield* senderTo(receiver, { allowPrivate })
          const answer = yield* send(webhook(`https://${shop}/`))
          assert.deepStrictEqual(answer, { status, retryAfterSeconds: null, body: "over there" })
          assert.strictEqual(receiver.received.length, 1)
        }
        assert.deepStrictEqual(trap.sockets, [])
      })
    )
  }

  it.effect("ignores headers that name another host", () =>
    Effect.gen(function* () {
      const trap = yield* Receiver.trap
      const there = `https://127.0.0.1:${trap.port}/`
      const receiver = yield* Receiver.make(
        (response) =>
          response
            .writeHead(200, {
              refresh: `0; url=${there}`,
              "alt-svc": `h2="127.0.0.1:${trap.port}"`,
              link: `<${there}>`
            })
            .end(),
        shopCertificate
      )
      const { send } = yield* senderTo(receiver)
      assert.strictEqual((yield* send(webhook(`https://${shop}/`))).status, 200)
      assert.strictEqual((yield* send(webhook(`https://${shop}/`))).status, 200)
      assert.deepStrictEqual(trap.sockets, [])
    })
  )

  it.effect("ignores proxy variables of the environment", () =>
    Effect.gen(function* () {
      const trap = yield* Receiver.trap
      const receiver = yield* ok
      for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "https_proxy", "NODE_USE_ENV_PROXY"]) {
        vi.stubEnv(name, name.startsWith("NODE") ? "1" : `http://127.0.0.1:${trap.port}`)
      }
      const { send } = yield* senderTo(receiver)
      assert.strictEqual((yield* send(webhook(`https://${shop}/`))).status, 200)
      vi.unstubAllEnvs()
      assert.deepStrictEqual(trap.sockets, [])
    })
  )

  it.effect("can be sent without TLS only if private addresses are allowed", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => response.end("ok"))
      const url = `http://localhost:${receiver.port}/hook`
      const strict = yield* HttpWebhookSender.make()
      assert.strictEqual((yield* Effect.flip(strict.send(webhook(url)))).problem, "the URL must start with https://")
      const open = yield* HttpWebhookSender.make({ allowPrivate: true })
      yield* open.check(url)
      assert.strictEqual((yield* open.send(webhook(url))).status, 200)
      assert.strictEqual(receiver.received.length, 1)
    })
  )
})

describe("several addresses of a host", () => {
  it.effect("are tried in turn if one refuses, IPv4 before IPv6, three at most", () =>
    Effect.gen(function* () {
      const receiver = yield* ok
      const closed = yield* Effect.scoped(Effect.map(Receiver.trap, ({ port }) => port))
      const routed: Array<string> = []
      const known = [publicV6, "192.31.196.2", publicV4, "2620:4f:8000::2"]
      const { send } = yield* senderTo(receiver, {
        resolve: names({ [shop]: known }).resolve,
        route: (address) => {
          routed.push(address)
          return ["127.0.0.1", address === publicV6 ? receiver.port : closed]
        }
      })
      assert.strictEqual((yield* send(webhook(`https://${shop}/`))).status, 200)
      assert.deepStrictEqual(routed, ["192.31.196.2", publicV4, publicV6])
    })
  )

  // Other systems have a longer backlog than requested.
  it.effect.runIf(process.platform === "linux")("are tried in turn if one does not answer for 4 seconds", () =>
    Effect.gen(function* () {
      const receiver = yield* ok
      const { port } = yield* blackHole
      const { send } = yield* senderTo(receiver, {
        resolve: names({ [shop]: ["192.31.196.2", publicV4] }).resolve,
        route: (address) => ["127.0.0.1", address === publicV4 ? receiver.port : port]
      })
      const fiber = yield* Effect.forkChild(send(webhook(`https://${shop}/`)), { startImmediately: true })
      yield* TestClock.adjust("3999 millis")
      assert.deepStrictEqual(receiver.sockets, [])
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* Fiber.join(fiber)).status, 200)
    })
  )

  it.effect("are not tried after a server was reached", () =>
    Effect.gen(function* () {
      const slamming = yield* Receiver.bare((socket) => socket.destroy())
      const receiver = yield* ok
      const { send } = yield* senderTo(receiver, {
        resolve: names({ [shop]: ["192.31.196.2", publicV4] }).resolve,
        route: (address) => ["127.0.0.1", address === publicV4 ? receiver.port : slamming.port]
      })
      assert.strictEqual((yield* Effect.flip(send(webhook(`https://${shop}/`)))).reason, "TLS")
      assert.deepStrictEqual(receiver.sockets, [])
    })
  )
})

describe("a connection for webhooks", () => {
  it.effect("is used for many webhooks, and closed with the scope", () =>
    Effect.gen(function* () {
      const receiver = yield* ok
      const scope = yield* Scope.make()
      const { send } = yield* Scope.provide(senderTo(receiver), scope)
      for (let at = 0; at < 5; at++) yield* send(webhook(`https://${shop}/`))
      assert.strictEqual(receiver.received.length, 5)
      assert.strictEqual(receiver.sockets.length, 1)
      assert.isFalse(receiver.sockets[0]?.destroyed)
      yield* Scope.close(scope, Exit.void)
      yield* receiver.closed(1)
    })
  )

  it.effect("never uses unrequested data as the answer to the next webhook", () =>
    Effect.gen(function* () {
      const answers = ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 418 Teapot\r\nContent-Length: 0\r\n\r\n"]
      const receiver = yield* Receiver.bare((socket) =>
        socket.on("data", () => socket.write(answers.shift() ?? "HTTP/1.1 204 No Content\r\n\r\n"))
      )
      const { send } = yield* senderTo(receiver, { allowPrivate: true })
      assert.strictEqual((yield* send(webhook(`http://${shop}/`))).body, "ok")
      yield* receiver.closed(1)
      assert.strictEqual((yield* send(webhook(`http://${shop}/`))).status, 204)
    })
  )
})

describe("the check of a webhook URL", () => {
  it.effect("refuses a name without an address, or one that cannot be resolved, with the reason", () =>
    Effect.gen(function* () {
      const { check, send } = yield* HttpWebhookSender.make({ resolve: names({ "empty.example": [] }).resolve })
      for (const name of ["unknown.example", "empty.example"]) {
        const { problem } = yield* Effect.flip(check(`https://${name}/`))
        assert.strictEqual(problem, "cannot be used: the host name has no address")
        const failure = yield* Effect.flip(send(webhook(`https://${name}/`)))
        assert.deepStrictEqual([failure.reason, failure.problem], ["DNS", "the host name has no address"])
      }
      const slow = yield* HttpWebhookSender.make({ resolve: () => Effect.never })
      const fiber = yield* Effect.forkChild(Effect.flip(slow.check(`https://${shop}/`)))
      yield* TestClock.adjust("5 seconds")
      const { problem } = yield* Fiber.join(fiber)
      assert.strictEqual(problem, "cannot be used: the host name could not be looked up")
    })
  )

  it.effect("names the setting that allows http and private addresses, if it would help", () =>
    Effect.gen(function* () {
      const { check } = yield* HttpWebhookSender.make({ resolve: names({ [shop]: ["10.0.0.7"] }).resolve })
      const setting = "COUNTERSIGN_ALLOW_PRIVATE_WEBHOOKS=true"
      const helped = [`http://${shop}/hook`, "http://localhost:3000/hook", "https://10.0.0.7/", `https://${shop}/`]
      for (const url of helped) assert.include((yield* Effect.flip(check(url))).problem, setting, url)
      const others = ["ftp://localhost/", "http://user@localhost/", "no url"]
      for (const url of others) assert.notInclude((yield* Effect.flip(check(url))).problem, setting, url)
    })
  )

  it.effect("makes no DNS query with allowPrivate", () =>
    Effect.gen(function* () {
      const { asked, resolve } = names({})
      const { check } = yield* HttpWebhookSender.make({ allowPrivate: true, resolve })
      yield* check("http://not-yet-there:3000/hook")
      assert.deepStrictEqual(asked, [])
      assert.strictEqual((yield* Effect.flip(check("ftp://web/"))).field, "url")
    })
  )
})
