import { assert, describe, it } from "vitest"
import { code, email, phone, refused, wrong } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import type { Once } from "./Once.ts"

const channelsOf = (deliveries: ReadonlyArray<any>) =>
  deliveries.map(({ attemptNumber, channel }) => [attemptNumber, channel])

/** Initiate for an identity with a pending code. */
export const resends = (service: () => Service, once: Once) =>
  describe("a resend", () => {
    once("returns the same requestId and message, and keeps the attempt count", async () => {
      const client = await service().client()
      const identity = phone()
      const first = await client.initiate({ identity })
      const { requestId } = first.body
      assert.include((await client.verify({ requestId, otp: wrong })).body.message, "2 attempts")
      assert.include((await client.verify({ requestId, otp: wrong })).body.message, "1 attempt")
      const second = await client.initiate({ identity })
      assert.deepStrictEqual(second.body, first.body)
      const { body } = await client.settled(requestId)
      assert.deepStrictEqual(channelsOf(body.deliveries), [
        [1, "SMS"],
        [2, "SMS"]
      ])
      assert.include((await client.verify({ requestId, otp: wrong })).body.message, "No attempts")
      refused(await client.verify({ requestId, otp: code }), "MAX_ATTEMPTS_EXCEEDED")
    })

    once("starts a new verification after success, after the last attempt and after a failed delivery", async () => {
      const client = await service().client({ maxAttempts: 1 })
      const identity = phone()
      const ids = [(await client.verified({ identity })).requestId, await client.started({ identity })]
      assert.strictEqual((await client.verify({ requestId: ids[1], otp: wrong })).body.verified, false)
      ids.push(await client.started({ identity }))
      assert.strictEqual(new Set(ids).size, 3)
      assert.strictEqual((await client.verify({ requestId: ids[2], otp: code })).body.verified, true)
    })

    once("requires exactly the same spelling of the identity", async () => {
      const client = await service().client()
      const identity = phone()
      const spellings = [identity, identity.slice(1), identity.slice(3), `${identity.slice(0, 3)} ${identity.slice(3)}`]
      const ids = await Promise.all(spellings.map((identity) => client.started({ identity })))
      assert.strictEqual(new Set(ids).size, spellings.length)
      const again = await Promise.all(spellings.map((identity) => client.started({ identity })))
      assert.deepStrictEqual(again, ids)
      for (const [i, requestId] of ids.entries()) {
        assert.strictEqual((await client.status({ requestId })).body.identity, spellings[i])
      }
      const address = email()
      const lower = await client.started({ identity: address, identityType: "EMAIL" })
      assert.notStrictEqual(await client.started({ identity: address.toUpperCase(), identityType: "EMAIL" }), lower)
    })

    once("sends the same code over another channel", async () => {
      const client = await service().client()
      const identity = phone()
      const requestId = await client.started({ identity, channel: "SMS" })
      assert.strictEqual(await client.started({ identity, channel: "WHATSAPP" }), requestId)
      const { body } = await client.settled(requestId)
      assert.deepStrictEqual(channelsOf(body.deliveries), [
        [1, "SMS"],
        [2, "WHATSAPP"]
      ])
      assert.strictEqual((await client.verify({ requestId, otp: code })).body.verified, true)
    })

    once("keeps the length of the first code", async () => {
      const client = await service().client()
      const identity = phone()
      const requestId = await client.started({ identity, otpLength: 4 })
      assert.strictEqual(await client.started({ identity, otpLength: 8 }), requestId)
      assert.strictEqual((await client.verify({ requestId, otp: "12345678" })).body.verified, false)
      assert.strictEqual((await client.verify({ requestId, otp: "1234" })).body.verified, true)
    })

    it("is found by each of its orderIds, and shows the newest", async () => {
      const client = await service().client()
      const identity = phone()
      const requestId = await client.started({ identity, orderId: "first" })
      assert.strictEqual(await client.started({ identity, orderId: "second" }), requestId)
      assert.strictEqual(await client.started({ identity }), requestId)
      for (const orderId of ["first", "second"]) {
        assert.deepInclude((await client.status({ orderId })).body, { requestId, orderId: "second" })
      }
      assert.strictEqual((await client.verify({ orderId: "first", otp: code })).body.requestId, requestId)
    })

    once("is allowed exactly maxResends times", async () => {
      const client = await service().client({ maxResends: 2 })
      const identity = phone()
      const requestId = await client.started({ identity })
      for (let i = 0; i < 2; i++) assert.strictEqual(await client.started({ identity }), requestId)
      const over = await client.initiate({ identity })
      refused(over, "RATE_LIMIT_EXCEEDED")
      assert.strictEqual(over.body.requestId, requestId)
      assert.strictEqual((await client.settled(requestId)).body.deliveries.length, 3)
      assert.strictEqual((await client.verify({ requestId, otp: code })).body.verified, true)
    })

    once("waits for the cooldown", async () => {
      const client = await service().client({ resendCooldownSeconds: 600 })
      const identity = phone()
      const requestId = await client.started({ identity })
      const soon = await client.initiate({ identity })
      refused(soon, "RATE_LIMIT_EXCEEDED")
      assert.isAtMost(Number(soon.headers["retry-after"]), 600)
      assert.isAbove(Number(soon.headers["retry-after"]), 500)
      assert.strictEqual((await client.status({ requestId })).body.deliveries.length, 1)
      await client.started({ identity: phone() })
    })
  })

