import { type Channel, ChannelError, Refused } from "@countersign/core/channel"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Service } from "../../server/test/fixture/Service.ts"
import { Receiver } from "../../server/test/fixture/Receiver.ts"
import { until } from "../../server/test/fixture/Until.ts"
import { routes, to } from "../src/address/paths.ts"
import { Chat } from "./fixture/Chat.ts"
import { callOf } from "./fixture/full.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

const wide = "W".repeat(10_000)
const backwards = "\u202Egnp.exe\u2066\u2067\u200F"
const towers = `Z${"\u0335\u0489\u0300".repeat(60)}`
const invisible = "\u200B\u200C\u200D\u2060\uFEFF\u00AD"
const emoji = "👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿🇮🇳✊🏿"
const markup =
  "\"'><img src=x onerror=alert(1)><script>alert(2)</script><svg/onload=alert(3)><base href=//evil.example>&#60;{{x}}${x}"
const link = "javascript:alert(4)"

/** Hostile text of a given length, after a word that the test searches for. */
const evil = (word: string, longest = 10_000): string =>
  `${word}${markup}${link} ${backwards}${invisible}${emoji}${towers}${wide}`.slice(0, longest).toWellFormed().trim()
/** Hostile text for templates, in which every variable must be valid. */
const evilTemplate = (word: string, longest: number): string => evil(word, longest).replaceAll("{{x}}", "{x}")
/** Hostile text without invisible characters. */
const evilSeen = (word: string, longest: number): string => `${word}${markup}${link}${wide}`.slice(0, longest)

/** Fails with an error message of the provider. */
const failing: Channel = {
  name: "SMS",
  provider: "silent",
  supports: { identityTypes: ["MOBILE"], receipts: true, kinds: ["Code", "Link", "Text"] },
  send: () =>
    Effect.fail(new ChannelError({ channel: "SMS", reason: new Refused({ providerCode: evil("provider-code", 500) }) }))
}

