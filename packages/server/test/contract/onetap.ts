import { assert, describe, it } from "vitest"
import { appOf } from "../fixture/App.ts"
import { type Client, code, email, phone, refused, uuid, wrong } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import type { Answer } from "../fixture/Wire.ts"
import type { Once } from "./Once.ts"

type Fields = { readonly [name: string]: unknown }

const tokenForm = /^dvc_[0-9a-z]{26}\.[0-9]+\.[\w-]{43}$/

/** Asserts that a code is required in spite of the token, and returns the token that the device must store. */
const assertSent = (answer: Answer): string => {
  assert.strictEqual(answer.status, 200, answer.text)
  assert.strictEqual(answer.body.oneTapApplied, false, answer.text)
  assert.match(answer.body.deviceToken, tokenForm)
  return answer.body.deviceToken
}

const assertApproved = (answer: Answer): string => {
  assert.strictEqual(answer.status, 200, answer.text)
  assert.strictEqual(answer.body.oneTapApplied, true, answer.text)
  assert.match(answer.body.deviceToken, tokenForm)
  return answer.body.deviceToken
}

/** Creates a device that a code has made trusted for this identity, and returns its token. */
const trusted = async (client: Client, fields: Fields): Promise<string> => {
  const begun = await client.initiate(fields)
  const deviceToken = assertSent(begun)
  const checked = await client.verify({ requestId: begun.body.requestId, otp: code, deviceToken })
  assert.strictEqual(checked.body.verified, true, checked.text)
  return deviceToken
}

const devicesOf = async (client: Client, identity: string): Promise<ReadonlyArray<any>> => {
  const { body, status, text } = await client.devices(identity)
  assert.strictEqual(status, 200, text)
  assert.isNull(body.nextCursor)
  return body.items
}

const on = { oneTap: true }

