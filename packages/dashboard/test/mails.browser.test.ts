import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Merchant } from "../../server/test/fixture/Service.ts"
import { violations } from "./fixture/axe.ts"
import { browser, type House, openHouse } from "./fixture/house.ts"
import { lookIn, newContext } from "./fixture/look.ts"

describe.skipIf("skipped" in browser)("mails about waiting customers", () => {
  let house: House
  let shop: Merchant
  beforeAll(async () => {
    house = await openHouse()
    shop = await house.service.withOwner()
  })
  afterAll(() => house?.close())

  /** On a phone, actions are behind one button. */
  const openNotifications = async (page: Page) => {
    await page.getByRole("button", { name: "Actions of this page" }).click()
    await page.getByRole("button", { name: "Notifications" }).click()
  }

  /** The account dialog of a new team member, on a phone. */
  const openDialog = async (role: "AGENT" | "VIEWER") => {
    const context = await newContext({ viewport: { width: 390, height: 844 } })
    await house.letIn(context, shop, await house.hire(shop, role, `${role.toLowerCase()}@shop.example`))
    const look = await lookIn(context)
    await look.page.goto(`${house.url}/dashboard/inbox`)
    await look.settled()
    await openNotifications(look.page)
    const dialog = look.page.getByRole("dialog")
    await dialog.getByText("Mail me when customers wait").waitFor()
    return { ...look, context, dialog }
  }

  it("are off until an agent chooses a time in the account dialog, and can be turned off again", async () => {
    const { context, dialog, page } = await openDialog("AGENT")
    const field = dialog.getByLabel("Mail me when customers wait")
    const save = dialog.getByRole("button", { name: "Save", exact: true })
    assert.strictEqual(await field.inputValue(), "")
    await field.selectOption("Longer than 15 minutes")
    await save.click()
    await page.getByText("Mails saved").waitFor()
    assert.deepStrictEqual(await violations(page), [])
    await page.reload()
    await openNotifications(page)
    assert.strictEqual(await field.inputValue(), "15")
    await field.selectOption("Never")
    await save.click()
    await page.getByText("Mails saved").waitFor()
    await page.reload()
    await openNotifications(page)
    assert.strictEqual(await field.inputValue(), "")
    await context.close()
  })

  it("are not offered to a viewer, who sees why", async () => {
    const { context, dialog } = await openDialog("VIEWER")
    await dialog.getByText("Only agents, admins and owners get these mails.").waitFor()
    assert.strictEqual(await dialog.getByRole("combobox").count(), 0)
    await context.close()
  })
})
