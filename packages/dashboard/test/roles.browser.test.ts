import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { to } from "../src/address/paths.ts"
import { menu } from "../src/shell/menu.ts"
import { say as user } from "../src/screens/person/words.ts"
import { say } from "../src/words/say.ts"
import { browser, type House, openHouse } from "./fixture/house.ts"
import { type Look, lookIn, newContext } from "./fixture/look.ts"
import { type Call, seedOne } from "./fixture/seed.ts"

/** Buttons that a viewer may press: search, display, copy, and own settings. All others must show a reason. */
const readers =
  /^(Search or jump to|Copy|Show as table|WhatsApp numbers|Lead details|Notifications|Show all leads|‹|History|Cancel|View app code|Add a passkey|Export CSV|More actions|code|brand|validity in minutes|website|Android app hash|Use an existing passkey)/

describe.skipIf("skipped" in browser)("roles with limited permissions", () => {
  let house: House
  const looks: { [role: string]: Look } = {}
  let places: ReadonlyArray<readonly [heading: string, path: string]> = []
  beforeAll(async () => {
    house = await openHouse({ billedBy: "operator" })
    const shop = await house.service.merchant()
    const call: Call = async (method, path, body) => {
      if (path.endsWith("/settings") || path.endsWith("/top-ups")) return {} // the operator's settings, where the operator bills
      const answer = await shop.test.send({ method, path, ...(body === undefined ? {} : { body }) })
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
      return answer.body
    }
    const { leadId, requestId } = await seedOne(call)
    const { person } = await call("GET", `/v1/dashboard/verifications/${requestId}`)
    const webhook = await call("POST", "/v1/dashboard/webhooks", { url: "http://127.0.0.1:9/hook" })
    const [template] = (await call("GET", "/v1/dashboard/templates")).items
    places = [
      ...menu.flatMap(({ entries }) => entries.map(({ route }) => [say.menu[route], to("test", route)] as const)),
      [say.menu.verifications, to("test", "verification", { requestId })],
      [user.title, to("test", "person", { id: person })],
      [say.menu.inbox, to("test", "lead", { id: leadId })],
      [say.menu.webhooks, to("test", "webhook", { id: webhook.id })],
      [say.menu.templates, to("test", "template", { id: template.id })]
    ]
    for (const role of ["VIEWER", "AGENT", "ADMIN", "OWNER"] as const) {
      const context = await newContext()
      await house.letIn(context, shop, await house.hire(shop, role, `${role.toLowerCase()}@shop.example`))
      looks[role] = await lookIn(context)
    }
  })
  afterAll(async () => {
    for (const { complaints, context } of Object.values(looks)) {
      await context.close()
      assert.deepStrictEqual(complaints, [])
    }
    await house?.close()
  })

  it.each(["VIEWER", "AGENT"])("%s: every screen opens without a refusal", async (role) => {
    const { go, page, settled } = looks[role]!
    const refused: Array<string> = []
    page.on("response", (response) => {
      if (response.status() >= 400)
        refused.push(`${response.status()} ${response.request().method()} ${response.url()}`)
    })
    await page.goto(`${house.url}${places[0]![1]}`)
    await settled()
    for (const [heading, place] of places) {
      await go(place)
      const seen = await page.evaluate(() => ({
        heading: document.querySelector("h1")?.textContent,
        refusals: [...document.querySelectorAll(".refusal")].map((each) => each.textContent),
        pressable: [...document.querySelectorAll("main button:not([aria-disabled=true])")].map(
          (each) => each.getAttribute("aria-label") ?? each.textContent
        ),
        silent: [...document.querySelectorAll("main button[aria-disabled=true]")]
          .filter((each) => !document.getElementById(each.getAttribute("aria-describedby") ?? "")?.textContent)
          .map((each) => each.textContent)
      }))
      const { pressable, ...rest } = seen
      assert.deepStrictEqual(rest, { heading, refusals: [], silent: [] }, place)
      if (role === "VIEWER")
        assert.deepStrictEqual(
          pressable.filter((name) => !readers.test(name ?? "")),
          [],
          place
        )
    }
    assert.deepStrictEqual(refused, [])
  })

  it("an AGENT starts in the inbox and a VIEWER at the overview, and a deep link leads where it points", async () => {
    const starts = [
      ["AGENT", "/dashboard/test", say.menu.inbox],
      ["AGENT", "/dashboard/test?range=7d", say.menu.overview],
      ["AGENT", "/dashboard/test/audit", say.menu.audit],
      ["VIEWER", "/dashboard/test", say.menu.overview]
    ] as const
    for (const [role, path, heading] of starts) {
      const { page, settled } = await lookIn(looks[role]!.context)
      await page.goto(`${house.url}${path}`)
      await settled()
      assert.strictEqual(await page.getByRole("heading", { level: 1 }).textContent(), heading, `${role} at ${path}`)
      const links = page.getByRole("navigation").getByRole("link")
      assert.notInclude(await links.allTextContents(), say.menu.audit)
      // The menu still leads to the overview, and a reload stays there.
      await page.getByRole("link", { name: say.menu.overview }).click()
      await page.reload()
      await settled()
      assert.strictEqual(await page.getByRole("heading", { level: 1 }).textContent(), say.menu.overview)
      await page.close()
    }
  })

  it("where the operator bills, an owner sees who tops up", async () => {
    const { page, settled } = looks["OWNER"]!
    await page.goto(`${house.url}/dashboard/test/money`)
    await settled()
    const payIn = page.getByRole("button", { name: "Top up" })
    assert.strictEqual(await payIn.getAttribute("aria-disabled"), "true")
    assert.match((await payIn.getAttribute("title")) ?? "", /operator of this service/)
    await payIn.click({ force: true })
    assert.strictEqual(await page.getByRole("dialog").count(), 0)
  })

  it("an admin sees an owner's settings disabled with the reason, and can change the others", async () => {
    const { page, settled } = looks["ADMIN"]!
    await page.goto(`${house.url}/dashboard/test/settings`)
    await settled()
    const told = (name: string) => page.locator(`#${name}`).getByText("Only an owner can do this. Ask an owner.")
    for (const name of ["requirePasskey", "serverAddresses", "dailyCap"])
      assert.isAbove(await told(name).count(), 0, name)
    assert.strictEqual(
      await page.getByRole("switch", { name: "Require a passkey for owners and admins" }).getAttribute("aria-disabled"),
      "true"
    )
    assert.strictEqual(await told("balanceLowAt").count(), 0)
  })
})
