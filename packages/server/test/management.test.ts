import { createServer } from "node:http"
import { connect, type AddressInfo } from "node:net"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Core } from "@countersign/core"
import { MemoryStorage } from "@countersign/core/memory"
import { Dispatcher } from "@countersign/http"
import { Effect, Exit, Layer, Logger, Redacted, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as HttpServer from "../src/HttpServer.ts"
import { runHere } from "./fixture/Command.ts"
import { secret } from "./fixture/Service.ts"

const adminToken = "a-token-of-the-operator"
const operator = { authorization: `Bearer ${adminToken}` }

const listening = Effect.gen(function* () {
  const mount: HttpServer.Mount = {
    prefix: "/dashboard",
    handler: (_, response) => void response.end("the dashboard")
  }
  return yield* HttpServer.serve({
    host: "127.0.0.1",
    port: 0,
    management: { host: "127.0.0.1", port: 0 },
    mounts: [mount],
    bounds: { connections: 2 }
  })
})

const service = Dispatcher.layer({ adminToken: Redacted.make(adminToken), managementApart: true }).pipe(
  Layer.provide(Core.layer({ secret: Redacted.make(secret()), publicUrl: "http://localhost", channels: [] })),
  Layer.provide(MemoryStorage.layer),
  Layer.provide(Logger.layer([]))
)

describe("a management port", () => {
  let scope: Scope.Closeable
  let urls: { readonly public: string; readonly operator: string }
  beforeAll(async () => {
    scope = Effect.runSync(Scope.make())
    const context = await Effect.runPromise(Layer.buildWithScope(service, scope))
    const ports = await Effect.runPromise(listening.pipe(Effect.provideContext(context), Scope.provide(scope)))
    urls = { public: `http://127.0.0.1:${ports.port}`, operator: `http://127.0.0.1:${ports.managementPort}` }
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  const status = async (url: string, headers: Readonly<Record<string, string>> = operator) =>
    (await fetch(url, { headers: { ...headers, connection: "close" } })).status

  it("is the only one with /metrics and /v1/admin, and serves nothing else", async () => {
    for (const path of ["/metrics", "/v1/admin/merchants"]) {
      assert.strictEqual(await status(`${urls.public}${path}`), 404, path)
      assert.strictEqual(await status(`${urls.operator}${path}`), 200, path)
    }
    assert.strictEqual(await status(`${urls.public}/dashboard`), 200)
    assert.strictEqual(await status(`${urls.operator}/dashboard`), 404)
    for (const url of [urls.public, urls.operator])
      for (const path of ["/healthz", "/readyz"]) assert.strictEqual(await status(`${url}${path}`), 200, url + path)
    assert.strictEqual(await status(`${urls.operator}/v1/admin/merchants`, {}), 401)
  })

  it("answers while the public port has its maximum of connections", async () => {
    const sockets = await Promise.all(
      [1, 2].map(
        () =>
          new Promise<ReturnType<typeof connect>>((resolve) => {
            const socket = connect(Number(new URL(urls.public).port), "127.0.0.1", () => resolve(socket))
          })
      )
    )
    assert.strictEqual(await status(`${urls.public}/healthz`), 503)
    assert.strictEqual(await status(`${urls.operator}/readyz`), 200)
    for (const socket of sockets) socket.destroy()
  })
})

describe("a start with a management port", () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "countersign-management-"))
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  it("stops with a clear error before keys are created if the port is taken", async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
    const taken = String((other.address() as AddressInfo).port)
    const start = (variables: Readonly<Record<string, string>>) =>
      runHere(["serve"], { COUNTERSIGN_DATA_DIR: join(directory, "data"), PORT: "0", ...variables })
    const { code, stderr, stdout } = await start({ MANAGEMENT_PORT: taken })
    assert.strictEqual(code, 1)
    assert.match(
      stderr,
      /^MANAGEMENT_HOST, MANAGEMENT_PORT: cannot listen on 127\.0\.0\.1:\d+: .+ choose another MANAGEMENT_PORT\n$/
    )
    assert.notMatch(stdout, /X-Client-Secret/)
    await new Promise((resolve) => other.close(resolve))
    const wrong: ReadonlyArray<readonly [Readonly<Record<string, string>>, RegExp]> = [
      [{ PORT: taken, MANAGEMENT_PORT: taken }, /^MANAGEMENT_PORT: must differ from PORT\n$/],
      [{ MANAGEMENT_PORT: "x" }, /^MANAGEMENT_PORT: must be a whole number/],
      [{ MANAGEMENT_HOST: "127.0.0.1" }, /^MANAGEMENT_PORT: is required together with MANAGEMENT_HOST\n$/],
      [{ COUNTERSIGN_ADMIN_ADDRESSES: "10.0.0.0/33" }, /^COUNTERSIGN_ADMIN_ADDRESSES: must be a comma-separated list/]
    ]
    for (const [variables, expected] of wrong) assert.match((await start(variables)).stderr, expected)
    assert.deepStrictEqual(await readdir(directory), [])
  })
})
