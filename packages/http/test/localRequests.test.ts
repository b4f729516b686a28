import { Core } from "@countersign/core"
import { MemoryStorage } from "@countersign/core/memory"
import { Effect, Layer, Logger, ManagedRuntime, Redacted, Result } from "effect"
import { assert, describe, it } from "vitest"
import { ClientAddress, Dispatcher, type DispatcherOptions, LocalRequest, type WireRequest } from "../src/index.ts"
import * as UnnamedProxy from "../src/UnnamedProxy.ts"

const page = () => Effect.succeed({ status: 200, headers: {}, body: "shown" })
const forwarding = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"]

const request = (
  path: string,
  remoteAddress: string | null,
  headers: Record<string, string | undefined> = {}
): WireRequest => ({
  method: "GET",
  path,
  query: "",
  remoteAddress,
  header: (name) => ({ host: "localhost:8080", ...headers })[name],
  body: () => Effect.die("the body was read")
})

const serving = async <A>(
  options: DispatcherOptions,
  use: (send: (request: WireRequest) => Promise<number>) => Promise<A>
): Promise<A> => {
  const runtime = ManagedRuntime.make(
    Dispatcher.layer({ pages: { "/dev/outbox": page, "/demo": page, "/public": page }, ...options }).pipe(
      Layer.provide(
        Core.layer({ secret: Redacted.make("00".repeat(32)), publicUrl: "http://localhost", channels: [] })
      ),
      Layer.provide(MemoryStorage.layer)
    )
  )
  try {
    return await use((asked) =>
      runtime.runPromise(Effect.flatMap(Dispatcher, ({ dispatch }) => Effect.map(dispatch(asked), (a) => a.status)))
    )
  } finally {
    await runtime.dispose()
  }
}

describe("/metrics, /dev and /demo", () => {
  const paths = ["/metrics", "/dev/outbox", "/demo"]

  it("answer only direct connections from this machine or a private network", () =>
    serving({}, async (send) => {
      for (const path of paths) {
        for (const address of [
          "127.0.0.1",
          "::1",
          "::ffff:127.0.0.1",
          "10.1.2.3",
          "172.18.0.1",
          "192.168.1.9",
          "fd00::1"
        ]) {
          assert.strictEqual(await send(request(path, address)), 200, `${path} from ${address}`)
        }
        for (const address of [
          "203.0.113.7",
          "::ffff:203.0.113.7",
          "2001:db8::1",
          "172.32.0.1",
          "not an address",
          null
        ]) {
          assert.strictEqual(await send(request(path, address)), 403, `${path} from ${String(address)}`)
        }
      }
      assert.strictEqual(await send(request("/public", "203.0.113.7")), 200)
    }))

  it("refuse a request that a proxy on this machine forwarded, with any headers", () =>
    serving({}, async (send) => {
      for (const path of paths) {
        for (const name of forwarding) {
          for (const value of ["203.0.113.7", "127.0.0.1", "http", ""]) {
            assert.strictEqual(
              await send(request(path, "127.0.0.1", { [name]: value })),
              403,
              `${path}, ${name}: ${value}`
            )
          }
        }
      }
    }))

  it("refuse the public host name, which reveals a proxy without forwarding headers", () =>
    serving({ publicUrl: "https://Verify.example.com/otp" }, async (send) => {
      const status = (path: string, host: string | undefined, from = "127.0.0.1") => send(request(path, from, { host }))
      const strangers = ["verify.example.com", "VERIFY.example.com:8080"]
      for (const path of paths) {
        for (const host of strangers) assert.strictEqual(await status(path, host), 403, `${path} at ${host}`)
      }
      const operators = [
        "localhost",
        "10.0.0.5:8080",
        "countersign:8080",
        "countersign.internal.example.com",
        undefined
      ]
      for (const host of operators) assert.strictEqual(await status("/metrics", host, "10.0.0.9"), 200, String(host))
    }))

  it("answer only to the name of this machine if they are for development", () =>
    serving({}, async (send) => {
      for (const path of ["/dev/outbox", "/demo"]) {
        const status = (host: string | undefined) => send(request(path, "127.0.0.1", { host }))
        for (const host of ["localhost", "127.0.0.1:8080", "[::1]:8080"]) assert.strictEqual(await status(host), 200)
        const others = ["rebound.example.com", "192.168.1.5:8080", "localhost.example.com", "", undefined]
        for (const host of others) assert.strictEqual(await status(host), 403, `${path} at ${String(host)}`)
      }
    }))

  it("answer at any host name if the public URL is this machine", () =>
    serving({ publicUrl: "http://localhost:8080" }, async (send) => {
      assert.strictEqual(await send(request("/metrics", "127.0.0.1", { host: "localhost:8080" })), 200)
    }))

  it("do not exist when metrics are disabled", () =>
    serving({ metrics: false }, async (send) => {
      assert.strictEqual(await send(request("/metrics", "127.0.0.1")), 404)
    }))
})

describe("a proxy that the configuration does not list", () => {
  const hour = 3_600_000
  const trusted = (...proxies: Array<string>) => Result.getOrThrow(ClientAddress.parseProxies(proxies))
  const forwarded = { "x-forwarded-for": "203.0.113.9" }

  it("causes a warning at its first request, then once an hour while requests continue", () => {
    const watch = UnnamedProxy.watch([])
    const from = (address: string | null, now: number, headers: Record<string, string> = forwarded) =>
      watch(request("/", address, headers), now) !== null
    assert.isFalse(from("127.0.0.1", 0, {}))
    assert.isTrue(from("127.0.0.1", 0))
    assert.isFalse(from("172.18.0.1", hour - 1))
    assert.isTrue(from("172.18.0.1", hour))
    assert.isFalse(from("127.0.0.1", hour + 1))
  })

  it("is not assumed for a stranger who sends X-Forwarded-For, nor for a trusted proxy", () => {
    const stranger = UnnamedProxy.watch([])
    assert.isNull(stranger(request("/", "203.0.113.7", forwarded), 0))
    assert.isNull(stranger(request("/", null, forwarded), 0))
    const named = UnnamedProxy.watch(trusted("loopback"))
    assert.isNull(named(request("/", "127.0.0.1", forwarded), 0))
    assert.isNotNull(named(request("/", "10.0.0.1", forwarded), 0))
  })

  it("is named in the log without client addresses", () => {
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
    const warning = UnnamedProxy.watch([])(request("/", "127.0.0.1", forwarded), 0)
    Effect.runSync(Effect.provide(warning!, logger))
    assert.strictEqual(lines.length, 1)
    assert.match(lines[0]!, /TRUSTED_PROXIES/)
    assert.notInclude(lines[0]!, "203.0.113.9")
  })
})

describe("the check for this machine", () => {
  it("accepts a Host header with any port or without a port", () => {
    for (const header of ["localhost", "localhost:1", "127.0.0.1:65535", "[::1]", "[::1]:8080", "LocalHost:8080"])
      assert.isTrue(LocalRequest.isLoopbackHeader(header), header)
    for (const header of [
      undefined,
      "",
      "evil.example.com",
      "evil.example.com:8080",
      "localhost@evil.example.com",
      "localhost:80:80",
      "127.0.0.1.evil.example.com:8080",
      "[::1].evil.example.com",
      "192.168.1.5:8080",
      "::1"
    ])
      assert.isFalse(LocalRequest.isLoopbackHeader(header), String(header))
  })
})
