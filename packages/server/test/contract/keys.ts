import { assert, describe, it } from "vitest"
import { App, sessionToken } from "../fixture/App.ts"
import { Client, code, phone, refused, uuid } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import { until } from "../fixture/Until.ts"
import * as Wire from "../fixture/Wire.ts"
import type { Once } from "./Once.ts"

const all = ["auth", "leads", "dashboard"]
const fields = ["id", "type", "scopes", "name", "createdAt", "lastUsedAt", "retiringAt", "clientId", "publicKey"]
const hourly = /^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/
const hour = 3_600_000

/** Replacing leaked keys, and separate keys for each program. */
export const suite = (service: () => Service, once: Once) =>
  describe("keys", () => {
    const path = "/v1/dashboard/keys"
    const list = async (client: Client): Promise<ReadonlyArray<any>> => {
      const { body, status, text } = await client.get(path)
      assert.strictEqual(status, 200, text)
      assert.isNull(body.nextCursor)
      assert.notInclude(text, "sk_")
      return body.items
    }
    const find = async (client: Client, id: string) => (await list(client)).find((key) => key.id === id)
    const roll = (client: Client, id: string, body: unknown = {}, headers = {}) =>
      client.post(`${path}/${id}/roll`, body, headers)
    const revoke = (client: Client, id: string) => client.send({ method: "DELETE", path: `${path}/${id}` })
    const make = async (client: Client, body: object = { type: "SERVER" }): Promise<any> => {
      const made = await client.post(path, body)
      assert.strictEqual(made.status, 201, made.text)
      return made.body
    }
    const withSecret = (client: Client, clientId: string, clientSecret: string) =>
      new Client(client.service, { ...client.keys, clientId, clientSecret })
    const clientOf = async (client: Client, body: object = {}) => {
      const { clientId, clientSecret } = await make(client, { type: "SERVER", ...body })
      return withSecret(client, clientId, clientSecret)
    }
    /** The status that this client gets from each process. */
    const everywhere = (client: Client, call: Wire.Call = { path: "/v1/dashboard/settings" }) =>
      Promise.all(service().urls.map((url) => Wire.send(url, client.call(call))))
    const inTime = (what: string, ask: () => Promise<ReadonlyArray<Wire.Answer>>, status: number) =>
      until(ask, (answers) => answers.every((one) => one.status === status), { what })

    once("of a new merchant are one server key with all scopes and one public key per environment", async () => {
      const { live, test } = await service().merchant()
      for (const client of [live, test]) {
        const { clientId, publicKey } = client.keys
        const items = await list(client)
        assert.sameMembers(
          items.map(({ id }) => id),
          [clientId, publicKey]
        )
        for (const item of items) {
          assert.sameMembers(Object.keys(item), fields)
          assert.match(item.createdAt, /^\d{4}-.*\.\d{3}Z$/)
          assert.isNull(item.retiringAt)
        }
        assert.deepInclude(
          items.find(({ id }) => id === clientId),
          { type: "SERVER", scopes: all, name: null, clientId, publicKey: null }
        )
        assert.deepInclude(
          items.find(({ id }) => id === publicKey),
          { type: "PUBLIC", scopes: [], name: null, clientId: null, publicKey, lastUsedAt: null }
        )
      }
    })

    it("show their secret once, and work immediately", async () => {
      const client = await service().client()
      const made = await make(client, { type: "SERVER", scopes: ["dashboard", "auth"], name: " billing " })
      assert.sameMembers(Object.keys(made), [...fields, "clientSecret"])
      assert.match(made.clientId, /^cs_test_[0-9a-z]{24}$/)
      assert.match(made.clientSecret, /^sk_test_[0-9a-z]{39,}$/)
      assert.deepInclude(made, { id: made.clientId, scopes: ["auth", "dashboard"], name: "billing", publicKey: null })
      const { clientSecret, ...shown } = made
      assert.deepStrictEqual(await find(client, made.id), shown)
      const other = withSecret(client, made.clientId, clientSecret)
      assert.strictEqual((await other.get("/v1/dashboard/settings")).status, 200)
      await other.verified()
    })

    once("need a valid type, scopes and name", async () => {
      const client = await service().client()
      const bad: ReadonlyArray<[field: string, body: object]> = [
        ["type", {}],
        ["type", { type: null }],
        ["type", { type: "server" }],
        ["type", { type: "SESSION" }],
        ["scopes", { type: "SERVER", scopes: [] }],
        ["scopes", { type: "SERVER", scopes: ["admin"] }],
        ["scopes", { type: "SERVER", scopes: "auth" }],
        ["scopes", { type: "PUBLIC", scopes: ["auth"] }],
        ["name", { type: "SERVER", name: 7 }],
        ["name", { type: "SERVER", name: "x".repeat(61) }],
        ["name", { type: "SERVER", name: "a\u0000b" }],
        ["name", { type: "SERVER", name: "\ud800" }]
      ]
      for (const [field, body] of bad) refused(await client.post(path, body), "INVALID_REQUEST", field)
      assert.lengthOf(await list(client), 2)
      const named = await make(client, { type: "SERVER", name: "मेरी कुंजी 🔑", scopes: null })
      assert.deepInclude(await find(client, named.id), { name: "मेरी कुंजी 🔑", scopes: all })
      for (const overlapHours of [-1, 169, 1.5, "24", true, []]) {
        refused(await roll(client, named.id, { overlapHours }), "INVALID_REQUEST", "overlapHours")
      }
    })

    once("have access by scope, and the refusal names the missing scope", async () => {
      const client = await service().client()
      const calls: ReadonlyArray<[scope: string, call: Wire.Call]> = [
        ["auth", { path: "/v1/auth/initiate", body: { identity: phone(), identityType: "MOBILE", mode: "OTP" } }],
        ["auth", { path: `/v1/auth/status?requestId=${await client.started()}` }],
        ["auth", { path: "/v1/sdk/session", body: {} }],
        ["dashboard", { path: "/v1/dashboard/settings" }],
        ["dashboard", { path: "/v1/dashboard/events" }],
        ["dashboard", { path: "/v1/dashboard/webhooks" }],
        ["dashboard", { path }]
      ]
      for (const scope of all) {
        const key = await clientOf(client, { scopes: [scope] })
        const impostor = withSecret(client, key.keys.clientId, "sk_test_wrong")
        for (const [needed, call] of calls) {
          const answer = await key.send(call)
          if (needed === scope) assert.strictEqual(answer.status, 200, `${call.path} ${answer.text}`)
          else {
            assert.strictEqual(answer.status, 403)
            refused(answer, "FORBIDDEN")
            assert.include(answer.body.message, `scope ${needed}`)
          }
          // Only a caller with the right secret learns the key's scopes.
          refused(await impostor.send(call), "INVALID_CLIENT_CREDENTIALS")
        }
        // Credentials are checked before the body, and a refused request has no effect.
        if (scope !== "auth") refused(await key.send({ path: "/v1/auth/verify", body: "{" }), "FORBIDDEN")
        if (scope !== "dashboard") refused(await key.post(path, { type: "SERVER" }), "FORBIDDEN")
      }
    })

    it("keep id and client id when rolled, and the old secret for the requested overlap", async () => {
      const client = await service().client()
      const old = await clientOf(client, { name: "rolled" })
      const before = await find(client, old.keys.clientId)
      for (const [body, hours] of [
        [{}, 24],
        [{ overlapHours: null }, 24],
        [{ overlapHours: 168 }, 24 * 7]
      ] as const) {
        const { body: rolled, status, text } = await roll(client, old.keys.clientId, body)
        assert.strictEqual(status, 200, text)
        const { clientSecret, retiringAt, ...rest } = rolled
        const { lastUsedAt: _, ...same } = { ...before, retiringAt: undefined }
        assert.deepInclude(rest, { id: same.id, clientId: same.clientId, name: "rolled", scopes: all })
        const away = Date.parse(retiringAt) - Date.now()
        assert.isTrue(Math.abs(away - hours * hour) < 5 * 60_000, retiringAt)
        assert.strictEqual((await find(client, rolled.id)).retiringAt, retiringAt)
        const renewed = withSecret(client, rolled.clientId, clientSecret)
        // A process that has seen the key may use its cached state for a moment.
        await inTime("the new secret", () => everywhere(renewed), 200)
        await inTime("the old secret", () => everywhere(old), 200)
      }
    })

    it("rolled without overlap accept only the newest secret, in every process", async () => {
      const client = await service().client()
      const first = await clientOf(client)
      const { clientId } = first.keys
      const second = withSecret(client, clientId, (await roll(client, clientId)).body.clientSecret)
      await inTime("two secrets", async () => [...(await everywhere(first)), ...(await everywhere(second))], 200)
      const { body } = await roll(client, clientId, { overlapHours: 0 })
      assert.isNull(body.retiringAt)
      const third = withSecret(client, clientId, body.clientSecret)
      for (const gone of [first, second]) await inTime("the end of old secrets", () => everywhere(gone), 401)
      for (const gone of [first, second]) {
        for (const answer of await everywhere(gone)) refused(answer, "INVALID_CLIENT_CREDENTIALS")
      }
      await inTime("the newest secret", () => everywhere(third), 200)
    })

    it("that are revoked are refused with their session tokens in every process; idTokens stay valid", async () => {
      const client = await service().client()
      const leaked = await clientOf(client)
      const { clientId, publicKey } = leaked.keys
      const token = await sessionToken(leaked)
      const app = new App(service(), publicKey, token)
      const verify = (url: string) => Wire.send(url, app.verifyCall({ sessionId: "ver_none", code }))
      const withToken = () => Promise.all(service().urls.map(verify))
      for (const answer of await everywhere(leaked)) assert.strictEqual(answer.status, 200)
      for (const answer of await withToken()) refused(answer, "TRANSACTION_NOT_FOUND")
      const { idToken, requestId } = await leaked.verified()
      const answer = await revoke(client, clientId)
      assert.deepStrictEqual([answer.status, answer.text], [204, ""])
      await inTime("the end of a key", async () => [...(await everywhere(leaked)), ...(await withToken())], 401)
      for (const one of [...(await everywhere(leaked)), ...(await withToken())]) {
        refused(one, "INVALID_CLIENT_CREDENTIALS")
      }
      assert.deepInclude((await client.confirm({ idToken })).body, { success: true, requestId })
      assert.isUndefined(await find(client, clientId))
      refused(await revoke(client, clientId), "KEY_NOT_FOUND")
      refused(await roll(client, clientId), "KEY_NOT_FOUND")
    })

    it("for apps are created and revoked, and have no secret to roll", async () => {
      const client = await service().client()
      const made = await make(client, { type: "PUBLIC", name: "android" })
      assert.match(made.publicKey, /^pk_test_[0-9a-z]{24}$/)
      assert.deepInclude(made, { id: made.publicKey, scopes: [], clientId: null, clientSecret: null })
      const app = new App(service(), made.publicKey, "")
      await app.started()
      refused(await roll(client, made.id), "INVALID_REQUEST", "id")
      assert.strictEqual((await revoke(client, made.id)).status, 204)
      const tries = () => Promise.all(service().urls.map((url) => Wire.send(url, { ...app.initiateCall(), body: "{" })))
      await inTime("the end of a public key", tries, 401)
      await new App(service(), client.keys.publicKey, "").started()
    })

    it("of another environment or merchant are unknown and stay unchanged", async () => {
      const [one, other] = [await service().merchant(), await service().merchant()]
      const { clientId, publicKey } = one.live.keys
      for (const stranger of [one.test, other.live, other.test]) {
        for (const id of [clientId, publicKey]) {
          assert.isUndefined(await find(stranger, id))
          const unknown = await roll(stranger, id)
          refused(unknown, "KEY_NOT_FOUND")
          assert.strictEqual(unknown.status, 404)
          refused(await revoke(stranger, id), "KEY_NOT_FOUND")
        }
      }
      for (const id of ["x", "%00", "..%2f..", "'", "__proto__", "%F0%9F%98%80", "x".repeat(3000)]) {
        refused(await revoke(one.test, id), "KEY_NOT_FOUND")
        refused(await roll(one.test, id), "KEY_NOT_FOUND")
      }
      assert.strictEqual((await one.live.get("/v1/dashboard/settings")).status, 200)
    })

    it("cannot all be revoked: the last with dashboard access stays, also when two revoke each other concurrently", async () => {
      const client = await service().client()
      const { clientId } = client.keys
      await make(client, { type: "SERVER", scopes: ["auth", "leads"] })
      const kept = await revoke(client, clientId)
      refused(kept, "FORBIDDEN")
      assert.include(kept.body.message, "roll")
      const other = await clientOf(client, { scopes: ["dashboard"] })
      const ends = await Promise.all([revoke(client, other.keys.clientId), revoke(other, clientId)])
      const left = ends[0].status === 204 ? client : other
      assert.isTrue(
        ends.filter(({ status }) => status === 204).length === 1,
        ends.map(({ status, text }) => `${status} ${text}`).join("\n")
      )
      assert.lengthOf(
        (await list(left)).filter(({ scopes }) => scopes.includes("dashboard")),
        1
      )
    })

    it("are created or rolled once per Idempotency-Key, and a repeat returns the same secret", async () => {
      const client = await service().client()
      const again = { "idempotency-key": uuid() }
      const body = { type: "SERVER", name: "once" }
      const made = await Promise.all(Array.from({ length: 5 }, () => client.post(path, body, again)))
      assert.lengthOf([...new Set(made.map(({ text }) => text))], 1)
      assert.strictEqual(made[0]!.status, 201)
      assert.lengthOf(
        (await list(client)).filter(({ name }) => name === "once"),
        1
      )
      const { clientId, clientSecret } = made[0]!.body
      const rolled = await Promise.all(Array.from({ length: 5 }, () => roll(client, clientId, {}, again)))
      assert.lengthOf([...new Set(rolled.map(({ text }) => text))], 1)
      const renewed = withSecret(client, clientId, rolled[0]!.body.clientSecret)
      await inTime("the new secret", () => everywhere(renewed), 200)
      await inTime("the old secret", () => everywhere(withSecret(client, clientId, clientSecret)), 200)
    })

    it("rolled concurrently keep the secret of the last roll, and at most four work", async () => {
      const client = await service().client()
      const { clientId } = (await clientOf(client)).keys
      const rolled = await Promise.all(Array.from({ length: 10 }, () => roll(client, clientId)))
      const secrets = rolled.map(({ body, status, text }) => {
        assert.strictEqual(status, 200, text)
        return withSecret(client, clientId, body.clientSecret)
      })
      assert.strictEqual(new Set(secrets.map(({ keys }) => keys.clientSecret)).size, 10)
      const working = async () => {
        const tried = await Promise.all(secrets.map((one) => everywhere(one)))
        return tried.map((answers) => answers.map(({ status }) => status))
      }
      const counted = (tried: ReadonlyArray<ReadonlyArray<number>>, url: number) =>
        tried.filter((statuses) => statuses[url] === 200).length
      await until(working, (tried) => service().urls.every((_, url) => counted(tried, url) === 4), {
        what: "four secrets in every process"
      })
    })

    it("are refused permanently after a revocation: of 1,000 requests none gets 200 after a process refused one", async () => {
      const client = await service().client()
      const doomed = await clientOf(client, { scopes: ["dashboard"] })
      const { urls } = service()
      const log = urls.map((): Array<number> => [])
      let revoked = false
      const pause = () => new Promise((resume) => setTimeout(resume, 250))
      // Each lane sends to one process, one request after the other, so its answers are in order.
      const lanes = urls.flatMap((url, i) =>
        Array.from({ length: 10 }, async () => {
          let refusals = 0
          for (let n = 0; n < 1000 / (10 * urls.length) || (refusals === 0 && n < 5000); n++) {
            const { status } = await Wire.send(url, doomed.call({ path }))
            log[i]!.push(status)
            if (status === 401) refusals++
            else assert.strictEqual(refusals, 0, "let in after it was refused")
            // Another process may accept the key for a few more seconds: 1,000 requests to each are not needed.
            if (n >= 1000 / (10 * urls.length)) await pause()
            if (n === 20 && !revoked) {
              revoked = true
              assert.strictEqual((await revoke(client, doomed.keys.clientId)).status, 204)
            }
          }
          assert.isAbove(refusals, 0)
        })
      )
      await Promise.all(lanes)
      assert.isAtLeast(log.flat().length, 1000)
      assert.sameMembers([...new Set(log.flat())], [200, 401])
    })

    it("show the hour of their last use in every process, and wrong secrets do not count", async () => {
      const client = await service().client()
      const [used, unused] = [await clientOf(client), await clientOf(client)]
      const app = await make(client, { type: "PUBLIC" })
      await used.get("/v1/dashboard/settings")
      await new App(service(), app.publicKey, "").started()
      refused(
        await withSecret(client, unused.keys.clientId, "wrong").get("/v1/dashboard/settings"),
        "INVALID_CLIENT_CREDENTIALS"
      )
      const seen = () =>
        Promise.all(
          service().urls.map(async (url) => {
            const { body } = await Wire.send(url, client.call({ path }))
            return [used.keys.clientId, app.id, client.keys.clientId].map(
              (id) => body.items.find((key: any) => key.id === id).lastUsedAt
            )
          })
        )
      const known = await until(seen, (uses) => uses.flat().every((at) => at !== null), {
        what: "the last use"
      })
      for (const at of known.flat()) {
        assert.match(at, hourly)
        assert.isTrue(Math.abs(Date.now() - Date.parse(at)) < hour + 10 * 60_000, at)
      }
      assert.isNull((await find(client, unused.keys.clientId)).lastUsedAt)
    })

    once("that are revoked are hidden from the operator", async () => {
      const { id, live } = await service().merchant()
      const made = await make(live)
      const shown = async () => (await service().admin({ path: `/v1/admin/merchants/${id}` })).body.live.clientIds
      assert.sameMembers(await shown(), [live.keys.clientId, made.id])
      await revoke(live, made.id)
      assert.deepStrictEqual(await shown(), [live.keys.clientId])
    })

    it("never leave a secret in the output of a process", async () => {
      const client = await service().client()
      const made = await make(client)
      const rolled = (await roll(client, made.id)).body
      await revoke(client, made.id)
      for (const { clientSecret } of [made, rolled]) assert.notInclude(service().output(), clientSecret)
    })
  })
