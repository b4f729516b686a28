import { createServer, request as nodeRequest, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { MemoryStorage } from "@countersign/core/memory"
import { Effect, Layer, Option, Result } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest } from "effect/http"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { ClientAddress, makeService, Dispatcher, HttpLayer, NodeHandler, WebHandler } from "../src/index.ts"
import type { WireRequest } from "../src/WireRequest.ts"

const proxies = (...list: ReadonlyArray<string>) => Result.getOrThrow(ClientAddress.parseProxies(list))

const request = (remoteAddress: string | null, forwarded?: string): WireRequest => ({
  method: "GET",
  path: "/",
  query: "",
  remoteAddress,
  header: (name) => (name === "x-forwarded-for" ? forwarded : undefined),
  body: () => Effect.succeed(new Uint8Array(0))
})

describe("the client address of a request", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:DB8::0:1", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    [null, null],
    ["", null],
    ["/run/countersign.sock", null]
  ])("is the peer address when no proxy is trusted: %j", (peer, expected) => {
    for (const forwarded of [undefined, "203.0.113.9", "127.0.0.1, 10.0.0.1"]) {
      assert.strictEqual(ClientAddress.of(request(peer, forwarded), []), expected)
    }
  })

  it("cannot be forged by a peer that is not a trusted proxy", () => {
    const trusted = proxies("10.0.0.0/8", "loopback")
    for (const forged of ["203.0.113.9", "10.0.0.1", "127.0.0.1", "203.0.113.9, 10.0.0.1", "", "x".repeat(9_000)]) {
      assert.strictEqual(ClientAddress.of(request("192.0.2.66", forged), trusted), "192.0.2.66")
      assert.strictEqual(ClientAddress.of(request("11.0.0.1", forged), trusted), "11.0.0.1")
    }
  })

  it.each([
    ["one proxy", "203.0.113.9", "203.0.113.9"],
    ["a forged beginning", "198.51.100.1, 203.0.113.9", "203.0.113.9"],
    ["a chain of proxies", "203.0.113.9, 10.1.1.1, 192.168.3.4", "203.0.113.9"],
    ["an untrusted proxy in between", "203.0.113.9, 192.0.2.7, 10.1.1.1", "192.0.2.7"],
    ["nothing but proxies", "10.3.3.3, 10.2.2.2,10.1.1.1", "10.3.3.3"],
    ["tabs and no spaces", "203.0.113.9,\t10.1.1.1", "203.0.113.9"],
    ["IPv6", "2001:DB8:0::9, 10.1.1.1", "2001:db8::9"],
    ["IPv4 in IPv6", "::ffff:203.0.113.9, ::ffff:10.1.1.1", "203.0.113.9"],
    ["brackets", "[2001:db8::9], 10.1.1.1", "2001:db8::9"],
    ["brackets and ports", "[2001:db8::9]:4711, 10.1.1.1:80", "2001:db8::9"],
    ["a port", "203.0.113.9:4711", "203.0.113.9"],
    ["an empty header", "", "10.0.0.1"],
    ["a comma", ",", "10.0.0.1"],
    ["an empty end", "203.0.113.9, ", "10.0.0.1"],
    ["a word", "203.0.113.9, unknown, 10.1.1.1", "10.1.1.1"],
    ["a hidden one", "203.0.113.9, _hidden", "10.0.0.1"],
    ["quotes", '"203.0.113.9"', "10.0.0.1"],
    ["a name", "proxy.example.com, 10.1.1.1", "10.1.1.1"],
    ["an octal address", "0177.0.0.1, 10.1.1.1", "10.1.1.1"],
    ["a short address", "203.9, 10.1.1.1", "10.1.1.1"],
    ["a broken port", "203.0.113.9:http, 10.1.1.1", "10.1.1.1"],
    ["open brackets", "[2001:db8::9, 10.1.1.1", "10.1.1.1"],
    ["a script", "<script>, 10.1.1.1", "10.1.1.1"]
  ])("is read from the end of the X-Forwarded-For header: %s", (_, forwarded, expected) => {
    assert.strictEqual(ClientAddress.of(request("10.0.0.1", forwarded), proxies("private")), expected)
  })

  it("is found quickly in a header of any length", () => {
    const trusted = proxies("private")
    assert.strictEqual(ClientAddress.of(request("10.0.0.1", "10.0.0.2,".repeat(1_700)), trusted), "10.0.0.1")
    assert.strictEqual(
      ClientAddress.of(request("10.0.0.1", `${"a".repeat(8_000)},${"10.0.0.2,".repeat(800)}10.0.0.3`), trusted),
      "10.0.0.2"
    )
  })
})

