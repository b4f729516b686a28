import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { launch } from "../../../tools/chromium.ts"
import { type ServerProcess, simulateSources } from "./fixture/ServerProcess.ts"
import { until } from "./fixture/Until.ts"
import * as Wire from "./fixture/Wire.ts"

const browser = await launch()

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true })

describe.skipIf("skipped" in browser)("signing in to the demo without a code", () => {
  let directory: string
  let server: ServerProcess
  let url: string
  const contexts: Array<BrowserContext> = []
  const problems: Array<string> = []

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "countersign-demo-"))
    server = await simulateSources(directory)
    url = server.url.replace("127.0.0.1", "localhost")
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    assert.deepStrictEqual(problems.splice(0), [])
  })
  afterAll(async () => {
    await server?.kill("SIGTERM")
    await rm(directory, { recursive: true, force: true })
  })

  /** A person with their own browser. Its console errors fail the test. */
  const person = async (options: BrowserContextOptions = {}) => {
    if ("skipped" in browser) throw new Error(browser.skipped)
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options })
    contexts.push(context)
    context.setDefaultTimeout(120_000)
    context.on("weberror", (error) => problems.push(String(error.error())))
    context.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) problems.push(message.text())
    })
    return context
  }

  /** Starts a sign-in at the demo by keyboard only, and returns the waiting page. */
  const ask = async (context: BrowserContext, send: string, identity: string) => {
    const page = await context.newPage()
    await page.goto(`${url}/demo/`)
    await heading(page, "Sign in").waitFor()
    const mail = identity.includes("@")
    await page.getByRole("radio", { name: "Phone" }).focus()
    if (mail) await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Tab")
    await page.keyboard.type(identity)
    await page.keyboard.press("Tab")
    await page.getByLabel("Send me").selectOption({ label: send })
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    return page
  }

  /** Presses the button or link of the person's newest message, and returns the page that it opens. */
  const openLink = async (context: BrowserContext, identity: string) => {
    const outbox = await context.newPage()
    await outbox.goto(`${url}/dev/outbox`)
    const message = outbox.getByRole("listitem").filter({ hasText: identity }).last()
    const [opened] = await Promise.all([
      context.waitForEvent("page"),
      message.getByRole("link", { name: "Open link" }).click()
    ])
    await opened.waitForLoadState()
    return opened
  }

  /** The same without the outbox page, which has its own tests. */
  const openUrl = async (context: BrowserContext, identity: string) => {
    const { body } = await until(
      () => Wire.send(server.url, { path: "/dev/outbox" }),
      ({ body }) => body.items.some(({ to }: any) => to === identity),
      { what: "the message" }
    )
    const page = await context.newPage()
    await page.goto(body.items.find(({ to }: any) => to === identity).url)
    return page
  }

  const numberOn = async (page: Page) => {
    await heading(page, "Open the link").waitFor()
    return (await page.locator("#wait-number").textContent()) ?? ""
  }

  const signedIn = async (page: Page, identity: string) => {
    await heading(page, "You are signed in").waitFor()
    await page.getByText(identity, { exact: true }).waitFor()
    await page.getByText("You signed in with a link.").waitFor()
  }

  const small = { viewport: { width: 320, height: 640 } }
  const ways = [
    { send: "A link", identity: "ada@example.com", open: openLink, options: {} },
    { send: "A link by SMS", identity: "+919876543211", open: openUrl, options: small },
    { send: "A button in WhatsApp", identity: "+919876543212", open: openUrl, options: { colorScheme: "dark" } }
  ] as const

  for (const { identity, open, options, send } of ways) {
    it(`${send}: choosing the number in the message signs in both tabs of the demo`, async () => {
      const context = await person(options)
      const waiting = await ask(context, send, identity)
      const number = await numberOn(waiting)
      const link = await open(context, identity)
      assert.notInclude(link.url(), "/l/", "the token has left the address bar")
      assert.strictEqual(await link.getByRole("button").count(), 5)
      for (const page of [waiting, link])
        assert.isTrue(
          await page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
          "no scrolling sideways"
        )
      await link.getByRole("button", { name: number, exact: true }).focus()
      await link.keyboard.press("Enter")
      await signedIn(link, identity)
      assert.strictEqual(link.url(), `${url}/demo/`)
      await signedIn(waiting, identity)

      await waiting.getByRole("button", { name: "Sign out" }).click()
      await heading(waiting, "Sign in").waitFor()
      await link.reload()
      await heading(link, "Sign in").waitFor()
    })
  }

  it("Truecaller: the number that it returns is signed in without a message", async () => {
    const context = await person()
    const page = await ask(context, "Nothing: use Truecaller", "+919876543213")
    await signedIn(page, "+919876543213")
    const outbox = await context.request.get(`${url}/dev/outbox`, { headers: { accept: "application/json" } })
    assert.notInclude(await outbox.text(), "919876543213")
  })

  it("a link opened on another device without JavaScript signs in only the waiting tab", async () => {
    const [desk, phone] = [await person(), await person({ javaScriptEnabled: false })]
    const email = "grace@example.com"
    const waiting = await ask(desk, "A link", email)
    const number = await numberOn(waiting)
    const link = await openUrl(phone, email)
    await heading(link, "Sign in to Demo?").waitFor()
    await link.getByRole("button", { name: number, exact: true }).click()
    await link.waitForURL(`${url}/demo/?back=elsewhere`)
    await signedIn(waiting, email)
    assert.deepInclude(await (await phone.request.get(`${url}/demo/api/session`)).json(), { user: null })
  })

  it("choosing a number that was not shown ends the sign-in, and the waiting page shows it", async () => {
    const context = await person()
    const waiting = await ask(context, "A link by SMS", "+919876543214")
    const number = await numberOn(waiting)
    const link = await openUrl(context, "+919876543214")
    const wrong = (await link.getByRole("button").allTextContents()).find((each) => each !== number) ?? ""
    await link.getByRole("button", { name: wrong, exact: true }).click()
    await heading(link, "Wrong number").waitFor()
    await waiting.getByText(/^This sign-in was stopped/).waitFor()
    await waiting.reload()
    await heading(waiting, "Sign in").waitFor()
  })
})
