import { gunzipSync } from "node:zlib"
import { Core } from "@countersign/core"
import type { Channel } from "@countersign/core/channel"
import { MemoryStorage } from "@countersign/core/memory"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { afterEach, assert, describe, it } from "vitest"
import { LargeBodiesBusy } from "../src/Fault.ts"
import { Dispatcher, type DispatcherOptions, type WireRequest } from "../src/index.ts"

const callbackChannel: Channel = {
  name: "SMS",
  provider: "acme",
  supports: { types: ["OTP"], receipts: true, senders: undefined } as never,
  send: () => Effect.succeed({ providerId: null }),
  callback: {
    name: "acme",
    checkHeaders: (header) => header("x-acme-signature") === "right",
    receive: () => Effect.die("read without a signature")
  }
}

let runtime: ManagedRuntime.ManagedRuntime<Dispatcher, unknown>
afterEach(() => runtime.dispose())

const serving = (options: DispatcherOptions = {}, channels: ReadonlyArray<Channel> = []) => {
  runtime = ManagedRuntime.make(
    Dispatcher.layer(options).pipe(
      Layer.provide(Core.layer({ secret: Redacted.make("00".repeat(32)), publicUrl: "http://localhost", channels })),
      Layer.provide(MemoryStorage.layer)
    )
  )
  return async ({ headers = {}, ...request }: Partial<WireRequest> & { readonly headers?: Record<string, string> }) => {
    const answer = await runtime.runPromise(
      Effect.flatMap(Dispatcher, ({ dispatch }) =>
        dispatch({
          method: "GET",
          path: "/",
          query: "",
          remoteAddress: "203.0.113.7",
          header: (name) => headers[name],
          body: () => Effect.die("the body was read"),
          ...request
        })
      )
    )
    return { ...answer, body: answer.body as string | Uint8Array }
  }
}

const textOf = (body: string | Uint8Array) => (typeof body === "string" ? body : new TextDecoder().decode(body))

