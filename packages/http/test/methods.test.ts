import type { ListenedEvent } from "@countersign/core"
import { MemoryStorage } from "@countersign/core/memory"
import { Effect, Layer, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { takesServerKey } from "../src/contract/Security.ts"
import { makeService, CountersignError } from "../src/index.ts"
import { methodRoutes } from "../src/methods.ts"
import { contract } from "../src/Routes.ts"

type Made = Awaited<ReturnType<typeof makeService>>

const failureOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "nothing",
    (error: unknown) => (error instanceof CountersignError ? `${error.errorCode} ${error.message}` : String(error))
  )

describe("an embedded service", () => {
  let countersign: Made
  beforeAll(async () => {
    countersign = await makeService({
      storage: MemoryStorage.layer,
      channels: [],
      secret: "00".repeat(32),
      environment: "test"
    })
  })
  afterAll(() => countersign.close())

  it("has a method for every endpoint that a server key may call", () => {
    const found = countersign as unknown as { readonly [name: string]: unknown }
    const methodOf = (group: string, name: string, topLevel: boolean) =>
      topLevel ? found[name] : (found[group] as { readonly [name: string]: unknown } | undefined)?.[name]
    const open = contract.filter(({ needs }) => takesServerKey(needs))
    assert.isAbove(open.length, 100)
    const missing = open.filter(({ group, name, topLevel }) => typeof methodOf(group, name, topLevel) !== "function")
    assert.deepStrictEqual(
      missing.map(({ method, path }) => `${method} ${path}`),
      []
    )
  })

  it("has no method for endpoints of team members, the operator or app sessions", () => {
    const others = methodRoutes.filter(({ needs }) => !takesServerKey(needs)).map(({ group, name }) => [group, name])
    assert.deepStrictEqual(others, [
      ["attribution", "launch"],
      ["attribution", "withdraw"],
      ["attribution", "conversion"]
    ])
    assert.notProperty(countersign.inbox, "looking")
    assert.notProperty(countersign.agents, "credentials")
    for (const group of ["sdk", "sessions", "passkeys", "admin", "system"]) assert.notProperty(countersign, group)
  })

  it("signs a team member in once, however the address is written", async () => {
    const request = { identity: "98765 43212", identityType: "MOBILE" }
    const { requestId } = await countersign.initiate(request)
    assert.isNull(await countersign.login({ requestId, otp: "000000" }))
    const login = await countersign.login({ requestId, otp: "123456" }, { idempotencyKey: "the first" })
    assert.deepInclude(login, { requestId, identity: "+919876543212", identityType: "MOBILE", orderId: null })
    assert.deepStrictEqual(
      await countersign.login({ requestId, otp: "123456" }, { idempotencyKey: "the first" }),
      login
    )
    assert.isNull(await countersign.login({ requestId, otp: "123456" }))
  })

  it("creates, rolls and revokes keys", async () => {
    const { clientSecret, id } = await countersign.keys.create({ name: "Backend", type: "SERVER", scopes: ["auth"] })
    assert.isString(clientSecret)
    const rolled = await countersign.keys.roll(id)
    assert.isString(rolled.clientSecret)
    await countersign.keys.revoke(rolled.id)
    assert.match(await failureOf(countersign.keys.roll(rolled.id)), /^KEY_NOT_FOUND /)
  })

  it("changes settings, and returns warnings", async () => {
    const { fallbackChannel, warnings } = await countersign.settings.update({ fallbackChannel: "EMAIL" })
    assert.strictEqual(fallbackChannel, "EMAIL")
    assert.isArray(warnings)
    assert.match(await failureOf(countersign.settings.update({ codeLength: 99 })), /^INVALID_REQUEST codeLength: /)
    assert.strictEqual((await countersign.settings.get()).fallbackChannel, "EMAIL")
    assert.strictEqual((await countersign.audit.settings({ limit: 1 })).items.length, 1)
  })

  it("finds, exports and erases the data of an end user", async () => {
    const identity = "+919876543210"
    await countersign.initiate({ identity, identityType: "MOBILE" })
    const { items } = await countersign.verifications.search({ identity, limit: 10 })
    assert.lengthOf(items, 1)
    const file = await countersign.identities.export({ identity })
    assert.strictEqual(file.headers.get("content-type"), "application/x-ndjson")
    assert.match(await file.text(), /"kind":"end"/)
    const { erasureId } = await countersign.identities.erase({ identity }, { idempotencyKey: "erase once" })
    const again = await countersign.identities.erase({ identity }, { idempotencyKey: "erase once" })
    assert.strictEqual(again.erasureId, erasureId)
    assert.strictEqual((await countersign.identities.erasure(erasureId)).id, erasureId)
    assert.deepStrictEqual(await countersign.identities.unlock({ identity }), { unlocked: false })
    assert.deepStrictEqual((await countersign.devices.list({ identity })).items, [])
  })

  it("returns files and streams as a Response", async () => {
    const ledger = await countersign.billing.ledger({}, { accept: "text/csv" })
    assert.match(await ledger.text(), /^id,amount,/)
    const live = await countersign.verifications.live()
    assert.strictEqual(live.headers.get("content-type"), "text/event-stream")
    await live.body?.cancel()
  })

  it("treats undefined as omitted, and numbers as numbers", async () => {
    const request = { identity: "+919876543211", identityType: "MOBILE", mode: undefined, channel: undefined }
    assert.isString((await countersign.initiate(request)).requestId)
    assert.match(await failureOf(countersign.events.list({ limit: 0 })), /^INVALID_REQUEST limit: /)
    assert.lengthOf((await countersign.events.list({ limit: 1, cursor: undefined })).items, 1)
  })

  it("rejects a path without its parameter, and input that is not an object", async () => {
    assert.match(await failureOf(countersign.webhooks.get("")), /^INVALID_REQUEST id: is missing/)
    assert.match(await failureOf(countersign.webhooks.get(undefined as never)), /^INVALID_REQUEST id: /)
    assert.match(await failureOf(countersign.webhooks.get({} as never)), /^INVALID_REQUEST id: /)
    for (const bad of ["x", 1, null, []] as unknown as ReadonlyArray<never>)
      assert.match(await failureOf(countersign.webhooks.create(bad)), /^INVALID_REQUEST request: /)
  })
})

