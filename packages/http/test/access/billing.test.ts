import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { minute, openWorld, type World } from "./World.ts"

const topUp = { method: "POST", path: "/v1/dashboard/balance/top-ups", body: { amount: 100, reference: "pay_1" } }
const settings = (body: object) => ({ method: "PATCH", path: "/v1/dashboard/settings", body })

describe("access to billing when the operator bills", () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(undefined, { billedBy: "operator" })
  })
  afterAll(() => world.close())

  it("an OWNER tops up and sets prices in neither environment, however recent the sign-in", async () => {
    const shop = await world.merchant()
    const [owner, admin] = [await shop.agent("OWNER"), await shop.agent("ADMIN")]
    for (const environment of ["live", "test"]) {
      const as = async (id: number, ago = 0) =>
        world.page(await shop.signIn(id, { ago }), { "x-environment": environment })
      for (const [id, sent] of [
        [owner, topUp],
        [owner, settings({ billing: "PREPAID" })],
        [admin, settings({ prices: { SMS: 0 } })],
        [admin, settings({ dailyCap: {}, prices: { SMS: { default: 0, prefixes: {} } } })]
      ] as const) {
        const { body, headers, status } = await world.send({ ...sent, headers: await as(id) })
        assert.deepStrictEqual([status, body.errorCode], [403, "FORBIDDEN"])
        assert.match(body.message, /operator of this service/)
        // A new sign-in would not help.
        assert.isNull(headers.get("x-sign-in"))
      }
      const stale = await world.send({ ...topUp, headers: await as(owner, 11 * minute) })
      assert.strictEqual(stale.headers.get("x-sign-in"), "fresh")
      const cap = await world.send({ ...settings({ dailyCap: { SMS: 5 } }), headers: await as(owner) })
      assert.strictEqual(cap.status, 200, cap.text)
      const ledger = await world.must({ method: "GET", path: "/v1/dashboard/ledger", headers: await as(owner) })
      assert.deepStrictEqual(ledger.body.items, [])
    }
  })

  it("the operator tops up and sets prices, and a VIEWER sees the result", async () => {
    const shop = await world.merchant()
    const path = `/v1/admin/merchants/${shop.id}`
    await world.admin("PATCH", `${path}/billing`, { environment: "live", billing: "PREPAID", prices: { SMS: 20 } })
    const { body: paid } = await world.admin("POST", `${path}/top-ups`, { environment: "live", amount: 70 })
    const headers = world.page(await shop.signIn(await shop.agent("VIEWER")))
    const seen = async (name: string) =>
      (await world.must({ method: "GET", path: `/v1/dashboard/${name}`, headers })).body
    assert.deepStrictEqual((await seen("ledger")).items, [paid])
    assert.deepInclude(await seen("balance"), { balance: 70, available: 70, currency: "INR", billedBy: "operator" })
    assert.deepInclude(await seen("settings"), { billing: "PREPAID", prices: { SMS: 20 } })
    const { items } = (await world.admin("GET", `${path}/audit`)).body
    assert.includeMembers(
      items.map(({ action, actor }: any) => `${action} ${actor.kind} ${actor.label}`),
      ["money.topped_up OPERATOR current", "settings.changed OPERATOR current"]
    )
  })
})
