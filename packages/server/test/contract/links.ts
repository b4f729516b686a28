import { assert, describe, it } from "vitest"
import { phone, refused } from "../fixture/Client.ts"
import { linkOf, returnTo } from "../fixture/Link.ts"
import type { Service } from "../fixture/Service.ts"
import type { Once } from "./Once.ts"

/** Links: what a backend asks for and is answered, what their page says, and who may exchange what it gave. */
export const suite = (service: () => Service, once: Once) =>
  describe("links", () => {
    it("goes from a link to an identity that is exchanged once", async () => {
      const client = await service().client({ redirectUris: [returnTo], brand: "Acme" })
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
      assert.deepStrictEqual(who, { requestId, identity, identityType: "MOBILE" })
      assert.deepInclude((await client.confirm({ idToken })).body, { success: true, phoneNumber: identity, requestId })
      refused(await client.token({ code }), "TRANSACTION_NOT_FOUND")
      assert.deepInclude(await link.status(), { authStatus: "VERIFIED", code: null })
    })

    once("answers a test environment with the link itself, and no code of either kind", async () => {
      const client = await service().client()
      const identity = phone()
      const { body } = await client.initiate({ identity, mode: "MAGIC_LINK", channel: "SMS" })
      assert.sameMembers(Object.keys(body), ["requestId", "message", "oneTapApplied", "deviceToken", "link"])
      assert.strictEqual(body.message, "Link sent successfully")
      assert.match(body.link, /^https?:\/\/[^/]+\/l\/[\w.]+$/)
      const status = await client.settled(body.requestId)
      assert.deepInclude(status.body, { mode: "MAGIC_LINK", authStatus: "PENDING", code: null })
      assert.deepInclude(status.body.deliveries[0], { channel: "SMS", type: "LINK", deliveryStatus: "DELIVERED" })
      assert.notProperty(status.body, "matchNumber")
      assert.notProperty(status.body, "link")
    })

    once("shows the number to match, in initiate and in status, where the setting asks for it", async () => {
      const client = await service().client({ linkNumberMatch: true })
      const { body } = await client.initiate({ mode: "MAGIC_LINK" })
      assert.match(body.matchNumber, /^[1-9]\d$/)
      assert.strictEqual((await client.status({ requestId: body.requestId })).body.matchNumber, body.matchNumber)
      const typed = await client.initiate()
      assert.notProperty(typed.body, "matchNumber")
      assert.notProperty((await client.status({ requestId: typed.body.requestId })).body, "matchNumber")
    })

    once("refuses an authorisation code that is none, and names what is not in the form of one", async () => {
      const client = await service().client()
      for (const code of ["", "x", "0".repeat(52), "ver_00000000000000000000000000", "x".repeat(5000), "\0"]) {
        refused(await client.token({ code }), "TRANSACTION_NOT_FOUND")
      }
      for (const code of [undefined, null, 1, [], {}]) refused(await client.token({ code }), "INVALID_REQUEST", "code")
      for (const codeVerifier of ["short", "x".repeat(129), "a b".repeat(20), 1, []]) {
        refused(await client.token({ code: "0".repeat(52), codeVerifier }), "INVALID_REQUEST", "codeVerifier")
      }
      refused(
        await client.token({ code: "x" }, { "x-client-secret": "", "x-public-key": client.keys.publicKey }),
        "INVALID_CLIENT_CREDENTIALS"
      )
    })
  })
