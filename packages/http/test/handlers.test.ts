import { EventEmitter } from "node:events"
import { createServer, request as nodeRequest } from "node:http"
import type { AddressInfo } from "node:net"
import { Core, Merchants } from "@countersign/core"
import { MemoryStorage } from "@countersign/core/memory"
import { Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { makeService, Dispatcher, HttpLayer, NodeHandler } from "../src/index.ts"

const plain = (kind: string) => ({
  clientId: `cs_${kind}_handlers`,
  clientSecret: `sk_${kind}_handlers_0123456789`,
  publicKey: `pk_${kind}_handlers`
})
const keys = { live: plain("live"), test: plain("test") }
const redact = (one: ReturnType<typeof plain>) => ({ ...one, clientSecret: Redacted.make(one.clientSecret) })
const redacted = { live: redact(keys.live), test: redact(keys.test) }
const prefix = "/identity"
const publicUrl = "https://verify.example.com/identity"

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: string
}

interface Answer {
  readonly status: number
  readonly headers: { readonly [name: string]: string | undefined }
  readonly text: string
}

type Client = (sent: Sent) => Promise<Answer>

const interesting = [
  "content-type",
  "cache-control",
  "x-request-id",
  "allow",
  "location",
  "content-security-policy",
  "idempotency-replayed",
  "access-control-allow-origin",
  "access-control-allow-headers"
]
const pick = (get: (name: string) => string | null | undefined) =>
  Object.fromEntries(interesting.map((name) => [name, get(name) ?? undefined]))

const overFetch =
  (handler: (request: Request) => Promise<Response>, at: string): Client =>
  async ({ body, headers, method, path }) => {
    const init = body === undefined ? { method, headers } : { method, headers, body }
    const answer = await handler(new Request(`http://localhost${at}${path}`, init))
    return { status: answer.status, headers: pick((name) => answer.headers.get(name)), text: await answer.text() }
  }

const overNode =
  (port: number, at: string): Client =>
  ({ body, headers, method, path }) =>
    new Promise((resolve, reject) => {
      const client = nodeRequest(
        { host: "127.0.0.1", port, path: `${at}${path}`, method, headers, agent: false },
        (response) => {
          let text = ""
          response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: pick((name) => response.headers[name]?.toString()),
              text
            })
          )
        }
      )
      client.on("error", reject).end(body)
    })

const credentials = { "x-client-id": keys.test.clientId, "x-client-secret": keys.test.clientSecret }
const json = { ...credentials, "content-type": "application/json", "x-request-id": "mine" }
const app = { "x-public-key": keys.test.publicKey, "content-type": "application/json", "x-request-id": "mine" }
const form = { "content-type": "application/x-www-form-urlencoded", "x-request-id": "mine" }
const large = JSON.stringify({ padding: "x".repeat(70_000) })

const requests: ReadonlyArray<[what: string, sent: Sent, status: number]> = [
  ["health", { method: "GET", path: "/healthz", headers: { "x-request-id": "mine" } }, 200],
  ["an unknown path", { method: "GET", path: "/nothing", headers: { "x-request-id": "mine" } }, 404],
  ["an unsupported method", { method: "DELETE", path: "/v1/auth/verify", headers: { "x-request-id": "mine" } }, 405],
  ["no credential", { method: "POST", path: "/v1/auth/verify", headers: { "x-request-id": "mine" }, body: "{}" }, 401],
  ["settings", { method: "GET", path: "/v1/dashboard/settings", headers: json }, 200],
  ["a query", { method: "GET", path: "/v1/auth/status?requestId=a&requestId=b", headers: json }, 400],
  ["an unknown id", { method: "GET", path: "/v1/auth/status?orderId=%C3%BC%00", headers: json }, 400],
  ["no JSON", { method: "POST", path: "/v1/auth/verify", headers: json, body: "{" }, 400],
  ["no body", { method: "POST", path: "/v1/auth/verify", headers: json }, 400],
  [
    "text",
    { method: "POST", path: "/v1/auth/verify", headers: { ...json, "content-type": "text/plain" }, body: "{}" },
    400
  ],
  ["a field", { method: "POST", path: "/v1/auth/initiate", headers: json, body: '{"identity":1}' }, 400],
  ["too much", { method: "POST", path: "/v1/auth/verify", headers: json, body: large }, 413],
  ["a preflight", { method: "OPTIONS", path: "/v1/sdk/auth/verify", headers: { "x-request-id": "mine" } }, 204],
  ["an app", { method: "POST", path: "/v1/sdk/auth/initiate", headers: app, body: '{"phone":1}' }, 400],
  ["no app", { method: "POST", path: "/v1/sdk/auth/initiate", headers: json, body: "{}" }, 401],
  ["no token", { method: "POST", path: "/v1/sdk/auth/verify", headers: app, body: "{}" }, 401],
  ["no device", { method: "DELETE", path: "/v1/dashboard/devices/dvc_1", headers: json }, 404],
  ["a link", { method: "GET", path: "/l/x", headers: { "x-request-id": "mine" } }, 404],
  ["a link's head", { method: "HEAD", path: "/l/x", headers: { "x-request-id": "mine" } }, 404],
  ["a press", { method: "POST", path: "/l", headers: form, body: "token=x" }, 404],
  ["HEAD", { method: "HEAD", path: "/healthz", headers: { "x-request-id": "mine" } }, 200]
]

