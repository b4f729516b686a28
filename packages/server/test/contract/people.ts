import { Effect, Redacted } from "effect"
import type { Channel } from "@countersign/core/channel"
import { MemoryStorage } from "@countersign/core/memory"
import { assert, describe, it } from "vitest"
import { email, refused } from "../fixture/Client.ts"
import { Dashboard, invited, tokenIn } from "../fixture/Dashboard.ts"
import { inProcess, type Merchant, secret, type Service, token } from "../fixture/Service.ts"
import { until } from "../fixture/Until.ts"
import type { Answer } from "../fixture/Wire.ts"
import type { Once } from "./Once.ts"

/** A service whose email the test can read. */
const withMail = async () => {
  const codes = new Map<string, string>()
  const mail: Channel = {
    name: "EMAIL",
    provider: "kept",
    supports: { identityTypes: ["EMAIL"], receipts: false, kinds: ["Code"] },
    send: (message) =>
      Effect.sync(() => {
        if (message._tag === "Code") codes.set(message.to, Redacted.value(message.code))
        return { providerId: null }
      })
  }
  const service = await inProcess({
    mode: "memory",
    storage: MemoryStorage.layer,
    channels: [mail],
    adminToken: token(),
    secret: secret(),
    log: () => {}
  })
  const codeOf = (to: string) =>
    until(
      async () => codes.get(to) ?? "",
      (code) => code !== "",
      { what: "a code to sign in with" }
    )
  return { service, codes, codeOf }
}

