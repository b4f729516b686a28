import { type Channel, ChannelError, Unavailable } from "@countersign/core/channel"
import { MemoryStorage } from "@countersign/core/memory"
import { EventStore, StoreError } from "@countersign/core/storage"
import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { WhatsApp } from "@countersign/whatsapp"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { FetchHttpClient } from "effect/http"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Client, phone, uuid } from "./fixture/Client.ts"
import { payIn } from "./fixture/money.ts"
import { inProcess, type Merchant, memory, secret, type Service } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"
import { type Answer, statusOf } from "./fixture/Wire.ts"

/** The full table of error codes in the order of the specification. */
const table = [
  ["INVALID_REQUEST", [400]],
  ["INVALID_MODE", [400]],
  ["INVALID_CHANNEL", [400]],
  ["CHANNEL_REQUIRED", [400]],
  ["REDIRECT_URI_REQUIRED", [400]],
  ["OTP_EXPIRED", [400]],
  ["MAX_ATTEMPTS_EXCEEDED", [400]],
  ["TRANSACTION_NOT_FOUND", [400]],
  ["TEMPLATE_NOT_FOUND", [400, 404]],
  ["INVALID_TEMPLATE_CONFIG", [400]],
  ["INCOMPLETE_TEMPLATE_CONFIG", [400]],
  ["CSV_VALIDATION_FAILED", [400]],
  ["INVALID_CLIENT_CREDENTIALS", [401]],
  ["CLIENT_INACTIVE", [401]],
  ["INSUFFICIENT_BALANCE", [402]],
  ["INSUFFICIENT_SMS_BALANCE", [402]],
  ["INSUFFICIENT_WHATSAPP_BALANCE", [402]],
  ["BILLING_NOT_CONFIGURED", [402]],
  ["FORBIDDEN", [403]],
  ["MERCHANT_NOT_FOUND", [404]],
  ["HOOK_NOT_FOUND", [404]],
  ["WEBHOOK_NOT_FOUND", [404]],
  ["DUPLICATE_TEMPLATE", [409]],
  ["DUPLICATE_SENDER_ID", [409]],
  ["WEBHOOK_URL_DUPLICATE", [409]],
  ["RATE_LIMIT_EXCEEDED", [429]],
  ["INTERNAL_ERROR", [500]],
  ["PROVIDER_ERROR", [502]],
  ["WHATSAPP_CONNECT_FAILED", [502]]
] as const

type Code = (typeof table)[number][0]

const fake = (name: Channel["name"], send: Channel["send"]): Channel => ({
  name,
  provider: `fake ${name}`,
  supports: {
    identityTypes: name === "EMAIL" ? ["EMAIL"] : ["MOBILE"],
    receipts: false,
    kinds: ["Code", "Link", "Text"]
  },
  send
})

const taken: Channel["send"] = ({ deliveryId }) => Effect.succeed({ providerId: deliveryId })
const overloaded: Channel["send"] = () =>
  Effect.fail(new ChannelError({ channel: "RCS", reason: new Unavailable({ providerCode: "http_503" }) }))

/** Storage that saves everything, but cannot read events. */
const forgetful = Layer.effectContext(
  Effect.map(Layer.build(MemoryStorage.layer), (context) =>
    Context.add(context, EventStore, {
      ...Context.get(context, EventStore),
      list: () => Effect.fail(new StoreError({ operation: "EventStore.list", cause: new Error("gone") }))
    })
  )
)