describe("every request handler", () => {
  const close: Array<() => Promise<unknown>> = []
  const clients = new Map<string, Client>()

  beforeAll(async () => {
    const options = { storage: MemoryStorage.layer, channels: [], secret: "0a".repeat(32), keys, baseUrl: publicUrl }
    const countersign = await makeService({ ...options, basePath: prefix })
    close.push(countersign.close)
    clients.set("web", overFetch(countersign.handler, prefix))
    const server = createServer(countersign.nodeHandler)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    close.push(() => new Promise((resolve) => server.close(resolve)))
    clients.set("node", overNode((server.address() as AddressInfo).port, prefix))
    const core = Core.layer({ secret: Redacted.make(options.secret), publicUrl, channels: [] })
    const known = Layer.effectDiscard(
      Effect.flatMap(Merchants, (merchants) => merchants.ensure("Countersign", redacted))
    )
    const services = Layer.merge(Dispatcher.layer(), known).pipe(
      Layer.provide(core),
      Layer.provide(MemoryStorage.layer)
    )
    const router = HttpRouter.toWebHandler(
      HttpLayer.layer.pipe(Layer.provide(services), Layer.provide(HttpServer.layerServices)),
      { disableLogger: true }
    )
    close.push(router.dispose)
    clients.set(
      "router",
      overFetch((request) => router.handler(request), "")
    )
  })
  afterAll(async () => {
    for (const one of close.reverse()) await one()
  })

  it.each(requests)("gives the same answer: %s", async (_, sent, status) => {
    const answers = await Promise.all([...clients].map(async ([name, client]) => [name, await client(sent)] as const))
    const [[, first]] = answers as unknown as [readonly [string, Answer]]
    assert.strictEqual(first.status, status, first.text)
    assert.strictEqual(first.headers["x-request-id"], "mine")
    for (const [name, answer] of answers) assert.deepStrictEqual(answer, first, name)
  })

  it("carries a whole login", async () => {
    for (const [name, client] of clients) {
      const post = (path: string, body: unknown) =>
        client({ method: "POST", path, headers: json, body: JSON.stringify(body) })
      const begun = await post("/v1/auth/initiate", { identity: "+919876543210", identityType: "MOBILE", mode: "OTP" })
      assert.strictEqual(begun.status, 200, `${name}: ${begun.text}`)
      const { requestId } = JSON.parse(begun.text)
      assert.strictEqual(JSON.parse((await post("/v1/auth/verify", { requestId, otp: "123456" })).text).verified, true)
      const status = await client({
        method: "GET",
        path: `/v1/auth/status?requestId=${requestId}`,
        headers: json
      })
      assert.strictEqual(JSON.parse(status.text).authStatus, "VERIFIED")

      const { sessionToken } = JSON.parse((await post("/v1/sdk/session", {})).text)
      const inApp = (path: string, headers: Sent["headers"], body: unknown) =>
        client({
          method: "POST",
          path: `/v1/sdk/auth/${path}`,
          headers: { ...app, ...headers },
          body: JSON.stringify(body)
        })
      const { sessionId } = JSON.parse((await inApp("initiate", {}, { phone: "+919876543210" })).text)
      const bearer = { authorization: `Bearer ${sessionToken}` }
      const checked = await inApp("verify", bearer, { sessionId, code: "123456" })
      assert.deepStrictEqual(JSON.parse(checked.text), { verified: true, requestId: sessionId })
    }
  })

  it("carries a whole login by link, and returns the headers of the press", async () => {
    const redirectUri = "https://shop.example.com/back"
    for (const [name, client] of clients) {
      const send = (method: string, path: string, body: unknown) =>
        client({ method, path, headers: json, body: JSON.stringify(body) })
      await send("PATCH", "/v1/dashboard/settings", { redirectUris: [redirectUri] })
      const request = { identity: "+919876543219", identityType: "MOBILE", mode: "MAGIC_LINK", redirectUri }
      const { link } = JSON.parse((await send("POST", "/v1/auth/initiate", request)).text)
      assert.isTrue(link.startsWith(`${publicUrl}/l/`), link)
      const path = link.slice(publicUrl.length)
      const page = await client({ method: "GET", path, headers: {} })
      assert.include(page.text, `action="${publicUrl}/l"`, name)
      const body = new URLSearchParams({ token: path.slice(3) }).toString()
      const pressed = await client({ method: "POST", path: "/l", headers: form, body })
      assert.deepStrictEqual([pressed.status, pressed.text], [303, ""], name)
      const code = new URL(pressed.headers["location"] ?? "").searchParams.get("code")
      const { identity } = JSON.parse((await send("POST", "/v1/auth/token", { code })).text)
      assert.strictEqual(identity, request.identity, name)
    }
  })
})

