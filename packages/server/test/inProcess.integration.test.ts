import type { Instant, Merchant } from "@countersign/core"
import { MemoryStorage } from "@countersign/core/memory"
import { noRecords, MerchantStore, type Storage } from "@countersign/core/storage"
import { type EmbeddedService, makeService } from "@countersign/http"
import { PgStorage } from "@countersign/postgres"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { code, phone } from "./fixture/Client.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { secret } from "./fixture/Service.ts"

const names = ["cs_live_in_process", "pk_live_in_process", "cs_test_in_process", "pk_test_in_process"]

/** The merchant that an embedded service without keys used to create, with publicly known credentials. */
const asBefore = (now: Instant.Instant) => {
  const merchant: Merchant.Merchant = { id: "mer_before", name: "Acme", status: "ACTIVE", createdAt: now }
  const environments = (["live", "test"] as const).map(
    (kind): Merchant.Environment => ({
      id: `${kind}_before`,
      merchantId: merchant.id,
      kind,
      settings: { brand: "Acme" },
      settingsVersion: 1
    })
  )
  const credentials = names.map((id): Merchant.Credential => {
    const server = id.startsWith("cs_")
    return {
      id,
      kind: server ? "SERVER" : "PUBLIC",
      environment: id.includes("_live_") ? "live_before" : "test_before",
      scopes: server ? ["auth", "leads", "dashboard"] : [],
      name: null,
      secretHash: server ? "ab".repeat(32) : null,
      replaced: [],
      createdAt: now,
      lastUsedAt: null,
      revokedAt: null
    }
  })
  return { merchant, environments, credentials }
}

const opened: Array<() => Promise<unknown>> = []
afterAll(async () => void (await Promise.all(opened.map((close) => close()))))

/** Storage that several services in this process share, as processes share a database. */
const share = async <E>(layer: Layer.Layer<Storage, E>) => {
  const scope = await Effect.runPromise(Scope.make())
  opened.push(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return Effect.runPromise(Layer.buildWithScope(layer, scope))
}

const storages: { readonly [name: string]: () => Promise<Context.Context<Storage>> } = {
  memory: () => share(MemoryStorage.layer),
  embedded: () => share(PgStorage.layerEmbedded()),
  Postgres: async () => {
    const database = await FreshDatabase.make()
    const storage = await share(PgStorage.layer({ url: Redacted.make(database.url), connections: 4 }))
    opened.push(() => database.drop())
    return storage
  }
}

const audienceOf = (token: string | null): unknown =>
  JSON.parse(Buffer.from((token ?? "").split(".")[1] ?? "", "base64url").toString()).aud

const headersOf = (name: string) => ({
  "x-public-key": name,
  "x-client-id": name,
  "x-client-secret": name,
  authorization: `Bearer ${name}`,
  "content-type": "application/json"
})

/** Calls every operation that requires a credential. */
const callAll = async (countersign: EmbeddedService, name: string) => {
  const openapi = (await (await countersign.handler(new Request("http://localhost/openapi.json"))).json()) as any
  const operations = Object.entries<any>(openapi.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, { security = [] }]) => ({ path, method, asks: security.length > 0 }))
  )
  const asking = operations.filter(({ asks, path }) => asks && !path.startsWith("/v1/admin"))
  assert.isAbove(asking.length, 10)
  return Promise.all(
    asking.map(async ({ method, path }) => {
      const url = `http://localhost${path.replace(/\{\w+\}/g, "x")}`
      const body = method === "get" || method === "delete" ? undefined : JSON.stringify({ phone: phone() })
      const init = { method: method.toUpperCase(), headers: headersOf(name), ...(body === undefined ? {} : { body }) }
      return [`${method} ${path}`, (await countersign.handler(new Request(url, init))).status] as const
    })
  )
}

