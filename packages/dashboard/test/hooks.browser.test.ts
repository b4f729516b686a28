import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { phone } from "../../server/test/fixture/Client.ts"
import type { Service } from "../../server/test/fixture/Service.ts"
import { callHook, signInSystems } from "../../server/test/fixture/hookCalls.ts"
import { until } from "../../server/test/fixture/Until.ts"
import { violations } from "./fixture/axe.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

const system = signInSystems["supabase-sms"]
const widths = [1280, 390]

describe.skipIf("skipped" in browser)("the hooks of other sign-in systems", () => {
  let service: Service
  beforeAll(async () => {
    service = await serve()
  })
  afterAll(async () => {
    await service?.close()
  })

  /** No problem of accessibility, and nothing wider than a phone. With `PICTURES`, pictures to look at. */
  const looksRight = async ({ page, ...visit }: Visit, name: string) => {
    assert.deepStrictEqual(await violations(page), [], name)
    const pictures = process.env["PICTURES"]
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      if (pictures === undefined) continue
      mkdirSync(pictures, { recursive: true })
      await page.screenshot({ path: join(pictures, `${name}-${width}.png`), animations: "disabled" })
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    assert.isObject(visit)
  }

  const secretIn = async (page: Page) => (await page.getByRole("dialog").locator(".secret code").innerText()).trim()

  it("are created, followed, rotated and deleted", async () => {
    const merchant = await service.merchant()
    const visit = await Visit.signedIn(service, merchant, { permissions: ["clipboard-write"] })
    const { page } = visit
    await visit.go("/dashboard/hooks")
    await page.getByText("No hooks yet").waitFor()
    await looksRight(visit, "1-empty")

    await page.getByRole("button", { name: "Add hook" }).first().press("Enter")
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("combobox", { name: "Sign-in system" }).selectOption("supabase-sms")
    await dialog.getByRole("textbox", { name: "Name" }).fill("Shop sign-in")
    await looksRight(visit, "2-form")
    await dialog.getByRole("button", { name: "Add hook" }).press("Enter")
    await dialog.getByRole("heading", { name: "Hook created" }).waitFor()
    const secret = await secretIn(page)
    assert.match(secret, /^v1,whsec_[A-Za-z0-9+/]{40,}=*$/)
    const configuration = await dialog.locator("pre").last().innerText()
    assert.include(configuration, "[auth.hook.send_sms]")
    assert.include(configuration, secret)
    // The server's policy lets no page read the clipboard, so the test takes what is written to it.
    await page.evaluate(() => {
      navigator.clipboard.writeText = (text) => {
        document.documentElement.setAttribute("data-copied", text)
        return Promise.resolve()
      }
    })
    await dialog.getByRole("button", { name: /^Copy/ }).last().press("Enter")
    const copied = () => page.evaluate(() => document.documentElement.getAttribute("data-copied"))
    await until(copied, (text) => text === configuration, { what: "the copy" })
    await page.evaluate(() => document.documentElement.removeAttribute("data-copied"))
    await looksRight(visit, "3-created")
    await dialog.getByRole("button", { name: "I have saved it" }).press("Enter")
    await dialog.waitFor({ state: "detached" })
    const html = await page.content()
    assert.notInclude(html, secret)
    const [hook] = (await merchant.live.get("/v1/dashboard/hooks")).body.items
    assert.include(configuration, hook.url)
    assert.include(html, hook.url)

    const send = (key: string, identity = phone(), code = "482913") => {
      const body = system.body({ identity, code })
      return callHook(service.url(), hook, system.signing(key, body)(), body)
    }
    await page.getByRole("button", { name: "Requests…" }).press("Enter")
    await dialog.getByText("No requests yet").waitFor()
    await looksRight(visit, "4-no-requests")
    assert.strictEqual((await send(secret)).status, 200)
    const table = dialog.getByRole("grid").or(dialog.getByRole("table"))
    await table.getByText("Accepted", { exact: true }).waitFor()
    assert.include((await send(secret, "000")).text, "http_code")
    assert.strictEqual((await send("v1,whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")).status, 401)
    await table.getByText("Wrong signature").waitFor()
    await table.getByText("Refused", { exact: true }).waitFor()
    await table.getByText("is signed with another secret").waitFor()
    await looksRight(visit, "5-requests")
    assert.notInclude(await page.content(), "482913")
    const locks: Array<string> = []
    page.on("request", (request) => {
      if (request.url().endsWith("/lock")) locks.push(request.url())
    })
    await table.getByRole("link").first().press("Enter")
    await page.waitForURL(/\/dashboard\/verifications\/ver_/)
    await visit.settled()
    assert.deepStrictEqual(locks, [], "no lock of a relayed code is asked for")
    await page.getByText("Another sign-in system made this code and checks it.").waitFor()

    await visit.go("/dashboard/verifications?relayed=true")
    const list = page.getByRole("main")
    await list.getByText("relayed code", { exact: true }).first().waitFor()
    await looksRight(visit, "6-verifications")
    await list.getByRole("combobox", { name: "Codes" }).selectOption("Own codes")
    await page.waitForURL(/relayed=false/)
    await list.getByText("No matching verifications").waitFor()

    await visit.go("/dashboard/hooks")
    await page.getByRole("button", { name: "Rotate secret…" }).press("Enter")
    await looksRight(visit, "7-rotate")
    await dialog.getByRole("button", { name: "Rotate secret", exact: true }).press("Enter")
    await dialog.getByRole("heading", { name: "New secret" }).waitFor()
    const next = await secretIn(page)
    assert.notStrictEqual(next, secret)
    await dialog.getByRole("button", { name: "I have saved it" }).press("Enter")
    await page.getByText(/Old secrets valid until/).waitFor()
    await looksRight(visit, "8-rotated")
    for (const key of [secret, next]) {
      const { status } = await until(
        () => send(key),
        ({ status }) => status === 200,
        { what: "both secrets" }
      )
      assert.strictEqual(status, 200)
    }
    await page.getByRole("button", { name: "Delete…" }).press("Enter")
    await dialog.getByRole("button", { name: "Delete hook" }).press("Enter")
    await page.getByText("No hooks yet").waitFor()
    await until(
      () => send(next),
      ({ status }) => status === 404,
      { what: "the end of the hook" }
    )
    await visit.end()
  })

  it("speak Hindi", async () => {
    const merchant = await service.merchant()
    const { body: hook } = await merchant.live.post("/v1/dashboard/hooks", { kind: "supabase-sms", name: "साइन-इन" })
    const body = system.body({ identity: phone(), code: "482913" })
    assert.strictEqual((await callHook(service.url(), hook, system.signing(hook.secret, body)(), body)).status, 200)
    const visit = await Visit.signedIn(service, merchant, { locale: "hi-IN" })
    await visit.go("/dashboard/hooks")
    await visit.page.getByRole("button", { name: "अनुरोध…" }).press("Enter")
    await visit.page.getByRole("dialog").getByText("स्वीकार").waitFor()
    await looksRight(visit, "9-hindi")
    const text = await visit.page.getByRole("dialog").innerText()
    assert.notMatch(text, /SENT|DELIVERED|Accepted|PENDING/)
    await visit.end()
  })
})
