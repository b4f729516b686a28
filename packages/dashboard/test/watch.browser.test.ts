import type { Channel, NumberVerifier } from "@countersign/core/channel"
import { Effect, Redacted, Schema } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { code, phone } from "../../server/test/fixture/Client.ts"
import { returnTo } from "../../server/test/fixture/Link.ts"
import type { Merchant, Service } from "../../server/test/fixture/Service.ts"
import { until } from "../../server/test/fixture/Until.ts"
import { say as overview } from "../src/screens/overview/words.ts"
import { say as verifications } from "../src/screens/verifications/words.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

describe.skipIf("skipped" in browser)("the monitoring screens", () => {
  let service: Service
  let merchant: Merchant
  let visit: Visit
  beforeAll(async () => {
    service = await serve()
    merchant = await service.merchant()
    visit = await Visit.signedIn(service, merchant)
  })
  afterAll(async () => {
    await visit?.end()
    await service?.close()
  })
  const query = () => new URL(visit.page.url()).searchParams.toString()

  it("the overview shows first steps, and figures after the first verification", async () => {
    const { page } = visit
    await visit.go("/dashboard/test")
    await page.getByRole("heading", { name: "No verifications yet" }).waitFor()
    await page.getByText("Nothing needs your attention.").waitFor()
    assert.include(await page.getByLabel("curl", { exact: true }).textContent(), "/v1/auth/initiate")
    const { body } = await merchant.test.initiate({ identity: "+919876543210", channel: "WHATSAPP" })
    await merchant.test.verify({ requestId: body.requestId, otp: code })
    // An event updates the page without a reload.
    await page.getByRole("heading", { name: "From request to verified" }).waitFor()
    assert.strictEqual(await page.getByRole("heading", { name: "No verifications yet" }).count(), 0)
    await page.getByText("1 of 1").waitFor()
    await page.getByRole("row", { name: /WhatsApp/ }).waitFor()
  })

  it("a loss on the overview leads to exactly the verifications that it counts", async () => {
    const { page } = visit
    const { body } = await merchant.test.initiate({ identity: "+919876543211", channel: "SMS" })
    for (let wrong = 0; wrong < 3; wrong++) await merchant.test.verify({ requestId: body.requestId, otp: "000000" })
    await visit.go("/dashboard/test/verifications")
    await page.reload()
    await visit.go("/dashboard/test")
    const funnel = page.getByRole("region", { name: "From request to verified" })
    await funnel.getByRole("link", { name: "no attempts left" }).press("Enter")
    await page.getByRole("row", { name: /No attempts left/ }).waitFor()
    assert.match(query(), /failure=noAttempts/)
    assert.strictEqual(await page.getByRole("row", { name: /\+91/ }).count(), 1)
    assert.strictEqual(await page.getByLabel("Failure").inputValue(), "noAttempts")
    await page.getByLabel("Failure").selectOption("Not delivered")
    await page.getByRole("heading", { name: "No matching verifications" }).waitFor()
    await page.getByLabel("Reason").selectOption("Recipient out of reach")
    assert.match(query(), /reason=RECIPIENT/)
    await visit.go("/dashboard/test")
  })

  it("ranges and groupings are selectable by keyboard and kept in the address", async () => {
    const { page } = visit
    await page.getByRole("radio", { name: "Today" }).focus()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await page.getByRole("heading", { name: "Verified per hour" }).waitFor()
    await page.getByRole("radio", { name: "By channel" }).focus()
    await page.keyboard.press("ArrowRight")
    await page.getByRole("row", { name: /India/ }).waitFor()
    assert.isTrue(await page.getByRole("radio", { name: "By country" }).evaluate((it) => it === document.activeElement))
    assert.strictEqual(query(), "range=7d&by=country")
    // A link shows the same view to its recipient.
    await page.reload()
    await page.getByRole("row", { name: /India/ }).waitFor()
    assert.isTrue(await page.getByRole("radio", { name: "7 days" }).isChecked())
  })

  it("issues come first and link to their fix", async () => {
    const { page } = visit
    const settings = { primaryChannel: "WHATSAPP", fallbackChannel: "RCS", fallbackAfterSeconds: 45 }
    const changed = await merchant.live.send({ method: "PATCH", path: "/v1/dashboard/settings", body: settings })
    assert.strictEqual(changed.status, 200, changed.text)
    await visit.go("/dashboard")
    const trouble = page.getByRole("region", { name: "1 issue needs attention" })
    await trouble.getByText("RCS is the fallback channel but has no provider here").waitFor()
    await trouble.getByRole("link", { name: "View" }).press("Enter")
    await page.getByRole("heading", { name: "Default route" }).waitFor()
    assert.strictEqual(await visit.heading(), "Channels")
    await page.getByText("RCS has no provider here, so no fallback is sent.").waitFor()
    const way = page.getByRole("region", { name: "Default route" })
    assert.notMatch((await way.textContent()) ?? "", /\s,/)
    await page.getByText("TWILIO_RCS_SENDER").waitFor()
    await page.getByRole("region", { name: "SMS" }).getByText("working").waitFor()
    const alone = { fallbackChannel: null }
    await merchant.live.send({ method: "PATCH", path: "/v1/dashboard/settings", body: alone })
    await page.reload()
    await way.getByText("no fallback if delivery fails").waitFor()
    assert.match((await way.textContent()) ?? "", /WhatsApp first, no fallback/)
  })

  it("a screen opened by its address has the dashboard's icon", async () => {
    const { page } = visit
    await page.goto(`${visit.url}/dashboard/test/verifications`)
    await visit.settled()
    const icon = await page.evaluate(() => document.querySelector<HTMLLinkElement>("link[rel=icon]")!.href)
    const { headers, status } = await fetch(icon)
    assert.deepStrictEqual([status, headers.get("content-type")], [200, "image/svg+xml"])
  })

  it("is installable: a manifest that starts at /dashboard, its icons, and a theme colour for each scheme", async () => {
    const { page } = visit
    await visit.go("/dashboard/test/verifications")
    const cdp = await page.context().newCDPSession(page)
    const { data, errors, url } = await cdp.send("Page.getAppManifest")
    assert.deepStrictEqual(errors, [])
    const answer = await fetch(url)
    assert.deepStrictEqual(
      ["content-type", "cache-control"].map((name) => answer.headers.get(name)),
      ["application/manifest+json", "no-cache"]
    )
    const { icons, id, scope, start_url } = JSON.parse(data!)
    assert.deepStrictEqual([id, scope, start_url], ["/dashboard", "/dashboard", "/dashboard"])
    assert.deepStrictEqual(
      icons.map(({ purpose, sizes }: any) => [sizes, purpose]),
      [
        ["192x192", "any"],
        ["512x512", "any"],
        ["512x512", "maskable"],
        ["any", "any"]
      ]
    )
    const touch = await page.evaluate(() => document.querySelector<HTMLLinkElement>("link[rel=apple-touch-icon]")!.href)
    for (const { sizes, src, type } of [...icons, { src: touch, sizes: "180x180", type: "image/png" }]) {
      const icon = await fetch(new URL(src, url))
      assert.deepStrictEqual([icon.status, icon.headers.get("content-type")], [200, type], src)
      const header = new DataView(await icon.arrayBuffer())
      // A PNG states its width and height in its first chunk.
      if (type === "image/png") assert.strictEqual(`${header.getUint32(16)}x${header.getUint32(20)}`, sizes, src)
    }
    const themeColor = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")]
          .filter(({ media }) => matchMedia(media).matches)
          .map(({ content }) => content)
      )
    const light = await themeColor()
    await page.emulateMedia({ colorScheme: "dark" })
    const dark = await themeColor()
    await page.emulateMedia({ colorScheme: "light" })
    assert.deepStrictEqual([light.length, dark.length], [1, 1])
    assert.notDeepEqual(light, dark)
    // A chosen theme applies to the window as well.
    await page.evaluate(() => localStorage.setItem("countersign.theme", "dark"))
    await page.reload()
    await visit.settled()
    assert.deepStrictEqual(await themeColor(), dark)
    await page.evaluate(() => localStorage.removeItem("countersign.theme"))
    await page.reload()
    await visit.settled()
    assert.strictEqual(await page.evaluate(() => navigator.serviceWorker.controller), null)
  })

  it("attribution explains how to report launches, totals them, and keeps its order in the address", async () => {
    const { page } = visit
    await visit.go("/dashboard/test/attribution")
    await page.getByRole("heading", { name: "No launches in this period" }).waitFor()
    for (const source of ["newsletter", "search", "search", "search"]) {
      const told = await service.send({
        path: "/v1/sdk/attribution/launch",
        body: { consent: true, utm: { source, medium: "cpc" } },
        headers: { "x-public-key": merchant.test.keys.publicKey }
      })
      assert.isTrue(told.body.recorded, told.text)
    }
    await page.reload()
    await page.getByRole("rowheader", { name: "search" }).waitFor()
    const origins = page.getByRole("table", { name: "Sources" })
    const shown = () => origins.getByRole("rowheader").allTextContents()
    assert.deepStrictEqual(await shown(), ["searchcpc(not set)", "newslettercpc(not set)", "Total"])
    await page.getByRole("radio", { name: "Source" }).check()
    await page.getByRole("button", { name: "Source" }).press("Enter")
    await page.getByRole("columnheader", { name: "Source" }).and(page.locator("[aria-sort=ascending]")).waitFor()
    assert.deepStrictEqual(await shown(), ["newsletter", "search", "Total"])
    assert.strictEqual(query(), "by=source&sort=name")
    assert.deepStrictEqual(
      await origins
        .getByRole("row", { name: /^Total/ })
        .getByRole("cell")
        .first()
        .textContent(),
      "4"
    )
  })
})

