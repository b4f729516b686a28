import { assert, describe, it } from "vitest"
import { email, phone, refused, uuid } from "../fixture/Client.ts"
import { App } from "../fixture/App.ts"
import { balanceOf, makePayer, moves, payIn, startedAtOnce } from "../fixture/money.ts"
import type { Service } from "../fixture/Service.ts"
import { until } from "../fixture/Until.ts"
import type { Once } from "./Once.ts"

const key = () => ({ "idempotency-key": uuid() })

/**
 * The charges for sends, and the answers when the balance is insufficient. `delivery.integration` tests two processes
 * on Postgres.
 */
export const suite = (service: () => Service, once: Once) =>
  describe("paid messages", () => {
    once("that cannot be sent get 402 with the channel's code, the reason and the solution", async () => {
      const client = await makePayer(service(), 0)
      const sms = await client.initiate()
      assert.strictEqual(sms.status, 402)
      refused(sms, "INSUFFICIENT_SMS_BALANCE")
      assert.match(sms.body.message, /costs 20 .*INR.* only 0 is left: top up/)
      assert.isNull(sms.body.requestId)
      refused(await client.initiate({ channel: "WHATSAPP" }), "INSUFFICIENT_WHATSAPP_BALANCE")
      const mail = { identity: email(), identityType: "EMAIL", channel: "EMAIL" }
      refused(await client.initiate(mail), "INSUFFICIENT_BALANCE")
      const unpriced = await makePayer(service(), 100, { prices: { SMS: 20 }, dailyCap: { SMS: 30 } })
      const whatsapp = await unpriced.initiate({ channel: "WHATSAPP" })
      assert.strictEqual(whatsapp.status, 402)
      refused(whatsapp, "BILLING_NOT_CONFIGURED")
      assert.include(whatsapp.body.message, "prices")
      await unpriced.started()
      const capped = await unpriced.initiate()
      refused(capped, "INSUFFICIENT_SMS_BALANCE")
      assert.match(capped.body.message, /only 10 is left of today's cap: .*dailyCap/)
      // They leave nothing behind except their refusals.
      assert.lengthOf((await client.events()).body.items, 0)
      assert.lengthOf((await unpriced.events()).body.items, 1)
      const { body } = await until(
        () => unpriced.get("/v1/dashboard/refusals"),
        ({ body }) => body.items.length === 2,
        { what: "two refusals" }
      )
      assert.sameDeepMembers(
        body.items.map(({ errorCode, reason }: any) => [errorCode, reason]),
        [
          ["BILLING_NOT_CONFIGURED", "BILLING_NOT_CONFIGURED"],
          ["INSUFFICIENT_SMS_BALANCE", "dailyCap"]
        ]
      )
    })

    once("of an app never reveal amounts", async () => {
      const client = await makePayer(service(), 10, { dailyCap: { WHATSAPP: 5 }, prices: { SMS: 20, WHATSAPP: 7 } })
      const app = new App(service(), client.keys.publicKey, "")
      for (const [channel, errorCode] of [
        ["sms", "INSUFFICIENT_SMS_BALANCE"],
        ["whatsapp", "INSUFFICIENT_WHATSAPP_BALANCE"]
      ] as const) {
        const answer = await app.initiate({ channel })
        assert.strictEqual(answer.status, 402)
        refused(answer, errorCode)
        assert.notMatch(answer.body.message, /\d/)
      }
    })

    once("also include replies", async () => {
      const client = await makePayer(service(), 49)
      const { body: lead } = await client.post("/v1/dashboard/leads", { phone: phone() })
      const reply = () => client.post(`/v1/dashboard/leads/${lead.id}/reply`, { template: "welcome" })
      const answer = await reply()
      assert.strictEqual(answer.status, 402)
      refused(answer, "INSUFFICIENT_WHATSAPP_BALANCE")
      const messages = (await client.get(`/v1/dashboard/leads/${lead.id}/messages`)).body.items
      assert.deepStrictEqual(messages, [])
      await payIn(client, 1)
      assert.strictEqual((await reply()).status, 201)
      assert.include(await moves(client), "SEND -50")
    })

    once("are charged once per Idempotency-Key, and a new key is charged after a top-up", async () => {
      const client = await makePayer(service(), 20)
      const [first, second] = [key(), key()]
      const fields = { identity: phone() }
      const started = await client.initiate(fields, first)
      assert.strictEqual(started.status, 200)
      assert.strictEqual((await client.initiate(fields, first)).text, started.text)
      assert.strictEqual(await balanceOf(client), 0)
      const unpaid = await client.initiate({}, second)
      assert.strictEqual(unpaid.status, 402)
      // The error of an unpaid resend contains the requestId of its verification.
      assert.strictEqual((await client.initiate(fields, key())).body.requestId, started.body.requestId)
      await payIn(client, 20)
      assert.strictEqual((await client.initiate({}, key())).status, 200)
      assert.deepStrictEqual(await moves(client), ["TOP_UP 20", "SEND -20", "TOP_UP 20", "SEND -20"])
    })

    // Keep this test last: a process records only 100 refusals per second.
    it("for 100 concurrent requests start exactly as many logins as the balance covers", async (context) => {
      if (!service().sendsLive) return context.skip()
      const client = await makePayer(service(), 5, { prices: { SMS: 1 } })
      assert.strictEqual(await startedAtOnce(client, 100), 5)
      assert.strictEqual(await balanceOf(client), 0)
      assert.deepStrictEqual(await moves(client), ["TOP_UP 5", ...Array<string>(5).fill("SEND -1")])
    })
  })
