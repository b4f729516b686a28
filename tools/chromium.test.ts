import type { Page } from "playwright-core"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, test } from "vitest"
import { launch } from "./chromium.ts"

const html = `<!doctype html><html lang="en"><title>Codes</title>
<h1>Codes</h1><button>Send</button><p role="status"></p>
<script>
  document.querySelector("button").addEventListener("click", async () => {
    document.querySelector("p").textContent = await (await fetch("/sent")).text()
  })
</script>`

const browser = await launch()

describe.skipIf("skipped" in browser)("the browser for tests", () => {
  let server: Server
  let page: Page

  beforeAll(async () => {
    server = createServer(({ url }, response) => {
      response.writeHead(200, { "content-type": url === "/sent" ? "text/plain" : "text/html; charset=utf-8" })
      response.end(url === "/sent" ? "Sent over HTTP" : html)
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    if ("skipped" in browser) return
    page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  })
  afterAll(async () => {
    await page.close()
    await new Promise((resolve) => server.close(resolve))
  })

  test("opens a page, runs its script, and reads the result", async () => {
    assert.strictEqual(await page.title(), "Codes")
    await page.getByRole("button", { name: "Send" }).click()
    await page.getByText("Sent over HTTP").waitFor()
    assert.strictEqual(await page.getByRole("status").textContent(), "Sent over HTTP")
  })

  test("has fonts", async () => {
    const png = await page.screenshot()
    assert.deepStrictEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [390, 844])
    const { width } = (await page.getByText("Sent over HTTP").boundingBox())!
    assert.isAbove(width, 50)
    const written = await page.getByRole("heading").screenshot()
    await page.addStyleTag({ content: "h1 { color: transparent }" })
    assert.isAbove(written.length, (await page.getByRole("heading").screenshot()).length)
  })
})