describe("onEvent of an embedded service", () => {
  it("receives events from before a restart, and failed events again, without HTTP and without a secret", async () => {
    const storage = await Effect.runPromise(Layer.buildWithScope(MemoryStorage.layer, Scope.makeUnsafe()))
    const open = (onEvent?: (event: ListenedEvent) => Promise<void>) =>
      makeService({
        storage: Layer.succeedContext(storage),
        channels: [],
        secret: "00".repeat(32),
        environment: "test",
        logger: () => {},
        ...(onEvent === undefined ? {} : { onEvent })
      })
    const first = await open(async () => {})
    await first.close()

    // This process commits an event and has no listener for it.
    const second = await open()
    const { requestId } = await second.initiate({ identity: "+919876543210", identityType: "MOBILE" })
    await second.close()

    const failed = new Set<string>()
    let arrived = (_: ListenedEvent): void => {}
    const event = new Promise<ListenedEvent>((resolve) => (arrived = resolve))
    const third = await open(async (event) => {
      if (failed.has(event.id)) return arrived(event)
      failed.add(event.id)
      throw new Error("not yet")
    })
    const { items } = await third.webhooks.list()
    assert.deepStrictEqual(
      items.map(({ status, url }) => [status, url]),
      [["ACTIVE", "process:onEvent"]]
    )
    const { data, type } = await event
    assert.strictEqual(type, "otp.initiated")
    assert.deepInclude(data, { requestId })
    await third.close()
  })
})
