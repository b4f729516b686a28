import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Service } from "../../server/test/fixture/Service.ts"
import { to } from "../src/address/paths.ts"
import { say } from "../src/words/say.ts"
import { violations } from "./fixture/axe.ts"
import { Chat } from "./fixture/Chat.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

/** The least side of a target for a finger, in CSS pixels. */
const least = 44

/**
 * Visible controls that a finger misses: each with the size of what reacts to a press. The label of a radio button or a
 * checkbox reacts for it, a row for its link. A link inside a sentence is as high as its line.
 */
const small = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate((least) => {
    const inSentence = (link: Element) =>
      getComputedStyle(link).display === "inline" &&
      [...(link.parentElement?.childNodes ?? [])].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? "").trim().length > 1
      )
    const top = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document
    return [...top.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary, [role=option]")]
      .filter((each) => each.checkVisibility({ opacityProperty: false, visibilityProperty: true }))
      .filter((each) => !each.matches(".skip") && !(each.matches("a") && inSentence(each)))
      .flatMap((each) => {
        const pressed = each.matches("[type=radio], [type=checkbox]")
          ? (each.closest("label") ?? each)
          : each.matches(".long-row a")
            ? each.closest(".long-row")!
            : each
        const { height, width } = pressed.getBoundingClientRect()
        if ((height >= least - 0.5 && width >= least - 0.5) || height === 0) return []
        return [`${each.outerHTML.slice(0, 120)}: ${Math.round(width)} × ${Math.round(height)}`]
      })
  }, least)

