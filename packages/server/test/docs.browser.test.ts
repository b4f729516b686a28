import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { launch } from "../../../tools/chromium.ts"
import { memory, type Service } from "./fixture/Service.ts"

const browser = await launch()

describe.skipIf("skipped" in browser)("the API reference in a browser", () => {
  let service: Service
  beforeAll(async () => {
    service = await memory()
  })
  afterAll(() => service?.close())

  it("shows the endpoints under its own content security policy, and requests nothing from other hosts", async () => {
    if ("skipped" in browser) throw new Error(browser.skipped)
    const page = await browser.newPage()
    page.setDefaultTimeout(120_000)
    const hosts = new Set<string>()
    const problems: Array<string> = []
    page.on("request", (request) => {
      const { host, protocol } = new URL(request.url())
      if (protocol.startsWith("http")) hosts.add(host)
    })
    page.on("pageerror", (error) => problems.push(String(error)))
    page.on("console", (message) => {
      if (/Content Security Policy/i.test(message.text())) problems.push(message.text().slice(0, 300))
    })
    await page.goto(`${service.urls[0]!}/docs`)
    await page.getByText("Send a code").first().waitFor()
    assert.deepStrictEqual(problems, [])
    assert.deepStrictEqual([...hosts], [new URL(service.urls[0]!).host])
    await page.close()
  })

  it("shows only what is ours, with the address in the address bar, and fits a phone", async () => {
    if ("skipped" in browser) throw new Error(browser.skipped)
    const page = await browser.newPage({ viewport: { width: 320, height: 800 } })
    page.setDefaultTimeout(120_000)
    const url = service.urls[0]!
    await page.goto(`${url}/docs`)
    await page.getByText("Send a code").first().waitFor()
    await page.getByText(url, { exact: true }).first().waitFor()
    for (const theirs of ["Share", "Generate SDKs", "Configure", "Open API Client", "Powered by Scalar", "Deploy"])
      assert.strictEqual(await page.getByText(theirs, { exact: true }).locator("visible=true").count(), 0, theirs)
    assert.isAtMost(Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth")), 0)
    assert.strictEqual(await page.locator("link[rel=icon]").count(), 1)
    await page.close()
  })
})
