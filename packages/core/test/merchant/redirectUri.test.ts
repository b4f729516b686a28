import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { checkRedirectUri, isRegistered } from "../../src/account/merchant/redirectUri.ts"
import { settingsWith, withChannels } from "../fixtures/decisions.ts"
import { check } from "../../src/auth/verification/InitiateRequest.ts"

const registered = [
  "https://shop.example/cb",
  "https://shop.example/cb?from=mail&x=%2F",
  "https://bare.example",
  "https://xn--bcher-kva.example/cb",
  "https://shop.example:8443/cb",
  "http://localhost:3000/cb",
  "http://127.0.0.1/cb",
  "http://[::1]:5173/",
  "com.example.app:/oauth/cb",
  "com.example.app://cb",
  "myapp://cb"
]

/** The return addresses that a registration matches. */
const same: ReadonlyArray<string> = [
  ...registered,
  "http://localhost/cb",
  "http://localhost:1/cb",
  "http://localhost:65535/cb",
  "http://127.0.0.1:49152/cb",
  "http://[::1]/",
  "http://[::1]:3000/"
]

/** Addresses that a person or a parser may mistake for a registered one. */
const tricks: { readonly [family: string]: ReadonlyArray<string> } = {
  "another place": [
    "https://evil.example/cb",
    "https://shop.example.evil.example/cb",
    "https://evilshop.example/cb",
    "https://sub.shop.example/cb",
    "https://shop.example.",
    "https://shop.example./cb",
    "https://shop.example:443/cb",
    "https://shop.example:8444/cb",
    "https://shop.example:0/cb",
    "https://shop.example:/cb",
    "https://shop.examp%6ce/cb",
    "http://shop.example/cb",
    "//shop.example/cb",
    "/cb",
    "shop.example/cb",
    "cb",
    ""
  ],
  "a user": [
    "https://shop.example@evil.example/cb",
    "https://shop.example%40evil.example/cb",
    "https://shop.example:pw@evil.example/cb",
    "https://evil@shop.example/cb",
    "https://:@shop.example/cb",
    "https://@shop.example/cb",
    "http://localhost@evil.example/cb",
    "http://localhost:3000@evil.example/cb"
  ],
  slashes: [
    "https:\\\\shop.example\\cb",
    "https://shop.example\\cb",
    "https://evil.example\\@shop.example/cb",
    "https://shop.example/\\evil.example",
    "https:/shop.example/cb",
    "https:shop.example/cb",
    "https:///shop.example/cb",
    "https://shop.example//cb",
    "https://shop.example/cb/",
    "https://shop.example"
  ],
  dots: [
    "https://shop.example/x/../cb",
    "https://shop.example/./cb",
    "https://shop.example/cb/.",
    "https://shop.example/cb/..",
    "https://shop.example/x/%2e%2e/cb",
    "https://shop.example/x/%2E./cb",
    "https://shop.example/x/..%2fcb",
    "https://shop.example/cb/%2e%2e/%2e%2e/open",
    "https://shop.example/cb;/../open"
  ],
  "case and encoding": [
    "HTTPS://shop.example/cb",
    "Https://shop.example/cb",
    "https://SHOP.example/cb",
    "https://shop.example/CB",
    "https://shop.example/%63b",
    "https://shop.example/cb?from=mail&x=%2f",
    "MYAPP://cb",
    "Com.Example.App:/oauth/cb"
  ],
  "more than the address": [
    "https://shop.example/cb?",
    "https://shop.example/cb?x=1",
    "https://shop.example/cb?from=mail&x=%2F&next=https://evil.example",
    "https://shop.example/cb?x=%2F&from=mail",
    "https://shop.example/cb#",
    "https://shop.example/cb#evil",
    "https://shop.example/cb%23evil",
    "https://shop.example/cb/more",
    "https://shop.example/cbx",
    "https://shop.example/c",
    "https://shop.example/cb;x",
    "https://shop.example/cb%00"
  ],
  "what a parser drops": [
    " https://shop.example/cb",
    "https://shop.example/cb ",
    "https://shop.example/cb\n",
    "https://shop.example/c\tb",
    "ht\ntps://shop.example/cb",
    "https://shop.ex\u00adample/cb",
    "https://shop.example/cb\u0000",
    "https://shop.example/cb\u200b",
    "\ufeffhttps://shop.example/cb"
  ],
  "other alphabets": [
    "https://bücher.example/cb",
    "https://XN--BCHER-KVA.example/cb",
    "https://xn--bcher-kva.example./cb",
    "https://shоp.example/cb", // a Cyrillic o
    "https://shop。example/cb",
    "https://ｓhop.example/cb",
    "https://shop.example/ｃb",
    "https://shop.example\u2044cb"
  ],
  "what is not this machine": [
    "http://127.0.0.1.evil.example/cb",
    "http://localhost.evil.example/cb",
    "http://localhost./cb",
    "http://LOCALHOST/cb",
    "http://127.0.0.2/cb",
    "http://127.1/cb",
    "http://0x7f.0.0.1/cb",
    "http://0177.0.0.1/cb",
    "http://2130706433/cb",
    "http://0.0.0.0/cb",
    "http://[::ffff:127.0.0.1]/cb",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[::1]/cb",
    "http://127.0.0.1:3000/other",
    "http://localhost:65536/cb",
    "http://localhost:+80/cb",
    "http://localhost:03000/cb",
    "https://localhost:3000/cb",
    "http:localhost:3000/cb",
    "localhost:3000/cb"
  ],
  "what runs or opens something": [
    "javascript:alert(1)",
    "javascript://shop.example/%0aalert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://shop.example/cb",
    "filesystem:https://shop.example/cb",
    "view-source:https://shop.example/cb",
    "about:blank",
    "intent://shop.example/cb#Intent;end",
    "mailto:a@shop.example",
    "myapp:cb",
    "myapp://cb/",
    "myapp:/cb",
    "myapp:///cb",
    "myapp2://cb",
    "com.example.app:/oauth/cb/../cb",
    "com.example.app:oauth/cb",
    "com.example.app.evil:/oauth/cb"
  ]
}