describe("a list of trusted proxies", () => {
  it("accepts addresses, ranges, `loopback` and `private`", () => {
    assert.deepStrictEqual(
      proxies("192.0.2.1", "2001:db8::/32", "loopback", "private").map(({ text }) => text),
      [
        "192.0.2.1/32",
        "2001:db8::/32",
        "127.0.0.0/8",
        "::1/128",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "fc00::/7"
      ]
    )
  })

  it.each(["", "public", "Loopback", "10.0.0", "10.0.0.0/99", "proxy.example.com", "true", "*", "constructor"])(
    "rejects %j",
    (proxy) => {
      const refused = ClientAddress.parseProxies(["loopback", proxy])
      assert.isTrue(Result.isFailure(refused))
      if (Result.isFailure(refused)) assert.include(refused.failure.message, JSON.stringify(proxy))
    }
  )
})

const listen = async (listener: RequestListener, host: string) => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve()))
  }
}

/** Sends a request over its own socket. An array sends the header once per entry. */
const ask = (
  port: number,
  options: {
    readonly method?: string
    readonly path?: string
    readonly headers?: { readonly [name: string]: string | ReadonlyArray<string> }
    readonly body?: string
  }
) =>
  new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const { body, headers = {}, method = "GET", path = "/" } = options
    const client = nodeRequest({ host: "127.0.0.1", port, path, method, agent: false }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }))
    })
    for (const [name, value] of Object.entries(headers)) client.setHeader(name, value)
    client.on("error", reject).end(body)
  })

/** Answers with the client address of the request. */
const echo = (...list: ReadonlyArray<string>) =>
  Layer.succeed(Dispatcher, {
    serves: () => true,
    dispatch: (request) =>
      Effect.succeed({ status: 200, headers: {}, body: `${ClientAddress.of(request, proxies(...list))}` })
  })

describe("every request handler knows the client address", () => {
  it("a Node server reads it from the socket and from the headers of its proxies", async () => {
    for (const [list, expected] of [
      [[], "127.0.0.1"],
      [["10.0.0.0/8"], "127.0.0.1"],
      [["loopback"], "203.0.113.9"]
    ] as const) {
      const server = await listen(
        await Effect.runPromise(Effect.provide(NodeHandler.make(), echo(...list))),
        "127.0.0.1"
      )
      const asked = (forwarded: string | ReadonlyArray<string>) =>
        ask(server.port, { headers: { "x-forwarded-for": forwarded } })
      assert.strictEqual((await asked("198.51.100.1, 203.0.113.9")).text, expected)
      // Two headers with the same name are joined to one list in their order.
      assert.strictEqual((await asked(["198.51.100.1", "203.0.113.9"])).text, expected)
      assert.strictEqual((await ask(server.port, {})).text, "127.0.0.1")
      await server.close()
    }
  })

  it("a handler for Request reads it from the server below", async () => {
    const handler = (clientAddress?: WebHandler.ClientAddressOf) =>
      Effect.runPromise(Effect.provide(WebHandler.make({ clientAddress }), echo("loopback")))
    const forwarded = new Request("http://localhost/", { headers: { "x-forwarded-for": "203.0.113.9" } })
    const from = async (clientAddress?: WebHandler.ClientAddressOf) =>
      (await (await handler(clientAddress))(forwarded)).text()
    assert.strictEqual(await from(), "null")
    assert.strictEqual(await from(() => undefined), "null")
    assert.strictEqual(await from(() => "192.0.2.1"), "192.0.2.1")
    assert.strictEqual(await from(() => "::1"), "203.0.113.9")
    const broken = await handler(() => {
      throw new Error("no such connection")
    })
    assert.strictEqual((await broken(forwarded)).status, 500)
  })

  it("Effect's router reads it from the request", async () => {
    const asFrom = (address: string) =>
      HttpRouter.middleware(
        (app) =>
          Effect.updateService(app, HttpServerRequest.HttpServerRequest, (request) =>
            request.modify({ remoteAddress: Option.some(address) })
          ),
        { global: true }
      )
    for (const [address, expected] of [
      ["192.0.2.1", "192.0.2.1"],
      ["127.0.0.1", "203.0.113.9"]
    ] as const) {
      const router = HttpRouter.toWebHandler(
        Layer.mergeAll(HttpLayer.layer.pipe(Layer.provide(echo("loopback"))), asFrom(address)).pipe(
          Layer.provide(HttpServer.layerServices)
        ),
        { disableLogger: true }
      )
      const answer = await router.handler(
        new Request("http://localhost/", { headers: { "x-forwarded-for": "203.0.113.9" } })
      )
      assert.strictEqual(await answer.text(), expected)
      await router.dispose()
    }
  })
})

