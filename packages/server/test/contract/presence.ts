import { assert, describe, it } from "vitest"
import { phone, refused } from "../fixture/Client.ts"
import { Dashboard, invited } from "../fixture/Dashboard.ts"
import type { Merchant, Service } from "../fixture/Service.ts"
import type { Once } from "./Once.ts"

/** The other agents who have a lead open. */
export const suite = (service: () => Service, once: Once) =>
  describe("the viewers of a lead", () => {
    const signedIn = async (merchant: Merchant, role: string) => {
      const agent = await invited(merchant, { role })
      const browser = new Dashboard(service())
      assert.strictEqual((await browser.post("/sessions/redeem", { token: agent.token })).status, 200)
      const look = (id: number, body: object = {}, environment = "test") =>
        browser.at(service(), service().url()).send({
          method: "POST",
          path: `/v1/dashboard/leads/${id}/looking`,
          body,
          headers: { "x-environment": environment }
        })
      return { ...agent, look }
    }
    const entered = async (merchant: Merchant): Promise<number> =>
      (await merchant.test.post("/v1/dashboard/leads", { phone: phone() })).body.id

    it("are shown to all other viewers in any process until they leave", async () => {
      const merchant = await service().merchant()
      const [asha, ravi] = [await signedIn(merchant, "AGENT"), await signedIn(merchant, "AGENT")]
      const id = await entered(merchant)
      assert.deepStrictEqual((await asha.look(id, { typing: true })).body, { others: [] })
      const [seen] = (await ravi.look(id)).body.others
      const { since, ...who } = seen
      assert.deepStrictEqual(who, { agentId: asha.id, email: asha.email, typing: true })
      assert.match(since, /^\d{4}-.*\.\d{3}Z$/)
      assert.deepStrictEqual(
        (await asha.look(id)).body.others.map(({ agentId }: any) => agentId),
        [ravi.id]
      )
      assert.deepStrictEqual((await ravi.look(await entered(merchant))).body, { others: [] })
      await asha.look(id, { gone: true })
      assert.deepStrictEqual((await ravi.look(id)).body, { others: [] })
    })

    once("cannot be set by a key, or by a person of another merchant, environment or role", async () => {
      const [mine, theirs] = [await service().merchant(), await service().merchant()]
      const [asha, eve, viewer] = [
        await signedIn(mine, "AGENT"),
        await signedIn(theirs, "ADMIN"),
        await signedIn(mine, "VIEWER")
      ]
      const id = await entered(mine)
      await asha.look(id)
      const byKey = await mine.test.post(`/v1/dashboard/leads/${id}/looking`, {})
      refused(byKey, "FORBIDDEN")
      assert.include(byKey.body.message, "sign in")
      refused(await eve.look(id), "LEAD_NOT_FOUND")
      refused(await asha.look(id, {}, "live"), "LEAD_NOT_FOUND")
      refused(await asha.look(99), "LEAD_NOT_FOUND")
      refused(await viewer.look(id), "FORBIDDEN")
      assert.strictEqual(await entered(theirs), id)
      assert.deepStrictEqual((await eve.look(id)).body, { others: [] })
    })

    once("choose a display name of their own, which their team sees with the number of open leads", async () => {
      const [mine, theirs] = [await service().merchant(), await service().merchant()]
      const agent = await invited(mine, { role: "VIEWER" })
      const browser = new Dashboard(service())
      assert.strictEqual((await browser.post("/sessions/redeem", { token: agent.token })).status, 200)
      assert.isNull((await browser.get("/me")).body.agent.name)
      const named = await browser.patch("/me", { name: " Asha Mehta " })
      assert.deepStrictEqual([named.status, named.body.agent.name], [200, "Asha Mehta"])
      assert.strictEqual((await browser.get("/me")).body.agent.name, "Asha Mehta")
      for (const name of ["x".repeat(61), "a\nb", "\u202Eahsa", "a\u200Bb"])
        refused(await browser.patch("/me", { name }), "INVALID_REQUEST")
      assert.strictEqual((await browser.patch("/me", {})).body.agent.name, "Asha Mehta")
      refused(await mine.test.send({ method: "PATCH", path: "/v1/dashboard/me", body: { name: "Key" } }), "FORBIDDEN")

      const id = await entered(mine)
      await mine.test.post(`/v1/whatsapp/leads/${id}/assign`, { agentEmail: agent.email })
      const assignees = async ({ test }: Merchant) =>
        (await test.get("/v1/dashboard/assignees")).body.items.find(({ id }: any) => id === agent.id)
      assert.deepStrictEqual(await assignees(mine), {
        id: agent.id,
        email: agent.email,
        name: "Asha Mehta",
        openLeads: 1
      })
      assert.notStrictEqual((await assignees(theirs))?.email, agent.email)
      await mine.test.post(`/v1/dashboard/leads/${id}/close`, {})
      assert.strictEqual((await assignees(mine)).openLeads, 0)
      assert.isNull((await browser.patch("/me", { name: "" })).body.agent.name)
    })

    once("get no mails about waiting customers for an address that its owner has not proven", async () => {
      const merchant = await service().merchant()
      const agent = await invited(merchant, { role: "AGENT" })
      const browser = new Dashboard(service())
      assert.strictEqual((await browser.post("/sessions/redeem", { token: agent.token })).status, 200)
      const { digestMinutes, digestRefusal } = (await browser.get("/me")).body.agent
      assert.isNull(digestMinutes)
      assert.include(["UNPROVEN", "NOT_OFFERED"], digestRefusal)
      for (const minutes of [15, 30]) {
        const answer = await browser.patch("/me", { digestMinutes: minutes })
        refused(answer, "INVALID_REQUEST")
        assert.include(answer.body.message, "digestMinutes")
      }
      assert.strictEqual((await browser.patch("/me", { digestMinutes: null })).status, 200)
      assert.isNull((await browser.get("/me")).body.agent.digestMinutes)
    })
  })
