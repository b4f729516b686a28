import { assert, describe, it } from "vitest"
import { appOf } from "../fixture/App.ts"
import { type Client, code, phone, refused, uuid, wrong } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import type { Once } from "./Once.ts"

const at = "/v1/dashboard/try"
const tryIt = (client: Client, fields: object = {}, headers = {}) =>
  client.post(at, { identity: phone(), ...fields }, headers)
const enter = (client: Client, requestId: string, otp: string) => client.post(`${at}/${requestId}/verify`, { otp })

/** "Try it" in the dashboard. */
export const suite = (service: () => Service, once: Once) =>
  describe("a trial of a code from the dashboard", () => {
    it("starts a verification like any other, accepts codes, and is listed and audited as a trial", async () => {
      const client = await service().client()
      const identity = phone()
      const started = await tryIt(client, { identity, channel: "WHATSAPP" })
      assert.strictEqual(started.status, 201, started.text)
      const { requestId } = started.body
      assert.deepStrictEqual(started.body, { requestId })
      assert.deepStrictEqual((await enter(client, requestId, wrong)).body, {
        requestId,
        verified: false,
        authStatus: "PENDING",
        attemptsLeft: 2
      })
      const right = await enter(client, requestId, code)
      assert.deepStrictEqual(right.body, { requestId, verified: true, authStatus: "VERIFIED", attemptsLeft: 2 })
      const one = (await client.get(`/v1/dashboard/verifications/${requestId}`)).body
      assert.deepInclude(one, {
        trial: true,
        path: "SERVER",
        orderId: null,
        channel: "WHATSAPP",
        authStatus: "VERIFIED"
      })
      const { body, text } = await client.get("/v1/dashboard/audit?action=verification.tried")
      assert.deepStrictEqual(
        body.items.map(({ target, to }: any) => [target.id, to]),
        [[requestId, { identity: `+91******${identity.slice(-4)}`, channel: "WHATSAPP", locale: null }]]
      )
      assert.notInclude(text, identity.slice(3))
      assert.notInclude(text, code)
    })

    it("never shares a verification with a customer's login", async () => {
      const client = await service().client()
      const identity = phone()
      const login = await client.started({ identity, orderId: "o-1" })
      const { requestId } = (await tryIt(client, { identity })).body
      assert.notStrictEqual(requestId, login)
      assert.strictEqual(await client.started({ identity }), login)
      refused(await enter(client, login, code), "TRANSACTION_NOT_FOUND")
      refused(await enter(client, "o-1", code), "TRANSACTION_NOT_FOUND")
      const app = await appOf(client)
      refused(await enter(client, (await app.initiate({})).body.sessionId, code), "TRANSACTION_NOT_FOUND")
      assert.strictEqual((await client.status({ requestId: login })).body.authStatus, "PENDING")
      assert.isTrue((await enter(client, requestId, code)).body.verified)
      assert.strictEqual((await client.status({ requestId: login })).body.authStatus, "PENDING")
      assert.isFalse((await client.get(`/v1/dashboard/verifications/${login}`)).body.trial)
    })

    once("does not exist in another environment", async () => {
      const [mine, theirs] = [await service().merchant(), await service().merchant()]
      const { requestId } = (await tryIt(mine.test)).body
      const nothing = await enter(mine.test, "ver_00000000000000000000000000", code)
      refused(nothing, "TRANSACTION_NOT_FOUND")
      for (const stranger of [mine.live, theirs.test, theirs.live])
        assert.strictEqual((await enter(stranger, requestId, code)).text, nothing.text)
      assert.isTrue((await enter(mine.test, requestId, code)).body.verified)
    })

    once("refuses with the errors of initiate and verify, and stores nothing that it refused", async () => {
      const client = await service().client({ maxAttempts: 1, hourlyLimit: 1, canonicalHourlyLimit: 1 })
      const identity = phone()
      refused(await tryIt(client, { identity: "12" }), "INVALID_REQUEST", "identity")
      refused(await tryIt(client, { channel: "EMAIL" }), "INVALID_CHANNEL")
      refused(await tryIt(client, { channel: "TRUECALLER" }), "INVALID_CHANNEL")
      refused(await tryIt(client, { channel: "sms" }), "INVALID_CHANNEL")
      refused(await tryIt(client, { locale: "../en" }), "INVALID_REQUEST", "locale")
      const key = { "idempotency-key": uuid() }
      const { requestId } = (await tryIt(client, { identity }, key)).body
      assert.strictEqual((await tryIt(client, { identity }, key)).body.requestId, requestId)
      refused(await enter(client, requestId, " "), "INVALID_REQUEST", "otp")
      assert.strictEqual((await enter(client, requestId, wrong)).body.attemptsLeft, 0)
      refused(await enter(client, requestId, code), "MAX_ATTEMPTS_EXCEEDED")
      refused(await tryIt(client, { identity }), "RATE_LIMIT_EXCEEDED")
      assert.strictEqual((await client.get("/v1/dashboard/audit?action=verification.tried")).body.items.length, 1)
    })
  })
