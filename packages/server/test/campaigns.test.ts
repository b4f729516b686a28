import { TwilioSimulator, WhatsAppSimulator } from "@countersign/testkit/simulators"
import { Twilio } from "@countersign/twilio"
import { WhatsApp } from "@countersign/whatsapp"
import { Effect, Exit, Redacted, Scope } from "effect"
import { FetchHttpClient } from "effect/http"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Client, refused } from "./fixture/Client.ts"
import { memory, type Service } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"

type Fields = { readonly [name: string]: unknown }

const path = "/v1/dashboard/campaigns"
const count = 300

const numberOf = (n: number) => `+9198${String(20_000_000 + n)}`
const listOf = (numbers: ReadonlyArray<number>) =>
  `phone,name\n${numbers.map((n) => `${numberOf(n)},Person ${n}`).join("\n")}\n`

/**
 * Simulated providers, and the service in this process. Its first merchant owns the inbox of the service's own number.
 */
describe("a live campaign", () => {
  const scope = Scope.makeUnsafe()
  let twilio: TwilioSimulator.TwilioSimulator
  let meta: WhatsAppSimulator.WhatsAppSimulator
  let service: Service
  let client: Client

  const run = <A>(effect: Effect.Effect<A, unknown, Scope.Scope>) =>
    Effect.runPromise(Effect.orDie(Scope.provide(effect, scope)))

  beforeAll(async () => {
    twilio = await run(TwilioSimulator.make())
    meta = await run(
      WhatsAppSimulator.make({
        templates: [
          { name: "login_code", language: "en" },
          { name: "diwali", language: "en", category: "MARKETING", body: "Hi {{1}}, {{2}} is open." },
          { name: "waiting", language: "en", category: "MARKETING", body: "Hi {{1}}!", status: "PENDING" }
        ]
      })
    )
    const channels = await run(
      Effect.gen(function* () {
        const sms = yield* Twilio.make({
          accountSid: twilio.accountSid,
          authToken: Redacted.make(twilio.authToken),
          from: "+15005550006",
          apiUrl: twilio.url
        })
        const whatsapp = yield* WhatsApp.make({
          accessToken: Redacted.make(meta.accessToken),
          phoneNumberIds: meta.phoneNumberIds,
          wabaId: meta.wabaId,
          appSecret: Redacted.make(meta.appSecret),
          verifyToken: Redacted.make(meta.verifyToken),
          template: { name: "login_code", language: "en" },
          apiUrl: meta.url
        }).pipe(Effect.provide(FetchHttpClient.layer))
        return [...sms, whatsapp]
      })
    )
    service = await memory({ channels })
    await run(meta.callbackTo(`${service.urls[0]}/v1/callbacks/whatsapp`))
    client = (await service.merchant()).live
    assert.strictEqual((await client.settings({ brand: "Acme" })).status, 200)
  })
  afterAll(async () => {
    await service?.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const template = async (fields: Fields): Promise<any> => {
    const { body, status, text } = await client.post("/v1/dashboard/templates", { purpose: "MESSAGE", ...fields })
    assert.strictEqual(status, 201, text)
    return body
  }
  const campaign = async (fields: Fields): Promise<string> => {
    const { body, status, text } = await client.post(path, { name: "Diwali", ...fields })
    assert.strictEqual(status, 201, text)
    return body.id
  }
  const settled = (id: string, is: (campaign: any) => boolean): Promise<any> =>
    until(async () => (await client.get(`${path}/${id}`)).body, is, { what: "a campaign" })

  it("over SMS sends one message with its own values to each of 300 recipients, then completes", async () => {
    await template({ name: "offer", channel: "SMS", body: "Hi {{name}}, {{brand}} is open." })
    const csv = listOf(Array.from({ length: count }, (_, n) => n))
    const id = await campaign({ channel: "SMS", template: "offer", csv })
    assert.deepInclude(await settled(id, ({ status }) => status === "DONE"), { sent: count, failed: 0, pending: 0 })
    const texts = await Effect.runPromise(twilio.ledger)
    assert.deepStrictEqual(
      texts.map(({ body, to }) => `${to} ${body}`).toSorted(),
      Array.from({ length: count }, (_, n) => `${numberOf(n)} Hi Person ${n}, Acme is open.`).toSorted()
    )
    const { items } = (await client.events({ type: "campaign.delivered" })).body
    assert.deepStrictEqual(
      items.map(({ data }: any) => data),
      [{ campaignId: id, name: "Diwali", total: count, sent: count, failed: 0 }]
    )
  })

  it("over WhatsApp sends the approved template, receives its receipts, and shows replies in the inbox", async () => {
    await template({
      name: "diwali",
      channel: "WHATSAPP",
      whatsappName: "diwali",
      body: "Hi {{name}}, {{brand}} is open."
    })
    const id = await campaign({ channel: "WHATSAPP", template: "diwali", csv: listOf([1, 2, 3]) })
    const { pending, sent } = await settled(id, ({ delivered, status }) => status === "DONE" && delivered === 3)
    assert.deepStrictEqual([pending, sent], [0, 3])
    const messages = (await Effect.runPromise(meta.messages)).toSorted((a, b) => (a.waId < b.waId ? -1 : 1))
    assert.deepStrictEqual(
      messages.map(({ text, waId }) => `+${waId} ${text}`),
      [1, 2, 3].map((n) => `${numberOf(n)} Hi Person ${n}, Acme is open.`)
    )
    await run(meta.customer(numberOf(2), { name: "Asha" }).says("Yes please", { answers: messages[1]!.wamid }))
    const { items } = await until(
      async () => (await client.events({ type: "message.received" })).body,
      ({ items }) => items.length === 1,
      { what: "the answer" }
    )
    assert.deepInclude(items[0].data, { isNewLead: true, campaignId: id, text: "Yes please" })
    const lead = (await client.get(`/v1/dashboard/leads/${items[0].data.leadId}`)).body
    assert.deepInclude(lead, { origin: "CAMPAIGN", contact: numberOf(2).slice(1) })
  })

  it("with a template that awaits approval is refused and not created", async () => {
    const made = await template({ name: "waiting", channel: "WHATSAPP", whatsappName: "waiting", body: "Hi {{name}}!" })
    assert.strictEqual(made.status, "PENDING")
    const fields = { name: "Soon", channel: "WHATSAPP", template: made.id, csv: listOf([7]) }
    refused(await client.post(path, fields), "INVALID_TEMPLATE_CONFIG")
    refused(await client.post(`${path}?dryRun=true`, fields), "INVALID_TEMPLATE_CONFIG")
    assert.strictEqual((await client.get(path)).body.items.length, 2)
  })
})