describe("the table of error codes", () => {
  const scope = Scope.makeUnsafe()
  let meta: WhatsAppSimulator.WhatsAppSimulator
  let service: Service
  let merchant: Merchant
  let client: Client
  let payer: Client

  beforeAll(async () => {
    const run = <A>(effect: Effect.Effect<A, unknown, Scope.Scope>) =>
      Effect.runPromise(Effect.orDie(Scope.provide(effect, scope)))
    meta = await run(WhatsAppSimulator.make({ phoneNumberIds: ["106540352242922", "106540352242923"] }))
    const whatsapp = await run(
      WhatsApp.make({
        accessToken: Redacted.make(meta.accessToken),
        phoneNumberIds: meta.phoneNumberIds.slice(0, 1),
        wabaId: meta.wabaId,
        appSecret: Redacted.make(meta.appSecret),
        verifyToken: Redacted.make(meta.verifyToken),
        template: { name: "login_code", language: "en" },
        apiUrl: meta.url
      }).pipe(Effect.provide(FetchHttpClient.layer))
    )
    service = await memory({
      channels: [fake("SMS", taken), fake("EMAIL", taken), fake("RCS", overloaded), whatsapp]
    })
    merchant = await service.merchant()
    client = merchant.test
    payer = (await service.withOwner()).live
    await payer.settings({ billing: "PREPAID", prices: { SMS: 20, WHATSAPP: 50, EMAIL: 2 } })
    await payIn(payer, 1)
  })
  afterAll(async () => {
    await service?.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const body = { name: "welcome", channel: "SMS", body: "{{code}}" }
  const webhook = { url: "https://example.com/hook" }
  const twice = async (ask: () => Promise<Answer>) => {
    await ask()
    return ask()
  }
  const templates = (fields: object) => client.post("/v1/dashboard/templates", fields)

  const asks: { readonly [C in Code]: () => Promise<Answer> } = {
    INVALID_REQUEST: () => client.initiate({ identity: "abc" }),
    INVALID_MODE: () => client.initiate({ mode: "SMS" }),
    INVALID_CHANNEL: () => client.initiate({ channel: "EMAIL" }),
    CHANNEL_REQUIRED: () => client.initiate({ mode: "OAUTH" }),
    REDIRECT_URI_REQUIRED: () => client.initiate({ mode: "OAUTH", channel: "WHATSAPP" }),
    OTP_EXPIRED: async () => {
      const requestId = await client.started({ identity: "+919876540000" })
      await client.settled(requestId)
      return client.verify({ requestId, otp: "000000" })
    },
    MAX_ATTEMPTS_EXCEEDED: async () => {
      const strict = await service.client({ maxAttempts: 1 })
      const requestId = await strict.started()
      return twice(() => strict.verify({ requestId, otp: "000000" }))
    },
    TRANSACTION_NOT_FOUND: () => client.status({ requestId: "ver_01kaj3v9c0q5w8xn2rz7t4m6hd" }),
    TEMPLATE_NOT_FOUND: () => client.get("/v1/dashboard/templates/tpl_01kaj3v9c0q5w8xn2rz7t4m6hd"),
    INVALID_TEMPLATE_CONFIG: () => templates({ ...body, body: "Hello" }),
    INCOMPLETE_TEMPLATE_CONFIG: () => templates({ ...body, body: null }),
    CSV_VALIDATION_FAILED: async () => {
      await templates({ name: "offer", channel: "SMS", purpose: "MESSAGE", body: "Hello" })
      const csv = "phone\n+919876543210\nabc\n"
      return client.post("/v1/dashboard/campaigns", { name: "Diwali", channel: "SMS", template: "offer", csv })
    },
    INVALID_CLIENT_CREDENTIALS: () => client.initiate({}, { "x-client-secret": "sk_test_wrong" }),
    CLIENT_INACTIVE: async () => {
      const { id, test } = await service.merchant()
      await service.admin({ method: "POST", path: `/v1/admin/merchants/${id}/suspend` })
      return test.initiate()
    },
    INSUFFICIENT_BALANCE: () => payer.initiate({ identity: "a@example.com", identityType: "EMAIL" }),
    INSUFFICIENT_SMS_BALANCE: () => payer.initiate({ channel: "SMS" }),
    INSUFFICIENT_WHATSAPP_BALANCE: () => payer.initiate({ channel: "WHATSAPP" }),
    BILLING_NOT_CONFIGURED: () => payer.initiate({ channel: "RCS" }),
    FORBIDDEN: async () => {
      const key = await client.post("/v1/dashboard/keys", { type: "SERVER", scopes: ["auth"] })
      const { clientId, clientSecret } = key.body
      return client.get("/v1/dashboard/settings", { "x-client-id": clientId, "x-client-secret": clientSecret })
    },
    MERCHANT_NOT_FOUND: () => service.admin({ path: "/v1/admin/merchants/mer_01kaj3v9c0q5w8xn2rz7t4m6hd" }),
    HOOK_NOT_FOUND: () => client.get("/v1/dashboard/hooks/hok_01kaj3v9c0q5w8xn2rz7t4m6hd/requests"),
    WEBHOOK_NOT_FOUND: () => client.webhooks("/whk_01kaj3v9c0q5w8xn2rz7t4m6hd"),
    DUPLICATE_TEMPLATE: () => twice(() => templates(body)),
    DUPLICATE_SENDER_ID: () => twice(() => client.post("/v1/dashboard/sender-ids", { header: "ACMEIN" })),
    WEBHOOK_URL_DUPLICATE: () => twice(() => client.webhooks("", webhook)),
    RATE_LIMIT_EXCEEDED: async () => {
      const limited = await service.client({ resendCooldownSeconds: 600 })
      const identity = phone()
      return twice(() => limited.initiate({ identity }))
    },
    INTERNAL_ERROR: async () => {
      const other = await inProcess({
        mode: "memory",
        storage: forgetful,
        channels: [],
        adminToken: `admin-${uuid()}`,
        secret: secret(),
        log: () => {}
      })
      try {
        return await (await other.client()).events()
      } finally {
        await other.close()
      }
    },
    PROVIDER_ERROR: () =>
      until(
        () => merchant.live.initiate({ channel: "RCS" }),
        ({ status }) => status !== 200,
        { what: "the provider's rest" }
      ),
    WHATSAPP_CONNECT_FAILED: () =>
      merchant.live.post("/v1/dashboard/whatsapp/connect", {
        phoneNumberId: meta.phoneNumberIds[1],
        wabaId: meta.wabaId,
        accessToken: "EAAGwrong"
      })
  }

  it.each(table)("lists %s, which the service answers with %j", async (code, statuses) => {
    const { body, status, text } = await asks[code]()
    assert.strictEqual(body?.errorCode, code, text)
    assert.include(statuses, status, text)
  })

  it("has the codes of the published contract, which every answer in these tests must follow", async () => {
    const codesIn = (value: unknown, inCode = false): ReadonlyArray<string> => {
      if (typeof value === "string") return inCode && /^[A-Z_]+$/.test(value) ? [value] : []
      if (typeof value !== "object" || value === null) return []
      return Object.entries(value).flatMap(([name, one]) => codesIn(one, inCode || name === "errorCode"))
    }
    const published = codesIn((await service.send({ path: "/openapi.json" })).body)
    // This code belongs to a path, not to one of its operations.
    const codes = [...new Set([...published, "METHOD_NOT_ALLOWED"])]
    assert.deepStrictEqual(codes.toSorted(), Object.keys(statusOf).toSorted())
    for (const [code, statuses] of table) assert.includeMembers([...statuses, 503], [...statusOf[code]!], code)
  })
})
