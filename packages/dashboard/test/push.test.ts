import { Effect, Exit, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Chat } from "./fixture/Chat.ts"
import * as PushService from "../../testkit/src/simulator/PushService.ts"
import { Dashboard, invited } from "../../server/test/fixture/Dashboard.ts"
import { memory, type Service } from "../../server/test/fixture/Service.ts"
import { until } from "../../server/test/fixture/Until.ts"

describe("push notifications over HTTP", () => {
  const scope = Effect.runSync(Scope.make())
  const chat = new Chat()
  let push: PushService.PushService
  let service: Service
  beforeAll(async () => {
    push = await Effect.runPromise(Effect.provideService(PushService.start, Scope.Scope, scope))
    service = await memory({ channels: [chat.channel] })
  })
  afterAll(async () => {
    await service.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("reach a device with a count and no word of the customer, and end with the session that added it", async () => {
    const merchant = await service.merchant()
    const connected = await merchant.live.post("/v1/dashboard/whatsapp/connect", {
      phoneNumberId: chat.number,
      wabaId: "202290129340398",
      accessToken: "good"
    })
    assert.strictEqual(connected.status, 201)
    const agent = await invited(merchant, { role: "AGENT" })
    const browser = new Dashboard(service)
    assert.strictEqual((await browser.post("/sessions/redeem", { token: agent.token })).status, 200)
    const { body } = await browser.get("/me/devices")
    assert.deepStrictEqual({ ...body, key: "" }, { items: [], key: "", refusal: null })
    const { endpoint, keys } = push.subscribe(body.key)
    const added = await browser.post("/me/devices", { endpoint, ...keys, key: body.key })
    assert.strictEqual(added.status, 200, added.text)
    assert.deepStrictEqual((await browser.get("/me/devices")).body.items, [added.body])
    assert.notInclude(added.text, endpoint)

    await chat.says(service, "919812300002", "The code is 123456", { name: "Meera" })
    const [pushed] = await until(
      () => Promise.resolve(push.pushed()),
      (all) => all.length > 0,
      { what: "a push" }
    )
    assert.deepStrictEqual(JSON.parse(pushed!.text), { count: 1, lead: `${merchant.id}.1` })
    assert.strictEqual(pushed!.urgency, "high")

    await browser.delete("/sessions/current")
    const other = new Dashboard(service)
    const again = await merchant.live.send({ method: "POST", path: `/v1/dashboard/agents/${agent.id}/invite` })
    assert.strictEqual(again.status, 403, "only an owner makes another link for an agent who has worked")
    assert.strictEqual((await other.get("/me/devices")).status, 401)
  })
})
