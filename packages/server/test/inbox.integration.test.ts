import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { Effect, Exit, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { phone, refused } from "./fixture/Client.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { Inbox } from "./fixture/Inbox.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { secret, Service, token } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"

const accessToken = "EAAGmerchantsOwnAccessToken0123456789"
const wabaId = "202290129340398"
const ours = ["206540352242901", "206540352242902"] as const

/** Customers write to connected numbers: two processes on one database, and a simulated Cloud API. */
describe("a connected WhatsApp number", () => {
  const scope = Effect.runSync(Scope.make())
  let database: FreshDatabase.FreshDatabase
  let service: Service
  let meta: WhatsAppSimulator.WhatsAppSimulator
  let box: Inbox
  let stranger: Inbox

  beforeAll(async () => {
    const account = { wabaId, accessToken, phoneNumberIds: ours, templates: [{ name: "login_code", language: "en" }] }
    meta = await Effect.runPromise(
      WhatsAppSimulator.make().pipe(
        Effect.tap(({ addAccount }) => addAccount(account)),
        Effect.provideService(Scope.Scope, scope)
      )
    )
    database = await FreshDatabase.make()
    const adminToken = token()
    const variables = {
      DATABASE_URL: database.url,
      COUNTERSIGN_SECRET: secret(),
      COUNTERSIGN_ADMIN_TOKEN: adminToken,
      PUBLIC_URL: "https://verify.example.com",
      WHATSAPP_ACCESS_TOKEN: meta.accessToken,
      WHATSAPP_PHONE_NUMBER_IDS: meta.phoneNumberIds.join(","),
      WHATSAPP_WABA_ID: meta.wabaId,
      WHATSAPP_APP_SECRET: meta.appSecret,
      WHATSAPP_VERIFY_TOKEN: meta.verifyToken,
      WHATSAPP_TEMPLATE: "login_code/en",
      WHATSAPP_API_URL: meta.url
    }
    const servers = await Promise.all([ServerProcess.serve(variables), ServerProcess.serve(variables)])
    await Effect.runPromise(meta.callbackTo(`${servers[1].url}/v1/callbacks/whatsapp`))
    service = new Service({
      mode: "cluster",
      urls: servers.map(({ url }) => url),
      adminToken,
      output: () => servers.map(({ output }) => output()).join(""),
      close: async () => void (await Promise.all(servers.map((server) => server.kill("SIGTERM"))))
    })
    box = new Inbox((await service.merchant()).live)
    stranger = new Inbox((await service.merchant()).live)
    const connected = await connect(box, { phoneNumberId: ours[0] })
    assert.strictEqual(connected.status, 201, connected.text)
  })
  afterAll(async () => {
    await service?.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await database?.drop()
  })

  const connect = (inbox: Inbox, fields: object) =>
    inbox.dashboard("/whatsapp/connect", { wabaId, accessToken, ...fields })
  const numbersOf = async (inbox: Inbox): Promise<ReadonlyArray<any>> =>
    (await inbox.dashboard("/whatsapp/numbers")).body.items
  const customer = (number: string, name = "Asha") => meta.customer(number, { name, to: ours[0] })

  /** Waits until the customer's lead has the expected state. */
  const leadOf = (number: string, isRight: (lead: any) => boolean = () => true): Promise<any> =>
    until(
      async () => (await box.page({ phone: number }))[0],
      (lead) => lead !== undefined && isRight(lead),
      { what: "a lead" }
    )

  it("is shown without its token, belongs to one environment, and can be reconnected", async () => {
    const [number, ...others] = await numbersOf(box)
    assert.deepStrictEqual(others, [])
    assert.sameMembers(Object.keys(number), ["id", "wabaId", "displayNumber", "displayName", "connectedAt"])
    assert.deepInclude(number, { id: ours[0], wabaId })
    const again = await connect(box, { phoneNumberId: ours[0] })
    assert.deepStrictEqual([again.status, again.body], [201, number])
    const taken = await connect(stranger, { phoneNumberId: ours[0] })
    refused(taken, "WHATSAPP_CONNECT_FAILED")
    assert.strictEqual(taken.status, 502)
    refused(await stranger.dashboard(`/whatsapp/numbers/${ours[0]}`, undefined, "DELETE"), "NUMBER_NOT_FOUND")
    assert.deepStrictEqual(await numbersOf(stranger), [])
  })

  it("is refused with WhatsApp's message, which never contains the token", async () => {
    for (const fields of [
      { phoneNumberId: ours[1], accessToken: "EAAGwrong" },
      { phoneNumberId: "999999999999999" },
      { phoneNumberId: ours[1], wabaId: "999999999999999" }
    ]) {
      const answer = await connect(stranger, fields)
      refused(answer, "WHATSAPP_CONNECT_FAILED")
      for (const hidden of [accessToken, "EAAGwrong"]) assert.notInclude(answer.text, hidden)
    }
    const bad: ReadonlyArray<[string, object]> = [
      ["phoneNumberId", { phoneNumberId: "x" }],
      ["phoneNumberId", {}],
      ["wabaId", { phoneNumberId: ours[1], wabaId: "../me" }],
      ["accessToken", { phoneNumberId: ours[1], accessToken: "a b" }],
      ["accessToken", { phoneNumberId: ours[1], accessToken: "" }]
    ]
    for (const [field, fields] of bad) refused(await connect(stranger, fields), "INVALID_REQUEST", field)
    assert.deepStrictEqual(await numbersOf(stranger), [])
    assert.notInclude(service.output(), accessToken)
  })

  it("creates leads from incoming messages, counts unread messages, and reopens closed leads", async () => {
    const number = phone()
    await Effect.runPromise(customer(number).says("Where is <b>my order</b>?"))
    const lead = await leadOf(number)
    assert.deepInclude(lead, {
      contact: number.slice(1),
      name: "Asha",
      status: "OPEN",
      origin: "INBOUND",
      unreadCount: 1
    })
    const [first] = await box.messages(lead.id)
    assert.deepInclude(first, {
      direction: "IN",
      type: "text",
      text: "Where is <b>my order</b>?",
      status: null,
      sentBy: null
    })
    assert.strictEqual(Date.parse(`${lead.lastMessageAt}+05:30`), Date.parse(first.at))
    assert.strictEqual((await box.lead(lead.id)).lastInboundAt, first.at)
    await Effect.runPromise(customer(number).says("Hello?"))
    await leadOf(number, ({ unreadCount }) => unreadCount === 2)
    assert.strictEqual((await box.messages(lead.id)).length, 2)
    assert.strictEqual((await box.command(lead.id, "read")).unreadCount, 0)
    await box.command(lead.id, "close")
    await Effect.runPromise(customer(number).says("Thanks"))
    assert.deepInclude(await leadOf(number, ({ unreadCount }) => unreadCount === 1), { status: "OPEN" })
    assert.deepStrictEqual(
      (await box.history(lead.id)).map(({ by, kind }) => [kind, by === null]),
      [
        ["CREATED", true],
        ["CLOSED", false],
        ["REOPENED", true]
      ]
    )
    assert.deepStrictEqual(await stranger.page({ phone: number }), [])
    const { body } = await box.client.events({ type: "message.received" })
    assert.deepInclude(body.items.at(-1).data, {
      leadId: lead.id,
      isNewLead: true,
      campaignId: null,
      contact: lead.contact
    })
  })

  it("sends replies to customers, and shows their delivery", async () => {
    const number = phone()
    await Effect.runPromise(customer(number).says("Hi"))
    const { id } = await leadOf(number)
    const { id: messageId } = await box.reply(id, { text: "Hello & welcome <3" })
    const sent = await box.message(id, messageId, ({ status }) => status === "DELIVERED" || status === "READ")
    assert.deepInclude(sent, { direction: "OUT", text: "Hello & welcome <3", error: null })
    const taken = (await Effect.runPromise(meta.messages)).filter(({ waId }) => waId === number.slice(1))
    assert.deepStrictEqual(
      taken.map(({ phoneNumberId }) => phoneNumberId),
      [ours[0]]
    )
  })

  it("passes customers' files through unchanged, and none of them can run", async () => {
    const number = phone()
    const page = Buffer.from("<script>alert(1)</script>")
    const files = [
      { image: { caption: "Broken" } },
      { document: { fileName: 'रसीद"\r\n../a.pdf', base64: Buffer.alloc(300_000, 7).toString("base64") } },
      { document: { fileName: "x.html", mimeType: "text/html", base64: page.toString("base64") } },
      { image: { mimeType: "image/svg+xml", base64: page.toString("base64") } },
      { audio: true as const }
    ]
    for (const file of files) {
      const letter = await Effect.runPromise(meta.letter({ from: number, to: ours[0], ...file }))
      assert.strictEqual(await Effect.runPromise(meta.deliver([letter])), 200)
    }
    const { id } = await leadOf(number, ({ unreadCount }) => unreadCount === files.length)
    const messages = (await box.messages(id)).filter(({ media }) => media !== null)
    assert.lengthOf(messages, files.length)
    const fetched = async (message: any, method = "GET") => {
      const path = `/v1/dashboard/leads/${id}/messages/${message.id}/media`
      const answer = await fetch(`${service.url()}${path}`, { method, headers: box.client.credentials })
      return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
    }
    const of = async (isIt: (message: any) => boolean) => fetched(messages.find(isIt))
    for (const message of messages) {
      const { answer } = await fetched(message)
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff")
      assert.strictEqual(answer.headers.get("cache-control"), "no-store")
      assert.include(answer.headers.get("content-security-policy") ?? "", "sandbox")
    }
    const picture = messages.find(({ text }) => text === "Broken")
    assert.deepInclude(picture.media, { type: "image/png", caption: "Broken" })
    const shown = await fetched(picture)
    assert.deepStrictEqual(
      [shown.answer.headers.get("content-type"), shown.answer.headers.get("content-disposition")],
      ["image/png", "inline"]
    )
    assert.strictEqual(shown.bytes.subarray(1, 4).toString(), "PNG")
    const head = await fetched(picture, "HEAD")
    assert.deepStrictEqual([head.answer.status, head.bytes.length], [200, 0])

    const receipt = await of(({ media }) => media.type === "application/pdf")
    assert.deepStrictEqual(receipt.bytes, Buffer.alloc(300_000, 7))
    const disposition = receipt.answer.headers.get("content-disposition") ?? ""
    assert.match(disposition, /^attachment; filename\*=UTF-8''[\w.%-]+$/)
    assert.notMatch(decodeURIComponent(disposition.split("''")[1]!), /["\r\n/\\]/)
    for (const type of ["text/html", "image/svg+xml"]) {
      const { answer, bytes } = await of(({ media }) => media.type === type)
      assert.match(answer.headers.get("content-disposition") ?? "", /^attachment/)
      assert.deepStrictEqual(bytes, page)
    }
    const voice = await of(({ type }) => type === "audio")
    assert.strictEqual(voice.answer.headers.get("content-type"), "audio/ogg")

    await Effect.runPromise(meta.forgetFile(picture.media.id))
    refused(await box.dashboard(`/leads/${id}/messages/${picture.id}/media`), "MESSAGE_NOT_FOUND")
    refused(await stranger.dashboard(`/leads/${id}/messages/${picture.id}/media`), "LEAD_NOT_FOUND")
    assert.notInclude(service.output(), "Broken")
  })

  it("is deleted with its token, and can then be connected by another merchant", async () => {
    assert.strictEqual((await connect(stranger, { phoneNumberId: ours[1] })).status, 201)
    await stranger.removed(`/whatsapp/numbers/${ours[1]}`)
    refused(await stranger.dashboard(`/whatsapp/numbers/${ours[1]}`, undefined, "DELETE"), "NUMBER_NOT_FOUND")
    assert.strictEqual((await connect(box, { phoneNumberId: ours[1] })).status, 201)
    assert.deepStrictEqual(
      (await numbersOf(box)).map(({ id }) => id),
      [...ours]
    )
    const inTest = new Inbox((await service.merchant()).test)
    refused(await connect(inTest, { phoneNumberId: ours[1] }), "WHATSAPP_CONNECT_FAILED")
  })

  it("with a revoked token returns no file, and the error does not contain the token", async () => {
    const number = phone()
    const letter = await Effect.runPromise(meta.letter({ from: number, to: ours[0], image: true }))
    await Effect.runPromise(meta.deliver([letter]))
    const { id } = await leadOf(number)
    const [{ id: messageId }] = await box.messages(id)
    await Effect.runPromise(meta.revoke(accessToken))
    const answer = await box.dashboard(`/leads/${id}/messages/${messageId}/media`)
    refused(answer, "PROVIDER_ERROR")
    assert.strictEqual(answer.status, 502)
    assert.notInclude(answer.text + service.output(), accessToken)
  })
})
