import { assert, describe, it } from "vitest"
import { appOf } from "../fixture/App.ts"
import { phone, refused, uuid } from "../fixture/Client.ts"
import { linkOf, returnTo } from "../fixture/Link.ts"
import type { Service } from "../fixture/Service.ts"
import type { Once } from "./Once.ts"

/** Number verifiers in the test environment, where the proof is the number itself. */
export const suite = (service: () => Service, once: Once) =>
  describe("Truecaller", () => {
    const begin = async (settings: { readonly [name: string]: unknown } = {}) => {
      const client = await service().client({ redirectUris: [returnTo], ...settings })
      const app = await appOf(client)
      const started = (identity = phone()) =>
        client.started({ identity, mode: "OAUTH", channel: "TRUECALLER", redirectUri: returnTo })
      return { client, app, started }
    }

    it("turns a proof into an identity, which the backend exchanges once", async () => {
      const { app, client, started } = await begin()
      const identity = phone()
      const sessionId = await started(identity)
      const waiting = await app.waiting(sessionId)
      const { expiresAt } = waiting.body
      assert.deepStrictEqual(waiting.body, { sessionId, authStatus: "PENDING", expiresAt })
      assert.match(expiresAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

      const header = { "idempotency-key": uuid() }
      const proof = { sessionId, state: sessionId, code: identity.slice(1) }
      const proved = await app.truecaller(proof, header)
      assert.deepStrictEqual([proved.status, proved.body], [200, { verified: true, requestId: sessionId }])
      const again = await app.truecaller(proof, header)
      assert.deepStrictEqual([again.text, again.headers["idempotency-replayed"]], [proved.text, "true"])
      assert.deepStrictEqual((await app.truecaller({ ...proof, code: "1234567" })).body, proved.body)
      assert.deepStrictEqual((await app.waiting(sessionId)).body, { sessionId, authStatus: "VERIFIED", expiresAt })

      const { body } = await client.status({ requestId: sessionId })
      assert.deepInclude(body, { authStatus: "VERIFIED", mode: "OAUTH", deliveries: [] })
      const { idToken, ...who } = (await client.token({ code: body.code })).body
      assert.deepStrictEqual(who, { requestId: sessionId, identity, identityType: "MOBILE", deviceTrusted: false })
      assert.deepInclude((await client.confirm({ idToken })).body, { success: true, phoneNumber: identity })
      refused(await client.token({ code: body.code }), "TRANSACTION_NOT_FOUND")
      const types = (await client.events()).body.items.map(({ type }: any) => type)
      assert.deepStrictEqual(types, ["otp.verified", "otp.initiated", "session.created"])
    })

    it("verifies once for concurrent posts of one code", async () => {
      const { app, client, started } = await begin({ sdkInitiatesPerIpPerHour: 1000 })
      const identity = phone()
      const sessionId = await started(identity)
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => app.truecaller({ sessionId, code: identity.slice(1) }))
      )
      for (const { body } of answers) assert.deepStrictEqual(body, { verified: true, requestId: sessionId })
      assert.lengthOf((await client.events({ type: "otp.verified" })).body.items, 1)
    })

    once("fails the login for good if it returns another number", async () => {
      const { app, client, started } = await begin()
      const identity = phone()
      const sessionId = await started(identity)
      for (const code of [phone().slice(1), identity.slice(1)]) {
        const { body, status } = await app.truecaller({ sessionId, code })
        assert.deepStrictEqual([status, body], [200, { verified: false, requestId: sessionId }])
      }
      assert.strictEqual((await app.waiting(sessionId)).body.authStatus, "FAILED")
      assert.deepInclude((await client.status({ requestId: sessionId })).body, { authStatus: "FAILED", code: null })
    })

    once("reports an invalid proof, and leaves the login open", async () => {
      const { app, client, started } = await begin()
      const [identity, other] = [phone(), await started()]
      const sessionId = await started(identity)
      const right = { sessionId, code: identity.slice(1) }
      for (const [fields, field] of [
        [{ code: right.code }, "sessionId"],
        [{ sessionId }, "code"],
        [{ ...right, code: 7 }, "code"],
        [{ ...right, code: "" }, "code"],
        [{ ...right, code: "x".repeat(2049) }, "code"],
        [{ ...right, code: "no number" }, "code"],
        [{ ...right, codeVerifier: "short" }, "codeVerifier"],
        [{ ...right, codeVerifier: null }, "codeVerifier"],
        [{ ...right, state: other }, "state"],
        [{ ...right, state: 7 }, "state"]
      ] as const) {
        refused(await app.truecaller(fields), "INVALID_REQUEST", field)
      }
      const otp = await client.started()
      const sdk = await app.started()
      for (const id of [otp, sdk, "ver_00000000000000000000000000", "nonsense", ""]) {
        refused(await app.truecaller({ ...right, sessionId: id }), "TRANSACTION_NOT_FOUND")
      }
      assert.isTrue((await app.truecaller(right)).body.verified)
    })

    once("is unavailable for numbers ending in 0000: 502 with Retry-After, and the login stays open", async () => {
      const { app, started } = await begin()
      const identity = `${phone().slice(0, -4)}0000`
      const sessionId = await started(identity)
      const away = await app.truecaller({ sessionId, code: identity.slice(1) }, { "idempotency-key": uuid() })
      refused(away, "PROVIDER_ERROR")
      assert.strictEqual(away.status, 502)
      assert.isAbove(Number(away.headers["retry-after"]), 0)
      assert.strictEqual((await app.waiting(sessionId)).body.authStatus, "PENDING")
    })

    once("belongs to its environment, and others can neither see nor prove the login", async () => {
      const { app, started } = await begin()
      const other = await begin()
      const identity = phone()
      const sessionId = await started(identity)
      refused(await other.app.truecaller({ sessionId, code: identity.slice(1) }), "TRANSACTION_NOT_FOUND")
      refused(await other.app.waiting(sessionId), "TRANSACTION_NOT_FOUND")
      for (const id of ["nonsense", "ver_00000000000000000000000000", ""]) {
        refused(await app.waiting(id), "TRANSACTION_NOT_FOUND")
      }
      assert.strictEqual((await app.waiting(sessionId)).body.authStatus, "PENDING")
    })

    once("has its own hourly limit per address", async () => {
      const { app, started } = await begin({ sdkInitiatesPerIpPerHour: 2 })
      const sessionId = await started()
      for (let i = 0; i < 2; i++)
        refused(await app.truecaller({ sessionId, code: `no number ${i}` }), "INVALID_REQUEST", "code")
      const over = await app.truecaller({ sessionId, code: "no number" })
      refused(over, "RATE_LIMIT_EXCEEDED")
      assert.isAbove(Number(over.headers["retry-after"]), 3000)
      assert.strictEqual((await app.initiate()).status, 200)
    })

    once("answers only pages of allowed origins", async () => {
      const { app, started } = await begin({ allowedOrigins: ["https://app.acme.example"] })
      const sessionId = await started()
      for (const call of [
        (headers: object) => app.waiting(sessionId, { ...headers }),
        (headers: object) => app.truecaller({ sessionId, code: "no number" }, { ...headers })
      ]) {
        const foreign = await call({ origin: "https://elsewhere.example" })
        refused(foreign, "FORBIDDEN")
        const allowed = await call({ origin: "https://app.acme.example" })
        assert.notStrictEqual(allowed.status, 403)
        for (const { headers } of [foreign, allowed]) assert.strictEqual(headers["access-control-allow-origin"], "*")
      }
    })

    once("shows an app that waits for a link the number to choose, and no personal data", async () => {
      const client = await service().client({ redirectUris: [returnTo], linkNumberMatch: true })
      const app = await appOf(client)
      const link = await linkOf(client)
      const { body, text } = await app.waiting(link.requestId)
      const { matchNumber } = await link.status()
      assert.match(matchNumber, /^\d\d$/)
      assert.deepStrictEqual(body, {
        sessionId: link.requestId,
        authStatus: "PENDING",
        expiresAt: body.expiresAt,
        matchNumber
      })
      assert.notMatch(text, /\+?91\d{10}/)
    })
  })