/** Devices that skip the code. Core tests expiry with a test clock. */
export const suite = (service: () => Service, once: Once) =>
  describe("OneTap", () => {
    once("issues and accepts no token while it is disabled", async () => {
      const client = await service().client()
      const app = await appOf(client)
      const identity = phone()
      for (const deviceToken of [undefined, null, "", "x", `dvc_${"0".repeat(26)}.0.${"A".repeat(43)}`]) {
        const begun = await client.initiate({ identity, deviceToken })
        assert.deepInclude(begun.body, { oneTapApplied: false, deviceToken: null })
        const { body } = await app.initiate({ phone: identity, deviceToken })
        assert.deepInclude(body, { oneTapApplied: false, deviceToken: null })
      }
      assert.deepStrictEqual(await devicesOf(client, identity), [])
    })

    it("issues a token, returns it, trusts it after a code and then skips the code", async () => {
      const client = await service().client(on)
      const identity = phone()
      const first = await client.initiate({ identity })
      const deviceToken = assertSent(first)
      const again = await client.initiate({ identity, deviceToken })
      assert.strictEqual(assertSent(again), deviceToken)
      assert.strictEqual(again.body.requestId, first.body.requestId)
      assert.notStrictEqual(assertSent(await client.initiate({ identity })), deviceToken)
      const checked = await client.verify({ requestId: first.body.requestId, otp: code, deviceToken })
      assert.strictEqual(checked.body.verified, true)

      const orderId = `order-${uuid()}`
      const approved = await client.initiate({ identity, deviceToken, orderId, channel: "WHATSAPP" })
      const { requestId } = approved.body
      assert.notStrictEqual(assertApproved(approved), deviceToken)
      assert.match(approved.body.message, /OneTap/i)
      assert.notMatch(approved.body.message, /sent/i)
      assert.notStrictEqual(requestId, first.body.requestId)
      const { body: status } = await client.status({ requestId })
      assert.deepInclude(status, { requestId, identity, authStatus: "VERIFIED", orderId, deliveries: [], mode: "OTP" })
      assert.isString(status.verifiedAt)
      assert.strictEqual((await client.status({ orderId })).body.requestId, requestId)

      const all = (await client.events()).body.items.map(({ data, type }: any) => ({ type, data }))
      const mine = all.filter(({ data }: any) => data.requestId === requestId)
      const { verifiedAt } = status
      const data = { requestId, identity, identityType: "MOBILE", mode: "OTP", channel: "WHATSAPP", orderId }
      assert.deepStrictEqual(mine, [{ type: "otp.verified", data: { ...data, verifiedAt, method: "ONETAP" } }])
      const entered = all.find(({ data, type }: any) => type === "otp.verified" && data.requestId !== requestId)
      assert.strictEqual(entered.data.method, "OTP")
    })

    once("has an approval that is confirmed like any other verification", async () => {
      const client = await service().client(on)
      const identity = phone()
      const deviceToken = await trusted(client, { identity })
      const { requestId } = (await client.initiate({ identity, deviceToken })).body
      const confirmed = await client.confirm({ requestId })
      assert.deepInclude(confirmed.body, { success: true, phoneNumber: identity, countryCode: "91", requestId })
      const { verifiedAt } = (await client.status({ requestId })).body
      assert.strictEqual(confirmed.body.authTime, Math.floor(Date.parse(verifiedAt) / 1000))
      const checked = await client.verify({ requestId, otp: wrong })
      assert.deepInclude(checked.body, { verified: true })
      assert.match(checked.body.message, /already/i)
      assert.strictEqual((await client.confirm({ idToken: checked.body.idToken })).body.success, true)
    })

    it("rotates the token with every approval, and accepts the previous one for a retry", async () => {
      const client = await service().client(on)
      const identity = phone()
      const first = await trusted(client, { identity })
      const second = assertApproved(await client.initiate({ identity, deviceToken: first }))
      // The answer may have been lost: a retry with the old token gets the same successor.
      for (let i = 0; i < 3; i++) {
        assert.strictEqual(assertApproved(await client.initiate({ identity, deviceToken: first })), second)
      }
      const third = assertApproved(await client.initiate({ identity, deviceToken: second }))
      assert.strictEqual(new Set([first, second, third]).size, 3)
      assert.strictEqual(assertApproved(await client.initiate({ identity, deviceToken: second })), third)
      assert.strictEqual((await devicesOf(client, identity)).length, 1)
    })

    it("answers 50 concurrent uses alike, with one successor token", async () => {
      const client = await service().client(on)
      const identity = phone()
      const deviceToken = await trusted(client, { identity })
      const answers = await Promise.all(Array.from({ length: 50 }, () => client.initiate({ identity, deviceToken })))
      const successors = new Set(answers.map(assertApproved))
      assert.strictEqual(successors.size, 1)
      assert.strictEqual(new Set(answers.map(({ body }) => body.requestId)).size, 50)
      const [successor] = successors
      assert.notStrictEqual(successor, deviceToken)
      assertApproved(await client.initiate({ identity, deviceToken: successor }))
      const verified = (await client.events({ type: "otp.verified", limit: "200" })).body.items
      assert.strictEqual(verified.filter(({ data }: any) => data.method === "ONETAP").length, 51)
    })

    once("repeats an approval for its Idempotency-Key", async () => {
      const client = await service().client(on)
      const identity = phone()
      const deviceToken = await trusted(client, { identity })
      const key = { "idempotency-key": uuid() }
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => client.initiate({ identity, deviceToken }, key))
      )
      for (const answer of answers) assertApproved(answer)
      assert.strictEqual(new Set(answers.map(({ text }) => text)).size, 1)
    })

    once("applies to a person in every spelling of the number, on both paths", async () => {
      const client = await service().client(on)
      const app = await appOf(client)
      const identity = phone()
      const digits = identity.slice(3)
      let deviceToken = await trusted(client, { identity })
      const spellings = [digits, `+91 ${digits.slice(0, 5)}-${digits.slice(5)}`, `91${digits}`]
      for (const spelling of spellings) {
        const approved = await client.initiate({ identity: spelling, deviceToken })
        deviceToken = assertApproved(approved)
        const { body } = await client.status({ requestId: approved.body.requestId })
        assert.deepInclude(body, { identity: spelling, authStatus: "VERIFIED" })
      }
      const inApp = await app.initiate({ phone: digits, deviceToken })
      deviceToken = assertApproved(inApp)
      const { body } = await client.status({ requestId: inApp.body.sessionId })
      assert.deepInclude(body, { authStatus: "VERIFIED", deliveries: [] })
      assert.deepInclude((await app.verify({ sessionId: inApp.body.sessionId, code: wrong })).body, { verified: true })
      assertApproved(await client.initiate({ identity, deviceToken }))

      const address = email()
      const mailed = await trusted(client, { identity: address, identityType: "EMAIL" })
      const upper = { identity: address.toUpperCase(), identityType: "EMAIL", deviceToken: mailed }
      assertApproved(await client.initiate(upper))
    })

    it("trusts a token that was sent with the code in the app", async () => {
      const client = await service().client(on)
      const app = await appOf(client)
      const identity = phone()
      const deviceInfo = { platform: "Android", osVersion: "15", model: "Pixel 8" }
      const begun = await app.initiate({ phone: identity, deviceInfo })
      const deviceToken = assertSent(begun)
      const checked = await app.verify({ sessionId: begun.body.sessionId, code, deviceToken })
      assert.strictEqual(checked.body.verified, true)
      assertApproved(await app.initiate({ phone: identity, deviceToken }))
      const [device, ...more] = await devicesOf(client, identity)
      assert.deepStrictEqual(more, [])
      assert.strictEqual(device.label, "Pixel 8, Android 15")
    })

    it("requires a code if the token belongs to another person", async () => {
      const mine = await service().merchant(on)
      const client = mine.test
      const stranger = await service().client(on)
      const [identity, other] = [phone(), phone()]
      const deviceToken = await trusted(client, { identity })
      assert.notStrictEqual(assertSent(await client.initiate({ identity: other, deviceToken })), deviceToken)
      assert.notStrictEqual(assertSent(await stranger.initiate({ identity, deviceToken })), deviceToken)
      const app = await appOf(stranger)
      assert.notStrictEqual(assertSent(await app.initiate({ phone: identity, deviceToken })), deviceToken)
      if (service().sendsLive) {
        assert.strictEqual((await mine.live.settings(on)).status, 200)
        assert.notStrictEqual(assertSent(await mine.live.initiate({ identity, deviceToken })), deviceToken)
      }
      // Misuse by another person does not affect the owner's trust.
      assertApproved(await client.initiate({ identity, deviceToken }))
    })

    once("requires a code if the token is invalid", async () => {
      const client = await service().client({ ...on, maxResends: 0 })
      const identity = phone()
      const deviceToken = await trusted(client, { identity })
      const [id, , secret] = deviceToken.split(".") as [string, string, string]
      const issued = assertSent(await client.initiate({ identity: phone() }))
      const others = [
        "",
        " ",
        "null",
        id,
        `${id}.0.`,
        `${id}.0.${"A".repeat(43)}`,
        `${id}.0.${secret.slice(0, 42)}`,
        `${id}.1.${secret}`,
        `${id}.00.${secret}`,
        `${id}.-1.${secret}`,
        `${id}.1e0.${secret}`,
        `${issued.split(".")[0]}.0.${secret}`,
        `${deviceToken} `,
        `${deviceToken}\n`,
        `${deviceToken}=`,
        `${deviceToken}.${secret}`,
        deviceToken.toUpperCase(),
        encodeURIComponent(`${deviceToken}\0`),
        `${deviceToken}\0`,
        "\ud800",
        "' or 1=1 --",
        "x".repeat(20_000)
      ]
      for (const given of others) {
        const answer = await client.initiate({ identity, deviceToken: given })
        assert.notStrictEqual(assertSent(answer), given)
        assert.notStrictEqual(answer.body.deviceToken.split(".")[0], id)
      }
      for (const given of [1, true, {}, [deviceToken]]) {
        refused(await client.initiate({ identity, deviceToken: given }), "INVALID_REQUEST", "deviceToken")
        refused(
          await client.verify({ requestId: "x", otp: code, deviceToken: given }),
          "INVALID_REQUEST",
          "deviceToken"
        )
      }
      assertApproved(await client.initiate({ identity, deviceToken }))
    })

    once("trusts a device only after the right code", async () => {
      const client = await service().client({ ...on, maxResends: 0 })
      const identity = phone()
      const begun = await client.initiate({ identity })
      const { requestId } = begun.body
      const deviceToken = assertSent(begun)
      assert.strictEqual((await client.verify({ requestId, otp: wrong, deviceToken })).body.verified, false)
      assert.strictEqual(assertSent(await client.initiate({ identity, deviceToken })), deviceToken)
      // A right code without the token, or with another person's or an invented one, proves nothing about this device.
      const foreign = assertSent(await client.initiate({ identity: phone() }))
      const invented = `dvc_${"0".repeat(26)}.0.${"A".repeat(43)}`
      const withoutIt = [foreign, invented, null]
      let last = requestId
      for (const given of withoutIt) {
        last = (await client.initiate({ identity, deviceToken })).body.requestId
        const checked = await client.verify({ requestId: last, otp: code, deviceToken: given })
        assert.strictEqual(checked.body.verified, true)
        assert.deepStrictEqual(await devicesOf(client, identity), [])
      }
      const already = await client.verify({ requestId: last, otp: code, deviceToken })
      assert.match(already.body.message, /already/i)
      assert.deepStrictEqual(await devicesOf(client, identity), [])
      assertSent(await client.initiate({ identity, deviceToken: foreign }))
      assertSent(await client.initiate({ identity, deviceToken: invented }))
      assert.strictEqual(assertSent(await client.initiate({ identity, deviceToken })), deviceToken)

      // An approval is not a code: it makes no second device trusted.
      const owner = phone()
      const [known, second] = [await trusted(client, { identity: owner }), await client.initiate({ identity: owner })]
      const approval = await client.initiate({ identity: owner, deviceToken: known })
      assertApproved(approval)
      const secondToken = assertSent(second)
      const entered = { requestId: approval.body.requestId, otp: code, deviceToken: secondToken }
      assert.strictEqual((await client.verify(entered)).body.verified, true)
      assert.strictEqual((await devicesOf(client, owner)).length, 1)
      assertSent(await client.initiate({ identity: owner, deviceToken: secondToken }))
    })

    once("does not count approvals toward the hourly limit", async () => {
      const client = await service().client({ ...on, hourlyLimit: 2, canonicalHourlyLimit: 2 })
      const identity = phone()
      let deviceToken = await trusted(client, { identity })
      for (let i = 0; i < 5; i++) deviceToken = assertApproved(await client.initiate({ identity, deviceToken }))
      const begun = await client.initiate({ identity })
      assertSent(begun)
      await client.verify({ requestId: begun.body.requestId, otp: code })
      refused(await client.initiate({ identity }), "RATE_LIMIT_EXCEEDED")
      // A reached hourly limit does not affect a trusted device.
      assertApproved(await client.initiate({ identity, deviceToken }))
    })

    once("can be disabled and enabled again", async () => {
      const client = await service().alone().client(on)
      const app = await appOf(client)
      const [identity, other] = [phone(), phone()]
      const deviceToken = await trusted(client, { identity })
      const begun = await client.initiate({ identity: other })
      const issued = assertSent(begun)
      await client.settings({ oneTap: false })
      for (const answer of [
        await client.initiate({ identity, deviceToken }),
        await app.initiate({ phone: identity, deviceToken })
      ]) {
        assert.deepInclude(answer.body, { oneTapApplied: false, deviceToken: null })
      }
      const checked = await client.verify({ requestId: begun.body.requestId, otp: code, deviceToken: issued })
      assert.strictEqual(checked.body.verified, true)
      await client.settings(on)
      assert.deepStrictEqual(await devicesOf(client, other), [])
      assertSent(await client.initiate({ identity: other, deviceToken: issued }))
    })

    it("keeps the ten newest devices of a person", async () => {
      const client = await service().client({ ...on, hourlyLimit: 100 })
      const identity = phone()
      const tokens: Array<string> = []
      for (let i = 0; i < 11; i++) tokens.push(await trusted(client, { identity, deviceInfo: { model: `Phone ${i}` } }))
      const labels = (await devicesOf(client, identity)).map(({ label }) => label)
      assert.strictEqual(labels.length, 10)
      assert.notInclude(labels, "Phone 0")
      assertSent(await client.initiate({ identity, deviceToken: tokens[0] }))
      assertApproved(await client.initiate({ identity, deviceToken: tokens[1] }))
    })

    it("lists the devices of a person and revokes one", async () => {
      const mine = await service().merchant(on)
      const client = mine.test
      const stranger = await service().client(on)
      const identity = phone()
      const [phoneToken, tabletToken] = [
        await trusted(client, { identity, deviceInfo: { model: "Phone" } }),
        await trusted(client, { identity })
      ]
      assertApproved(await client.initiate({ identity, deviceToken: phoneToken }))
      const listed = await devicesOf(client, identity)
      assert.strictEqual(listed.length, 2)
      for (const device of listed) {
        assert.sameMembers(Object.keys(device), ["id", "label", "trustedAt", "lastUsedAt", "expiresAt"])
        assert.match(device.id, /^dvc_[0-9a-z]{26}$/)
        const usedAt = Date.parse(device.lastUsedAt)
        assert.isAtMost(Date.parse(device.trustedAt), usedAt)
        assert.strictEqual(Date.parse(device.expiresAt) - usedAt, 30 * 86_400_000)
      }
      const [first, second] = listed
      assert.strictEqual(first.label, "Phone")
      assert.isNull(second.label)
      const shown = JSON.stringify(listed)
      for (const token of [phoneToken, tabletToken]) assert.notInclude(shown, token.split(".")[2]!)
      assert.deepStrictEqual(await devicesOf(client, identity.slice(3)), listed)
      assert.deepStrictEqual(await devicesOf(stranger, identity), [])
      assert.deepStrictEqual(await devicesOf(mine.live, identity), [])
      assert.deepStrictEqual(await devicesOf(client, phone()), [])

      const revoke = (by: Client, id: string) =>
        by.send({ method: "DELETE", path: `/v1/dashboard/devices/${encodeURIComponent(id)}` })
      for (const by of [stranger, mine.live]) refused(await revoke(by, first.id), "DEVICE_NOT_FOUND")
      for (const id of [
        "x",
        "dvc_",
        `dvc_${"0".repeat(26)}`,
        `${first.id}x`,
        `${first.id}\0`,
        phoneToken,
        "\ud83d\ude00"
      ]) {
        refused(await revoke(client, id), "DEVICE_NOT_FOUND")
      }
      const done = await revoke(client, first.id)
      assert.strictEqual(done.status, 204)
      assert.strictEqual(done.text, "")
      refused(await revoke(client, first.id), "DEVICE_NOT_FOUND")
      assert.deepStrictEqual(
        (await devicesOf(client, identity)).map(({ id }) => id),
        [second.id]
      )
      assertSent(await client.initiate({ identity, deviceToken: phoneToken }))
      assertApproved(await client.initiate({ identity, deviceToken: tabletToken }))
    })

    once("lists devices only by identity", async () => {
      const client = await service().client(on)
      for (const identity of ["", "abc", "123", "a@b@c.d", "\0", "' or 1=1", "x".repeat(3000)]) {
        refused(await client.devices(identity), "INVALID_REQUEST", "identity")
      }
      refused(await client.get("/v1/dashboard/devices"), "INVALID_REQUEST", "identity")
      refused(await client.get("/v1/dashboard/devices?identity=1&identity=2"), "INVALID_REQUEST", "identity")
      assert.deepStrictEqual(await devicesOf(client, email()), [])
    })
  })
