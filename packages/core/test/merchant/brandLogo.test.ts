import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { deflateSync } from "node:zlib"
import { largestLogo, logoBytes, logoOf, logoProblem, logoSize } from "../../src/account/merchant/brandLogo.ts"
import { mailLogo } from "../../src/account/merchant/logoAddress.ts"
import { Audit } from "../../src/index.ts"
import type { Message } from "../../src/index.channel.ts"
import { dataUrl, header, joined, part, pixels, png, signature } from "../fixtures/png.ts"
import { link, makeLinkWorld } from "../fixtures/links.ts"
import { makeWorld, until, withSettings } from "../fixtures/World.ts"

const text = (value: string) => new TextEncoder().encode(value)
const good = png()

describe("a logo", () => {
  it("is one PNG, which is read back byte for byte", () => {
    assert.isNull(logoProblem(dataUrl(good)))
    assert.deepStrictEqual([...logoBytes(dataUrl(good))], [...good])
    assert.isNull(logoProblem(dataUrl(png(1024, 1))))
  })

  it.each<[name: string, logo: string]>([
    ["nothing", ""],
    ["an address", "https://example.com/logo.png"],
    ["an SVG", `data:image/svg+xml;base64,${btoa("<svg onload=alert(1)/>")}`],
    ["an SVG that says it is a PNG", dataUrl(text("<svg xmlns='http://www.w3.org/2000/svg'/>"))],
    ["a page that says it is a PNG", dataUrl(text("<!doctype html><script>alert(1)</script>"))],
    ["a JPEG", dataUrl(Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]))],
    ["a signature alone", dataUrl(signature)],
    ["a PNG without pixels", dataUrl(joined(signature, header(1, 1), part("IEND")))],
    ["a PNG that begins with its pixels", dataUrl(joined(signature, pixels(1, 1), part("IEND")))],
    ["a PNG with a page behind it", dataUrl(joined(good, text("<script>alert(1)</script>")))],
    ["a PNG with an archive behind it", dataUrl(joined(good, Uint8Array.from([0x50, 0x4b, 3, 4])))],
    ["a PNG with a script in a text", dataUrl(png(8, 8, part("tEXt", text("x\0<script>alert(1)</script>"))))],
    ["a PNG with a position", dataUrl(png(8, 8, part("eXIf", text("MM"))))],
    ["a PNG with a wrong checksum", dataUrl(good.map((byte, at) => (at === 45 ? byte ^ 1 : byte)))],
    ["a PNG with a length beyond its end", dataUrl(joined(signature, Uint8Array.from([255, 255, 255, 255, 73])))],
    ["a PNG that unpacks to gigabytes", dataUrl(joined(signature, header(60_000, 60_000), pixels(1, 1), part("IEND")))],
    ["a PNG without width", dataUrl(joined(signature, header(0, 1), pixels(1, 1), part("IEND")))],
    [
      "a PNG that is too large",
      dataUrl(png(8, 8, part("IDAT", deflateSync(new Uint8Array(largestLogo), { level: 0 }))))
    ],
    ["base64 with a line break", dataUrl(good).replace(/(.{60})/, "$1\n")],
    ["base64 with markup", `${dataUrl(good)}"><script>`],
    ["base64 in a second spelling", `${dataUrl(good)} `]
  ])("is not %s", (_, logo) => {
    assert.isString(logoProblem(logo))
  })

  it("is refused after any truncation and any changed byte", () => {
    for (const at of good.keys()) {
      assert.isString(logoProblem(dataUrl(good.slice(0, at))), `cut at ${at}`)
      for (const change of [1, 0x80, 0xff])
        assert.isString(logoProblem(dataUrl(good.map((byte, index) => (index === at ? byte ^ change : byte)))), `${at}`)
    }
  })

  it("loses its metadata when a file becomes one, and nothing else", () => {
    const camera = png(96, 32, part("eXIf", text("MM")), part("tEXt", text("x\0<script>")), part("gAMA", text("abcd")))
    const logo = logoOf(camera)!
    assert.isNull(logoProblem(logo))
    assert.strictEqual(logo, dataUrl(png(96, 32, part("gAMA", text("abcd")))))
    assert.isNull(logoOf(text("<svg/>")))
    assert.isNull(logoOf(png(8, 8, part("IDAT", new Uint8Array(largestLogo)))))
  })

  it("is shown within a box, and never enlarged", () => {
    const box = { width: 200, height: 40 }
    assert.deepStrictEqual(logoSize(dataUrl(png(96, 32)), box), { width: 96, height: 32 })
    assert.deepStrictEqual(logoSize(dataUrl(png(400, 40)), box), { width: 200, height: 20 })
    assert.deepStrictEqual(logoSize(dataUrl(png(80, 80)), box), { width: 40, height: 40 })
    assert.deepStrictEqual(logoSize(dataUrl(png(1024, 1)), box), { width: 200, height: 1 })
  })

  it("has another address after each change, and none without a public URL", () => {
    const of = (bytes: Uint8Array) => mailLogo("https://v.example/logos", "live_1", { brandLogo: dataUrl(bytes) })?.url
    assert.match(of(good)!, /^https:\/\/v\.example\/logos\/live_1\/[0-9a-f]{32}\.png$/)
    assert.notStrictEqual(of(good), of(png(95, 32)))
    assert.isNull(mailLogo(null, "live_1", { brandLogo: dataUrl(good) }))
    assert.isNull(mailLogo("https://v.example/logos", "live_1", { brandLogo: null }))
  })

  it.effect("is in the audit log with its size and hash only", () =>
    Effect.gen(function* () {
      const { live, merchants, services } = yield* makeWorld({ idle: true })
      yield* merchants.changeSettings(live, { brandLogo: dataUrl(good) })
      yield* TestClock.adjust("1 second")
      yield* merchants.changeSettings(live, { brandLogo: dataUrl(png(95, 32)) })
      const entries = yield* Context.get(services, Audit).list(
        live,
        { action: "settings.changed" },
        { after: null, limit: 9 }
      )
      assert.lengthOf(entries, 2)
      for (const { to } of entries) assert.match(String(to?.["brandLogo"]), /^PNG, \d+ bytes, [0-9a-f]{32}$/)
      assert.strictEqual(entries[0]?.from?.["brandLogo"], entries[1]?.to?.["brandLogo"])
    })
  )

  it.effect("that is refused is not repeated in the error", () =>
    Effect.gen(function* () {
      const { live, merchants } = yield* makeWorld({ idle: true })
      for (const brandLogo of [`data:image/png;base64,${"A".repeat(5_000)}`, "x".repeat(60_000)]) {
        const error = yield* Effect.flip(merchants.changeSettings(live, { brandLogo }))
        assert.isBelow(JSON.stringify(error).length, 300, JSON.stringify(error))
      }
    })
  )
})

