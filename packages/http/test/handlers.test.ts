import { EventEmitter } from "node:events"
import { createServer, request as nodeRequest } from "node:http"
import type { AddressInfo } from "node:net"
import { Core, MemoryStorage, Merchants } from "@countersign/core"
import { Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Countersign, Dispatcher, HttpLayer, NodeHandler } from "../src/index.ts"

const plain = (kind: string) => ({
  clientId: `cs_${kind}_handlers`,
  clientSecret: `sk_${kind}_handlers_0123456789`,
  publicKey: `pk_${kind}_handlers`
})
const keys = { live: plain("live"), test: plain("test") }
const redact = (one: ReturnType<typeof plain>) => ({ ...one, clientSecret: Redacted.make(one.clientSecret) })
const redacted = { live: redact(keys.live), test: redact(keys.test) }
const prefix = "/identity"

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

type Door = (sent: Sent) => Promise<Answer>

const interesting = ["content-type", "cache-control", "x-request-id", "allow", "idempotency-replayed"]
const pick = (get: (name: string) => string | null | undefined) =>
  Object.fromEntries(interesting.map((name) => [name, get(name) ?? undefined]))

const overFetch =
  (handler: (request: Request) => Promise<Response>, at: string): Door =>
  async ({ body, headers, method, path }) => {
    const init = body === undefined ? { method, headers } : { method, headers, body }
    const answer = await handler(new Request(`http://localhost${at}${path}`, init))
    return { status: answer.status, headers: pick((name) => answer.headers.get(name)), text: await answer.text() }
  }

const overNode =
  (port: number, at: string): Door =>
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
const large = JSON.stringify({ padding: "x".repeat(70_000) })

const requests: ReadonlyArray<[what: string, sent: Sent, status: number]> = [
  ["life", { method: "GET", path: "/healthz", headers: { "x-request-id": "mine" } }, 200],
  ["no path", { method: "GET", path: "/nothing", headers: { "x-request-id": "mine" } }, 404],
  ["no method", { method: "DELETE", path: "/v1/auth/verify", headers: { "x-request-id": "mine" } }, 405],
  ["nobody", { method: "POST", path: "/v1/auth/verify", headers: { "x-request-id": "mine" }, body: "{}" }, 401],
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
  ["HEAD", { method: "HEAD", path: "/healthz", headers: { "x-request-id": "mine" } }, 200]
]

describe("every way in", () => {
  const close: Array<() => Promise<unknown>> = []
  const doors = new Map<string, Door>()

  beforeAll(async () => {
    const options = { storage: MemoryStorage.layer, channels: [], secret: "0a".repeat(32), keys }
    const countersign = await Countersign.make({ ...options, prefix })
    close.push(countersign.close)
    doors.set("web", overFetch(countersign.handler, prefix))
    const server = createServer(countersign.nodeHandler)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    close.push(() => new Promise((resolve) => server.close(resolve)))
    doors.set("node", overNode((server.address() as AddressInfo).port, prefix))
    const core = Core.layer({ secret: Redacted.make(options.secret), publicUrl: "http://localhost", channels: [] })
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
    doors.set(
      "router",
      overFetch((request) => router.handler(request), "")
    )
  })
  afterAll(async () => {
    for (const one of close.reverse()) await one()
  })

  it.each(requests)("answers alike: %s", async (_, sent, status) => {
    const answers = await Promise.all([...doors].map(async ([name, door]) => [name, await door(sent)] as const))
    const [[, first]] = answers as unknown as [readonly [string, Answer]]
    assert.strictEqual(first.status, status, first.text)
    assert.strictEqual(first.headers["x-request-id"], "mine")
    for (const [name, answer] of answers) assert.deepStrictEqual(answer, first, name)
  })

  it("carries a whole login", async () => {
    for (const [name, door] of doors) {
      const post = (path: string, body: unknown) =>
        door({ method: "POST", path, headers: json, body: JSON.stringify(body) })
      const begun = await post("/v1/auth/initiate", { identity: "+919876543210", identityType: "MOBILE", mode: "OTP" })
      assert.strictEqual(begun.status, 200, `${name}: ${begun.text}`)
      const { requestId } = JSON.parse(begun.text)
      assert.strictEqual(JSON.parse((await post("/v1/auth/verify", { requestId, otp: "123456" })).text).verified, true)
      const status = await door({ method: "GET", path: `/v1/auth/status?requestId=${requestId}`, headers: json })
      assert.strictEqual(JSON.parse(status.text).authStatus, "VERIFIED")
    }
  })
})

describe("a client that leaves", () => {
  it("while its credentials are checked does not leave a request behind", async () => {
    const answers: Array<number> = []
    const dispatcher = Layer.succeed(Dispatcher, {
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
        end: () => resolve()
      })
    })
    assert.deepStrictEqual(answers, [400])
  })
})
