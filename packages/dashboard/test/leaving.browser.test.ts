import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { invited } from "../../server/test/fixture/Dashboard.ts"
import type { Service } from "../../server/test/fixture/Service.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

describe.skipIf("skipped" in browser)("one browser that several people use", () => {
  let service: Service
  beforeAll(async () => {
    service = await serve()
  })
  afterAll(() => service?.close())

  const kept = "JSON.stringify({ ...sessionStorage })"

  it("who signs out takes along what they typed, what they read and the operator's token, in every tab", async () => {
    const merchant = await service.merchant({}, "First & Co")
    const visit = await Visit.signedIn(service, merchant)
    const { page } = visit
    visit.expect(/status of 401/)
    const other = await page.context().newPage()
    await other.goto(`${visit.url}/dashboard/settings`)
    await other.getByRole("heading", { level: 1 }).waitFor()
    await visit.go("/dashboard/merchants")
    await page.getByLabel("Operator token").fill(service.adminToken)
    await page.keyboard.press("Enter")
    await page.getByRole("main").getByText("First & Co").waitFor()
    await page.evaluate("sessionStorage.setItem('countersign.draft.reply/1', 'for nobody else')")
    await page.locator("summary").first().click()
    await page.getByRole("button", { name: "Sign out" }).click()
    for (const tab of [page, other]) {
      await tab.getByRole("heading", { name: "Sign in" }).waitFor()
      assert.notInclude(await tab.content(), "First &amp; Co")
      assert.strictEqual(await tab.evaluate(kept), "{}")
    }
    await page.goBack()
    await page
      .getByLabel("Operator token")
      .or(page.getByRole("heading", { name: "Sign in" }))
      .first()
      .waitFor()
    assert.notInclude(await page.content(), "First &amp; Co")
    await visit.end()
  })

  it("who comes by a link finds nothing of whoever was here before, and no tab shows the other merchant any more", async () => {
    const [first, second] = [await service.merchant({}, "First & Co"), await service.merchant({}, "Second & Co")]
    const visit = await Visit.signedIn(service, first)
    const { page } = visit
    visit.expect(/status of 4\d\d/)
    await visit.go("/dashboard/settings")
    await page.evaluate("sessionStorage.setItem('countersign.draft.setting/1', 'for nobody else')")
    const other = await page.context().newPage()
    await other.goto(`${visit.url}/dashboard#redeem=${(await invited(second)).token}`)
    await other.getByText(/at First & Co\. The link/).waitFor()
    await other.getByRole("button", { name: "Use the link" }).click()
    await other.getByText("Second & Co").first().waitFor({ state: "attached" })
    assert.notInclude(other.url(), "redeem")
    await page.getByText("Second & Co").first().waitFor({ state: "attached" })
    assert.notInclude(await page.content(), "First &amp; Co")
    assert.notInclude(String(await page.evaluate(kept)), "for nobody else")
    await page.evaluate("sessionStorage.setItem('countersign.draft.setting/1', 'for nobody else')")
    await other.close()
    await page.goto(`${visit.url}/dashboard/channels#redeem=${(await invited(first, { role: "VIEWER" })).token}`)
    await page.getByRole("button", { name: "Cancel" }).click()
    assert.include(await page.content(), "Second &amp; Co")
    await page.goto(`${visit.url}/dashboard/channels#redeem=${(await invited(first, { role: "VIEWER" })).token}`)
    await page.getByRole("button", { name: "Use the link" }).click()
    await page.locator(".side").getByText("First & Co").waitFor({ state: "attached" })
    assert.notInclude(String(await page.evaluate(kept)), "for nobody else")

    // Pasted over the address of a page that is open, a link is no other page to a browser.
    const { token } = await invited(second, { role: "AGENT" })
    await page.goto(`${page.url()}#redeem=${token}`)
    await page.getByRole("button", { name: "Use the link" }).click()
    await page.locator(".side").getByText("Second & Co").waitFor({ state: "attached" })
    assert.notInclude(page.url(), token)
    await visit.end()
  })
})
