import { createHash } from "node:crypto"
import { assert, describe, it } from "vitest"
import { code as otp, email, phone, refused, uuid } from "../fixture/Client.ts"
import { linkOf, open, press, returnTo } from "../fixture/Link.ts"
import type { Service } from "../fixture/Service.ts"
import type { Answer } from "../fixture/Wire.ts"
import type { Once } from "./Once.ts"

/** The example of RFC 7636, appendix B. */
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

const readers = [
  "Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
  "WhatsApp/2.24.9.78 A",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  "Mozilla/5.0 (compatible; Office365-SafeLinks)"
]

/** Every URL in the page. */
const addressesIn = ({ text }: Answer): ReadonlyArray<string> =>
  [...text.matchAll(/(?:href|src|action|content|data-\w+)="([^"]*)"/g)]
    .map(([, address = ""]) => address)
    .filter((address) => URL.canParse(address, "https://verify.example.com") && /^(https?:|\/)/.test(address))

/** Links: the backend's requests and answers, and the exchange of an approval. */
export const suite = (service: () => Service, once: Once) =>
  describe("login links", () => {
    const shop = (settings: { readonly [name: string]: unknown } = {}) =>
      service().client({ redirectUris: [returnTo], ...settings })

    it("verify an identity, which the backend gets by exchanging the code once", async () => {
      const client = await shop({ brand: "Acme" })
      const identity = phone()
      const link = await linkOf(client, { identity, channel: "WHATSAPP", state: "a b&c=d#e", orderId: "o-1" })
      const page = await link.open()
      assert.strictEqual(page.status, 200)
      for (const shown of ["Acme", `+91******${identity.slice(-4)}`, "just now"]) assert.include(page.text, shown)
      assert.notInclude(page.text, identity.slice(1))

      const back = await link.approved()
      assert.strictEqual(back.origin + back.pathname, returnTo)
      assert.sameMembers([...back.searchParams.keys()], ["code", "state", "requestId"])
      const { code = "", requestId, state } = Object.fromEntries(back.searchParams)
      assert.deepStrictEqual({ requestId, state }, { requestId: link.requestId, state: "a b&c=d#e" })
      assert.deepInclude(await link.status(), { authStatus: "VERIFIED", code })

      const { body, headers, status } = await client.token({ code })
      assert.strictEqual(status, 200)
      assert.strictEqual(headers["cache-control"], "no-store")
      const { idToken, ...who } = body
      assert.deepStrictEqual(who, { requestId, identity, identityType: "MOBILE", deviceTrusted: false })
      assert.deepInclude((await client.confirm({ idToken })).body, { success: true, phoneNumber: identity, requestId })
      refused(await client.token({ code }), "TRANSACTION_NOT_FOUND")
      assert.deepInclude(await link.status(), { authStatus: "VERIFIED", code: null })
    })

    it("are approved once by 100 concurrent requests; the others get the page of a used link", async () => {
      const link = await linkOf(await shop())
      const answers = await Promise.all(Array.from({ length: 100 }, () => link.press()))
      const [won = [], lost = []] = [303, 404].map((wanted) => answers.filter(({ status }) => status === wanted))
      assert.deepStrictEqual([won.length, lost.length], [1, 99])
      assert.strictEqual(new Set(lost.map(({ text }) => text)).size, 1)
      const { body } = await link.client.events()
      assert.deepStrictEqual(
        body.items.map(({ type }: any) => type),
        ["otp.verified", "otp.initiated"]
      )
    })

    it("are exchanged once by 50 concurrent requests", async () => {
      const link = await linkOf(await shop())
      const code = (await link.approved()).searchParams.get("code")
      const answers = await Promise.all(Array.from({ length: 50 }, () => link.client.token({ code })))
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, 1)
      for (const answer of answers) if (answer.status !== 200) refused(answer, "TRANSACTION_NOT_FOUND")
    })

    it("return the first answer to a repeated exchange with the same Idempotency-Key", async () => {
      const link = await linkOf(await shop())
      const code = (await link.approved()).searchParams.get("code")
      const key = { "idempotency-key": uuid() }
      const first = await link.client.token({ code }, key)
      assert.strictEqual(first.status, 200, first.text)
      const again = await link.client.token({ code }, key)
      assert.strictEqual(again.text, first.text)
      assert.strictEqual(again.headers["idempotency-replayed"], "true")
      refused(await link.client.token({ code }), "TRANSACTION_NOT_FOUND")
    })

    it("stay valid after any number of opens, previews and scans, and all loads of its page", async () => {
      const link = await linkOf(await shop())
      for (const agent of readers) {
        for (const method of ["GET", "HEAD", "GET", "HEAD"]) {
          const answer = await link.open({ "user-agent": agent, "x-purpose": "preview" }, method)
          assert.strictEqual(answer.status, 200)
          for (const address of addressesIn(answer)) {
            const { pathname, search } = new URL(address, "https://verify.example.com")
            await open(service(), pathname + search, { "user-agent": agent })
            await open(service(), `${pathname}?token=${link.token}`, { "user-agent": agent })
          }
        }
      }
      assert.isNotEmpty(addressesIn(await link.open()))
      assert.deepInclude(await link.status(), { authStatus: "PENDING", code: null })
      await link.approved()
    })

    once("are returned to a test environment, without a code of either kind", async () => {
      const { live, test } = await service().merchant()
      const identity = phone()
      const { body } = await test.initiate({ identity, mode: "MAGIC_LINK", channel: "SMS" })
      assert.sameMembers(Object.keys(body), ["requestId", "message", "oneTapApplied", "deviceToken", "link"])
      assert.strictEqual(body.message, "Link sent successfully")
      assert.match(body.link, /^https?:\/\/[^/]+\/l\/[\w.]+$/)
      const status = await test.settled(body.requestId)
      assert.deepInclude(status.body, { mode: "MAGIC_LINK", authStatus: "PENDING", code: null })
      assert.deepInclude(status.body.deliveries[0], { channel: "SMS", type: "LINK", deliveryStatus: "DELIVERED" })
      assert.notProperty(status.body, "matchNumber")
      assert.notProperty(status.body, "link")
      refused(await test.verify({ requestId: body.requestId, otp }), "INVALID_REQUEST", "otp")

      const sent = await live.initiate({ identity, mode: "MAGIC_LINK", channel: "SMS" })
      assert.strictEqual(sent.status, 200, sent.text)
      assert.sameMembers(Object.keys(sent.body), ["requestId", "message", "oneTapApplied", "deviceToken"])
    })

    once("show success if there is no page to return to, and then only status contains the code", async () => {
      const client = await service().client({ locale: "hi" })
      const identity = email()
      const link = await linkOf(client, { identity, identityType: "EMAIL", redirectUri: undefined })
      const pressed = await link.press()
      assert.strictEqual(pressed.status, 200)
      assert.include(pressed.text, 'role="status"')
      assert.include(pressed.text, "साइन इन मंज़ूर हुआ")
      assert.notProperty(pressed.headers, "location")
      const { code } = await link.status()
      assert.notInclude(pressed.text, code)
      assert.deepInclude((await client.token({ code })).body, { identity, identityType: "EMAIL" })
    })

    once("are resent for the same request, and replaced for another state", async () => {
      const client = await shop()
      const identity = phone()
      const [first, again, other] = [
        await linkOf(client, { identity, state: "one" }),
        await linkOf(client, { identity, state: "one" }),
        await linkOf(client, { identity, state: "two" })
      ]
      const unnamed = { identity, mode: "MAGIC_LINK", redirectUri: returnTo }
      const alone = (await client.initiate(unnamed)).body
      assert.notStrictEqual((await client.initiate(unnamed)).body.requestId, alone.requestId)
      const repeated = await client.initiate({ ...unnamed, requestId: alone.requestId })
      assert.strictEqual(repeated.body.requestId, alone.requestId, repeated.text)
      refused(
        await client.initiate({ ...unnamed, state: "two", requestId: alone.requestId }),
        "INVALID_REQUEST",
        "requestId"
      )
      assert.strictEqual(again.url, first.url)
      assert.notStrictEqual(other.url, first.url)
      await other.approved()
      assert.strictEqual((await first.status()).authStatus, "PENDING")
    })

    once(
      "trust the device of the exchange after number match and PKCE, and reject codes of OneTap logins",
      async () => {
        const client = await shop({ oneTap: true, linkNumberMatch: true })
        const identity = phone()
        const wish = { identity, mode: "MAGIC_LINK", redirectUri: returnTo }
        const begun = await client.initiate({ ...wish, codeChallenge: challenge })
        const { deviceToken, link, matchNumber, requestId } = begun.body
        await press(service(), { token: new URL(link).pathname.slice(3), number: matchNumber })
        const { code } = (await client.status({ requestId })).body
        assert.strictEqual((await client.initiate({ identity, deviceToken })).body.oneTapApplied, false)
        const exchanged = await client.token({ code, deviceToken, codeVerifier: verifier })
        assert.deepInclude(exchanged.body, { deviceTrusted: true })
        const next = await client.initiate({ identity, mode: "MAGIC_LINK", redirectUri: returnTo, deviceToken })
        assert.deepInclude(next.body, { oneTapApplied: true, message: "Authenticated via OneTap" })
        assert.notProperty(next.body, "link")
        const approved = (await client.status({ requestId: next.body.requestId })).body
        assert.deepInclude(approved, { authStatus: "VERIFIED", deliveries: [] })
        assert.deepInclude((await client.token({ code: approved.code })).body, { identity })
      }
    )

    once("return only to exactly registered addresses", async () => {
      const client = await shop({ redirectUris: [returnTo, "http://127.0.0.1/back", "https://shop.example.com/?a=b"] })
      const tricks = [
        "https://shop.example.com/signed-in/",
        "https://shop.example.com/signed-in?next=x",
        "https://shop.example.com/signed-in#x",
        "https://shop.example.com//signed-in",
        "https://shop.example.com.evil.example.com/signed-in",
        "https://shop.example.com@evil.example.com/signed-in",
        "https://user@shop.example.com/signed-in",
        "https://shop.example.com./signed-in",
        "https://shop.example.com:444/signed-in",
        "https:\\\\shop.example.com\\signed-in",
        "HTTPS://shop.example.com/signed-in",
        " https://shop.example.com/signed-in",
        "https://shop.example.com/signed-in\n",
        "//shop.example.com/signed-in",
        "javascript:alert(1)//https://shop.example.com/signed-in",
        "http://127.0.0.1.evil.example.com/back",
        "http://127.0.0.1:70000/back",
        "http://localhost/back",
        ""
      ]
      for (const redirectUri of tricks) {
        refused(await client.initiate({ mode: "MAGIC_LINK", redirectUri }), "INVALID_REQUEST", "redirectUri")
      }
      for (const redirectUri of ["http://127.0.0.1:5173/back", "https://shop.example.com/?a=b"]) {
        assert.strictEqual((await client.initiate({ mode: "MAGIC_LINK", redirectUri })).status, 200)
      }
    })

    once("require the PKCE verifier if there was a challenge, and reject one without a challenge", async () => {
      assert.strictEqual(createHash("sha256").update(verifier).digest("base64url"), challenge)
      const client = await shop()
      const link = await linkOf(client, { codeChallenge: challenge })
      const code = (await link.approved()).searchParams.get("code")
      for (const codeVerifier of [undefined, null, challenge, verifier.toLowerCase(), "a".repeat(43), "short", 1]) {
        refused(await client.token({ code, codeVerifier }), "INVALID_REQUEST", "codeVerifier")
      }
      assert.strictEqual((await client.token({ code, codeVerifier: verifier })).status, 200)
      assert.deepInclude((await client.token({ code, codeVerifier: verifier })).body, { requestId: link.requestId })
      refused(await client.token({ code, codeVerifier: "a".repeat(43) }), "INVALID_REQUEST", "codeVerifier")

      const open = await linkOf(client)
      const plain = (await open.approved()).searchParams.get("code")
      refused(await client.token({ code: plain, codeVerifier: verifier }), "INVALID_REQUEST", "codeVerifier")
      assert.strictEqual((await client.token({ code: plain })).status, 200)
      for (const codeChallenge of ["x", `${challenge}=`, `${challenge.slice(1)}+`, 1, []]) {
        refused(await client.initiate({ mode: "MAGIC_LINK", codeChallenge }), "INVALID_REQUEST", "codeChallenge")
      }
    })

    once("are exchanged only in their environment, with its server key", async () => {
      const { live, test } = await service().merchant({ redirectUris: [returnTo] })
      const link = await linkOf(test)
      const code = (await link.approved()).searchParams.get("code") ?? ""
      for (const stranger of [live, await service().client()]) {
        refused(await stranger.token({ code }), "TRANSACTION_NOT_FOUND")
        refused(await stranger.status({ requestId: link.requestId }), "TRANSACTION_NOT_FOUND")
      }
      const noKey = { "x-client-id": "", "x-client-secret": "", "x-public-key": test.keys.publicKey }
      refused(await test.token({ code }, noKey), "INVALID_CLIENT_CREDENTIALS")
      const { body: key } = await test.post("/v1/dashboard/keys", { type: "SERVER", scopes: ["leads", "dashboard"] })
      const other = { "x-client-id": key.clientId, "x-client-secret": key.clientSecret }
      refused(await test.token({ code }, other), "FORBIDDEN")
      const forged = [`${code.slice(0, 26)}${"0".repeat(26)}`, code.slice(0, -1) + (code.endsWith("0") ? "1" : "0")]
      for (const junk of [
        ...forged,
        "",
        "x",
        code.slice(1),
        `${code}0`,
        code.toUpperCase(),
        "0".repeat(52),
        "x".repeat(5000)
      ]) {
        refused(await test.token({ code: junk }), "TRANSACTION_NOT_FOUND")
      }
      for (const none of [undefined, null, 1, [], {}]) {
        refused(await test.token({ code: none }), "INVALID_REQUEST", "code")
      }
      assert.strictEqual((await test.token({ code })).status, 200)
    })
  })
