import { ChannelError, Unavailable } from "@countersign/core/channel"
import { Effect } from "effect"
import { type AddressInfo, connect, createServer } from "node:net"
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Dashboard, invited } from "../../server/test/fixture/Dashboard.ts"
import { type SimulatedWhatsApp, simulatedWhatsApp } from "../../server/test/fixture/SimulatedWhatsApp.ts"
import type { Merchant, Service } from "../../server/test/fixture/Service.ts"
import { until } from "../../server/test/fixture/Until.ts"
import { violations } from "./fixture/axe.ts"
import { Chat } from "./fixture/Chat.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

/** A picture of one pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64"
)
const pdf = Buffer.from("%PDF-1.7\n%%EOF\n")
const aFile = (name: string, buffer: Buffer, mimeType = "application/octet-stream") => ({ name, mimeType, buffer })

const partsOf = (page: Page) => ({
  field: page.getByLabel("Message to the customer"),
  chip: page.getByRole("group", { name: "Attached file" }),
  talk: page.getByRole("group", { name: "Conversation" }),
  composer: page.getByRole("region", { name: "Reply" }),
  attach: page.getByRole("button", { name: "Attach a file" })
})

/** Chooses a file with the button, as a user does. */
const choose = async (page: Page, file: ReturnType<typeof aFile> | ReadonlyArray<ReturnType<typeof aFile>>) => {
  const opened = page.waitForEvent("filechooser")
  await partsOf(page).attach.click()
  const chooser = await opened
  await chooser.setFiles(file as Parameters<typeof chooser.setFiles>[0])
}

/** A relay in front of a service, which can lose an answer after the service has carried out the request. */
const lossyRelay = async (target: string) => {
  let lost: string | null = null
  const relay = createServer((client) => {
    const server = connect(Number(new URL(target).port), "127.0.0.1")
    let isLost = false
    client.on("data", (data) => {
      if (lost !== null && data.toString("latin1").split("\r\n", 1)[0]!.includes(lost)) [isLost, lost] = [true, null]
      server.write(data)
    })
    // The end of the answer is missing. Without a byte of it, a browser would repeat the request by itself.
    server.on("data", (data) => (isLost ? client.end(data.subarray(0, -10)) : client.write(data)))
    for (const [from, to] of [
      [client, server],
      [server, client]
    ] as const) {
      from.on("error", () => to.destroy())
      from.on("close", () => to.destroy())
    }
  })
  await new Promise<void>((ready) => relay.listen(0, "127.0.0.1", () => ready()))
  const { port } = relay.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    loseAnswerTo: (path: string) => void (lost = path),
    close: () => void relay.close()
  }
}

/** Pastes into the focused field, or drops onto an element. */
const hand = (
  page: Page,
  how: "paste" | "drop",
  selector: string,
  file: { name: string; bytes: Buffer; type: string }
) =>
  page.evaluate(
    ([how, selector, name, bytes, type]) => {
      const data = new DataTransfer()
      data.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name, { type }))
      const target = document.querySelector(selector)!
      const options = { bubbles: true, cancelable: true }
      if (how === "paste") return target.dispatchEvent(new ClipboardEvent("paste", { ...options, clipboardData: data }))
      target.dispatchEvent(new DragEvent("dragover", { ...options, dataTransfer: data }))
      return target.dispatchEvent(new DragEvent("drop", { ...options, dataTransfer: data }))
    },
    [how, selector, file.name, file.bytes.toString("base64"), file.type] as const
  )

