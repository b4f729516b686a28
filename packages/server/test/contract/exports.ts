import { assert, describe, it } from "vitest"
import { type Client, code, phone, refused } from "../fixture/Client.ts"
import { Dashboard, invited } from "../fixture/Dashboard.ts"
import type { Service } from "../fixture/Service.ts"
import { until } from "../fixture/Until.ts"
import type { Once } from "./Once.ts"

const csv = { accept: "text/csv" }
const linesOf = (text: string) => text.replace(/\r\n$/, "").split("\r\n")

const exported = async (client: Client, path: string): Promise<ReadonlyArray<string>> => {
  const { headers, status, text } = await client.get(`/v1/dashboard${path}`, csv)
  assert.strictEqual(status, 200, text)
  assert.strictEqual(headers["content-type"], "text/csv; charset=utf-8; header=present")
  assert.match(String(headers["content-disposition"]), /^attachment; filename="[a-z_0-9-]+\.csv"$/)
  return linesOf(text)
}

const entries = async (client: Client, query = "") => (await client.get(`/v1/dashboard/audit${query}`)).body.items

/** Lists as CSV files: the filters of the list, masks, and the audit log. */
export const suite = (service: () => Service, once: Once) =>
  describe("a list exported as CSV", () => {
    it("has the rows of the search with masked identities, and no formulas", async () => {
      const client = await service().client()
      const orders = ["=HYPERLINK(1)", "चाय-1", "+1", "-1", "@a", "\tx"]
      for (const orderId of orders) await client.initiate({ identity: phone(), orderId })
      const identity = phone()
      const { requestId } = (await client.initiate({ identity })).body
      await client.verify({ requestId, otp: code })
      const [header, ...rows] = await exported(client, "/verifications?limit=1")
      assert.match(String(header), /^requestId,createdAt,identity,/)
      assert.lengthOf(rows, 7)
      assert.include(rows.join(), "चाय-1")
      for (const row of rows) assert.notMatch(row, /(^|,)"?[=+@\t-]/, row)
      assert.notInclude(rows.join(), identity.slice(1))
      const verified = await exported(client, "/verifications?status=VERIFIED")
      assert.lengthOf(verified, 2)
      assert.include(verified[1], requestId)
      refused(await client.get("/v1/dashboard/verifications?status=LOST", csv), "INVALID_REQUEST", "status")

      const whole = await exported(client, "/verifications?status=VERIFIED&unmask=true")
      assert.include(whole[1], identity)
      refused(await client.get("/v1/dashboard/verifications?unmask=true"), "INVALID_REQUEST", "unmask")
      const log = (await entries(client, "?action=list.exported")).map(({ target, to }: any) => [target.id, to])
      assert.deepStrictEqual(log, [
        ["verifications", { filters: ["status"], unmasked: true }],
        ["verifications", { filters: ["status"], unmasked: false }],
        ["verifications", { filters: [], unmasked: false }]
      ])
    })

    once("with whole identities is refused to a role that may not unmask, and recorded for one that may", async () => {
      const merchant = await service().merchant()
      const identity = phone()
      await merchant.test.initiate({ identity })
      const ask = async (role: string) => {
        const browser = new Dashboard(service())
        await browser.post("/sessions/redeem", { token: (await invited(merchant, { role })).token })
        return (query: string) =>
          browser.send({
            path: `/v1/dashboard/verifications${query}`,
            headers: { ...csv, "x-environment": "test" }
          })
      }
      for (const role of ["VIEWER", "AGENT"]) {
        const get = await ask(role)
        const masked = await get("")
        assert.strictEqual(masked.status, 200, masked.text)
        assert.notInclude(masked.text, identity.slice(1))
        refused(await get("?unmask=true"), "FORBIDDEN")
      }
      const whole = await (await ask("ADMIN"))("?unmask=true")
      assert.include(whole.text, identity)
      const [entry] = await entries(merchant.test, "?action=list.exported")
      assert.deepInclude(entry, { target: { kind: "list", id: "verifications" } })
      assert.deepInclude(entry.to, { unmasked: true })
      assert.strictEqual(entry.actor.kind, "AGENT")
    })

    it("has the failed recipients of a campaign, refused requests, attribution and the audit log", async () => {
      const client = await service().client()
      const offer = { name: "offer", channel: "SMS", purpose: "MESSAGE", body: "Hi {{first_name}}" }
      await client.post("/v1/dashboard/templates", offer)
      // Test numbers that end in 0000 fail.
      const list = "phone,first_name\n+919800010000,=Asha\n+919800010002,Ravi\n"
      const { body } = await client.post("/v1/dashboard/campaigns", {
        name: "Sale",
        channel: "SMS",
        template: "offer",
        csv: list
      })
      const path = `/campaigns/${body.id}/recipients`
      await until(
        async () => (await client.get(`/v1/dashboard${path}?status=FAILED`)).body.items,
        (items) => items.length === 1,
        { what: "a failed recipient" }
      )
      const [header, ...failed] = await exported(client, `${path}?status=FAILED`)
      assert.strictEqual(header, "number,phone,status,problem,carrier,providerId,handedAt,values")
      assert.lengthOf(failed, 1)
      assert.match(String(failed[0]), /^2,'\+919800010000,FAILED,.*,'=Asha$/)
      assert.lengthOf(await exported(client, path), 3)
      const other = await service().client()
      refused(await other.get(`/v1/dashboard${path}`, csv), "CAMPAIGN_NOT_FOUND")

      await client.initiate({ identity: "+91 12345 67890" })
      const rows = await until(
        () => exported(client, "/refusals"),
        (found) => found.length > 1,
        { what: "a refusal" }
      )
      assert.match(String(rows[1]), /,INVALID_[A-Z_]+,|,INVALID_REQUEST,/)
      assert.lengthOf(await exported(client, "/attribution"), 1)
      const log = await exported(client, "/audit?action=list.exported")
      assert.isAtLeast(log.length, 4)
      assert.include(log.join("\n"), "list.exported,list,recipients")
    })

    it("the audit log is searched by a text in the action, the actor and the target", async () => {
      const client = await service().client()
      await client.post("/v1/dashboard/sender-ids", { header: "ACMEIN" })
      const actions = async (text: string) =>
        (await entries(client, `?${new URLSearchParams({ text }).toString()}`)).map(({ action }: any) => action)
      assert.deepStrictEqual(await actions("acmein"), ["sender_id.added"])
      assert.deepStrictEqual(await actions(" Sender_ID "), ["sender_id.added"])
      assert.include(await actions(client.keys.clientId), "sender_id.added")
      assert.deepStrictEqual(await actions("nothing like it"), [])
      refused(await client.get(`/v1/dashboard/audit?text=${"x".repeat(101)}`), "INVALID_REQUEST", "text")
    })
  })
