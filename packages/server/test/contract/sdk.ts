import { assert, describe, it } from "vitest"
import { App, appOf, sessionToken } from "../fixture/App.ts"
import { code, phone, refused, uuid, wrong } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import type { Answer } from "../fixture/Wire.ts"
import type { Once } from "./Once.ts"

const unknownId = "ver_00000000000000000000000000"
const key = (value: string = uuid()) => ({ "idempotency-key": value })
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString())
const idOf = ({ body, text }: Answer): string => {
  assert.match(body.sessionId, /^ver_[0-9a-z]{26}$/, text)
  return body.sessionId
}

/** The endpoints for apps, which hold no secret. */
export const suite = (service: () => Service, once: Once) => {
  describe("a session token", () => {
    it("is created for ten minutes with the scope sdk, and is an event", async () => {
      const client = await service().client()
      for (const fields of [{}, { scope: "sdk" }, { scope: null }, { scope: "sdk", unknown: 1 }]) {
        const { body, status, text } = await client.post("/v1/sdk/session", fields)
        assert.strictEqual(status, 200, text)
        const { expiresAt, sessionToken, ...rest } = body
        assert.deepStrictEqual(rest, { scope: "sdk", expiresIn: 600 })
        assert.match(expiresAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        const { aud, environment, exp, iat, merchant, scope } = claimsOf(sessionToken)
        assert.deepStrictEqual({ aud, scope }, { aud: "countersign:sdk", scope: "sdk" })
        assert.strictEqual(exp - iat, 600)
        assert.strictEqual(Date.parse(expiresAt), exp * 1000)
        for (const named of [merchant, environment]) assert.isString(named)
        const { items } = (await client.events({ type: "session.created", limit: "1" })).body
        assert.deepInclude(items[0], { environment: "test", data: { expiresAt, scope: "sdk" } })
      }
      const all = await client.events({ type: "session.created" })
      assert.strictEqual(all.body.items.length, 4)
      assert.notInclude(all.text, "eyJ")
    })

    once("has no other scope", async () => {
      const client = await service().client()
      for (const scope of ["", "SDK", "sdk ", "admin", "sdk admin", "*", 1, true, [], ["sdk"], {}]) {
        refused(await client.post("/v1/sdk/session", { scope }), "INVALID_REQUEST", "scope")
      }
      refused(await client.post("/v1/sdk/session", "[]"), "INVALID_REQUEST", "body")
      assert.deepStrictEqual((await client.events()).body.items, [])
    })

    it("is created once per Idempotency-Key", async () => {
      const client = await service().client()
      const header = key()
      const make = () => client.post("/v1/sdk/session", {}, header)
      const first = await make()
      const again = await make()
      assert.strictEqual(again.text, first.text)
      assert.strictEqual(again.headers["idempotency-replayed"], "true")
      assert.strictEqual((await client.events()).body.items.length, 1)
    })
  })

  describe("an app", () => {
    it("gets a verification from a code, which the backend can confirm", async () => {
      const client = await service().client()
      const app = await appOf(client)
      const identity = phone()
      const orderId = `order-${uuid()}`
      const deviceInfo = { platform: "iOS", model: "iPhone", osVersion: "18", appVersion: "1.0", locale: "en" }
      const before = Date.now()
      const begun = await app.initiate({ phone: identity, orderId, deviceInfo })
      assert.strictEqual(begun.status, 200, begun.text)
      const { expiresAt, sessionId, ...rest } = begun.body
      assert.deepStrictEqual(rest, { channel: "sms", codeLength: 6, oneTapApplied: false, deviceToken: null })
      assert.match(expiresAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.closeTo(Date.parse(expiresAt) - before, 300_000, 60_000)
      assert.match(sessionId, /^ver_[0-9a-z]{26}$/)
      const { body: pending } = await client.settled(sessionId)
      assert.deepInclude(pending, { requestId: sessionId, identity, authStatus: "PENDING", mode: "OTP", orderId })
      assert.strictEqual(pending.deliveries.length, 1)

      const failed = await app.verify({ sessionId, code: wrong })
      assert.strictEqual(failed.status, 200)
      assert.deepStrictEqual(failed.body, { verified: false, requestId: sessionId })
      const checked = await app.verify({ sessionId, code: ` ${code} ` })
      assert.deepStrictEqual(checked.body, { verified: true, requestId: sessionId })
      assert.deepStrictEqual((await app.verify({ sessionId, code: wrong })).body, checked.body)

      assert.deepInclude((await client.status({ requestId: sessionId })).body, { authStatus: "VERIFIED", orderId })
      assert.deepInclude((await client.confirm({ requestId: sessionId })).body, {
        success: true,
        phoneNumber: identity
      })
      const types = (await client.events()).body.items.map(({ data, type }: any) => `${type} ${data.requestId ?? ""}`)
      assert.sameMembers(types, ["session.created ", `otp.initiated ${sessionId}`, `otp.verified ${sessionId}`])
    })

    it("cannot take over an orderId of the backend by initiate, resend or a trusted device", async () => {
      const client = await service().client({ oneTap: true })
      const app = await appOf(client)
      const [victim, attacker] = [phone(), phone()]
      const begun = await client.initiate({ identity: victim, orderId: "order-1042", otpLength: 8 })
      const ours = begun.body.requestId
      const shown = async () => (await client.status({ orderId: "order-1042" })).body

      // In the test environment every code is known. The victim's is longer, so the attacker's is a different one.
      const { deviceToken, sessionId } = (await app.initiate({ phone: attacker, orderId: "order-1042" })).body
      const typed = await client.verify({ orderId: "order-1042", otp: code })
      assert.deepInclude(typed.body, { requestId: ours, verified: false })
      assert.deepInclude(await shown(), { requestId: ours, identity: victim, authStatus: "PENDING" })

      await app.initiate({ phone: attacker, sessionId, orderId: "order-1042" })
      assert.strictEqual((await app.verify({ sessionId, code, deviceToken })).body.verified, true)
      assert.strictEqual((await shown()).requestId, ours)
      const approved = await app.initiate({ phone: attacker, deviceToken, orderId: "order-1042" })
      assert.strictEqual(approved.body.oneTapApplied, true)
      assert.strictEqual((await shown()).requestId, ours)
      const again = await client.verify({ orderId: "order-1042", otp: code })
      assert.deepInclude(again.body, { requestId: ours, verified: false })

      await app.initiate({ phone: attacker, orderId: "order-of-the-app" })
      refused(await client.status({ orderId: "order-of-the-app" }), "TRANSACTION_NOT_FOUND")
      refused(await client.verify({ orderId: "order-of-the-app", otp: code }), "TRANSACTION_NOT_FOUND")
    })

    it("is stopped after too many wrong codes, without stopping the backend", async () => {
      const client = await service().client({ maxConsecutiveFailures: 3, oneTap: true })
      const app = await appOf(client)
      const victim = phone()
      const trusted = await app.initiate({ phone: victim })
      const { deviceToken } = trusted.body
      await app.verify({ sessionId: trusted.body.sessionId, code, deviceToken })

      const sessionId = await app.started({ phone: victim })
      await app.verify({ sessionId, code: wrong })
      await app.verify({ sessionId, code: wrong })
      // A check at the backend's endpoint also counts for the app that started it.
      assert.strictEqual((await client.verify({ requestId: sessionId, otp: wrong })).body.verified, false)
      refused(await app.initiate({ phone: victim }), "RATE_LIMIT_EXCEEDED")
      assert.strictEqual((await app.initiate({ phone: victim, deviceToken })).body.oneTapApplied, true)

      const { body } = await client.initiate({ identity: victim })
      assert.strictEqual((await client.verify({ requestId: body.requestId, otp: code })).body.verified, true)
      // A person who can log in through the backend is genuine, so apps may send to them again.
      assert.strictEqual((await app.initiate({ phone: victim })).status, 200)
    })

    once("can have its code checked by the backend, and both share one attempt counter", async () => {
      const client = await service().client()
      const app = await appOf(client)
      const sessionId = await app.started()
      assert.strictEqual((await app.verify({ sessionId, code: wrong })).body.verified, false)
      assert.include((await client.verify({ requestId: sessionId, otp: wrong })).body.message, "1 attempt")
      assert.strictEqual((await client.confirm({ requestId: sessionId })).body.success, false)
      const { body } = await client.verify({ requestId: sessionId, otp: code })
      assert.deepInclude(body, { requestId: sessionId, verified: true })
      assert.strictEqual((await client.confirm({ idToken: body.idToken })).body.success, true)
      assert.deepStrictEqual((await app.verify({ sessionId, code })).body, { verified: true, requestId: sessionId })
    })

    once("chooses a channel by its lower-case name, or leaves the choice to the settings", async () => {
      const client = await service().client({ primaryChannel: "WHATSAPP", codeLength: 8 })
      const app = await appOf(client)
      const chosen = [
        [undefined, "whatsapp"],
        [null, "whatsapp"],
        ["auto", "whatsapp"],
        ["sms", "sms"],
        ["whatsapp", "whatsapp"]
      ] as const
      for (const [channel, expected] of chosen) {
        const { body } = await app.initiate({ channel })
        assert.deepInclude(body, { channel: expected, codeLength: 8 })
        const { deliveries } = (await client.status({ requestId: body.sessionId })).body
        assert.deepInclude(deliveries[0], { channel: expected.toUpperCase() })
      }
      for (const channel of [
        "SMS",
        "Auto",
        "",
        "email",
        "rcs",
        "truecaller",
        "voice",
        "sms ",
        "__proto__",
        "toString"
      ]) {
        refused(await app.initiate({ channel }), "INVALID_CHANNEL")
      }
    })

    once("uses the fallback from the settings", async () => {
      const client = await service().client({ fallbackChannel: "WHATSAPP" })
      const app = await appOf(client)
      // SMS to this number is never delivered.
      const sessionId = await app.started({ phone: "+919800010000" })
      const { body } = await client.settled(sessionId)
      assert.deepStrictEqual(
        body.deliveries.map(({ channel }: any) => channel),
        ["SMS", "WHATSAPP"]
      )
    })

    once("gets the name of an invalid field", async () => {
      const client = await service().client({ sdkInitiatesPerIpPerHour: 20 })
      const app = await appOf(client)
      const shapes: ReadonlyArray<[field: string, values: ReadonlyArray<unknown>]> = [
        [
          "phone",
          [undefined, null, 9876543210, "", " ", "abc", "p@example.com", "+91987654321", [], {}, "9".repeat(65)]
        ],
        ["channel", [1, true, [], {}]],
        ["template", [1, true, [], {}]],
        ["orderId", ["", 1, [], {}, "x".repeat(256), "a\0b", "\ud800"]],
        ["sessionId", [1, [], {}, true]],
        ["deviceToken", [1, [], {}, true]],
        ["deviceInfo", ["x", 1, true, [], [{}], { model: "x".repeat(4085) }]]
      ]
      for (const [field, values] of shapes) {
        for (const value of values) refused(await app.initiate({ [field]: value }), "INVALID_REQUEST", field)
      }
      for (const name of ["platform", "model", "osVersion", "appVersion", "locale"]) {
        for (const value of [1, true, {}, []]) {
          refused(await app.initiate({ deviceInfo: { [name]: value } }), "INVALID_REQUEST", `deviceInfo.${name}`)
        }
      }
      for (const body of ["", "x", "null", "[]", "1", '"x"', "{"]) {
        refused(await app.verify(body), "INVALID_REQUEST", "body")
      }
      for (const [field, values] of [
        ["sessionId", [undefined, null, 1, [], {}]],
        ["code", [undefined, null, 123456, "", "  ", "1".repeat(65), [code], {}]],
        ["deviceToken", [1, [], {}]]
      ] as const) {
        for (const value of values) {
          refused(await app.verify({ sessionId: unknownId, code, [field]: value }), "INVALID_REQUEST", field)
        }
      }
      // The refused request leaves no row, and takes none of the 20 hourly places.
      assert.strictEqual((await client.events({ type: "otp.initiated" })).body.items.length, 0)
      const nothing = ["channel", "template", "orderId", "sessionId", "deviceToken", "deviceInfo"]
      await app.started(Object.fromEntries(nothing.map((name) => [name, null])))
      for (let i = 1; i < 20; i++) await app.started()
      refused(await app.initiate(), "RATE_LIMIT_EXCEEDED")
    })

    once("cannot use an unknown template", async () => {
      const client = await service().client({ sdkInitiatesPerIpPerHour: 1 })
      const app = await appOf(client)
      for (const template of ["", "welcome", "__proto__", "' or 1=1", "x".repeat(5000)]) {
        const answer = await app.initiate({ template })
        refused(answer, "TEMPLATE_NOT_FOUND")
        assert.strictEqual(answer.status, 404)
      }
      assert.strictEqual((await client.events({ type: "otp.initiated" })).body.items.length, 0)
      // A refused request gives its hourly place back.
      await app.started()
    })

    once("learns that its session has ended", async () => {
      const client = await service().client({ maxAttempts: 1 })
      const app = await appOf(client)
      const sessionId = await app.started()
      assert.strictEqual((await app.verify({ sessionId, code: wrong })).body.verified, false)
      for (let i = 0; i < 2; i++) {
        const exhausted = await app.verify({ sessionId, code })
        refused(exhausted, "MAX_ATTEMPTS_EXCEEDED")
        assert.strictEqual(exhausted.body.requestId, sessionId)
      }
      assert.strictEqual((await client.status({ requestId: sessionId })).body.authStatus, "FAILED")
      const undeliverable = await app.started({ phone: "+919800020000" })
      await client.settled(undeliverable)
      refused(await app.verify({ sessionId: undeliverable, code }), "OTP_EXPIRED")
      for (const unknown of [unknownId, "", "x", `${sessionId}x`, sessionId.toUpperCase(), "\0", "x".repeat(5000)]) {
        refused(await app.verify({ sessionId: unknown, code }), "TRANSACTION_NOT_FOUND")
      }
    })

    it("never receives a verification of another caller", async () => {
      const client = await service().client()
      const [app, attacker] = [await appOf(client), await appOf(client)]
      const identity = phone()
      const server = await client.started({ identity })
      const mine = await app.started({ phone: identity })
      const theirs = await attacker.started({ phone: identity })
      assert.strictEqual(new Set([server, mine, theirs]).size, 3)
      assert.strictEqual(await client.started({ identity }), server)
      for (let i = 0; i < 3; i++)
        assert.isFalse((await attacker.verify({ sessionId: theirs, code: wrong })).body.verified)
      refused(await attacker.verify({ sessionId: theirs, code }), "MAX_ATTEMPTS_EXCEEDED")
      const other = await attacker.started({ phone: identity })
      assert.isTrue((await app.verify({ sessionId: mine, code })).body.verified)
      for (const requestId of [server, other]) {
        assert.strictEqual((await client.status({ requestId })).body.authStatus, "PENDING")
        assert.strictEqual((await client.confirm({ requestId })).body.success, false)
      }
      assert.include((await client.verify({ requestId: server, otp: wrong })).body.message, "2 attempts")
    })

    once("cannot check a code that was sent for the backend", async () => {
      const client = await service().client()
      const app = await appOf(client)
      const identity = phone()
      const requestId = await client.started({ identity })
      for (const entered of [code, wrong]) {
        refused(await app.verify({ sessionId: requestId, code: entered }), "TRANSACTION_NOT_FOUND")
      }
      refused(await app.initiate({ phone: identity, sessionId: requestId }), "TRANSACTION_NOT_FOUND")
      assert.include((await client.verify({ requestId, otp: wrong })).body.message, "2 attempts")
      assert.strictEqual((await client.status({ requestId })).body.deliveries.length, 1)
    })

    it("sees no data of other merchants and environments", async () => {
      const merchant = await service().merchant()
      const stranger = await service().merchant()
      const app = await appOf(merchant.test)
      const identity = phone()
      const sessionId = await app.started({ phone: identity })
      const unknown = await app.verify({ sessionId: unknownId, code })
      for (const other of [merchant.live, stranger.test, stranger.live]) {
        const foreign = await appOf(other)
        for (const entered of [code, wrong]) {
          const answer = await foreign.verify({ sessionId, code: entered })
          refused(answer, "TRANSACTION_NOT_FOUND")
          assert.strictEqual(answer.text, unknown.text)
        }
        refused(await other.status({ requestId: sessionId }), "TRANSACTION_NOT_FOUND")
        if (other !== stranger.test) continue
        refused(await foreign.initiate({ phone: identity, sessionId }), "TRANSACTION_NOT_FOUND")
        // A public key of one merchant with a token of another: each endpoint checks only its own credential.
        const mixed = new App(service(), merchant.test.keys.publicKey, foreign.token)
        refused(await mixed.verify({ sessionId: await mixed.started(), code }), "TRANSACTION_NOT_FOUND")
      }
      assert.isTrue((await app.verify({ sessionId, code })).body.verified)
    })

    once("resends the code by session id", async () => {
      const client = await service().client()
      const app = await appOf(client)
      const identity = phone()
      const sessionId = await app.started({ phone: identity })
      const again = await app.initiate({ phone: identity, sessionId, channel: "whatsapp" })
      assert.deepInclude(again.body, { sessionId, channel: "whatsapp" })
      const { deliveries } = (await client.settled(sessionId)).body
      assert.deepStrictEqual(
        deliveries.map(({ attemptNumber, channel }: any) => [attemptNumber, channel]),
        [
          [1, "SMS"],
          [2, "WHATSAPP"]
        ]
      )
      assert.strictEqual((await client.events({ type: "otp.initiated" })).body.items.length, 1)
      refused(await app.initiate({ phone: phone(), sessionId }), "TRANSACTION_NOT_FOUND")
      for (const unknown of [unknownId, "", "x", "\0", "x".repeat(5000)]) {
        refused(await app.initiate({ phone: identity, sessionId: unknown }), "TRANSACTION_NOT_FOUND")
      }
      assert.isTrue((await app.verify({ sessionId, code })).body.verified)
      // An ended session is not resent: its orderId starts a new one.
      assert.notStrictEqual(await app.started({ phone: identity, sessionId }), sessionId)
    })

    once("follows the rules of resends", async () => {
      const client = await service().client({ maxResends: 1, hourlyLimit: 1 })
      const app = await appOf(client)
      const identity = phone()
      const sessionId = await app.started({ phone: identity })
      assert.strictEqual(await app.started({ phone: identity, sessionId }), sessionId)
      const over = await app.initiate({ phone: identity, sessionId })
      refused(over, "RATE_LIMIT_EXCEEDED")
      assert.strictEqual(over.body.requestId, sessionId)
    })

    it("has its own hourly limit, separate from the backend's", async () => {
      const client = await service().client({ hourlyLimit: 2 })
      const app = await appOf(client)
      const identity = phone()
      for (let i = 0; i < 2; i++) await app.started({ phone: identity })
      refused(await app.initiate({ phone: identity }), "RATE_LIMIT_EXCEEDED")
      for (let i = 0; i < 2; i++) await client.verified({ identity })
      refused(await client.initiate({ identity }), "RATE_LIMIT_EXCEEDED")
      // Also across all spellings: 6, three times the limit, on each path.
      const spellings = [identity.slice(3), `91${identity.slice(3)}`, `+91 ${identity.slice(3)}`]
      let more = 0
      for (const spelling of spellings) {
        for (let i = 0; i < 2; i++) if ((await app.initiate({ phone: spelling })).status === 200) more++
      }
      assert.strictEqual(more, 4)
      await client.verified({ identity: spellings[0]! })
    })

    it("starts one session per Idempotency-Key for concurrent requests", async () => {
      const client = await service().client({ sdkInitiatesPerIpPerHour: 2 })
      const app = await appOf(client)
      const header = key()
      const fields = { phone: phone() }
      const answers = await Promise.all(Array.from({ length: 50 }, () => app.initiate(fields, header)))
      assert.strictEqual(new Set(answers.map(({ text }) => text)).size, 1)
      assert.strictEqual(answers[0]!.status, 200, answers[0]!.text)
      assert.strictEqual(answers.filter(({ headers }) => headers["idempotency-replayed"] === "true").length, 49)
      const sessionId = idOf(answers[0]!)
      assert.strictEqual((await client.settled(sessionId)).body.deliveries.length, 1)
      assert.strictEqual((await client.events({ type: "otp.initiated" })).body.items.length, 1)

      const wrongs = key()
      const guesses = await Promise.all(
        Array.from({ length: 50 }, () => app.verify({ sessionId, code: wrong }, wrongs))
      )
      assert.strictEqual(new Set(guesses.map(({ text }) => text)).size, 1)
      assert.include((await client.verify({ requestId: sessionId, otp: wrong })).body.message, "1 attempt")

      refused(await app.initiate({ ...fields, channel: "sms" }, header), "IDEMPOTENCY_KEY_REUSED")
      // 50 requests took one place of the hour.
      await app.started()
      refused(await app.initiate(), "RATE_LIMIT_EXCEEDED")
    })

    it("has Idempotency-Keys per environment, which must be UUIDs", async () => {
      const [one, two] = [await service().client(), await service().client()]
      const [app, other] = [await appOf(one), await appOf(two)]
      const [header, fields] = [key(), { phone: phone() }]
      const [first, second] = [await app.initiate(fields, header), await other.initiate(fields, header)]
      assert.notStrictEqual(idOf(first), idOf(second))
      const served = await one.initiate({ identity: fields.phone }, header)
      assert.isUndefined(served.headers["idempotency-replayed"])
      assert.notStrictEqual(served.body.requestId, idOf(first))
      for (const value of ["", "x", uuid().slice(1), `{${uuid()}}`]) {
        refused(await app.initiate({}, key(value)), "INVALID_REQUEST", "Idempotency-Key")
        refused(await app.verify({ sessionId: unknownId, code }, key(value)), "INVALID_REQUEST", "Idempotency-Key")
      }
    })

    it("is refused while its merchant is suspended", async () => {
      const { id, test } = await service().alone().merchant()
      const app = await appOf(test)
      const sessionId = await app.started()
      await test.settled(sessionId)
      const turn = (way: string) => test.service.admin({ method: "POST", path: `/v1/admin/merchants/${id}/${way}` })
      assert.strictEqual((await turn("suspend")).status, 200)
      refused(await app.initiate(), "CLIENT_INACTIVE")
      refused(await app.verify({ sessionId, code }), "CLIENT_INACTIVE")
      refused(await test.post("/v1/sdk/session", {}), "CLIENT_INACTIVE")
      refused(await app.initiate({}, { "x-public-key": `${app.publicKey}x` }), "INVALID_CLIENT_CREDENTIALS")
      assert.strictEqual((await turn("resume")).status, 200)
      const checked = await app.verify({ sessionId, code })
      assert.strictEqual(checked.body.verified, true, checked.text)
    })

    once("has its credentials checked first", async () => {
      const client = await service().client()
      const app = await appOf(client)
      const huge = "x".repeat(70_000)
      for (const body of ["{", huge, { phone: 1 }, []]) {
        const calls = [
          { path: "/v1/sdk/session", headers: { "x-client-id": client.keys.clientId } },
          { path: "/v1/sdk/auth/initiate", headers: { "x-public-key": "pk_test_nobody", ...key("x") } },
          { path: "/v1/sdk/auth/verify", headers: { authorization: `Bearer ${app.token}x`, ...key("x") } }
        ]
        for (const call of calls) refused(await service().send({ ...call, body }), "INVALID_CLIENT_CREDENTIALS")
      }
      const large = { path: "/v1/sdk/auth/initiate", headers: { "x-public-key": app.publicKey }, body: huge }
      refused(await service().send(large), "PAYLOAD_TOO_LARGE")
    })
  })

  describe("abuse of a public key", () => {
    it("is stopped by the hourly session limit per address, with any header", async () => {
      const client = await service().client({ sdkInitiatesPerIpPerHour: 5 })
      const other = await appOf(await service().client({ sdkInitiatesPerIpPerHour: 1 }))
      const app = await appOf(client)
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          app.initiate(
            {},
            { "x-forwarded-for": `203.0.113.${i}`, forwarded: `for=203.0.113.${i}`, "x-real-ip": `203.0.113.${i}` }
          )
        )
      )
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, 5)
      for (const answer of answers) {
        if (answer.status === 200) continue
        refused(answer, "RATE_LIMIT_EXCEEDED")
        const seconds = Number(answer.headers["retry-after"])
        assert.isAbove(seconds, 3000)
        assert.isAtMost(seconds, 3660)
      }
      assert.strictEqual((await client.events({ type: "otp.initiated" })).body.items.length, 5)
      // Backends have no such limit, and each merchant has its own.
      await client.started()
      await other.started()
    })

    once("is stopped by the allowed countries", async () => {
      const [india, america] = [phone(), "+14162345678"]
      const client = await service().client({ allowedCountries: ["IN", "SG"], sdkInitiatesPerIpPerHour: 2 })
      const app = await appOf(client)
      for (const number of [america, "+442079460123", "+12025550123"]) {
        const answer = await app.initiate({ phone: number })
        refused(answer, "FORBIDDEN")
        assert.match(answer.body.message, /phone/)
      }
      assert.strictEqual((await client.events({ type: "otp.initiated" })).body.items.length, 0)
      for (const number of [india.slice(3), "+6591234567"]) await app.started({ phone: number })
      // The rules hold for the backend, too.
      refused(await client.initiate({ identity: america }), "FORBIDDEN")
      const nowhere = await appOf(await service().client({ allowedCountries: [] }))
      refused(await nowhere.initiate({ phone: india }), "FORBIDDEN")
      const canada = await appOf(await service().client({ allowedCountries: ["US"] }))
      refused(await canada.initiate({ phone: america }), "FORBIDDEN")
    })

    once("is stopped by blocked prefixes in any spelling of the number", async () => {
      const client = await service().client({ blockedPrefixes: ["91981", "1900"] })
      const app = await appOf(client)
      for (const number of ["+919812345678", "9812345678", "+91 98123-45678", "919812345678", "+19002345678"]) {
        refused(await app.initiate({ phone: number }), "FORBIDDEN")
      }
      for (const number of ["+919822345678", "9822345679"]) await app.started({ phone: number })
      refused(await client.initiate({ identity: "+919812345678" }), "FORBIDDEN")
      await client.started({ identity: "+919822345678" })
    })

    once("is stopped by the allowed origins", async () => {
      const allowedOrigins = ["https://app.example.com", "http://localhost:3000", "https://Shop.Example.com/"]
      const client = await service().client({ allowedOrigins })
      const app = await appOf(client)
      const sessionId = await app.started()
      const allowed = ["https://app.example.com", "http://localhost:3000", "https://shop.example.com"]
      for (const origin of allowed) {
        assert.strictEqual((await app.initiate({}, { origin })).status, 200, origin)
        assert.strictEqual((await app.verify({ sessionId, code: wrong.slice(1) }, { origin })).status, 200, origin)
      }
      const others = [
        "https://evil.example.com",
        "http://app.example.com",
        "https://app.example.com:8443",
        "https://app.example.com.evil.example",
        "https://evil.example/https://app.example.com",
        "https://xapp.example.com",
        "https://sub.app.example.com",
        "app.example.com",
        "https://",
        "null",
        "*",
        "https://app.example.com, https://evil.example.com",
        "x".repeat(5000)
      ]
      for (const origin of others) {
        refused(await app.initiate({}, { origin }), "FORBIDDEN")
        refused(await app.verify({ sessionId, code }, { origin }), "FORBIDDEN")
        refused(await service().send({ ...app.initiateCall({}, { origin, ...key("x") }), body: "{" }), "FORBIDDEN")
        refused(await app.initiate({}, { origin, "x-public-key": "pk" }), "INVALID_CLIENT_CREDENTIALS")
      }
      // A backend is not a page, in spite of its headers.
      assert.strictEqual((await client.post("/v1/sdk/session", {}, { origin: others[0] })).status, 200)

      const none = await appOf(await service().client({ allowedOrigins: [] }))
      await none.started()
      refused(await none.initiate({}, { origin: allowed[0] }), "FORBIDDEN")
      const any = await appOf(await service().client())
      for (const origin of [allowed[0], "null", "x"])
        assert.strictEqual((await any.initiate({}, { origin })).status, 200)
    })
  })

  describe("browsers", () => {
    // `check` asserts for every request that pages can read exactly the answers under /v1/sdk.
    const asked = {
      origin: "https://app.example.com",
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,x-public-key,idempotency-key,authorization"
    }

    once("may send preflight requests to SDK endpoints", async () => {
      for (const path of ["/v1/sdk/session", "/v1/sdk/auth/initiate", "/v1/sdk/auth/verify"]) {
        for (const headers of [asked, {}, { origin: "null" }]) {
          const { headers: answered, status, text } = await service().send({ method: "OPTIONS", path, headers })
          assert.strictEqual(status, 204)
          assert.strictEqual(text, "")
          assert.strictEqual(answered["access-control-allow-origin"], "*")
          assert.strictEqual(answered["access-control-allow-methods"], "GET, POST, DELETE")
          const allowed = String(answered["access-control-allow-headers"]).split(", ")
          assert.includeMembers(allowed, ["authorization", "content-type", "idempotency-key", "x-public-key"])
          for (const secret of ["x-client-id", "x-client-secret", "*"]) assert.notInclude(allowed, secret)
          assert.match(String(answered["access-control-max-age"]), /^[0-9]+$/)
        }
      }
      refused(await service().send({ method: "OPTIONS", path: "/v1/sdk/nothing", headers: asked }), "NOT_FOUND")
    })

    once("may call no other endpoint", async () => {
      const others = [
        "/v1/dashboard/devices",
        "/v1/dashboard/devices/x",
        "/v1/dashboard/events",
        "/v1/auth/verify-code",
        "/v1/auth/token"
      ]
      for (const path of others) {
        refused(await service().send({ method: "OPTIONS", path, headers: asked }), "METHOD_NOT_ALLOWED")
      }
    })

    it("can read every answer and its headers, also of refusals and repeats", async () => {
      const client = await service().client({ sdkInitiatesPerIpPerHour: 1, allowedOrigins: [asked.origin] })
      const app = await appOf(client)
      const [header, fields] = [{ ...asked, ...key() }, { phone: phone() }]
      const answers = [
        await app.initiate(fields, header),
        await app.initiate(fields, header),
        await app.initiate({}, asked),
        await app.initiate({ phone: 1 }, asked),
        await app.initiate({ template: "x" }, asked),
        await app.initiate({}, { origin: "https://evil.example.com" }),
        await app.initiate({}, { ...asked, "x-public-key": "" }),
        await app.verify({ sessionId: unknownId, code }, asked),
        await app.verify({}, { ...asked, authorization: "Bearer x" }),
        await service().send({ path: "/v1/sdk/auth/verify", headers: asked }),
        await service().send({ path: "/v1/sdk/nothing", headers: asked })
      ]
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 429, 400, 429, 403, 401, 400, 401, 405, 404]
      )
      for (const { headers } of answers) {
        assert.strictEqual(headers["access-control-allow-origin"], "*")
        const exposed = String(headers["access-control-expose-headers"]).split(", ")
        assert.includeMembers(exposed, ["retry-after", "x-request-id", "idempotency-replayed"])
      }
    })

    once("cannot use a token from an app whose origin is not allowed", async () => {
      const client = await service().client({ allowedOrigins: [asked.origin] })
      const headers = { authorization: `Bearer ${await sessionToken(client)}`, origin: "https://evil.example.com" }
      refused(await service().send({ path: "/v1/sdk/auth/verify", body: {}, headers }), "FORBIDDEN")
    })
  })
}
