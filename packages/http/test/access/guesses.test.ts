import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { openApi } from "../../src/openApi.ts"
import { type Headers, openWorld, type World } from "./World.ts"

/**
 * Every endpoint that takes an identity, and what keeps a masked one secret: `counted` where unknown identities count
 * against a limit; otherwise the roles that may call it, or a note that no stored data is returned.
 */
const guards: { readonly [endpoint: string]: string } = {
  "GET /v1/dashboard/verifications identity": "counted",
  "GET /v1/dashboard/people search": "counted",
  "GET /v1/dashboard/devices identity": "counted",
  "GET /v1/dashboard/leads search": "counted",
  "GET /v1/whatsapp/leads phone": "counted",
  "POST /v1/dashboard/leads phone": "callers see unmasked conversations",
  "POST /v1/whatsapp/leads/assign phone": "callers see unmasked conversations",
  "POST /v1/whatsapp/leads/team phone": "callers see unmasked conversations",
  "POST /v1/dashboard/opt-outs phone": "callers see unmasked conversations",
  "DELETE /v1/dashboard/opt-outs/{phone} phone": "callers see unmasked conversations",
  "POST /v1/dashboard/unlock identity": "callers may unmask; each call is audited",
  "POST /v1/dashboard/erase identity": "callers may unmask; each call is audited",
  "GET /v1/dashboard/export identity": "callers may unmask; each call is audited",
  "POST /v1/dashboard/try identity": "sends a message, and has a limit",
  "POST /v1/dashboard/templates/preview identity": "reads no stored data",
  "POST /v1/dashboard/templates/{id}/preview identity": "reads no stored data",
  "POST /v1/auth/initiate identity": "only keys call it",
  "POST /v1/deliveries identity": "only keys call it",
  "POST /v1/sdk/auth/initiate phone": "apps call it: sends a message, and has limits"
}

interface Operation {
  readonly parameters?: ReadonlyArray<{ readonly name: string }>
  readonly requestBody?: {
    readonly content: { readonly [type: string]: { readonly schema: { readonly $ref?: string } } }
  }
}

const endpoints = (): ReadonlyArray<string> => {
  const { components, paths } = openApi() as {
    readonly components: { readonly schemas: { readonly [name: string]: { readonly properties?: object } } }
    readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  }
  const fields = ({ requestBody }: Operation) =>
    Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => {
      const named = schema.$ref === undefined ? schema : components.schemas[schema.$ref.split("/").at(-1)!]
      return Object.keys((named as { readonly properties?: object } | undefined)?.properties ?? {})
    })
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      [...(operation.parameters ?? []).map(({ name }) => name), ...fields(operation)]
        .filter((name) => ["identity", "phone", "search", "phoneNumber", "canonical"].includes(name))
        .map((name) => `${method.toUpperCase()} ${path} ${name}`)
    )
  )
}

describe("a masked identity cannot be found by trying numbers", () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  it("every endpoint that takes an identity declares its protection", () => {
    assert.sameMembers([...endpoints()], Object.keys(guards))
  })

  const numbered = (path: string, n: number) => `${path}${encodeURIComponent(`+9198765${String(n).padStart(5, "0")}`)}`
  const counted = {
    VIEWER: [
      "/v1/dashboard/verifications?identity=",
      "/v1/dashboard/people?search=",
      "/v1/dashboard/devices?identity=",
      "/v1/dashboard/leads?search=",
      "/v1/whatsapp/leads?phone="
    ],
    AGENT: ["/v1/dashboard/verifications?identity=", "/v1/dashboard/people?search=", "/v1/dashboard/devices?identity="]
  }

  for (const role of ["VIEWER", "AGENT"] as const) {
    for (const path of counted[role]) {
      it(`after 100 unknown numbers in an hour, ${role} at ${path} gets 429, recorded once in the audit log`, async () => {
        const merchant = await world.merchant()
        const id = await merchant.agent(role)
        const headers = world.page(await merchant.signIn(id), { "x-environment": "test" })
        const ask = (n: number, who: Headers = headers) =>
          world.send({ method: "GET", path: numbered(path, n), headers: who })
        for (let n = 0; n < 100; n++) assert.strictEqual((await ask(n)).status, 200)
        for (const n of [100, 101]) {
          const refused = await ask(n)
          assert.strictEqual(refused.status, 429, refused.text)
          assert.include(refused.body.message, "Too many searches for unknown numbers")
          assert.isNotNull(refused.headers.get("retry-after"))
        }
        const { body } = await world.must({
          method: "GET",
          path: "/v1/dashboard/audit?action=identity.guessed",
          headers: merchant.test
        })
        assert.lengthOf(body.items, 1)
        assert.deepInclude(body.items[0].target, { kind: "agent", id: String(id) })
        // Other people and keys are not affected.
        const other = world.page(await merchant.signIn(await merchant.agent(role)), { "x-environment": "test" })
        assert.strictEqual((await ask(100, other)).status, 200)
        assert.strictEqual((await ask(100, merchant.test)).status, 200)
      })
    }
  }

  it("searches for existing customers are not limited, nor are searches of an AGENT among leads", async () => {
    const merchant = await world.merchant()
    const lead = { method: "POST", path: "/v1/dashboard/leads", headers: merchant.test }
    await world.must({ ...lead, body: { phone: "+919876500001" } })
    for (const [role, n] of [
      ["VIEWER", 1],
      ["AGENT", 2]
    ] as const) {
      const headers = world.page(await merchant.signIn(await merchant.agent(role)), { "x-environment": "test" })
      for (let times = 0; times < 120; times++)
        await world.must({ method: "GET", path: numbered("/v1/whatsapp/leads?phone=", n), headers })
    }
  })
})
