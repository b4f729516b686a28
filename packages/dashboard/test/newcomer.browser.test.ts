import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type ServerProcess, simulateSources } from "../../server/test/fixture/ServerProcess.ts"
import { Service } from "../../server/test/fixture/Service.ts"
import { browser, Visit } from "./fixture/visit.ts"

/** The first hour with a fresh clone: a server as `pnpm start` starts it, a desktop and a phone. */
describe.skipIf("skipped" in browser)("a newcomer at the dashboard", () => {
  let directory: string
  let server: ServerProcess
  let service: Service
  let owner: Visit
  let agent: Visit | undefined
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "countersign-newcomer-"))
    server = await simulateSources(directory)
    const url = server.url.replace("127.0.0.1", "localhost")
    service = new Service({ mode: "simulated", urls: [url], adminToken: "", close: async () => {} })
    owner = await Visit.begin(service)
  })
  afterAll(async () => {
    await owner?.end()
    await agent?.end()
    await server?.kill("SIGTERM")
    await rm(directory, { recursive: true, force: true })
  })

  it("the link printed at the first start signs in as the owner and shows first steps", async () => {
    const { page } = owner
    const [link] = /http:\S+#redeem=\w+/.exec(server.output()) ?? []
    await page.goto(link!)
    await page.getByRole("heading", { name: "No verifications yet" }).waitFor()
    assert.strictEqual(await owner.heading(), "Overview")
    assert.notInclude(page.url(), "redeem")
  })

  it("a live code is sent, read in the outbox, mistyped, verified and counted with the keyboard alone", async () => {
    const { page } = owner
    await page.keyboard.press("t")
    const dialog = page.getByRole("dialog", { name: "Try it" })
    await dialog.getByRole("textbox", { name: "Phone number or e-mail" }).waitFor()
    await page.keyboard.press("ControlOrMeta+a")
    await page.keyboard.type("+91 98765 43210\n")
    const outbox = dialog.getByRole("link", { name: "Open the outbox" })
    const [read] = await Promise.all([page.waitForEvent("popup"), outbox.click()])
    const message = await read
      .getByText(/^\d{6} is your/)
      .first()
      .textContent()
    await read.close()
    const code = message!.trim().slice(0, 6)
    await dialog.getByRole("textbox", { name: "Code" }).focus()
    await page.keyboard.type(`${code === "000000" ? "111111" : "000000"}\n`)
    await dialog.getByText("Wrong code. 2 attempts left.").waitFor()
    // The code field still has the focus.
    await page.keyboard.type(`${code}\n`)
    await dialog.getByText(/Verified in/).waitFor()
    assert.isTrue(
      await dialog.getByRole("button", { name: "Send another code" }).evaluate((it) => it === document.activeElement)
    )
    await page.keyboard.press("Escape")
    await page.getByText("1 of 1").waitFor()
  })

  it("the checklist of first steps stays after the first code, until it is dismissed in this environment", async () => {
    const { page } = owner
    const checklist = page.getByRole("region", { name: "Get started" })
    await checklist.getByText("1 of 4 done").waitFor()
    assert.strictEqual(await checklist.getByRole("button", { name: "Try it" }).count(), 0)
    await checklist.getByLabel("curl", { exact: true }).waitFor()
    await page.reload()
    await checklist.getByText("1 of 4 done").waitFor()
    await checklist.getByRole("button", { name: "Dismiss" }).click()
    await checklist.waitFor({ state: "detached" })
    await page.reload()
    await page.getByText("1 of 1").waitFor()
    await owner.settled()
    assert.strictEqual(await checklist.count(), 0)
    await page.getByRole("navigation").getByRole("radio", { name: "Test" }).click()
    await checklist.getByText("0 of 4 done").waitFor()
    await page.getByRole("navigation").getByRole("radio", { name: "Live" }).click()
  })

  it("in test nothing is sent, and 123456 verifies immediately", async () => {
    const { page } = owner
    await page.getByRole("navigation").getByRole("radio", { name: "Test" }).click()
    await page.getByRole("button", { name: "Generate an example day" }).waitFor()
    await page.keyboard.press("t")
    const dialog = page.getByRole("dialog", { name: "Try it" })
    await dialog.getByRole("textbox", { name: "Phone number or e-mail" }).fill("+447700900123")
    await page.keyboard.press("Enter")
    await dialog.getByRole("textbox", { name: "Code" }).waitFor()
    await page.keyboard.type("123456\n")
    await dialog.getByText(/Verified in/).waitFor()
    await dialog.getByRole("link", { name: "View verification" }).click()
    await page.getByRole("heading", { name: "+44******0123" }).waitFor()
    await page.getByRole("heading", { name: "Timeline" }).waitFor()
  })

  it("a rotated secret is shown once, and the old one stays valid", async () => {
    const { page } = owner
    await page.getByRole("link", { name: "API keys" }).click()
    await page.getByRole("button", { name: /^Rotate secret/ }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click()
    const made = page.getByRole("dialog", { name: "New secret" })
    const secret = await made.getByText(/^sk_test_\w+$/).textContent()
    await made.getByRole("button", { name: "I have saved it" }).click()
    await page.getByText(/secrets are valid until/).waitFor()
    assert.notInclude(await page.content(), secret!)
  })

  it("an agent accepts the invitation on a phone and replies to a customer, and the owner sees it", async () => {
    const { page } = owner
    await page.getByRole("link", { name: "Team" }).click()
    await page.getByRole("button", { name: "Invite team member" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("textbox", { name: "E-mail" }).fill("ravi@example.com")
    await page.keyboard.press("Enter")
    const link = await dialog.getByText(/#redeem=/).textContent()
    await page.keyboard.press("Escape")

    agent = await Visit.begin(service, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    const phone = agent.page
    await phone.goto(link!)
    await phone.getByRole("heading", { name: "Inbox", level: 1 }).waitFor()
    // The menu closes as well when its link leads to the open screen.
    await phone.getByRole("button", { name: "More" }).tap()
    const inbox = phone.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "Inbox" })
    await inbox.tap()
    await inbox.waitFor({ state: "hidden", timeout: 5_000 })
    await phone.getByRole("button", { name: "Simulate a customer" }).first().tap()
    await phone.getByRole("textbox", { name: "Message", exact: true }).fill("Is this still available?")
    await phone.getByRole("button", { name: "Send as customer" }).tap()
    await phone.getByRole("row", { name: /Asha/ }).tap()
    await phone.getByText("Is this still available?").first().waitFor()
    await phone.getByRole("textbox", { name: "Message to the customer" }).fill("Yes, until Friday.")
    await phone.getByRole("button", { name: "Send", exact: true }).tap()
    await phone.getByText("Yes, until Friday.").first().waitFor()
    assert.deepStrictEqual(await agent.sticksOut(320), [])

    await page.getByRole("navigation").getByRole("radio", { name: "Live" }).click()
    await page.getByRole("link", { name: "Inbox" }).click()
    await page.getByRole("row", { name: /Asha/ }).click()
    await page.getByText("Yes, until Friday.").first().waitFor()
  })
})
