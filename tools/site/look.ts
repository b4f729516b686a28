import { join } from "node:path"
import { launch } from "../chromium.ts"
import { served } from "./served.ts"

/** What a reader's browser finds wrong with the site: requests to others or that fail, errors, a search that finds nothing. */
export const look = async (
  out: string,
  base: string,
  paths: ReadonlyArray<string>,
  pictures: string | undefined
): Promise<{ readonly faults: ReadonlyArray<string>; readonly skipped?: string }> => {
  const browser = await launch()
  if ("skipped" in browser) return { faults: [], skipped: browser.skipped }
  const site = await served(out, base)
  const faults: Array<string> = []
  try {
    for (const [name, viewport] of Object.entries({
      wide: { width: 1280, height: 900 },
      phone: { width: 390, height: 844 }
    })) {
      const context = await browser.newContext({ viewport, colorScheme: name === "wide" ? "light" : "dark" })
      const page = await context.newPage()
      page.on("request", (request) => {
        const { protocol, origin } = new URL(request.url())
        if (protocol.startsWith("http") && origin !== site.origin) faults.push(`a request to ${request.url()}`)
      })
      page.on("response", (response) => {
        if (response.status() >= 400) faults.push(`${response.url()}: ${response.status()}`)
      })
      page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.message}`))
      for (const path of paths) {
        await page.goto(`${site.origin}${base}${path}`, { waitUntil: "networkidle" })
        const wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if (Number(wide) > 0) faults.push(`${path} is ${String(wide)} px wider than a ${name} window`)
        if (pictures !== undefined)
          await page.screenshot({ path: join(pictures, `${name}-${path.replaceAll("/", "_") || "index"}.png`) })
      }
      // A page at rest has brought the search along: the first question waits for nobody.
      const brought = Promise.all(
        [/LocalSearchBox/, /localSearchIndex/].map((part) =>
          page.waitForEvent("requestfinished", (it) => part.test(it.url()))
        )
      )
      await page.goto(`${site.origin}${base}quickstart.html`, { waitUntil: "networkidle" })
      const isBrought = await brought.then(
        () => true,
        () => false
      )
      // Both may import further files, which are there once the page says so.
      await page.waitForFunction("document.documentElement.dataset.search === 'ready'")
      if (isBrought) await context.setOffline(true)
      else faults.push("the search is fetched only when it is opened")
      await page.getByRole("button", { name: "Search" }).first().click()
      await page.locator("#localsearch-input").fill("OneTap")
      const found = page.locator("#localsearch-list li a")
      await found.first().waitFor({ timeout: 60_000 })
      const first = await found.first().getAttribute("href")
      if (first !== `${base}onetap.html` && first !== `${base}onetap.html#onetap`)
        faults.push(`the search for "OneTap" finds ${first} first`)
      if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}-search.png`) })
      await context.setOffline(false)
      const slow = await context.newPage()
      await slow.route(/localSearchIndexroot/, () => {}) // Never answered.
      await slow.goto(`${site.origin}${base}quickstart.html`)
      await slow.getByRole("button", { name: "Search" }).first().click()
      const says = "getComputedStyle(document.querySelector('.VPLocalSearchBox .results'), '::before').content"
      await slow.locator(".VPLocalSearchBox .results").waitFor({ state: "attached" })
      if (!String(await slow.evaluate(says)).includes("Loading"))
        faults.push("the search does not say that it is loading")
      await context.close()
    }
  } finally {
    site.close()
  }
  return { faults: [...new Set(faults)] }
}
