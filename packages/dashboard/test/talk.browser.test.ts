import { readFile } from "node:fs/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Merchant, Service } from "../../server/test/fixture/Service.ts"
import { violations } from "./fixture/axe.ts"
import { Chat } from "./fixture/Chat.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

/** A hostile name: longer than any line, right-to-left, with markup. */
const hostile = `\u202Egnp.exe <b onclick=alert(1)>x</b> ${"नमस्ते👩‍👩‍👧".repeat(20)}${"W".repeat(9_000)}`

const connected = async (service: Service, chat: Chat): Promise<Merchant> => {
  const merchant = await service.merchant()
  const { status, text } = await merchant.live.post("/v1/dashboard/whatsapp/connect", {
    phoneNumberId: chat.number,
    wabaId: "202290129340398",
    accessToken: "good"
  })
  assert.strictEqual(status, 201, text)
  return merchant
}

describe.skipIf("skipped" in browser)("the inbox in a browser", () => {
  let service: Service
  const chat = new Chat()
  beforeAll(async () => {
    service = await serve({ channels: [chat.channel] })
  })
  afterAll(() => service?.close())

  it("an agent connects a number, reads, replies, adds a note, saves, assigns and closes with the keyboard alone", async () => {
    const merchant = await service.merchant()
    const visit = await Visit.signedIn(service, merchant)
    const { page } = visit
    await visit.go("/dashboard/inbox")
    await page.getByRole("heading", { name: "No messages yet" }).waitFor()

    await page.getByRole("button", { name: "Connect WhatsApp" }).press("Enter")
    const dialog = page.getByRole("dialog", { name: "WhatsApp numbers" })
    await dialog.getByLabel("Phone number ID").fill(chat.number)
    await dialog.getByLabel("WhatsApp Business Account ID").fill("202290129340398")
    visit.expect(/502/)
    await dialog.getByLabel("Access token").fill("bad")
    await page.keyboard.press("Enter")
    await dialog.getByText("The token has expired").waitFor()
    await dialog.getByLabel("Access token").fill("good")
    await page.keyboard.press("Enter")
    await dialog.getByRole("table").getByText("+91 98765 00000").waitFor()
    assert.strictEqual(await dialog.getByLabel("Access token").inputValue(), "")
    await page.keyboard.press("Escape")

    await chat.says(service, "919812300001", "Is this still available?", { name: "Asha" })
    const leads = page.getByRole("grid", { name: "Leads" })
    await leads.getByText("Asha").waitFor()
    await page.keyboard.press("j")
    await page.getByRole("heading", { level: 2, name: "Asha" }).waitFor()
    const talk = page.getByRole("group", { name: "Conversation" })
    await talk.getByText("Is this still available?").waitFor()
    // The visible message counts as read a moment later.
    await leads.getByRole("gridcell").getByText("Unread").waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Mark as unread" }).waitFor()
    await page.keyboard.press("u")
    await leads.getByRole("gridcell").getByText("Unread").waitFor()

    await page.keyboard.press("r")
    await page.keyboard.type("Yes, until Friday.")
    await page.keyboard.press("Shift+Enter")
    await page.keyboard.type("Which size?")
    await page.keyboard.press("Enter")
    await talk.getByText("delivered").waitFor()
    assert.strictEqual(chat.sent.at(-1)?.text, "Yes, until Friday.\nWhich size?")
    await leads.getByRole("gridcell").getByText("Unread").waitFor({ state: "detached" })

    await page.keyboard.press("Escape")
    await page.keyboard.press("n")
    await page.keyboard.type("Likes blue.")
    await page.keyboard.press("Enter")
    await talk
      .getByText(/Private note/)
      .first()
      .waitFor()

    await merchant.live.post("/v1/dashboard/saved-replies", {
      name: "Shipping",
      text: "Hi {{name}}, we ship within two days."
    })
    await page.reload()
    await visit.settled()
    await page.keyboard.press("/")
    await page.getByRole("option", { name: /Shipping/ }).waitFor()
    await page.keyboard.type("shi")
    await page.keyboard.press("Enter")
    assert.strictEqual(
      await page.getByLabel("Message to the customer").inputValue(),
      "Hi Asha, we ship within two days."
    )
    // The draft belongs to this lead, and survives a reload.
    await page.reload()
    await visit.settled()
    const field = page.getByLabel("Message to the customer")
    assert.strictEqual(await field.inputValue(), "Hi Asha, we ship within two days.")

    // An emoji goes where the caret is, and the field has the focus again.
    await field.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(2, 2))
    await page.getByRole("button", { name: "Emoji" }).press("Enter")
    await page.getByRole("combobox", { name: "Search emoji" }).waitFor()
    await page.keyboard.type("wave")
    assert.deepStrictEqual(await violations(page), [])
    await page.keyboard.press("Enter")
    await page.getByRole("combobox", { name: "Search emoji" }).waitFor({ state: "detached" })
    await page.keyboard.type("!")
    assert.strictEqual(await field.inputValue(), "Hi👋! Asha, we ship within two days.")
    await page.keyboard.press("Escape")

    await page.keyboard.press("a")
    await page.getByRole("dialog", { name: "Assign lead" }).getByLabel("Assignee").focus()
    await page.keyboard.press("Home")
    await page.keyboard.press("Enter")
    const card = page.getByRole("complementary", { name: "Lead details" })
    await card.getByText("You self-assigned this lead").waitFor()
    await page.keyboard.press("e")
    await page.getByText("This lead is closed. The customer’s next message reopens it.").waitFor()
    await chat.says(service, "919812300001", "In blue?")
    await talk.getByText("In blue?").waitFor()
    await page.getByText("This lead is closed. The customer’s next message reopens it.").waitFor({ state: "detached" })

    assert.deepStrictEqual(await violations(page), [])
    await page.emulateMedia({ colorScheme: "dark" })
    assert.deepStrictEqual(await violations(page, { rules: ["color-contrast"] }), [])
    await page.keyboard.press("Escape")
    await page.getByRole("heading", { name: "Select a lead" }).waitFor()
    await visit.end()
  })

  it("opens on who waits longest, counts the waiting customers, and lets them go when they are answered", async () => {
    const other = new Chat()
    const own = await serve({ channels: [other.channel] })
    const merchant = await connected(own, other)
    await other.says(own, "919812300011", "Is this still available?", { name: "Asha" })
    await other.says(own, "919812300012", "Do you ship to Pune?", { name: "Ravi" })
    await other.says(own, "919812300013", "Thanks!", { name: "Meera" })
    const visit = await Visit.signedIn(own, merchant)
    const { page } = visit
    const names = () => page.getByRole("grid", { name: "Leads" }).getByRole("link").allInnerTexts()
    const badge = page.getByRole("navigation").getByRole("link", { name: /Inbox/ })
    await visit.go("/dashboard/verifications")
    await badge.getByText("3").waitFor()
    await page.keyboard.press("g")
    await page.keyboard.press("i")
    await page.getByRole("radio", { name: "Waiting" }).waitFor()
    await visit.settled()
    assert.deepStrictEqual(await names(), ["Asha", "Ravi", "Meera"])
    await page.keyboard.press("j")
    await page.getByRole("heading", { level: 2, name: "Asha" }).waitFor()
    // Looking does not end the wait.
    await page
      .getByRole("grid", { name: "Leads" })
      .getByText(/^Waiting /)
      .first()
      .waitFor()
    await page.getByRole("textbox", { name: "Message to the customer" }).waitFor()
    await page.keyboard.press("r")
    await page.keyboard.type("Yes.")
    await page.keyboard.press("Enter")
    await page.getByRole("grid", { name: "Leads" }).getByText("Asha").waitFor({ state: "detached" })
    await badge.getByText("2").waitFor()

    await page.keyboard.press("Escape")
    await visit.go("/dashboard/inbox/3")
    await page.keyboard.press("d")
    await page.getByRole("grid", { name: "Leads" }).getByText("Meera").waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByRole("grid", { name: "Leads" }).getByText("Meera").waitFor()
    await page.getByRole("radio", { name: "All" }).check({ force: true })
    await page.getByRole("grid", { name: "Leads" }).getByText("Asha").waitFor()
    assert.include(page.url(), "view=all")
    assert.deepStrictEqual(await names(), ["Asha", "Meera", "Ravi"])
    const row = page.getByRole("row").filter({ hasText: "Asha" })
    await row.getByText("Yes.").waitFor()
    await row.getByText("delivered").waitFor()
    await page.getByRole("row").filter({ hasText: "Ravi" }).getByText("Do you ship to Pune?").waitFor()
    assert.deepStrictEqual(await violations(page), [])
    await visit.end()
    await own.close()
  })

  it("s snoozes a lead out of the waiting ones, lists it as snoozed, and ends the snooze", async () => {
    const other = new Chat()
    const own = await serve({ channels: [other.channel] })
    const merchant = await connected(own, other)
    await other.says(own, "919812300031", "Is this still available?", { name: "Asha" })
    await other.says(own, "919812300032", "Do you ship to Pune?", { name: "Ravi" })
    const visit = await Visit.signedIn(own, merchant)
    const { page } = visit
    const leads = page.getByRole("grid", { name: "Leads" })
    await visit.go("/dashboard/inbox/1")
    await page.getByRole("heading", { level: 2, name: "Asha" }).waitFor()
    await page.keyboard.press("s")
    const dialog = page.getByRole("dialog", { name: "Snooze" })
    await dialog.getByRole("button", { name: /Tomorrow morning/ }).waitFor()
    assert.deepStrictEqual(await violations(page), [])
    await dialog.getByRole("button", { name: /Tomorrow morning/ }).press("Enter")
    await page.getByRole("heading", { level: 2, name: "Ravi" }).waitFor()
    await leads.getByText("Asha").waitFor({ state: "detached" })
    await page.getByRole("navigation").getByRole("link", { name: /Inbox/ }).getByText("1").waitFor()

    await page.getByRole("radio", { name: "Snoozed" }).check({ force: true })
    await leads.getByText("Asha").waitFor()
    assert.include(page.url(), "view=snoozed")
    await leads.getByText(/^Snoozed until /).waitFor()
    assert.deepStrictEqual(await violations(page), [])
    await page.keyboard.press("j")
    await page.getByRole("heading", { level: 2, name: "Asha" }).waitFor()
    await page.keyboard.press("s")
    await page.getByText("No leads are snoozed").waitFor()
    await page
      .getByRole("complementary", { name: "Lead details" })
      .getByText(/^Snooze ended/)
      .waitFor()
    await visit.end()
    await own.close()
  })

  it("selects leads with x, a range and all, and closes, snoozes and assigns them together", async () => {
    const other = new Chat()
    const own = await serve({ channels: [other.channel] })
    const merchant = await connected(own, other)
    const names = ["Asha", "Ravi", "Meera", "John"]
    for (const [n, name] of names.entries()) await other.says(own, `9198123000${41 + n}`, "Hello?", { name })
    const visit = await Visit.signedIn(own, merchant)
    const { page } = visit
    const leads = page.getByRole("grid", { name: "Leads" })
    const bar = page.getByRole("group", { name: "Selected leads" })
    await visit.go("/dashboard/inbox")
    await leads.getByRole("link", { name: "Asha" }).focus()
    await page.keyboard.press("x")
    await bar.getByText("1 selected").waitFor()
    assert.isTrue(await page.getByRole("checkbox", { name: "Select Asha" }).isChecked())
    await page.getByRole("checkbox", { name: "Select Meera" }).click({ modifiers: ["Shift"] })
    await bar.getByText("3 selected").waitFor()
    assert.deepStrictEqual(await violations(page), [])
    await bar.getByRole("button", { name: "Close" }).click()
    await page.getByText("3 closed").waitFor()
    await leads.getByText("Asha").waitFor({ state: "detached" })
    assert.deepStrictEqual(await leads.getByRole("link").allInnerTexts(), ["John"])
    await page.getByRole("button", { name: "Undo" }).click()
    await leads.getByText("Asha").waitFor()

    await page.getByRole("checkbox", { name: "Select John" }).click()
    await bar.getByRole("button", { name: "Select all shown" }).click()
    await bar.getByText("4 selected").waitFor()
    await bar.getByRole("button", { name: "Assign" }).click()
    const dialog = page.getByRole("dialog", { name: "Assign 4 leads" })
    assert.deepStrictEqual(await violations(page), [])
    await dialog.getByRole("button", { name: "Assign" }).click()
    await page.getByText("4 assigned to You").waitFor()

    await page.getByRole("checkbox", { name: "Select Ravi" }).click()
    await bar.getByRole("button", { name: "Snooze" }).click()
    await page.getByRole("button", { name: /In 1 hour/ }).click()
    await page.getByText(/^1 snoozed until/).waitFor()
    await leads.getByText("Ravi").waitFor({ state: "detached" })
    // Another view is another selection.
    await page.getByRole("checkbox", { name: "Select John" }).click()
    await page.getByRole("radio", { name: "Mine" }).check({ force: true })
    await bar.waitFor({ state: "detached" })
    await visit.end()
    await own.close()
  })

  it("an owner makes labels inline, an agent puts them on, and both see and find them", async () => {
    const other = new Chat()
    const own = await serve({ channels: [other.channel] })
    const merchant = await connected(own, other)
    const names = ["Asha", "Ravi", "Meera"]
    for (const [n, name] of names.entries())
      await other.says(own, `9198123000${51 + n}`, "Where is my order?", { name })
    const [owner, agent] = await Promise.all([
      Visit.signedIn(own, merchant),
      Visit.signedIn(own, merchant, { role: "AGENT" })
    ])
    const leadsOf = ({ page }: Visit) => page.getByRole("grid", { name: "Leads" })
    const row = (visit: Visit, name: string) => leadsOf(visit).getByRole("row").filter({ hasText: name })
    // An agent who types in a dialog without a control writes nothing to the customer behind it.
    await agent.go("/dashboard/inbox/1")
    await agent.page.getByRole("heading", { level: 2, name: "Asha" }).waitFor()
    await agent.page.keyboard.press("l")
    const empty = agent.page.getByRole("dialog", { name: "Labels" })
    await empty.getByRole("paragraph").waitFor()
    await agent.page.keyboard.type("vip customer")
    assert.isTrue(await empty.isVisible())
    await agent.page.keyboard.press("Escape")
    assert.strictEqual(await agent.page.getByRole("textbox", { name: "Message to the customer" }).inputValue(), "")

    const { page } = owner
    await owner.go("/dashboard/inbox/1")
    await page.getByRole("heading", { level: 2, name: "Asha" }).waitFor()
    await page.keyboard.press("l")
    const dialog = page.getByRole("dialog", { name: "Labels" })
    await dialog.getByText("No labels yet").waitFor()
    for (const [name, colour] of [
      ["VIP", "Purple"],
      ["Refund", "Red"]
    ] as const) {
      await dialog.getByRole("button", { name: "New label" }).click()
      await dialog.getByLabel("Name").fill(name)
      await dialog.getByRole("radio", { name: colour }).check()
      assert.deepStrictEqual(await violations(page), [])
      await page.keyboard.press("Enter")
      await dialog.getByRole("checkbox", { name, checked: true }).waitFor()
    }
    assert.deepStrictEqual(await violations(page), [])
    await dialog.getByRole("button", { name: "New label" }).click()
    await dialog.getByLabel("Name").fill("vip")
    owner.expect(/400/)
    await page.keyboard.press("Enter")
    await dialog.getByText(/already the name of another label/).waitFor()
    await dialog.getByRole("button", { name: "Cancel" }).click()
    await page.keyboard.press("Escape")
    await row(owner, "Asha").getByText("VIP").waitFor()

    // An agent labels several leads, and manages nothing.
    await agent.go("/dashboard/inbox/2")
    await row(agent, "Asha").getByText("Refund").waitFor()
    await agent.page.getByRole("checkbox", { name: "Select Ravi" }).click()
    await agent.page.getByRole("checkbox", { name: "Select Asha" }).click()
    const bar = agent.page.getByRole("group", { name: "Selected leads" })
    await bar.getByRole("button", { name: "Label" }).click()
    const labels = agent.page.getByRole("dialog", { name: "Labels of 2 leads" })
    const refund = labels.getByRole("checkbox", { name: "Refund" })
    await refund.waitFor()
    assert.isTrue(await refund.evaluate((box: HTMLInputElement) => box.indeterminate))
    await refund.click()
    await labels.getByRole("checkbox", { name: "Refund", checked: true }).waitFor()
    assert.strictEqual(await labels.getByRole("button", { name: /New label|Edit/ }).count(), 0)
    assert.deepStrictEqual(await violations(agent.page), [])
    await agent.page.keyboard.press("Escape")

    // The owner sees it live, and finds the leads by their label.
    await row(owner, "Ravi").getByText("Refund").waitFor()
    await page.getByRole("combobox", { name: "Labels" }).selectOption({ label: "VIP" })
    await row(owner, "Ravi").waitFor({ state: "detached" })
    await row(owner, "Asha").waitFor()
    await page.getByLabel("Search leads").fill("label:ref")
    await page.getByText("All leads with the label Refund").waitFor()
    await row(owner, "Ravi").waitFor()
    assert.strictEqual(await row(owner, "Meera").count(), 0)
    assert.deepStrictEqual(await violations(page), [])

    // A new name is everywhere at once, and a removed label nowhere.
    await page.keyboard.press("Escape")
    await owner.go("/dashboard/inbox/1")
    await page.getByRole("button", { name: "Label", exact: true }).click()
    await dialog.getByRole("button", { name: "Edit: Refund" }).click()
    await dialog.getByLabel("Name").fill("Money back")
    await page.keyboard.press("Enter")
    await dialog.getByRole("checkbox", { name: "Money back" }).waitFor()
    await row(owner, "Ravi").getByText("Money back").waitFor()
    await dialog.getByRole("button", { name: "Edit: VIP" }).click()
    await dialog.getByRole("button", { name: "Remove label" }).click()
    await dialog.getByText("goes from every lead").waitFor()
    await dialog.getByRole("button", { name: "Remove" }).click()
    await dialog.getByRole("checkbox", { name: "VIP" }).waitFor({ state: "detached" })
    await page.keyboard.press("Escape")
    await row(owner, "Asha").getByText("VIP").waitFor({ state: "detached" })
    await page.getByText(/^Labelled VIP, by/).waitFor()
    await Promise.all([owner.end(), agent.end()])
    await own.close()
  })

  it("answering takes the lead, Ctrl+Enter closes it and goes to the next, and m assigns to me", async () => {
    const other = new Chat()
    const own = await serve({ channels: [other.channel] })
    const merchant = await connected(own, other)
    await other.says(own, "919812300021", "Is this still available?", { name: "Asha" })
    await other.says(own, "919812300022", "Do you ship to Pune?", { name: "Ravi" })
    await other.says(own, "919812300023", "Thanks!", { name: "Meera" })
    const visit = await Visit.signedIn(own, merchant)
    const { page } = visit
    const heading = (name: string) => page.getByRole("heading", { level: 2, name }).waitFor()
    // One press on the overview shows who waits longest.
    await visit.go("/dashboard")
    await page.getByRole("listitem").filter({ hasText: "3 customers" }).getByRole("link").click()
    await page.getByRole("grid", { name: "Leads" }).getByRole("link").first().waitFor()
    assert.strictEqual(await page.getByRole("grid", { name: "Leads" }).getByRole("link").first().innerText(), "Asha")
    await page.keyboard.press("j")
    await heading("Asha")
    await page.keyboard.press("r")
    await page.keyboard.type("Yes, until Friday.")
    await page.keyboard.press("Control+Enter")
    await heading("Ravi")
    assert.strictEqual(other.sent.at(-1)?.text, "Yes, until Friday.")
    const [first] = (await merchant.live.get("/v1/dashboard/leads?status=CLOSED")).body.items
    assert.deepInclude(first, { name: "Asha", status: "CLOSED", waitingSince: null })
    assert.isString(first.assignedTo)
    await page.keyboard.press("m")
    await page.getByRole("complementary", { name: "Lead details" }).getByText("You self-assigned this lead").waitFor()
    await page.keyboard.press("e")
    await heading("Meera")
    await visit.end()
    await own.close()
  })

  it("Undo restores a removed saved reply while its dialog is open", async () => {
    const other = new Chat()
    const own = await serve({ channels: [other.channel] })
    const merchant = await connected(own, other)
    await other.says(own, "919812300009", "When does it ship?", { name: "Asha" })
    await merchant.live.post("/v1/dashboard/saved-replies", { name: "Shipping", text: "We ship within two days." })
    const visit = await Visit.signedIn(own, merchant)
    const { page } = visit
    await visit.go("/dashboard/inbox/1")
    await page.getByLabel("Message to the customer").waitFor()
    await page.keyboard.press("/")
    await page.getByRole("button", { name: "Manage saved replies" }).click()
    const dialog = page.getByRole("dialog", { name: "Saved replies" })
    await dialog.getByRole("button", { name: "Remove: Shipping" }).click()
    await dialog.getByText("Shipping").waitFor({ state: "detached" })
    await dialog.getByRole("button", { name: "Undo" }).click()
    await dialog.getByText("We ship within two days.").waitFor()
    await visit.end()
    await own.close()
  })

  it("a long saved reply leaves the Send button visible, and the form of a new one takes the focus", async () => {
    const other = new Chat()
    const own = await serve({ channels: [other.channel] })
    const merchant = await connected(own, other)
    await other.says(own, "919812300010", "When does it ship?", { name: "Asha" })
    await merchant.live.post("/v1/dashboard/saved-replies", {
      name: "Long",
      text: "We ship within two days. ".repeat(20)
    })
    const visit = await Visit.signedIn(own, merchant)
    const { page } = visit
    await visit.go("/dashboard/inbox/1")
    await page.getByLabel("Message to the customer").waitFor()
    await page.keyboard.press("/")
    await page.getByRole("option", { name: /Long/ }).waitFor()
    const send = await page.getByRole("button", { name: "Send", exact: true }).boundingBox()
    const details = await page.getByRole("complementary", { name: "Lead details" }).boundingBox()
    assert.isAtMost((send?.x ?? 0) + (send?.width ?? 0), details?.x ?? 0)
    await page.getByRole("button", { name: "Manage saved replies" }).click()
    const dialog = page.getByRole("dialog", { name: "Saved replies" })
    await dialog.getByRole("button", { name: "New saved reply" }).press("Enter")
    await page.keyboard.type("Thanks")
    assert.strictEqual(await dialog.getByLabel("Name").inputValue(), "Thanks")
    await visit.end()
    await own.close()
  })

  it("hostile messages stay text, and a phone shows one pane at a time with a way back", async () => {
    const other = new Chat()
    const own = await serve({ channels: [other.channel] })
    const merchant = await connected(own, other)
    await other.says(own, "919812300002", `<img src=x onerror=alert(1)> ${hostile.slice(0, 3_000)}`, { name: hostile })
    const media = { id: "1", mimeType: "image/png", fileName: null, size: 70 }
    await other.says(own, "919812300002", null, { type: "image", media })
    const file = { id: "gone", mimeType: "application/pdf", fileName: `\u202Efdp.exe${"x".repeat(500)}`, size: 10 }
    await other.says(own, "919812300002", null, { type: "document", media: file })
    const visit = await Visit.signedIn(own, merchant, {
      role: "AGENT",
      hasTouch: true
    })
    const { page } = visit
    await page.setViewportSize({ width: 390, height: 844 })
    await visit.go("/dashboard/inbox")
    const leads = page.getByRole("grid", { name: "Leads" })
    await leads.getByRole("link").click()
    await page.getByRole("img", { name: "Picture from the customer" }).waitFor()
    assert.isFalse(await leads.isVisible())
    assert.include(await page.getByRole("group", { name: "Conversation" }).innerText(), "<img src=x onerror")
    for (const width of [320, 390, 700, 1280]) assert.deepStrictEqual(await visit.sticksOut(width), [], `${width} px`)
    assert.deepStrictEqual(await violations(page), [])
    visit.expect(/status of 404/)
    await page.getByRole("button", { name: /^Open in a new tab/ }).click()
    await page.getByText("WhatsApp no longer has this file.").waitFor()

    await page.getByRole("button", { name: "Lead details" }).click()
    await page.getByText("+919812300002").waitFor()
    await page.getByRole("button", { name: "Conversation" }).click()
    await page.getByLabel("Message to the customer").fill("Hello")
    await page.getByRole("button", { name: "Send", exact: true }).click()
    await page.getByText("delivered").waitFor()
    assert.strictEqual(other.sent.at(-1)?.text, "Hello")
    await page.getByRole("link", { name: "Leads" }).click()
    await page.getByRole("heading", { name: "No customers are waiting for a reply" }).waitFor()
    await page.getByRole("button", { name: "Show all leads" }).click()
    await leads.getByRole("link").waitFor()
    await visit.end()
    await own.close()
  })

  it("two agents at one lead see each other, and a viewer sees masks and no composer", async () => {
    const other = new Chat()
    const own = await serve({ channels: [other.channel] })
    const merchant = await connected(own, other)
    await other.says(own, "919812300003", "Call me: +919812300003", { name: "Ravi" })
    const [first, second, viewer] = await Promise.all([
      Visit.signedIn(own, merchant, { role: "AGENT" }),
      Visit.signedIn(own, merchant, { role: "AGENT" }),
      Visit.signedIn(own, merchant, { role: "VIEWER" })
    ])
    await second.go("/dashboard/inbox/1")
    await first.go("/dashboard/inbox/1")
    await first.page.getByText(/is also viewing this$/).waitFor()
    // A name that a team member chooses replaces the beginning of the address, for the others too.
    await second.page.getByRole("button", { name: "Notifications" }).click()
    await second.page.getByLabel("Your name").fill("Meera Rao")
    await second.page.keyboard.press("Enter")
    await second.page.getByText("Name saved").waitFor()
    await second.page.keyboard.press("Escape")
    await first.page.reload()
    await first.page.getByText("Meera Rao is also viewing this").waitFor()
    await second.page.getByLabel("Message to the customer").fill("I will")
    await first.page.getByText(/is writing$/).waitFor()

    await first.page.keyboard.press("a")
    await first.page
      .getByRole("dialog")
      .getByRole("option", { name: /^Meera Rao \(.+\) · 0 open$/ })
      .waitFor()
    await first.page.getByRole("dialog").getByLabel("Assignee").focus()
    await first.page.keyboard.press("Home")
    await first.page.keyboard.press("Enter")
    await first.page.getByText("You self-assigned this lead").waitFor()
    await first.page.keyboard.press("r")
    await first.page.keyboard.type("Of course")
    await first.page.keyboard.press("Enter")
    const talk = second.page.getByRole("group", { name: "Conversation" })
    await talk.getByText("Of course").waitFor()
    await second.page.getByText(/self-assigned this lead$/).waitFor()
    // Input stays while other data changes.
    assert.strictEqual(await second.page.getByLabel("Message to the customer").inputValue(), "I will")

    await viewer.go("/dashboard/inbox/1")
    const seen = viewer.page.getByRole("group", { name: "Conversation" })
    await seen.getByText("Call me:").waitFor()
    assert.notInclude(await viewer.page.innerText("main"), "919812300003")
    assert.strictEqual(await viewer.page.getByRole("textbox", { name: "Message to the customer" }).count(), 0)
    await viewer.page.keyboard.press("e")
    await viewer.page.getByRole("status").getByText("Only agents, admins and owners can do this.").waitFor()
    // A search that the service does not run says so, because the list below it is not its result.
    const search = viewer.page.getByRole("searchbox", { name: "Search leads" })
    await search.fill("98123000")
    await viewer.page.getByText("Not searched yet. Enter 2 letters, the last 4 digits, or the whole number.").waitFor()
    await search.fill("0003")
    await viewer.page.getByText("Searches all leads, open and closed.").waitFor()
    await viewer.settled()
    assert.strictEqual(await viewer.page.getByRole("grid", { name: "Leads" }).getByRole("link").count(), 1)
    await search.fill("Nobody")
    await viewer.page.getByRole("heading", { name: "No matching leads" }).waitFor()
    await search.fill("")
    await viewer.page.getByText("Searches all leads, open and closed.").waitFor({ state: "detached" })
    for (const visit of [first, second, viewer]) await visit.end()
    await own.close()
  })

  it("a campaign shows every invalid line, skips those that stay wrong, survives a reload, and shows its progress", async () => {
    const merchant = await service.merchant({ prices: { SMS: 20 }, billing: "PREPAID" })
    await merchant.test.post("/v1/dashboard/balance/top-ups", { amount: 30 })
    const body = "Hi {{first_name}}, {{brand}} is open on Sunday."
    await merchant.test.post("/v1/dashboard/templates", { name: "offer", channel: "SMS", purpose: "MESSAGE", body })
    const visit = await Visit.signedIn(service, merchant)
    const { page } = visit
    await visit.go("/dashboard/test/campaigns")
    await page.getByRole("heading", { name: "No campaigns yet" }).waitFor()
    await page.keyboard.press("c")
    await page.getByLabel("Name").fill("Sunday")
    await page.getByRole("radio", { name: "SMS" }).focus()
    await page.keyboard.press("ArrowRight")
    await page.getByRole("radio", { name: "SMS" }).check({ force: true })
    await page.getByLabel("Template").selectOption({ label: "offer" })
    await page.getByRole("button", { name: "Continue" }).click()
    const list = page.getByLabel("Or paste the list")
    await list.fill("phone,First Name,extra\n9876543210,Asha,1\n98765 43210,Asha,1\n12,Ravi,1\n+919876543211,,1\n")
    await page.reload()
    await page.getByText("4 recipients").waitFor()
    assert.deepStrictEqual(await visit.sticksOut(1280), [])
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByText("2 lines are not valid").waitFor()
    const wrong = page.getByRole("table", { name: "Invalid lines" })
    assert.deepStrictEqual(
      (await wrong.getByRole("row").allInnerTexts()).slice(1).map((row) => row.split(/\s+/).slice(0, 3).join(" ")),
      ["4 phone must", "5 First Name"]
    )
    await page.getByText("Columns not used by the template: extra").waitFor()
    await page.getByText("Hi Asha, Acme is open on Sunday.").waitFor()
    const on = page.getByRole("button", { name: "Continue", exact: true })
    assert.strictEqual(await on.getAttribute("aria-disabled"), "true")
    assert.deepStrictEqual(await violations(page), [])

    // One line is corrected where it stands, and the rest of the list stays as it is.
    const cell = page.getByLabel("Value of line 4, phone")
    assert.strictEqual(await cell.inputValue(), "12")
    await cell.fill("+919876540000")
    assert.deepStrictEqual(await visit.sticksOut(390), [])
    await page.keyboard.press("Enter")
    await page.getByText("1 line is not valid").waitFor()
    assert.deepStrictEqual(await violations(page), [])
    const saved = page.waitForEvent("download")
    await page.getByRole("button", { name: "Download invalid lines" }).click()
    const file = await readFile(await (await saved).path(), "utf8")
    assert.strictEqual(
      file,
      '\uFEFFline,reason,phone,First Name,extra\r\n5,"First Name is empty; fill it in, or remove the line",+919876543211,,1\r\n'
    )
    await page.getByText(/Insufficient balance/).waitFor()
    // The other line is left out. Only the steps before this one are ticked off.
    await page.getByRole("button", { name: "Skip this line and continue with 2" }).click()
    await page.getByText("1 invalid line is skipped.").waitFor()
    assert.deepStrictEqual(await page.getByRole("navigation", { name: "Steps" }).getByRole("button").allInnerTexts(), [
      "✓\nMessage",
      "✓\nRecipients",
      "✓\nCheck",
      "4\nStart"
    ])
    await page.getByRole("button", { name: "Send to 2 recipients" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Send to 2 recipients" }).click()
    await page.getByRole("heading", { level: 2, name: "Sunday" }).waitFor()
    await page.getByText("Insufficient balance.").waitFor()
    await merchant.test.post("/v1/dashboard/balance/top-ups", { amount: 100 })
    await page.getByRole("button", { name: "Resume" }).click()
    await page.getByText("Done", { exact: true }).waitFor()
    await page.getByText("2 of 2").waitFor()
    await page.getByText("1 invalid line of the list was skipped.").waitFor()
    const numbers = page.getByRole("table", { name: "Recipients" }).getByRole("row")
    assert.deepStrictEqual(
      (await numbers.allInnerTexts()).slice(1).map((row) => row.split(/\s+/)[0]),
      ["2", "4"]
    )
    // Every row says at what time of day its message was sent.
    for (const row of (await page.getByRole("table", { name: "Recipients" }).getByRole("row").all()).slice(1))
      assert.match(await row.innerText(), /\d:\d\d:\d\d/)
    await page.getByLabel("Recipient status").selectOption({ label: "Failed" })
    await page.getByRole("table", { name: "Recipients" }).getByText("+919876540000").waitFor()
    assert.deepStrictEqual(await visit.sticksOut(320), [])
    assert.deepStrictEqual(await violations(page), [])

    await visit.go("/dashboard/test/campaigns?view=optOuts")
    await page.getByLabel("Number", { exact: true }).fill("+919876543210")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Remove opt-out: +919876543210" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Remove opt-out" }).click()
    await page.getByRole("heading", { name: "No opt-outs yet" }).waitFor()
    await visit.end()
  })
})