describe.skipIf("skipped" in browser)("a phone", () => {
  const chat = new Chat()
  let service: Service
  let visit: Visit
  let page: Page
  beforeAll(async () => {
    service = await serve({ channels: [chat.channel] })
    const merchant = await service.merchant()
    const { live } = merchant
    const connect = { phoneNumberId: chat.number, wabaId: "202290129340398", accessToken: "good" }
    assert.strictEqual((await live.post("/v1/dashboard/whatsapp/connect", connect)).status, 201)
    await chat.says(service, "919812300080", "Is this still available?", { name: "Asha" })
    for (let n = 10; n < 40; n++) await chat.says(service, `9198123001${n}`, "Hello", { name: `Customer ${n}` })
    for (let n = 10; n < 90; n++) {
      const identity = n === 80 ? "+919812300080" : `+9198123002${n}`
      const body = { identity, identityType: "MOBILE", mode: "OTP", channel: "WHATSAPP" }
      const { status, text } = await live.post("/v1/auth/initiate", body)
      assert.isBelow(status, 300, text)
    }
    visit = await Visit.signedIn(service, merchant, {
      role: "AGENT",
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true
    })
    page = visit.page
  })
  afterAll(async () => {
    await visit?.end()
    await service?.close()
  })

  /** What is wrong with the open screen. */
  const faults = async () => ({
    axe: await violations(page),
    small: await small(page),
    wide: await visit.sticksOut(320)
  })
  const none = { axe: [], small: [], wide: [] }
  const tabs = () => page.getByRole("navigation", { name: say.menu.most })

  const list = (name: string) => page.getByRole("grid", { name })
  const scrolledTo = (name: string) => list(name).evaluate((element) => Math.round(element.scrollTop))

  it("an agent signs in, answers a customer, comes back to the same place of the list, and finds a user", async () => {
    assert.strictEqual(await visit.heading(), say.menu.inbox)
    await list("Leads").getByText("Asha").waitFor()
    assert.deepStrictEqual(await faults(), none)

    await page.getByRole("button", { name: "Filters", exact: true }).tap()
    await page.getByRole("searchbox", { name: "Search leads" }).fill("0080")
    await page.getByRole("dialog").getByText("Searches all leads, open and closed.").waitFor()
    assert.deepStrictEqual(await faults(), none)
    await page.getByRole("searchbox", { name: "Search leads" }).fill("")
    await page.getByRole("dialog").getByText("Searches all leads").waitFor({ state: "detached" })
    await page.getByRole("dialog").getByRole("button", { name: say.showResults }).tap()
    await list("Leads").getByText("Customer 11").waitFor()

    // Somewhere down the list, and back.
    await list("Leads").evaluate((element) => (element.scrollTop = 500))
    await list("Leads")
      .getByRole("link", { name: /^Customer 2/ })
      .first()
      .tap()
    await page.getByRole("textbox", { name: "Message to the customer" }).waitFor()
    await page.goBack()
    await list("Leads").getByRole("link").first().waitFor()
    assert.strictEqual(await scrolledTo("Leads"), 500)
    await list("Leads").evaluate((element) => (element.scrollTop = 0))

    await list("Leads").getByRole("link", { name: "Asha" }).tap()
    await page.getByRole("textbox", { name: "Message to the customer" }).fill("Yes, until Friday.")
    assert.strictEqual(await tabs().count(), 0, "the conversation has the whole height")
    assert.deepStrictEqual(await faults(), none)
    await page.getByRole("button", { name: "Send", exact: true }).tap()
    await page.getByText("Yes, until Friday.").first().waitFor()
    assert.strictEqual(chat.sent.at(-1)?.text, "Yes, until Friday.")
    await page.getByRole("link", { name: "Leads" }).tap()
    await list("Leads").getByRole("link").first().waitFor()

    await tabs().getByRole("button", { name: say.menu.search }).tap()
    const finder = page.getByRole("combobox", { name: say.shell.palette })
    await finder.fill("0080")
    const options = page.getByRole("listbox", { name: say.shell.find }).getByRole("option")
    await options.first().getByText("0080").waitFor()
    assert.deepStrictEqual(await faults(), none)
    await options.first().tap()
    await page.waitForURL(/\/person\//)
    await visit.settled()
    assert.deepStrictEqual(await faults(), none)
  })

  it("the filters of a list are in a sheet, whose button counts them", async () => {
    await tabs().getByRole("link", { name: say.menu.verifications }).tap()
    await visit.settled()
    assert.deepStrictEqual(await faults(), none)
    const main = page.getByRole("main")
    assert.strictEqual(await main.getByRole("combobox").count(), 0)
    await main.getByRole("button", { name: "Filters", exact: true }).tap()
    const sheet = page.getByRole("dialog", { name: "Filters" })
    await sheet.getByLabel("Status").selectOption("PENDING")
    await page.waitForURL(/status=PENDING/)
    assert.deepStrictEqual(await faults(), none)
    const { bottom, width } = await sheet.evaluate((element) => element.getBoundingClientRect())
    assert.deepStrictEqual([Math.round(bottom), Math.round(width)], [844, 390])
    await sheet.getByRole("button", { name: say.showResults }).tap()
    await sheet.waitFor({ state: "detached" })
    await main.getByRole("button", { name: say.filtersOn("1") }).waitFor()
  })

  it("a list keeps its place when a row was opened, also beyond its first page", async () => {
    await visit.go(to("live", "verifications"))
    const rows = list(say.menu.verifications)
    await rows.getByRole("link").first().waitFor()
    // The end of the first page loads the next one.
    await rows.evaluate((element) => (element.scrollTop = 1_800))
    await page.waitForFunction(
      (name) => document.querySelector(`[aria-label="${name}"][role=grid]`)?.getAttribute("aria-rowcount") === "81",
      say.menu.verifications
    )
    await rows.evaluate((element) => (element.scrollTop = 2_600))
    const top = await scrolledTo(say.menu.verifications)
    assert.isAbove(top, 50 * 44)
    const row = rows.getByRole("link").nth(9)
    await row.tap()
    await page.getByRole("heading", { name: say.menu.verifications, level: 1 }).waitFor()
    await page.waitForURL(/verifications\/ver_/)
    await visit.settled()
    await page.goBack()
    await page.waitForFunction(
      ([name, top]) => {
        const list = document.querySelector(`[aria-label="${name}"][role=grid]`)
        return list !== null && Math.abs(list.scrollTop - Number(top)) < 2
      },
      [say.menu.verifications, String(top)] as const
    )
  })

  it("the menu covers the screen, holds every page, and closes with its link", async () => {
    await tabs().getByRole("button", { name: say.menu.more }).tap()
    const menu = page.getByRole("navigation", { name: say.menu.main })
    await menu.getByRole("link", { name: say.menu.templates }).waitFor()
    await page.keyboard.press("Escape")
    await menu.waitFor({ state: "hidden" })
    await tabs().getByRole("button", { name: say.menu.more }).tap()
    assert.deepStrictEqual(await faults(), none)
    await menu.getByRole("link", { name: say.menu.templates }).tap()
    await menu.waitFor({ state: "hidden" })
    assert.strictEqual(await visit.heading(), say.menu.templates)
  })
})
