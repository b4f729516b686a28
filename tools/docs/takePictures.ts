import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { Page } from "playwright-core"
import { launch } from "../chromium.ts"
import { folder, type Picture, pictures } from "./pictures.ts"

/** When it is in the pictures: the same always, so that one changes only when the page does. */
const instant = Date.parse("2026-03-04T13:30:00Z")

/** Runs before the server: a clock that goes as it does elsewhere, and began at that instant. */
const clock = `const Real = Date, by = ${instant} - Real.now();
globalThis.Date = class extends Real {
  constructor(...given) { given.length === 0 ? super(Real.now() + by) : super(...given) }
  static now() { return Real.now() + by }
};`

/** A server with an empty database of its own, and the link that signs its owner in. */
const serve = async (root: string, directory: string) => {
  const child = spawn(
    process.execPath,
    [
      "--import",
      `data:text/javascript,${encodeURIComponent(clock)}`,
      join(root, "packages/server/src/main.ts"),
      "serve",
      "--simulate"
    ],
    {
      cwd: directory,
      env: { PATH: process.env["PATH"], HOME: directory, PORT: "0", HOST: "127.0.0.1" },
      stdio: ["ignore", "pipe", "inherit"]
    }
  )
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  let written = ""
  const link = await new Promise<string>((resolve, reject) => {
    void ended.then(() => reject(new Error(`The server ended.\n${written}`)))
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      written += text
      const [, redeem] = /(#redeem=\w+)/.exec(written) ?? []
      const [, url] = /^Countersign is ready at (http:\S+)/m.exec(written) ?? []
      if (redeem !== undefined && url !== undefined) resolve(`${url}/dashboard${redeem}`)
    })
  })
  return {
    link,
    stop: () => {
      child.kill("SIGTERM")
      return ended
    }
  }
}

type Call = <A>(method: string, path: string, body?: unknown) => Promise<A>

/** What the page itself would ask, as whoever is signed in. */
const asPage =
  (page: Page): Call =>
  async <A>(method: string, path: string, body?: unknown) => {
    const answer: unknown = await page.evaluate(
      async ([method, path, body]) => {
        const answer = await fetch(path, {
          method,
          headers: { "content-type": "application/json", "x-environment": "test" },
          ...(body === null ? {} : { body: JSON.stringify(body) })
        })
        if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
        return await answer.json()
      },
      [method, path, body ?? null] as const
    )
    return answer as A
  }

interface Verification {
  readonly requestId: string
  readonly deliveries: ReadonlyArray<{ readonly channel: string }>
}
interface List<Item> {
  readonly items: ReadonlyArray<Item>
}

/** Prices, words of one's own, and an example day. Answers what the addresses of pictures are to name. */
const fill = async (call: Call): Promise<Readonly<Record<string, string | number | undefined>>> => {
  await call("PATCH", "/v1/dashboard/settings", { prices: { SMS: 20, WHATSAPP: 12, EMAIL: 2, RCS: 15 } })
  const template = await call<{ id: string }>("POST", "/v1/dashboard/templates", {
    name: "login",
    channel: "SMS",
    body: "{{code}} is your code for Acme. It works for {{minutes}} minutes."
  })
  await call("POST", "/v1/dashboard/example-day", { seed: 1 })
  const isPlaying = async () => (await call<{ isPlaying: boolean }>("GET", "/v1/dashboard/example-day")).isPlaying
  while (await isPlaying()) await setTimeout(1_000)
  const verified = await call<List<Verification>>("GET", "/v1/dashboard/verifications?status=VERIFIED&limit=200")
  const leads = await call<List<{ id: number }>>("GET", "/v1/dashboard/leads?status=OPEN&limit=20")
  const conversations = await Promise.all(
    leads.items.map(({ id }) => call<List<unknown>>("GET", `/v1/dashboard/leads/${id}/messages`))
  )
  const lengths = conversations.map(({ items }) => items.length)
  return {
    // One whose first channel stayed silent.
    verification: verified.items.find(({ deliveries }) => new Set(deliveries.map(({ channel }) => channel)).size > 1)
      ?.requestId,
    lead: leads.items[lengths.indexOf(Math.max(...lengths))]?.id,
    template: template.id
  }
}

const take = async (page: Page, picture: Picture, ids: Awaited<ReturnType<typeof fill>>, to: string) => {
  const { dark = false, file, heading, path, width = 1280 } = picture
  await page.setViewportSize({ width, height: 844 })
  await page.emulateMedia({ colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" })
  const address = path.replace(/:(\w+)/, (_, name: string) => encodeURIComponent(ids[name] ?? "none"))
  await page.goto(new URL(`/dashboard/test${address}`, page.url()).href)
  await page.getByRole("heading", { level: 1, name: heading }).waitFor({ state: "attached" })
  await page.locator("[aria-busy=true], .waiting").first().waitFor({ state: "detached" })
  if (heading === "Overview") {
    await page.locator("canvas").first().waitFor()
    await page.getByText("Checking for issues").waitFor({ state: "detached" })
    const dismiss = page.getByRole("button", { name: "Dismiss" })
    if ((await dismiss.count()) > 0) await dismiss.click()
    // Requested, verified, and at least one loss.
    await page.locator(".losses a").nth(2).waitFor()
  }
  await page.evaluate("document.fonts.ready.then(() => null)")
  await page.screenshot({ path: to, animations: "disabled" })
  console.log(`${folder}/${file}`)
}

/** Takes all pictures anew, of a service of their own with an example day. */
export const takePictures = async (root: string): Promise<void> => {
  const browser = await launch()
  if ("skipped" in browser) return console.log(browser.skipped)
  mkdirSync(join(root, folder), { recursive: true })
  const directory = mkdtempSync(join(tmpdir(), "countersign-pictures-"))
  const server = await serve(root, directory)
  const context = await browser.newContext({ locale: "en-IN", timezoneId: "Asia/Kolkata" })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(120_000)
    await page.goto(server.link)
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
    const ids = await fill(asPage(page))
    // Nothing of what is shown is of a later minute than anything else.
    await page.clock.setFixedTime(instant + 300_000)
    for (const picture of pictures) await take(page, picture, ids, join(root, folder, picture.file))
  } finally {
    await context.close()
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
