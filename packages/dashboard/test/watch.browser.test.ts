import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { code } from "../../server/test/fixture/Client.ts"
import type { Merchant, Service } from "../../server/test/fixture/Service.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

describe.skipIf("skipped" in browser)("the monitoring screens", () => {
  let service: Service
  let merchant: Merchant
  let visit: Visit
  beforeAll(async () => {
    service = await serve()
    merchant = await service.merchant()
    visit = await Visit.signedIn(service, merchant)
  })
  afterAll(async () => {
    await visit?.end()
    await service?.close()
  })
  const query = () => new URL(visit.page.url()).searchParams.toString()

  it("the overview shows first steps, and figures after the first verification", async () => {
    const { page } = visit
    await visit.go("/dashboard/test")
    await page.getByRole("heading", { name: "No verifications yet" }).waitFor()
    await page.getByText("Nothing needs your attention.").waitFor()
    assert.include(await page.getByLabel("curl", { exact: true }).textContent(), "/v1/auth/initiate")
    const { body } = await merchant.test.initiate({ identity: "+919876543210", channel: "WHATSAPP" })
    await merchant.test.verify({ requestId: body.requestId, otp: code })
    // An event updates the page without a reload.
    await page.getByRole("heading", { name: "From request to verified" }).waitFor()
    assert.strictEqual(await page.getByRole("heading", { name: "No verifications yet" }).count(), 0)
    await page.getByText("1 of 1").waitFor()
    await page.getByRole("row", { name: /WhatsApp/ }).waitFor()
  })

  it("ranges and groupings are selectable by keyboard and kept in the address", async () => {
    const { page } = visit
    await page.getByRole("radio", { name: "Today" }).focus()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await page.getByRole("heading", { name: "Verified per hour" }).waitFor()
    await page.getByRole("radio", { name: "By channel" }).focus()
    await page.keyboard.press("ArrowRight")
    await page.getByRole("row", { name: /India/ }).waitFor()
    assert.isTrue(await page.getByRole("radio", { name: "By country" }).evaluate((it) => it === document.activeElement))
    assert.strictEqual(query(), "range=7d&by=country")
    // A link shows the same view to its recipient.
    await page.reload()
    await page.getByRole("row", { name: /India/ }).waitFor()
    assert.isTrue(await page.getByRole("radio", { name: "7 days" }).isChecked())
  })

  it("issues come first and link to their fix", async () => {
    const { page } = visit
    const settings = { primaryChannel: "WHATSAPP", fallbackChannel: "RCS", fallbackAfterSeconds: 45 }
    const changed = await merchant.live.send({ method: "PATCH", path: "/v1/dashboard/settings", body: settings })
    assert.strictEqual(changed.status, 200, changed.text)
    await visit.go("/dashboard")
    const trouble = page.getByRole("region", { name: "1 issue needs attention" })
    await trouble.getByText("RCS is the fallback channel but has no provider here").waitFor()
    await trouble.getByRole("link", { name: "View" }).press("Enter")
    await page.getByRole("heading", { name: "Default route" }).waitFor()
    assert.strictEqual(await visit.heading(), "Channels")
    await page.getByText("RCS has no provider here, so no fallback is sent.").waitFor()
    const way = page.getByRole("region", { name: "Default route" })
    assert.notMatch((await way.textContent()) ?? "", /\s,/)
    await page.getByText("TWILIO_RCS_SENDER").waitFor()
    await page.getByRole("region", { name: "SMS" }).getByText("working").waitFor()
    const alone = { fallbackChannel: null }
    await merchant.live.send({ method: "PATCH", path: "/v1/dashboard/settings", body: alone })
    await page.reload()
    await way.getByText("no fallback if delivery fails").waitFor()
    assert.match((await way.textContent()) ?? "", /WhatsApp first, no fallback/)
  })

  it("a screen opened by its address has the dashboard's icon", async () => {
    const { page } = visit
    await page.goto(`${visit.url}/dashboard/test/verifications`)
    await visit.settled()
    const icon = await page.evaluate(() => document.querySelector<HTMLLinkElement>("link[rel=icon]")!.href)
    const { headers, status } = await fetch(icon)
    assert.deepStrictEqual([status, headers.get("content-type")], [200, "image/svg+xml"])
  })

  it("attribution explains how to report launches, totals them, and keeps its order in the address", async () => {
    const { page } = visit
    await visit.go("/dashboard/test/attribution")
    await page.getByRole("heading", { name: "No launches in this period" }).waitFor()
    for (const source of ["newsletter", "search", "search", "search"]) {
      const told = await service.send({
        path: "/v1/sdk/attribution/launch",
        body: { consent: true, utm: { source, medium: "cpc" } },
        headers: { "x-public-key": merchant.test.keys.publicKey }
      })
      assert.isTrue(told.body.recorded, told.text)
    }
    await page.reload()
    await page.getByRole("rowheader", { name: "search" }).waitFor()
    const origins = page.getByRole("table", { name: "Sources" })
    const shown = () => origins.getByRole("rowheader").allTextContents()
    assert.deepStrictEqual(await shown(), ["searchcpc(not set)", "newslettercpc(not set)", "Total"])
    await page.getByRole("radio", { name: "Source" }).check()
    await page.getByRole("button", { name: "Source" }).press("Enter")
    await page.getByRole("columnheader", { name: "Source" }).and(page.locator("[aria-sort=ascending]")).waitFor()
    assert.deepStrictEqual(await shown(), ["newsletter", "search", "Total"])
    assert.strictEqual(query(), "by=source&sort=name")
    assert.deepStrictEqual(
      await origins
        .getByRole("row", { name: /^Total/ })
        .getByRole("cell")
        .first()
        .textContent(),
      "4"
    )
  })
})
