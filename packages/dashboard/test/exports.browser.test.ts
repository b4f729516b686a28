import { readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Service } from "../../server/test/fixture/Service.ts"
import { violations } from "./fixture/axe.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

describe.skipIf("skipped" in browser)("a list in the dashboard", () => {
  let service: Service
  beforeAll(async () => {
    service = await serve()
  })
  afterAll(() => service?.close())

  const download = async (visit: Visit, press: () => Promise<void>): Promise<string> => {
    const [file] = await Promise.all([visit.page.waitForEvent("download"), press()])
    return readFileSync(await file.path(), "utf8")
  }

  it("is exported as CSV with its filters, masked unless an ADMIN asks for whole identities", async () => {
    const shop = await service.merchant()
    const identity = "+919812345678"
    for (const [orderId, to] of [
      ["चाय-1", identity],
      ["=1+1", "+919812345679"]
    ])
      await shop.test.post("/v1/auth/initiate", {
        identity: to,
        identityType: "MOBILE",
        mode: "OTP",
        channel: "SMS",
        orderId
      })
    const visit = await Visit.signedIn(service, shop)
    const { page } = visit
    const dialog = page.getByRole("dialog")
    const verifications = async (whole: boolean) => {
      await page.getByRole("button", { name: "Export CSV" }).press("Enter")
      await dialog.getByRole("button", { name: "Download" }).waitFor()
      if (whole) await dialog.getByRole("checkbox", { name: /in full/ }).check()
      return download(visit, () => dialog.getByRole("button", { name: "Download" }).press("Enter"))
    }
    await visit.go("/dashboard/test/verifications")
    const all = await verifications(false)
    // Excel reads Hindi only after the byte order mark.
    assert.match(all, /^\ufeffrequestId,createdAt,identity,/)
    assert.include(all, "चाय-1")
    assert.include(all, "'=1+1")
    assert.notInclude(all, identity)
    await visit.go("/dashboard/test/verifications?status=VERIFIED")
    assert.lengthOf((await verifications(false)).trim().split("\r\n"), 1)
    await visit.go("/dashboard/test/verifications")
    await page.getByRole("button", { name: "Export CSV" }).press("Enter")
    assert.deepStrictEqual(await violations(page), [])
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "hidden" })
    assert.include(await verifications(true), identity)

    await visit.go("/dashboard/test/audit")
    await page.getByRole("searchbox", { name: "Search actions, actors and targets" }).fill("list.exp")
    await page.waitForURL(/text=list.exp/)
    await visit.settled()
    const grid = page.getByRole("grid", { name: "Audit log" })
    await grid.getByText("List verifications").nth(2).waitFor()
    assert.deepStrictEqual(await violations(page), [])
    assert.deepStrictEqual(await visit.sticksOut(320), [])
    const log = await download(visit, () => page.getByRole("button", { name: "Export CSV" }).press("Enter"))
    assert.include(log, "list.exported,list,verifications")
    await page.getByRole("searchbox", { name: "Search actions, actors and targets" }).fill("")
    await page.waitForURL(/audit$/)
    await visit.settled()
    await grid
      .getByRole("link", { name: /Agent|Team member/ })
      .first()
      .waitFor()
    await visit.end()
  })

  it("has an export button on each screen, and an empty list exports its header", async () => {
    const visit = await Visit.signedIn(service, await service.merchant())
    const { page } = visit
    const screens = { "verifications?view=refused": "at,", attribution: "day,", money: "id," }
    for (const [path, header] of Object.entries(screens)) {
      await visit.go(`/dashboard/test/${path}`)
      const file = await download(visit, () => page.getByRole("button", { name: "Export CSV" }).press("Enter"))
      assert.isTrue(file.startsWith(`\ufeff${header}`), file)
    }
    await visit.end()
  })
})
