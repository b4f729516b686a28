import { longestCsv } from "@countersign/core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { contract } from "../../src/Routes.ts"
import { type Headers, minute, openWorld, type World } from "./World.ts"

const path = "/v1/dashboard/campaigns"
const template = { name: "offer", channel: "SMS", purpose: "MESSAGE", body: "Hi {{name}}" }
const start = { name: "Diwali", channel: "SMS", template: "offer" }
const one = "phone,name\n+919876543210,Asha\n"
const encoder = new TextEncoder()

describe("a large request body", () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  const shopOf = async () => {
    const shop = await world.merchant()
    await world.must({ method: "POST", path: "/v1/dashboard/templates", headers: shop.test, body: template })
    return shop
  }
  const create = (headers: Headers, body: unknown, query = "") =>
    world.send({ method: "POST", path: `${path}${query}`, headers, body })

  /** A body that counts how often it is read. */
  const watched = () => {
    let asked = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          asked++
          controller.enqueue(encoder.encode("{}"))
          controller.close()
        }
      },
      { highWaterMark: 0 }
    )
    return { body, asked: () => asked }
  }

  it("holds a list of 5 MB in any JSON escaping, and one more byte is too large", async () => {
    const { test } = await shopOf()
    const filled = (character: string, more: string) => {
      const size = encoder.encode(character).length
      const head = `phone,name,note\n+919876543210,Asha,ok\n`
      const rest = longestCsv - head.length
      return `${head}${"\n".repeat(rest % size)}${character.repeat(Math.floor(rest / size))}${more}`
    }
    for (const [character, escape] of [
      ["\n", false],
      ["é", true]
    ] as const) {
      const written = (csv: string) => {
        const json = JSON.stringify({ ...start, csv })
        return escape ? json.replaceAll(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`) : json
      }
      const headers = { ...test, "content-type": "application/json" }
      const fits = await create(headers, written(filled(character, "")), "?dryRun=true")
      assert.strictEqual(fits.status, 200, fits.text.slice(0, 200))
      assert.strictEqual(fits.body.total, 1)
      const over = await create(headers, written(filled(character, "x")), "?dryRun=true")
      assert.deepStrictEqual([over.status, over.body.errorCode], [413, "PAYLOAD_TOO_LARGE"])
      assert.match(over.body.message, /^csv: /)
    }
    const body = JSON.stringify({ ...start, csv: one, more: "x".repeat(3 * longestCsv + 70_000) })
    const over = await create({ ...test, "content-type": "application/json" }, body)
    assert.deepStrictEqual([over.status, over.body.errorCode], [413, "PAYLOAD_TOO_LARGE"])
  })

  it("may contain one long string, but not millions of small values", async () => {
    const { test } = await shopOf()
    const headers = { ...test, "content-type": "application/json" }
    for (const more of ["[{},{}", "[0,0", '{"a":0,"a":0']) {
      const [open = ""] = more
      const items = `${more.slice(more.indexOf(",")).repeat(70_000)}${open === "[" ? "]" : "}"}`
      const answer = await create(headers, `{"csv":"x","more":${more}${items}}`)
      assert.deepStrictEqual([answer.status, answer.body.errorCode], [400, "INVALID_REQUEST"])
      assert.match(answer.body.message, /^body: must not have more than 65536/)
    }
  })

  it("is accepted only at this endpoint", async () => {
    const { test } = await shopOf()
    const body = { ...template, name: "other", more: "x".repeat(70_000) }
    const answer = await world.send({ method: "POST", path: "/v1/dashboard/templates", headers: test, body })
    assert.deepStrictEqual([answer.status, answer.body.errorCode], [413, "PAYLOAD_TOO_LARGE"])
  })

  it("is not read when the caller may not send it", async () => {
    const shop = await shopOf()
    const agent = await shop.agent("AGENT")
    const admin = await shop.agent("ADMIN")
    const wrong = { ...shop.live, "x-client-secret": "sk_live_wrong" }
    const stale = world.page(await shop.signIn(admin, { ago: 11 * minute }))
    const refused: ReadonlyArray<[Headers, number]> = [
      [{}, 401],
      [wrong, 401],
      [await shop.key("auth"), 403],
      [world.page(await shop.signIn(agent)), 403],
      [stale, 403],
      [{ ...world.page(await shop.signIn(admin)), origin: "https://evil.example" }, 403],
      [{ ...shop.live, "idempotency-key": "x" }, 400]
    ]
    for (const [headers, status] of refused) {
      const { asked, body } = watched()
      assert.strictEqual((await create(headers, body)).status, status)
      assert.strictEqual(asked(), 0)
    }
  })

  it("is refused if it sends more than it declares", async () => {
    const { test } = await shopOf()
    const headers = { ...test, "content-type": "application/json", "content-length": "100" }
    const answer = await create(headers, JSON.stringify({ ...start, csv: one, more: "x".repeat(70_000) }))
    assert.strictEqual(answer.status, 413)
  })

  it("frees its memory when it is refused or cut off", async () => {
    const { test } = await shopOf()
    const broken = () =>
      new ReadableStream<Uint8Array>(
        { pull: (controller) => controller.error(new Error("gone")) },
        { highWaterMark: 0 }
      )
    for (const body of [
      ...Array.from({ length: 3 }, broken),
      {},
      { ...start, csv: "x" },
      { ...start, template: "none" }
    ]) {
      assert.include([400, 404], (await create(test, body)).status)
    }
    assert.strictEqual((await create(test, { ...start, csv: one })).status, 201)
  })
})

describe("a dry run", () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  it("needs no fresh sign-in; starting and resuming a campaign do, pausing and cancelling do not", async () => {
    const shop = await world.merchant()
    const admin = await shop.agent("ADMIN")
    const test = { "x-environment": "test" }
    const stale = async () => world.page(await shop.signIn(admin, { ago: 11 * minute }), test)
    const fresh = async () => world.page(await shop.signIn(admin), test)
    const post = (headers: Headers, end: string, body?: unknown) =>
      world.send({ method: "POST", path: `/v1/dashboard/${end}`, headers, body })
    await post(await fresh(), "templates", template)
    const body = { ...start, csv: one, startAt: new Date(Date.now() + 60 * minute).toISOString() }
    assert.strictEqual((await post(await stale(), "campaigns?dryRun=true", body)).status, 200)
    for (const query of ["", "?dryRun=false", "?dryrun=true", "?dryRun=true&dryRun=false", "?dryRun=1"]) {
      const answer = await post(await stale(), `campaigns${query}`, body)
      assert.deepStrictEqual([answer.status, answer.headers.get("x-sign-in")], [403, "fresh"], query)
    }
    const { id } = (await post(await fresh(), "campaigns", body)).body
    assert.strictEqual((await post(await stale(), `campaigns/${id}/pause`)).body.status, "PAUSED")
    assert.strictEqual((await post(await stale(), `campaigns/${id}/resume`)).headers.get("x-sign-in"), "fresh")
    assert.strictEqual((await post(await fresh(), `campaigns/${id}/resume`)).body.status, "SCHEDULED")
    assert.strictEqual((await post(await stale(), `campaigns/${id}/cancel`)).body.status, "CANCELLED")
    const agent = world.page(await shop.signIn(await shop.agent("AGENT")), test)
    assert.strictEqual((await post(agent, "campaigns?dryRun=true", body)).status, 403)
  })

  it("exists only at that endpoint: others still require a fresh sign-in with ?dryRun=true", async () => {
    const shop = await world.merchant()
    const owner = world.page(await shop.signIn(await shop.agent("OWNER"), { ago: 11 * minute }))
    const fresh = contract.filter(({ needs, path: at }) => "fresh" in needs && needs.fresh && at !== path)
    assert.isAbove(fresh.length, 10)
    for (const { method, path } of fresh) {
      const at = `${path.replaceAll(/:\w+/g, "1")}?dryRun=true`
      const { headers } = await world.send({
        method,
        path: at,
        headers: owner,
        ...(method === "GET" ? {} : { body: {} })
      })
      assert.strictEqual(headers.get("x-sign-in"), "fresh", `${method} ${path}`)
    }
  })

  it("counts as a different request from the real one for an idempotency key", async () => {
    const shop = await world.merchant()
    await world.must({ method: "POST", path: "/v1/dashboard/templates", headers: shop.test, body: template })
    const headers = { ...shop.test, "idempotency-key": crypto.randomUUID() }
    const post = (query: string) =>
      world.send({ method: "POST", path: `${path}${query}`, headers, body: { ...start, csv: one } })
    assert.strictEqual((await post("?dryRun=true")).status, 200)
    assert.strictEqual((await post("?dryRun=true")).headers.get("idempotency-replayed"), "true")
    assert.strictEqual((await post("")).body.errorCode, "IDEMPOTENCY_KEY_REUSED")
  })
})
