import { Role } from "@countersign/core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { contract } from "../../src/Routes.ts"
import { type Headers, openWorld, type World } from "./World.ts"

const number = "9876543210"
const address = "customer@mail.example"
const secrets = [number, address, "98765 43210"]

/** Conversations are unmasked for agents who work on leads; records are masked for every signed-in person. */
const isConversation = (path: string) => /^\/v1\/(whatsapp|dashboard)\/leads/.test(path)
/** An export for the end user is useless if masked, and the audit log records who made it. */
const isExport = (path: string) => path === "/v1/dashboard/export"

describe("unmasked identities", () => {
  let world: World
  let key: Headers
  let ids: { readonly [name: string]: string }
  let pageOf: (role: Role) => Promise<Headers>
  beforeAll(async () => {
    world = await openWorld()
    const merchant = await world.merchant()
    key = merchant.test
    pageOf = async (role) => {
      const agent = await merchant.agent(role)
      return world.page(await merchant.signIn(agent), { "x-environment": "test" })
    }
    const post = async (path: string, body: unknown) =>
      (await world.must({ method: "POST", path, headers: key, body })).body
    const { requestId } = await post("/v1/auth/initiate", {
      identity: "98765 43210",
      identityType: "MOBILE",
      mode: "OTP",
      channel: "SMS"
    })
    await post("/v1/auth/initiate", { identity: address, identityType: "EMAIL", mode: "OTP", channel: "EMAIL" })
    const { id } = await post("/v1/dashboard/leads", { phone: `+91${number}`, name: `Asha ${number}` })
    await post(`/v1/dashboard/leads/${id}/notes`, { text: `call ${number}, or write to ${address}` })
    const found = await world.must({ method: "GET", path: `/v1/dashboard/people?search=${number}`, headers: key })
    ids = { id: String(id), leadId: String(id), requestId, person: found.body.items[0].person }
  })
  afterAll(() => world.close())

  /** Every path that can be read, with the ids that exist. */
  const readAll = async (headers: Headers) => {
    const found = new Set<string>()
    for (const { method, needs, path } of contract) {
      if (method !== "GET" || needs.credential !== "staff") continue
      const at = path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? "x")
      const query =
        path.endsWith("/devices") || path.endsWith("/export")
          ? `?identity=%2B91${number}`
          : path.endsWith("/people")
            ? "?search=asha"
            : ""
      const answer = await world.send({ method, path: at + query, headers })
      assert.isBelow(answer.status, 500, answer.text)
      if (secrets.some((secret) => answer.text.includes(secret))) found.add(path)
    }
    return [...found]
  }

  it("are visible to a key, to an AGENT in conversations, and never to a VIEWER", async () => {
    const byKey = await readAll(key)
    for (const path of ["/v1/dashboard/events", "/v1/dashboard/leads/:id", "/v1/dashboard/leads/:id/messages"])
      assert.include(byKey, path)
    for (const role of Role) {
      const seen = await readAll(await pageOf(role))
      const mayExport = role === "OWNER" || role === "ADMIN"
      const expected = byKey.filter((path) => isConversation(path) || (mayExport && isExport(path)))
      assert.deepStrictEqual(seen, role === "VIEWER" ? [] : expected, role)
    }
  })

  it("are replaced by masks for a VIEWER", async () => {
    const headers = await pageOf("VIEWER")
    const read = async (path: string) => (await world.must({ method: "GET", path, headers })).body
    const lead = await read(`/v1/dashboard/leads/${ids["id"]}`)
    assert.deepInclude(lead, { contact: "+91******3210", name: "Asha 98****3210" })
    const { items } = await read(`/v1/dashboard/leads/${ids["id"]}/messages`)
    assert.strictEqual(items[0].text, "call 98****3210, or write to c***@mail.example")
    const events = (await read("/v1/dashboard/events")).items
    assert.sameMembers(
      events.map(({ data }: { readonly data: { readonly identity?: string } }) => data.identity),
      ["+91******3210", "c***@mail.example"]
    )
  })

  it("cannot be found digit by digit", async () => {
    const [viewer, agent] = [await pageOf("VIEWER"), await pageOf("AGENT")]
    const search = async (headers: Headers, text: string) =>
      (await world.send({ method: "GET", path: `/v1/dashboard/leads?search=${text}`, headers })).status
    for (const text of ["3210", number, `91${number}`]) assert.strictEqual(await search(viewer, text), 200, text)
    for (const length of [5, 6, 7, 8, 9]) {
      assert.strictEqual(await search(viewer, number.slice(-length)), 400)
      assert.strictEqual(await search(agent, number.slice(-length)), 200)
    }
    // A viewer cannot find digits in a name either, in any script.
    for (const digits of [number.slice(0, 3), number.slice(0, 6), "9 8 7", "\u096f\u096e\u096d"]) {
      assert.strictEqual(await search(viewer, encodeURIComponent(`asha ${digits}`)), 400, digits)
      assert.strictEqual(await search(agent, encodeURIComponent(`asha ${digits}`)), 200, digits)
    }
    assert.strictEqual(await search(viewer, "asha%2098"), 200)
  })
})

describe("an answer stored for a repeat", () => {
  it("is repeated only to the caller who received it", async () => {
    const world = await openWorld()
    const merchant = await world.merchant()
    const header = { "idempotency-key": "7f9c2d1e-0000-4000-8000-00000000000a" }
    const make = async (headers: Headers) =>
      world.send({
        method: "POST",
        path: "/v1/dashboard/keys",
        headers: { ...headers, ...header },
        body: { type: "SERVER" }
      })
    const [one, two] = [await merchant.agent("OWNER"), await merchant.agent("OWNER")]
    const first = await make(world.page(await merchant.signIn(one)))
    assert.strictEqual(first.status, 201)
    // The same person after a new sign-in, which is how a request repeats after it needed a fresh sign-in.
    const again = await make(world.page(await merchant.signIn(one)))
    assert.strictEqual(again.text, first.text)
    assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
    const secrets = new Set([first.body.clientSecret])
    for (const headers of [world.page(await merchant.signIn(two)), merchant.live, merchant.test]) {
      const other = await make(headers)
      assert.strictEqual(other.status, 201, other.text)
      assert.isNull(other.headers.get("idempotency-replayed"))
      secrets.add(other.body.clientSecret)
    }
    assert.strictEqual(secrets.size, 4)
    // A caller without access gets no stored answer, even with the same person's key.
    for (const role of ["ADMIN", "VIEWER"] as const) {
      const refused = await make(world.page(await merchant.signIn(await merchant.agent(role))))
      assert.strictEqual(refused.status, 403)
    }
    const stale = await make(world.page(await merchant.signIn(one, { ago: 660_000 })))
    assert.strictEqual(stale.headers.get("x-sign-in"), "fresh")
    await world.close()
  })
})
