import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Service } from "../../server/test/fixture/Service.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

describe.skipIf("skipped" in browser)("a reader of Hindi", () => {
  let service: Service
  beforeAll(async () => {
    service = await serve()
  })
  afterAll(() => service?.close())

  it("reads in Hindi why the service refuses a number, a setting and a webhook's address, and warns about a setting", async () => {
    const merchant = await service.merchant()
    const changed = await merchant.test.settings({ primaryChannel: "SMS", fallbackChannel: "SMS" })
    assert.strictEqual(changed.status, 200, changed.text)
    const visit = await Visit.signedIn(service, merchant, { locale: "hi-IN" })
    visit.expect(/status of 400/)
    const { page } = visit
    const dialog = page.getByRole("dialog")
    const alert = (within: typeof dialog) => within.getByRole("alert").innerText()

    await visit.go("/dashboard/test/verifications")
    await page.keyboard.press("t")
    await dialog.getByLabel("फ़ोन नंबर या ईमेल").fill("+1 23")
    await dialog.getByRole("button", { name: "कोड भेजें" }).click()
    assert.strictEqual(await alert(dialog), "देश कोड के साथ सही फ़ोन नंबर लिखें")
    await page.keyboard.press("Escape")

    await visit.go("/dashboard/test/settings")
    await page.getByText("यही मुख्य चैनल भी है, इसलिए उसके संदेशों का कोई दूसरा चैनल नहीं है").first().waitFor()
    const setting = page.locator("#redirectUris")
    await setting.getByRole("textbox", { name: "लिंक रीडायरेक्ट URL" }).fill("http://shop.example/")
    await setting.getByRole("button", { name: "सहेजें" }).click()
    assert.include(await alert(setting), "https लिखें; http केवल localhost के लिए है")

    await visit.go("/dashboard/test/webhooks")
    await page.getByRole("button", { name: "एंडपॉइंट जोड़ें" }).first().click()
    await dialog.getByRole("textbox", { name: "URL" }).fill("https://shop.example/a b")
    await dialog.getByRole("button", { name: "एंडपॉइंट जोड़ें" }).click()
    assert.strictEqual(await alert(dialog), "स्पेस, कंट्रोल कैरेक्टर और \\ न रखें")
    await visit.end()
  })
})
