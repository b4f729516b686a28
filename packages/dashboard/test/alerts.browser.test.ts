import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { until } from "../../server/test/fixture/Until.ts"
import { violations } from "./fixture/axe.ts"
import { Chat } from "./fixture/Chat.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

/** Counts notifications and tones instead of showing them, and lets the test hide a tab. */
const listening = () => {
  const state = { told: [] as Array<string>, tones: 0, visibility: "visible" }
  Object.assign(globalThis, { state })
  Object.defineProperty(document, "visibilityState", { get: () => state.visibility })
  globalThis.Notification = class extends EventTarget {
    static readonly permission = "granted"
    static readonly requestPermission = () => Promise.resolve("granted")
    constructor(title: string, { body }: { readonly body: string }) {
      super()
      state.told.push(`${title} | ${body}`)
    }
  } as never
  OscillatorNode.prototype.start = () => void state.tones++
  OscillatorNode.prototype.stop = () => {}
}

interface State {
  readonly told: ReadonlyArray<string>
  readonly tones: number
}
const stateOf = (page: Page) => page.evaluate(() => (globalThis as unknown as { readonly state: State }).state)
const show = (page: Page, visibility: "hidden" | "visible") =>
  page.evaluate((visibility) => {
    Object.assign((globalThis as unknown as { readonly state: object }).state, { visibility })
    document.dispatchEvent(new Event("visibilitychange"))
  }, visibility)

describe.skipIf("skipped" in browser)("alerts about customers", () => {
  it("one hidden tab of several tells that a customer wrote, without the text, and none while a tab is visible", async () => {
    const chat = new Chat()
    const service = await serve({ channels: [chat.channel] })
    const merchant = await service.merchant()
    const connected = await merchant.live.post("/v1/dashboard/whatsapp/connect", {
      phoneNumberId: chat.number,
      wabaId: "202290129340398",
      accessToken: "good"
    })
    assert.strictEqual(connected.status, 201)
    await chat.says(service, "919812300001", "Hello", { name: "Asha", at: Date.now() - 60_000 })
    const visit = await Visit.signedIn(service, merchant, { role: "AGENT" })
    const { page } = visit
    const context = page.context()
    await context.addInitScript(listening)
    await page.reload()
    await visit.settled()
    await page.getByRole("button", { name: "Notifications" }).click()
    const dialog = page.getByRole("dialog", { name: "Notifications" })
    await dialog.getByLabel("Notify me when a customer writes").click()
    await dialog.getByLabel("Play a sound when a customer writes").click()
    assert.isTrue(await dialog.getByLabel("Notify me when a customer writes").isChecked())
    assert.deepStrictEqual(await violations(page), [])
    await page.keyboard.press("Escape")
    const others = [await context.newPage(), await context.newPage()]
    for (const other of others) {
      await other.goto(`${visit.url}/dashboard/inbox`)
      await other.getByRole("grid", { name: "Leads" }).waitFor()
    }
    const tabs = [page, ...others]
    const told = async () => (await Promise.all(tabs.map(stateOf))).flatMap(({ told }) => told)
    const tones = async () => (await Promise.all(tabs.map(stateOf))).reduce((sum, { tones }) => sum + tones, 0)
    /** A message, and the first look of the watching tab that sees it. */
    const saysAndIsSeen = async (from: string, text: string, name: string) => {
      const seen = tabs.map((tab) =>
        tab.waitForResponse(
          async (answer) =>
            /limit=50/.test(answer.url()) && answer.url().includes("OPEN") && (await answer.text()).includes(name)
        )
      )
      await chat.says(service, from, text, { name })
      const looked = await Promise.race(seen)
      for (const other of seen) other.catch(() => {})
      // The look ends after its answer, with a question about the visible tabs.
      for (const tab of tabs) await tab.evaluate(() => navigator.locks.query())
      return looked
    }

    for (const tab of tabs.slice(1)) await show(tab, "hidden")
    await saysAndIsSeen("919812300002", "The code is 123456", "Meera")
    assert.deepStrictEqual([await told(), await tones()], [[], 0])

    await show(page, "hidden")
    await saysAndIsSeen("919812300003", "A secret", "Ravi")
    await until(told, (all) => all.length > 0, { what: "a notification" })
    assert.deepStrictEqual([await told(), await tones()], [["Ravi wrote | Acme"], 2])
    await saysAndIsSeen("919812300004", "Another secret", "Noor")
    await until(told, (all) => all.length > 1, { what: "a second notification" })
    assert.deepStrictEqual([await told(), await tones()], [["Ravi wrote | Acme", "Noor wrote | Acme"], 4])
    await until(
      () => tabs[1]!.title(),
      (title) => title.startsWith("(4) Inbox · "),
      { what: "the count of a hidden tab" }
    )
    await visit.end()
    await service.close()
  })
})