describe("a body that middleware has already parsed", () => {
  it("is serialized again as a form or JSON, by its content type", async () => {
    const bodies: Array<string> = []
    const dispatcher = Layer.succeed(Dispatcher, {
      serves: () => true,
      dispatch: ({ body }) =>
        Effect.map(Effect.orDie(body(1000)), (bytes) => {
          bodies.push(new TextDecoder().decode(bytes))
          return { status: 200, headers: {}, body: "" }
        })
    })
    const handler = await Effect.runPromise(Effect.provide(NodeHandler.make(), dispatcher))
    const server = createServer((request, response) => {
      const type = request.headers["content-type"]
      request.resume().on("end", () =>
        setImmediate(() => {
          const body =
            type === "application/json" ? { token: "a b" } : Object.assign(Object.create(null), { token: "a b" })
          handler(Object.assign(request, { body }), response)
        })
      )
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const client = overNode((server.address() as AddressInfo).port, "")
    await client({ method: "POST", path: "/l", headers: form, body: "token=a+b" })
    await client({ method: "POST", path: "/x", headers: { "content-type": "application/json" }, body: "{}" })
    assert.deepStrictEqual(bodies, ["token=a+b", '{"token":"a b"}'])
    await new Promise((resolve) => server.close(resolve))
  })
})

describe("the client address", () => {
  const phones = ["+919876543211", "+919876543212", "+919876543213"]
  const options = {
    storage: MemoryStorage.layer,
    channels: [],
    secret: "0a".repeat(32),
    environment: "test",
    settings: { sdkInitiatesPerIpPerHour: 1 }
  } as const

  /** The statuses of initiates sent from these addresses in turn. */
  const from = async (
    given: Partial<Parameters<typeof makeService>[0]>,
    addresses: ReadonlyArray<{ readonly [name: string]: string }>
  ): Promise<ReadonlyArray<number>> => {
    const countersign = await makeService({ ...options, keys, ...given })
    const statuses: Array<number> = []
    for (const [i, headers] of addresses.entries()) {
      const init = { method: "POST", headers: { ...app, ...headers }, body: JSON.stringify({ phone: phones[i] }) }
      statuses.push((await countersign.handler(new Request("http://localhost/v1/sdk/auth/initiate", init))).status)
    }
    await countersign.close()
    return statuses
  }
  const clientAddress = (request: Request) => request.headers.get("x-connection")

  it("comes from the server below the handler, and each client has its own limit", async () => {
    const addresses = ["192.0.2.1", "192.0.2.1", "192.0.2.2"].map((one) => ({ "x-connection": one }))
    assert.deepStrictEqual(await from({ clientAddress }, addresses), [200, 429, 200])
  })

  it("cannot be claimed by a client, and all clients share one limit where it is unknown", async () => {
    const forwarded = ["192.0.2.1", "192.0.2.2", "192.0.2.2"].map((one) => ({ "x-forwarded-for": one }))
    assert.deepStrictEqual(await from({}, forwarded), [200, 429, 429])
    const claimed = forwarded.map((headers) => ({ ...headers, "x-connection": "10.0.0.1" }))
    assert.deepStrictEqual(await from({ clientAddress }, claimed), [200, 429, 429])
    assert.deepStrictEqual(await from({ clientAddress, trustedProxies: ["private"] }, claimed), [200, 200, 429])
  })
})

describe("a client that disconnects", () => {
  it("while its credentials are checked leaves no request running", async () => {
    const answers: Array<number> = []
    const dispatcher = Layer.succeed(Dispatcher, {
      serves: () => true,
      dispatch: ({ body }) =>
        Effect.match(body(1000), {
          onSuccess: () => ({ status: 200, headers: {}, body: "" }),
          onFailure: () => ({ status: 400, headers: {}, body: "" })
        })
    })
    const handler = await Effect.runPromise(Effect.provide(NodeHandler.make(), dispatcher))
    const gone = Object.assign(new EventEmitter(), {
      method: "POST",
      url: "/",
      headers: {},
      readableEnded: false,
      destroyed: true,
      resume: () => {}
    })
    await new Promise<void>((resolve) => {
      handler(gone, {
        destroyed: false,
        headersSent: false,
        writeHead: (status) => answers.push(status),
        end: () => resolve(),
        write: () => true,
        destroy: () => {},
        on: () => {},
        off: () => {}
      })
    })
    assert.deepStrictEqual(answers, [400])
  })
})
