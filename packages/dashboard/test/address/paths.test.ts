import { assert, describe, it } from "vitest"
import { filtersIn, flag, instant, oneOf, searchWith, text } from "../../src/address/filtersIn.ts"
import { matchOf } from "../../src/address/match.ts"
import { across, environmentOf, type RouteName, routes, to, withoutLive } from "../../src/address/paths.ts"

describe("addresses", () => {
  it("lead to their screen in both environments, with any parameter", () => {
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

  it("carry the given filters", () => {
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

  it("with a filter that the screen does not read do not compile", () => {
    // @ts-expect-error the verification list searches by `find`; `identity` would be ignored and show everyone
    to("live", "verifications", { identity: "+919812345678" })
    // @ts-expect-error this status does not exist
    to("live", "verifications", { status: "SENT" })
    // @ts-expect-error a lead's address takes the filters of the inbox
    to("live", "lead", { id: 1 }, { find: "asha" })
    // @ts-expect-error the overview has no such filter
    to("live", "overview", { range: "7d" })
  })

  it("without a screen match no route", () => {
    for (const path of ["/dashboard/nothing", "/dashboard/verifications/a/b", "/dashboard/test/test", "/dashboard//"])
      assert.strictEqual(matchOf(path), null, path)
  })

  it("in the other environment lead to the same screen, or to its list for a detail view", () => {
    assert.strictEqual(across("/dashboard/verifications/ver_1?status=FAILED", "test"), "/dashboard/test/verifications")
    assert.strictEqual(across("/dashboard/test/settings", "live"), "/dashboard/settings")
    assert.strictEqual(across("/dashboard/test", "live"), "/dashboard")
  })

  it("with `/live` lead to the same screen as without it", () => {
    assert.strictEqual(withoutLive("/dashboard/live/keys"), "/dashboard/keys")
    assert.strictEqual(
      withoutLive("/dashboard/live/verifications?status=FAILED"),
      "/dashboard/verifications?status=FAILED"
    )
    assert.strictEqual(withoutLive("/dashboard/live"), "/dashboard")
    for (const path of ["/dashboard/lively", "/dashboard/keys", "/dashboard/test/live/keys"])
      assert.strictEqual(withoutLive(path), path)
  })

  it("that only look like test are live", () => {
    for (const path of ["/dashboard/testing", "/dashboard", "/dashboard/verifications/test"])
      assert.strictEqual(environmentOf(path), "live", path)
  })
})

describe("filters", () => {
  const spec = { status: oneOf(["FAILED", "VERIFIED"]), identity: text, mine: flag, from: instant }

  it("are read from the address, without invalid values", () => {
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

  it("are changed by name, and removed by null or a value that the screen does not read", () => {
    const changed = (values: Parameters<typeof searchWith<typeof spec>>[2]) =>
      String(searchWith(spec, "?status=FAILED&other=1", values))
    assert.strictEqual(changed({ identity: "a b", mine: true }), "status=FAILED&other=1&identity=a+b&mine=true")
    assert.strictEqual(changed({ status: "VERIFIED" }), "status=VERIFIED&other=1")
    for (const values of [{ status: null }, { status: undefined }, { status: "nonsense" as "FAILED" }])
      assert.strictEqual(changed(values), "other=1")
    assert.strictEqual(changed({ identity: " " }), "status=FAILED&other=1")
  })

  it("that the screen does not read do not compile", () => {
    // @ts-expect-error the list would ignore `find` and show everyone
    searchWith(spec, "", { find: "+919812345678" })
    // @ts-expect-error this status does not exist
    searchWith(spec, "", { status: "SENT" })
  })

  it("count once when they are repeated", () => {
    assert.deepStrictEqual(filtersIn(spec, "?status=FAILED&status=VERIFIED"), { status: "FAILED" })
  })
})
