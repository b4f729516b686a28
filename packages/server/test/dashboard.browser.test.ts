import { Effect, Logger } from "effect"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { type AddressInfo, createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { launch } from "../../../tools/chromium.ts"
import { inDirectory } from "../src/Assets.ts"
import * as Build from "../src/dashboard/Build.ts"
import * as Dashboard from "../src/dashboard/Dashboard.ts"
import { memory, type Service } from "./fixture/Service.ts"

const browser = await launch()

/** Attacks that a hostile template may contain: to run a script, or to learn who reads it. */
const hostile = (elsewhere: string) => `<!doctype html><html><head>
  <base href="${elsewhere}/">
  <meta http-equiv="refresh" content="0;url=${elsewhere}/refresh">
  <link rel="preconnect" href="${elsewhere}"><link rel="dns-prefetch" href="${elsewhere}">
  <link rel="stylesheet" href="${elsewhere}/link.css"><link rel="icon" href="${elsewhere}/icon.png">
  <style>@import url(${elsewhere}/import.css); @font-face { font-family: f; src: url(${elsewhere}/f.woff2) }
    body { background: url(${elsewhere}/background.png); font-family: f; color: rgb(1, 2, 3) }</style>
  <script>parent.postMessage("ran", "*"); document.title = "ran"</script>
  <script src="${elsewhere}/script.js"></script></head>
  <body onload="parent.postMessage('ran', '*')"><p>Your code is 271828</p>
  <noscript><p title="</noscript><img src=x onerror=parent.postMessage('ran','*')>"></noscript>
  <img src="${elsewhere}/image.png" onerror="parent.postMessage('ran', '*')"><svg onload="parent.postMessage('ran', '*')"></svg>
  <svg><style><img src=x onerror=parent.postMessage('ran','*')></style><a xlink:href="javascript:parent.postMessage('ran','*')"><text>svg</text></a></svg>
  <iframe src="${elsewhere}/frame"></iframe><iframe srcdoc="<script>top.postMessage('ran','*')</script>"></iframe>
  <object data="${elsewhere}/object"></object><embed src="${elsewhere}/embed"><video src="${elsewhere}/v" autoplay></video>
  <form action="${elsewhere}/form"><button>Send</button></form>
  <a href="${elsewhere}/here">Here</a> <a href="${elsewhere}/top" target="_top">Top</a>
  <a href="${elsewhere}/blank" target="_blank">Blank</a> <a href="javascript:parent.postMessage('ran','*')">Script</a>
  <a href="/dashboard" target="_top">Home</a></body></html>`

describe.skipIf("skipped" in browser)("the page for email previews, in a browser", () => {
  let directory: string
  let service: Service
  let elsewhere: Server
  let connections = 0
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "countersign-page-"))
    await mkdir(join(directory, "assets"))
    await writeFile(
      join(directory, "index.html"),
      '<!doctype html><title>Home</title><iframe src="/dashboard/mail"></iframe>'
    )
    const build = Build.built(inDirectory(directory))
    const mount = await Effect.runPromise(
      Effect.provide(Dashboard.make({ build, publicUrl: "http://localhost", isDevelopment: true }), Logger.layer([]))
    )
    service = await memory({ mounts: [mount] })
    elsewhere = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve))
  })
  afterAll(async () => {
    await service?.close()
    elsewhere?.close()
    await rm(directory, { recursive: true, force: true })
  })

  const newPage = () => {
    if ("skipped" in browser) throw new Error(browser.skipped)
    return browser.newPage()
  }
  const open = async () => {
    const page = await newPage()
    page.setDefaultTimeout(120_000)
    await page.goto(`${service.url()}/dashboard`)
    await page.evaluate("heard = []; addEventListener('message', ({ data }) => heard.push(String(data)))")
    const post = (html: string) =>
      page.evaluate(`document.querySelector("iframe").contentWindow.postMessage(${JSON.stringify(html)}, "*")`)
    return { page, post, mail: page.frameLocator("iframe") }
  }

  it("shows each preview that is posted to it, with its own styles", async () => {
    const { mail, page, post } = await open()
    for (const code of ["271828", "314159"]) {
      await post(`<style>p { color: rgb(1, 2, 3) }</style><p style="margin: 7px">Your code is ${code}</p>`)
      const text = mail.getByText(`Your code is ${code}`)
      await text.waitFor()
      const style = await page
        .frames()[1]!
        .evaluate("(({ color, margin }) => [color, margin])(getComputedStyle(document.querySelector('p')))")
      assert.deepStrictEqual(style, ["rgb(1, 2, 3)", "7px"])
    }
    assert.strictEqual(await mail.getByText("271828").count(), 0)
    await page.close()
  })

  it("does not let a hostile template run scripts, load resources or send requests", async () => {
    const { mail, page, post } = await open()
    const { port } = elsewhere.address() as AddressInfo
    const pages = page.context().pages().length
    await post(hostile(`http://127.0.0.1:${port}`))
    const code = mail.getByText("Your code is 271828")
    await code.waitFor()
    for (const name of ["Here", "Blank", "Script", "Top", "Home"]) {
      await mail.getByRole("link", { name }).click()
      await code.waitFor()
    }
    await mail.getByRole("button", { name: "Send" }).click()
    // The answer to a later message shows that all earlier ones are processed.
    await post(`<p>Later</p>`)
    await mail.getByText("Later").waitFor()
    assert.deepStrictEqual(await page.evaluate("heard"), [])
    assert.deepStrictEqual([new URL(page.url()).pathname, await page.title()], ["/dashboard", "Home"])
    assert.strictEqual(page.context().pages().length, pages)
    // The frame cannot navigate elsewhere: the page's policy allows only itself as a frame.
    const frame = page.frames()[1]!
    const isBlocked = page.waitForEvent("console", (message) => message.text().includes("frame-src"))
    await frame.evaluate(`location.assign("http://127.0.0.1:${port}/here")`)
    await isBlocked
    assert.strictEqual(connections, 0)
    await page.close()
  })

  it("has no cookies and no storage, and accepts messages only from the page that frames it", async () => {
    const { mail, page, post } = await open()
    await post("<p>First</p>")
    await mail.getByText("First").waitFor()
    const frame = page.frames()[1]!
    const origin = await frame.evaluate(`[
      () => self.origin, () => document.cookie, () => localStorage.length, () => parent.document
    ].map((read) => { try { return String(read()) } catch (error) { return error.name } })`)
    assert.deepStrictEqual(origin, ["null", "SecurityError", "SecurityError", "SecurityError"])
    await frame.evaluate("postMessage('<p>Own</p>', '*')")
    await post("<p>Second</p>")
    await mail.getByText("Second").waitFor()
    assert.strictEqual(await mail.getByText("Own").count(), 0)
    const alone = await newPage()
    await alone.goto(`${service.url()}/dashboard/mail`)
    await alone.evaluate("postMessage('<p>Own</p>', '*')")
    await alone.evaluate("new Promise((resolve) => setTimeout(resolve))")
    assert.strictEqual(await alone.getByText("Own").count(), 0)
    await page.close()
    await alone.close()
  })
})
