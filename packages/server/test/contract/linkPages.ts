import { assert, describe, it } from "vitest"
import { phone, refused } from "../fixture/Client.ts"
import { Random } from "../fixture/Random.ts"
import { type Link, linkOf, open, press, returnTo } from "../fixture/Link.ts"
import type { Service } from "../fixture/Service.ts"
import type { Answer } from "../fixture/Wire.ts"

const actionOf = ({ text }: Answer) => /<form method="post" action="([^"]*)">/.exec(text)?.[1]

/** The numbers that the page offers. */
const numbersOf = ({ text }: Answer) =>
  [...text.matchAll(/<button name="number" value="(\d\d)">/g)].map(([, number = ""]) => number)

/** Headers that claim another host, each with another one. */
const elsewhere: ReadonlyArray<{ readonly [name: string]: string }> = [
  ...["evil.example.com", "evil.example.com:443", "[::1]", "", "a b", "@evil.example.com"].map((host) => ({ host })),
  ...["x-forwarded-host", "x-forwarded-server", "x-host", "x-original-host", "x-http-host-override"].map((name) => ({
    [name]: "evil.example.com"
  })),
  ...["x-original-url", "x-rewrite-url", "x-forwarded-prefix", "x-forwarded-path"].map((name) => ({
    [name]: "https://evil.example.com/l"
  })),
  { forwarded: 'for=1.2.3.4;host="evil.example.com";proto=https' },
  { "x-forwarded-proto": "javascript", "x-forwarded-port": "666", "x-forwarded-scheme": "ftp" },
  { origin: "https://evil.example.com", referer: "https://evil.example.com/l" },
  { "x-forwarded-host": "evil.example.com, verify.example.com", "x-forwarded-for": "1.2.3.4" },
  { via: "1.1 evil.example.com", "x-wap-profile": "https://evil.example.com" }
]

