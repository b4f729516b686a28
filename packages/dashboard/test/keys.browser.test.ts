import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Merchant } from "../../server/test/fixture/Service.ts"
import { to } from "../src/address/paths.ts"
import { menu } from "../src/shell/menu.ts"
import { say } from "../src/words/say.ts"
import { browser, type House, openHouse, type Member } from "./fixture/house.ts"
import { focusIsAt, press, tabTo, write } from "./fixture/keyboard.ts"
import { type Look, lookIn, newContext } from "./fixture/look.ts"
import { type Call, seedOne } from "./fixture/seed.ts"

/** The state that a shortcut can change: address, dialogs, focus, button labels, toasts. */
const watchState = () =>
  Object.assign(globalThis, {
    stateNow: () => {
      const all = [...document.querySelectorAll("body *")]
      const texts = (selector: string) => [...document.querySelectorAll(selector)].map((each) => each.textContent)
      return JSON.stringify([
        location.href,
        all.indexOf(document.activeElement ?? document.body),
        texts("dialog[open] h2"),
        texts("main button, [aria-current=true], .toast, .refusal")
      ])
    }
  })
declare const stateNow: () => string

/** A shortcut in Playwright's notation. */
const named = (faces: ReadonlyArray<string>): string =>
  (faces.length > 1 ? "" : faces[0]!).replace("Ctrl ", "Control+").replace("Alt ", "Alt+").replace("ESCAPE", "Escape")

