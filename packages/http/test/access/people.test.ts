import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Headers, openWorld, type World } from "./World.ts"

const number = "+919876543210"

describe("a person of an environment", () => {
  let world: World
  let merchant: Awaited<ReturnType<World["merchant"]>>
  let person: string
  const signedIn = async (role: "OWNER" | "AGENT" | "VIEWER", of = merchant, environment = "test") =>
    world.page(await of.signIn(await of.agent(role)), { "x-environment": environment })
  const ask = (path: string, headers: Headers) => world.send({ method: "GET", path, headers })
  const unlock = (path: string, headers: Headers) => world.send({ method: "POST", path: `${path}/unlock`, headers })

  beforeAll(async () => {
    world = await openWorld()
    merchant = await world.merchant()
    const body = { identity: number, identityType: "MOBILE", mode: "OTP", channel: "SMS", orderId: "order-7" }
    await world.must({ method: "POST", path: "/v1/auth/initiate", headers: merchant.test, body })
    const { items } = (await ask("/v1/dashboard/people?search=order-7", await signedIn("VIEWER"))).body
    assert.deepInclude(items[0], { identity: "+91******3210", foundBy: "ORDER" })
    person = items[0].person
  })
  afterAll(() => world.close())

  it("is the same in the verification, the list of verifications and the search", async () => {
    const viewer = await signedIn("VIEWER")
    const { items } = (await ask(`/v1/dashboard/verifications?person=${person}`, viewer)).body
    assert.deepStrictEqual([items.length, items[0].person, items[0].identity], [1, person, "+91******3210"])
    const read = (await ask(`/v1/dashboard/people/${person}`, viewer)).body
    assert.deepInclude(read, { person, identity: "+91******3210", lead: null, devices: [] })
  })

  it("may be read by a VIEWER and unlocked by an AGENT", async () => {
    const viewer = await signedIn("VIEWER")
    const path = `/v1/dashboard/people/${person}`
    assert.strictEqual((await ask(path, viewer)).status, 200)
    assert.strictEqual((await unlock(path, viewer)).status, 403)
    const done = await unlock(path, await signedIn("AGENT"))
    assert.deepStrictEqual([done.status, done.body], [200, { unlocked: false }])
  })

  it("is not found in the other environment, at another merchant, or by a text that is no reference", async () => {
    const stranger = await world.merchant()
    const callers = [
      merchant.live,
      stranger.test,
      stranger.live,
      await signedIn("OWNER", merchant, "live"),
      await signedIn("OWNER", stranger)
    ]
    for (const headers of callers) {
      const answers = [
        await ask(`/v1/dashboard/people/${person}`, headers),
        await unlock(`/v1/dashboard/people/${person}`, headers)
      ]
      for (const { body, status } of answers)
        assert.deepStrictEqual([status, body.errorCode], [404, "PERSON_NOT_FOUND"])
      for (const list of ["verifications", "refusals"]) {
        const { body, status } = await ask(`/v1/dashboard/${list}?person=${person}`, headers)
        assert.deepStrictEqual([status, body.errorCode], [400, "INVALID_REQUEST"])
      }
      for (const search of [encodeURIComponent(number), "3210", "order-7"]) {
        assert.deepStrictEqual((await ask(`/v1/dashboard/people?search=${search}`, headers)).body, { items: [] })
      }
    }
    const own = await signedIn("OWNER")
    const altered = `${person.slice(0, -1)}${person.endsWith("_") ? "-" : "_"}`
    for (const text of ["x", "per_x", encodeURIComponent(number), altered, `${person}A`])
      assert.strictEqual((await ask(`/v1/dashboard/people/${text}`, own)).status, 404, text)
  })

  it("is found by no caller without the scope for the dashboard", async () => {
    for (const headers of [{}, { "x-public-key": "pk_test_none" }]) {
      assert.strictEqual((await ask(`/v1/dashboard/people/${person}`, headers)).status, 401)
      assert.strictEqual((await ask("/v1/dashboard/people?search=3210", headers)).status, 401)
    }
  })
})