describe.each(Object.keys(storages))("a service embedded without keys, on %s", (kind) => {
  it("has no valid credential, revokes the former default keys while another process runs, and keeps its merchant", async () => {
    const storage = await storages[kind]!()
    const store = Context.get(storage, MerchantStore)
    await Effect.runPromise(store.create({ ...noRecords, ...asBefore(Date.UTC(2026, 0, 1)) }))
    const options = {
      storage: Layer.succeedContext(storage),
      channels: [],
      secret: secret(),
      environment: "test"
    } as const
    const countersign = await makeService(options)
    const others = await Promise.all([makeService(options), makeService(options)])
    for (const process of [countersign, ...others]) {
      for (const name of names) {
        const statuses = await callAll(process, name)
        assert.deepStrictEqual(
          statuses.filter(([, status]) => status !== 401),
          []
        )
      }
      for (const path of ["/healthz", "/readyz", "/.well-known/jwks.json", "/docs"]) {
        assert.strictEqual((await process.handler(new Request(`http://localhost${path}`))).status, 200, path)
      }
    }
    for (const name of names) {
      const access = await Effect.runPromise(store.access(name))
      assert.isNotNull(access?.credential.revokedAt ?? null, name)
      assert.isNull(access?.credential.secretHash ?? null)
    }

    const identity = phone()
    const { requestId } = await countersign.initiate({ identity, identityType: "MOBILE" })
    // Every process belongs to the merchant that already existed.
    const { idToken, verified } = await others[0]!.verify({ requestId, otp: code })
    assert.isTrue(verified)
    assert.strictEqual(audienceOf(idToken), "cs_test_in_process")
    assert.deepInclude(await others[1]!.confirm({ idToken: idToken! }), { success: true, phoneNumber: identity })
    const merchants = await Effect.runPromise(store.list({ after: null, limit: 10 }))
    assert.deepStrictEqual(
      merchants.map(({ id }) => id),
      ["mer_before"]
    )
    await Promise.all([countersign, ...others].map((process) => process.close()))
  })
})

describe("a service embedded with keys", () => {
  it("keeps its methods when a key is revoked over HTTP, and idTokens are issued for its client id", async () => {
    const keys = (kind: string) => ({
      clientId: `cs_${kind}_mine`,
      clientSecret: secret(),
      publicKey: `pk_${kind}_mine`
    })
    const { live, test } = { live: keys("live"), test: keys("test") }
    const storage = Layer.succeedContext(await share(MemoryStorage.layer))
    const options = { storage, channels: [], secret: secret(), environment: "test", keys: { live, test } } as const
    const countersign = await makeService(options)
    const send = (method: string, path: string, body?: object) =>
      countersign.handler(
        new Request(`http://localhost${path}`, {
          method,
          headers: {
            "x-client-id": test.clientId,
            "x-client-secret": test.clientSecret,
            "content-type": "application/json"
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
      )
    assert.strictEqual((await send("POST", "/v1/dashboard/keys", { type: "SERVER" })).status, 201)
    assert.strictEqual((await send("DELETE", `/v1/dashboard/keys/${test.clientId}`)).status, 204)
    assert.strictEqual((await send("GET", "/v1/dashboard/settings")).status, 401)
    const { requestId } = await countersign.initiate({ identity: phone(), identityType: "MOBILE" })
    const { idToken } = await countersign.verify({ requestId, otp: code })
    assert.strictEqual(audienceOf(idToken), test.clientId)
    const { sessionToken } = await countersign.createSession()
    const checked = await countersign.handler(
      new Request("http://localhost/v1/sdk/auth/verify", {
        method: "POST",
        headers: { authorization: `Bearer ${sessionToken}`, "content-type": "application/json" },
        body: JSON.stringify({ sessionId: "ver_none", code })
      })
    )
    assert.strictEqual(((await checked.json()) as { errorCode: string }).errorCode, "TRANSACTION_NOT_FOUND")
    await countersign.close()
    // The next start finds the merchant by the revoked key, and does not restore the key.
    const again = await makeService(options)
    assert.strictEqual((await again.status({ requestId })).authStatus, "VERIFIED")
    await again.close()
  })
})
