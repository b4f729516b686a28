import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { type AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Core } from "@countersign/core"
import { MemoryStorage } from "@countersign/core/memory"
import { Dispatcher } from "@countersign/http"
import { Effect, Exit, Layer, Logger, Redacted, Scope } from "effect"
import { assert, describe, it } from "vitest"
import * as HttpServer from "../src/HttpServer.ts"
import { runHere } from "./fixture/Command.ts"
import { secret } from "./fixture/Service.ts"

const service = Dispatcher.layer({ managementApart: true }).pipe(
  Layer.provide(Core.layer({ secret: Redacted.make(secret()), publicUrl: "http://localhost", channels: [] })),
  Layer.provide(MemoryStorage.layer),
  Layer.provide(Logger.layer([]))
)

const close = { headers: { connection: "close" } }

describe("a starting service", () => {
  it("answers 503 with Retry-After to everything but /healthz until it is ready, on both ports", async () => {
    const scope = Effect.runSync(Scope.make())
    const listening = { host: "127.0.0.1", port: 0 }
    const bound = await Effect.runPromise(
      HttpServer.bind({ ...listening, management: listening }).pipe(Scope.provide(scope))
    )
    const urls = [`http://127.0.0.1:${bound.port}`, `http://127.0.0.1:${bound.managementPort}`]
    for (const url of urls) {
      assert.strictEqual((await fetch(`${url}/healthz`, close)).status, 200)
      for (const path of ["/readyz", "/metrics", "/dashboard", "/v1/auth/status", "/v1/admin/merchants"]) {
        const response = await fetch(`${url}${path}`, close)
        assert.strictEqual(response.status, 503, path)
        assert.strictEqual(response.headers.get("retry-after"), "1")
        assert.strictEqual(((await response.json()) as { errorCode: string }).errorCode, "INTERNAL_ERROR")
      }
      const posted = await fetch(`${url}/v1/auth/initiate`, { ...close, method: "POST", body: "x".repeat(100_000) })
      assert.strictEqual(posted.status, 503)
    }
    const context = await Effect.runPromise(Layer.buildWithScope(service, scope))
    await Effect.runPromise(bound.open().pipe(Effect.provideContext(context), Scope.provide(scope)))
    for (const url of urls) assert.strictEqual((await fetch(`${url}/readyz`, close)).status, 200)
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("changes nothing if it cannot listen: no database, no secret, no keys", async () => {
    const taken = createServer()
    await new Promise<void>((resume) => taken.listen(0, "127.0.0.1", resume))
    const folder = await mkdtemp(join(tmpdir(), "countersign-taken-"))
    const directory = join(folder, "data-directory")
    try {
      const port = String((taken.address() as AddressInfo).port)
      const result = await runHere(["serve"], {
        HOST: "127.0.0.1",
        PORT: port,
        COUNTERSIGN_DATA_DIR: directory
      })
      assert.include(JSON.stringify(result), "another program already listens there")
      assert.isFalse(existsSync(directory))
    } finally {
      taken.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
