import { type Channel, ChannelError, Refused } from "@countersign/core/channel"
import { MemoryStorage } from "@countersign/core/memory"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { appOf } from "./fixture/App.ts"
import { Client, code, phone, refused } from "./fixture/Client.ts"
import { memory, type Merchant, secret, type Service } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"

/** The messages that the custom channels received, by recipient. */
const codes = new Map<string, string>()

const channel = (name: string, more: Partial<Channel> = {}): Channel => ({
  name,
  provider: name.toLowerCase(),
  supports: { identityTypes: ["MOBILE"], receipts: false },
  send: (message) =>
    Effect.sync(() => {
      if (message._tag === "Code") codes.set(message.to, Redacted.value(message.code))
      return { providerId: message.deliveryId }
    }),
  ...more
})

const viber = channel("VIBER")
const line = channel("LINE_APP", { label: "LINE" })
const failing = channel("SMS", {
  send: () =>
    Effect.fail(
      new ChannelError({ channel: "SMS", reason: new Refused({ providerCode: "no_sms", because: "channel" }) })
    )
})

const codeFor = (identity: string) =>
  until(
    async () => codes.get(identity),
    (found) => found !== undefined,
    { what: "the code" }
  )

describe("a service with only a custom channel", () => {
  let service: Service
  let shop: Merchant

  beforeAll(async () => {
    service = await memory({ channels: [viber] })
    shop = await service.withOwner()
  })
  afterAll(() => service.close())

  it("sends over it if a request names it or no channel, and verifies the code", async () => {
    for (const named of [{ channel: "VIBER" }, {}]) {
      const identity = phone()
      const requestId = await shop.live.started({ identity, ...named })
      const otp = await codeFor(identity)
      assert.isTrue((await shop.live.verify({ requestId, otp })).body.verified)
    }
  })

  it("rejects a channel that it does not have, and lists those it has", async () => {
    for (const [named, problem] of [
      ["LINE_APP", "LINE_APP is not enabled on this server: it has VIBER"],
      ["SMS", "SMS is not enabled on this server: it has VIBER"],
      ["viber", "channel must be one of VIBER, in upper case"],
      ["__proto__", "channel must be one of VIBER, in upper case"]
    ] as const) {
      const answer = await shop.live.initiate({ channel: named })
      refused(answer, "INVALID_CHANNEL")
      assert.include(answer.body.message, problem)
    }
  })

  it("accepts its lower-case name from an app only if the merchant's settings name it", async () => {
    const { live } = await service.merchant()
    const app = await appOf(live)
    assert.strictEqual((await app.initiate({ phone: phone() })).body.channel, "viber")
    refused(await app.initiate({ channel: "viber" }), "INVALID_CHANNEL")
    await live.settings({ fallbackChannel: "VIBER" })
    const identity = phone()
    const answer = await app.initiate({ phone: identity, channel: "viber" })
    assert.strictEqual(answer.body.channel, "viber", answer.text)
    await codeFor(identity)
    refused(await app.initiate({ channel: "VIBER" }), "INVALID_CHANNEL")
    refused(await app.initiate({ channel: "sms" }), "INVALID_CHANNEL")
  })

  it("lists it after the known channels, filters verifications by it, and counts it in statistics", async () => {
    const { live } = await service.merchant()
    await live.settled(await live.started({ identity: phone(), channel: "VIBER" }))
    const { items } = (await live.get("/v1/dashboard/channels")).body
    assert.deepStrictEqual(
      items.map((each: any) => [each.channel, each.label, each.enabled]),
      [
        ["SMS", "SMS", false],
        ["WHATSAPP", "WhatsApp", false],
        ["RCS", "RCS", false],
        ["EMAIL", "E-mail", false],
        ["VIBER", "Viber", true]
      ]
    )
    assert.isNotNull(items[4].lastSentAt)
    const found = async (name: string) => (await live.get(`/v1/dashboard/verifications?channel=${name}`)).body.items
    assert.deepStrictEqual([(await found("VIBER")).length, (await found("SMS")).length], [1, 0])
    refused(await live.get("/v1/dashboard/verifications?channel=viber"), "INVALID_REQUEST", "channel")
    const { body } = await live.get("/v1/dashboard/stats/funnel?groupBy=channel")
    assert.deepStrictEqual(
      body.items.map(({ asked, group }: any) => [group, asked]),
      [["VIBER", 1]]
    )
  })

  it("accepts a price, a cap and a default for it in settings, but not for an unknown name", async () => {
    const { live } = shop
    const changed = await live.settings({ prices: { VIBER: 15 }, dailyCap: { VIBER: 900 }, primaryChannel: "VIBER" })
    assert.deepInclude(changed.body, { prices: { VIBER: 15 }, dailyCap: { VIBER: 900 }, primaryChannel: "VIBER" })
    await live.started({ identity: phone() })
    const { body } = await live.get("/v1/dashboard/stats/spend?groupBy=channel")
    assert.deepInclude(
      body.items.find(({ group }: any) => group === "VIBER"),
      { amount: 15 }
    )
    for (const [change, field] of [
      [{ prices: { LINE_APP: 1 } }, "prices.LINE_APP"],
      [{ dailyCap: { TRUECALLER: 1 } }, "dailyCap.TRUECALLER"],
      [{ primaryChannel: "LINE_APP" }, "primaryChannel"],
      [{ fallbackChannel: "viber" }, "fallbackChannel"],
      [{ prices: { viber: 1 } }, "prices.viber"]
    ] as const) {
      refused(await live.settings(change), "INVALID_REQUEST", field)
    }
  })

  it("accepts templates for it, and shows the text that it sent", async () => {
    const { live } = shop
    const body = "{{code}} for {{brand}} on Viber"
    const made = await live.post("/v1/dashboard/templates", { name: "default", channel: "VIBER", body })
    assert.strictEqual(made.status, 201, made.text)
    refused(
      await live.post("/v1/dashboard/templates", { name: "default", channel: "LINE_APP", body }),
      "INVALID_REQUEST",
      "channel"
    )
    refused(
      await live.post("/v1/dashboard/templates", { name: "mail", channel: "VIBER", body, subject: "x" }),
      "INVALID_REQUEST",
      "subject"
    )
  })

  it("has a sandbox for it in the test environment, beside the known channels", async () => {
    const { test } = shop
    for (const named of ["VIBER", "SMS"]) {
      const requestId = await test.started({ identity: phone(), channel: named })
      assert.isTrue((await test.verify({ requestId, otp: code })).body.verified)
    }
    refused(await test.initiate({ channel: "LINE_APP" }), "INVALID_CHANNEL")
  })

  it("never records a caller's text as the channel of a refusal", async () => {
    const { live } = await service.merchant()
    for (const named of ["VIBER", "LINE_APP", "x".repeat(5_000), "TRUECALLER"]) {
      await live.initiate({ channel: named, identity: "1" })
    }
    const items = await until(
      async () => (await live.get("/v1/dashboard/refusals")).body.items,
      ({ length }) => length === 4,
      { what: "the refusals" }
    )
    const kept = items.map((item: any) => item.channel)
    assert.sameMembers(kept, ["VIBER", null, null, "TRUECALLER"])
  })
})

