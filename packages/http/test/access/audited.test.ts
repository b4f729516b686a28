import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { openWorld, previousAdminToken, type World } from "./World.ts"

/** Which actor the audit log names for people and operators. The contract's tests cover keys. */
describe("the audit log", () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  it("names the signed-in person for every action, and shows entries of both environments", async () => {
    const shop = await world.merchant()
    const id = await shop.agent("ADMIN")
    const headers = world.page(await shop.signIn(id))
    await world.must({ method: "PATCH", path: "/v1/dashboard/settings", headers, body: { codeLength: 4 } })
    await world.must({ method: "PATCH", path: "/v1/dashboard/settings", headers: shop.test, body: { codeLength: 5 } })
    const { body } = await world.must({
      method: "GET",
      path: "/v1/dashboard/audit?action=settings.changed",
      headers: world.page(await shop.signIn(id), { "x-environment": "test" })
    })
    const [byKey, byAgent] = body.items.toSorted((a: any) => (a.actor.kind === "KEY" ? -1 : 1))
    assert.deepInclude(byAgent.actor, { kind: "AGENT", id: String(id) })
    assert.match(byAgent.actor.label, /@shop\.example$/)
    assert.deepStrictEqual([byAgent.environment, byKey.environment], ["live", "test"])
    const own = await world.must({
      method: "GET",
      path: `/v1/dashboard/audit?actor=${id}`,
      headers: world.page(await shop.signIn(id))
    })
    assert.include(own.text, byAgent.id)
    assert.notInclude(own.text, byKey.id)
  })

  it("is readable by an ADMIN; a VIEWER reads the settings history, and unlocks no identity", async () => {
    const shop = await world.merchant()
    const viewer = world.page(await shop.signIn(await shop.agent("VIEWER")), { "x-environment": "test" })
    const unlock = { method: "POST", path: "/v1/dashboard/unlock", body: { identity: "+919876543210" } }
    assert.strictEqual((await world.send({ ...unlock, headers: viewer })).status, 403)
    assert.strictEqual((await world.send({ method: "GET", path: "/v1/dashboard/audit", headers: viewer })).status, 403)
    const history = { method: "GET", path: "/v1/dashboard/settings/history", headers: viewer }
    assert.strictEqual((await world.send(history)).status, 200)
  })

  it("has no entry for an ADMIN who tries to create, change, remove or promote to an OWNER", async () => {
    const shop = await world.merchant()
    const [owner, agent, admin] = [await shop.agent("OWNER"), await shop.agent("AGENT"), await shop.agent("ADMIN")]
    const headers = world.page(await shop.signIn(admin))
    const entries = async () =>
      (await world.admin("GET", `/v1/admin/merchants/${shop.id}/audit?limit=200`)).body.items.length
    const before = await entries()
    for (const [method, path, body] of [
      ["POST", "", { email: "new@shop.example", role: "OWNER" }],
      ["PATCH", `/${agent}`, { role: "OWNER" }],
      ["PATCH", `/${admin}`, { role: "OWNER" }],
      ["PATCH", `/${owner}`, { role: "AGENT" }],
      ["PATCH", `/${owner}`, { email: "mine@shop.example" }],
      ["DELETE", `/${owner}`, undefined]
    ] as const) {
      const answer = await world.send({ method, path: `/v1/dashboard/agents${path}`, headers, body })
      assert.deepStrictEqual([answer.status, answer.body.errorCode], [403, "FORBIDDEN"], answer.text)
    }
    assert.strictEqual(await entries(), before)
    const raised = { method: "PATCH", path: `/v1/dashboard/agents/${agent}`, headers, body: { role: "ADMIN" } }
    assert.strictEqual((await world.send(raised)).status, 200)
    assert.strictEqual(await entries(), before + 1)
  })

  it("tells the operator's two tokens apart; both are accepted, and a third is not", async () => {
    const { id } = await world.merchant()
    const rename = (token: string, name: string) =>
      world.send({
        method: "PATCH",
        path: `/v1/admin/merchants/${id}`,
        headers: { authorization: `Bearer ${token}` },
        body: { name }
      })
    assert.strictEqual((await rename(previousAdminToken, "By the old token")).status, 200)
    assert.strictEqual((await rename(`${previousAdminToken}x`, "By none")).status, 401)
    const { body, text } = await world.admin("GET", `/v1/admin/merchants/${id}/audit?action=merchant.renamed`)
    assert.deepStrictEqual(
      body.items.map(({ actor, to }: any) => [actor, to]),
      [[{ kind: "OPERATOR", id: null, label: "previous" }, { name: "By the old token" }]]
    )
    assert.notInclude(text, previousAdminToken)
  })
})