describe("/docs", () => {
  it("is compressed once, and not sent again to a client that has it", async () => {
    const send = serving()
    const plain = await send({ path: "/docs" })
    const packed = await send({ path: "/docs", headers: { "accept-encoding": "br, gzip;q=0.8" } })
    const again = await send({ path: "/docs", headers: { "accept-encoding": "gzip" } })
    assert.strictEqual(packed.headers["content-encoding"], "gzip")
    assert.strictEqual(gunzipSync(packed.body).toString(), textOf(plain.body))
    assert.strictEqual(again.body, packed.body)
    const refused = await send({ path: "/docs", headers: { "accept-encoding": "gzip;q=0, br" } })
    assert.isUndefined(refused.headers["content-encoding"])
    const known = await send({ path: "/docs", headers: { "if-none-match": `"other", W/${plain.headers["etag"]}` } })
    assert.deepStrictEqual([known.status, known.body], [304, ""])
  })

  it("has one copy in memory for any number of clients that do not read it", async () => {
    const send = serving()
    for (const path of ["/docs", "/openapi.json"]) {
      const [one, other] = [await send({ path }), await send({ path })]
      assert.instanceOf(one.body, Uint8Array)
      assert.strictEqual(one.body, other.body)
    }
  })

  it("names no other host, and does not let its page connect to one", async () => {
    const { body, headers } = await serving()({ path: "/docs" })
    const policy = headers["content-security-policy"] ?? ""
    assert.match(policy, /^default-src 'none'; script-src 'sha256-[^']+' 'sha256-[^']+'; /)
    assert.include(policy, "connect-src 'self';")
    assert.notInclude(policy, "unsafe-eval")
    // The options of the page's call, between the reference's own script and the contract.
    const [, options = ""] =
      /window\.Scalar\.createApiReference\(\S+ \{\s+\.\.\.(.*),\s+content: /.exec(textOf(body)) ?? []
    assert.include(options, '"withDefaultFonts":false')
  })
})

describe("the pages", () => {
  it("have an icon, and the API reference uses the address that it was opened at", async () => {
    const send = serving({ publicUrl: "https://verify.example.com/identity" })
    for (const path of ["/", "/docs"])
      assert.include(textOf((await send({ path })).body), '<link rel="icon" href="data:image/svg+xml,', path)
    const { body, headers } = await send({ path: "/docs" })
    assert.include(textOf(body).slice(-1_000_000), '"servers":[{"url":"/identity"}]')
    assert.include(headers["content-security-policy"], "connect-src 'self';")
    assert.include(textOf(body).slice(-1_000_000), "curl -s https://verify.example.com/identity/v1/auth/initiate")
  })
})

describe("/openapi.json", () => {
  it("names the URL of the service: its public URL, or the path where it is mounted", async () => {
    const servers = async (options: DispatcherOptions) => {
      const { body } = await serving(options)({ path: "/openapi.json" })
      await runtime.dispose()
      return JSON.parse(textOf(body)).servers
    }
    assert.deepStrictEqual(await servers({}), [{ url: "/" }])
    assert.deepStrictEqual(await servers({ basePath: "/identity" }), [{ url: "/identity" }])
    const publicUrl = "https://verify.example.com/identity"
    assert.deepStrictEqual(await servers({ basePath: "/x", publicUrl }), [{ url: publicUrl }])
    serving()
  })
})

describe("a path", () => {
  it("of the service root shows a page that links to the docs", async () => {
    const { body, headers, status } = await serving({ basePath: "/identity" })({})
    assert.strictEqual(status, 200)
    assert.match(headers["content-type"] ?? "", /^text\/html/)
    assert.include(textOf(body), 'href="/identity/docs"')
  })

  it("with an id of 8 KB is unknown, also with an idempotency key", async () => {
    const send = serving({ adminToken: Redacted.make("the-operator-of-this") })
    for (const length of [257, 1024, 8192]) {
      const { body, status } = await send({
        method: "POST",
        path: `/v1/admin/merchants/${"x".repeat(length)}/suspend`,
        headers: {
          authorization: "Bearer the-operator-of-this",
          "idempotency-key": "7f9c2d1e-0000-4000-8000-000000000000"
        }
      })
      assert.deepStrictEqual([status, JSON.parse(textOf(body)).errorCode], [404, "MERCHANT_NOT_FOUND"], String(length))
    }
  })

  it("of the key set allows short caching", async () => {
    const { headers } = await serving()({ path: "/.well-known/jwks.json" })
    assert.strictEqual(headers["cache-control"], "public, max-age=300")
  })
})

describe("a provider callback", () => {
  it("with an unknown name, or without a well-formed signature, is refused before its body is read", async () => {
    const send = serving({}, [callbackChannel])
    const unknown = await send({ method: "POST", path: "/v1/callbacks/nobody" })
    assert.strictEqual(unknown.status, 404)
    const unsigned = await send({ method: "POST", path: "/v1/callbacks/acme" })
    assert.strictEqual(unsigned.status, 403)
    const headers = { "x-acme-signature": "x", "content-length": "3145728" }
    const otherForm = await send({ method: "POST", path: "/v1/callbacks/acme", headers })
    assert.strictEqual(otherForm.status, 403)
  })

  it("gets 429 while unauthenticated callbacks hold all memory reserved for them", async () => {
    const send = serving({}, [callbackChannel])
    const answer = await send({
      method: "POST",
      path: "/v1/callbacks/acme",
      headers: { "x-acme-signature": "right", "content-length": "3145728" },
      body: (_, take) =>
        take!(16 * 1024 * 1024) && !take!(1) ? Effect.fail(new LargeBodiesBusy()) : Effect.die("was not counted")
    })
    assert.deepStrictEqual([answer.status, answer.headers["retry-after"]], [429, "5"])
  })

  it("may have a body of 64 KB, unless its provider needs more", async () => {
    const limits: Array<number> = []
    const send = serving({}, [callbackChannel])
    await send({
      method: "POST",
      path: "/v1/callbacks/acme",
      headers: { "x-acme-signature": "right" },
      body: (limit) => {
        limits.push(limit)
        return Effect.die("enough")
      }
    })
    assert.deepStrictEqual(limits, [64 * 1024])
  })
})
