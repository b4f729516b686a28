import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import * as DashboardOrigin from "../src/DashboardOrigin.ts"
import * as SessionCookie from "../src/SessionCookie.ts"
import type { WireRequest } from "../src/WireRequest.ts"

type Headers = { readonly [name: string]: string }

const request = (headers: Headers): WireRequest => ({
  method: "GET",
  path: "/",
  query: "",
  remoteAddress: null,
  header: (name) => headers[name],
  body: () => Effect.succeed(new Uint8Array(0))
})

const host = (name: string, more: Headers = {}) => ({ host: name, ...more })
const secure = "__Host-countersign"
const plain = "countersign-dev"

describe("the dashboard's own origin", () => {
  const rows: ReadonlyArray<[publicUrl: string | undefined, headers: Headers, origin: string | null, cookie?: string]> =
    [
      ["https://verify.example.com/identity", host("localhost:8080"), "https://verify.example.com", secure],
      ["https://Verify.Example.com:443", host("evil.example"), "https://verify.example.com", secure],
      ["https://verify.example.com:8443", {}, "https://verify.example.com:8443", secure],
      ["http://verify.example.com", host("verify.example.com"), null],
      ["http://verify.example.com", host("localhost"), null],
      ["http://localhost:8080", host("127.0.0.1:9000"), "http://127.0.0.1:9000", plain],
      ["http://127.0.0.1:8080", host("[::1]:8080"), "http://[::1]:8080", plain],
      ["http://localhost:8080", host("verify.example.com"), null],
      ["http://localhost:8080", host("localhost.example.com"), null],
      ["http://localhost:8080", host("127.0.0.1.example.com"), null],
      ["http://localhost:8080", host("LOCALHOST"), null],
      ["http://localhost:8080", host("localhost."), null],
      ["http://localhost:8080", {}, null],
      ["http://localhost.example.com", host("localhost"), null],
      // A proxy on this machine for other clients, which forwards to the local host name.
      ["http://localhost:8080", host("localhost:8080", { "x-forwarded-for": "203.0.113.9" }), null],
      ["http://localhost:8080", host("localhost:8080", { "x-forwarded-for": "127.0.0.1, 203.0.113.9" }), null],
      ["http://localhost:8080", host("localhost:8080", { "x-forwarded-proto": "https" }), null],
      ["http://localhost:8080", host("localhost:8080", { "x-forwarded-host": "verify.example.com" }), null],
      ["http://localhost:8080", host("localhost:8080", { "x-real-ip": "203.0.113.9" }), null],
      ["http://localhost:8080", host("localhost:8080", { forwarded: "for=127.0.0.1" }), null],
      ["http://localhost:8080", host("localhost:8080", { via: "1.1 proxy" }), null],
      // A framework's own server, which reports the same for every local client.
      [
        undefined,
        host("localhost:3000", {
          "x-forwarded-for": "::1",
          "x-forwarded-host": "localhost:3000",
          "x-forwarded-proto": "http"
        }),
        "http://localhost:3000",
        plain
      ],
      [undefined, host("app.example.com"), "https://app.example.com", secure],
      [undefined, host("app.example.com", { "x-forwarded-host": "evil.example" }), "https://app.example.com", secure],
      [undefined, host("app.example.com/@evil"), null],
      [undefined, host("user@app.example.com"), null],
      [undefined, host("app.example.com, evil.example"), null],
      [undefined, {}, null]
    ]

  it("comes from publicUrl or from a local address in the browser's request, never from a proxy header", () => {
    for (const [publicUrl, headers, origin, cookie] of rows) {
      const expected = origin === null ? null : { origin, cookie }
      assert.deepStrictEqual(
        DashboardOrigin.make(publicUrl)(request(headers)),
        expected as never,
        JSON.stringify([publicUrl, headers])
      )
    }
  })
})

describe("the session cookie", () => {
  const dashboardOrigin = { origin: "https://verify.example.com", cookie: secure }
  const rows: ReadonlyArray<[cookie: string | undefined, token: string | null]> = [
    [undefined, null],
    ["", null],
    ["other=1; theme=dark", null],
    [`${secure}=abc`, "abc"],
    [`a=b; ${secure}=abc; c=d`, "abc"],
    [`a=b;${secure}=abc`, "abc"],
    [`${secure}=abc; x${secure}=def`, "abc"],
    // Two cookies of this name: an attacker may have planted one, and the server cannot tell which.
    [`${secure}=abc; ${secure}=abc`, ""],
    [`${secure}=abc; ${secure}=def`, ""],
    [`${secure}; ${secure}=abc`, ""],
    [`${secure}=`, ""],
    [secure, ""],
    [`${secure}="abc"`, ""],
    [`${secure}='abc'`, ""],
    [`${secure}=abc `, ""],
    [`${secure}= abc`, ""],
    [`${secure}=a%62c`, ""],
    [`${secure}=abc,def`, ""],
    [`${secure}=abc=def`, ""],
    [`${secure}=${"a".repeat(257)}`, ""],
    [`${secure}=abc; pad=${"a".repeat(9000)}`, ""],
    // Names without the exact prefix are ignored, because browsers do not protect them.
    ["__host-countersign=abc", null],
    ["__HOST-COUNTERSIGN=abc", null],
    [`\u00a0${secure}=abc`, null],
    [`\u2000${secure}=abc`, null],
    [`\t${secure}=abc`, null],
    [`a=b;  ${secure}=abc`, null],
    [`${secure} =abc`, null],
    [`$Version=1,${secure}=abc`, null],
    [`a="x; ${secure}=abc"`, ""],
    ["countersign-dev=abc", null],
    ["__Secure-countersign=abc", null]
  ]

  it("is read only if it occurs exactly once, in the form that was set", () => {
    for (const [cookie, token] of rows)
      assert.strictEqual(
        SessionCookie.read(request(cookie === undefined ? {} : { cookie }), dashboardOrigin),
        token,
        cookie
      )
  })

  it("cannot be read by a script, another host or a form of another site", () => {
    assert.strictEqual(
      SessionCookie.set(dashboardOrigin, "abc", 60),
      "__Host-countersign=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure"
    )
    // Other cookies of the dashboard, under the same rules.
    assert.match(SessionCookie.set({ ...dashboardOrigin, cookie: `${secure}-other` }, "abc", 60), /; Secure$/)
    const development = { origin: "http://localhost:8080", cookie: plain }
    assert.strictEqual(SessionCookie.clear(development), "countersign-dev=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax")
  })
})