describe.skipIf("skipped" in browser)("hostile text", () => {
  let service: Service
  let receiver: Receiver
  let visit: Visit
  const chat = new Chat()
  const ids: { [route: string]: string | number } = {}

  beforeAll(async () => {
    service = await serve({ channels: [chat.channel, failing] })
    receiver = await Receiver.start()
    const merchant = await service.merchant({}, evilSeen("merchant", 60))
    const client = merchant.live
    const call = callOf(client)
    const hook = await call("POST", "/v1/dashboard/webhooks", {
      url: `${receiver.endpoint(() => ({ status: 500, body: evil("answer", 900) }))}?x=${encodeURIComponent(evilSeen("url", 300))}`,
      description: evil("description", 200)
    })
    ids["webhook"] = hook.id
    await call("POST", "/v1/dashboard/whatsapp/connect", {
      phoneNumberId: chat.number,
      wabaId: "202290129340398",
      accessToken: "good"
    })
    await call("POST", "/v1/dashboard/teams", { name: evilSeen("team", 50) })
    await call("POST", "/v1/dashboard/keys", { type: "SERVER", name: evilSeen("key", 50), scopes: ["auth"] })
    await call("POST", "/v1/dashboard/saved-replies", { name: evil("saved", 50), text: evil("saved-text", 1_000) })
    const email = await call("POST", "/v1/dashboard/templates", {
      name: "default",
      channel: "EMAIL",
      subject: evilTemplate("subject", 100),
      body: `${evilTemplate("mail", 1_000)} {{code}}`,
      html: `<p style="position:fixed;inset:0"><img src="https://evil.example/x"><a href="https://evil.example">${"W".repeat(9_000)}</a> {{code}}</p>`
    })
    ids["template"] = email.id
    await call("POST", "/v1/dashboard/templates", {
      name: "sale",
      channel: "WHATSAPP",
      purpose: "MESSAGE",
      whatsappName: "sale",
      body: `${evilTemplate("template", 300)} {{1}} is that`
    }).catch(() => undefined)
    await call("POST", "/v1/dashboard/templates", {
      name: "news",
      channel: "SMS",
      purpose: "MESSAGE",
      body: `${evilTemplate("news", 300)} {{name}}`
    })
    const cell = (text: string) => `"${text.replaceAll('"', '""').replaceAll(/[\r\n]/g, "")}"`
    const campaign = await call("POST", "/v1/dashboard/campaigns", {
      name: evil("campaign", 100),
      channel: "SMS",
      template: "news",
      csv: `phone,name\n+447700900123,${cell(evilSeen("cell", 500))}\n+447700900124,=HYPERLINK(1)\n`
    })
    ids["campaign"] = campaign.id
    const started = await client.initiate({
      channel: "SMS",
      identity: "+447700900200",
      orderId: evil("order", 100),
      deviceInfo: { userAgent: evil("device", 1_000), [evil("field", 100)]: evil("value", 500) }
    })
    assert.strictEqual(started.status, 200, started.text)
    ids["verification"] = started.body.requestId
    await client.initiate({ channel: evil("refused-channel", 100), locale: evil("locale", 50) })
    await client.initiate({
      channel: "EMAIL",
      identityType: "EMAIL",
      identity: `${"w".repeat(60)}'<img/src=x>@example.com`
    })
    const utm = Object.fromEntries(
      ["source", "medium", "campaign", "term", "content"].map((each) => [each, evil(`utm-${each}`, 200)])
    )
    const launch = await service.send({
      path: "/v1/sdk/attribution/launch",
      headers: { "x-public-key": client.keys.publicKey },
      body: { consent: true, utm, clickId: evil("click", 500) }
    })
    assert.strictEqual(launch.status, 200, launch.text)

    const [who, name] = ["919812300001", evil("profile", 1_000)]
    const says = (text: string | null, more: object = {}) => chat.says(service, who, text, { name, ...more })
    await says(evil("message", 4_000), {
      referral: {
        sourceType: "ad",
        sourceId: evil("ad-id", 200),
        sourceUrl: link,
        headline: evil("headline", 300),
        clickId: null
      }
    })
    await says(evil("caption", 1_000), {
      type: "document",
      media: { id: "m1", mimeType: "text/html", fileName: evil("file", 400), size: 1e15 }
    })
    await says(evil("place", 1_000), { type: "location", location: { latitude: 1e300, longitude: -0 } })
    await says(null, { type: "button", payload: evil("payload", 200), text: null })
    ids["lead"] = (await call("GET", "/v1/dashboard/leads")).items[0].id
    await call("POST", `/v1/dashboard/leads/${ids["lead"]}/notes`, { text: evil("note", 4_000) })
    await until(
      () => call("GET", `/v1/dashboard/webhooks/${hook.id}/deliveries`),
      ({ items }) => items.length > 0,
      { what: "an attempt" }
    )
    visit = await Visit.signedIn(service, merchant, { userAgent: `agent${markup}${"W".repeat(900)}` })
    // Searches that the service rejects, and e-mail pictures that the preview's policy blocks.
    visit.expect(/status of 400.*looked-for/, /https:\/\/evil\.example\/x/)
  })
  afterAll(async () => {
    await visit?.end()
    await service?.close()
    await receiver?.close()
  })

  /** Signs that hostile text was executed, from any source. */
  const wrongs = async () => {
    const { page } = visit
    const found = await page.evaluate(() => {
      const bad: Array<string> = []
      for (const element of document.querySelectorAll("[href], [src], [action], [formaction]"))
        for (const name of ["href", "src", "action", "formaction"]) {
          const value = element.getAttribute(name)
          const url = value === null ? null : URL.parse(value, document.baseURI)
          if (value !== null && (url === null || !["http:", "https:", "blob:"].includes(url.protocol)))
            bad.push(`${name}=${value}`)
          if (
            url !== null &&
            element.getAttribute("target") === "_blank" &&
            !element.getAttribute("rel")?.includes("noreferrer")
          )
            bad.push(`opens without rel: ${value}`)
        }
      for (const element of document.querySelectorAll(
        "base, object, embed, img[src=x], svg[onload], script:not([src])"
      ))
        bad.push(element.outerHTML.slice(0, 100))
      if (/[\p{Cf}\p{Cc}]/u.test(document.title) || document.title.length > 150) bad.push(`title ${document.title}`)
      return bad
    })
    const out = []
    for (const width of [320, 1280]) {
      const wide = await visit.sticksOut(width)
      if (wide.length > 0) out.push(`at ${width} px: ${wide.join(", ")}`)
    }
    return { found, out, problems: visit.problems.splice(0) }
  }
  const none = { found: [], out: [], problems: [] }

  /** Each screen, with words that prove that it shows the hostile text. */
  const screens: ReadonlyArray<readonly [path: () => string, ...words: ReadonlyArray<string>]> = [
    [() => to("live", "overview"), "merchant"],
    [() => to("live", "verifications"), "order"],
    [() => to("live", "verifications", { view: "refused" })],
    [() => to("live", "verifications", { find: evil("looked-for", 300) })],
    [() => to("live", "verification", { requestId: ids["verification"]! }), "order", "provider-code"],
    [() => to("live", "channels"), "provider-code"],
    [() => to("live", "webhooks"), "description"],
    [() => to("live", "webhook", { id: ids["webhook"]! }), "description"],
    [() => to("live", "inbox"), "profile"],
    [() => to("live", "lead", { id: ids["lead"]! }), "profile", "message", "file", "note", "headline", "place"],
    [() => to("live", "campaigns"), "campaign"],
    [() => to("live", "campaign", { id: ids["campaign"]! }), "campaign", "cell"],
    [() => to("live", "attribution"), "utm-campaign"],
    [() => `${to("live", "attribution")}?by=source`, "utm-source"],
    [() => to("live", "templates"), "news"],
    [() => to("live", "template", { id: ids["template"]! }), "subject"],
    [() => to("live", "settings")],
    [() => to("live", "keys"), "key"],
    [() => to("live", "team"), "team", "agent"],
    [() => to("live", "money")],
    [() => to("live", "audit"), "campaign"],
    [() => to("live", "audit", { target: evil("target", 300), actor: evil("actor", 300), entry: evil("entry", 300) })]
  ]

  it.each(screens.map((each, at) => [at, ...each] as const))("stays text on screen %i", async (_, path, ...words) => {
    await visit.go(path())
    const shown = await visit.page.locator("body").innerText()
    for (const word of words) assert.include(shown, word)
    assert.deepStrictEqual(await wrongs(), none, path())
  })

  it("is posted to the e-mail preview once per change, not again on every load", async () => {
    const { page } = visit
    let loaded = 0
    page.on("requestfailed", (request) => {
      if (request.url().startsWith("https://evil.example/")) loaded++
    })
    await visit.go(to("live", "template", { id: ids["template"]! }))
    await page.frameLocator("iframe").getByText("WWWW").waitFor()
    for (let i = 0; i < 20; i++) await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)))
    assert.isAtMost(loaded, 4)
    await visit.go(to("live", "overview"))
    assert.deepStrictEqual(await wrongs(), none)
  })

  it("stays text in every address: in an id, in a filter, on an unknown page", async () => {
    visit.expect(/status of 4\d\d/)
    for (const pattern of Object.values(routes)) {
      const path = pattern.replace(/:\w+/, encodeURIComponent(evil("address", 400)))
      await visit.go(
        `/dashboard${path}?${encodeURIComponent(evil("name", 50))}=${encodeURIComponent(evil("given", 200))}`
      )
      assert.deepStrictEqual(await wrongs(), none, pattern)
    }
    for (const path of [
      "/%",
      "/%00",
      "/%ed%a0%80",
      "//evil.example/%2e%2e",
      `/${encodeURIComponent(evil("none", 900))}`
    ]) {
      await visit.go(`/dashboard${path}`)
      assert.deepStrictEqual(await wrongs(), none, path)
    }
  })

  it("stays text in the name, columns and cells of a campaign's list", async () => {
    const { page } = visit
    await visit.go("/dashboard/campaigns?step=list")
    await visit.settled()
    const chooser = page.locator("input[type=file]")
    if ((await chooser.count()) > 0) {
      await chooser.setInputFiles({
        name: `${evil("list", 60).replaceAll("/", "")}.csv`,
        mimeType: "text/csv",
        buffer: Buffer.from(`${evil("column", 2_000)},phone,phone,\n${evil("row", 5_000)},1,2\n\u0000,\uFFFD,"\n`)
      })
      await page.getByText("column", { exact: false }).first().waitFor()
    }
    assert.deepStrictEqual(await wrongs(), none)
  })
})