describe("the built-in e-mails", () => {
  const sent = Effect.fnUntraced(function* (
    settings: { readonly [name: string]: unknown },
    linkUrl: string | null = "https://v.example"
  ) {
    const messages: Array<Message> = []
    const w = yield* makeLinkWorld({
      idle: false,
      linkUrl,
      channels: [
        {
          name: "EMAIL",
          provider: "recording",
          supports: { identityTypes: ["EMAIL"], receipts: false, kinds: ["Code", "Link"] },
          send: (message) => Effect.sync(() => ({ providerId: String(messages.push(message)) }))
        }
      ]
    })
    yield* w.merchants.changeSettings(w.live, settings)
    const mail = { identity: "a@example.com", identityType: "EMAIL" } as const
    const live = withSettings(w.live, settings)
    yield* w.verifications.initiate(live, { ...mail, mode: "OTP" })
    if (linkUrl !== null) yield* w.verifications.initiate(live, link({ identity: "b@example.com" }))
    yield* until(Effect.sync(() => messages.length === (linkUrl === null ? 1 : 2)))
    return messages.map((message) => ("html" in message && message.html !== null ? Redacted.value(message.html) : ""))
  })

  it.effect("show the merchant's colour and logo, with a hostile name as its alternative text", () =>
    Effect.gen(function* () {
      const brandLogo = dataUrl(good)
      const htmls = yield* sent({ brand: `"><script>alert(1)</script>`, brandColor: "#b00020", brandLogo })
      for (const html of htmls) {
        assert.match(
          html,
          /<img src="https:\/\/v\.example\/logos\/live_\w+\/[0-9a-f]{32}\.png" alt="&quot;&gt;&lt;script/
        )
        assert.include(html, 'width="96" height="32"')
        assert.include(html, "border-top:4px solid #b00020")
        assert.notMatch(html, /<script|data:/)
      }
      assert.isTrue(htmls.some((html) => html.includes('bgcolor="#b00020"')))
    })
  )

  it.effect("load nothing without a logo, or without a public URL to serve it from", () =>
    Effect.gen(function* () {
      for (const html of [...(yield* sent({})), ...(yield* sent({ brandLogo: dataUrl(good) }, null))]) {
        assert.notInclude(html, "<img")
        assert.include(html, "border-top:4px solid #0f766e")
      }
    })
  )
})
