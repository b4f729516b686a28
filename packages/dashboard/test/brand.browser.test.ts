import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Service } from "../../server/test/fixture/Service.ts"
import { until } from "../../server/test/fixture/Until.ts"
import { violations } from "./fixture/axe.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

describe.skipIf("skipped" in browser)("the brand of a merchant", () => {
  let service: Service
  beforeAll(async () => {
    service = await serve()
  })
  afterAll(() => service?.close())

  const path = "/dashboard/test/settings"

  it("is previewed on the link page and in an e-mail before it is saved, and stays readable", async () => {
    const merchant = await service.merchant()
    const visit = await Visit.signedIn(service, merchant)
    const { page } = visit
    await visit.go(path)
    const colour = page.getByRole("textbox", { name: "Brand colour" })
    const group = page.getByRole("region", { name: "Brand colour" })
    await colour.fill("red;}")
    await group.getByText("Enter a colour as # and six digits, such as #0f766e.").first().waitFor()
    const button = page.frameLocator("iframe[title='Link page']").getByRole("button", { name: "Yes, sign me in" })
    const look = () =>
      button.evaluate((element) => {
        const { backgroundColor, color } = getComputedStyle(element)
        return [backgroundColor, color]
      })
    assert.deepStrictEqual(await look(), ["rgb(15, 118, 110)", "rgb(255, 255, 255)"])
    await colour.fill("#FFD600")
    await page.getByText("Contrast of the button text: 14.", { exact: false }).waitFor()
    await page.frameLocator("iframe[title='E-mail']").locator("[bgcolor='#ffd600']").waitFor()
    await until(look, ([ground]) => ground === "rgb(255, 214, 0)", { what: "the colour in the preview" })
    assert.deepStrictEqual(await look(), ["rgb(255, 214, 0)", "rgb(0, 0, 0)"])
    await group.getByRole("button", { name: "Save" }).click()
    await page.getByText("Brand colour: #ffd600").waitFor()
    assert.deepStrictEqual(await visit.sticksOut(320), [])
    // axe writes to the frames, whose sandbox it cannot know.
    visit.expect(/postMessage/)
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme })
      assert.deepStrictEqual(await violations(page), [], colorScheme)
    }
    await visit.end()
  })

  it("has a logo that the page converts to a small PNG; files that are no image are refused", async () => {
    const merchant = await service.merchant()
    const visit = await Visit.signedIn(service, merchant)
    const { page } = visit
    await visit.go(path)
    const file = page.getByLabel("Logo: Choose an image")
    const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
    for (const mimeType of ["image/svg+xml", "image/png"]) {
      await file.setInputFiles({ name: "logo.png", mimeType, buffer: svg })
      await page.getByRole("alert").getByText("This file is not a PNG, JPEG or WebP image.").waitFor()
    }
    const photo = await page.evaluate(async () => {
      const canvas = document.createElement("canvas")
      ;[canvas.width, canvas.height] = [1600, 400]
      const context = canvas.getContext("2d")!
      context.fillStyle = "#b00020"
      context.fillRect(100, 100, 600, 200)
      return canvas.toDataURL("image/webp").split(",")[1]!
    })
    // A page behind the picture is gone after the conversion.
    const buffer = Buffer.concat([Buffer.from(photo, "base64"), Buffer.from("<script>alert(1)</script>")])
    await file.setInputFiles({ name: "logo.webp", mimeType: "image/webp", buffer })
    await page.getByText("Logo: an image").waitFor()
    const logo = page.getByRole("img", { name: "The current logo" })
    const source = String(await logo.getAttribute("src"))
    assert.match(source, /^data:image\/png;base64,/)
    assert.isBelow(source.length, 16_500)
    assert.notInclude(Buffer.from(source.split(",")[1]!, "base64").toString("latin1"), "<script>")
    await page.frameLocator("iframe[title='Link page']").locator("img.logo").waitFor()
    await page.getByRole("button", { name: "Remove logo" }).click()
    await logo.waitFor({ state: "detached" })
    await page.frameLocator("iframe[title='Link page']").locator(".mark").waitFor()
    await visit.end()
  })
})
