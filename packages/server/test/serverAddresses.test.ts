import { randomUUID } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { appOf } from "./fixture/App.ts"
import { Client, refused } from "./fixture/Client.ts"
import { Dashboard, tokenIn } from "./fixture/Dashboard.ts"
import { memory, type Service } from "./fixture/Service.ts"

const inside = "203.0.113.9"
const outside = "198.51.100.1"

describe("the allowed addresses of server keys", () => {
  let service: Service
  beforeAll(async () => {
    service = await memory({ trustedProxies: ["loopback"] })
  })
  afterAll(() => service?.close())

  /** A merchant whose signed-in owner sets the addresses for the test environment's keys. */
  const guarded = async (serverAddresses: ReadonlyArray<string>) => {
    const { merchant, ownerUrl } = await service.owned(`${randomUUID()}@shop.example`)
    const app = await appOf(merchant.test)
    const browser = new Dashboard(service)
    assert.strictEqual((await browser.post("/sessions/redeem", { token: tokenIn(ownerUrl) })).status, 200)
    const set = (list: ReadonlyArray<string>) =>
      browser.send({
        method: "PATCH",
        path: "/v1/dashboard/settings",
        body: { serverAddresses: list },
        headers: { "x-environment": "test" }
      })
    const { status, text } = await set(serverAddresses)
    assert.strictEqual(status, 200, text)
    return { app, merchant, set }
  }

  const from = (client: Client, address: string | null, path = "/v1/dashboard/settings") =>
    client.get(path, address === null ? {} : { "x-forwarded-for": address })

  it("restrict every class of endpoint, and also apply to new keys", async () => {
    const { merchant } = await guarded([`${inside}/32`, "2001:db8::/32"])
    const { test } = merchant
    const made = await test.post("/v1/dashboard/keys", { type: "SERVER" }, { "x-forwarded-for": inside })
    assert.strictEqual(made.status, 201, made.text)
    const { clientSecret, id } = made.body
    const later = new Client(service, { ...test.keys, clientId: id, clientSecret })
    for (const client of [test, later])
      for (const path of ["/v1/dashboard/settings", "/v1/dashboard/leads", "/v1/dashboard/agents"]) {
        for (const address of [inside, `::ffff:${inside}`, "2001:db8::7", `${outside}, ${inside}`])
          assert.strictEqual((await from(client, address, path)).status, 200, `${path} ${address}`)
        for (const address of [outside, null, "", "nonsense", `${inside}, ${outside}`, "::ffff:198.51.100.1"])
          refused(await from(client, address, path), "FORBIDDEN")
      }
    refused(await test.initiate({}, { "x-forwarded-for": outside }), "FORBIDDEN")
    assert.strictEqual((await test.initiate({}, { "x-forwarded-for": inside })).status, 200)
  })

  it("reveal no more about a wrong secret elsewhere, and apply to no other environment, app or merchant", async () => {
    const { app, merchant } = await guarded([inside])
    const thief = new Client(service, { ...merchant.test.keys, clientSecret: "wrong-secret-of-a-thief" })
    for (const address of [inside, outside]) refused(await from(thief, address), "INVALID_CLIENT_CREDENTIALS")
    assert.strictEqual((await from(merchant.live, outside)).status, 200)
    assert.strictEqual((await from((await service.merchant()).test, outside)).status, 200)
    assert.strictEqual((await app.initiate({}, { "x-forwarded-for": outside })).status, 200)
    const metrics = await service.send({ path: "/metrics" })
    assert.match(metrics.text, /countersign_refused_addresses_total\{credential="key"\} \d/)
  })

  it("are changed only by team members; keys may resend them, so a stolen key can neither lock out nor admit", async () => {
    const { merchant, set } = await guarded([inside])
    const { test } = merchant
    const patch = (client: Client, body: Readonly<Record<string, unknown>>) =>
      client.send({ method: "PATCH", path: "/v1/dashboard/settings", body, headers: { "x-forwarded-for": inside } })
    for (const list of [[], ["0.0.0.0/0"], [inside, outside]])
      refused(await patch(test, { serverAddresses: list }), "FORBIDDEN")
    refused(await patch(merchant.live, { serverAddresses: [outside] }), "FORBIDDEN")
    const repeated = await patch(test, { serverAddresses: [inside], codeLength: 7 })
    assert.deepInclude(repeated.body, { serverAddresses: [inside], codeLength: 7 })
    // The owner can sign in from anywhere, also with a list that admits no server.
    assert.strictEqual((await set(["192.0.2.1"])).status, 200)
    refused(await from(test, inside), "FORBIDDEN")
    assert.strictEqual((await set([])).status, 200)
    assert.strictEqual((await from(test, null)).status, 200)
    for (const bad of [["10.0.0.0/33"], ["loopback"], ["a.example.com"], [""], Array<string>(101).fill(inside)])
      refused(await set(bad), "INVALID_REQUEST")
  })
})
