import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import { returnTo } from "../../src/auth/verification/returnTo.ts"
import { checkRedirectUri } from "../../src/account/merchant/redirectUri.ts"
import { linkFlow } from "../fixtures/decisions.ts"

const to = (redirectUri: string | null, state: string | null, code: string | null = "c0de") =>
  returnTo({ id: "ver_1", ...linkFlow({ redirectUri, state }) }, code)

describe("the return address of an approval", () => {
  it.each([
    ["https://a.example/cb", "https://a.example/cb?code=c0de&state=s&requestId=ver_1"],
    ["https://a.example", "https://a.example?code=c0de&state=s&requestId=ver_1"],
    ["https://a.example/cb?", "https://a.example/cb?code=c0de&state=s&requestId=ver_1"],
    ["https://a.example/cb?x", "https://a.example/cb?x&code=c0de&state=s&requestId=ver_1"],
    ["https://a.example/cb?x=%20%2Fb+c&", "https://a.example/cb?x=%20%2Fb+c&code=c0de&state=s&requestId=ver_1"],
    ["http://[::1]:3000/cb", "http://[::1]:3000/cb?code=c0de&state=s&requestId=ver_1"],
    ["com.example.app:/cb", "com.example.app:/cb?code=c0de&state=s&requestId=ver_1"],
    ["myapp://cb?x=1", "myapp://cb?x=1&code=c0de&state=s&requestId=ver_1"]
  ])("starts with %s as it was registered, query included", (redirectUri, expected) => {
    assert.isTrue(Result.isSuccess(checkRedirectUri(redirectUri)))
    assert.strictEqual(to(redirectUri, "s"), expected)
  })

  it("has no state parameter without a state, and is null without an address or a code", () => {
    assert.strictEqual(to("https://a.example/cb", null), "https://a.example/cb?code=c0de&requestId=ver_1")
    assert.strictEqual(to("https://a.example/cb", ""), "https://a.example/cb?code=c0de&state=&requestId=ver_1")
    assert.isNull(to(null, "s"))
    assert.isNull(to("https://a.example/cb", "s", null))
  })

  const states = Arbitrary.schema(Schema.String.check(Schema.isMaxLength(512)))
  const wild = [
    "a\r\nSet-Cookie: x=1",
    "a&code=evil&requestId=evil",
    "a#b",
    "?x=1#",
    "a b+c%20%",
    "日本語 🎉 é",
    "https://evil.example/",
    "\"'<>\\`{}|^;,"
  ]

  it.prop("returns any state unchanged, and a state cannot add to the address or the header", [states], ([given]) => {
    for (const state of given.isWellFormed() ? [given, ...wild] : wild) {
      const address = to("com.example.app:/cb?x=1", state)!
      assert.match(address, /^com\.example\.app:\/cb\?x=1&code=c0de&state=[\w.~!*'()%-]*&requestId=ver_1$/)
      const query = new URL(address).searchParams
      assert.deepStrictEqual([...query], Object.entries({ x: "1", code: "c0de", state, requestId: "ver_1" }))
    }
  })
})
