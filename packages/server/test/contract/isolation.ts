import { assert, describe, it } from "vitest"
import { App, sessionToken } from "../fixture/App.ts"
import { type Client, code, phone, refused, uuid, wrong } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import { until } from "../fixture/Until.ts"
import * as Wire from "../fixture/Wire.ts"
import type { Once } from "./Once.ts"

const unknownId = "ver_00000000000000000000000000"

/** Ids of another tenant's verification get the same answer as unknown ids. */
const assertUnknown = async (
  stranger: Client,
  ids: { readonly requestId: string; readonly orderId: string; readonly idToken: string }
) => {
  const nothing = await stranger.status({ requestId: unknownId })
  refused(nothing, "TRANSACTION_NOT_FOUND")
  const { idToken, orderId, requestId } = ids
  const answers = [
    await stranger.status({ requestId }),
    await stranger.status({ orderId }),
    await stranger.verify({ requestId, otp: code }),
    await stranger.verify({ requestId, otp: wrong }),
    await stranger.verify({ orderId, otp: code }),
    await stranger.confirm({ requestId }),
    await stranger.confirm({ requestId, idToken })
  ]
  for (const answer of answers) assert.strictEqual(answer.text, nothing.text)
  const malformed = await stranger.confirm({ idToken: "junk" })
  refused(malformed, "INVALID_REQUEST", "idToken")
  assert.strictEqual((await stranger.confirm({ idToken })).text, malformed.text)
  assert.strictEqual((await stranger.events()).body.items.length, 0)
}