describe.skipIf("skipped" in browser)("the keyboard alone", () => {
  let house: House
  let shop: Merchant
  let owner: Member
  let look: Look
  let page: Page
  const ids: { requestId: string; leadId: number } = { requestId: "", leadId: 0 }
  beforeAll(async () => {
    house = await openHouse()
    shop = await house.service.withOwner()
    const call: Call = async (method, path, body) => {
      const answer = await (path.endsWith("/settings")
        ? shop.test.settings(body as { readonly [name: string]: unknown })
        : shop.test.send({ method, path, ...(body === undefined ? {} : { body }) }))
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
      return answer.body
    }
    Object.assign(ids, await seedOne(call))
    owner = await house.hire(shop, "OWNER", "asha@shop.example")
    const context = await newContext({ permissions: ["clipboard-read", "clipboard-write"] })
    await house.letIn(context, shop, owner)
    await context.addInitScript(watchState)
    look = await lookIn(context)
    page = look.page
    await page.goto(`${house.url}/dashboard/test/team`)
    await look.settled()
  })
  afterAll(async () => {
    await look?.context.close()
    await house?.close()
    assert.deepStrictEqual(look?.complaints, [])
  })

  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true })
  const field = (name: string | RegExp) => page.getByLabel(name, { exact: true })
  const dialog = (name?: string | RegExp) => page.getByRole("dialog", name === undefined ? {} : { name })
  const row = (name: string) => page.getByRole("row").filter({ hasText: name })
  const gone = () => dialog().waitFor({ state: "detached" })

  /** The shortcuts of a screen as listed at `?`, without navigation. */
  const listed = async () => {
    await page.keyboard.press("?")
    await dialog(say.shell.keys).waitFor()
    const all = await page.evaluate(() =>
      [...document.querySelectorAll(".key-list > div")].map((each) => ({
        faces: [...each.querySelectorAll("kbd")].map((face) => face.textContent ?? ""),
        words: each.querySelector("dd")?.textContent ?? ""
      }))
    )
    await page.keyboard.press("Escape")
    await gone()
    return all
  }

  it("every listed shortcut does something, and Escape leads back", async () => {
    const places = [
      ...menu.flatMap(({ entries }) => entries.map(({ route }) => to("test", route))),
      to("test", "lead", { id: ids.leadId }),
      to("test", "verification", { requestId: ids.requestId })
    ]
    const dead: Array<string> = []
    for (const place of places) {
      await look.go(place)
      for (const { faces, words } of (await listed()).filter(({ faces }) => faces.length === 1 && faces[0] !== "?")) {
        await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
        const before = await page.evaluate(() => stateNow())
        await page.keyboard.press(named(faces))
        const changed = page.waitForFunction((state) => stateNow() !== state, before, { timeout: 10_000 })
        await changed.catch(() => dead.push(`${place} ${named(faces)}: ${words}`))
        if ((await dialog().count()) > 0) {
          await page.keyboard.press("Escape")
          await gone()
        }
        await look.go(place)
      }
    }
    assert.deepStrictEqual(dead, [])
  })

  it("a shortcut acts on the current state when pressed again", async () => {
    await look.go(to("test", "lead", { id: ids.leadId }))
    const deed = (name: string) => page.getByRole("main").getByRole("button", { name, exact: true }).first()
    await deed("Reopen").or(deed("Close")).first().waitFor() // Wait for the lead, because its shortcut exists only then.
    const isOpen = await deed("Close").isVisible()
    for (const next of isOpen ? ["Reopen", "Close"] : ["Close", "Reopen"]) {
      await page.keyboard.press("e")
      await deed(next).waitFor()
    }
  })

  it("the search finds pages, a verification, an identity, a lead and a setting, and returns the focus", async () => {
    await look.go(to("test", "team"))
    const find = button(/^Search or jump to/)
    await press(page, find)
    await dialog("Search or jump to…").waitFor()
    await page.keyboard.press("Escape")
    await gone()
    await focusIsAt(page, find)
    for (const [typed, option, place] of [
      ["money", "Billing", "/dashboard/test/money"],
      [ids.requestId, ids.requestId, `/dashboard/test/verifications/${ids.requestId}`],
      ["+447700900123", "+447700900123", "/dashboard/test/verifications?find=%2B447700900123&as=identity"],
      ["Asha", "Asha", `/dashboard/test/inbox/${ids.leadId}`],
      ["quiet hours", "Quiet hours", "/dashboard/test/settings?find=quietHours"],
      ["rate limit", "New codes per hour", "/dashboard/test/settings?find=hourlyLimit"],
      ["api key", say.menu.keys, "/dashboard/test/keys"]
    ] as const) {
      await page.keyboard.press("Control+k")
      await page.getByRole("combobox", { name: say.shell.palette }).fill(typed)
      const found = page.getByRole("listbox", { name: "Search or jump to…" })
      const options = found.getByRole("option")
      await options.filter({ hasText: option }).first().waitFor()
      const chosen = found.getByRole("option", { selected: true })
      for (let down = 0; !(await chosen.textContent())?.startsWith(option); down++) {
        assert.isBelow(down, 30)
        await page.keyboard.press("ArrowDown")
      }
      await page.keyboard.press("Enter")
      await page.waitForURL(house.url + place)
      await look.settled()
    }
  })

  it("the search runs actions from any screen, and lists what was opened last without storing names", async () => {
    const finder = page.getByRole("combobox", { name: say.shell.palette })
    const options = page.getByRole("listbox", { name: "Search or jump to…" }).getByRole("option")
    const run = async (typed: string, option: string) => {
      await page.keyboard.press("Control+k")
      await finder.fill(typed)
      await options.first().getByText(option, { exact: true }).waitFor()
      await page.keyboard.press("Enter")
    }
    await look.go(to("test", "overview"))
    for (const [typed, option, title, place] of [
      ["invite", "Invite team member…", "Invite team member", "/dashboard/test/team"],
      ["recharge", "Top up…", "Top up", "/dashboard/test/money"],
      ["new secret", "Create API key…", /./, "/dashboard/test/keys"],
      ["add webhook", "Add webhook endpoint…", /./, "/dashboard/test/webhooks"],
      ["try it", "Try it…", "Try it", "/dashboard/test/webhooks"]
    ] as const) {
      await run(typed, option)
      await page.waitForURL(house.url + place)
      await dialog(title).waitFor()
      await page.keyboard.press("Escape")
      await gone()
    }
    await look.go(to("test", "money"))
    await page.getByRole("table", { name: "Ledger" }).waitFor()
    const [download] = await Promise.all([page.waitForEvent("download"), run("export", "Export CSV of this screen")])
    assert.strictEqual(download.suggestedFilename(), "ledger-test.csv")
    await run("dark mode", "Theme: dark")
    assert.strictEqual(await page.evaluate(() => document.documentElement.dataset["theme"]), "dark")
    await run("auto", "Theme: system")

    // Each opened item is listed by what the service calls it now, and stored without that.
    await look.go(to("test", "lead", { id: ids.leadId }))
    await look.go(to("test", "verification", { requestId: ids.requestId }))
    await page.keyboard.press("Control+k")
    await options.nth(0).getByText("+44******0123").waitFor()
    await options.nth(1).getByText("Asha").waitFor()
    assert.deepStrictEqual(
      (await options.allTextContents()).slice(0, 2).map((text) => /(verification|lead)$/.exec(text)?.[0]),
      ["verification", "lead"]
    )
    const stored = await page.evaluate(() => JSON.stringify(Object.fromEntries(Object.entries(localStorage))))
    assert.include(stored, ids.requestId)
    for (const secret of ["Asha", "0123", "asha@"]) assert.notInclude(stored.replaceAll(ids.requestId, ""), secret)
    await page.keyboard.press("Escape")
    await gone()
  })

  const told = (words: string) => page.getByRole("status").getByText(words, { exact: true }).first().waitFor()

  it("a team member is invited, gets another role, is suspended, reactivated and removed", async () => {
    await house.hire(shop, "AGENT", "ravi@shop.example")
    await look.go(to("test", "team"))
    await press(page, button("Invite team member"))
    await focusIsAt(page, field("E-mail"))
    await page.keyboard.type("meera@shop.example")
    await tabTo(page, dialog().getByLabel("Role"))
    await page.keyboard.press("ArrowDown")
    await press(page, button("Create invitation"))
    await dialog("Invitation link")
      .getByText(/#redeem=/)
      .waitFor()
    await page.keyboard.press("Escape")
    await gone()
    await focusIsAt(page, button("Invite team member"))
    await row("meera@").getByText("invited").waitFor()
    assert.strictEqual(await page.getByLabel("Role: meera@shop.example").inputValue(), "VIEWER")

    await tabTo(page, page.getByLabel("Role: ravi@shop.example"))
    await page.keyboard.press("ArrowDown")
    await told("ravi@shop.example updated")
    await press(page, row("ravi@").getByRole("button", { name: "Suspend" }))
    await row("ravi@").getByText("suspended").waitFor()
    await focusIsAt(page, row("ravi@").getByRole("button", { name: "Reactivate" }))
    await page.keyboard.press("Enter")
    await row("ravi@").getByText("suspended").waitFor({ state: "detached" })

    const remove = row("ravi@").getByRole("button", { name: "Remove" })
    await press(page, remove)
    await dialog("Remove ravi@shop.example?").waitFor()
    await page.keyboard.press("Escape")
    await gone()
    await focusIsAt(page, remove)
    await page.keyboard.press("Enter")
    await press(page, dialog(/^Remove /).getByRole("button", { name: "Remove" }))
    await row("ravi@").waitFor({ state: "detached" })
    await told("ravi@shop.example removed")
    const { body } = await shop.live.get("/v1/dashboard/agents")
    assert.deepStrictEqual(
      body.items
        .map(({ email, role, status }: any) => `${email} ${role} ${status}`)
        // The fixture created the settings with another owner.
        .filter((line: string) => line.includes("@shop.example")),
      ["asha@shop.example OWNER ACTIVE", "meera@shop.example VIEWER INVITED"]
    )
  })

  it("a team and a passkey are created, the passkey removed, and another session ended", async () => {
    const elsewhere = await house.signIn(shop, owner)
    await look.go(to("test", "money"))
    await look.go(to("test", "team"))
    await press(page, button("New team"))
    await focusIsAt(page, dialog().getByLabel("Team", { exact: true }))
    await page.keyboard.type("Sales")
    await tabTo(page, dialog().getByLabel("asha@shop.example"))
    await page.keyboard.press("Space")
    await press(page, button("Save"))
    await gone()
    await focusIsAt(page, button("New team"))
    await row("Sales").getByText("asha@shop.example").waitFor()

    const cdp = await look.context.newCDPSession(page)
    await cdp.send("WebAuthn.enable")
    await cdp.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true
      }
    })
    await press(page, button("Add a passkey"))
    await dialog("Add a passkey").waitFor()
    await page.keyboard.type("Work laptop")
    await page.keyboard.press("Enter")
    await gone()
    await press(page, row("Work laptop").getByRole("button", { name: "Remove" }))
    await page.getByText("No passkeys yet").waitFor()

    await press(page, button("End session"))
    await told("Session ended")
    await button("End session").waitFor({ state: "detached" })
    const { status } = await house.service.send({
      path: "/v1/dashboard/me",
      headers: { cookie: `countersign-dev=${elsewhere.value}` }
    })
    assert.strictEqual(status, 401)
  })

  it("a top-up is added once, and the ledger downloads as CSV", async () => {
    await look.go(to("test", "money"))
    await press(page, button("Top up"))
    await focusIsAt(page, field("Amount in INR"))
    await page.keyboard.type("1,500.50")
    await write(page, field("Reference"), "pay_1")
    await page.keyboard.press("Enter")
    await gone()
    await told("₹1,500.50 added to the balance")
    await focusIsAt(page, button("Top up"))
    await page.getByRole("table", { name: "Ledger" }).getByText("pay_1").waitFor()
    const [download] = await Promise.all([page.waitForEvent("download"), press(page, button("Export CSV"))])
    assert.strictEqual(download.suggestedFilename(), "ledger-test.csv")
    await tabTo(page, page.getByRole("radio", { name: "This month" }), { back: true })
    await page.keyboard.press("ArrowRight")
    await page.waitForURL("**/money?period=last")
    await tabTo(page, page.getByRole("radio", { name: "Overview" }), { back: true })
    await page.keyboard.press("ArrowRight")
    const statement = page.getByRole("table", { name: /^Statement for/ })
    const amountOf = async (name: string) =>
      (await statement.getByRole("row", { name }).getByRole("cell").last().innerText()).trim()
    await statement.getByRole("row", { name: "Closing balance" }).waitFor()
    assert.strictEqual(await amountOf("Opening balance"), "₹0.00")
    assert.notStrictEqual(await amountOf("Top-ups"), "₹0.00")
    const [file] = await Promise.all([page.waitForEvent("download"), press(page, button("Download CSV"))])
    assert.match(file.suggestedFilename(), /^statement-\d{4}-\d\d\.csv$/)
  })

  it("the operator creates a merchant, sees its keys once, tops it up, suspends and resumes it", async () => {
    await look.go(to("test", "merchants"))
    await write(page, field("Operator token"), "admin-token-that-is-wrong-0123456789abcdef")
    await page.keyboard.press("Enter")
    await page.getByText("The operator token is wrong. Check the value of COUNTERSIGN_ADMIN_TOKEN.").waitFor()
    await write(page, field("Operator token"), house.service.adminToken)
    await page.keyboard.press("Enter")
    await press(page, button("New merchant"))
    await focusIsAt(page, field("Name"))
    await page.keyboard.type("Books")
    await page.keyboard.press("Enter")
    const made = dialog("Books created")
    await made.getByText(/^sk_live_/).waitFor()
    await page.keyboard.press("Escape")
    await page.getByText(/sk_live_/).waitFor({ state: "detached" })
    await focusIsAt(page, button("New merchant"))

    await tabTo(page, page.getByRole("grid").getByRole("link").first())
    for (let down = 0; !(await page.evaluate(() => document.activeElement?.textContent === "Books")); down++) {
      assert.isBelow(down, 10)
      await page.keyboard.press("ArrowDown")
    }
    await page.keyboard.press("Enter")
    const money = page.getByRole("region", { name: "Billing, Live" })
    await press(page, money.getByRole("button", { name: "Edit billing" }))
    await dialog("Edit billing").waitFor()
    await page.keyboard.press("ArrowDown")
    await write(page, field("Prices"), "SMS 20")
    await page.keyboard.press("Enter")
    await page.keyboard.type("SMS 977 90")
    await press(page, button("Save billing"))
    await gone()
    await money.getByText("prepaid").waitFor()
    await press(page, money.getByRole("button", { name: "Top up" }))
    await page.keyboard.type("250")
    await page.keyboard.press("Enter")
    await gone()
    await press(page, money.getByRole("button", { name: "Adjust balance" }))
    await page.keyboard.type("-50")
    await write(page, field("Reason"), "counted twice")
    await page.keyboard.press("Enter")
    await gone()
    await money.getByText("₹200.00").first().waitFor()
    await page.getByRole("table", { name: "Audit log" }).getByText("adjusted the balance").waitFor()

    await press(page, button("Suspend"), { back: true })
    await press(page, dialog("Suspend Books?").getByRole("button", { name: "Suspend" }))
    await gone()
    await press(page, button("Resume"))
    await told("Books resumed")
    await press(page, button("Forget token"), { back: true })
    await field("Operator token").waitFor()
  })
})
