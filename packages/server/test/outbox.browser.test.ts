import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BrowserContextOptions, Page } from "playwright-core"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { launch } from "../../../tools/chromium.ts"
import { Client, phone } from "./fixture/Client.ts"
import { OutboxServer } from "./fixture/OutboxServer.ts"
import { overProcesses } from "./fixture/Processes.ts"
import { serve } from "./fixture/ServerProcess.ts"

const browser = await launch()

/** A page that fails the test on a script error or a policy violation. */
const open = async (url: string, options: BrowserContextOptions = {}) => {
  if ("skipped" in browser) throw new Error(browser.skipped)
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, ...options })
  page.setDefaultTimeout(120_000)
  const problems: Array<string> = []
  page.on("pageerror", (error) => problems.push(String(error)))
  page.on("dialog", (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.goto(url)
  return { page, problems }
}

const connected = (page: Page) => page.getByText("Connected", { exact: true }).waitFor()
const messages = (page: Page) => page.getByRole("listitem")

describe.skipIf("skipped" in browser)("the outbox page in a browser", () => {
  let server: OutboxServer
  beforeEach(async () => {
    server = new OutboxServer()
    await server.start()
  })
  afterEach(() => server.stop())

  it("explains how to send a first message, and shows it on arrival without a reload", async () => {
    const { page, problems } = await open(server.url)
    await page.getByRole("heading", { name: "No messages yet" }).waitFor()
    const links = await page.getByRole("link", { name: "Try the login demo" }).all()
    assert.deepStrictEqual(await Promise.all(links.map((link) => link.getAttribute("href"))), ["/demo", "/demo"])

    server.add({ text: "271828 is your Example code", code: "271828", status: "SENT" })
    await page.getByText("271828 is your Example code", { exact: true }).waitFor()
    assert.isFalse(await page.getByRole("heading", { name: "No messages yet" }).isVisible())
    const item = messages(page).first()
    assert.include(await item.textContent(), "+919876543210")
    await item.getByText("Sent", { exact: true }).waitFor()
    await page.locator("[aria-live]").getByText("New SMS to +919876543210: 271828 is your Example code").waitFor()

    server.report(0, "READ")
    await item.getByText("Read", { exact: true }).waitFor()
    assert.strictEqual(await messages(page).count(), 1)
    assert.deepStrictEqual(problems, [])
    await page.close()
  })

  it("shows all text as text, never as markup", async () => {
    const evil = `<img src=x onerror="alert(1)"><script>alert(2)</script>`
    for (const channel of ["SMS", "WHATSAPP", "RCS", "EMAIL", evil]) {
      server.add({ channel, id: evil + channel, to: evil, subject: evil, text: evil, code: "<b>1</b>" })
    }
    const { page, problems } = await open(server.url)
    await connected(page)
    assert.strictEqual(await messages(page).count(), 5)
    assert.strictEqual(await page.locator(".text", { hasText: evil }).count(), 5)
    assert.strictEqual(await page.locator("main img, main script, main b, select img").count(), 0)
    assert.deepStrictEqual(problems, [])
    await page.close()
  })

  it("shows each channel in its style: subjects for email, expandable long texts, and a copy button only for codes", async () => {
    server.add({ channel: "EMAIL", to: "asha@example.com", subject: "Welcome", text: "Very long. ".repeat(100) })
    server.add({ channel: "WHATSAPP", text: "161803 is your code", code: "161803", status: "FAILED" })
    const { page } = await open(server.url, { permissions: ["clipboard-read", "clipboard-write"] })
    await page.getByRole("heading", { name: "Welcome" }).waitFor()
    assert.strictEqual(await messages(page).first().getByRole("button", { name: /Copy/ }).count(), 0)
    const text = messages(page).first().locator(".text")
    const before = (await text.boundingBox())!.height
    await page.getByRole("button", { name: "Show all" }).click()
    await page.getByRole("button", { name: "Show less" }).waitFor()
    assert.isAbove((await text.boundingBox())!.height, before)

    await messages(page).last().getByText("Failed").waitFor()
    await page.getByRole("button", { name: "Copy code 161803" }).click()
    await page.getByText("Copied", { exact: true }).waitFor()
    assert.strictEqual(await page.evaluate("navigator.clipboard.readText()"), "161803")
    await page.close()
  })

  it("opens a message's link in a new tab, and only links that lead to a page", async () => {
    const link = `${server.url}?l=env_1.abc1234def.01k9`
    server.add({ channel: "SMS", text: `Sign in to Acme.\n${link}`, url: link })
    server.add({ channel: "WHATSAPP", text: "Press the button.", url: link })
    server.add({ channel: "EMAIL", subject: "Sign in", text: `Open it:\n\n${link}\n\nBye`, url: link })
    server.add({ channel: "RCS", text: "javascript:alert(1)", url: "javascript:alert(1)" })
    const { page, problems } = await open(server.url)
    await connected(page)
    const links = (n: number) =>
      messages(page)
        .nth(n)
        .getByRole("link", { name: /^(?!Verification)/ })
    const hrefs = async (n: number) => Promise.all((await links(n).all()).map((each) => each.getAttribute("href")))
    assert.deepStrictEqual(await Promise.all([0, 1, 2, 3].map(hrefs)), [[link, link], [link], [link, link], []])
    const [opened] = await Promise.all([
      page.context().waitForEvent("page"),
      messages(page).nth(1).getByRole("link", { name: "Open link" }).click()
    ])
    assert.strictEqual(opened.url(), link)
    assert.strictEqual(await opened.evaluate("document.referrer + String(window.opener)"), "null")
    assert.deepStrictEqual(problems, [])
    await page.close()
  })

  it("filters by recipient, also for new messages", async () => {
    server.add({ text: "one" })
    server.add({ text: "two", to: "+14155550123" })
    const { page } = await open(server.url)
    await connected(page)
    await page.getByRole("button", { name: "+14155550123", exact: true }).click()
    server.add({ text: "three" })
    server.add({ text: "four", to: "+14155550123" })
    await page.getByText("four", { exact: true }).waitFor()
    assert.deepStrictEqual(await messages(page).locator(".text:visible").allTextContents(), ["two", "four"])
    await page.getByRole("button", { name: "All", exact: true }).click()
    assert.strictEqual(await messages(page).locator(".text:visible").count(), 4)
    await page.close()
  })

  it("clears the messages so far in this tab, shows them again, and links each to its verification", async () => {
    server.add({ text: "one" })
    server.add({ text: "two", to: "+14155550123" })
    const { page, problems } = await open(server.url)
    await connected(page)
    const found = page.getByRole("link", { name: "Verification of +14155550123" })
    assert.strictEqual(
      await found.getAttribute("href"),
      "/dashboard/live/verifications?find=%2B14155550123&as=identity"
    )
    await page.getByRole("button", { name: "+14155550123", exact: true }).click()
    await page.getByRole("button", { name: "Clear", exact: true }).click()
    await page.getByRole("heading", { name: "No messages yet" }).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "All", exact: true }).count(), 0)
    server.add({ text: "three" })
    await page.getByText("three", { exact: true }).waitFor()
    await page.reload()
    await page.getByText("three", { exact: true }).waitFor()
    assert.deepStrictEqual(await messages(page).locator(".text:visible").allTextContents(), ["three"])
    await page.getByRole("button", { name: "Clear", exact: true }).click()
    await page.getByRole("button", { name: "Show cleared", exact: true }).click()
    assert.strictEqual(await messages(page).locator(".text:visible").count(), 3)
    assert.deepStrictEqual(problems, [])
    await page.close()
  })

  it("survives a server restart, and keeps earlier messages", async () => {
    server.add({ text: "before" })
    const { page, problems } = await open(server.url)
    await connected(page)
    await server.stop()
    await page.getByText(/^The server is not responding/).waitFor()
    server.messages.length = 0
    await server.start()
    server.add({ text: "after", at: "2026-01-02T13:00:00.000Z" })
    await page.getByText("after", { exact: true }).waitFor()
    await connected(page)
    assert.deepStrictEqual(await messages(page).locator(".text").allTextContents(), ["before", "after"])
    assert.deepStrictEqual(problems, [])
    await page.close()
  })

  it("sends no request while hidden, and updates immediately when visible again", async () => {
    const { page } = await open("about:blank")
    await page.clock.install()
    await page.goto(server.url)
    await connected(page)
    const look = (hidden: boolean) =>
      page.evaluate(`
        Object.defineProperty(document, "hidden", { value: ${hidden}, configurable: true })
        document.dispatchEvent(new Event("visibilitychange"))
      `)
    await look(true)
    await page.clock.runFor(5_000) // requests in flight have been answered
    const before = server.asked
    await page.clock.runFor(60_000)
    await page.evaluate(`fetch("outbox").then((answer) => answer.text())`)
    assert.strictEqual(server.asked, before + 1)
    server.add({ text: "while you were away" })
    await look(false)
    await page.getByText("while you were away", { exact: true }).waitFor()
    await page.close()
  })

  it("fits every screen in light and dark", async () => {
    server.add({
      channel: "EMAIL",
      to: `${"a".repeat(60)}@example.com`,
      subject: "S".repeat(90),
      text: "w".repeat(300)
    })
    server.add({ channel: "WHATSAPP", text: "134159 ".repeat(9), code: "134159" })
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await open(server.url, { colorScheme })
      await connected(page)
      for (const width of [320, 390, 820, 1280]) {
        await page.setViewportSize({ width, height: 640 })
        const wide = await page.evaluate(`[document.documentElement, ...document.querySelectorAll("#screen, .bubble")]
          .filter((element) => element.scrollWidth > element.clientWidth).map((element) => element.className)`)
        assert.deepStrictEqual(wide, [], `${width} ${colorScheme}`)
        assert.isTrue(await page.getByRole("button", { name: "Copy code 134159" }).isVisible())
      }
      await page.close()
    }
  })

  it("is served by a newly started server", async () => {
    const directory = await mkdtemp(join(tmpdir(), "countersign-outbox-"))
    const started = await serve({}, directory)
    try {
      const [, clientId = ""] = /X-Client-Id +(cs_live_\w+)/.exec(started.output()) ?? []
      const [, clientSecret = ""] = /X-Client-Secret +(sk_live_\w+)/.exec(started.output()) ?? []
      const client = new Client(overProcesses([started]), { clientId, clientSecret, publicKey: "" })
      const { page, problems } = await open(`${started.url}/dev/outbox`)
      await connected(page)
      const identity = phone()
      const requestId = await client.started({ identity, channel: "WHATSAPP" })
      await page.locator("li", { hasText: identity }).waitFor()
      const otp = await page.locator("li .code").first().textContent()
      assert.strictEqual((await client.verify({ requestId, otp: otp! })).body.verified, true)
      assert.deepStrictEqual(problems, [])
      await page.close()
    } finally {
      await started.kill("SIGTERM")
      await rm(directory, { recursive: true, force: true })
    }
  })
})
