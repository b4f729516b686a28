import { assert, describe, it } from "vitest"
import { code, phone, refused } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import type { Once } from "./Once.ts"

const day = 24 * 60 * 60_000

/** Statistics of verifications, as merchants read them. */
export const suite = (service: () => Service, once: Once) => {
  describe("statistics", () => {
    it("count a login from request to success immediately, only for its own environment", async () => {
      const [client, other] = [await service().client(), await service().client()]
      const requestId = await client.started({ identity: phone() })
      await client.settled(requestId)
      await client.started({ identity: phone() })
      assert.strictEqual((await client.verify({ requestId, otp: code })).body.verified, true)
      const from = new Date(Date.now() - day).toISOString()
      const series = await client.get(`/v1/dashboard/stats/series?bucket=15m&groupBy=channel&from=${from}`)
      assert.strictEqual(series.status, 200, series.text)
      assert.strictEqual(series.body.bucket, "15m")
      const total = (name: string) => series.body.items.reduce((sum: number, item: any) => sum + item[name], 0)
      assert.deepStrictEqual(["asked", "verified", "failed", "refused"].map(total), [2, 1, 0, 0])
      for (const { at, group } of series.body.items) {
        assert.strictEqual(Date.parse(at) % 900_000, 0)
        assert.strictEqual(group, "SMS")
      }
      const { body } = await client.get("/v1/dashboard/stats/funnel?tz=Asia/Kolkata")
      assert.deepStrictEqual([body.items.length, body.items[0].asked, body.items[0].verified], [1, 2, 1])
      const strange = await other.get("/v1/dashboard/stats/funnel")
      assert.deepStrictEqual(strange.body, {
        items: [
          {
            group: null,
            asked: 0,
            sent: 0,
            delivered: 0,
            verified: 0,
            relayed: { requested: 0, sent: 0, delivered: 0, failed: 0 },
            losses: []
          }
        ]
      })
    })

    once("return each metric in its own form", async () => {
      const client = (await service().withOwner()).test
      const requestId = await client.started({ identity: phone() })
      assert.strictEqual((await client.verify({ requestId, otp: code })).body.verified, true)
      const latency = (await client.get("/v1/dashboard/stats/latency")).body
      assert.deepStrictEqual(Object.keys(latency.items[0]).toSorted(), ["group", "toDeliver", "toSend", "toVerify"])
      assert.deepStrictEqual(Object.keys(latency.items[0].toVerify), ["p50", "p95", "p99"])
      await client.settings({ prices: { SMS: 25 } })
      const spend = (await client.get("/v1/dashboard/stats/spend")).body
      assert.strictEqual(spend.currency, "INR")
      assert.deepStrictEqual(Object.keys(spend.items[0]).toSorted(), ["amount", "costPerVerified", "group", "sends"])
      assert.deepStrictEqual((await client.get("/v1/dashboard/stats/refusals")).body, { items: [] })
      const days = (await client.get("/v1/dashboard/stats/series?tz=Asia/Kathmandu")).body
      assert.strictEqual(days.items.length, 30)
      for (const { at, group } of days.items) {
        assert.strictEqual(new Date(at).toISOString().slice(11), "18:15:00.000Z")
        assert.isNull(group)
      }
    })

    once.each([
      ["series?bucket=5m", "bucket"],
      ["series?groupBy=merchant", "groupBy"],
      ["funnel?tz=Nowhere", "tz"],
      ["latency?from=yesterday", "from"],
      ["spend?to=2026-02-30T00:00:00Z", "to"],
      ["series?bucket=1h&from=2020-01-01T00:00:00Z", "from"],
      ["refusals?from=0001-01-01T00:00:00Z", "from"]
    ])("refuse %s, and name %s", async (question, field) => {
      const client = await service().client()
      const answer = await client.get(`/v1/dashboard/stats/${question}`)
      assert.strictEqual(answer.status, 400)
      refused(answer, "INVALID_REQUEST", field)
    })
  })
}