describe.skipIf("skipped" in browser)("a file in a reply, in a browser", () => {
  describe("in front of the WhatsApp simulator", () => {
    let meta: SimulatedWhatsApp
    let service: Service
    let merchant: Merchant

    beforeAll(async () => {
      meta = await simulatedWhatsApp()
      service = await serve({ channels: [meta.channel] })
      await meta.callsTo(service)
      merchant = await service.merchant()
      await meta.says("+919812345678", "Can you send the price list?")
      await until(
        () => merchant.live.get("/v1/dashboard/leads"),
        ({ body }) => body.items.length === 1,
        { what: "the lead" }
      )
    })
    afterAll(async () => {
      await service?.close()
      await meta.close()
    })

    it("an agent attaches a PDF, pastes and drops pictures, and the customer gets each of them once", async () => {
      const visit = await Visit.signedIn(service, merchant, { role: "AGENT" })
      const { page } = visit
      await visit.go("/dashboard/inbox/1")
      const { chip, field, talk } = partsOf(page)

      await choose(page, aFile("Price list.pdf", pdf))
      await chip.getByText("Price list.pdf").waitFor()
      // The focus is in the text again, and nothing was sent to WhatsApp yet.
      assert.strictEqual(await field.evaluate((area) => area === document.activeElement), true)
      assert.strictEqual(await meta.uploads(), 0)
      assert.deepStrictEqual(await violations(page), [])
      for (const width of [320, 390, 1280]) assert.deepStrictEqual(await visit.sticksOut(width), [], `${width} px`)
      await page.keyboard.type("Prices of January")
      await page.keyboard.press("Enter")
      await talk.getByRole("button", { name: /Price list\.pdf/ }).waitFor()
      await chip.waitFor({ state: "detached" })
      assert.strictEqual(await field.inputValue(), "")

      await field.focus()
      await hand(page, "paste", ".composer textarea", { name: "image.png", bytes: png, type: "image/png" })
      await chip.locator("img").waitFor()
      assert.deepStrictEqual(await violations(page), [])
      // A picture needs no caption.
      await page.keyboard.press("Enter")
      await talk.locator(".lead-picture img").waitFor()

      await hand(page, "drop", ".talk", { name: "shop.png", bytes: png, type: "image/png" })
      await chip.getByText("shop.png").waitFor()
      await page.getByRole("button", { name: "Remove shop.png" }).press("Enter")
      await chip.waitFor({ state: "detached" })
      assert.strictEqual(await field.evaluate((area) => area === document.activeElement), true)
      await hand(page, "drop", ".talk", { name: "shop.png", bytes: png, type: "image/png" })
      await chip.getByText("shop.png").waitFor()
      await page.getByRole("button", { name: "Send", exact: true }).click()
      await chip.waitFor({ state: "detached" })

      const sent = await until(meta.messages, (all) => all.length === 3, { what: "three messages" })
      assert.deepStrictEqual(
        sent.map(({ payload }) => payload["type"]),
        ["document", "image", "image"]
      )
      assert.deepInclude(sent[0]!.payload["document"], { caption: "Prices of January", filename: "Price list.pdf" })
      assert.strictEqual(await meta.uploads(), 3)
      await visit.end()
    })

    it("the page refuses a file that WhatsApp cannot send, and says why beside the field", async () => {
      const visit = await Visit.signedIn(service, merchant, { role: "AGENT" })
      const { page } = visit
      await visit.go("/dashboard/inbox/1")
      const { chip, composer, field } = partsOf(page)
      const before = await meta.uploads()
      await field.fill("Here it is")
      const refusal = composer.getByRole("alert")
      for (const [file, words] of [
        [aFile("photo.jpg", Buffer.from("<script>alert(1)</script>"), "image/jpeg"), /cannot send this type of file/],
        [aFile("nothing.pdf", Buffer.alloc(0)), /is empty/],
        [aFile("large.png", Buffer.concat([png, Buffer.alloc(5_000_000)])), /A picture can have at most 5\s?MB/],
        [aFile("film.mp4", Buffer.alloc(16_000_001)), /A file can have at most 16\s?MB/]
      ] as const) {
        await choose(page, file)
        await refusal.getByText(words).waitFor()
        assert.strictEqual(await chip.count(), 0)
      }
      assert.deepStrictEqual(await violations(page), [])
      await page.getByRole("radio", { name: "Note" }).click()
      await page.getByLabel(/Private note/).fill("Bargains hard")
      await hand(page, "drop", ".talk", { name: "shop.png", bytes: png, type: "image/png" })
      await page.getByText("A private note cannot carry a file.").waitFor()
      assert.strictEqual(await chip.count(), 0)
      await page.getByRole("radio", { name: "Reply" }).click()
      assert.strictEqual(await field.inputValue(), "Here it is")
      await choose(page, aFile("voice.mp3", Buffer.from("ID3\u0004\0\0\0\0\0\0", "latin1")))
      await chip.getByText("voice.mp3").waitFor()
      assert.include(await page.getByRole("button", { name: "Send", exact: true }).getAttribute("title"), "no caption")
      assert.strictEqual(await meta.uploads(), before)
      await visit.end()
    })
  })

  describe("in front of a provider that fails", () => {
    const chat = new Chat()
    let service: Service
    let merchant: Merchant
    beforeAll(async () => {
      service = await serve({ channels: [chat.channel] })
      merchant = await service.merchant()
      const { status, text } = await merchant.live.post("/v1/dashboard/whatsapp/connect", {
        phoneNumberId: chat.number,
        wabaId: "202290129340398",
        accessToken: "good"
      })
      assert.strictEqual(status, 201, text)
      await chat.says(service, "919812300001", "The bill?", { name: "Asha" })
      await chat.says(service, "919812300002", "Hello?", { name: "Ravi" })
    })
    afterAll(() => service?.close())

    it("a failed or cancelled upload keeps the file and its caption, and sending again sends it once", async () => {
      const visit = await Visit.signedIn(service, merchant, { role: "AGENT" })
      const { page } = visit
      await visit.go("/dashboard/inbox/1")
      const { attach, chip, composer, field, talk } = partsOf(page)
      await choose(page, aFile("bill.pdf", pdf))
      await chip.waitFor()
      await field.fill("Your bill")

      visit.expect(/50\d/)
      chat.onUpload = Effect.fail(
        new ChannelError({ channel: "WHATSAPP", reason: new Unavailable({ providerCode: "131000" }) })
      )
      await field.press("Enter")
      await composer
        .getByRole("alert")
        .getByText(/did not return or accept the file/)
        .waitFor()
      assert.strictEqual(await field.inputValue(), "Your bill")
      assert.strictEqual(await chip.count(), 1)

      chat.onUpload = Effect.never
      await field.press("Enter")
      await page.getByRole("progressbar", { name: "Uploading bill.pdf" }).waitFor()
      assert.strictEqual(await attach.getAttribute("aria-disabled"), "true")
      assert.deepStrictEqual(await violations(page), [])
      // A second press sends nothing else.
      await field.press("Enter")
      await page.getByRole("button", { name: "Cancel upload" }).click()
      await composer.getByText("Upload cancelled. The file is still attached.").waitFor({ state: "attached" })
      assert.strictEqual(await field.inputValue(), "Your bill")

      chat.onUpload = Effect.void
      await field.press("Enter")
      await talk.getByRole("button", { name: /bill\.pdf/ }).waitFor()
      await chip.waitFor({ state: "detached" })
      await until(
        () => Promise.resolve(chat.sent),
        (sent) => sent.length === 1,
        { what: "the message" }
      )
      assert.deepInclude(chat.sent[0]!, { text: "Your bill" })
      assert.deepInclude(chat.sent[0]!.media, { kind: "document", fileName: "bill.pdf" })
      assert.strictEqual(await field.inputValue(), "")
      await visit.end()
    })

    it("a file stays with its own lead, and an upload goes on while the agent reads another one", async () => {
      const before = chat.sent.length
      const visit = await Visit.signedIn(service, merchant, { role: "AGENT" })
      const { page } = visit
      await visit.go("/dashboard/inbox/1")
      const { chip, field } = partsOf(page)
      await choose(page, aFile("map.png", png))
      await chip.waitFor()
      await field.fill("The way to us")
      let release: (() => void) | undefined
      chat.onUpload = Effect.callback<void>((resume) => {
        release = () => resume(Effect.void)
      })
      await field.press("Enter")
      await page.getByRole("progressbar").waitFor()
      await visit.go("/dashboard/inbox/2")
      await page.getByRole("heading", { level: 2, name: "Ravi" }).waitFor()
      assert.strictEqual(await chip.count(), 0)
      assert.strictEqual(await field.inputValue(), "")
      await hand(page, "drop", ".talk", { name: "run.png", bytes: Buffer.from("MZ\0\0"), type: "image/png" })
      await page.getByText(/cannot send this type of file/).waitFor()
      await visit.go("/dashboard/inbox/1")
      await page.getByRole("progressbar").waitFor()
      await until(
        () => Promise.resolve(release),
        (ready) => ready !== undefined,
        { what: "the upload" }
      )
      release?.()
      await chip.waitFor({ state: "detached" })
      await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>(".composer textarea")?.value === "")
      await until(
        () => Promise.resolve(chat.sent.slice(before)),
        (sent) => sent.length === 1,
        { what: "the message" }
      )
      chat.onUpload = Effect.void
      await visit.end()
    })

    it("a file waits while a colleague's fills the memory for uploads, and is then sent without another press", async () => {
      const before = chat.sent.length
      const large = Buffer.concat([pdf, Buffer.alloc(10_000_000)])
      let release: (() => void) | undefined
      chat.onUpload = Effect.callback<void>((resume) => {
        release = () => resume(Effect.void)
      })
      const colleague = new Dashboard(service)
      await colleague.post("/sessions/redeem", { token: (await invited(merchant, { role: "AGENT" })).token })
      const theirs = colleague.send({
        method: "POST",
        path: "/v1/dashboard/leads/2/media",
        headers: { "content-type": "application/octet-stream", "x-environment": "live" },
        body: large
      })
      await until(
        () => Promise.resolve(release),
        (ready) => ready !== undefined,
        { what: "the colleague's upload" }
      )
      const visit = await Visit.signedIn(service, merchant, { role: "AGENT" })
      const { page } = visit
      visit.expect(/429/)
      await visit.go("/dashboard/inbox/1")
      const { chip, field } = partsOf(page)
      await choose(page, aFile("catalogue.pdf", large))
      await chip.waitFor()
      const busy = page.waitForResponse((response) => response.status() === 429)
      await field.press("Enter")
      await busy
      chat.onUpload = Effect.void
      release?.()
      assert.strictEqual((await theirs).status, 201)
      await chip.waitFor({ state: "detached" })
      await until(
        () => Promise.resolve(chat.sent.slice(before)),
        (sent) => sent.length === 1,
        { what: "the message" }
      )
      await visit.end()
    })

    it("a reply whose answer was lost is sent again with one press, and reaches the customer once", async () => {
      const before = chat.sent.length
      const relay = await lossyRelay(service.url())
      const through = Object.assign(Object.create(service) as Service, { url: () => relay.url })
      const visit = await Visit.signedIn(through, merchant, { role: "AGENT" })
      const { page } = visit
      visit.expect(/ERR_|Failed to load resource/)
      await visit.go("/dashboard/inbox/2")
      const { chip, composer, field } = partsOf(page)
      await choose(page, aFile("once.pdf", pdf))
      await chip.waitFor()
      relay.loseAnswerTo("/reply")
      await field.press("Enter")
      await composer.getByRole("alert").waitFor()
      assert.strictEqual(await chip.count(), 1)
      await field.press("Enter")
      await chip.waitFor({ state: "detached" })
      await field.fill("After it")
      await field.press("Enter")
      await until(
        () => Promise.resolve(chat.sent.slice(before)),
        (sent) => sent.some(({ text }) => text === "After it"),
        { what: "the next message" }
      )
      assert.strictEqual(chat.sent.slice(before).filter(({ media }) => media !== null).length, 1)
      await visit.end()
      relay.close()
    })

    it("in Hindi, the button, the file and a refusal have words", async () => {
      const visit = await Visit.signedIn(service, merchant, { role: "AGENT", locale: "hi-IN" })
      const { page } = visit
      await visit.go("/dashboard/inbox/2")
      const opened = page.waitForEvent("filechooser")
      await page.getByRole("button", { name: "फ़ाइल जोड़ें" }).click()
      await (await opened).setFiles(aFile("bill.exe", Buffer.from("MZ\0\0")))
      await page.getByText(/इस प्रकार की फ़ाइल नहीं भेज सकता/).waitFor()
      await visit.end()
    })
  })

  it("without a provider that sends files, there is no button, and a dropped file does not open", async () => {
    const chat = new Chat()
    const { upload: _, ...accounts } = chat.channel.accounts!
    const service = await serve({ channels: [{ ...chat.channel, accounts }] })
    const merchant = await service.merchant()
    await merchant.live.post("/v1/dashboard/whatsapp/connect", {
      phoneNumberId: chat.number,
      wabaId: "202290129340398",
      accessToken: "good"
    })
    await chat.says(service, "919812300001", "The bill?", { name: "Asha" })
    const visit = await Visit.signedIn(service, merchant, { role: "AGENT" })
    const { page } = visit
    await visit.go("/dashboard/inbox/1")
    await partsOf(page).field.waitFor()
    assert.strictEqual(await partsOf(page).attach.count(), 0)
    assert.isFalse(await hand(page, "drop", ".talk", { name: "shop.png", bytes: png, type: "image/png" }))
    assert.strictEqual(await partsOf(page).chip.count(), 0)
    await visit.end()
    await service.close()
  })
})
