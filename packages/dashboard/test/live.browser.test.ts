import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { until } from "../../server/test/fixture/Until.ts"
import type { Client } from "../../server/test/fixture/Client.ts"
import type { Merchant } from "../../server/test/fixture/Service.ts"
import { say } from "../src/words/say.ts"
import { browser, type House, minute, openHouse, type Member } from "./fixture/house.ts"
import { type Look, lookIn, newContext } from "./fixture/look.ts"

/** The page's open event streams, by request. */
const streamsOf = (page: Page) => {
  const open = new Set<unknown>()
  page.on("request", (request) => void (request.url().endsWith("/v1/dashboard/live") && open.add(request)))
  page.on("requestfailed", (request) => void open.delete(request))
  page.on("requestfinished", (request) => void open.delete(request))
  return open
}

const isSeen = (page: Page, visibility: "hidden" | "visible") =>
  page.evaluate((state) => {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true })
    document.dispatchEvent(new Event("visibilitychange"))
  }, visibility)

describe.skipIf("skipped" in browser)("live updates", () => {
  let house: House
  let shop: Merchant
  let asha: Member
  let one: Look
  let streams: Set<unknown>
  beforeAll(async () => {
    house = await openHouse()
    shop = await house.service.merchant({}, "Shop")
    asha = await house.hire(shop, "OWNER", "asha@shop.example")
    const context = await newContext()
    await house.letIn(context, shop, asha)
    one = await lookIn(context)
    streams = streamsOf(one.page)
    await one.page.clock.install()
    await one.page.goto(`${house.url}/dashboard/test/verifications`)
    await one.settled()
  })
  afterAll(async () => {
    await one?.context.close()
    await house?.close()
    assert.deepStrictEqual(one?.complaints, [])
  })

  let started = 0
  /** Each call uses a new identity. The same one would reuse the verification. */
  const start = async (client: Client): Promise<string> => {
    const { body, status, text } = await client.post("/v1/auth/initiate", {
      identity: `+4477009001${String(started++).padStart(2, "0")}`,
      identityType: "MOBILE",
      mode: "OTP",
      channel: "SMS"
    })
    assert.strictEqual(status, 200, text)
    return body.requestId
  }
  const link = (page: Page, requestId: string) => page.locator(`a[href*="${requestId}"]`)
  /** Events arrive within two seconds; the test does not wait for them. */
  const sees = (page: Page, requestId: string) =>
    until(
      async () => (await page.clock.runFor(2_500), link(page, requestId).count()),
      (found) => found > 0,
      { what: `${requestId} on the screen` }
    )

  it("a change to a lead appears for other team members", async () => {
    const { body: lead } = await shop.test.post("/v1/dashboard/leads", { phone: "+447700900123", name: "Noah" })
    const ravi = await house.hire(shop, "AGENT", "ravi@shop.example")
    const context = await newContext()
    await house.letIn(context, shop, ravi)
    const two = await lookIn(context)
    await two.page.goto(`${house.url}/dashboard/test/inbox/${lead.id}`)
    await one.go(`/dashboard/test/inbox/${lead.id}`)
    await two.settled()
    await two.page.keyboard.press("e")
    const reopen = (page: Page) => page.getByRole("button", { name: "Reopen" }).first()
    await reopen(two.page).waitFor()
    await until(
      async () => (await one.page.clock.runFor(2_500), reopen(one.page).isVisible()),
      (seen) => seen,
      { what: "the closed lead in the other browser" }
    )
    await context.close()
    assert.deepStrictEqual(two.complaints, [])
  })

  it("a tab keeps one event stream, and closes it after a minute in the background", async () => {
    for (const place of ["", "/inbox", "/webhooks", "/verifications"]) await one.go(`/dashboard/test${place}`)
    assert.strictEqual(streams.size, 1)
    await isSeen(one.page, "hidden")
    await one.page.clock.fastForward(10_000)
    assert.strictEqual(streams.size, 1)
    await one.page.clock.fastForward(minute)
    await until(
      async () => streams.size,
      (open) => open === 0,
      { what: "the end of the stream" }
    )
    await one.page.clock.runFor(5_000)
    assert.strictEqual(streams.size, 0)
    const meanwhile = await start(shop.test)
    assert.strictEqual(await link(one.page, meanwhile).count(), 0)
    await isSeen(one.page, "visible")
    await link(one.page, meanwhile).first().waitFor()
    await until(
      async () => streams.size,
      (open) => open === 1,
      { what: "a new stream" }
    )
  })

  it("live and test show no data of each other", async () => {
    const before = await start(shop.test)
    await one.go("/dashboard/verifications")
    await until(
      async () => streams.size,
      (open) => open === 1,
      { what: "the stream of live" }
    )
    assert.strictEqual(await link(one.page, before).count(), 0)
    const [inTest, inLive] = [await start(shop.test), await start(shop.live)]
    await sees(one.page, inLive)
    assert.strictEqual(await link(one.page, inTest).count(), 0)
    await one.page.getByRole("radio", { name: say.environment.test }).check({ force: true })
    await one.page.waitForURL("**/dashboard/test/verifications")
    await sees(one.page, inTest)
    assert.strictEqual(await link(one.page, inLive).count(), 0)
    assert.strictEqual(streams.size, 1)
  })

  it("a member of two merchants switches, and sees no data of the previous one", async () => {
    const books = await house.service.merchant({}, "Books")
    await house.hire(books, "OWNER", asha.email)
    const [ofShop, ofBooks] = [await start(shop.test), await start(books.test)]
    // A code to an address that is a team member of both merchants opens both.
    await one.context.clearCookies()
    await house.letIn(one.context, shop, asha)
    await one.page.goto(`${house.url}/dashboard/test/verifications`)
    await link(one.page, ofShop).first().waitFor()
    await one.page.getByText(asha.email).first().click()
    await one.page.getByLabel(say.shell.changeOver).selectOption({ label: "Books" })
    await sees(one.page, ofBooks)
    assert.strictEqual(await link(one.page, ofShop).count(), 0)
    await until(
      async () => streams.size,
      (open) => open === 1,
      { what: "the stream of the other merchant" }
    )
    const [later, own] = [await start(shop.test), await start(books.test)]
    await sees(one.page, own)
    assert.strictEqual(await link(one.page, later).count(), 0)
  })
})
