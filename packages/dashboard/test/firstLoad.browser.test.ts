import type { CDPSession } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Merchant, Service } from "../../server/test/fixture/Service.ts"
import { until } from "../../server/test/fixture/Until.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

/** The connections that a browser opens to one host over HTTP/1.1. A further request waits for one of them. */
const connections = 6
/** What a line of 400 kbit/s brings in 1.6 seconds. */
const mostBytes = 80_000

interface Held {
  readonly path: string
  readonly release: () => Promise<unknown>
}

/** Holds every request of the page until the test lets it go. So a test counts round trips instead of time. */
class Line {
  readonly #session: CDPSession
  readonly held: Array<Held> = []
  readonly sizes = new Map<string, number>()
  /** Requests that pass at once. */
  passes = (_path: string): boolean => false

  private constructor(session: CDPSession) {
    this.#session = session
  }

  static async of(visit: Visit): Promise<Line> {
    const session = await visit.page.context().newCDPSession(visit.page)
    const line = new Line(session)
    const paths = new Map<string, string>()
    session.on("Fetch.requestPaused", ({ request, requestId }) => {
      const path = request.url.slice(visit.url.length)
      const release = () => session.send("Fetch.continueRequest", { requestId })
      if (line.passes(path)) void release()
      else line.held.push({ path, release })
    })
    session.on("Network.requestWillBeSent", ({ request, requestId }) => paths.set(requestId, request.url))
    session.on("Network.loadingFinished", ({ encodedDataLength, requestId }) =>
      line.sizes.set(paths.get(requestId) ?? "", encodedDataLength)
    )
    await session.send("Network.enable")
    await session.send("Network.clearBrowserCache")
    await session.send("Fetch.enable")
    return line
  }

  /** The held requests, once there are that many. */
  asked(count: number): Promise<ReadonlyArray<string>> {
    const paths = () => Promise.resolve(this.held.map(({ path }) => path))
    return until(paths, ({ length }) => length >= count, { what: `${count} requests of the page` })
  }

  async release(): Promise<void> {
    await Promise.all(this.held.splice(0).map(({ release }) => release()))
  }

  end(): Promise<unknown> {
    return this.#session.send("Fetch.disable")
  }
}

describe.skipIf("skipped" in browser)("a first load on a slow line", () => {
  let service: Service
  let merchant: Merchant
  let visit: Visit
  beforeAll(async () => {
    service = await serve()
    merchant = await service.merchant()
    await merchant.test.settled(await merchant.test.started())
    visit = await Visit.signedIn(service, merchant)
  })
  afterAll(async () => {
    await visit?.end()
    await service?.close()
  })

  const boxes = () =>
    visit.page.evaluate(() =>
      Object.fromEntries(
        [...document.querySelectorAll<HTMLElement>("nav.side a, .side-title, .logo, h1, .test-band")]
          .filter((element) => element.checkVisibility())
          .map((element) => {
            const { height, left, top } = element.getBoundingClientRect()
            return [element.innerText.trim(), [left, top, height].map(Math.round).join(" ")]
          })
      )
    )

  it("shows the frame from the HTML alone, and the first figures after one more round trip on six connections", async () => {
    const { page } = visit
    const line = await Line.of(visit)
    line.passes = (path) => path.startsWith("/dashboard/test")
    await page.goto(`${visit.url}/dashboard/test?range=24h`, { waitUntil: "commit" })

    // Nothing but the HTML has arrived.
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor()
    assert.strictEqual(await page.locator("a[aria-current=page]").innerText(), "Overview")
    assert.isTrue(await page.getByText("Test: nothing reaches real recipients").isVisible())
    assert.include(await page.locator("a", { hasText: "Verifications" }).getAttribute("href"), "/dashboard/test/")
    await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0)
    const before = await boxes()

    const asked = await line.asked(connections)
    const names = asked.map((path) => path.replace(/-[\w-]{8}\.js$|\?.*$/g, ""))
    assert.deepStrictEqual(names.toSorted(), [
      "/dashboard/assets/en/OverviewScreen",
      "/dashboard/assets/en/cards",
      "/dashboard/assets/en/frame",
      "/dashboard/assets/en/index",
      "/v1/dashboard/me",
      "/v1/dashboard/stats/series"
    ])

    // These answers alone make the figures. All that the page asks then is held.
    await line.release()
    await page.locator(".hero-value").waitFor()
    const bytes = [...line.sizes.values()].reduce((sum, size) => sum + size, 0)
    assert.isAtMost(bytes, mostBytes)
    assert.deepStrictEqual(await boxes(), before)
    assert.strictEqual(await page.locator("#opening").count(), 0)

    line.passes = () => true
    await line.release()
    await visit.settled()
    await line.end()
  })

  it("opens in the theme and the language of the user before any code has arrived", async () => {
    const { page } = visit
    await page.evaluate(() => {
      localStorage.setItem("countersign.theme", "dark")
      localStorage.setItem("countersign.language", "hi")
    })
    const line = await Line.of(visit)
    line.passes = (path) => path.startsWith("/dashboard/test")
    await page.goto(`${visit.url}/dashboard/test/webhooks`, { waitUntil: "commit" })
    await page.getByRole("heading", { name: "वेबहुक", level: 1 }).waitFor()
    assert.strictEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(13, 20, 19)")
    const before = await boxes()
    line.passes = () => true
    await line.release()
    await visit.settled()
    assert.deepStrictEqual(await boxes(), before)
    await line.end()
    await page.evaluate(() => {
      localStorage.removeItem("countersign.theme")
      localStorage.removeItem("countersign.language")
    })
  })

  it("shows nobody a frame who is not signed in, and asks for the sign-in's code at once", async () => {
    const stranger = await Visit.begin(service)
    const line = await Line.of(stranger)
    line.passes = (path) => path === "/dashboard"
    await stranger.page.goto(`${stranger.url}/dashboard`, { waitUntil: "commit" })
    const asked = await line.asked(5)
    assert.strictEqual(await stranger.page.getByRole("navigation").count(), 0)
    assert.isFalse(asked.some((path) => path.startsWith("/v1/") || path.includes("Overview")))
    stranger.expect(/401/)
    line.passes = () => true
    await line.release()
    await stranger.page.getByRole("heading", { name: "Sign in" }).waitFor()
    await line.end()
    await stranger.end()
  })

  it("shows no figure of the merchant before, when another tab has switched to another one", async () => {
    const { page } = visit
    // What another tab leaves: the session belongs to a merchant that this page does not know yet.
    await page.evaluate(() => localStorage.setItem("countersign.somebody", "mer_another OWNER"))
    visit.expect(/400/)
    await page.goto(`${visit.url}/dashboard/test?range=24h`)
    await visit.settled()
    assert.strictEqual(await page.locator(".hero-value").count(), 1)
    assert.include(await page.evaluate(() => localStorage.getItem("countersign.somebody")), merchant.id)
  })
})