/** How team members sign in, and how their sessions end. */
export const suite = (service: () => Service, once: Once) =>
  describe("team members", () => {
    /** A new person who has redeemed their link. */
    const signedIn = async (merchant: Merchant, fields: object = {}) => {
      const agent = await invited(merchant, fields)
      const browser = new Dashboard(service())
      const redeemed = await browser.post("/sessions/redeem", { token: agent.token })
      assert.strictEqual(redeemed.status, 200, redeemed.text)
      return { agent, browser, redeemed }
    }
    /** The answer that this browser gets from each process. */
    const everywhere = (browser: Dashboard) =>
      Promise.all(service().urls.map((url) => browser.at(service(), url).get("/me")))
    const ended = (browser: Dashboard, status = 401): Promise<ReadonlyArray<Answer>> =>
      until(
        () => everywhere(browser),
        (answers) => answers.every((one) => one.status === status),
        { what: "the end of a session in every process" }
      )

    it("sign in with a link once, and are known in every process until they sign out", async () => {
      const merchant = await service().merchant()
      const { agent, browser, redeemed } = await signedIn(merchant)
      assert.deepStrictEqual(redeemed.body, {
        agent: { id: agent.id, email: agent.email, role: "ADMIN" },
        merchant: { id: merchant.id, name: "Acme" },
        merchants: [{ id: merchant.id, name: "Acme" }]
      })
      assert.notInclude(redeemed.text, browser.token)
      for (const me of await everywhere(browser)) {
        const { freshUntil, sendsFiles, ...rest } = me.body
        assert.isBoolean(sendsFiles)
        assert.deepStrictEqual(rest, {
          ...redeemed.body,
          agent: { ...redeemed.body.agent, name: null, digestMinutes: null, digestRefusal: "NOT_OFFERED" }
        })
        assert.match(freshUntil, /^\d{4}-.*\.\d{3}Z$/)
      }
      const staff = await merchant.live.get("/v1/dashboard/agents")
      assert.deepInclude(
        staff.body.items.find(({ id }: { readonly id: number }) => id === agent.id),
        { status: "ACTIVE" }
      )
      const again = new Dashboard(service())
      refused(await again.post("/sessions/redeem", { token: agent.token }), "INVALID_CLIENT_CREDENTIALS")
      assert.isNull(again.cookie)

      const { cookie } = browser
      assert.strictEqual((await browser.delete("/sessions/current")).status, 204)
      assert.isNull(browser.cookie)
      browser.cookie = cookie
      refused(await browser.get("/me"), "INVALID_CLIENT_CREDENTIALS")
      await ended(browser)
    })

    it("get one session when 100 requests redeem a link concurrently, in any process", async () => {
      const merchant = await service().merchant()
      const agent = await invited(merchant)
      const browsers = Array.from({ length: 100 }, () => new Dashboard(service()))
      const answers = await Promise.all(
        browsers.map((browser) => browser.post("/sessions/redeem", { token: agent.token }))
      )
      const byStatus = Map.groupBy(answers, ({ status }) => status)
      assert.strictEqual(byStatus.get(200)?.length, 1)
      assert.strictEqual(byStatus.get(401)?.length, 99)
      const winner = browsers.find(({ cookie }) => cookie !== null)!
      assert.strictEqual((await winner.get("/sessions")).body.items.length, 1)
    })

    it("see only their own session after signing in by link, and can end it everywhere", async () => {
      const { merchant, ownerUrl } = await service().owned(email())
      const { agent, browser } = await signedIn(merchant)
      const path = `/v1/dashboard/agents/${agent.id}`
      const patched = await merchant.live.send({ method: "PATCH", path, body: { status: "INVITED" } })
      refused(patched, "INVALID_REQUEST")
      refused(await merchant.live.send({ method: "POST", path: `${path}/invite` }), "FORBIDDEN")
      // Only an owner or the operator may create a link for an ACTIVE agent.
      const owner = new Dashboard(service())
      assert.strictEqual((await owner.post("/sessions/redeem", { token: tokenIn(ownerUrl) })).status, 200)
      const link = await owner.post(`/agents/${agent.id}/invite`, undefined)
      assert.strictEqual(link.status, 200, link.text)
      const second = new Dashboard(service())
      const redeemed = await second.send({
        method: "POST",
        path: "/v1/dashboard/sessions/redeem",
        body: { token: tokenIn(link.body.url) },
        headers: { "user-agent": "Firefox \u00e9" }
      })
      assert.strictEqual(redeemed.status, 200, redeemed.text)
      const { items, nextCursor } = (await second.get("/sessions")).body
      assert.isNull(nextCursor)
      assert.strictEqual(items.length, 1)
      const { address, createdAt, current, id, lastUsedAt, userAgent } = items[0]
      assert.deepStrictEqual([current, address, createdAt], [true, "127.0.0.1", lastUsedAt])
      assert.include(userAgent, "Firefox")
      refused(await second.delete("/sessions/ses_00000000000000000000000000"), "NOT_FOUND")
      const stranger = await signedIn(merchant)
      refused(await stranger.browser.delete(`/sessions/${id}`), "NOT_FOUND")
      assert.strictEqual((await second.delete(`/sessions/${id}`)).status, 204)
      await ended(second)
      await ended(browser, 200)
    })

    it.each([
      ["another role", { role: "VIEWER" }],
      ["a suspension", { status: "SUSPENDED" }]
    ])("are signed out after %s, in every process within 5 seconds", async (_, fields) => {
      const merchant = await service().merchant()
      const { agent, browser } = await signedIn(merchant)
      for (const me of await everywhere(browser)) assert.strictEqual(me.status, 200)
      const path = `/v1/dashboard/agents/${agent.id}`
      assert.strictEqual((await merchant.live.send({ method: "PATCH", path, body: fields })).status, 200)
      for (const answer of await ended(browser)) refused(answer, "INVALID_CLIENT_CREDENTIALS")
    })

    it("are signed out while their merchant is suspended, and after their removal", async () => {
      const merchant = await service().merchant()
      const { agent, browser } = await signedIn(merchant)
      const path = `/v1/admin/merchants/${merchant.id}`
      await service().admin({ method: "POST", path: `${path}/suspend` })
      const stopped = await until(
        () => everywhere(browser),
        (answers) => answers.every(({ body }) => body.errorCode === "CLIENT_INACTIVE"),
        { what: "the suspension in every process" }
      )
      assert.isAbove(stopped.length, 0)
      await service().admin({ method: "POST", path: `${path}/resume` })
      await ended(browser, 200)
      const removed = { method: "DELETE", path: `/v1/dashboard/agents/${agent.id}` }
      await until(
        () => merchant.live.send(removed),
        ({ status }) => status === 204,
        { what: "the merchant's key to work again" }
      )
      await ended(browser)
    })

    once("start with the owner whom the operator names for a new merchant", async () => {
      const ownerEmail = email()
      const make = (body: object) => service().admin({ path: "/v1/admin/merchants", body })
      const made = await make({ name: "Owned", ownerEmail })
      assert.strictEqual(made.status, 201, made.text)
      const { expiresAt, url } = made.body.ownerInvitation
      assert.match(url, /\/dashboard#redeem=[0-9a-z]{52}$/)
      assert.approximately(Date.parse(expiresAt) - Date.parse(made.body.createdAt), 72 * 3_600_000, 60_000)
      const browser = new Dashboard(service())
      const { body } = await browser.post("/sessions/redeem", { token: tokenIn(url) })
      assert.deepInclude(body, { agent: { id: 1, email: ownerEmail, role: "OWNER" } })
      assert.isNull((await make({ name: "Nobody's" })).body.ownerInvitation)
      for (const wrong of ["", "nobody", "a@b@c", 7, "a\u0000@example.com"]) {
        refused(await make({ name: "Refused", ownerEmail: wrong }), "INVALID_REQUEST", "ownerEmail")
      }
      const { body: merchants } = await service().admin({ path: "/v1/admin/merchants" })
      assert.notInclude(JSON.stringify(merchants), "Refused")
    })

    once("get no answer that reveals who works at a merchant", async () => {
      const merchant = await service().merchant()
      const { agent } = await signedIn(merchant)
      const browser = new Dashboard(service())
      const ask = (address: unknown) => browser.post("/sessions", { email: address })
      const bare = ({ headers, ...answer }: Answer) => ({ ...answer, headers: Object.keys(headers).toSorted() })
      const known = bare(await ask(agent.email))
      assert.deepInclude(known, { status: 202, text: "{}" })
      for (const unknown of [email(), "root@localhost", merchant.id + "@example.com"]) {
        assert.deepStrictEqual(bare(await ask(unknown)), known)
      }
      for (const wrong of [undefined, null, "", "x", 7, {}]) refused(await ask(wrong), "INVALID_REQUEST", "email")
      const confirm = (address: string, code: string) => browser.post("/sessions/confirm", { email: address, code })
      const tell = async (answer: Promise<Answer>) => {
        const { body, status } = await answer
        return { status, errorCode: body.errorCode, message: body.message }
      }
      const wrong = await tell(confirm(agent.email, "000000"))
      assert.deepInclude(wrong, { status: 401, errorCode: "INVALID_CLIENT_CREDENTIALS" })
      for (const [address, code] of [
        [agent.email, "123456"],
        [email(), "123456"],
        [email(), ""],
        [agent.email, "x".repeat(999)]
      ] as const) {
        assert.deepStrictEqual(await tell(confirm(address, code)), wrong)
      }
      for (const bad of ["", "x", agent.token, `${agent.token}0`, "\u0000"]) {
        assert.deepStrictEqual(await tell(browser.post("/sessions/redeem", { token: bad })), wrong)
      }
    })

    once("must wait after too many codes for an address, known or unknown", async () => {
      const { service: own } = await withMail()
      const merchant = await own.merchant()
      const address = email()
      await merchant.live.post("/v1/dashboard/agents", { email: address, role: "ADMIN" })
      for (const each of [address, email()]) {
        const answers: Array<Answer> = []
        for (let n = 0; n < 6; n++) answers.push(await new Dashboard(own).post("/sessions", { email: each }))
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [...Array.from({ length: 5 }, () => 202), 429]
        )
        assert.isAbove(Number(answers[5]!.headers["retry-after"]), 0)
      }
      await own.close()
    })

    once("sign in with a code by email, and switch to another of their merchants", async () => {
      const { codeOf, codes, service: own } = await withMail()
      const [acme, bolt] = [await own.merchant({}, "Acme"), await own.merchant({}, "Bolt")]
      const address = email()
      for (const { live } of [acme, bolt]) {
        const fields = { email: address, role: live === acme.live ? "ADMIN" : "VIEWER" }
        assert.strictEqual((await live.post("/v1/dashboard/agents", fields)).status, 201)
      }
      const browser = new Dashboard(own)
      assert.strictEqual((await browser.post("/sessions", { email: address.toUpperCase() })).status, 202)
      const code = await codeOf(address)
      const answer = await browser.post("/sessions/confirm", { email: address, code })
      assert.strictEqual(answer.status, 200, answer.text)
      assert.notInclude(answer.text, browser.token)
      const [cookie] = answer.headers["set-cookie"]!
      assert.match(cookie!, /^countersign-dev=[0-9a-z]{52}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/)
      assert.sameDeepMembers(answer.body.merchants, [
        { id: acme.id, name: "Acme" },
        { id: bolt.id, name: "Bolt" }
      ])
      const first = answer.body.merchant.id === acme.id ? acme : bolt
      const other = first === acme ? bolt : acme
      const before = browser.cookie
      const moved = await browser.patch("/sessions/current", { merchantId: other.id })
      assert.strictEqual(moved.status, 200, moved.text)
      assert.deepStrictEqual(moved.body.merchant, { id: other.id, name: other.name })
      assert.notStrictEqual(browser.cookie, before)
      assert.deepInclude((await browser.get("/me")).body, { merchant: moved.body.merchant })
      const third = await own.merchant({}, "Coil")
      refused(await browser.patch("/sessions/current", { merchantId: third.id }), "MERCHANT_NOT_FOUND")
      // The previous session is invalid, and so is the used code.
      const old = new Dashboard(own)
      old.cookie = before
      refused(await old.get("/me"), "INVALID_CLIENT_CREDENTIALS")
      refused(await old.post("/sessions/confirm", { email: address, code }), "INVALID_CLIENT_CREDENTIALS")
      assert.strictEqual(codes.size, 1)
      // Signing in creates no merchant and no event.
      const listed = await own.admin({ path: "/v1/admin/merchants" })
      assert.strictEqual(listed.body.items.length, 3)
      assert.deepStrictEqual((await acme.live.get("/v1/dashboard/events")).body.items, [])
      await own.close()
    })

    once("can sign in only from a dashboard page", async () => {
      const merchant = await service().merchant()
      const agent = await invited(merchant)
      const browser = new Dashboard(service())
      for (const origin of ["https://evil.example", "null", `${browser.origin}.evil.example`]) {
        const answer = await browser.send({
          method: "POST",
          path: "/v1/dashboard/sessions/redeem",
          body: { token: agent.token },
          headers: { origin }
        })
        refused(answer, "FORBIDDEN")
      }
      assert.strictEqual((await browser.post("/sessions/redeem", { token: agent.token })).status, 200)
    })
  })