const all = Object.entries(tricks).flatMap(([family, uris]) => uris.map((uri) => [family, uri] as const))

const initiate = (redirectUris: ReadonlyArray<string>, redirectUri: string) =>
  check(
    { identity: "a@example.com", identityType: "EMAIL", mode: "MAGIC_LINK", redirectUri },
    settingsWith({ redirectUris }),
    withChannels()
  )

describe("a redirect URI", () => {
  it("is accepted as registered, and on loopback with any port", () => {
    for (const uri of registered) assert.isTrue(Result.isSuccess(checkRedirectUri(uri)), uri)
    assert.deepStrictEqual(
      same.filter((uri) => !isRegistered(registered, uri)),
      []
    )
    for (const uri of same) assert.isTrue(Result.isSuccess(initiate(registered, uri)), uri)
  })

  it(`is refused at initiate in all ${all.length} imitations of a registered one, naming redirectUri`, () => {
    assert.isAtLeast(all.length, 100)
    for (const [family, uri] of all) {
      const refused = initiate(registered, uri)
      const named = Result.isFailure(refused) && "field" in refused.failure ? refused.failure.field : "accepted"
      assert.strictEqual(named, "redirectUri", `${family}: ${JSON.stringify(uri)}`)
    }
  })
})

/** Addresses that may be registered themselves: each is plain, and different from the imitated one. */
const plain: ReadonlySet<string> = new Set([
  "https://evil.example/cb",
  "https://shop.example.evil.example/cb",
  "https://evilshop.example/cb",
  "https://sub.shop.example/cb",
  "https://shop.example:8444/cb",
  "https://shop.example:0/cb",
  "https://shop.example//cb",
  "https://shop.example/cb/",
  "https://shop.example",
  "https://shop.example/x/..%2fcb",
  "https://shop.example/CB",
  "https://shop.example/%63b",
  "https://shop.example/cb?from=mail&x=%2f",
  "https://shop.example/cb?",
  "https://shop.example/cb?x=1",
  "https://shop.example/cb?from=mail&x=%2F&next=https://evil.example",
  "https://shop.example/cb?x=%2F&from=mail",
  "https://shop.example/cb%23evil",
  "https://shop.example/cb/more",
  "https://shop.example/cbx",
  "https://shop.example/c",
  "https://shop.example/cb;x",
  "https://shop.example/cb%00",
  "http://[::1]/cb",
  "http://127.0.0.1:3000/other",
  "https://localhost:3000/cb",
  "myapp://cb/",
  "myapp:/cb",
  "myapp:///cb",
  "myapp2://cb",
  "com.example.app.evil:/oauth/cb"
])

describe("the setting redirectUris", () => {
  it("accepts plain addresses, and refuses every imitation with a problem that says what to write", () => {
    const taken = all.map(([, uri]) => uri).filter((uri) => Result.isSuccess(checkRedirectUri(uri)))
    assert.sameMembers(taken, [...plain])
  })

  it.each([
    ["nonsense", "is not an absolute URL"],
    ["https://shop.example/x/../cb", "must be written https://shop.example/cb"],
    ["https://shop.example:443/cb", "must be written https://shop.example/cb"],
    ["localhost:3000/cb", "must have a / after its scheme"],
    ["javascript://x/%0aalert(1)", "cannot be a javascript: address"],
    ["itms-services://?action=download-manifest", "cannot be a itms-services: address"],
    ["ms-msdt:/id", "cannot be a ms-msdt: address"],
    ["https://a;sandbox.example/cb", "must have a host of letters, digits, dots and dashes"],
    ["https://a..example/cb", "must have a host of letters, digits, dots and dashes"],
    ["https://shop.example/cb?code=1", "must not have code, state or requestId in its query"],
    ["https://shop.example/cb?a=1&state", "must not have code, state or requestId in its query"],
    ["https://shop.example/cb?reques%74Id=", "must not have code, state or requestId in its query"]
  ])("refuses %s: it %s", (uri, problem) => {
    const refused = checkRedirectUri(uri)
    assert.strictEqual(Result.isFailure(refused) ? refused.failure : "accepted", problem)
  })

  it("never matches with an invalid address that was stored before the check existed", () => {
    const old = [
      "nonsense",
      "*",
      "https://*.example/cb",
      "HTTPS://shop.example/cb",
      "https://shop.example",
      "javascript:x"
    ]
    const nonsense = old.filter((uri) => !plain.has(uri))
    for (const uri of nonsense) assert.isFalse(isRegistered(old, uri), uri)
    assert.isFalse(isRegistered(["http://localhost@evil.example/", "nonsense"], "http://localhost:3000/"))
  })
})
