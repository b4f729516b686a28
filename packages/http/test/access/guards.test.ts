import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { minute, openWorld, type World } from "./World.ts"

describe("a sign-in eleven minutes ago", () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  const settings = (headers: Record<string, string>, body: object) =>
    world.send({ method: "PATCH", path: "/v1/dashboard/settings", headers, body })

  it("may change the brand, but no setting that protects codes and logins", async () => {
    const shop = await world.merchant()
    const admin = await shop.agent("ADMIN")
    const stale = world.page(await shop.signIn(admin, { ago: 11 * minute }))
    assert.strictEqual((await settings(stale, { brand: "Shop" })).status, 200)
    // Sending the current value is allowed.
    assert.strictEqual((await settings(stale, { brand: "Shop two", codeLength: 6 })).status, 200)
    for (const body of [
      { codeLength: 4 },
      { brand: "x", maxConsecutiveFailures: 0 },
      { redirectUris: ["https://a.example/"] }
    ]) {
      const answer = await settings(stale, body)
      assert.deepStrictEqual([answer.status, answer.headers.get("x-sign-in")], [403, "fresh"], answer.text)
    }
    assert.strictEqual((await settings(world.page(await shop.signIn(admin)), { codeLength: 4 })).status, 200)
  })

  it("of an ADMIN never changes what belongs to an OWNER, and a recent sign-in does not help", async () => {
    const shop = await world.merchant()
    const [admin, owner] = [await shop.agent("ADMIN"), await shop.agent("OWNER")]
    for (const body of [
      { billing: "PREPAID" },
      { prices: { SMS: 0 } },
      { dailyCap: { SMS: 5 } },
      { serverAddresses: ["203.0.113.1"] }
    ]) {
      const answer = await settings(world.page(await shop.signIn(admin)), body)
      assert.deepStrictEqual([answer.status, answer.body.errorCode], [403, "FORBIDDEN"], answer.text)
      const stale = await settings(world.page(await shop.signIn(owner, { ago: 11 * minute })), body)
      assert.deepStrictEqual([stale.status, stale.headers.get("x-sign-in")], [403, "fresh"], stale.text)
      assert.strictEqual((await settings(world.page(await shop.signIn(owner)), body)).status, 200)
    }
  })

  it("of an ADMIN never changes a colleague's email address, which receives sign-in codes, suspended or not", async () => {
    const shop = await world.merchant()
    const [admin, colleague, owner] = [await shop.agent("ADMIN"), await shop.agent("ADMIN"), await shop.agent("OWNER")]
    const change = async (by: number, id: number, body: object) =>
      (
        await world.send({
          method: "PATCH",
          path: `/v1/dashboard/agents/${id}`,
          headers: world.page(await shop.signIn(by)),
          body
        })
      ).status
    assert.strictEqual(await change(admin, colleague, { email: "thief@shop.example" }), 403)
    assert.strictEqual(await change(admin, colleague, { status: "SUSPENDED" }), 200)
    assert.strictEqual(await change(admin, colleague, { email: "thief@shop.example" }), 403)
    assert.strictEqual(await change(admin, admin, { email: "own-new-address@shop.example" }), 200)
    assert.strictEqual(await change(owner, colleague, { email: "married@shop.example" }), 200)
  })

  it("does not let a key create an owner, who could change settings that keys cannot", async () => {
    const shop = await world.merchant()
    const [owner, admin] = [await shop.agent("OWNER"), await shop.agent("ADMIN")]
    for (const [method, path, body] of [
      ["POST", "", { email: "thief@shop.example", role: "OWNER" }],
      ["PATCH", `/${admin}`, { role: "OWNER" }],
      ["PATCH", `/${owner}`, { email: "thief@shop.example" }],
      ["POST", `/${admin}/invite`, undefined],
      ["DELETE", `/${owner}`, undefined]
    ] as const) {
      const answer = await world.send({ method, path: `/v1/dashboard/agents${path}`, headers: shop.live, body })
      assert.deepStrictEqual([answer.status, answer.body.errorCode], [403, "FORBIDDEN"], answer.text)
    }
  })

  it("is not required of a key, which acts as an ADMIN and changes nothing that belongs to an OWNER", async () => {
    const shop = await world.merchant()
    assert.strictEqual((await settings(shop.live, { codeLength: 4, balanceLowAt: 5 })).status, 200)
    for (const body of [
      { requirePasskey: true },
      { billing: "PREPAID" },
      { prices: { SMS: 0 } },
      { dailyCap: { SMS: 5 } },
      { brand: "x", serverAddresses: ["203.0.113.1"] }
    ]) {
      const answer = await settings(shop.live, body)
      assert.deepStrictEqual([answer.status, answer.body.errorCode], [403, "FORBIDDEN"], answer.text)
      assert.match(answer.body.message, /keys may not change this setting/)
    }
    // Sending the current value is allowed.
    const unchanged = { requirePasskey: false, billing: "OFF", prices: {}, dailyCap: {}, serverAddresses: [] }
    assert.strictEqual((await settings(shop.live, { ...unchanged, brand: "Shop" })).status, 200)
    const admin = await shop.agent("ADMIN")
    const path = `/v1/dashboard/agents/${admin}`
    const body = { email: "thief@shop.example" }
    assert.strictEqual((await world.send({ method: "PATCH", path, headers: shop.live, body })).status, 403)
  })
})
