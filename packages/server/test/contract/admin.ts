import { assert, describe, it } from "vitest"
import { refused, uuid } from "../fixture/Client.ts"
import { until } from "../fixture/Until.ts"
import type { Service } from "../fixture/Service.ts"
import type { Once } from "./Once.ts"

/** The operator's HTTP API. */
export const suite = (service: () => Service, once: Once) =>
  describe("the admin API", () => {
    const make = (name: unknown) => service().admin({ path: "/v1/admin/merchants", body: { name } })

    it("creates a merchant with keys for both environments", async () => {
      const name = `Merchant ${uuid()} ü`
      const { body, status } = await make(name)
      assert.strictEqual(status, 201)
      const { createdAt, id, live, test, ...rest } = body
      assert.deepStrictEqual(rest, { name, status: "ACTIVE", ownerInvitation: null })
      assert.match(id, /^mer_[0-9a-z]{26}$/)
      assert.match(createdAt, /^\d{4}-.*\.\d{3}Z$/)
      for (const [kind, keys] of [
        ["live", live],
        ["test", test]
      ] as const) {
        assert.sameMembers(Object.keys(keys), ["clientId", "clientSecret", "publicKey"])
        assert.match(keys.clientId, new RegExp(`^cs_${kind}_[0-9a-z]{15,}$`))
        // 192 bits, at five bits per character.
        assert.match(keys.clientSecret, new RegExp(`^sk_${kind}_[0-9a-z]{39,}$`))
        assert.match(keys.publicKey, new RegExp(`^pk_${kind}_[0-9a-z]{15,}$`))
      }
      const shown = await service().admin({ path: `/v1/admin/merchants/${id}` })
      assert.deepStrictEqual(shown.body, {
        id,
        name,
        status: "ACTIVE",
        createdAt,
        live: { clientIds: [live.clientId], publicKeys: [live.publicKey] },
        test: { clientIds: [test.clientId], publicKeys: [test.publicKey] }
      })
      assert.notInclude(shown.text, live.clientSecret)
    })

    once("requires a name of 1 to 60 characters", async () => {
      for (const name of [undefined, null, "", "  ", 1, [], {}, "x".repeat(61), "a\0b", "a\r\nb", "\ud800"]) {
        refused(await make(name), "INVALID_REQUEST", "name")
      }
      for (const name of ["x", "x".repeat(60), "O'Neill & <b>", "मर्चेंट"])
        assert.strictEqual((await make(name)).body.name, name)
    })

    it("lists every merchant once across pages", async () => {
      const made = await Promise.all(Array.from({ length: 101 }, (_, i) => make(`Listed ${i}`)))
      const ids = made.map(({ body }) => body.id)
      const listed: Array<string> = []
      for (let cursor: string | null = ""; cursor !== null; ) {
        const path: string = `/v1/admin/merchants${cursor === "" ? "" : `?cursor=${cursor}`}`
        const { body, status, text } = await service().admin({ path })
        assert.strictEqual(status, 200, text)
        assert.notInclude(text, "sk_")
        for (const item of body.items) {
          assert.sameMembers(Object.keys(item), ["id", "name", "status", "createdAt"])
          listed.push(item.id)
        }
        cursor = body.nextCursor
      }
      assert.strictEqual(new Set(listed).size, listed.length)
      assert.includeMembers(listed, ids)
    })

    once("never fails on an invalid cursor", async () => {
      for (const cursor of [
        "%00",
        "zzz",
        "mer_zzzzzzzzzzzzzzzzzzzzzzzzzz",
        "%F0%9F%98%80",
        "~",
        `~${"x".repeat(5000)}`
      ]) {
        const { status, text } = await service().admin({ path: `/v1/admin/merchants?cursor=${cursor}` })
        assert.include([200, 400], status, text.slice(0, 500))
      }
    })

    once("answers MERCHANT_NOT_FOUND for an unknown merchant", async () => {
      for (const id of ["mer_00000000000000000000000000", "x", "%00", "..%2f..", "'", "x".repeat(3000)]) {
        refused(await service().admin({ path: `/v1/admin/merchants/${id}` }), "MERCHANT_NOT_FOUND")
        refused(
          await service().admin({ method: "POST", path: `/v1/admin/merchants/${id}/suspend` }),
          "MERCHANT_NOT_FOUND"
        )
        refused(
          await service().admin({ method: "POST", path: `/v1/admin/merchants/${id}/resume` }),
          "MERCHANT_NOT_FOUND"
        )
      }
    })

    once("suspends and resumes a merchant repeatedly", async () => {
      const { id } = (await make("Again")).body
      for (const [word, status] of [
        ["suspend", "SUSPENDED"],
        ["suspend", "SUSPENDED"],
        ["resume", "ACTIVE"],
        ["resume", "ACTIVE"]
      ]) {
        const answer = await service().admin({ method: "POST", path: `/v1/admin/merchants/${id}/${word}` })
        assert.deepInclude(answer.body, { id, status })
      }
    })

    it("reports a merchant's usage by environment and day", async () => {
      const { id, test } = await service().merchant()
      const usage = (query = "") => service().admin({ path: `/v1/admin/merchants/${id}/usage${query}` })
      assert.deepStrictEqual((await usage()).body, { items: [], nextCursor: null })
      await test.verified()
      await test.settled(await test.started())
      const days = await until(usage, ({ body }) => body.items[0]?.sent.SMS === 2, {
        what: "two messages that were sent"
      })
      assert.lengthOf(days.body.items, 1)
      assert.deepInclude(days.body.items[0], { environment: "test", started: 2, verified: 1, sent: { SMS: 2 } })
      assert.match(days.body.items[0].at, /T00:00:00\.000Z$/)
      assert.deepStrictEqual((await usage("?to=2020-01-01T00:00:00Z&from=2019-12-31T00:00:00Z")).body.items, [])
      refused(await usage("?from=yesterday"), "INVALID_REQUEST", "from")
      refused(await service().admin({ path: "/v1/admin/merchants/mer_404/usage" }), "MERCHANT_NOT_FOUND")
    })

    once("accepts only its own token", async () => {
      const token = service().adminToken
      const merchant = await service().merchant()
      const { clientId, clientSecret } = merchant.test.keys
      const headers: ReadonlyArray<{ readonly [name: string]: string }> = [
        {},
        { authorization: "" },
        { authorization: "Bearer" },
        { authorization: "Bearer " },
        { authorization: "Bearer wrong" },
        { authorization: token },
        { authorization: `Basic ${token}` },
        { authorization: `Bearer ${token}x` },
        { authorization: `Bearer ${token.slice(0, -1)}` },
        { authorization: `Bearer ${token} ${token}` },
        { authorization: `Bearer ${token.toUpperCase()}` },
        { "x-admin-token": token },
        { "x-client-id": clientId, "x-client-secret": clientSecret },
        { authorization: `Bearer ${clientSecret}` }
      ]
      for (const header of headers) {
        for (const path of ["/v1/admin/merchants", `/v1/admin/merchants/${merchant.id}`]) {
          refused(await service().send({ path, headers: header }), "INVALID_CLIENT_CREDENTIALS")
        }
        const suspend = { method: "POST", path: `/v1/admin/merchants/${merchant.id}/suspend`, headers: header }
        refused(await service().send(suspend), "INVALID_CLIENT_CREDENTIALS")
        refused(
          await service().send({ path: "/v1/admin/merchants", body: { name: "x" }, headers: header }),
          "INVALID_CLIENT_CREDENTIALS"
        )
      }
      assert.strictEqual((await merchant.test.get("/v1/dashboard/settings")).status, 200)
      const lowerCase = await service().send({
        path: "/v1/admin/merchants",
        headers: { authorization: `bearer ${token}` }
      })
      assert.strictEqual(lowerCase.status, 200)
    })
  })
