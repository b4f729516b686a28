import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Merchant, Service } from "../../server/test/fixture/Service.ts"
import { violations } from "./fixture/axe.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

describe.skipIf("skipped" in browser)("the configuration screens", () => {
  let service: Service
  let merchant: Merchant
  let answer = 500
  const receiver = createServer((request, response) => {
    request.resume()
    response.writeHead(answer, { "content-type": "application/json" }).end('{"why":"<b>no</b>"}')
  })
  beforeAll(async () => {
    service = await serve()
    merchant = await service.merchant()
    await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done))
  })
  afterAll(async () => {
    receiver.close()
    await service?.close()
  })

  /** Faults that axe reports on the current screen, and elements that overflow a narrow one. */
  const looks = async (visit: Visit, what: string) => {
    assert.deepStrictEqual(await violations(visit.page), [], what)
    await visit.page.emulateMedia({ colorScheme: "dark" })
    assert.deepStrictEqual(await violations(visit.page, { rules: ["color-contrast"] }), [], `${what}, dark`)
    await visit.page.emulateMedia({ colorScheme: "light" })
    assert.deepStrictEqual(await visit.sticksOut(320), [], what)
  }

  it("create a key with its secret shown once, rotate it and revoke it", async () => {
    const visit = await Visit.signedIn(service, merchant)
    const { page } = visit
    await visit.go("/dashboard/keys")
    await page.getByRole("button", { name: "Create key" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("textbox", { name: "Name" }).fill("billing")
    for (const scope of ["leads", "dashboard"]) await dialog.getByRole("checkbox", { name: scope }).uncheck()
    await dialog.getByRole("button", { name: "Create server key" }).click()
    const lines = await dialog.getByLabel("Environment variables for your program").first().innerText()
    const [, id = "", secret = ""] = /CLIENT_ID=(\S+)\nCOUNTERSIGN_CLIENT_SECRET=(\S+)/.exec(lines) ?? []
    await looks(visit, "a secret")
    await dialog.getByRole("button", { name: "I have saved it" }).click()
    assert.notInclude(await page.content(), secret)

    const opens = async (path: string) => {
      const headers = { "x-client-id": id, "x-client-secret": secret, "content-type": "application/json" }
      return (await fetch(`${visit.url}${path}`, { method: "POST", headers, body: "{}" })).status
    }
    assert.deepStrictEqual([await opens("/v1/auth/initiate"), await opens("/v1/dashboard/unlock")], [400, 403])

    const row = page.getByRole("row", { name: "billing" })
    await row.getByRole("button", { name: "Rotate secret…" }).click()
    await dialog.getByText("immediately", { exact: true }).click()
    await dialog.getByText(/expire immediately/).waitFor()
    await dialog.getByRole("button", { name: "Rotate secret" }).click()
    await dialog.getByRole("button", { name: "I have saved it" }).click()
    assert.strictEqual(await opens("/v1/auth/initiate"), 401)

    await row.getByRole("button", { name: "Revoke…" }).click()
    const revoke = dialog.getByRole("button", { name: "Revoke key" })
    // The key was used within the hour, so revoking requires its name.
    assert.strictEqual(await revoke.getAttribute("aria-disabled"), "true")
    await dialog.getByRole("textbox").fill("billing")
    await revoke.click()
    await row.waitFor({ state: "detached" })
    await looks(visit, "keys")
    await visit.end()
  })

  it("change a setting, show its author and previous value, and undo it", async () => {
    const visit = await Visit.signedIn(service, merchant)
    const { page } = visit
    await visit.go("/dashboard/test/settings")
    const attempts = page.getByRole("textbox", { name: "Wrong codes allowed" })
    await attempts.fill("11")
    await page.getByText("Enter a whole number from 1 to 10.").first().waitFor()
    await attempts.fill("5")
    await attempts.press("Enter")
    const setting = page.getByRole("region", { name: "Wrong codes allowed" })
    await setting.getByText(/previously 3/).waitFor()
    const kept = async () => (await merchant.test.get("/v1/dashboard/settings")).body
    assert.strictEqual((await kept()).maxAttempts, 5)
    assert.strictEqual((await merchant.live.get("/v1/dashboard/settings")).body.maxAttempts, 3)
    await page.getByRole("button", { name: "Undo" }).click()
    await setting.getByText(/previously 5/).waitFor()
    assert.strictEqual((await kept()).maxAttempts, 3)

    // Input survives a reload. A valid setting without effect shows a warning.
    const blocked = page.getByRole("textbox", { name: "Blocked number prefixes" })
    await blocked.fill("882, 883")
    await blocked.press("Enter")
    await page.reload()
    const prefixes = page.getByRole("list", { name: "Blocked number prefixes" }).getByRole("listitem")
    await prefixes.first().waitFor()
    assert.deepStrictEqual(
      (await prefixes.allInnerTexts()).map((text) => text.split("\n")[0]!.trim()),
      ["882", "883"]
    )

    // Countries are found by their name. What is no country stays, with the reason.
    const countries = page.getByRole("combobox", { name: "Allowed countries" })
    await countries.fill("Atlantis")
    await countries.press("Enter")
    await page.getByText("No country has this name").waitFor()
    await countries.fill("india")
    await countries.press("Enter")
    await countries.fill("Nepal")
    await countries.press("Enter")
    await page.getByRole("region", { name: "Allowed countries" }).getByRole("button", { name: "Save" }).click()
    await page.getByText("Allowed countries: India, Nepal").waitFor()
    assert.deepStrictEqual((await kept()).allowedCountries, ["IN", "NP"])

    // A duration has a unit, and an amount is in the currency's main unit.
    const validity = page.getByRole("region", { name: "Code validity" })
    assert.strictEqual(await validity.getByRole("textbox").inputValue(), "5")
    await validity.getByRole("textbox").fill("90")
    await validity.getByRole("combobox").selectOption("seconds")
    await validity.getByRole("button", { name: "Save" }).click()
    await page.getByText(/^Code validity: 90 sec/).waitFor()
    const prices = page.getByRole("region", { name: "Prices" })
    await prices.getByLabel("Price of a message over SMS").fill("0.25")
    await prices.getByRole("button", { name: "Save" }).click()
    await page.getByText("Prices: SMS ₹0.25").waitFor()
    const { codeExpirySeconds, prices: saved } = await kept()
    assert.deepStrictEqual([codeExpirySeconds, saved], [90, { SMS: 25 }])
    await page.getByRole("combobox", { name: "Fallback channel" }).selectOption("EMAIL")
    await page.getByText("1 setting may not work as expected").waitFor()
    await looks(visit, "settings")
    await page.getByRole("searchbox", { name: "Search settings" }).fill("codeLength")
    await page.getByRole("region", { name: "Wrong codes allowed" }).waitFor({ state: "detached" })
    assert.match(page.url(), /\/settings\?find=codeLength$/)
    await visit.end()
  })

  it("add an endpoint, test it, show its response as text, and replay by time", async () => {
    const visit = await Visit.signedIn(service, merchant)
    const { page } = visit
    visit.expect(/400 \(Bad Request\)/)
    await visit.go("/dashboard/webhooks")
    await page.getByRole("heading", { name: "No endpoints yet" }).waitFor()
    await page.getByRole("button", { name: "Add endpoint" }).first().click()
    const dialog = page.getByRole("dialog")
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    await dialog.getByRole("textbox", { name: "URL" }).fill("ftp://example.com")
    await dialog.getByRole("button", { name: "Add endpoint" }).click()
    // The error appears at its field, and the input stays.
    await dialog.getByRole("alert").waitFor()
    await dialog.getByRole("textbox", { name: "URL" }).fill(url)
    await dialog.getByRole("button", { name: "Add endpoint" }).click()
    await dialog.getByRole("button", { name: "I have saved it" }).click()
    await page.getByRole("button", { name: "Send test event" }).click()
    await dialog.getByText('"why": "<b>no</b>"').waitFor()
    await looks(visit, "a test")
    await dialog.getByRole("button", { name: "Close" }).click()
    await page.getByText(/^Fails since .*, last answer 500$/).waitFor()
    await page.getByRole("grid", { name: "Events" }).getByRole("link", { name: "webhook.test" }).click()
    await dialog.getByRole("button", { name: "Retry now" }).waitFor()
    assert.match(page.url(), /\?event=evt_/)
    await dialog.getByRole("button", { name: "Close" }).click()
    const more = async (action: string) => {
      await page.getByRole("button", { name: "More actions" }).click()
      await page.getByRole("button", { name: action }).click()
    }
    await more("Rotate secret…")
    await dialog.getByRole("button", { name: "Rotate secret" }).click()
    await dialog.getByText(/The old secret also signs until/).waitFor()
    await dialog.getByRole("button", { name: "Close" }).click()
    await more("Replay…")
    await dialog.getByText("There are no events to send in this period.").last().waitFor()
    assert.isTrue(await dialog.getByRole("button", { name: "Replay" }).isDisabled())
    await dialog.getByRole("button", { name: "Cancel" }).click()
    await more("Disable")
    await page.getByText("Disabled by you").waitFor()
    await page.getByRole("button", { name: "Enable", exact: true }).waitFor()
    await looks(visit, "an endpoint")
    await visit.end()
  })

  it("announce the result of an action whose dialog closes with it", async () => {
    const visit = await Visit.signedIn(service, merchant)
    const { page } = visit
    const { body } = await merchant.live.post("/v1/dashboard/webhooks", { url: "http://127.0.0.1:9/announced" })
    await visit.go(`/dashboard/webhooks/${body.id}`)
    await page.getByRole("button", { name: "More actions" }).click()
    await page.getByRole("button", { name: "Edit…" }).click()
    // Screen readers announce text that is added to a status, but not a status that is added with its text.
    const announced = await page.evaluateHandle(() => {
      const texts: Array<string> = []
      new MutationObserver((changes) => {
        for (const { addedNodes, target } of changes)
          if (target instanceof Element && target.closest("[role=status]") !== null)
            texts.push(...[...addedNodes].map((node) => node.textContent ?? ""))
      }).observe(document.body, { childList: true, subtree: true })
      return texts
    })
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.getByText("Saved").waitFor()
    assert.include((await announced.jsonValue()).join("\n"), "Saved")
    await visit.end()
  })

  it("count undelivered events, and update when they are delivered", async () => {
    const shop = await service.merchant()
    const visit = await Visit.signedIn(service, shop)
    const { page } = visit
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/late`
    const { body } = await shop.test.post("/v1/dashboard/webhooks", { url, events: ["otp.initiated"] })
    await shop.test.started()
    await visit.go(`/dashboard/test/webhooks/${body.id}`)
    const endpoint = page.getByRole("main")
    await endpoint.getByText(/^Fails since .*, last answer 500$/).waitFor()
    await endpoint.getByText("1 event waiting").waitFor()
    await looks(visit, "an endpoint that fails")
    answer = 200
    // Use the keyboard, because a list under the pointer does not move.
    await page.getByRole("button", { name: "More actions" }).press("Enter")
    await page.getByRole("button", { name: "Replay…" }).press("Enter")
    // The event waits for a retry, so the replay sends it, whatever the period.
    await page.getByLabel("To", { exact: true }).fill("2020-01-02T00:00")
    await page.getByLabel("From", { exact: true }).fill("2020-01-01T00:00")
    await page.getByRole("dialog").getByText("1 event will be sent.").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Replay", exact: true }).press("Enter")
    await endpoint.getByText("Works", { exact: true }).waitFor()
    await page.getByRole("grid", { name: "Events" }).getByText("Delivered").first().waitFor()
    assert.strictEqual(await endpoint.getByText("1 event waiting").count(), 0)
    answer = 500
    await visit.end()
  })

  it("edit a template with a live preview, and keep the draft", async () => {
    const visit = await Visit.signedIn(service, merchant)
    const { page } = visit
    // The test causes the conflict of names itself. axe cannot inspect the e-mail frame, which has an opaque origin.
    visit.expect(/409 \(Conflict\)/, /postMessage/)
    await visit.go("/dashboard/templates/new")
    const text = page.getByRole("textbox", { name: "Text", exact: true })
    const phone = page.getByRole("group", { name: "Recipient’s phone" })
    await text.fill("Hi ")
    await page
      .getByText(/must contain \{\{code\}\}/)
      .first()
      .waitFor()
    await text.press("End")
    await page.getByRole("button", { name: "code", exact: true }).click()
    await page.keyboard.type("!")
    await phone.getByText("Hi XXXXXX!").waitFor()
    await page.reload()
    await phone.getByText("Hi XXXXXX!").waitFor()
    await page.getByRole("textbox", { name: "Language" }).fill("en")
    await page.getByRole("button", { name: "Create template" }).click()
    await page.getByText("version 1").waitFor()
    await looks(visit, "a template")

    // The conflict is explained before it is submitted.
    await page.getByRole("link", { name: "Add a language" }).click()
    await page.getByRole("textbox", { name: "Language" }).fill("en")
    await page.getByRole("link", { name: "Open" }).waitFor()
    await page.getByRole("button", { name: "Create template" }).click()
    await page.getByText(/Another template has this name/).waitFor()

    await page.getByText("E-mail", { exact: true }).click()
    const html = "<h1>{{brand}}</h1><p>{{code}}</p>"
    await page.getByRole("textbox", { name: "HTML version" }).fill(html)
    const mail = page.frameLocator("iframe")
    await mail.getByText("XXXXXX").waitFor()
    await looks(visit, "an e-mail")
    await visit.end()
  })
})
