import { assert, describe, it } from "vitest"
import { Client, code, email, phone, refused, wrong } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import type { Once } from "./Once.ts"

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** The answer of confirm for an identity that is not verified. */
export const unverified = (requestId: string) => ({
  success: false,
  phoneNumber: null,
  countryCode: null,
  nationalPhoneNumber: null,
  identityType: null,
  authTime: null,
  requestId
})

const identities: ReadonlyArray<
  [spelling: string, type: "MOBILE" | "EMAIL", countryCode: "91" | null, national: string | null]
> = [
  ["+919876543210", "MOBILE", "91", "9876543210"],
  ["919876543210", "MOBILE", "91", "9876543210"],
  ["+91 98765-43210", "MOBILE", "91", "9876543210"],
  ["9876543210", "MOBILE", null, "9876543210"],
  ["98765 43210", "MOBILE", null, "9876543210"],
  ["6876543210", "MOBILE", null, "6876543210"],
  ["+65 9123 4567", "MOBILE", null, null],
  ["6591234567".replace(/^65/, "+65"), "MOBILE", null, null],
  ["+1 415-555-2671", "MOBILE", null, null],
  ["+442071838750", "MOBILE", null, null],
  ["Someone.Else+tag@Example.com", "EMAIL", null, null]
]

/** A login from start to end, with every answer. */
export const suite = (service: () => Service, once: Once) =>
  describe("a login", () => {
    it("goes from a code to a confirmed identity, by requestId", async () => {
      const client = await service().client()
      const identity = phone()
      const begun = await client.initiate({ identity, channel: "SMS" })
      assert.strictEqual(begun.status, 200)
      const { requestId, ...rest } = begun.body
      assert.match(requestId, /^ver_[0-9a-z]{26}$/)
      assert.deepStrictEqual(rest, { message: rest.message, oneTapApplied: false, deviceToken: null })
      assert.match(rest.message, /sent/i)

      const pending = await client.settled(requestId)
      assert.deepStrictEqual(pending.body, {
        requestId,
        identity,
        identityType: "MOBILE",
        mode: "OTP",
        authStatus: "PENDING",
        verifiedAt: null,
        orderId: null,
        code: null,
        deliveries: [
          {
            channel: "SMS",
            type: "OTP",
            deliveryStatus: "DELIVERED",
            attemptNumber: 1,
            carrier: "sandbox",
            providerCode: null
          }
        ]
      })
      assert.deepStrictEqual((await client.confirm({ requestId })).body, unverified(requestId))

      const checked = await client.verify({ requestId, otp: code })
      assert.strictEqual(checked.status, 200)
      const { idToken, message, ...verdict } = checked.body
      assert.deepStrictEqual(verdict, { requestId, verified: true })
      assert.match(message, /verified/i)
      assert.match(idToken, /^[\w-]+\.[\w-]+\.[\w-]+$/)

      const { body } = await client.status({ requestId })
      assert.match(body.verifiedAt, instant)
      assert.deepStrictEqual(body, { ...pending.body, authStatus: "VERIFIED", verifiedAt: body.verifiedAt })

      const confirmed = await client.confirm({ requestId })
      assert.deepStrictEqual(confirmed.body, {
        success: true,
        phoneNumber: identity,
        countryCode: "91",
        nationalPhoneNumber: identity.slice(3),
        identityType: "MOBILE",
        authTime: Math.floor(Date.parse(body.verifiedAt) / 1000),
        requestId
      })
      assert.deepStrictEqual((await client.confirm({ idToken })).body, confirmed.body)
    })

    once("works by orderId as well", async () => {
      const client = await service().client()
      const orderId = "order 1/ü-😀"
      const requestId = await client.started({ orderId })
      assert.strictEqual((await client.status({ orderId })).body.requestId, requestId)
      const { body } = await client.verify({ orderId, otp: code })
      assert.deepInclude(body, { requestId, verified: true })
      assert.deepInclude((await client.status({ orderId })).body, { requestId, orderId, authStatus: "VERIFIED" })
    })

    it("finds the most recent verification of an orderId", async () => {
      const client = await service().client()
      const first = await client.started({ orderId: "same" })
      const second = await client.started({ orderId: "same" })
      assert.notStrictEqual(first, second)
      assert.strictEqual((await client.status({ orderId: "same" })).body.requestId, second)
      assert.strictEqual((await client.verify({ orderId: "same", otp: code })).body.requestId, second)
      assert.strictEqual((await client.status({ requestId: first })).body.authStatus, "PENDING")
    })

    once("prefers requestId if both ids are given, and verify refuses both", async () => {
      const client = await service().client()
      const first = await client.started({ orderId: "one" })
      const second = await client.verified({ orderId: "two" })
      assert.strictEqual((await client.status({ requestId: first, orderId: "two" })).body.requestId, first)
      refused(await client.status({ requestId: "ver_unknown", orderId: "two" }), "TRANSACTION_NOT_FOUND")
      const { body } = await client.confirm({ requestId: first, idToken: second.idToken })
      assert.deepStrictEqual(body, unverified(first))
      assert.deepInclude((await client.confirm({ requestId: second.requestId, idToken: "junk" })).body, {
        success: true
      })
      refused(await client.verify({ requestId: first, orderId: "one", otp: code }), "INVALID_REQUEST", "orderId")
      assert.strictEqual((await client.verify({ requestId: first, orderId: null, otp: code })).body.verified, true)
    })

    once("requires an id", async () => {
      const client = await service().client()
      refused(await client.status({}), "INVALID_REQUEST", "requestId")
      refused(await client.confirm({}), "INVALID_REQUEST", "requestId")
      refused(await client.verify({ otp: code }), "INVALID_REQUEST", "requestId")
      refused(await client.status({ orderId: "" }), "TRANSACTION_NOT_FOUND")
      for (const id of ["ver_00000000000000000000000000", "ver_", "junk", "", "x".repeat(2000), "' or 1=1 --", "%00"]) {
        refused(await client.status({ requestId: id }), "TRANSACTION_NOT_FOUND")
        refused(await client.verify({ requestId: id, otp: code }), "TRANSACTION_NOT_FOUND")
        refused(await client.confirm({ requestId: id }), "TRANSACTION_NOT_FOUND")
      }
    })

    it("reports the remaining attempts, and refuses even the right code after the last", async () => {
      const client = await service().client()
      const requestId = await client.started()
      for (const left of ["2 attempts", "1 attempt ", "No attempts"]) {
        const { body, status } = await client.verify({ requestId, otp: wrong })
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(body, { requestId, verified: false, message: body.message, idToken: null })
        assert.include(body.message, left)
        assert.strictEqual((await client.status({ requestId })).body.authStatus, "PENDING")
      }
      const exhausted = await client.verify({ requestId, otp: code })
      refused(exhausted, "MAX_ATTEMPTS_EXCEEDED")
      assert.strictEqual(exhausted.body.requestId, requestId)
      assert.strictEqual((await client.status({ requestId })).body.authStatus, "FAILED")
      assert.deepStrictEqual((await client.verify({ requestId, otp: code })).body, exhausted.body)
      assert.deepStrictEqual((await client.confirm({ requestId })).body, unverified(requestId))
      assert.isNull((await client.status({ requestId })).body.verifiedAt)
    })

    once("accepts a code with surrounding spaces, and does not count malformed codes", async () => {
      const client = await service().client({ maxAttempts: 1 })
      const requestId = await client.started()
      for (const otp of ["", "   ", "\t\n", undefined, null, 123456, ["123456"], { otp: code }, true, "1".repeat(65)]) {
        refused(await client.verify({ requestId, otp }), "INVALID_REQUEST", "otp")
      }
      assert.strictEqual((await client.verify({ requestId, otp: ` ${code}  ` })).body.verified, true)
    })

    it("answers 'Already verified' to every later code, with a new idToken", async () => {
      const client = await service().client()
      const requestId = await client.started()
      const first = (await client.verify({ requestId, otp: code })).body
      const { verifiedAt } = (await client.status({ requestId })).body
      const tokens = new Set([first.idToken])
      for (const otp of [code, wrong, "junk"]) {
        const { body } = await client.verify({ requestId, otp })
        assert.deepInclude(body, { requestId, verified: true, already: true })
        assert.match(body.message, /already/i)
        tokens.add(body.idToken)
      }
      assert.notMatch(first.message, /already/i)
      assert.notProperty(first, "already")
      assert.strictEqual(tokens.size, 4)
      assert.strictEqual((await client.status({ requestId })).body.verifiedAt, verifiedAt)
    })

    once("requires the right code again with strictReverify", async () => {
      const client = await service().client({ strictReverify: true })
      const { requestId } = await client.verified()
      const { body } = await client.verify({ requestId, otp: wrong })
      assert.deepInclude(body, { verified: false, idToken: null })
      assert.strictEqual((await client.status({ requestId })).body.authStatus, "VERIFIED")
      assert.strictEqual((await client.verify({ requestId, otp: code })).body.verified, true)
    })

    once("is not changed by confirm and status", async () => {
      const client = await service().client({ maxAttempts: 1 })
      const requestId = await client.started()
      const before = await client.settled(requestId)
      for (let i = 0; i < 5; i++) await client.confirm({ requestId, otp: wrong })
      assert.deepStrictEqual((await client.status({ requestId })).body, before.body)
      assert.strictEqual((await client.verify({ requestId, otp: code })).body.verified, true)
    })

    once.each(identities)(
      "confirms %s as it was sent",
      async (identity, identityType, countryCode, nationalPhoneNumber) => {
        const client = await service().client()
        const { idToken, requestId } = await client.verified({ identity, identityType })
        const { body } = await client.confirm({ idToken })
        const expected = {
          success: true,
          phoneNumber: identity,
          countryCode,
          nationalPhoneNumber,
          identityType,
          requestId
        }
        assert.deepStrictEqual(body, { ...expected, authTime: body.authTime })
        assert.deepInclude((await client.status({ requestId })).body, { identity, identityType })
      }
    )

    once("uses test codes that depend only on the length", async () => {
      const client = await service().client({ maxAttempts: 1 })
      for (const [otpLength, otp] of [
        [4, "1234"],
        [5, "12345"],
        [6, code],
        [7, "1234567"],
        [8, "12345678"],
        [null, code]
      ]) {
        const requestId = await client.started({ otpLength })
        assert.strictEqual((await client.verify({ requestId, otp })).body.verified, true)
      }
    })

    once("refuses a code of another length", async () => {
      const client = await service().client()
      const requestId = await client.started()
      for (const otp of ["12345", "1234567", "0123456"]) {
        assert.strictEqual((await client.verify({ requestId, otp })).body.verified, false)
      }
    })

    once.each(["SMS", "WHATSAPP", "RCS"])("sends a code to a phone by %s", async (channel) => {
      const client = await service().client()
      const requestId = await client.started({ channel })
      const delivered = {
        channel,
        type: "OTP",
        deliveryStatus: "DELIVERED",
        attemptNumber: 1,
        carrier: "sandbox",
        providerCode: null
      }
      assert.deepStrictEqual((await client.settled(requestId)).body.deliveries, [delivered])
    })

    once("sends a code to an address by email, with or without a named channel", async () => {
      const client = await service().client()
      for (const channel of ["EMAIL", undefined]) {
        const requestId = await client.started({ identity: email(), identityType: "EMAIL", channel })
        const delivered = {
          channel: "EMAIL",
          type: "OTP",
          deliveryStatus: "DELIVERED",
          attemptNumber: 1,
          carrier: "sandbox",
          providerCode: null
        }
        assert.deepStrictEqual((await client.settled(requestId)).body.deliveries, [delivered])
      }
    })

    once("fails for test numbers ending in 0000, and gets no receipts for those ending in 0001", async () => {
      const client = await service().client()
      for (const [identity, identityType] of [
        ["+919876540000", "MOBILE"],
        ["p0000@example.com", "EMAIL"]
      ]) {
        const requestId = await client.started({ identity, identityType })
        const { body } = await client.settled(requestId)
        assert.deepInclude(body, { authStatus: "FAILED", verifiedAt: null })
        assert.strictEqual(body.deliveries[0].deliveryStatus, "FAILED")
        const late = await client.verify({ requestId, otp: code })
        refused(late, "OTP_EXPIRED")
        assert.match(late.body.message, /deliver/i)
        assert.strictEqual(late.body.requestId, requestId)
        assert.notStrictEqual(await client.started({ identity, identityType }), requestId)
        const { items } = (await client.events({ type: "delivery.failed" })).body
        assert.strictEqual(items.filter(({ data }: any) => data.requestId === requestId).length, 1)
      }
      for (const [identity, identityType] of [
        ["+919876540001", "MOBILE"],
        ["p0001@example.com", "EMAIL"]
      ]) {
        const requestId = await client.started({ identity, identityType })
        const { body } = await client.settled(requestId)
        assert.strictEqual(body.authStatus, "PENDING")
        assert.strictEqual(body.deliveries[0].deliveryStatus, "SENT")
        assert.strictEqual((await client.verify({ requestId, otp: code })).body.verified, true)
      }
    })

    it("uses live codes that differ from the test codes", async (context) => {
      if (!service().sendsLive) return context.skip()
      const { live } = await service().merchant()
      assert.instanceOf(live, Client)
      const requestId = await live.started()
      assert.strictEqual((await live.settled(requestId)).body.deliveries[0].deliveryStatus, "DELIVERED")
      const { body } = await live.verify({ requestId, otp: code })
      // A live code equals the test code with a chance of one in a million.
      assert.strictEqual(body.verified, false)
    })
  })