/** The link page: its content, its links, and the forms that it accepts. */
export const suite = (service: () => Service) =>
  describe("the link page", () => {
    const shop = (settings: { readonly [name: string]: unknown } = {}) =>
      service().client({ redirectUris: [returnTo], ...settings })

    it("asks for the number on the waiting screen, ends the login on a wrong one, and ignores numbers it did not offer", async () => {
      const client = await shop({ linkNumberMatch: true })
      const right = await linkOf(client)
      assert.match(right.matchNumber ?? "", /^[1-9]\d$/)
      assert.strictEqual((await right.status()).matchNumber, right.matchNumber)
      const numbers = numbersOf(await right.open())
      assert.lengthOf(new Set(numbers), 5)
      assert.include(numbers, right.matchNumber)
      assert.deepStrictEqual(numbersOf(await right.open()), numbers)
      await right.approved()

      const link = await linkOf(client)
      for (const junk of [undefined, "", "00", "<b>", `${link.matchNumber} `]) {
        assert.strictEqual((await link.press(junk)).status, 404)
        assert.deepInclude(await link.status(), { authStatus: "PENDING", code: null })
      }
      const another = numbersOf(await link.open()).find((number) => number !== link.matchNumber)
      const pressed = await link.press(another)
      assert.strictEqual(pressed.status, 200)
      assert.include(pressed.text, "Wrong number")
      assert.deepInclude(await link.status(), { authStatus: "FAILED", code: null })
      assert.strictEqual((await link.press(link.matchNumber)).status, 404)
      const typed = await client.initiate()
      assert.notProperty(typed.body, "matchNumber")
      assert.notProperty((await client.status({ requestId: typed.body.requestId })).body, "matchNumber")
    })

    it("answers unknown, cut off, foreign, failed and used links with one page and the same headers", async () => {
      const client = await shop()
      const used = await linkOf(client)
      await used.approved()
      const failed = await linkOf(await shop({ linkNumberMatch: true }))
      await failed.press(numbersOf(await failed.open()).find((number) => number !== failed.matchNumber))
      const good = await linkOf(client)
      const [environment, id, proof = ""] = good.token.split(".")
      const [, otherId, otherProof] = failed.token.split(".")
      const code = await client.started()
      const tokens = [
        used.token,
        failed.token,
        good.token.slice(0, -1),
        good.token.slice(1),
        `${good.token}0`,
        `${good.token}.`,
        `${environment}.${id}`,
        `${environment}.${id}.${otherProof}`,
        `${environment}.${otherId}.${proof}`,
        `none.${id}.${proof}`,
        `${environment}.${code.slice(4)}.${proof}`,
        good.token.toUpperCase(),
        encodeURIComponent(`${good.token} `),
        `${good.token}/`,
        "%00",
        "%",
        "..",
        "x".repeat(1500),
        ""
      ]
      const answers = [await open(service(), "/l"), await press(service(), {})]
      for (const token of tokens) {
        answers.push(await open(service(), `/l/${token}`), await press(service(), { token, number: "42" }))
        assert.strictEqual((await open(service(), `/l/${token}`, {}, "HEAD")).status, 404)
      }
      const [{ headers, text }] = answers as [Answer]
      assert.include(text, "This link is not valid")
      const shown = ({ headers: { date: _, "x-request-id": __, ...same } }: Answer) => same
      for (const answer of answers) {
        assert.strictEqual(answer.status, 404)
        assert.strictEqual(answer.text, text)
        assert.deepStrictEqual(shown(answer), shown({ headers } as Answer))
      }
      assert.strictEqual((await good.status()).authStatus, "PENDING")
    })

    it("answers any path and any form with its page or the error envelope", async () => {
      const random = new Random(20_261_122)
      const { token } = await linkOf(await shop())
      const form = { "content-type": "application/x-www-form-urlencoded" }
      for (let i = 0; i < 60; i++) {
        const cut = token.slice(0, random.below(token.length)) + random.text(random.below(30)).toWellFormed()
        const answers = [
          await open(service(), `/l/${encodeURIComponent(cut)}?${encodeURIComponent(cut)}`),
          await press(service(), { token: cut, number: random.text(4).toWellFormed() }),
          await service().send({
            method: "POST",
            path: "/l",
            headers: form,
            body: Buffer.from(`token=${cut}`, "latin1")
          }),
          await service().send({
            method: "POST",
            path: "/l",
            headers: form,
            body: Buffer.from(Array.from({ length: random.below(500) }, () => random.below(256)))
          })
        ]
        for (const { status, text } of answers) assert.strictEqual(status, 404, `${i}: ${text.slice(0, 200)}`)
      }
    })

    it("uses the reader's language, then the merchant's, then English", async () => {
      const texts = { en: "Yes, sign me in", hi: "हाँ, साइन इन करें" }
      const [english, hindi] = [await linkOf(await shop()), await linkOf(await shop({ locale: "hi-IN" }))]
      const cases: ReadonlyArray<[Link, string | undefined, "en" | "hi"]> = [
        [english, undefined, "en"],
        [hindi, undefined, "hi"],
        [hindi, "en-GB,en;q=0.9", "en"],
        [english, "hi-IN", "hi"],
        [english, "ta,hi;q=0.7,en;q=0.8", "en"],
        [english, "ta-IN, HI;q=0.5, en;q=0", "hi"],
        [hindi, "fr,*", "hi"],
        [english, ",;q=x,,hindi;;".repeat(200), "en"]
      ]
      for (const [link, header, language] of cases) {
        const { headers, text } = await link.open(header === undefined ? {} : { "accept-language": header })
        assert.include(text, `<html lang="${language}">`)
        assert.include(text, texts[language])
        assert.strictEqual(headers["content-language"], language)
      }
      assert.include((await open(service(), "/l/x", { "accept-language": "hi" })).text, "यह लिंक मान्य नहीं है")
    })

    it("shows foreign text as text, without characters that reorder or break the page", async () => {
      const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>'&amp;`
      const client = await shop({ brand: `\u202e\u2067${evil}`.slice(0, 60) })
      const link = await linkOf(client, {
        deviceInfo: {
          model: `\u202e${evil}\u2066\u0000`,
          platform: "\u061c</dd></dl><form action=//evil.example.com>",
          place: `${evil}\u202d\n${"w".repeat(500)}`
        }
      })
      const { text } = await link.open()
      assert.notMatch(text, /<img|<script>alert|<form action=\/\/|[\u202a-\u202e\u2066-\u2069\u061c]|\0/)
      assert.lengthOf(text.match(/<script/g) ?? [], 1)
      assert.lengthOf(text.match(/<form/g) ?? [], 1)
      assert.include(text, "&#60;script&#62;alert(1)&#60;/script&#62;")
      assert.notInclude(text, "w".repeat(80))
    })

    it("links to the configured URL for any Host header", async () => {
      assert.lengthOf(elsewhere, 20)
      const client = await shop()
      const plain = await linkOf(client)
      const { origin } = new URL(plain.url)
      const action = actionOf(await plain.open())
      assert.strictEqual(action, `${origin}/l`)
      for (const headers of elsewhere) {
        const what = JSON.stringify(headers)
        const fields = { identity: phone(), mode: "MAGIC_LINK", redirectUri: returnTo }
        const begun = await client.initiate(fields, headers)
        assert.strictEqual(new URL(begun.body.link).origin, origin, what)
        const page = await open(service(), new URL(begun.body.link).pathname, headers)
        assert.strictEqual(actionOf(page), action, what)
        const pressed = await press(service(), { token: new URL(begun.body.link).pathname.slice(3) }, headers)
        assert.match(String(pressed.headers.location), /^https:\/\/shop\.example\.com\/signed-in\?code=/, what)
        for (const { headers, text } of [begun, page, pressed]) {
          assert.notInclude(JSON.stringify(headers) + text, "evil", what)
        }
      }
    })

    it("accepts a press only from its own page, if the browser names the origin", async () => {
      const link = await linkOf(await shop())
      for (const site of ["cross-site", "same-site", "nonsense"]) {
        const answer = await link.press(undefined, { "sec-fetch-site": site })
        assert.strictEqual(answer.status, 403)
        assert.include(answer.text, "This link is not valid")
      }
      assert.strictEqual((await link.status()).authStatus, "PENDING")
      assert.strictEqual((await link.press(undefined, { "sec-fetch-site": "same-origin", origin: "null" })).status, 303)
    })

    it("accepts a form of at most 2 KB, by POST to the one path of all links", async () => {
      const link = await linkOf(await shop())
      const form = (body: string, headers = {}) =>
        service().send({
          method: "POST",
          path: "/l",
          body,
          headers: { "content-type": "application/x-www-form-urlencoded", ...headers }
        })
      refused(await form(`token=${link.token}&x=${"y".repeat(2048)}`), "PAYLOAD_TOO_LARGE")
      for (const type of ["application/json", "multipart/form-data; boundary=x", "text/plain", ""]) {
        refused(await form(`token=${link.token}`, { "content-type": type }), "INVALID_REQUEST", "body")
      }
      refused(await form(`token=${link.token}`, { "content-encoding": "gzip" }), "INVALID_REQUEST", "body")
      for (const [method, path, allow] of [
        ["POST", link.path, "GET"],
        ["DELETE", link.path, "GET"],
        ["OPTIONS", link.path, "GET"],
        ["PUT", "/l", "GET, POST"]
      ] as const) {
        const answer = await service().send({ method, path })
        refused(answer, "METHOD_NOT_ALLOWED")
        assert.strictEqual(answer.headers["allow"], allow)
      }
      for (const body of ["", "token", `token=%`, "\0", `token=x&token=${link.token}`, "number=42"]) {
        assert.strictEqual((await form(body)).status, 404)
      }
      assert.strictEqual((await link.status()).authStatus, "PENDING")
      assert.strictEqual((await form(`token=${link.token}&x=${"y".repeat(1800)}`)).status, 303)
    })

    it("redirects only to itself, unless the approval returns to the merchant, whose page may redirect anywhere", async () => {
      const addresses = [
        "https://shop.example.com/a?b=c",
        "https://shop.example.com:8443/",
        "com.example.shop:/signed-in",
        "http://localhost:3000/back",
        "http://[::1]:3000/back"
      ]
      const client = await service().client({ redirectUris: addresses })
      const policyOf = (answer: Answer) => String(answer.headers["content-security-policy"])
      for (const redirectUri of addresses) {
        const link = await linkOf(client, { redirectUri, state: redirectUri })
        assert.notInclude(policyOf(await link.open()), "form-action")
        const back = await link.approved()
        assert.strictEqual(back.searchParams.get("state"), redirectUri)
        assert.isTrue(back.href.startsWith(redirectUri.split("?")[0]!), back.href)
      }
      const link = await linkOf(client, { redirectUri: null })
      assert.include(policyOf(await link.open()), "; form-action 'self'")
    })
  })