describe("a custom channel that was removed", () => {
  it("leaves readable and changeable settings and a visible history, but cannot be requested", async () => {
    const scope = Scope.makeUnsafe()
    const storage = Layer.succeedContext(await Effect.runPromise(Layer.buildWithScope(MemoryStorage.layer, scope)))
    const shared = { storage, secret: secret() }
    const before = await memory({ ...shared, channels: [viber] })
    const made = await before.withOwner({ codeLength: 5 })
    const changes = { primaryChannel: "VIBER", prices: { VIBER: 15 }, dailyCap: { VIBER: 900 } }
    assert.strictEqual((await made.live.settings(changes)).status, 200)
    const requestId = await made.live.started({ identity: phone() })
    await made.live.settled(requestId)
    await before.close()
    const after = await memory({ ...shared, channels: [line] })
    const live = new Client(after, made.live.keys)
    const get = async (path: string) => (await live.get(`/v1/dashboard/${path}`)).body
    assert.deepInclude(await get("settings"), changes)
    const changed = await live.settings({ codeLength: 6 })
    assert.deepInclude(changed.body, { codeLength: 6, ...changes })
    assert.include(changed.text, "this server has no provider for VIBER")
    assert.strictEqual((await get("verifications?channel=VIBER")).items[0].requestId, requestId)
    assert.deepStrictEqual((await get("channels")).items.at(-1).channel, "LINE_APP")
    refused(await live.initiate({ channel: "VIBER" }), "INVALID_CHANNEL")
    const other = await live.initiate({ identity: phone() })
    assert.strictEqual(other.status, 200, other.text)
    await after.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
})

describe("a custom channel", () => {
  let service: Service
  let live: Client

  beforeAll(async () => {
    service = await memory({ channels: [failing, line] })
    live = (await service.merchant()).live
    await live.settings({ fallbackChannel: "LINE_APP" })
  })
  afterAll(() => service.close())

  it("can be the fallback of SMS, and has its own name everywhere", async () => {
    const identity = phone()
    const requestId = await live.started({ identity })
    const otp = await codeFor(identity)
    const { items } = (await live.get("/v1/dashboard/channels")).body
    assert.deepInclude(
      items.find((each: any) => each.channel === "LINE_APP"),
      { label: "LINE", role: "FALLBACK", enabled: true }
    )
    assert.isTrue((await live.verify({ requestId, otp })).body.verified)
    const { body } = await live.status({ requestId })
    assert.deepStrictEqual(
      body.deliveries.map((delivery: any) => delivery.channel),
      ["SMS", "LINE_APP"]
    )
  })
})
