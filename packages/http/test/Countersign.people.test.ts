import { MemoryStorage } from "@countersign/core/memory"
import { assert, describe, it } from "vitest"
import { makeService } from "../src/index.ts"

const secret = "0c".repeat(32)

describe("team members of an embedded service", () => {
  it("sign in with a link that the process creates when there is no mail channel, and become owners if they are new", async () => {
    const countersign = await makeService({
      storage: MemoryStorage.layer,
      channels: [],
      secret,
      baseUrl: "https://verify.example.com"
    })
    const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
      countersign.handler(
        new Request(`https://verify.example.com/v1/dashboard/${path}`, {
          method: "POST",
          headers: { "content-type": "application/json", origin: "https://verify.example.com", ...headers },
          body: JSON.stringify(body)
        })
      )
    const email = "asha@shop.example"
    assert.strictEqual((await send("sessions", { email })).status, 202)
    const replaced = await countersign.signInLink({ email })
    const { expiresAt, url } = await countersign.signInLink({ email: "Asha@shop.example" })
    assert.isAbove(Date.parse(expiresAt), Date.now())
    const [page, token] = url.split("#redeem=")
    assert.strictEqual(page, "https://verify.example.com/dashboard")
    assert.strictEqual((await send("sessions/redeem", { token: replaced.url.split("=")[1] })).status, 401)
    const redeemed = await send("sessions/redeem", { token })
    assert.deepInclude(await redeemed.json(), { agent: { id: 1, email, role: "OWNER" } })
    const cookie = redeemed.headers.get("set-cookie")!
    assert.match(cookie, /^__Host-countersign=[0-9a-z]{52}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
    const me = await countersign.handler(
      new Request("https://verify.example.com/v1/dashboard/me", { headers: { cookie: cookie.split(";")[0]! } })
    )
    assert.strictEqual(me.status, 200)
    const refused = await countersign.signInLink({ email: "nobody" }).catch((error: unknown) => error)
    assert.deepInclude(refused, { errorCode: "INVALID_REQUEST" })
    await countersign.close()
  })
})