describe("the limit per client address", () => {
  const keys = {
    live: { clientId: "cs_live_address", clientSecret: "sk_live_address_01234", publicKey: "pk_live_address" },
    test: { clientId: "cs_test_address", clientSecret: "sk_test_address_01234", publicKey: "pk_test_address" }
  }
  const close: Array<() => Promise<unknown>> = []
  const ports = new Map<string, number>()

  beforeAll(async () => {
    for (const [name, trustedProxies] of [
      ["no trusted proxy", []],
      ["trusted", ["loopback"]]
    ] as const) {
      const countersign = await makeService({
        storage: MemoryStorage.layer,
        channels: [],
        secret: "0a".repeat(32),
        environment: "test",
        keys,
        settings: { sdkInitiatesPerIpPerHour: 1 },
        trustedProxies
      })
      const server = await listen(countersign.nodeHandler, "127.0.0.1")
      ports.set(name, server.port)
      close.push(server.close, countersign.close)
    }
  })
  afterAll(async () => {
    for (const one of close) await one()
  })

  const initiate = (name: string, forwarded: string) =>
    ask(ports.get(name)!, {
      method: "POST",
      path: "/v1/sdk/auth/initiate",
      headers: {
        "content-type": "application/json",
        "x-public-key": keys.test.publicKey,
        "x-forwarded-for": forwarded
      },
      body: JSON.stringify({ phone: "+919876543210", channel: "sms" })
    })

  it("cannot be bypassed with a forged header", async () => {
    assert.strictEqual((await initiate("no trusted proxy", "203.0.113.1")).status, 200)
    for (const forged of ["203.0.113.2", "127.0.0.1", "2001:db8::1"]) {
      const refused = await initiate("no trusted proxy", forged)
      assert.strictEqual(refused.status, 429)
      assert.strictEqual(JSON.parse(refused.text).errorCode, "RATE_LIMIT_EXCEEDED")
    }
  })

  it("counts each client behind a proxy separately, and all of an IPv6 /64 together", async () => {
    assert.strictEqual((await initiate("trusted", "203.0.113.1")).status, 200)
    assert.strictEqual((await initiate("trusted", "203.0.113.2")).status, 200)
    assert.strictEqual((await initiate("trusted", "198.51.100.1, ::ffff:203.0.113.2")).status, 429)
    assert.strictEqual((await initiate("trusted", "2001:db8:1:1::1")).status, 200)
    assert.strictEqual((await initiate("trusted", "2001:db8:1:1:9::2")).status, 429)
    assert.strictEqual((await initiate("trusted", "2001:db8:1:2::1")).status, 200)
  })
})
