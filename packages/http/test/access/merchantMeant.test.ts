import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { openWorld, type World } from "./World.ts"

describe("a session with an X-Merchant header", () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  it("can neither read nor write at another merchant, and can do both at its own", async () => {
    const [own, other] = [await world.merchant(), await world.merchant()]
    const token = await own.signIn(await own.agent("OWNER"))
    const settings = (method: string, merchant: string, body?: object) =>
      world.send({
        method,
        path: "/v1/dashboard/settings",
        headers: world.page(token, { "x-merchant": merchant }),
        ...(body === undefined ? {} : { body })
      })
    for (const [method, body] of [["GET"], ["PATCH", { codeLength: 8 }]] as const) {
      for (const elsewhere of [other.id, "", `${own.id}, ${other.id}`]) {
        const refused = await settings(method, elsewhere, body)
        assert.deepStrictEqual([refused.status, refused.body.errorCode], [400, "INVALID_REQUEST"])
        assert.match(refused.body.message, /^X-Merchant/)
        assert.notInclude(refused.text, own.id)
      }
    }
    assert.strictEqual((await settings("GET", own.id)).body.codeLength, 6)
    assert.strictEqual((await settings("PATCH", own.id, { codeLength: 8 })).body.codeLength, 8)
  })
})
