import { assert, describe, it } from "vitest"
import { code, email, phone, refused, wrong } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import type { Once } from "./Once.ts"

/** The list of events. */
export const suite = (service: () => Service, once: Once) =>
  describe("events", () => {
    it("report every start and success, with their data", async () => {
      const client = await service().client()
      const identity = phone()
      const { requestId } = await client.verified({ identity, orderId: "order", channel: "WHATSAPP" })
      const { verifiedAt } = (await client.status({ requestId })).body
      const { body, status } = await client.events()
      assert.strictEqual(status, 200)
      const data = { requestId, identity, identityType: "MOBILE", mode: "OTP", channel: "WHATSAPP", orderId: "order" }
      assert.sameMembers(Object.keys(body), ["items", "nextCursor"])
      assert.isNull(body.nextCursor)
      // Events of the same millisecond can be in either order.
      assert.sameDeepMembers(
        body.items.map(({ createdAt, id, ...rest }: any) => rest),
        [
          { type: "otp.verified", environment: "test", data: { ...data, verifiedAt, method: "OTP" } },
          { type: "otp.initiated", environment: "test", data }
        ]
      )
      for (const { createdAt, id } of body.items) {
        assert.match(id, /^evt_[0-9a-z]{26}$/)
        assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      }
    })

    it("report a failed delivery once, with the deliveries", async () => {
      const client = await service().client()
      const identity = "p0000@example.com"
      const requestId = await client.started({ identity, identityType: "EMAIL" })
      const { body: settled } = await client.settled(requestId)
      const { items } = (await client.events({ type: "delivery.failed" })).body
      assert.strictEqual(items.length, 1)
      assert.deepStrictEqual(items[0].data, {
        requestId,
        identity,
        identityType: "EMAIL",
        mode: "OTP",
        channel: "EMAIL",
        orderId: null,
        deliveries: settled.deliveries
      })
    })

    once("are not created for resends, wrong codes, refusals and repeated successes", async () => {
      const client = await service().client()
      const identity = email()
      const requestId = await client.started({ identity, identityType: "EMAIL" })
      await client.started({ identity, identityType: "EMAIL" })
      await client.verify({ requestId, otp: wrong })
      await client.initiate({ mode: "x" })
      await client.verify({ requestId, otp: code })
      await client.verify({ requestId, otp: code })
      await client.confirm({ requestId })
      const types = (await client.events()).body.items.map(({ type }: any) => type)
      assert.sameMembers(types, ["otp.verified", "otp.initiated"])
    })

    it("are listed newest first, in pages and by type", async () => {
      const client = await service().client()
      const ids: Array<string> = []
      for (let i = 0; i < 4; i++) ids.unshift((await client.verified()).requestId)
      const all = (await client.events()).body.items
      const times = all.map(({ createdAt }: any) => createdAt)
      assert.deepStrictEqual(times, times.toSorted().reverse())
      assert.sameMembers(
        all.map(({ data, type }: any) => `${type} ${data.requestId}`),
        ids.flatMap((id) => [`otp.verified ${id}`, `otp.initiated ${id}`])
      )
      for (const limit of [1, 3, 8, 200]) {
        const pages: Array<any> = []
        for (let cursor: string | null = ""; cursor !== null; ) {
          const query = { limit: String(limit), ...(cursor === "" ? {} : { cursor }) }
          const { body }: any = await client.events(query)
          assert.isAtMost(body.items.length, limit)
          assert.isNotEmpty(body.items)
          pages.push(...body.items)
          cursor = body.nextCursor
        }
        assert.deepStrictEqual(pages, all)
      }
      const verified = (await client.events({ type: "otp.verified" })).body
      assert.deepStrictEqual(
        verified.items.map(({ data }: any) => data.requestId),
        ids
      )
      const second = (await client.events({ type: "otp.verified", limit: "2", cursor: verified.items[1].id })).body
      assert.deepStrictEqual(
        second.items.map(({ data }: any) => data.requestId),
        ids.slice(2)
      )
      assert.deepStrictEqual((await client.events({ type: "otp.expired" })).body, { items: [], nextCursor: null })
    })

    once("can be requested only with documented parameters", async () => {
      const client = await service().client()
      for (const limit of ["0", "-1", "201", "1.5", "x", "", "1e1000", " "]) {
        refused(await client.events({ limit }), "INVALID_REQUEST", "limit")
      }
      for (const type of ["otp", "OTP.VERIFIED", "", "otp.verified,otp.initiated", "%"]) {
        refused(await client.events({ type }), "INVALID_REQUEST", "type")
      }
      for (const cursor of ["x", "", "evt_", "' or 1=1", "\0", "x".repeat(5000), "%"]) {
        const { body, status } = await client.events({ cursor })
        assert.include([200, 400], status)
        if (status === 200) assert.deepStrictEqual(body, { items: [], nextCursor: null })
      }
    })
  })
