import { assert, describe, it } from "vitest"
import { type Client, refused, uuid } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import { until } from "../fixture/Until.ts"
import type { Answer } from "../fixture/Wire.ts"
import type { Once } from "./Once.ts"

type Fields = { readonly [name: string]: unknown }

const path = "/v1/dashboard/campaigns"
const offer = { name: "offer", channel: "SMS", purpose: "MESSAGE", body: "Hi {{first_name}}, {{brand}} is open." }

const numberOf = (n: number) => `+9198${String(10_000_000 + n)}`
const lineOf = (n: number) => `${numberOf(n)},Person ${n}`
const listOf = (numbers: ReadonlyArray<number>) => `phone,First Name\n${numbers.map(lineOf).join("\n")}\n`
const several = listOf([2, 3, 4])

const soon = () => new Date(Date.now() + 3_600_000).toISOString()

/** A new environment with a template. */
const shop = async (service: Service, settings: Fields = {}): Promise<Client> => {
  const client = await service.client(settings)
  const { status, text } = await client.post("/v1/dashboard/templates", offer)
  assert.strictEqual(status, 201, text)
  return client
}

const asked = (client: Client, fields: Fields = {}, { headers = {}, query = "" } = {}): Promise<Answer> =>
  client.post(
    `${path}${query}`,
    { name: "Diwali", channel: "SMS", template: "offer", csv: several, ...fields },
    headers
  )

const created = async (client: Client, fields: Fields = {}): Promise<any> => {
  const { body, status, text } = await asked(client, fields)
  assert.strictEqual(status, 201, text)
  return body
}

const post = (client: Client, id: string, end: string) => client.send({ method: "POST", path: `${path}/${id}/${end}` })

const done = (client: Client, id: string): Promise<any> =>
  until(
    async () => (await client.get(`${path}/${id}`)).body,
    ({ status }) => status === "DONE",
    { what: "the end of a campaign" }
  )

const finished = async (client: Client, id: string): Promise<ReadonlyArray<any>> =>
  (await client.events({ type: "campaign.delivered" })).body.items.filter(({ data }: any) => data.campaignId === id)

/** A campaign from its upload to its event, in every mode of the service. */
export const whole = (service: () => Service) =>
  describe("a campaign", () => {
    it("to 300 recipients reaches each once, except opt-outs, and reports its completion", async () => {
      const client = await shop(service(), { brand: "Acme" })
      // Test numbers ending in 0000 fail, and those ending in 0001 get no receipts.
      const csv = listOf(Array.from({ length: 300 }, (_, n) => n))
      const unwilling = numberOf(299)
      assert.strictEqual((await client.post("/v1/dashboard/opt-outs", { phone: unwilling })).status, 201)
      const tried = await asked(client, { csv: `${csv}${lineOf(5)}\n` }, { query: "?dryRun=true" })
      assert.strictEqual(tried.status, 200, tried.text)
      assert.deepInclude(tried.body, { total: 300, duplicates: 1, invalid: [], optedOut: 1 })
      const { id } = await created(client, { csv })
      const campaign = await done(client, id)
      assert.deepInclude(campaign, {
        total: 300,
        pending: 0,
        sent: 298,
        delivered: 297,
        read: 0,
        failed: 1,
        skipped: 1
      })
      const recipients = (query: string) => client.get(`${path}/${id}/recipients?${query}`)
      const seen: Array<any> = []
      for (let cursor: string | null = "0"; cursor !== null; ) {
        const { body } = await recipients(`limit=150&cursor=${cursor}`)
        seen.push(...body.items)
        cursor = body.nextCursor
      }
      assert.deepStrictEqual(
        seen.map(({ number, phone }) => [number, phone]),
        Array.from({ length: 300 }, (_, n) => [n + 2, numberOf(n)])
      )
      assert.deepInclude(seen[7], { values: ["Person 7", "Acme"], status: "DELIVERED", problem: null })
      const only = async (status: string) => (await recipients(`status=${status}`)).body.items
      for (const [status, phone] of [
        ["FAILED", numberOf(0)],
        ["SENT", numberOf(1)],
        ["SKIPPED", unwilling]
      ] as const) {
        assert.deepStrictEqual(
          (await only(status)).map((one: any) => one.phone),
          [phone],
          status
        )
      }
      const [event, ...more] = await finished(client, id)
      assert.deepStrictEqual(more, [])
      assert.deepStrictEqual(event.data, { campaignId: id, name: "Diwali", total: 300, sent: 298, failed: 1 })
    })
  })

