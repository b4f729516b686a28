import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Service } from "../../server/test/fixture/Service.ts"
import { violations } from "./fixture/axe.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

describe.skipIf("skipped" in browser)("a webhook endpoint that fails", () => {
  let service: Service
  let answer = 500
  let received = 0
  const receiver = createServer((request, response) => {
    request.resume()
    received++
    response.writeHead(answer, { "content-type": "application/json" }).end('{"error":"column orders.total is missing"}')
  })
  beforeAll(async () => {
    service = await serve()
    await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done))
  })
  afterAll(async () => {
    receiver.close()
    await service?.close()
  })

  it("explains itself within two actions from the overview, and one button sends what waits", async () => {
    const shop = await service.merchant()
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
    const { body } = await shop.live.post("/v1/dashboard/webhooks", { url, events: ["session.created"] })
    for (let n = 0; n < 4; n++) await shop.live.post("/v1/sdk/session", {})
    const visit = await Visit.signedIn(service, shop)
    const { page } = visit
    let actions = 0
    const act = async (press: Promise<void>) => {
      actions++
      await press
      await visit.settled()
    }
    await visit.go("/dashboard")
    const trouble = page.getByRole("listitem").filter({ hasText: "/hooks" })
    await act(trouble.getByRole("link").click())
    const endpoint = page.getByRole("main")
    await endpoint.getByText(/^Fails since .*, last answer 500$/).waitFor()
    await endpoint.getByText("column orders.total is missing").first().waitFor()
    assert.isAtMost(actions, 2, "actions from the overview to the reason")

    const events = page.getByRole("grid", { name: "Events" })
    await events.getByText("Waiting for retry").nth(3).waitFor()
    assert.strictEqual(await events.getByRole("link").count(), 4)
    assert.deepStrictEqual(await violations(page), [])
    assert.deepStrictEqual(await visit.sticksOut(320), [])

    // The four events have two tries each when the third one is minutes away.
    await events.getByText("2 tries").nth(3).waitFor()
    answer = 200
    const before = received
    const retry = page.getByRole("button", { name: "Retry all waiting (4)" })
    await retry.press("Enter")
    await page.getByText("4 events are being sent.").waitFor()
    await endpoint.getByText("Works", { exact: true }).waitFor()
    assert.strictEqual(received - before, 4)
    assert.strictEqual(await page.getByRole("button", { name: /Retry all/ }).count(), 0)
    answer = 500

    const [event] = (await shop.live.get(`/v1/dashboard/webhooks/${body.id}/events`)).body.items
    await page.getByRole("searchbox", { name: "Event id or request id" }).fill(event.id)
    await page.waitForURL(/find=evt_/)
    await visit.settled()
    assert.strictEqual(await events.getByRole("link").count(), 1)
    await events.getByRole("link").press("Enter")
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("row").nth(3).waitFor()
    assert.strictEqual(await dialog.getByRole("button", { name: "Retry now" }).count(), 0)
    assert.deepStrictEqual(await violations(page), [])
    await dialog.getByRole("button", { name: "More actions" }).press("Enter")
    await dialog.getByRole("button", { name: "Send again" }).press("Enter")
    await page.getByText(/Event sent again: 500/).waitFor()
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    await page.getByRole("combobox", { name: "State" }).selectOption("Not delivered")
    await page.getByText("No matching results").first().waitFor()
    await visit.end()
  })
})