/** The code that each number was sent. */
const codes = new Map<string, string>()

const carrier = (name: string, provider: string): Channel => ({
  name,
  provider,
  supports: { identityTypes: ["MOBILE"], receipts: false },
  send: (message) =>
    Effect.sync(() => {
      if (message._tag === "Code") codes.set(message.to, Redacted.value(message.code))
      return { providerId: message.deliveryId, delivered: true }
    })
})

const proof = Schema.Struct({ token: Schema.RedactedFromValue(Schema.String) })

/** A number is its own proof. */
const silent: NumberVerifier<typeof proof.Type> = {
  name: "SILENT_AUTH",
  label: "Silent authentication",
  provider: "acme",
  payload: proof,
  verify: ({ token }) => Effect.succeed({ phone: Redacted.value(token), isVerified: true })
}

describe.skipIf("skipped" in browser)("a service with a channel and a number verifier that others wrote", () => {
  let service: Service
  let visit: Visit
  const [byViber, bySms, bySilence] = [phone(), phone(), phone()]
  beforeAll(async () => {
    service = await serve({
      channels: [carrier("VIBER", "gateway"), carrier("SMS", "acme")],
      verifiers: [silent]
    })
    const merchant = await service.merchant()
    const { live } = merchant
    await live.settings({ redirectUris: [returnTo] })
    for (const [identity, channel] of [
      [byViber, "VIBER"],
      [bySms, "SMS"]
    ] as const) {
      const requestId = await live.started({ identity, channel })
      const otp = await until(
        async () => codes.get(identity),
        (sent) => sent !== undefined,
        { what: "the code" }
      )
      assert.isTrue((await live.verify({ requestId, otp })).body.verified)
    }
    const silence = { identity: bySilence, mode: "OAUTH", channel: "SILENT_AUTH", redirectUri: returnTo }
    const sessionId = await live.started(silence)
    const proved = await service.send({
      path: "/v1/sdk/auth/verify-number/SILENT_AUTH",
      body: { sessionId, proof: { token: bySilence.slice(1) } },
      headers: { "x-public-key": live.keys.publicKey }
    })
    assert.isTrue(proved.body.verified, proved.text)
    visit = await Visit.signedIn(service, merchant)
  })
  afterAll(async () => {
    await visit?.end()
    await service?.close()
  })

  /** The cells of each row of the comparison, without its head. */
  const compared = async () => {
    const rows = await visit.page.getByRole("table", { name: overview.compare }).getByRole("row").all()
    return Promise.all(rows.slice(1).map((row) => row.locator("th, td").allInnerTexts()))
  }

  it("has the channel on the overview and among the channels, by the name that people call it", async () => {
    const { page } = visit
    await visit.go("/dashboard")
    await page.getByRole("row", { name: /Viber/ }).waitFor()
    const asked = (await compared()).map((cells) => cells.slice(0, 2))
    for (const name of ["Viber", "SMS", silent.label!]) assert.deepInclude(asked, [name, "1"])
    await visit.go("/dashboard/channels")
    await page.getByRole("region", { name: "Viber" }).getByText("gateway").waitFor()
  })

  it("compares what was sent by carrier on the overview", async () => {
    const { page } = visit
    await visit.go("/dashboard")
    await page.getByRole("radio", { name: overview.bys.carrier }).check({ force: true })
    await page.getByRole("row", { name: /gateway/ }).waitFor()
    const sent = (await compared()).map((cells) => cells.slice(0, 3))
    assert.sameDeepMembers(sent, [
      ["gateway", "1", "100%"],
      ["acme", "1", "100%"]
    ])
    assert.strictEqual(new URL(page.url()).searchParams.get("by"), "carrier")
    assert.deepStrictEqual(await visit.sticksOut(320), [])
  })

  it("filters verifications by its channels and number verifiers, and offers no verifier that it does not have", async () => {
    const { page } = visit
    await visit.go("/dashboard/verifications")
    const channel = page.getByRole("combobox", { name: verifications.channel })
    const option = (name: string) => channel.getByRole("option", { name, exact: true })
    await option(silent.label!).waitFor({ state: "attached" })
    const offered = () => channel.getByRole("option").allInnerTexts()
    const all = ["SMS", "WhatsApp", "RCS", "E-mail", "Viber", silent.label]
    assert.deepStrictEqual((await offered()).slice(1), all)
    const rows = page.getByRole("row").filter({ hasText: "******" })
    for (const [name, identity] of [
      [silent.label!, bySilence],
      ["Viber", byViber]
    ] as const) {
      await channel.selectOption({ label: name })
      await rows.filter({ hasText: identity.slice(-4) }).waitFor()
      await visit.settled()
      assert.strictEqual(await rows.count(), 1)
      assert.include(await rows.innerText(), name)
    }
    // Test environments have a sandbox in Truecaller's place.
    await visit.go("/dashboard/test/verifications")
    await option("Truecaller").waitFor({ state: "attached" })
    assert.include(await offered(), silent.label)
  })
})
