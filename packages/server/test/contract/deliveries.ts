import { assert, describe, it } from "vitest"
import { appOf } from "../fixture/App.ts"
import { type Client, phone, refused, uuid } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import { until } from "../fixture/Until.ts"
import type { Once } from "./Once.ts"

const at = "/v1/deliveries"
/** No other text of a test contains it. */
const code = "Q7ZK42MX"
const relay = (client: Client, fields: object = {}, headers = {}) =>
  client.post(at, { identity: phone(), code, ...fields }, headers)
const read = (client: Client, id: string) => client.get(`${at}/${id}`)

/** Waits until a message left, in whatever way. */
const settled = (client: Client, id: string) =>
  until(
    () => read(client, id),
    ({ body }) => body.deliveryStatus !== "PENDING",
    { what: "a delivery" }
  )

/** Relayed codes. */
export const suite = (service: () => Service, once: Once) =>
  describe("a code of another sign-in system", () => {
    it("is accepted with 201, delivered, and shown by its id without the code", async () => {
      const client = await service().client()
      const made = await relay(client, { channel: "SMS", locale: "hi", expiresInSeconds: 60, purpose: "sign-in" })
      assert.strictEqual(made.status, 201, made.text)
      assert.hasAllKeys(made.body, ["id", "deliveryStatus", "expiresAt", "deliveries"])
      const shown = await settled(client, made.body.id)
      assert.strictEqual(shown.body.id, made.body.id)
      assert.deepInclude(shown.body.deliveries[0], { channel: "SMS", type: "OTP", attemptNumber: 1 })
      const { body, text } = await client.get("/v1/dashboard/events")
      assert.deepStrictEqual([...new Set(body.items.map(({ type }: any) => type))], ["delivery.updated"])
      const one = await client.get(`/v1/dashboard/verifications/${made.body.id}`)
      const timeline = await client.get(`/v1/dashboard/verifications/${made.body.id}/timeline`)
      for (const seen of [made.text, shown.text, text, one.text, timeline.text]) assert.notInclude(seen, code)
    })

    it("is unknown to every request that checks, resends or reads a verification", async () => {
      const client = await service().client()
      const { id } = (await relay(client)).body
      refused(await client.verify({ requestId: id, otp: code }), "TRANSACTION_NOT_FOUND")
      refused(await client.status({ requestId: id }), "TRANSACTION_NOT_FOUND")
      refused(await client.post("/v1/auth/login", { requestId: id, otp: code }), "TRANSACTION_NOT_FOUND")
      refused(await client.post("/v1/auth/verify-code", { requestId: id }), "TRANSACTION_NOT_FOUND")
      refused(await client.post(`/v1/dashboard/try/${id}/verify`, { otp: code }), "TRANSACTION_NOT_FOUND")
      refused(await client.initiate({ mode: "MAGIC_LINK", requestId: id }), "TRANSACTION_NOT_FOUND")
      const app = await appOf(client)
      refused(await app.verify({ sessionId: id, code }), "TRANSACTION_NOT_FOUND")
    })

    it("is read in its own environment only, and a verification is no delivery", async () => {
      const client = await service().client()
      const other = await service().client()
      const { id } = (await relay(client)).body
      refused(await read(other, id), "TRANSACTION_NOT_FOUND")
      refused(await read(client, await client.started()), "TRANSACTION_NOT_FOUND")
      refused(await read(client, "ver_x"), "TRANSACTION_NOT_FOUND")
    })

    it("is sent once for each idempotency key, also for repeats at the same time", async () => {
      const client = await service().client()
      const header = { "idempotency-key": uuid() }
      const fields = { identity: phone() }
      const answers = await Promise.all(Array.from({ length: 8 }, () => relay(client, fields, header)))
      assert.strictEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
      assert.strictEqual((await settled(client, answers[0]!.body.id)).body.deliveries.length, 1)
      refused(await relay(client, { ...fields, code: "482913" }, header), "IDEMPOTENCY_KEY_REUSED")
      const [one, two] = [await relay(client, fields), await relay(client, fields)]
      assert.notStrictEqual(one.body.id, two.body.id)
    })

    it("shares the hourly limit of the identity with codes of the service", async () => {
      const client = await service().client()
      await client.settings({ hourlyLimit: 2, resendCooldownSeconds: 0 })
      const fields = { identity: phone() }
      await relay(client, fields)
      await relay(client, fields)
      const full = await relay(client, fields)
      refused(full, "RATE_LIMIT_EXCEEDED")
      assert.isDefined(full.headers["retry-after"])
      refused(await client.initiate(fields), "RATE_LIMIT_EXCEEDED")
    })

    once("is refused with the field that is wrong", async () => {
      const client = await service().client()
      const wrong: ReadonlyArray<readonly [field: string, fields: object]> = [
        ["code", { code: "123" }],
        ["code", { code: "12345678901" }],
        ["code", { code: "buy now" }],
        ["code", { code: "a.example" }],
        ["code", { code: 482_913 }],
        ["code", { code: undefined }],
        ["expiresInSeconds", { expiresInSeconds: 901 }],
        ["expiresInSeconds", { expiresInSeconds: 0 }],
        ["locale", { locale: "English" }],
        ["purpose", { purpose: "Hello there" }],
        ["clientIp", { clientIp: "localhost" }],
        ["identity", { identity: "1" }]
      ]
      for (const [field, fields] of wrong) {
        const answer = await relay(client, fields)
        refused(answer, "INVALID_REQUEST", field)
        assert.notInclude(answer.text, "buy now")
      }
      refused(await relay(client, { channel: "TRUECALLER" }), "INVALID_CHANNEL")
    })

    once("counts apart from verifications", async () => {
      const client = await service().client()
      await settled(client, (await relay(client)).body.id)
      const [item] = (await client.get("/v1/dashboard/stats/funnel")).body.items
      assert.deepInclude(item, { asked: 0, sent: 0, verified: 0, losses: [] })
      assert.deepInclude(item.relayed, { requested: 1, sent: 1, failed: 0 })
    })
  })