/** Campaign operations over HTTP. */
export const suite = (service: () => Service, once: Once) =>
  describe("campaigns", () => {
    it("are created once per idempotency key, also for concurrent requests to several processes", async () => {
      const client = await shop(service())
      const headers = { "idempotency-key": uuid() }
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => asked(client, { startAt: undefined }, { headers }))
      )
      for (const { status, text } of answers) assert.deepStrictEqual([status, text], [201, answers[0]!.text])
      assert.strictEqual((await client.get(path)).body.items.length, 1)
      refused(await asked(client, { name: "Other" }, { headers }), "IDEMPOTENCY_KEY_REUSED")
      await done(client, answers[0]!.body.id)
      assert.strictEqual((await finished(client, answers[0]!.body.id)).length, 1)
    })

    it("wait for their start time, can be paused, resumed and cancelled, and are audited", async () => {
      const client = await shop(service())
      const startAt = soon()
      const { id, ...campaign } = await created(client, { startAt })
      assert.deepInclude(campaign, { status: "SCHEDULED", startAt, pausedFor: null, pending: 3, finishedAt: null })
      const statusAfter = async (end: string) => {
        const { body, status, text } = await post(client, id, end)
        assert.strictEqual(status, 200, text)
        return body.status
      }
      for (const [end, status] of [
        ["pause", "PAUSED"],
        ["pause", "PAUSED"],
        ["resume", "SCHEDULED"],
        ["resume", "SCHEDULED"],
        ["cancel", "CANCELLED"],
        ["cancel", "CANCELLED"]
      ] as const) {
        assert.strictEqual(await statusAfter(end), status)
      }
      const over = await post(client, id, "resume")
      assert.strictEqual(over.status, 400)
      refused(over, "INVALID_REQUEST", "id: this campaign is CANCELLED")
      await until(
        async () => (await client.get(`${path}/${id}`)).body,
        ({ pending, skipped }) => pending === 0 && skipped === 3,
        { what: "those to whom a cancelled campaign did not come" }
      )
      assert.deepStrictEqual(await finished(client, id), [])
      const audit = await client.get("/v1/dashboard/audit?limit=200")
      assert.deepStrictEqual(
        audit.body.items
          .filter(({ action }: any) => action.startsWith("campaign."))
          .map(({ action, actor, target }: any) => [action, actor.id, target.id]),
        ["cancelled", "resumed", "paused", "created"].map((deed) => [`campaign.${deed}`, client.keys.clientId, id])
      )
    })

    it("belong to one environment of one merchant", async () => {
      const client = await shop(service())
      const { id } = await created(client, { startAt: soon() })
      for (const other of [client.live, await service().client()]) {
        assert.deepStrictEqual((await other.get(path)).body, { items: [], nextCursor: null })
        refused(await other.get(`${path}/${id}`), "CAMPAIGN_NOT_FOUND")
        refused(await other.get(`${path}/${id}/recipients`), "CAMPAIGN_NOT_FOUND")
        for (const end of ["pause", "resume", "cancel"]) refused(await post(other, id, end), "CAMPAIGN_NOT_FOUND")
      }
      assert.strictEqual((await client.get(`${path}/${id}`)).body.status, "SCHEDULED")
      refused(await asked(await service().client()), "TEMPLATE_NOT_FOUND")
    })

    it("are listed in pages, newest first", async () => {
      const client = await shop(service())
      const ids: Array<string> = []
      for (let n = 0; n < 3; n++) ids.unshift((await created(client, { startAt: soon() })).id)
      const first = (await client.get(`${path}?limit=2`)).body
      assert.deepStrictEqual([first.items.map(({ id }: any) => id), first.nextCursor], [ids.slice(0, 2), ids[1]])
      const second = (await client.get(`${path}?limit=2&cursor=${first.nextCursor}`)).body
      assert.deepStrictEqual([second.items.map(({ id }: any) => id), second.nextCursor], [[ids[2]], null])
    })

    once("with invalid input name the field, and are not created", async () => {
      const client = await shop(service())
      await client.post("/v1/dashboard/templates", { name: "login", channel: "SMS", body: "{{code}}" })
      const faults: ReadonlyArray<[fields: Fields, errorCode: string, begins: string]> = [
        [{ name: null }, "INVALID_REQUEST", "name"],
        [{ name: "" }, "INVALID_REQUEST", "name"],
        [{ name: "x".repeat(101) }, "INVALID_REQUEST", "name"],
        [{ channel: 1 }, "INVALID_REQUEST", "channel"],
        [{ channel: "EMAIL" }, "INVALID_CHANNEL", "a campaign's channel"],
        [{ csv: 1 }, "INVALID_REQUEST", "csv"],
        [{ csv: undefined }, "INVALID_REQUEST", "csv"],
        [{ startAt: "tomorrow" }, "INVALID_REQUEST", "startAt"],
        [{ startAt: "2020-01-01T00:00:00Z" }, "INVALID_REQUEST", "startAt"],
        [{ template: "none" }, "TEMPLATE_NOT_FOUND", "template"],
        [{ template: "login" }, "INVALID_TEMPLATE_CONFIG", "template"],
        [{ channel: "WHATSAPP" }, "INVALID_TEMPLATE_CONFIG", "template"],
        [{ csv: "" }, "CSV_VALIDATION_FAILED", "csv: line 1: the file is empty"],
        [{ csv: "phone\n+919876543210\n" }, "CSV_VALIDATION_FAILED", "csv: line 1, column first_name: is missing"],
        [{ csv: `${several}abc,X\n,Y\n` }, "CSV_VALIDATION_FAILED", "csv: line 5, column phone: "]
      ]
      for (const [fields, errorCode, begins] of faults) {
        for (const query of ["", "?dryRun=true"]) {
          const answer = await asked(client, fields, { query })
          if (query !== "" && errorCode === "CSV_VALIDATION_FAILED") {
            assert.strictEqual(answer.status, 200, answer.text)
            assert.isAbove(answer.body.invalid.length, 0)
            continue
          }
          refused(answer, errorCode)
          assert.isTrue(answer.body.message.startsWith(begins), answer.text)
        }
      }
      const many = await asked(client, { csv: `${several}abc,X\n,Y\n` })
      assert.match(many.body.message, /; 1 more problem, listed with \?dryRun=true$/)
      refused(await asked(client, {}, { query: "?dryRun=yes" }), "INVALID_REQUEST", "dryRun")
      assert.deepStrictEqual((await client.get(path)).body.items, [])
    })

    once("are filtered only by valid words and numbers", async () => {
      const client = await shop(service())
      const { id } = await created(client, { startAt: soon() })
      for (const query of ["status=LOST", "cursor=x", "cursor=-1", "limit=0", "limit=201", "limit=x"]) {
        refused(await client.get(`${path}/${id}/recipients?${query}`), "INVALID_REQUEST", query.split("=")[0])
      }
      for (const unknown of ["cmp_01kaj3v9c0q5w8xn2rz7t4m6hd", "x", "%00", "tpl_01kaj3v9c0q5w8xn2rz7t4m6hd"]) {
        refused(await client.get(`${path}/${unknown}`), "CAMPAIGN_NOT_FOUND")
      }
      const { body } = await client.get(`${path}/${id}/recipients?cursor=2&limit=1`)
      assert.deepStrictEqual([body.items.map(({ number }: any) => number), body.nextCursor], [[3], "3"])
    })

    once("leave out invalid lines only when asked to, and remember how many", async () => {
      const client = await shop(service())
      const csv = `phone,first_name\n98123,Asha\n${numberOf(3)},Ravi\n`
      refused(await asked(client, { csv }), "CSV_VALIDATION_FAILED", "csv")
      const tried = await asked(client, { csv }, { query: "?dryRun=true&problems=0" })
      assert.deepInclude(tried.body, { invalid: [], invalidTotal: 1, invalidLines: 1, skippable: true })
      const { id } = await created(client, { csv, skipInvalid: true, startAt: soon() })
      assert.deepInclude((await client.get(`${path}/${id}`)).body, { total: 1, skippedLines: 1 })
    })

    once("over WhatsApp require a template, with its own values if it has any", async () => {
      const client = await service().client()
      const template = { name: "hello", channel: "WHATSAPP", purpose: "MESSAGE", whatsappName: "hello" }
      assert.strictEqual((await client.post("/v1/dashboard/templates", template)).status, 201)
      const { id } = await created(client, { channel: "WHATSAPP", template: "hello", csv: "phone\n98765 43210\n" })
      assert.deepInclude(await done(client, id), { channel: "WHATSAPP", delivered: 1 })
    })
  })
