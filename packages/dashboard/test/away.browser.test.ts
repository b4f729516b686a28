import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { until } from "../../server/test/fixture/Until.ts"
import type { Merchant } from "../../server/test/fixture/Service.ts"
import { say } from "../src/words/say.ts"
import { browser, type House, minute, openHouse, type Member } from "./fixture/house.ts"
import { type Look, lookIn, newContext } from "./fixture/look.ts"

describe.skipIf("skipped" in browser)("input that survives failures", () => {
  let house: House
  let shop: Merchant
  let people: { readonly [name: string]: Member }
  beforeAll(async () => {
    house = await openHouse()
    shop = await house.service.merchant()
    const hire = (name: string) => house.hire(shop, "OWNER", `${name}@shop.example`)
    people = { asha: await hire("asha"), meera: await hire("meera"), ravi: await hire("ravi") }
  })
  afterAll(() => house?.close())

  /** Opens a screen as a user who signed in `ago` milliseconds before. */
  const open = async (who: Member, path: string, { ago = 0, clock = false } = {}) => {
    const context = await newContext()
    const session = await house.letIn(context, shop, who, { ago })
    const look = await lookIn(context)
    if (clock) await look.page.clock.install()
    await look.page.goto(`${house.url}${path}`)
    await look.settled()
    return { ...look, session }
  }
  const end = async ({ complaints, context }: Look, ...expected: ReadonlyArray<RegExp>) => {
    await context.close()
    assert.deepStrictEqual(
      complaints.filter((complaint) => !expected.some((pattern) => pattern.test(complaint))),
      []
    )
  }
  const signInAgain = async (page: Page, { email }: Member) => {
    const dialog = page.getByRole("dialog", { name: say.signIn.again })
    await dialog.waitFor()
    assert.strictEqual(await dialog.getByLabel(say.signIn.email).inputValue(), email)
    await dialog.getByRole("button", { name: say.signIn.send }).click()
    const code = await until(
      async () => house.codes.get(email),
      (given) => given !== undefined,
      { what: "a code by mail" }
    )
    await dialog.getByLabel(say.signIn.code).fill(code!)
    await dialog.getByRole("button", { name: say.signIn.confirm, exact: true }).click()
    await dialog.waitFor({ state: "detached" })
  }
  /** The Idempotency-Key of each request to a path. */
  const keysOf = (page: Page, path: string) => {
    const keys: Array<string | undefined> = []
    page.on("request", (request) => {
      if (request.method() === "POST" && new URL(request.url()).pathname === path)
        keys.push(request.headers()["idempotency-key"])
    })
    return keys
  }

  it("while the service is unreachable a banner appears and the data stays; when it is back, everything refetches", async () => {
    const look = await open(people["asha"]!, "/dashboard/channels", { clock: true })
    const { page } = look
    const banner = page.getByText(say.shell.lost)
    const sms = page.getByRole("heading", { name: "SMS" }).first()
    await sms.waitFor()
    await house.gateway.shut()
    await until(
      async () => (await page.clock.fastForward(2_000), banner.isVisible()),
      (said) => said,
      { what: "the banner" }
    )
    // The open screen polls, and each poll fails.
    await until(
      async () => (await page.clock.fastForward(30_000), page.getByRole("alert").first().isVisible()),
      (refused) => refused,
      { what: "a refusal" }
    )
    assert.include(await page.getByRole("alert").first().textContent(), say.failures.network)
    assert.isTrue(await sms.isVisible())
    await house.gateway.open()
    await until(
      async () => (await page.clock.fastForward(31_000), banner.isHidden()),
      (gone) => gone,
      { what: "the end of the banner" }
    )
    await page.getByRole("alert").first().waitFor({ state: "detached" })
    await end(look, /ERR_/)
  })

  it("while the connection is lost the composer stays usable, and a screen that failed to load loads later", async () => {
    const lead = await shop.live.post("/v1/dashboard/leads", { phone: "+447700900125", name: "Noah" })
    const look = await open(people["asha"]!, `/dashboard/inbox/${lead.body.id}`, { clock: true })
    const { page } = look
    const passes = (ms: number, seen: () => Promise<boolean>, what: string) =>
      until(
        async () => (await page.clock.fastForward(ms), seen()),
        (done) => done,
        { what }
      )
    const send = page.getByRole("button", { name: "Send", exact: true })
    await send.waitFor()
    await house.gateway.shut()
    await passes(2_000, () => page.getByText(say.shell.lost).isVisible(), "the banner")
    const box = await send.boundingBox()
    assert.isAtMost(box!.y + box!.height, page.viewportSize()!.height)

    await page.getByRole("link", { name: say.menu.templates }).click()
    await passes(3_000, () => page.getByRole("heading", { name: say.shell.chunk }).isVisible(), "a screen that failed")
    await house.gateway.open()
    await passes(
      31_000,
      () => page.getByRole("heading", { name: say.menu.templates, level: 1 }).isVisible(),
      "the screen"
    )
    await end(look, /ERR_|Failed to fetch dynamically/)
  })

  it("when the session ends while a form is open, the input stays and the action runs once", async () => {
    const look = await open(people["asha"]!, "/dashboard/team")
    const { page } = look
    const keys = keysOf(page, "/v1/dashboard/agents")
    await page.getByRole("button", { name: "Invite team member" }).click()
    await page.getByLabel("E-mail", { exact: true }).fill("noah@shop.example")
    const other = await house.signIn(shop, people["asha"]!)
    const ended = await fetch(`${house.url}/v1/dashboard/sessions/${look.session}`, {
      method: "DELETE",
      headers: { cookie: `countersign-dev=${other.value}`, origin: house.url }
    })
    assert.strictEqual(ended.status, 204)
    await page.getByRole("button", { name: "Create invitation" }).click()
    await page.getByText(say.signIn.ended).waitFor()
    assert.strictEqual(
      await page.getByRole("dialog", { name: "Invite team member" }).getByLabel("E-mail").inputValue(),
      "noah@shop.example"
    )
    await signInAgain(page, people["asha"]!)
    await page
      .getByRole("dialog", { name: "Invitation link" })
      .getByText(/#redeem=/)
      .waitFor()
    assert.deepStrictEqual([keys.length, new Set(keys).size], [2, 1])
    const { body } = await shop.live.get("/v1/dashboard/agents")
    assert.strictEqual(body.items.filter(({ email }: any) => email === "noah@shop.example").length, 1)
    await end(look)
  })

  it("a reason of the guard with an old sign-in: “Not now” enforces nothing, a new sign-in enforces it", async () => {
    const look = await open(people["meera"]!, "/dashboard/protection", { ago: 11 * minute })
    const { page } = look
    const enforced = async () => (await shop.live.get("/v1/dashboard/settings")).body.guardEnforces
    await page.getByRole("row", { name: "Device" }).getByRole("button", { name: "Enforce…" }).click()
    const question = page.getByRole("dialog", { name: "Enforce “Device”?" })
    await question.getByText("In 30 days it would have refused nothing.").waitFor()
    await question.getByRole("button", { name: "Enforce", exact: true }).click()
    await page.getByText(say.signIn.stale).waitFor()
    await page.getByRole("button", { name: say.signIn.cancel }).click()
    await question.getByRole("alert").waitFor()
    assert.deepStrictEqual(await enforced(), [])
    await question.getByRole("button", { name: "Enforce", exact: true }).click()
    await signInAgain(page, people["meera"]!)
    await question.waitFor({ state: "detached" })
    await page.getByText("The guard refuses codes for 1 reason. Nothing suspicious in 30 days.").waitFor()
    assert.deepStrictEqual(await enforced(), ["DEVICE_UNVERIFIED"])
    await end(look)
  })

  it("a top-up with an old sign-in: “Not now” changes nothing, a new sign-in tops up once", async () => {
    const look = await open(people["meera"]!, "/dashboard/money", { ago: 11 * minute })
    const { page } = look
    const keys = keysOf(page, "/v1/dashboard/balance/top-ups")
    await page.getByRole("button", { name: "Top up" }).click()
    const form = page.getByRole("dialog", { name: "Top up" })
    // Asked when the form opens, before a word is typed. The form stays open after “Not now”.
    await page.getByText(say.signIn.stale).waitFor()
    await page.getByRole("button", { name: say.signIn.cancel }).click()
    await page.getByRole("dialog", { name: say.signIn.again }).waitFor({ state: "detached" })
    await form.getByLabel("Amount in INR").fill("500")
    await form.getByRole("button", { name: /^Top up/ }).click()
    await page.getByText(say.signIn.stale).waitFor()
    await page.getByRole("button", { name: say.signIn.cancel }).click()
    await page.getByRole("dialog", { name: say.signIn.again }).waitFor({ state: "detached" })
    await form.getByRole("alert").waitFor()
    assert.strictEqual(await form.getByLabel("Amount in INR").inputValue(), "500")
    assert.strictEqual((await shop.live.get("/v1/dashboard/balance")).body.balance, 0)

    await form.getByRole("button", { name: /^Top up/ }).click()
    await signInAgain(page, people["meera"]!)
    await form.waitFor({ state: "detached" })
    assert.strictEqual((await shop.live.get("/v1/dashboard/balance")).body.balance, 50_000)
    assert.deepStrictEqual([keys.length, new Set(keys).size, keys[1]], [3, 2, keys[2]])
    await end(look)
  })

  it("a form that needs a recent sign-in asks for it when it opens, with the passkey first", async () => {
    const look = await open(people["meera"]!, "/dashboard/team")
    const { context, page } = look
    const cdp = await context.newCDPSession(page)
    await cdp.send("WebAuthn.enable")
    const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true } as const
    await cdp.send("WebAuthn.addVirtualAuthenticator", {
      options: { ...options, hasUserVerification: true, isUserVerified: true }
    })
    await page.getByRole("button", { name: "Add a passkey" }).click()
    await page.getByRole("dialog", { name: "Add a passkey" }).getByRole("textbox").fill("Laptop")
    await page.keyboard.press("Enter")
    await page.getByRole("row", { name: /Laptop/ }).waitFor()

    await house.letIn(context, shop, people["meera"]!, { ago: 11 * minute })
    await page.reload()
    await look.settled()
    await page.getByRole("button", { name: "Invite team member" }).click()
    const signIn = page.getByRole("dialog", { name: say.signIn.again })
    await signIn.getByRole("button", { name: say.signIn.passkey }).waitFor()
    const methods = signIn.getByRole("button", { name: new RegExp(`${say.signIn.passkey}|${say.signIn.send}`) })
    assert.deepStrictEqual(await methods.allTextContents(), [say.signIn.passkey, say.signIn.send])
    await methods.first().click()
    await signIn.waitFor({ state: "detached" })
    const form = page.getByRole("dialog", { name: "Invite team member" })
    await form.getByLabel("E-mail").fill("zoya@shop.example")
    await page.keyboard.press("Enter")
    await page
      .getByRole("dialog", { name: "Invitation link" })
      .getByText(/#redeem=/)
      .waitFor()
    assert.strictEqual(await signIn.count(), 0)
    await end(look)
  })

  it("a draft survives a reload and is deleted on sign-out", async () => {
    const lead = await shop.live.post("/v1/dashboard/leads", { phone: "+447700900123", name: "Asha" })
    const look = await open(people["ravi"]!, `/dashboard/inbox/${lead.body.id}`)
    const { page } = look
    await page.keyboard.press("n")
    await page.waitForFunction(() => document.activeElement instanceof HTMLTextAreaElement)
    await page.keyboard.type("Prefers mornings")
    await page.reload()
    await look.settled()
    await page.keyboard.press("n")
    await page.waitForFunction(() => (document.activeElement as HTMLTextAreaElement).value === "Prefers mornings")
    const drafts = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes("draft")).length)
    assert.strictEqual(await drafts(), 1)
    await page.getByText("ravi@shop.example").first().click()
    await page.getByRole("button", { name: say.shell.signOut }).click()
    await page.getByRole("heading", { name: say.signIn.title }).waitFor()
    assert.strictEqual(await drafts(), 0)
    await end(look)
  })

  it("a newer build is offered without forcing it, and a screen that failed to load works after a reload", async () => {
    const look = await open(people["ravi"]!, "/dashboard/team", { clock: true })
    const { page } = look
    const offer = page.getByText(say.shell.newer)
    assert.isFalse(await offer.isVisible())
    // As after an upgrade: the page has changed, and the chunks of the old build are gone.
    house.dress(
      (site) =>
        new Map(
          [...site]
            .filter(([name]) => !/AuditScreen/.test(name))
            .map(([name, file]) => [name, name === "index.html" ? { ...file, tag: "newer" } : file])
        )
    )
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
    await offer.waitFor()
    assert.strictEqual(await page.getByRole("heading", { level: 1 }).textContent(), "Team")
    await page.getByRole("link", { name: "Audit log" }).click()
    const failed = page.getByRole("heading", { name: say.shell.chunk })
    await until(
      async () => (await page.clock.fastForward(3_000), failed.isVisible()),
      (said) => said,
      { what: "what is said of a screen that did not come" }
    )
    house.dress((site) => site)
    await page.getByRole("main").getByRole("button", { name: say.shell.reload }).click()
    await page.getByRole("heading", { name: "Audit log", level: 1 }).waitFor()
    assert.isFalse(await offer.isVisible())
    await end(look, /Failed to fetch dynamically/)
  })
})
