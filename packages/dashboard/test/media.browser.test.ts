import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Merchant, Service } from "../../server/test/fixture/Service.ts"
import { violations } from "./fixture/axe.ts"
import { Chat } from "./fixture/Chat.ts"
import { silence } from "./fixture/silence.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

describe.skipIf("skipped" in browser)("files in the inbox", () => {
  let service: Service
  let merchant: Merchant
  const chat = new Chat()
  beforeAll(async () => {
    service = await serve({ channels: [chat.channel] })
    merchant = await service.merchant()
    const { status, text } = await merchant.live.post("/v1/dashboard/whatsapp/connect", {
      phoneNumberId: chat.number,
      wabaId: "202290129340398",
      accessToken: "good"
    })
    assert.strictEqual(status, 201, text)
  })
  afterAll(() => service?.close())

  const file = (type: "audio" | "document" | "image" | "video", id: string, mimeType: string, size = 1_000) =>
    chat.says(service, "919812300001", null, {
      type,
      name: "Asha",
      media: { id, mimeType, fileName: type === "document" ? `${id}.file` : null, size }
    })

  it("a voice note plays and seeks in the conversation, and a video loads when the user asks for it", async () => {
    const bytes = silence(4)
    chat.files.set("voice", { mimeType: "audio/ogg; codecs=opus", bytes })
    chat.files.set("film", { mimeType: "video/mp4", bytes: new Uint8Array(1_000) })
    await file("audio", "voice", "audio/ogg; codecs=opus", bytes.length)
    await file("video", "film", "video/mp4", 3_000_000)
    const visit = await Visit.signedIn(service, merchant, { role: "AGENT" })
    const { page } = visit
    await visit.go("/dashboard/inbox/1")
    const voice = page.locator("audio")
    await voice.waitFor()
    assert.strictEqual(await voice.getAttribute("aria-label"), "Voice message")
    const seeked = await voice.evaluate(async (audio: HTMLAudioElement) => {
      if (audio.readyState < 1) await new Promise((loaded) => audio.addEventListener("loadedmetadata", loaded))
      audio.currentTime = 2
      await new Promise((done) => audio.addEventListener("seeked", done, { once: true }))
      return [Math.round(audio.duration), Math.round(audio.currentTime)]
    })
    assert.deepStrictEqual(seeked, [4, 2])
    assert.strictEqual(await page.locator("video").count(), 0)
    assert.deepStrictEqual(await violations(page), [])
    for (const width of [320, 1280]) assert.deepStrictEqual(await visit.sticksOut(width), [], `${width} px`)
    // These bytes are no video, so the file is offered as a download.
    await page.getByRole("button", { name: /^Play: Video/ }).click()
    await page.getByRole("button", { name: /^Download/ }).waitFor()
    await visit.end()
  })

  it("a PDF opens in its own tab, and no file of a customer becomes a page", async () => {
    const page = new TextEncoder().encode("<script>opener.document.title = 'owned'</script><h1>owned</h1>")
    for (const id of ["bill", "drawing", "photo", "letter"]) chat.files.set(id, { mimeType: "text/html", bytes: page })
    await file("document", "bill", "application/pdf")
    await file("document", "drawing", "image/svg+xml")
    await file("document", "letter", "text/html")
    await file("image", "photo", "image/png")
    const visit = await Visit.signedIn(service, merchant, { role: "AGENT" })
    await visit.go("/dashboard/inbox/1")
    const talk = visit.page.getByRole("group", { name: "Conversation" })
    // WhatsApp answers with a page where it promised a picture.
    await talk.getByText("WhatsApp no longer has this file.").waitFor()
    assert.strictEqual(await talk.getByRole("button", { name: /^Download (drawing|letter)\.file/ }).count(), 2)
    // The browser of the tests has no PDF viewer: it saves the file instead of showing it.
    const saved = visit.page.waitForEvent("popup").then((tab) => tab.waitForEvent("download"))
    await talk.getByRole("button", { name: /bill\.file/ }).click()
    assert.match((await saved).url(), /^blob:/)
    assert.notInclude(await visit.page.title(), "owned")
    await visit.end()
  })
})
