import { assert, describe, it } from "vitest"
import { browserOf } from "../../src/screens/browserOf.ts"
import { changeRefused, isOfThisMachine, rolesToGive } from "../../src/screens/team/deeds.ts"

describe("team", () => {
  it("are changed by owners and admins, who assign roles up to their own", () => {
    assert.deepStrictEqual(rolesToGive("OWNER"), ["OWNER", "ADMIN", "AGENT", "VIEWER"])
    assert.deepStrictEqual(rolesToGive("ADMIN"), ["ADMIN", "AGENT", "VIEWER"])
  })

  it("cannot change themselves, nor can others change an owner, and the reason is shown", () => {
    const owner = { id: 1, role: "OWNER" } as const
    const admin = { id: 2, role: "ADMIN" } as const
    assert.isUndefined(changeRefused(owner, admin, undefined))
    assert.isString(changeRefused(owner, owner, undefined))
    assert.isString(changeRefused(admin, owner, undefined))
    assert.strictEqual(changeRefused(admin, { id: 3, role: "AGENT" }, "ask"), "ask")
  })

  it("see a warning when their link opens only on this machine", () => {
    for (const url of ["http://localhost:8080/dashboard#redeem=x", "http://127.0.0.1/", "http://[::1]:1/"])
      assert.isTrue(isOfThisMachine(url), url)
    for (const url of ["https://verify.example.com/", "http://10.0.0.7:8080/", "no address"])
      assert.isFalse(isOfThisMachine(url), url)
  })

  it("have a short browser name, and unknown ones are truncated", () => {
    assert.strictEqual(
      browserOf("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/153.0 Safari/537.36"),
      "Chrome, Linux"
    )
    assert.strictEqual(browserOf("Mozilla/5.0 (iPhone; CPU iPhone OS 20_0) Version/20 Safari/604.1"), "Safari, iOS")
    assert.lengthOf(browserOf("x".repeat(10_000)), 40)
    assert.strictEqual(browserOf(null), "–")
  })
})
