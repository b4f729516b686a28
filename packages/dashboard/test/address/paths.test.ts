import { assert, describe, it } from "vitest"
import { filtersIn, flag, instant, oneOf, text } from "../../src/address/filtersIn.ts"
import { matchOf } from "../../src/address/match.ts"
import { across, environmentOf, type RouteName, routes, to, withoutLive } from "../../src/address/paths.ts"

describe("addresses", () => {
  it("lead to the screen that they were made for, in both environments, whatever stands in them", () => {
    const strange = ["ver_01", "a/b", "100%", "ä ?#&", "..", "<b>"]
    for (const environment of ["live", "test"] as const)
      for (const [route, pattern] of Object.entries(routes) as ReadonlyArray<[RouteName, string]>)
        for (const value of strange) {
          const name = /:(\w+)/.exec(pattern)?.[1]
          const path = (to as (...all: ReadonlyArray<unknown>) => string)(
            environment,
            route,
            name === undefined ? {} : { [name]: value }
          )
          assert.strictEqual(environmentOf(path), environment, path)
          assert.deepStrictEqual(matchOf(path), { route, params: name === undefined ? {} : { [name]: value } }, path)
        }
  })

  it("carry filters behind them, without those that are not given", () => {
    assert.strictEqual(
      to("live", "verifications", { status: "FAILED", channel: undefined, find: "" }),
      "/dashboard/verifications?status=FAILED"
    )
    assert.strictEqual(
      to("test", "verification", { requestId: "v" }, { country: "IN" }),
      "/dashboard/test/verifications/v?country=IN"
    )
    assert.strictEqual(to("test", "overview"), "/dashboard/test")
  })

  it("a link with a filter that its screen does not read does not compile", () => {
    // @ts-expect-error the list of verifications searches by find, and would show everybody for an identity
    to("live", "verifications", { identity: "+919812345678" })
    // @ts-expect-error no status is called that
    to("live", "verifications", { status: "SENT" })
    // @ts-expect-error a lead's address takes the inbox's filters
    to("live", "lead", { id: 1 }, { find: "asha" })
    // @ts-expect-error no link filters the overview
    to("live", "overview", { range: "7d" })
  })

  it("of no screen are none", () => {
    for (const path of ["/dashboard/nothing", "/dashboard/verifications/a/b", "/dashboard/test/test", "/dashboard//"])
      assert.strictEqual(matchOf(path), null, path)
  })

  it("in the other environment are the same screen, without the one thing that it does not have", () => {
    assert.strictEqual(across("/dashboard/verifications/ver_1?status=FAILED", "test"), "/dashboard/test/verifications")
    assert.strictEqual(across("/dashboard/test/settings", "live"), "/dashboard/settings")
    assert.strictEqual(across("/dashboard/test", "live"), "/dashboard")
  })

  it("with live in them, as test has it, lead to the same screen without it", () => {
    assert.strictEqual(withoutLive("/dashboard/live/keys"), "/dashboard/keys")
    assert.strictEqual(
      withoutLive("/dashboard/live/verifications?status=FAILED"),
      "/dashboard/verifications?status=FAILED"
    )
    assert.strictEqual(withoutLive("/dashboard/live"), "/dashboard")
    for (const path of ["/dashboard/lively", "/dashboard/keys", "/dashboard/test/live/keys"])
      assert.strictEqual(withoutLive(path), path)
  })

  it("that look like test and are not, are live", () => {
    for (const path of ["/dashboard/testing", "/dashboard", "/dashboard/verifications/test"])
      assert.strictEqual(environmentOf(path), "live", path)
  })
})

describe("filters", () => {
  const spec = { status: oneOf(["FAILED", "VERIFIED"]), identity: text, mine: flag, from: instant }

  it("are what the address says, and what it does not mean is dropped", () => {
    assert.deepStrictEqual(filtersIn(spec, "?status=FAILED&identity=%2B91&mine=true&from=2026-01-31T09:30:00Z"), {
      status: "FAILED",
      identity: "+91",
      mine: true,
      from: "2026-01-31T09:30:00.000Z"
    })
    assert.deepStrictEqual(
      filtersIn(spec, "?status=nonsense&identity=%20&mine=1&from=yesterday&other=1&__proto__=1"),
      {}
    )
  })

  it("that are repeated count once", () => {
    assert.deepStrictEqual(filtersIn(spec, "?status=FAILED&status=VERIFIED"), { status: "FAILED" })
  })
})
