import { assert, describe, it } from "vitest"
import type { Client } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import { until } from "../fixture/Until.ts"

const path = "/v1/dashboard/example-day"
const hour = 60 * 60_000

const all = async (client: Client, list: string): Promise<ReadonlyArray<any>> => {
  const items: Array<any> = []
  for (let cursor = ""; ; ) {
    const { body } = await client.get(`${list}?limit=200${cursor}`)
    items.push(...body.items)
    if (body.nextCursor === null) return items
    cursor = `&cursor=${body.nextCursor}`
  }
}

const over = (client: Client) =>
  until(
    async () => (await client.get(path)).body,
    ({ isPlaying }) => isPlaying === false,
    { what: "the end of an example day" }
  )

/** A test environment filled with a simulated day. */
export const suite = (service: () => Service) => {
  describe("an example day", () => {
    it("is refused in live, with the alternative in the message", async () => {
      const { live } = await service().merchant()
      const { body, status } = await live.post(path, {})
      assert.deepStrictEqual([status, body.errorCode], [403, "FORBIDDEN"])
      assert.match(body.message, /only in the test environment/)
      assert.deepStrictEqual((await live.get("/v1/dashboard/verifications")).body.items, [])
      assert.strictEqual((await live.post(path, { seed: 1.5 })).status, 403)
    })

    it("fills only its own test environment, with the last day and the same day a week earlier", async () => {
      const { live, test } = await service().withOwner()
      await test.settings({ prices: { SMS: 20, WHATSAPP: 12, EMAIL: 2, RCS: 30 }, billing: "PREPAID" })
      assert.strictEqual((await test.post("/v1/dashboard/balance/top-ups", { amount: 100_000 })).status, 201)
      const settings = (await test.get("/v1/dashboard/settings")).body
      const asked = Date.now()
      const begun = await test.post(path, { seed: 7 })
      assert.deepStrictEqual([begun.status, begun.body.seed], [202, 7], begun.text)
      const again = await test.post(path, { seed: 7 })
      assert.deepStrictEqual([again.status, again.body.errorCode], [409, "EXAMPLE_DAY_RUNS"])
      await over(test)

      const verifications = await all(test, "/v1/dashboard/verifications")
      assert.isAbove(verifications.length, 400)
      const of = (status: string) => verifications.filter(({ authStatus }) => authStatus === status)
      for (const status of ["VERIFIED", "EXPIRED", "FAILED"]) assert.isNotEmpty(of(status), status)
      // Some people sign in again after two hours.
      for (const { createdAt } of verifications) {
        const age = asked - Date.parse(createdAt)
        assert.isTrue((age > -1 && age <= 24 * hour) || (age >= (7 * 24 - 3) * hour && age <= 8 * 24 * hour), createdAt)
      }
      const states = new Set(
        verifications.flatMap(({ deliveries }) => deliveries.map((one: any) => one.deliveryStatus))
      )
      for (const state of ["READ", "DELIVERED", "FAILED", "SENT"]) assert.isTrue(states.has(state), state)
      assert.isTrue(verifications.some(({ deliveries }) => new Set(deliveries.map((one: any) => one.channel)).size > 1))

      // Statistics are exact also for hours that were over before their first event was written.
      const byCode = of("VERIFIED").filter(({ method }) => method === "OTP")
      const byDevice = of("VERIFIED").filter(({ method }) => method === "ONETAP")
      assert.isNotEmpty(byDevice)
      const [sum] = (await test.get("/v1/dashboard/stats/funnel")).body.items
      assert.deepStrictEqual([sum.asked, sum.verified], [verifications.length - byDevice.length, byCode.length])
      const series = (await test.get("/v1/dashboard/stats/series?bucket=1h")).body.items
      const total = (name: string) => series.reduce((n: number, item: any) => n + item[name], 0)
      assert.deepStrictEqual([total("asked"), total("oneTap")], [sum.asked, byDevice.length])
      for (const name of ["expired", "failed", "resent", "fallbacks", "refused"]) assert.isAbove(total(name), 0, name)
      const channels = (await test.get("/v1/dashboard/stats/latency?groupBy=channel")).body.items
      assert.deepStrictEqual(channels.map(({ group }: any) => group).toSorted(), ["EMAIL", "RCS", "SMS", "WHATSAPP"])
      for (const { toDeliver, toSend } of channels) assert.isAbove(toDeliver.p50, toSend.p50)

      const refusals = (await test.get("/v1/dashboard/refusals")).body.items.map(({ reason }: any) => reason)
      for (const reason of ["cooldown", "identity"]) assert.include(refusals, reason)
      const leads = (await test.get("/v1/whatsapp/leads")).body
      assert.isTrue(leads.some(({ unreadCount }: any) => unreadCount > 0))
      assert.isTrue(leads.some(({ status }: any) => status === "CLOSED"))
      const [answered] = leads.filter(({ unreadCount }: any) => unreadCount === 0)
      const { items } = (await test.get(`/v1/dashboard/leads/${answered.id}/messages`)).body
      assert.includeMembers(
        items.map(({ direction }: any) => direction),
        ["IN", "OUT"]
      )
      assert.isNotEmpty((await test.get("/v1/dashboard/attribution")).body.items)
      const events = new Set((await all(test, "/v1/dashboard/events")).map(({ type }) => type))
      for (const type of ["otp.initiated", "otp.verified", "otp.expired", "delivery.failed", "message.received"]) {
        assert.isTrue(events.has(type), type)
      }
      const [deed] = (await test.get("/v1/dashboard/audit?action=example.begun")).body.items
      assert.deepStrictEqual(deed.to, { seed: 7 })

      const entries = await all(test, "/v1/dashboard/ledger")
      const paid = entries.reduce((sum, { amount }) => sum + amount, 0)
      assert.strictEqual(paid, (await test.get("/v1/dashboard/balance")).body.balance)
      assert.sameMembers([...new Set(entries.map(({ kind }) => kind))], ["TOP_UP", "SEND", "REFUND"])

      assert.deepStrictEqual((await test.get("/v1/dashboard/settings")).body, settings)
      for (const other of [live, await service().client()]) {
        assert.deepStrictEqual((await other.get("/v1/dashboard/verifications")).body.items, [])
      }
    })
  })
}