/** The limits on new codes. */
export const limits = (service: () => Service, once: Once) =>
  describe("the limits", () => {
    it("refuse new codes over hourlyLimit, but do not count resends", async () => {
      const client = await service().client({ hourlyLimit: 2, canonicalHourlyLimit: 0, maxResends: 0 })
      const identity = phone()
      for (let i = 0; i < 2; i++) {
        const requestId = await client.started({ identity })
        for (let j = 0; j < 5; j++) assert.strictEqual(await client.started({ identity }), requestId)
        assert.strictEqual((await client.verify({ requestId, otp: code })).body.verified, true)
      }
      for (let i = 0; i < 3; i++) {
        const over = await client.initiate({ identity })
        refused(over, "RATE_LIMIT_EXCEEDED")
        assert.isNull(over.body.requestId)
        assert.isAtMost(Number(over.headers["retry-after"]), 3600)
        assert.isAbove(Number(over.headers["retry-after"]), 3500)
      }
      await client.started({ identity: phone() })
      const { items } = (await client.events({ type: "otp.initiated" })).body
      assert.strictEqual(items.filter(({ data }: any) => data.identity === identity).length, 2)
    })

    once("allow 10 by default", async () => {
      const client = await service().client()
      const identity = phone()
      for (let i = 0; i < 10; i++) await client.verified({ identity })
      refused(await client.initiate({ identity }), "RATE_LIMIT_EXCEEDED")
    })

    it("count all spellings of one number in a second budget", async () => {
      const settings = { hourlyLimit: 1 }
      const spell = (identity: string) => [
        identity,
        identity.slice(1),
        identity.slice(3),
        identity.replace("+91", "+91 ")
      ]
      const three = await service().client(settings)
      const [fourth, ...spellings] = spell(phone()).reverse()
      for (const identity of spellings) await three.verified({ identity })
      refused(await three.initiate({ identity: fourth }), "RATE_LIMIT_EXCEEDED")
      const off = await service().client({ ...settings, canonicalHourlyLimit: 0 })
      for (const identity of spell(phone())) await off.verified({ identity })
      const two = await service().client({ ...settings, canonicalHourlyLimit: 2 })
      const address = email()
      await two.verified({ identity: address, identityType: "EMAIL" })
      await two.verified({ identity: address.toUpperCase(), identityType: "EMAIL" })
      const mixed = address.replace("example", "Example")
      refused(await two.initiate({ identity: mixed, identityType: "EMAIL" }), "RATE_LIMIT_EXCEEDED")
    })

    it("stop after maxConsecutiveFailures wrong codes, and a success resets the count", async () => {
      const client = await service().client({ maxConsecutiveFailures: 2, maxAttempts: 1 })
      const identity = phone()
      const guess = async (identity: string) => {
        const requestId = await client.started({ identity })
        assert.strictEqual((await client.verify({ requestId, otp: wrong })).body.verified, false)
      }
      await guess(identity)
      await client.verified({ identity })
      await guess(identity)
      await guess(identity.slice(1))
      for (const spelling of [identity, identity.slice(1), identity.slice(3)]) {
        refused(await client.initiate({ identity: spelling }), "RATE_LIMIT_EXCEEDED")
      }
      await client.started()
      const unlock = (body: unknown) => client.post("/v1/dashboard/unlock", body)
      // Unlocking works once in any spelling, for the backend and for apps. The next call finds nothing to unlock.
      assert.deepStrictEqual((await unlock({ identity: identity.slice(3), identityType: "MOBILE" })).body, {
        unlocked: true
      })
      await client.started({ identity })
      assert.deepStrictEqual((await unlock({ identity })).body, { unlocked: false })
      // Unlocking by verification needs no identity in the request.
      const requestId = await client.started({ identity })
      const of = `/v1/dashboard/verifications/${requestId}`
      const lock = async () => (await client.get(`${of}/lock`)).body
      assert.deepStrictEqual(await lock(), { lockedUntil: null, reason: null, wrongCodes: 0 })
      assert.strictEqual((await client.get(of)).body.attemptsLeft, 1)
      await client.verify({ requestId, otp: wrong })
      await guess(identity.slice(1))
      assert.strictEqual((await client.get(of)).body.attemptsLeft, 0)
      const { lockedUntil, ...others } = await lock()
      assert.deepStrictEqual(others, { reason: "WRONG_CODES", wrongCodes: 2 })
      assert.match(lockedUntil, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      // A list reads the locks of verifications with wrong codes.
      const outcomeIn = ({ outcome }: any) => [outcome.code, outcome.advice, outcome.lockedUntil]
      assert.deepStrictEqual(outcomeIn((await client.get(of)).body), ["NO_ATTEMPTS_LEFT", "UNLOCK", lockedUntil])
      const listed = (await client.get("/v1/dashboard/verifications")).body.items
      assert.deepStrictEqual(outcomeIn(listed.find((item: any) => item.requestId === requestId)), [
        "NO_ATTEMPTS_LEFT",
        "UNLOCK",
        lockedUntil
      ])
      const unlockBy = () => client.post(`${of}/unlock`, {})
      assert.deepStrictEqual((await unlockBy()).body, { unlocked: true })
      assert.deepStrictEqual((await unlockBy()).body, { unlocked: false })
      assert.deepStrictEqual(outcomeIn((await client.get(of)).body), ["NO_ATTEMPTS_LEFT", "REQUEST_AGAIN", null])
      assert.deepStrictEqual(await lock(), { lockedUntil: null, reason: null, wrongCodes: 0 })
      await client.started({ identity })
      const other = await service().client()
      refused(await other.get(`${of}/lock`), "TRANSACTION_NOT_FOUND")
      refused(await other.post(`${of}/unlock`, {}), "TRANSACTION_NOT_FOUND")
      for (const body of [{}, { identity: "x" }, { identity: 7 }])
        refused(await unlock(body), "INVALID_REQUEST", "identity")
      refused(await unlock({ identity, identityType: "PIGEON" }), "INVALID_REQUEST", "identityType")
    })

    it("count each environment separately", async () => {
      const [one, two] = [await service().client({ hourlyLimit: 1 }), await service().client({ hourlyLimit: 1 })]
      const identity = phone()
      await one.verified({ identity })
      refused(await one.initiate({ identity }), "RATE_LIMIT_EXCEEDED")
      await two.verified({ identity })
    })

    once("do not count requests that were refused for another reason", async () => {
      const client = await service().client({ hourlyLimit: 1 })
      const identity = phone()
      for (const fields of [
        { mode: "SMS" },
        { channel: "EMAIL" },
        { otpLength: 3 },
        { mode: "OAUTH" },
        { header: "x" }
      ]) {
        assert.strictEqual((await client.initiate({ identity, ...fields })).status, 400)
      }
      await client.started({ identity })
      assert.strictEqual((await client.events()).body.items.length, 1)
    })
  })
