import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { MemoryStorage } from "@countersign/core/memory"
import { makeService } from "@countersign/http"
import type { BrowserContextOptions, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { launch } from "../../../tools/chromium.ts"
import { phone, uuid } from "./fixture/Client.ts"

const browser = await launch()

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return (server.address() as AddressInfo).port
}

const keysOf = (kind: string) => ({
  clientId: `cs_${kind}_browser`,
  clientSecret: `sk_${kind}_${uuid()}`,
  publicKey: `pk_${kind}_browser`
})

/** The merchant's site on another host: the requests it received, and its answer. */
const shopPages: { readonly [path: string]: (target: URL) => string } = {
  "/back": () => "<h1>Welcome back</h1>",
  "/frame": ({ searchParams }) => `<h1>Framing</h1><iframe src="${searchParams.get("link")}"></iframe>`,
  "/press": ({ searchParams }) =>
    `<form method="post" action="${searchParams.get("to")}"><input name="token" value="${searchParams.get("token")}"><button>Win a prize</button></form>`
}

describe.skipIf("skipped" in browser)("the link page in a browser", () => {
  const keys = { live: keysOf("live"), test: keysOf("test") }
  const toShop: Array<IncomingMessage> = []
  const [server, shop] = [createServer(), createServer()]
  let countersign: Awaited<ReturnType<typeof makeService>>
  let base = ""
  let shopUrl = ""

  beforeAll(async () => {
    shop.on("request", (request, response) => {
      toShop.push(request)
      const url = new URL(request.url ?? "/", "http://shop.example.com")
      if (url.pathname === "/onward") {
        const elsewhere = `http://localhost:${(shop.address() as AddressInfo).port}/back${url.search}`
        response.writeHead(302, { location: elsewhere }).end()
        return
      }
      response.writeHead(200, { "content-type": "text/html" }).end(shopPages[url.pathname]?.(url) ?? "")
    })
    shopUrl = `http://127.0.0.1:${await listen(shop)}`
    base = `http://localhost:${await listen(server)}`
    countersign = await makeService({
      storage: MemoryStorage.layer,
      channels: [],
      secret: "0d".repeat(32),
      baseUrl: base,
      environment: "test",
      keys,
      settings: {
        redirectUris: ["http://127.0.0.1/back", "http://127.0.0.1/onward", "com.example.shop:/back"],
        brand: "Acme Bazaar"
      }
    })
    server.on("request", countersign.nodeHandler)
  })
  afterAll(async () => {
    await countersign.close()
    for (const one of [server, shop]) {
      one.closeAllConnections()
      one.close()
    }
  })

  const settings = async (changes: { readonly [name: string]: unknown }) => {
    const headers = {
      "content-type": "application/json",
      "x-client-id": keys.test.clientId,
      "x-client-secret": keys.test.clientSecret
    }
    const answer = await fetch(`${base}/v1/dashboard/settings`, {
      method: "PATCH",
      headers,
      body: JSON.stringify(changes)
    })
    assert.strictEqual(answer.status, 200)
  }

  /** A link that returns to the shop by default. */
  const begin = async (fields: { readonly [name: string]: unknown } = {}) => {
    const redirectUri = `${shopUrl}/back`
    const request = { identity: phone(), identityType: "MOBILE", mode: "MAGIC_LINK", redirectUri, ...fields }
    const { link = "", matchNumber = "", requestId } = await countersign.initiate(request)
    const status = async () => (await countersign.status({ requestId })).authStatus
    return { link, matchNumber, token: link.slice(`${base}/l/`.length), identity: request.identity, status }
  }

  /** A page that records its policy violations and requests. */
  const open = async (link: string, options: BrowserContextOptions = {}) => {
    if ("skipped" in browser) throw new Error(browser.skipped)
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, ...options })
    page.setDefaultTimeout(120_000)
    const problems: Array<string> = []
    const asked: Array<string> = []
    page.on("pageerror", (error) => problems.push(String(error)))
    page.on("console", (message) => {
      if (/Content Security Policy|Refused/i.test(message.text())) problems.push(message.text().slice(0, 300))
    })
    page.on("dialog", (dialog) => {
      problems.push(`a dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on("request", (request) => asked.push(request.url()))
    await page.goto(link)
    return { page, problems, asked }
  }

  const returned = async (page: Page) => {
    await page.getByRole("heading", { name: "Welcome back" }).waitFor()
    return new URL(page.url()).searchParams
  }

  const button = (page: Page, name = "Yes, sign me in") => page.getByRole("button", { name, exact: true })

  it("says what it approves, returns after one click, and leaves no token in address, history or referrer", async () => {
    const { identity, link, token } = await begin({ deviceInfo: { model: "Pixel 8", city: "Pune" }, state: "s" })
    const { asked, page, problems } = await open(link)
    assert.strictEqual(page.url(), `${base}/l`)
    await page.getByRole("heading", { level: 1, name: "Sign in to Acme Bazaar?" }).waitFor()
    const facts = await page.getByRole("main").locator("dl").innerText()
    for (const fact of [`+91******${identity.slice(-4)}`, "Pixel 8", "Pune", "just now"]) assert.include(facts, fact)
    assert.deepStrictEqual(asked, [link])
    toShop.length = 0
    await button(page).click()
    const parameters = await returned(page)
    assert.strictEqual(parameters.get("state"), "s")
    assert.strictEqual(await page.evaluate("document.referrer"), "")
    assert.deepStrictEqual([toShop[0]?.headers["referer"], toShop[0]?.headers["origin"]], [undefined, undefined])
    const session = await page.context().newCDPSession(page)
    const { entries } = await session.send("Page.getNavigationHistory")
    assert.isAtLeast(entries.length, 2)
    // The addresses in the browser's history. The browser also keeps the first address of each entry, which no page can
    // change.
    assert.notInclude(JSON.stringify(entries.map(({ title, url }) => [title, url])), token)
    assert.deepStrictEqual(problems, [])
    const exchanged = await countersign.token({ code: parameters.get("code") ?? "" })
    assert.strictEqual(exchanged.identity, identity)
    await page.goBack()
    await page.getByRole("heading", { name: "This link is not valid" }).waitFor()
    await page.close()
  })

  it("follows the merchant's page to another origin", async () => {
    const { link, status } = await begin({ redirectUri: `${shopUrl}/onward` })
    const { page, problems } = await open(link)
    await button(page).click()
    await returned(page)
    assert.strictEqual(new URL(page.url()).hostname, "localhost")
    assert.strictEqual(await status(), "VERIFIED")
    assert.deepStrictEqual(problems, [])
    await page.close()
  })

  it("can be approved by keyboard, and a double press approves once", async () => {
    const { link, status } = await begin()
    const { page, problems } = await open(link)
    await page.keyboard.press("Enter")
    assert.strictEqual(await status(), "PENDING")
    await page.keyboard.press("Tab")
    const focus = await page.evaluate(`(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
      return [document.activeElement.textContent, outlineStyle, outlineWidth]
    })()`)
    assert.deepStrictEqual(focus, ["Yes, sign me in", "solid", "3px"])
    await page.keyboard.press("Enter")
    await returned(page)

    const twice = await begin()
    await page.goto(twice.link)
    // The second press comes before the answer to the first, and would replace it.
    await page.evaluate(`(() => {
      const button = document.querySelector("button")
      button.click()
      setTimeout(() => button.click(), 1)
    })()`)
    await returned(page)
    assert.deepStrictEqual(problems, [])
    await page.close()
  })

  it("works without JavaScript, and shows the result if there is no page to return to", async () => {
    const { link, status } = await begin({ redirectUri: null })
    const { page, problems } = await open(link, { javaScriptEnabled: false, locale: "hi-IN" })
    assert.strictEqual(await status(), "PENDING")
    await button(page, "हाँ, साइन इन करें").click()
    await page.getByRole("status").getByRole("heading", { name: "साइन इन मंज़ूर हुआ" }).waitFor()
    assert.strictEqual(await status(), "VERIFIED")
    assert.deepStrictEqual(problems, [])
    await page.goto(link)
    await page.getByRole("status").getByRole("heading", { name: "यह लिंक मान्य नहीं है" }).waitFor()
    const returning = await begin()
    await page.goto(returning.link)
    await button(page, "हाँ, साइन इन करें").click()
    await returned(page)
    await page.close()
  })

  it("asks for the number on the waiting screen: the right one approves, a wrong one ends the login", async () => {
    await settings({ linkNumberMatch: true })
    const right = await begin()
    const { page, problems } = await open(right.link)
    const numbers = page.getByRole("group", { name: "Tap the number shown on your other screen" })
    assert.strictEqual(await numbers.getByRole("button").count(), 5)
    await button(page, right.matchNumber).click()
    await returned(page)

    const wrong = await begin()
    await page.goto(wrong.link)
    const other = (await numbers.getByRole("button").allInnerTexts()).find((number) => number !== wrong.matchNumber)
    await button(page, other).click()
    await page.getByRole("status").getByRole("heading", { name: "Wrong number" }).waitFor()
    assert.strictEqual(await wrong.status(), "FAILED")
    assert.deepStrictEqual(problems, [])
    await page.close()
    await settings({ linkNumberMatch: false })
  })

  it("can return to an app's custom URL scheme", async () => {
    const { link, status } = await begin({ redirectUri: "com.example.shop:/back" })
    const { page, problems } = await open(link)
    const pressed = page.waitForResponse((response) => response.request().method() === "POST")
    await button(page).click()
    assert.match((await (await pressed).headerValue("location")) ?? "", /^com\.example\.shop:\/back\?code=/)
    assert.strictEqual(await status(), "VERIFIED")
    await page.evaluate("1")
    assert.deepStrictEqual(problems, [])
    await page.close()
  })

  it("cannot be framed by another site, or approved from one", async () => {
    const { link, status, token } = await begin()
    const framing = new URLSearchParams({ link }).toString()
    const { page } = await open(`${shopUrl}/frame?${framing}`)
    const frame = page.frames().find((one) => one !== page.mainFrame())
    assert.strictEqual(await frame?.getByRole("button").count(), 0)
    const pressing = new URLSearchParams({ to: `${base}/l`, token }).toString()
    await page.goto(`${shopUrl}/press?${pressing}`)
    await button(page, "Win a prize").click()
    await page.getByRole("heading", { name: "This link is not valid" }).waitFor()
    assert.strictEqual(await status(), "PENDING")
    await page.close()
  })

  it("fits every screen in light, dark and forced colors, in every state", async () => {
    await settings({ brand: "W".repeat(60), linkNumberMatch: true })
    const deviceInfo = { model: "<img src=x onerror=alert(1)>", place: `\u202e${"m".repeat(200)}` }
    const { link } = await begin({ deviceInfo })
    const backgrounds = new Set<unknown>()
    const looks: ReadonlyArray<BrowserContextOptions> = [
      { colorScheme: "light" },
      { colorScheme: "dark", locale: "hi" },
      { colorScheme: "dark", forcedColors: "active", reducedMotion: "reduce" }
    ]
    for (const look of looks) {
      const { asked, page, problems } = await open(link, look)
      for (const [width, height] of [
        [320, 568],
        [1280, 800]
      ] as const) {
        await page.setViewportSize({ width, height })
        const wide = await page.evaluate(`[...document.querySelectorAll("html, main, h1, dl, dd, form, button")]
          .filter(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth).map(({ tagName }) => tagName)`)
        assert.deepStrictEqual(wide, [], `${width} ${JSON.stringify(look)}`)
        const sizes = (await page.evaluate(`[...document.querySelectorAll("button")].map((one) => {
          const { height, width } = one.getBoundingClientRect()
          return Math.min(height, width)
        })`)) as ReadonlyArray<number>
        for (const size of sizes) assert.isAtLeast(size, 44)
      }
      backgrounds.add(await page.evaluate(`getComputedStyle(document.body).backgroundColor`))
      if (look.forcedColors === "active") {
        const borders = await page.evaluate(`[...document.querySelectorAll("main, button")]
          .map((one) => getComputedStyle(one).borderTopStyle + getComputedStyle(one).borderTopWidth)`)
        assert.notInclude(borders, "none0px")
      }
      if (look.reducedMotion === "reduce") {
        assert.strictEqual(
          await page.evaluate(`getComputedStyle(document.querySelector("button")).transitionDuration`),
          "0s"
        )
      }
      assert.strictEqual(await page.locator("img").count(), 0)
      assert.deepStrictEqual([problems, asked], [[], [link]])
      await page.close()
    }
    assert.strictEqual(backgrounds.size, 3)
  })
})
