import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Client } from "../../server/test/fixture/Client.ts"
import type { Merchant, Service } from "../../server/test/fixture/Service.ts"
import { until } from "../../server/test/fixture/Until.ts"
import { violations } from "./fixture/axe.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

/** Numbers of one block, as an attacker has them. */
const numberOf = (n: number) => `+99891234${String((n * 91) % 10_000).padStart(4, "0")}`
const initiate = (live: Client, n: number) =>
  live.initiate({ identity: numberOf(n), clientIp: `203.0.113.${n % 250}`, deviceId: `device-${n}` })

describe.skipIf("skipped" in browser)("the protection screen", () => {
  let service: Service
  let merchant: Merchant
  beforeAll(async () => {
    service = await serve()
    merchant = await service.withOwner()
    await merchant.live.settings({ prices: { SMS: 20 } })
  })
  afterAll(() => service?.close())

  /** Faults of the open page in light, dark and forced colours. */
  const looks = async ({ page }: Visit, what: string) => {
    for (const media of [
      { colorScheme: "light" },
      { colorScheme: "dark" },
      { colorScheme: "light", forcedColors: "active" }
    ] as const) {
      await page.emulateMedia({ forcedColors: "none", ...media })
      assert.deepStrictEqual(await violations(page), [], `${what}, ${JSON.stringify(media)}`)
    }
    await page.emulateMedia({ colorScheme: "light", forcedColors: "none" })
  }
  const enforcedNow = async () => (await merchant.live.get("/v1/dashboard/settings")).body.guardEnforces
  const rowOf = (page: Page) =>
    page.getByRole("table", { name: "Reasons" }).getByRole("row", { name: "Block of numbers" })

  it("is calm before the guard saw anything, and says in test that only live requests are judged", async () => {
    const visit = await Visit.signedIn(service, merchant)
    const { page } = visit
    await visit.go("/dashboard/protection")
    await page.getByText("The guard only records. Nothing suspicious in 30 days.").waitFor()
    await page.getByText("Codes to a country are not entered.").waitFor()
    await looks(visit, "calm")
    await page.getByRole("link", { name: "Numbers that are always trusted" }).click()
    await page.getByRole("region", { name: "Numbers that are always trusted" }).waitFor()
    await visit.go("/dashboard/test/protection")
    await page.getByRole("heading", { name: "The guard judges live requests only" }).waitFor()
    await page.getByRole("link", { name: "Open it in live" }).click()
    await page.getByRole("table", { name: "Reasons" }).waitFor()
    assert.strictEqual(new URL(page.url()).pathname, "/dashboard/protection")
    await visit.end()
  })

  it("shows what enforcing would have done, enforces a reason, counts a refused request, and undoes it", async () => {
    for (let n = 0; n <= 20; n++) assert.strictEqual((await initiate(merchant.live, n)).status, 200)
    const visit = await Visit.signedIn(service, merchant)
    const { page } = visit
    // A stranger types the word that they know.
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: /^Search/ }).fill("sms pumping")
    await page.getByRole("option", { name: /^Protection/ }).waitFor()
    await page.keyboard.press("Enter")
    await visit.settled()
    assert.strictEqual(await visit.heading(), "Protection")
    const would = (await merchant.live.get("/v1/dashboard/protection")).body.would
    await page
      .getByText(
        `The guard only records. Enforcing all reasons would have saved ₹${((would.refused * 20) / 100).toFixed(2)} in 30 days. None of these codes was entered.`
      )
      .waitFor()
    const row = rowOf(page)
    await looks(visit, "with figures")

    // The list behind the figure has as many rows, each with the guard's mark.
    await row.getByRole("link", { name: `${would.refused} codes, Block of numbers` }).click()
    const list = page.getByRole("grid", { name: "Verifications" })
    await list.getByText("Guard: Block of numbers").first().waitFor({ state: "attached" })
    assert.strictEqual(await list.getByText("Guard: Block of numbers").count(), would.refused)
    assert.strictEqual(await page.getByRole("combobox", { name: "Guard" }).inputValue(), "PREFIX_UNVERIFIED")
    await looks(visit, "the list")
    await page.getByRole("combobox", { name: "Guard" }).selectOption("")
    await page.getByRole("searchbox").fill("guard:prefix_unverified")
    await page.waitForURL(/guard=PREFIX_UNVERIFIED/)
    assert.strictEqual(await page.getByRole("searchbox").inputValue(), "")
    await list.getByRole("row").nth(1).click()
    await page
      .getByRole("region", { name: "Guard" })
      .getByText(/uspicious\. It was sent/)
      .waitFor()
    await looks(visit, "one verification")
    await page.getByRole("region", { name: "Guard" }).getByRole("link", { name: "Protection" }).click()
    await visit.settled()

    await row.getByRole("button", { name: "Enforce…" }).press("Enter")
    const dialog = page.getByRole("dialog", { name: "Enforce “Block of numbers”?" })
    await dialog
      .getByText(new RegExp(`it would have refused ${would.refused} codes .* None of them was entered`))
      .waitFor()
    await looks(visit, "the question")
    await page.keyboard.press("Enter")
    await dialog.waitFor({ state: "detached" })
    await row.getByText("Enforced", { exact: true }).waitFor()
    assert.deepStrictEqual(await enforcedNow(), ["PREFIX_UNVERIFIED"])
    const undo = page.getByRole("button", { name: "Undo" })
    assert.include([403, 429], (await initiate(merchant.live, 30)).status)
    await undo.click()
    await page.getByText("“Block of numbers” is no longer enforced.").waitFor()
    assert.deepStrictEqual(await enforcedNow(), [])
    assert.strictEqual((await initiate(merchant.live, 31)).status, 200)

    // The refused request is counted, and in the list of refused requests with the reason in words.
    await until(
      async () => (await merchant.live.get("/v1/dashboard/refusals")).body.items.length,
      (count) => count === 1,
      { what: "the refusal is listed" }
    )
    await page.reload()
    await visit.settled()
    await page.getByText(/It refused 1 request in 30 days\./).waitFor()
    await row.getByRole("link", { name: "1 request refused, Block of numbers" }).click()
    const refused = page.getByRole("table", { name: "Refused" })
    await refused.getByText("Guard: Block of numbers").waitFor()
    await visit.end()
  })

  it("lists a block of numbers that traffic stopped, and lets it through for an admin alone", async () => {
    const owner = await service.withOwner()
    const { live } = owner
    await live.settings({ prices: { SMS: 20 } })
    for (let n = 0; n < 30; n++) assert.strictEqual((await initiate(live, n)).status, 200)
    const trips = async () =>
      (await live.get("/v1/dashboard/protection")).body.trips.filter(
        ({ reason }: { reason: string }) => reason === "PREFIX_UNVERIFIED"
      )
    const [trip] = await until(trips, (found) => found.length === 1, { what: "the trip is stored" })
    const place = "+99891234••••"
    const rowIn = (page: Page) =>
      page.getByRole("table", { name: "Stopped now" }).getByRole("row", { name: /Block of numbers/ })

    const viewer = await Visit.signedIn(service, owner, { role: "VIEWER" })
    await viewer.go("/dashboard/protection")
    const notForViewers = rowIn(viewer.page).getByRole("button")
    assert.strictEqual(await notForViewers.getAttribute("aria-disabled"), "true")
    assert.match((await notForViewers.getAttribute("title")) ?? "", /Only admins and owners/)
    await notForViewers.click({ force: true })
    assert.strictEqual(await viewer.page.getByRole("dialog").count(), 0)
    await viewer.end()

    const phone = await Visit.signedIn(service, owner, { viewport: { width: 390, height: 844 } })
    await phone.go("/dashboard/protection")
    await phone.page.getByRole("region", { name: place }).getByText("Recorded only").waitFor()
    assert.deepStrictEqual(await phone.sticksOut(320), [])
    await phone.end()

    const visit = await Visit.signedIn(service, owner)
    const { page } = visit
    await visit.go("/dashboard/protection")
    const row = rowIn(page)
    // It is only recorded until the reason is enforced. Then the block gets no codes.
    await row.getByText(place).waitFor()
    await row.getByText("Recorded only").waitFor()
    assert.strictEqual((await initiate(live, 40)).status, 200)
    await live.post("/v1/dashboard/protection/reasons/PREFIX_UNVERIFIED/enforce", {})
    assert.strictEqual((await initiate(live, 41)).status, 403)
    await row.getByText("Recorded only").waitFor({ state: "detached" })
    const cells = await row.getByRole("cell").allTextContents()
    assert.include(cells, String(trip.codes))
    assert.include(cells, `₹${((trip.codes * 20) / 100).toFixed(2)}`)
    const endsAt = await page.evaluate((at) => {
      const parts = new Intl.DateTimeFormat("en-IN", { hour: "numeric", minute: "2-digit" }).formatToParts(new Date(at))
      return parts.find(({ type }) => type === "minute")!.value
    }, trip.until)
    assert.isTrue(
      cells.some((text) => text.includes(`:${endsAt}`)),
      cells.join(" | ")
    )
    await looks(visit, "a stopped place")

    await row.getByRole("button", { name: "Let through…" }).press("Enter")
    const dialog = page.getByRole("dialog", { name: `Let ${place} through?` })
    await dialog.getByText(`${trip.codes} codes had not been entered`).waitFor()
    await looks(visit, "the question about a stopped place")
    await dialog.getByRole("button", { name: "Let through" }).click()
    await dialog.waitFor({ state: "detached" })
    await page.getByText(`${place} gets codes again.`).waitFor()
    await row.waitFor({ state: "detached" })
    assert.deepStrictEqual(await trips(), [])
    assert.strictEqual((await initiate(live, 42)).status, 200)
    await visit.go("/dashboard/audit")
    await page.getByText("PREFIX_UNVERIFIED 99891234").first().waitFor()
    await visit.end()
  })

  it("warns before it enforces a reason in the country where most of the merchant's people live", async () => {
    const visit = await Visit.signedIn(service, merchant)
    const { page } = visit
    // Of the requests here, people entered no code.
    await page.route("**/v1/dashboard/stats/funnel?*", async (route) => {
      assert.strictEqual(new URL(route.request().url()).searchParams.get("groupBy"), "country")
      const answer = await route.fetch()
      const body = await answer.json()
      const [any] = body.items
      const items = (
        [
          ["IN", 8],
          ["GB", 4]
        ] as const
      ).map(([group, verified]) => ({ ...any, group, verified }))
      await route.fulfill({ response: answer, json: { ...body, items } })
    })
    await visit.go("/dashboard/protection")
    const ask = async (name: string) => {
      const row = page.getByRole("table", { name: "Reasons" }).getByRole("row", { name, exact: false })
      await row.getByRole("button", { name: "Enforce…" }).press("Enter")
      return page.getByRole("dialog", { name: /^Enforce/ })
    }
    const dialog = await ask("Codes to a country are not entered.")
    await dialog.getByText("66.7% of the codes that people entered went to India.").waitFor()
    await looks(visit, "the warning")
    await page.keyboard.press("Escape")
    const block = await ask("Codes to numbers that share all but their last four digits")
    await block.getByText("you can undo", { exact: false }).waitFor()
    assert.strictEqual(await block.getByText("of the codes that people entered went to").count(), 0)
    await visit.end()
  })

  it("shows a VIEWER the figures, and says why the buttons are not for them", async () => {
    const visit = await Visit.signedIn(service, merchant, { role: "VIEWER" })
    await visit.go("/dashboard/protection")
    const button = rowOf(visit.page).getByRole("button")
    assert.strictEqual(await button.getAttribute("aria-disabled"), "true")
    assert.match((await button.getAttribute("title")) ?? "", /Only admins and owners/)
    await visit.end()
  })

  it("fits a phone in English and in Hindi", async () => {
    const visit = await Visit.signedIn(service, merchant, { viewport: { width: 390, height: 844 } })
    const { page } = visit
    await visit.go("/dashboard/protection")
    await page.getByRole("region", { name: "Block of numbers" }).getByRole("button", { name: "Enforce…" }).waitFor()
    await looks(visit, "a phone")
    assert.deepStrictEqual(await visit.sticksOut(320), [])
    await page.evaluate(() => localStorage.setItem("countersign.language", "hi"))
    await page.reload()
    await visit.settled()
    assert.strictEqual(await visit.heading(), "सुरक्षा")
    await page.getByText(/^गार्ड केवल दर्ज करता है।/).waitFor()
    assert.deepStrictEqual(await visit.sticksOut(320), [])
    await looks(visit, "a phone in Hindi")
    await visit.end()
  })
})
