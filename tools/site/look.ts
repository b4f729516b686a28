import { createServer } from "node:http"
import { readFile, stat } from "node:fs/promises"
import { extname, join, normalize } from "node:path"
import type { AddressInfo } from "node:net"
import { launch } from "../chromium.ts"

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml"
}

/** The built site under its path, on a port of this machine. */
const served = async (out: string, base: string) => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost")
    const inside = normalize(decodeURIComponent(pathname.startsWith(base) ? pathname.slice(base.length) : "/none"))
    const file = join(out, inside === "." || inside.endsWith("/") ? `${inside}/index.html` : inside)
    void stat(file)
      .then(() => readFile(file))
      .then((body) => response.writeHead(200, { "content-type": types[extname(file)] ?? "text/plain" }).end(body))
      .catch(() => response.writeHead(404).end())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

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
      await page.goto(`${site.origin}${base}quickstart.html`, { waitUntil: "networkidle" })
      await page.getByRole("button", { name: "Search" }).first().click()
      await page.locator("#localsearch-input").fill("OneTap")
      const found = page.locator("#localsearch-list li a")
      await found.first().waitFor({ timeout: 60_000 })
      const first = await found.first().getAttribute("href")
      if (first !== `${base}onetap.html` && first !== `${base}onetap.html#onetap`)
        faults.push(`the search for "OneTap" finds ${first} first`)
      if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}-search.png`) })
      await context.close()
    }
  } finally {
    site.close()
  }
  return { faults: [...new Set(faults)] }
}
