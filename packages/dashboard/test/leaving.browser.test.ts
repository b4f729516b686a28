import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { invited } from "../../server/test/fixture/Dashboard.ts"
import type { Service } from "../../server/test/fixture/Service.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

describe.skipIf("skipped" in browser)("a browser shared by several users", () => {
  let service: Service
  beforeAll(async () => {
    service = await serve()
  })
  afterAll(() => service?.close())

  const kept = "JSON.stringify({ ...sessionStorage })"

  it("signing out deletes drafts, opened items, loaded data and the operator token in every tab", async () => {
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
    await page.evaluate("sessionStorage.setItem('countersign.draft.reply/1', 'private draft')")
    await page.evaluate("localStorage.setItem('countersign.recent', 'opened items')")
    await page.locator("summary").first().click()
    await page.getByRole("button", { name: "Sign out" }).click()
    for (const tab of [page, other]) {
      await tab.getByRole("heading", { name: "Sign in" }).waitFor()
      assert.notInclude(await tab.content(), "First &amp; Co")
      assert.strictEqual(await tab.evaluate(kept), "{}")
      assert.notInclude(String(await tab.evaluate("JSON.stringify({ ...localStorage })")), "opened items")
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

  it("signing in by a link leaves no data of the previous user, and every tab switches merchants", async () => {
    const [first, second] = [await service.merchant({}, "First & Co"), await service.merchant({}, "Second & Co")]
    const visit = await Visit.signedIn(service, first)
    const { page } = visit
    visit.expect(/status of 4\d\d/)
    await visit.go("/dashboard/settings")
    await page.evaluate("sessionStorage.setItem('countersign.draft.setting/1', 'private draft')")
    const other = await page.context().newPage()
    await other.goto(`${visit.url}/dashboard#redeem=${(await invited(second)).token}`)
    await other.getByText(/at First & Co\. The link/).waitFor()
    await other.getByRole("button", { name: "Use the link" }).click()
    await other.getByText("Second & Co").first().waitFor({ state: "attached" })
    assert.notInclude(other.url(), "redeem")
    await page.getByText("Second & Co").first().waitFor({ state: "attached" })
    assert.notInclude(await page.content(), "First &amp; Co")
    assert.notInclude(String(await page.evaluate(kept)), "private draft")
    await page.evaluate("sessionStorage.setItem('countersign.draft.setting/1', 'private draft')")
    await other.close()
    await page.goto(`${visit.url}/dashboard/channels#redeem=${(await invited(first, { role: "VIEWER" })).token}`)
    await page.getByRole("button", { name: "Cancel" }).click()
    assert.include(await page.content(), "Second &amp; Co")
    await page.goto(`${visit.url}/dashboard/channels#redeem=${(await invited(first, { role: "VIEWER" })).token}`)
    await page.getByRole("button", { name: "Use the link" }).click()
    await page.locator(".side").getByText("First & Co").waitFor({ state: "attached" })
    assert.notInclude(String(await page.evaluate(kept)), "private draft")

    // A link pasted into an open page changes only the fragment, so the browser loads nothing.
    const { token } = await invited(second, { role: "AGENT" })
    await page.goto(`${page.url()}#redeem=${token}`)
    await page.getByRole("button", { name: "Use the link" }).click()
    await page.locator(".side").getByText("Second & Co").waitFor({ state: "attached" })
    assert.notInclude(page.url(), token)
    await visit.end()
  })
})