/** The isolation of merchants and environments. */
export const suite = (service: () => Service, once: Once) =>
  describe("isolation between environments", () => {
    it("shows no data of another environment for any id", async () => {
      const mine = await service().merchant()
      const theirs = await service().merchant()
      const owners = service().sendsLive ? ([mine.test, mine.live] as const) : ([mine.test] as const)
      for (const owner of owners) {
        const requestId = await owner.started({ orderId: "mine" })
        const pending = await owner.settled(requestId)
        const token = owner === mine.test ? (await owner.verified({ orderId: "verified" })).idToken : "junk"
        const strangers = [theirs.test, theirs.live, owner === mine.test ? mine.live : undefined]
        for (const stranger of strangers) {
          if (stranger !== undefined) await assertUnknown(stranger, { requestId, orderId: "mine", idToken: token })
        }
        assert.deepStrictEqual((await owner.status({ requestId })).body, pending.body)
        assert.include((await owner.verify({ requestId, otp: wrong })).body.message, "2 attempts")
      }
    })

    it("separates the same identity, orderId and Idempotency-Key in two environments", async () => {
      const [one, two] = [await service().client(), await service().client()]
      const fields = { identity: phone(), orderId: "same" }
      const key = { "idempotency-key": uuid() }
      const [first, second] = [await one.initiate(fields, key), await two.initiate(fields, key)]
      assert.notStrictEqual(first.body.requestId, second.body.requestId)
      assert.isUndefined(second.headers["idempotency-replayed"])
      assert.strictEqual((await one.verify({ orderId: "same", otp: code })).body.requestId, first.body.requestId)
      assert.strictEqual((await two.status({ orderId: "same" })).body.authStatus, "PENDING")
      assert.strictEqual((await one.events()).body.items.length, 2)
      assert.strictEqual((await two.events()).body.items.length, 1)
    })

    it("rejects event cursors from another environment", async () => {
      const [one, two] = [await service().client(), await service().client()]
      await one.started()
      await two.started()
      await two.started()
      const [, older] = (await two.events()).body.items
      for (const cursor of [older.id, (await two.events()).body.items[0].id]) {
        const { body } = await one.events({ cursor })
        for (const { id } of body.items ?? []) assert.notInclude([older.id], id)
      }
    })

    once("gives the same answer to every wrong pair of credentials", async () => {
      const { live, test } = await service().merchant()
      const other = await service().client()
      const { clientId, clientSecret, publicKey } = test.keys
      const pairs: ReadonlyArray<{ readonly [name: string]: string | undefined }> = [
        {},
        { "x-client-id": clientId },
        { "x-client-secret": clientSecret },
        { "x-client-id": "", "x-client-secret": "" },
        { "x-client-id": clientId, "x-client-secret": "" },
        { "x-client-id": clientId, "x-client-secret": clientSecret.toUpperCase() },
        { "x-client-id": clientId, "x-client-secret": clientSecret.slice(0, -1) },
        { "x-client-id": clientId, "x-client-secret": `${clientSecret}x` },
        { "x-client-id": clientId, "x-client-secret": live.keys.clientSecret },
        { "x-client-id": live.keys.clientId, "x-client-secret": clientSecret },
        { "x-client-id": other.keys.clientId, "x-client-secret": clientSecret },
        { "x-client-id": publicKey, "x-client-secret": clientSecret },
        { "x-client-id": publicKey, "x-client-secret": "" },
        { "x-client-id": publicKey, "x-client-secret": publicKey },
        { "x-client-id": publicKey, "x-client-secret": "nobody" },
        { "x-client-id": publicKey, "x-client-secret": "null" },
        { "x-client-id": clientSecret, "x-client-secret": clientId },
        { "x-client-id": "cs_test_nobody", "x-client-secret": "sk_test_nothing" },
        { "x-client-id": "x".repeat(5000), "x-client-secret": clientSecret },
        { "x-client-id": clientId, "x-client-secret": "x".repeat(5000) },
        { "x-client-id": "' or ''='", "x-client-secret": "' or ''='" },
        { "x-public-key": publicKey },
        { authorization: `Bearer ${clientSecret}` },
        { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}` },
        { authorization: `Bearer ${service().adminToken}` }
      ]
      const requests: ReadonlyArray<Wire.Call> = [
        { path: "/v1/auth/initiate", body: { identity: phone(), identityType: "MOBILE", mode: "OTP" } },
        { path: "/v1/auth/verify", body: {} },
        { path: "/v1/auth/verify-code", body: {} },
        { path: "/v1/auth/token", body: {} },
        { path: "/v1/auth/status?requestId=x" },
        { path: "/v1/dashboard/settings" },
        { method: "PATCH", path: "/v1/dashboard/settings", body: {} },
        { path: "/v1/dashboard/events" }
      ]
      const texts = new Set<string>()
      for (const [i, headers] of pairs.entries()) {
        for (const request of i < 3 ? requests : [requests[i % requests.length]!]) {
          const answer = await service().send({ ...request, headers })
          refused(answer, "INVALID_CLIENT_CREDENTIALS")
          texts.add(answer.text)
        }
      }
      assert.strictEqual(texts.size, 1)
      assert.strictEqual((await test.get("/v1/dashboard/settings")).status, 200)
    })

    it("refuses a suspended merchant on every process, and admits it again after resuming", async () => {
      const { id, live, test } = await service().merchant()
      const requestId = await test.started()
      const tokens = new Map([
        [live, await sessionToken(live)],
        [test, await sessionToken(test)]
      ])
      const everywhere = (client: Client) => {
        const app = new App(service(), client.keys.publicKey, tokens.get(client) ?? "")
        return Promise.all(
          service().urls.flatMap((url) => [
            Wire.send(url, client.call({ path: `/v1/auth/status?requestId=${requestId}` })),
            Wire.send(url, client.call({ path: "/v1/auth/verify", body: "{" })),
            Wire.send(url, client.call({ path: "/v1/dashboard/settings" })),
            Wire.send(url, { ...app.initiateCall(), body: "{" }),
            Wire.send(url, app.verifyCall("{"))
          ])
        )
      }
      for (const client of [live, test]) await everywhere(client)
      const suspended = await service().admin({ method: "POST", path: `/v1/admin/merchants/${id}/suspend` })
      assert.deepInclude(suspended.body, { id, status: "SUSPENDED" })
      for (const client of [test, live]) {
        const inactive = ({ body, status }: Wire.Answer) => status === 401 && body.errorCode === "CLIENT_INACTIVE"
        await until(
          () => everywhere(client),
          (answers) => answers.every(inactive),
          { what: "the suspension" }
        )
        for (const answer of await everywhere(client)) refused(answer, "CLIENT_INACTIVE")
      }
      // Only a caller with the right secret learns that the merchant is suspended.
      refused(
        await test.get("/v1/dashboard/settings", { "x-client-secret": "sk_test_wrong" }),
        "INVALID_CLIENT_CREDENTIALS"
      )
      const resumed = await service().admin({ method: "POST", path: `/v1/admin/merchants/${id}/resume` })
      assert.deepInclude(resumed.body, { id, status: "ACTIVE" })
      const back = (answers: ReadonlyArray<Wire.Answer>) => answers.every(({ status }) => status !== 401)
      await until(() => everywhere(test), back, { what: "the resumption" })
      assert.strictEqual((await test.verify({ requestId, otp: code })).body.verified, true)
    })
  })
