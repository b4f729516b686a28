import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Locator } from "playwright-core"
import { wrong } from "../../server/test/fixture/Client.ts"
import { type ServerProcess, simulateSources } from "../../server/test/fixture/ServerProcess.ts"
import { Service } from "../../server/test/fixture/Service.ts"
import { Chat } from "./fixture/Chat.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

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
    // The row of the list, which is hidden now, shows the same text.
    await phone.getByText("Is this still available?").last().waitFor()
    await phone.getByRole("textbox", { name: "Message to the customer" }).fill("Yes, until Friday.")
    await phone.getByRole("button", { name: "Send", exact: true }).tap()
    await phone.getByText("Yes, until Friday.").last().waitFor()
    assert.deepStrictEqual(await agent.sticksOut(320), [])

    await page.getByRole("navigation").getByRole("radio", { name: "Live" }).click()
    await page.getByRole("link", { name: "Inbox" }).click()
    // An answered customer no longer waits.
    await page.getByRole("radio", { name: "All", exact: true }).click()
    await page.getByRole("row", { name: /Asha/ }).click()
    await page.getByText("Yes, until Friday.").first().waitFor()
  })
})

/** Counts the actions of a user: a click, a key that opens or submits, and a typed text. */
class Actions {
  readonly #visit: Visit
  count = 0
  constructor(visit: Visit) {
    this.#visit = visit
  }
  async #act(action: Promise<void>) {
    this.count++
    await action
  }
  async click(target: Locator) {
    await this.#act(target.click())
    await this.#visit.settled()
  }
  async press(key: string) {
    await this.#act(this.#visit.page.keyboard.press(key))
    await this.#visit.settled()
  }
  type(text: string) {
    return this.#act(this.#visit.page.keyboard.type(text))
  }
}

describe.skipIf("skipped" in browser)("a newcomer with a task", () => {
  const chat = new Chat()
  let service: Service
  beforeAll(async () => {
    service = await serve({ channels: [chat.channel] })
  })
  afterAll(() => service?.close())

  it("learns in four actions from ⌘K why a customer never got the code, and what to do next", async () => {
    const merchant = await service.merchant()
    const requestId = await merchant.test.started({ identity: "+919876500000" })
    await merchant.test.settled(requestId)
    const visit = await Visit.signedIn(service, merchant)
    const { page } = visit
    await visit.go("/dashboard/test")
    const user = new Actions(visit)
    await user.press("ControlOrMeta+k")
    await user.type("98765 00000")
    await page
      .getByRole("option", { name: /^\+91\*{6}0000/ })
      .first()
      .waitFor()
    await user.press("Enter")
    await page.waitForURL(/\/person\//)
    await user.click(page.getByRole("table").getByRole("link").first())
    await page.waitForURL(new RegExp(requestId))
    const notice = page.getByRole("status").filter({ hasText: "The SMS message was not sent." })
    await notice.getByText("The provider could not be reached. No fallback is set.").waitFor()
    await notice.getByRole("link", { name: "Add a fallback" }).waitFor()
    assert.isAtMost(user.count, 4)
    await visit.end()
  })

  it("sees in one action from the overview, or from the menu, which customer has waited longest", async () => {
    const merchant = await service.merchant()
    const { status, text } = await merchant.live.post("/v1/dashboard/whatsapp/connect", {
      phoneNumberId: chat.number,
      wabaId: "202290129340398",
      accessToken: "good"
    })
    assert.strictEqual(status, 201, text)
    const hour = 3_600_000
    await chat.says(service, "919812300001", "Hello?", { name: "Asha", at: Date.now() - hour })
    await chat.says(service, "919812300002", "Hello?", { name: "Ravi", at: Date.now() - 2 * hour })
    await chat.says(service, "919812300003", "Hello?", { name: "Meera" })
    const visit = await Visit.signedIn(service, merchant)
    const { page } = visit
    const waiting = page.getByRole("listitem").filter({ hasText: "3 customers are waiting" }).getByRole("link")
    for (const start of [waiting, page.getByRole("navigation").getByRole("link", { name: /^Inbox/ })]) {
      await visit.go("/dashboard")
      const user = new Actions(visit)
      await user.click(start)
      const first = page.getByRole("grid", { name: "Leads" }).getByRole("row").filter({ hasText: "Hello?" }).first()
      await first.getByText("Ravi").waitFor()
      await first.getByText("2 hr", { exact: true }).waitFor()
      assert.strictEqual(user.count, 1)
    }
    await visit.end()
  })

  it("unlocks a user in two actions from the result of ⌘K, and in one from their verification", async () => {
    const merchant = await service.merchant({ maxConsecutiveFailures: 3 })
    const visit = await Visit.signedIn(service, merchant, { role: "AGENT" })
    const { page } = visit
    const lockedOut = async (identity: string) => {
      const requestId = await merchant.test.started({ identity })
      for (const otp of [wrong, wrong, wrong]) await merchant.test.verify({ requestId, otp })
      return requestId
    }
    await lockedOut("+919876543210")
    await visit.go("/dashboard/test")
    await page.keyboard.press("ControlOrMeta+k")
    await page.keyboard.type("98765 43210")
    await page
      .getByRole("option", { name: /^\+91\*{6}3210/ })
      .first()
      .waitFor()
    const unlock = page.getByRole("button", { name: "Unlock" })
    const done = page.getByText("Unlocked. The user can request codes again.")
    const fromSearch = new Actions(visit)
    await fromSearch.press("Enter")
    await fromSearch.click(unlock)
    await done.waitFor()
    assert.strictEqual(fromSearch.count, 2)

    const requestId = await lockedOut("+919876543211")
    await visit.go(`/dashboard/test/verifications/${requestId}`)
    const notices = page.getByRole("main").locator(".notice")
    await notices
      .getByText(/^Wrong codes used up all attempts\. Locked out until .*, after 3 wrong codes in a row\.$/)
      .waitFor()
    assert.strictEqual(await notices.count(), 1)
    const fromVerification = new Actions(visit)
    await fromVerification.click(unlock)
    await unlock.waitFor({ state: "detached" })
    await notices.getByText("The user can try again with a new request.").waitFor()
    assert.strictEqual(fromVerification.count, 1)
    await visit.end()
  })

  it("learns in two actions from the overview why webhooks stopped", async () => {
    const receiver = createServer((request, response) => {
      request.resume()
      response.writeHead(500, { "content-type": "application/json" }).end('{"error":"column orders.total is missing"}')
    })
    await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening))
    const merchant = await service.merchant()
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
    await merchant.live.post("/v1/dashboard/webhooks", { url, events: ["session.created"] })
    for (let n = 0; n < 4; n++) await merchant.live.post("/v1/sdk/session", {})
    const visit = await Visit.signedIn(service, merchant)
    const { page } = visit
    await visit.go("/dashboard")
    const user = new Actions(visit)
    await user.click(page.getByRole("listitem").filter({ hasText: "/hooks" }).getByRole("link"))
    await page.getByText(/^Fails since .*, last answer 500$/).waitFor()
    await page.getByText("column orders.total is missing").first().waitFor()
    await page.getByRole("button", { name: /^Retry all waiting/ }).waitFor()
    assert.isAtMost(user.count, 2)
    await visit.end()
    receiver.close()
  })

  it("opens the settings, which come to rest", async () => {
    const merchant = await service.merchant({ allowedCountries: ["IN", "GB"] })
    const visit = await Visit.signedIn(service, merchant)
    await visit.go("/dashboard/test/settings")
    await visit.page.getByRole("list", { name: "Allowed countries" }).getByText("India").waitFor()
    await visit.end()
  })
})
