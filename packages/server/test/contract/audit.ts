import { assert, describe, it } from "vitest"
import { type Client, code, phone, refused, uuid, wrong } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import type { Answer } from "../fixture/Wire.ts"
import type { Once } from "./Once.ts"

type Fields = { readonly [name: string]: unknown }

const audit = async (client: Client, query: { readonly [name: string]: string } = {}): Promise<ReadonlyArray<any>> => {
  const { body, status, text } = await client.get(`/v1/dashboard/audit?${new URLSearchParams(query).toString()}`)
  assert.strictEqual(status, 200, text)
  return body.items
}

const refusedQuery = async (client: Client, query: string, field: string) =>
  refused(await client.get(`/v1/dashboard/audit?${query}`), "INVALID_REQUEST", field)

/** Trusts a device through OneTap, and returns its id. */
const device = async (client: Client, identity: string): Promise<string> => {
  const { deviceToken, requestId } = (await client.initiate({ identity })).body
  await client.verify({ requestId, otp: code, deviceToken })
  return (await client.devices(identity)).body.items[0].id
}

const dashboard = (client: Client, method: string, path: string, body?: Fields): Promise<Answer> =>
  client.send({ method, path: `/v1/dashboard${path}`, ...(body === undefined ? {} : { body }) })

/** The audit log. Tests of other capabilities cover their own actions. */
export const suite = (service: () => Service, once: Once) =>
  describe("the audit log", () => {
    it("has one entry for every kind of change, with actor and difference, and none for refused requests", async () => {
      // Set at creation, because another process would notice a change only seconds later.
      const merchant = await service().merchant({ oneTap: true })
      const client = merchant.test
      const { clientId } = client.keys
      const key = { kind: "KEY", id: clientId, label: null }
      const liveKey = { ...key, id: client.live.keys.clientId }
      let known = await audit(client)
      assert.sameMembers(
        known.map(({ action }) => action),
        ["merchant.created", "settings.changed"]
      )
      const created = known.find(({ action }) => action === "merchant.created")
      assert.deepInclude(created, {
        actor: { kind: "OPERATOR", id: null, label: "current" },
        environment: null,
        target: { kind: "merchant", id: merchant.id }
      })
      assert.deepInclude(created.to, { name: "Acme", status: "ACTIVE" })

      const answers: Array<Answer> = []
      /** Runs an action, and returns the new entries of its log. */
      const does = async (request: Promise<Answer>): Promise<ReadonlyArray<any>> => {
        const answer = await request
        answers.push(answer)
        const now = await audit(client)
        const before = new Set(known.map(({ id }) => id))
        const fresh = now.filter(({ id }) => !before.has(id))
        known = now
        return fresh
      }
      const expectOne = async (request: Promise<Answer>, action: string, expected: Fields) => {
        const fresh = await does(request)
        const answer = answers.at(-1)!
        assert.isBelow(answer.status, 300, answer.text)
        assert.lengthOf(fresh, 1, action)
        const { at, id, ...entry } = fresh[0]
        assert.match(id, /^aud_[0-9a-z]{26}$/)
        assert.match(at, /^\d{4}-.*\.\d{3}Z$/)
        const usual = { actor: key, address: "127.0.0.1", environment: "test", action, from: null, to: null }
        assert.deepStrictEqual(entry, { ...usual, target: entry.target, ...expected })
        return answer.body
      }

      await expectOne(client.settings({ codeLength: 4, maxAttempts: 3, linkNumberMatch: true }), "settings.changed", {
        target: { kind: "settings", id: "test" },
        from: { codeLength: 6, linkNumberMatch: false },
        to: { codeLength: 4, linkNumberMatch: true }
      })
      await expectOne(client.settings({ codeLength: 6 }), "settings.changed", {
        target: { kind: "settings", id: "test" },
        from: { codeLength: 4 },
        to: { codeLength: 6 }
      })

      const made = await expectOne(
        dashboard(client, "POST", "/keys", { type: "SERVER", scopes: ["auth"], name: "billing" }),
        "key.created",
        { to: { type: "SERVER", scopes: ["auth"], name: "billing" } }
      )
      const ofKey = { target: { kind: "key", id: made.id } }
      const rolled = await does(dashboard(client, "POST", `/keys/${made.id}/roll`, { overlapHours: 2 }))
      assert.lengthOf(rolled, 1)
      assert.deepInclude(rolled[0], { action: "key.rolled", from: { retiringAt: null }, actor: key, ...ofKey })
      assert.match(rolled[0].to.retiringAt, /Z$/)
      await expectOne(dashboard(client, "DELETE", `/keys/${made.id}`), "key.revoked", {
        ...ofKey,
        from: { type: "SERVER", scopes: ["auth"], name: "billing" }
      })

      const url = `https://shop.example/${uuid()}`
      const hook = { url, events: ["otp.verified"], description: null, status: "ACTIVE" }
      const webhook = await expectOne(client.webhooks("", { url, events: ["otp.verified"] }), "webhook.created", {
        to: hook
      })
      const ofHook = { target: { kind: "webhook", id: webhook.id } }
      await expectOne(client.webhooks(`/${webhook.id}`, { status: "DISABLED" }, "PATCH"), "webhook.changed", {
        ...ofHook,
        from: { status: "ACTIVE" },
        to: { status: "DISABLED" }
      })
      const rotated = await does(client.webhooks(`/${webhook.id}/rotate-secret`, undefined, "POST"))
      assert.deepStrictEqual(
        rotated.map(({ action, target, to }) => [action, target, Object.keys(to)]),
        [["webhook.secret_rotated", ofHook.target, ["retiringAt"]]]
      )
      await expectOne(client.webhooks(`/${webhook.id}`, undefined, "DELETE"), "webhook.removed", {
        ...ofHook,
        from: { ...hook, status: "DISABLED" }
      })

      const email = `asha-${uuid()}@example.com`
      const agent = await expectOne(
        dashboard(client.live, "POST", "/agents", { email, role: "ADMIN", status: "ACTIVE" }),
        "agent.created",
        { actor: liveKey, environment: null, to: { email, role: "ADMIN", status: "ACTIVE" } }
      )
      const other = (await dashboard(client.live, "POST", "/agents", { email: `second-${email}`, role: "ADMIN" })).body
      known = await audit(client)
      const ofAgent = { actor: liveKey, environment: null, target: { kind: "agent", id: String(agent.id) } } as const
      await expectOne(dashboard(client.live, "PATCH", `/agents/${agent.id}`, { role: "AGENT" }), "agent.changed", {
        ...ofAgent,
        from: { role: "ADMIN" },
        to: { role: "AGENT" }
      })
      const team = await expectOne(
        dashboard(client.live, "POST", "/teams", { name: "Sales", members: [agent.id] }),
        "team.created",
        {
          actor: liveKey,
          environment: null,
          to: { name: "Sales", assignment: "OFF", members: [agent.id], takesNew: false }
        }
      )
      const ofTeam = { actor: liveKey, environment: null, target: { kind: "team", id: String(team.id) } } as const
      await expectOne(dashboard(client.live, "PATCH", `/teams/${team.id}`, { takesNew: true }), "team.changed", {
        ...ofTeam,
        from: { takesNew: false },
        to: { takesNew: true }
      })
      await expectOne(dashboard(client.live, "DELETE", `/agents/${agent.id}`), "agent.removed", {
        ...ofAgent,
        from: { email, role: "AGENT", status: "ACTIVE" }
      })
      await expectOne(dashboard(client.live, "DELETE", `/teams/${team.id}`), "team.removed", {
        ...ofTeam,
        from: { name: "Sales", assignment: "OFF", members: [], takesNew: true }
      })

      const identity = phone()
      const deviceId = await device(client, identity)
      const revoked = await does(dashboard(client, "DELETE", `/devices/${deviceId}`))
      assert.lengthOf(revoked, 1)
      assert.deepInclude(revoked[0], { action: "device.revoked", target: { kind: "device", id: deviceId } })
      assert.strictEqual(revoked[0].from.identity, `+91******${identity.slice(-4)}`)

      const forgetful = phone()
      const { requestId } = (await client.initiate({ identity: forgetful })).body
      for (let tries = 0; tries < 2; tries++) await client.verify({ requestId, otp: wrong })
      await expectOne(dashboard(client, "POST", "/unlock", { identity: forgetful }), "identity.unlocked", {
        target: { kind: "identity", id: `+91******${forgetful.slice(-4)}` },
        from: { server: 2, apps: 0 },
        to: { server: 0, apps: 0 }
      })

      const admin = (method: string, path: string, body?: Fields) =>
        service().admin({
          method,
          path: `/v1/admin/merchants/${merchant.id}${path}`,
          ...(body === undefined ? {} : { body })
        })
      const byOperator = {
        actor: { kind: "OPERATOR", id: null, label: "current" },
        environment: null,
        target: { kind: "merchant", id: merchant.id }
      } as const
      await expectOne(admin("PATCH", "", { name: "Acme & Co" }), "merchant.renamed", {
        ...byOperator,
        from: { name: "Acme" },
        to: { name: "Acme & Co" }
      })
      await admin("POST", "/suspend")
      await admin("POST", "/resume")
      const ofMerchant = (await admin("GET", "/audit")).body.items
      const before = new Set(known.map(({ id }) => id))
      assert.sameDeepMembers(
        ofMerchant.filter(({ id }: any) => !before.has(id)).map(({ action, from, to }: any) => [action, from, to]),
        [
          ["merchant.resumed", { status: "SUSPENDED" }, { status: "ACTIVE" }],
          ["merchant.suspended", { status: "ACTIVE" }, { status: "SUSPENDED" }]
        ]
      )
      assert.includeDeepMembers(ofMerchant, [...known])

      // Refused requests and unchanged values leave no entry.
      const { items } = (await admin("GET", "/audit")).body
      const nothing = [
        client.settings({ codeLength: 40 }),
        client.settings({ codeLength: 6 }),
        client.settings({}),
        dashboard(client, "POST", "/keys", { type: "PUBLIC", scopes: ["auth"] }),
        dashboard(client, "POST", `/keys/${made.id}/roll`),
        dashboard(client, "DELETE", `/keys/${made.id}`),
        client.webhooks("", { url: "nonsense" }),
        client.webhooks(`/${webhook.id}`, undefined, "DELETE"),
        dashboard(client.live, "POST", "/agents", { email: "nobody" }),
        dashboard(client.live, "PATCH", `/agents/${other.id}`, { role: "OWNER" }),
        dashboard(client.live, "DELETE", `/agents/${agent.id}`),
        dashboard(client.live, "PATCH", `/teams/${team.id}`, { name: "Gone" }),
        dashboard(client, "DELETE", `/devices/${deviceId}`),
        dashboard(client, "POST", "/unlock", { identity: forgetful }),
        dashboard(client, "POST", "/unlock", { identity: "nobody" }),
        admin("PATCH", "", { name: "" }),
        admin("PATCH", "", { name: "Acme & Co" }),
        admin("POST", "/resume")
      ]
      for (const request of nothing) await request
      assert.deepStrictEqual((await admin("GET", "/audit")).body.items, items)
      assert.notMatch(JSON.stringify(items), /sk_test|sk_live|whsec_|[0-9a-f]{64}/)
    })

    once("shows a key the entries of its environment and of the merchant, and none of another merchant", async () => {
      const { id, live, test } = await service().merchant()
      await live.settings({ codeLength: 8 })
      await test.settings({ codeLength: 4 })
      await dashboard(test.live, "POST", "/teams", { name: "Both" })
      const actions = async (client: Client, query = {}) =>
        (await audit(client, query)).map(({ action, environment }) => `${action} ${environment}`)
      const shared = ["team.created null", "merchant.created null"]
      assert.sameMembers(await actions(live), ["settings.changed live", ...shared])
      assert.sameMembers(await actions(test), ["settings.changed test", ...shared])
      assert.deepStrictEqual(await actions(test, { environment: "test" }), ["settings.changed test"])
      assert.sameMembers(await actions(test, { environment: "none" }), shared)
      await refusedQuery(test, "environment=live", "environment")
      const neighbour = await service().client()
      assert.deepStrictEqual(await actions(neighbour), ["merchant.created null"])
      const all = await service().admin({ path: `/v1/admin/merchants/${id}/audit?environment=live` })
      assert.deepStrictEqual(
        all.body.items.map(({ environment }: any) => environment),
        ["live"]
      )
      refused(await service().admin({ path: "/v1/admin/merchants/mer_404/audit" }), "MERCHANT_NOT_FOUND")
    })

    it("has an entry for each concurrent change, in commit order", async () => {
      const client = await service().client()
      const lengths = Array.from({ length: 20 }, (_, index) => 4 + (index % 5))
      const changes = await Promise.all(lengths.map((codeLength) => client.settings({ codeLength })))
      const entries = (await audit(client, { action: "settings.changed", limit: "200" })).map(({ from, to }) => [
        from.codeLength,
        to.codeLength
      ])
      for (const { status, text } of changes) assert.strictEqual(status, 200, text)
      // Setting the current value is no change. Every other change starts from the value that another one left.
      const begun = entries.map(([from]) => from)
      const ended = entries.map(([, to]) => to)
      const { codeLength } = (await client.get("/v1/dashboard/settings")).body
      assert.sameMembers([...begun, codeLength], [6, ...ended])
    })

    it("pages newest first, and filters by action, actor, target and time", async () => {
      const client = await service().client()
      for (const codeLength of [4, 5, 6, 7, 8]) await client.settings({ codeLength })
      const all = await audit(client)
      assert.lengthOf(all, 6)
      const paged: Array<unknown> = []
      for (let cursor: string | null = ""; cursor !== null; ) {
        const path: string = `/v1/dashboard/audit?limit=4${cursor === "" ? "" : `&cursor=${cursor}`}`
        const { body } = await client.get(path)
        paged.push(...body.items)
        cursor = body.nextCursor
      }
      assert.deepStrictEqual(paged, all)
      assert.lengthOf(await audit(client, { action: "settings.changed", actor: client.keys.clientId }), 5)
      assert.lengthOf(await audit(client, { actor: "OPERATOR" }), 1)
      assert.lengthOf(await audit(client, { target: "test" }), 5)
      assert.lengthOf(await audit(client, { action: "key.rolled" }), 0)
      assert.deepStrictEqual(
        await audit(client, { from: all[1].at, to: all[0].at }),
        all.filter(({ at }) => at >= all[1].at && at < all[0].at)
      )
      assert.lengthOf(await audit(client, { to: "1900-01-01T00:00:00Z" }), 0)
    })

    once("rejects invalid times, environments and limits", async () => {
      const client = await service().client()
      for (const [query, field] of [
        ["from=yesterday", "from"],
        ["to=2026-02-30T00:00:00Z", "to"],
        ["environment=production", "environment"],
        ["limit=0", "limit"],
        ["limit=1000", "limit"]
      ] as const)
        await refusedQuery(client, query, field)
      for (const cursor of ["zzz", "%00", "x".repeat(5000)]) {
        const { status, text } = await client.get(`/v1/dashboard/audit?cursor=${cursor}`)
        assert.include([200, 400], status, text.slice(0, 300))
      }
      const { clientId, clientSecret } = (
        await dashboard(client, "POST", "/keys", { type: "SERVER", scopes: ["leads"] })
      ).body
      const headers = { "x-client-id": clientId, "x-client-secret": clientSecret }
      for (const path of ["/v1/dashboard/audit", "/v1/dashboard/settings/history"])
        refused(await service().send({ path, headers }), "FORBIDDEN")
    })

    once("shows how the settings of an environment reached their values", async () => {
      const { live, test } = await service().merchant()
      await test.settings({ codeLength: 4, brand: "Café" })
      await live.settings({ codeLength: 8 })
      // Entries of the same millisecond can be in any order.
      await test.get("/v1/dashboard/settings/history")
      await test.settings({ codeLength: 5 })
      const { body } = await test.get("/v1/dashboard/settings/history")
      assert.deepStrictEqual(
        body.items.map(({ actor, address, from, to }: any) => [actor.id, address, from, to]),
        [
          [test.keys.clientId, "127.0.0.1", { codeLength: 4 }, { codeLength: 5 }],
          [test.keys.clientId, "127.0.0.1", { codeLength: 6, brand: "Acme" }, { codeLength: 4, brand: "Café" }]
        ]
      )
      assert.isNull(body.nextCursor)
      const first = await test.get("/v1/dashboard/settings/history?limit=1")
      const second = await test.get(`/v1/dashboard/settings/history?limit=1&cursor=${first.body.nextCursor}`)
      assert.deepStrictEqual([...first.body.items, ...second.body.items], body.items)
      assert.isNull(second.body.nextCursor)
    })
  })
