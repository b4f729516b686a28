import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { code, wrong } from "../../server/test/fixture/Client.ts"
import type { Service } from "../../server/test/fixture/Service.ts"
import { violations } from "./fixture/axe.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

const list = "/dashboard/test/verifications"

describe.skipIf("skipped" in browser)("verifications, their timelines and the audit log in a browser", () => {
  let service: Service
  beforeAll(async () => {
    service = await serve()
  })
  afterAll(() => service?.close())

  it("the list does not move under the pointer, updates rows in place, and supports arrow keys", async () => {
    const merchant = await service.merchant()
    const client = merchant.test
    const first = await client.started({ identity: "+919876500001", orderId: "order-1" })
    await client.started({ identity: "+919876500002", orderId: "order-2" })
    const visit = await Visit.signedIn(service, merchant)
    const { page } = visit
    await visit.go(list)
    const rows = page.getByRole("grid").getByRole("row")
    assert.strictEqual(await rows.count(), 3)
    await page.getByRole("grid").hover()
    await client.started({ identity: "+919876500003" })
    await client.verify({ requestId: first, otp: code })
    const older = rows.filter({ hasText: "0001" })
    await older.getByText("Verified").waitFor()
    await page.getByRole("button", { name: "1 new" }).waitFor()
    assert.strictEqual(await rows.count(), 3)
    await page.getByRole("button", { name: "1 new" }).click()
    await rows.filter({ hasText: "0003" }).waitFor()

    await page.keyboard.press("j")
    await page.keyboard.press("j")
    await page.keyboard.press("ArrowDown")
    assert.strictEqual(await page.evaluate(() => document.activeElement?.textContent), "+91******0001")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 2, name: "+91******0001" }).waitFor()
    await page.goBack()
    await visit.settled()

    await page.keyboard.press("/")
    await page.keyboard.type("order-2")
    await page.waitForURL(/find=order-2/)
    await rows.nth(2).waitFor({ state: "detached" })
    await rows.filter({ hasText: "0002" }).getByRole("link").first().click()
    await page.getByRole("link", { name: "All verifications" }).click()
    assert.include(page.url(), "find=order-2")
    await page.getByRole("searchbox").fill("absent@example.com")
    await page.getByText("Searched for the identity absent@example.com.").waitFor()

    await client.initiate({ channel: "PIGEON" })
    await page.getByText("Refused", { exact: true }).click()
    await page.getByRole("table").getByText("The channel is not enabled").waitFor()
    assert.deepStrictEqual(await visit.sticksOut(320), [])
    await visit.end()
  })

  it("a failed verification says in each language why, and links to the setting that fixes it", async () => {
    const merchant = await service.merchant()
    const requestId = await merchant.test.started({ identity: "+919876500000" })
    await merchant.test.settled(requestId)
    const sentences = {
      "en-IN": [
        "The SMS message was not sent. The provider could not be reached. No fallback is set. ",
        "Add a fallback",
        "Ask an administrator to add a fallback."
      ],
      "hi-IN": [
        "SMS संदेश भेजा नहीं गया। प्रदाता तक नहीं पहुँचा जा सका। कोई फ़ॉलबैक सेट नहीं है। ",
        "फ़ॉलबैक जोड़ें",
        "एडमिन से फ़ॉलबैक जोड़ने को कहें।"
      ]
    } as const
    for (const [locale, [why, advice, ask]] of Object.entries(sentences)) {
      const visit = await Visit.signedIn(service, merchant, { locale })
      const { page } = visit
      await visit.go(`${list}/${requestId}`)
      const link = page.getByRole("link", { name: advice })
      assert.strictEqual(await link.locator("xpath=..").textContent(), `${why}${advice}`)
      assert.deepStrictEqual(await violations(page), [])
      await page.emulateMedia({ colorScheme: "dark" })
      assert.deepStrictEqual(await violations(page, { rules: ["color-contrast"] }), [])
      assert.deepStrictEqual(await visit.sticksOut(320), [])
      await link.click()
      await page.waitForURL(/\/dashboard\/test\/settings\?find=fallbackChannel$/)
      await visit.settled()
      await page.locator("#fallbackChannel, [name=fallbackChannel]").first().waitFor()
      await visit.end()
      const agent = await Visit.signedIn(service, merchant, { locale, role: "AGENT" })
      await agent.go(`${list}/${requestId}`)
      await agent.page.getByText(`${why}${ask}`).waitFor()
      assert.strictEqual(await agent.page.getByRole("link", { name: advice }).count(), 0)
      await agent.end()
    }
  })

  it("a verification shows the request that the backend described, and a tag leads to all verifications with it", async () => {
    const merchant = await service.merchant()
    const context = {
      clientIp: "203.0.113.7",
      userAgent: "Shop/2.1 (Android 15)",
      tags: { plan: "pro", flow: "reset" }
    }
    const requestId = await merchant.test.started({ identity: "+919876543210", orderId: "order-1", ...context })
    await merchant.test.started({ identity: "+919876543211", orderId: "order-2", tags: { plan: "free" } })
    const visit = await Visit.signedIn(service, merchant)
    const { page } = visit
    await visit.go(`${list}/${requestId}`)
    await page.getByText(context.userAgent, { exact: true }).waitFor()
    // Addresses are masked like numbers.
    assert.notInclude(await page.innerText("main"), context.clientIp)
    assert.deepStrictEqual(await violations(page), [])
    assert.deepStrictEqual(await visit.sticksOut(320), [])
    await page.getByRole("link", { name: "plan: pro" }).click()
    await page.waitForURL(/find=tag/)
    await page.getByRole("grid").getByText(/3210/).first().waitFor()
    assert.strictEqual(await page.getByRole("grid").getByText(/3211/).count(), 0)
    await visit.end()
  })

  it("an agent finds a user from ⌘K by identity, unlocks them in two actions, and the verification page links back", async () => {
    const merchant = await service.merchant({ maxConsecutiveFailures: 3 })
    const { test } = merchant
    const requestId = await test.started({ identity: "+919876543210", orderId: "order-77" })
    for (const otp of [wrong, wrong, wrong]) await test.verify({ requestId, otp })
    await test.initiate({ identity: "+919876543210" })
    await test.post("/v1/dashboard/leads", { phone: "+919876543210", name: "Asha Rao" })
    const visit = await Visit.signedIn(service, merchant, { role: "AGENT" })
    const { page } = visit
    await visit.go("/dashboard/test")
    const open = async (typed: string, hit: RegExp) => {
      await page.keyboard.press("ControlOrMeta+k")
      await page.keyboard.type(typed)
      await page.getByRole("option", { name: hit }).first().waitFor()
    }
    await open("98765 43210", /^Asha Rao · \+91\*{6}3210/)
    assert.deepStrictEqual(await violations(page), [])
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/test\/person\/per_/)
    const address = page.url()
    assert.notInclude(address, "43210")
    await page.getByText(/^Locked out until .*, after 3 wrong codes in a row/).waitFor()
    assert.deepStrictEqual(await violations(page), [])
    await page.getByRole("table").getByText("Too many wrong codes in a row").waitFor()
    await page.getByRole("link", { name: "Open conversation" }).click()
    await page.getByRole("main").getByText("Locked out", { exact: true }).waitFor()
    await page.getByRole("link", { name: "Verifications and locks" }).click()
    await page.getByRole("button", { name: "Unlock" }).click()
    await page.getByText(/^Locked out until/).waitFor({ state: "detached" })
    await page.getByText("Unlocked. The user can request codes again.").waitFor()
    assert.strictEqual(await page.evaluate(() => document.activeElement?.tagName), "H1")
    assert.strictEqual((await test.initiate({ identity: "+919876543210" })).status, 200)
    assert.strictEqual(await page.getByRole("button", { name: "Show number" }).getAttribute("aria-disabled"), "true")
    assert.notInclude(await page.innerText("main"), "98765 43210")
    assert.deepStrictEqual(await visit.sticksOut(320), [])

    await page.getByRole("table").getByRole("link").last().click()
    await page.waitForURL(new RegExp(requestId))
    await page.getByRole("link", { name: "View user" }).click()
    await page.waitForURL(address)

    for (const [typed, hit] of [
      ["3210", /^Asha Rao · |^\+91/],
      ["order-77", /^\+91\*{6}3210/],
      [requestId, /^\+91\*{6}3210/],
      ["asha", /^Asha Rao · /]
    ] as const) {
      await visit.go("/dashboard/test")
      await open(typed, hit)
      await page.getByRole("option", { name: hit }).first().click()
      await page.waitForURL(address)
    }
    await visit.end()
  })

  it("the list of verifications opens the user of a row by link and by key, and the refused requests by the row", async () => {
    const merchant = await service.merchant()
    const { test } = merchant
    await test.started({ identity: "+919876500009" })
    await test.initiate({ identity: "+919876500009", channel: "PIGEON" })
    const visit = await Visit.signedIn(service, merchant, { role: "VIEWER" })
    const { page } = visit
    await visit.go(list)
    await page.getByRole("link", { name: "User +91******0009" }).click()
    await page.waitForURL(/\/person\/per_/)
    const address = page.url()
    await visit.go(list)
    await page.keyboard.press("j")
    await page.keyboard.press("u")
    await page.waitForURL(address)
    await visit.go(list)
    await page.getByRole("searchbox").fill("0009")
    await page.getByText("“Find a user” also finds the end of a number.").waitFor()
    assert.strictEqual(await page.getByRole("link", { name: "Search for it as a number" }).count(), 0)
    await page.getByRole("button", { name: "Find a user" }).click()
    await page.getByRole("option", { name: /0009/ }).first().click()
    await page.waitForURL(address)
    await visit.go(`${list}?view=refused`)
    await page.getByRole("table").getByRole("link", { name: "+91******0009" }).click()
    await page.waitForURL(address)
    await page.getByText("The channel is not enabled").waitFor()
    visit.expect(/404|400/)
    await visit.go(`/dashboard/live/person/${address.split("/").at(-1)}`)
    await page.getByRole("alert").getByText("This is not the reference of a person in this environment").waitFor()
    await visit.end()
  })

  it("a code sent with “Try it” has a timeline, and revealing its number is in the audit log", async () => {
    const merchant = await service.merchant()
    const visit = await Visit.signedIn(service, merchant)
    const { page } = visit
    await visit.go(list)
    await page.getByRole("heading", { name: "No verifications yet" }).waitFor()
    await page.keyboard.press("t")
    const dialog = page.getByRole("dialog", { name: "Try it" })
    await dialog.getByText("nothing is sent, and every code is 123456").waitFor()
    await dialog.getByLabel("Phone number or e-mail").fill("+91 98765 43210")
    await page.keyboard.press("Enter")
    await dialog.getByText(/^123456 is/).waitFor()
    await dialog.getByLabel("Code").fill(wrong)
    await page.keyboard.press("Enter")
    await dialog.getByText("Wrong code. 2 attempts left.").waitFor()
    await dialog.getByLabel("Code").fill(code)
    await page.keyboard.press("Enter")
    await dialog.getByText(/Verified in/).waitFor()
    assert.notInclude(await dialog.innerText(), wrong)
    await dialog.getByRole("link", { name: "View verification" }).click()
    await visit.settled()

    const life = page.getByRole("list", { name: "Timeline" })
    await life.getByText("Wrong code, 2 attempts left").waitFor()
    assert.include(await life.innerText(), "Requested from the dashboard, over SMS")
    await page.getByText(/^•••••• is/).waitFor()
    await page.getByRole("button", { name: "Show number" }).click()
    await page.getByRole("heading", { name: "+91 98765 43210" }).waitFor()
    assert.deepStrictEqual(await visit.sticksOut(320), [])
    await page.getByRole("link", { name: "View user" }).click()
    await page.getByText("No trusted devices. The next login needs a code.").waitFor()
    const kept = page.getByRole("button", { name: "Stored data" })
    assert.strictEqual(await kept.getAttribute("aria-disabled"), "true")
    await page.getByRole("button", { name: "Show number" }).click()
    await page.getByRole("heading", { name: "+91 98765 43210" }).waitFor()
    assert.deepStrictEqual(await visit.sticksOut(320), [])
    await kept.click()
    const person = page.getByRole("dialog", { name: "Stored data" })
    assert.isTrue(await person.getByRole("button", { name: "Erase permanently" }).isDisabled())
    await person.getByLabel("Type +91 98765 43210").fill("+91 98765 43210")
    await page.keyboard.press("Enter")
    await person.getByText(/Erased so far: verifications/).waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("heading", { name: "Nothing is stored about this user" }).waitFor()
    assert.deepStrictEqual(await visit.sticksOut(320), [])

    await visit.go("/dashboard/test/audit")
    const entries = page.getByRole("grid", { name: "Audit log" })
    await entries.getByText("erased a user").waitFor()
    await entries.getByRole("link", { name: "revealed an identity" }).first().click()
    const entry = page.getByRole("dialog", { name: "Audit log entry" })
    await entry.getByText("This action changed no fields").waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("combobox", { name: "Action" }).selectOption("verification.tried")
    await entries.getByText("+91******3210").waitFor()
    assert.strictEqual(await entries.getByRole("row").count(), 2)
    assert.deepStrictEqual(await visit.sticksOut(320), [])
    await visit.end()
  })
})
