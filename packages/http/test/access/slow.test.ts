import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Answer, openWorld, type World } from "./World.ts"

const encoder = new TextEncoder()

describe("a request whose body arrives slowly", () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  /** Sends the start of a body, and the rest when `meanwhile` completes. */
  const during = (meanwhile: () => Promise<unknown>, text: string) =>
    new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          await meanwhile()
          controller.enqueue(encoder.encode(text))
          controller.close()
        }
      },
      { highWaterMark: 0 }
    )

  it("changes nothing if its person was suspended, demoted or removed, or its key revoked, in the meantime", async () => {
    const merchant = await world.merchant()
    const post = (headers: { readonly [name: string]: string }, body: unknown): Promise<Answer> =>
      world.send({ method: "POST", path: "/v1/dashboard/agents", headers, body })
    const fields = (name: string) => JSON.stringify({ email: `${name}@evil.example`, role: "ADMIN" })
    const change = (method: string, path: string, body?: unknown) =>
      world.must({ method, path: `/v1/dashboard${path}`, headers: merchant.live, body })
    const leavings = [
      (id: number) => change("PATCH", `/agents/${id}`, { status: "SUSPENDED" }),
      (id: number) => change("PATCH", `/agents/${id}`, { role: "VIEWER" }),
      (id: number) => change("DELETE", `/agents/${id}`)
    ]
    for (const [index, leaving] of leavings.entries()) {
      const id = await merchant.agent("ADMIN")
      const headers = world.page(await merchant.signIn(id))
      const answer = await post(
        headers,
        during(() => leaving(id), fields(`agent${index}`))
      )
      assert.strictEqual(answer.status, 401, answer.text)
    }
    const key = await merchant.key("dashboard")
    const revoked = during(() => change("DELETE", `/keys/${key["x-client-id"]}`), fields("key"))
    assert.strictEqual((await post(key, revoked)).status, 401)
    const { text } = await world.must({ method: "GET", path: "/v1/dashboard/agents", headers: merchant.live })
    assert.notInclude(text, "evil.example")
  })
})
