import { gzipSync } from "node:zlib"
import { assert, describe, it } from "vitest"
import { code, phone, refused, uuid } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import type * as Wire from "../fixture/Wire.ts"
import type { Once } from "./Once.ts"

const methodsOf: ReadonlyArray<[path: string, methods: ReadonlyArray<string>]> = [
  ["/v1/auth/initiate", ["POST"]],
  ["/v1/auth/verify", ["POST"]],
  ["/v1/auth/verify-code", ["POST"]],
  ["/v1/auth/token", ["POST"]],
  ["/v1/auth/status", ["GET"]],
  ["/v1/dashboard/settings", ["GET", "PATCH"]],
  ["/v1/dashboard/events", ["GET"]],
  ["/v1/dashboard/devices", ["GET"]],
  ["/v1/dashboard/devices/x", ["DELETE"]],
  ["/v1/whatsapp/leads", ["GET"]],
  ["/v1/whatsapp/leads/agents", ["GET"]],
  ["/v1/whatsapp/leads/teams", ["GET"]],
  ["/v1/whatsapp/leads/assign", ["POST"]],
  ["/v1/whatsapp/leads/team", ["POST"]],
  ["/v1/whatsapp/leads/1/assign", ["POST"]],
  ["/v1/whatsapp/leads/x/team", ["POST"]],
  ["/v1/dashboard/leads", ["GET", "POST"]],
  ["/v1/dashboard/leads/1/messages/x/media", ["GET"]],
  ["/v1/dashboard/agents/1", ["GET", "PATCH", "DELETE"]],
  ["/v1/dashboard/whatsapp/connect", ["POST"]],
  ["/v1/dashboard/whatsapp/numbers/1", ["DELETE"]],
  ["/v1/admin/merchants", ["GET", "POST"]],
  ["/v1/admin/merchants/mer_x", ["GET", "PATCH"]],
  ["/v1/admin/merchants/mer_x/suspend", ["POST"]],
  ["/v1/admin/merchants/mer_x/resume", ["POST"]],
  ["/.well-known/jwks.json", ["GET"]],
  ["/healthz", ["GET"]],
  ["/readyz", ["GET"]],
  ["/metrics", ["GET"]],
  ["/openapi.json", ["GET"]],
  ["/docs", ["GET"]]
]

/** Paths that browsers may call: OPTIONS answers them, where other methods would get 405. */
const shared: typeof methodsOf = [
  ["/v1/sdk/session", ["POST", "OPTIONS"]],
  ["/v1/sdk/auth/initiate", ["POST", "OPTIONS"]],
  ["/v1/sdk/auth/verify", ["POST", "OPTIONS"]],
  ["/v1/sdk/auth/truecaller", ["POST", "OPTIONS"]],
  ["/v1/sdk/auth/verify-number/TRUECALLER", ["POST", "OPTIONS"]],
  ["/v1/sdk/auth/status", ["GET", "OPTIONS"]]
]

const unknownPaths = [
  "/v1",
  "/v1/",
  "/v1/auth",
  "/v1/auth/",
  "/v1/auth/nothing",
  "/v1/auth/initiate/",
  "//v1/auth/initiate",
  "/V1/AUTH/INITIATE",
  "/v1/auth/initiate/x",
  "/v1/sdk",
  "/v1/sdk/",
  "/v1/sdk/auth/nothing",
  "/v1/sdk/auth/verify-code",
  "/v1/dashboard/devices/",
  "/v1/auth/%69nitiate",
  "/v1/../v1/auth/initiate",
  "/v1/auth/initiate%00",
  "/v1/auth/initiate;x=1",
  "/v2/auth/initiate",
  "/__proto__",
  "/constructor",
  "/toString",
  "/v1/admin",
  "/v1/admin/merchants/",
  "/v1/admin/merchants//suspend",
  "/v1/admin/merchants/x/y/z",
  "/.env",
  "/favicon.ico",
  "/index.html",
  "/%",
  "/%ff",
  `/${"x".repeat(4000)}`,
  "*"
]

/** A JSON object with this depth. */
const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`

/** The HTTP layer of every endpoint. */
export const suite = (service: () => Service, once: Once) =>
  describe("the HTTP API", () => {
    once("returns a valid X-Request-Id, and creates one otherwise", async () => {
      const client = await service().client()
      for (const id of ["abc", "A.b-c_1", "x".repeat(64), "7f9c2d1e-0000-4000-8000-000000000000"]) {
        for (const path of ["/v1/auth/status?requestId=x", "/healthz", "/nothing"]) {
          assert.strictEqual((await client.get(path, { "x-request-id": id })).headers["x-request-id"], id)
        }
      }
      const made = new Set<string>()
      for (const id of [
        "",
        "a b",
        "x".repeat(65),
        "ü".normalize("NFD").slice(0, 1).repeat(70),
        "<script>",
        "a,b",
        "a;b"
      ]) {
        made.add(String((await client.get("/healthz", { "x-request-id": id })).headers["x-request-id"]))
      }
      for (let i = 0; i < 3; i++) made.add(String((await client.get("/healthz")).headers["x-request-id"]))
      assert.strictEqual(made.size, 10)
    })

    once("answers 404 on unknown paths before it checks credentials", async () => {
      for (const path of unknownPaths) {
        for (const method of ["GET", "POST"]) {
          const answer = await service().send({ method, path })
          assert.include(["NOT_FOUND", "INVALID_REQUEST"], answer.body.errorCode, path)
          assert.include([404, 400], answer.status)
        }
      }
      refused(await service().send({ path: "/v1/auth/nothing" }), "NOT_FOUND")
    })

    once.each([...methodsOf, ...shared])("answers 405 with Allow to other methods on %s", async (path, methods) => {
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]) {
        if (methods.includes(method)) continue
        const answer = await service().send({ method, path })
        refused(answer, "METHOD_NOT_ALLOWED")
        const allowed = String(answer.headers["allow"]).split(", ")
        assert.includeMembers(
          allowed,
          methods.filter((one) => one !== "OPTIONS")
        )
        assert.notInclude(allowed, method)
      }
      const overridden = { "x-http-method-override": methods[0], "x-method-override": methods[0] }
      refused(await service().send({ method: "PUT", path, headers: overridden }), "METHOD_NOT_ALLOWED")
    })

    once("answers HEAD like GET, without a body", async () => {
      const client = await service().client()
      for (const path of [
        "/healthz",
        "/readyz",
        "/.well-known/jwks.json",
        "/openapi.json",
        "/docs",
        "/metrics",
        "/v1/dashboard/settings"
      ]) {
        const [get, head] = [await client.get(path), await client.send({ method: "HEAD", path })]
        assert.strictEqual(head.status, get.status, path)
        assert.strictEqual(head.text, "")
        assert.strictEqual(head.headers["content-type"], get.headers["content-type"])
      }
      assert.strictEqual((await client.send({ method: "HEAD", path: "/nothing" })).status, 404)
      assert.strictEqual((await client.send({ method: "HEAD", path: "/v1/auth/initiate" })).status, 405)
      assert.strictEqual((await service().send({ method: "HEAD", path: "/v1/dashboard/settings" })).status, 401)
    })

    once("allows no browser of another origin to call backend endpoints", async () => {
      const client = await service().client()
      const origin = {
        origin: "https://evil.example.com",
        "access-control-request-method": "POST",
        "access-control-request-headers": "x-client-id"
      }
      for (const path of [
        "/v1/auth/initiate",
        "/v1/auth/verify",
        "/v1/auth/status",
        "/v1/dashboard/settings",
        "/v1/admin/merchants"
      ]) {
        // `check` asserts for every request that no such answer has CORS headers.
        refused(await client.send({ method: "OPTIONS", path, headers: origin }), "METHOD_NOT_ALLOWED")
      }
      assert.strictEqual((await client.initiate({}, origin)).status, 200)
    })

    once("accepts only JSON", async () => {
      const client = await service().client()
      const body = JSON.stringify({ identity: phone(), identityType: "MOBILE", mode: "OTP" })
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonp",
        "application/json-seq",
        "application/xml",
        "json",
        "",
        "*/*",
        "text/json",
        "application/json, text/plain"
      ]) {
        refused(await client.post("/v1/auth/initiate", body, { "content-type": type }), "INVALID_REQUEST", "body")
      }
      for (const type of [
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON;charset=UTF-8",
        "application/json ; x=y"
      ]) {
        assert.strictEqual((await client.post("/v1/auth/initiate", body, { "content-type": type })).status, 200)
      }
      for (const encoding of ["gzip", "deflate", "br", "gzip, gzip", "junk"]) {
        refused(
          await client.post("/v1/auth/initiate", gzipSync(body), { "content-encoding": encoding }),
          "INVALID_REQUEST",
          "body"
        )
      }
    })

    once("names the body if it is not a JSON object", async () => {
      const client = await service().client()
      const bad = [
        "",
        " ",
        "{",
        "}",
        "nul",
        "null",
        "true",
        "1",
        '"text"',
        "[]",
        '[{"identity":"x"}]',
        "{'a':1}",
        "{a:1}",
        '{"a":1,}',
        '{"a":01}',
        '{"a":1}{"b":2}',
        '{"a":"\n"}',
        '{"a":"\\x"}',
        '{"a":NaN}',
        '{"a":Infinity}',
        "undefined",
        "\ufeff{}",
        "identity=x",
        "<a/>",
        '{"a":"\\ud83"}',
        Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
        Buffer.from('{"identity":"\xff"}', "latin1"),
        Buffer.from([0xc0, 0x80]),
        Buffer.alloc(100),
        Buffer.from("{}", "utf16le")
      ]
      for (const path of ["/v1/auth/initiate", "/v1/auth/verify", "/v1/auth/verify-code", "/v1/auth/token"]) {
        for (const body of bad) refused(await client.post(path, body), "INVALID_REQUEST", "body")
      }
      for (const body of bad)
        refused(await client.send({ method: "PATCH", path: "/v1/dashboard/settings", body }), "INVALID_REQUEST", "body")
    })

    once("accepts a POST without a body only if all its fields are optional", async () => {
      const client = await service().client()
      const bare = { method: "POST", path: "/v1/sdk/session" }
      const ways: ReadonlyArray<Wire.Call> = [
        bare,
        { ...bare, body: "" },
        { ...bare, headers: { "content-length": 0 } },
        { ...bare, body: "", headers: { "content-type": "application/x-www-form-urlencoded" } },
        { ...bare, body: "", headers: { "transfer-encoding": "chunked" } }
      ]
      for (const way of ways) assert.strictEqual((await client.send(way)).body.scope, "sdk")
      for (const [body, type] of [
        [" ", "application/json"],
        ["null", "application/json"],
        ["{}", "text/plain"]
      ]) {
        refused(await client.send({ ...bare, body, headers: { "content-type": type } }), "INVALID_REQUEST", "body")
      }
      // An absent body equals an object without fields.
      const key = { "idempotency-key": uuid() }
      const first = await client.send({ ...bare, headers: key })
      const again = await client.send({ ...bare, body: {}, headers: key })
      assert.deepStrictEqual([again.text, again.headers["idempotency-replayed"]], [first.text, "true"])
      for (const path of ["/v1/auth/verify", "/v1/auth/verify-code", "/v1/dashboard/keys"]) {
        refused(await client.send({ method: "POST", path }), "INVALID_REQUEST", "body")
      }
      refused(await client.send({ method: "PATCH", path: "/v1/dashboard/settings" }), "INVALID_REQUEST", "body")
    })

    once("accepts 32 levels of nesting and no more", async () => {
      const client = await service().client()
      refused(await client.post("/v1/auth/initiate", nested(32)), "INVALID_REQUEST", "identity")
      for (const depth of [33, 34, 1000, 8000])
        refused(await client.post("/v1/auth/initiate", nested(depth)), "INVALID_REQUEST", "body")
      refused(
        await client.post("/v1/auth/initiate", `{"a":${"[".repeat(30_000)}${"]".repeat(30_000)}}`),
        "INVALID_REQUEST",
        "body"
      )
      refused(await client.post("/v1/auth/initiate", "[".repeat(60_000)), "INVALID_REQUEST", "body")
      await client.started({ orderId: "[".repeat(100) })
    })

    once("accepts 64 KB and no more", async () => {
      const client = await service().client()
      const fields = { identity: phone(), identityType: "MOBILE", mode: "OTP", padding: "" }
      const room = 64 * 1024 - JSON.stringify(fields).length
      const exact = { ...fields, padding: "x".repeat(room) }
      assert.strictEqual((await client.post("/v1/auth/initiate", exact)).status, 200)
      const over = { ...fields, padding: "x".repeat(room + 1) }
      refused(await client.post("/v1/auth/initiate", over), "PAYLOAD_TOO_LARGE")
      const chunked = { "transfer-encoding": "chunked" }
      assert.strictEqual((await client.post("/v1/auth/initiate", exact, chunked)).status, 200)
      refused(await client.post("/v1/auth/initiate", over, chunked), "PAYLOAD_TOO_LARGE")
      refused(await client.post("/v1/auth/verify", over), "PAYLOAD_TOO_LARGE")
      refused(await client.send({ method: "PATCH", path: "/v1/dashboard/settings", body: over }), "PAYLOAD_TOO_LARGE")
      refused(
        await client.post("/v1/auth/initiate", over, { "idempotency-key": "7f9c2d1e-0000-4000-8000-000000000000" }),
        "PAYLOAD_TOO_LARGE"
      )
    })

    once("survives an object with many keys, and a very long string", async () => {
      const client = await service().client()
      const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i]))
      await client.started(many)
      refused(await client.initiate({ identity: "9".repeat(50_000) }), "INVALID_REQUEST", "identity")
      refused(await client.initiate({ mode: "x".repeat(50_000) }), "INVALID_MODE")
    })

    once("refuses a repeated query parameter", async () => {
      const client = await service().client()
      const requestId = await client.started({ orderId: "o" })
      for (const query of [
        `requestId=${requestId}&requestId=${requestId}`,
        `orderId=o&orderId=p`,
        `requestId=${requestId}&request%49d=x`
      ]) {
        refused(await client.get(`/v1/auth/status?${query}`), "INVALID_REQUEST")
      }
      refused(await client.get("/v1/dashboard/events?limit=1&limit=2"), "INVALID_REQUEST", "limit")
      assert.strictEqual((await client.get(`/v1/auth/status?requestId=${requestId}&unknown=1`)).status, 200)
    })

    it("never fails on text that a database cannot store", async () => {
      const client = await service().client()
      const requestId = await client.started()
      for (const query of [
        "requestId=%00",
        "orderId=%00",
        "orderId=a%00b",
        "orderId=%ed%a0%80",
        "requestId=%ff",
        "orderId=%",
        "orderId=%zz",
        "orderId=%c0%80"
      ]) {
        refused(await client.get(`/v1/auth/status?${query}`), "TRANSACTION_NOT_FOUND")
      }
      refused(await client.get("/v1/dashboard/events?type=%00"), "INVALID_REQUEST", "type")
      for (const text of ["\0", "a\0b", "\ud800", "a\udc00b", "\ud83d"]) {
        refused(await client.verify({ orderId: text, otp: code }), "TRANSACTION_NOT_FOUND")
        refused(await client.verify({ requestId: text, otp: code }), "TRANSACTION_NOT_FOUND")
        refused(await client.confirm({ requestId: text }), "TRANSACTION_NOT_FOUND")
        refused(await client.confirm({ idToken: text }), "INVALID_REQUEST", "idToken")
        refused(await client.initiate({ orderId: text }), "INVALID_REQUEST", "orderId")
        refused(await client.initiate({ identity: text }), "INVALID_REQUEST", "identity")
        const begun = await client.initiate({ deviceInfo: { [text]: [text] }, deviceToken: text })
        assert.include([200, 400], begun.status)
        if (begun.status === 200) await client.settled(begun.body.requestId)
        assert.include([200, 400], (await client.verify({ requestId, otp: code, deviceInfo: { [text]: text } })).status)
        const named = await service().admin({ path: "/v1/admin/merchants", body: { name: text } })
        refused(named, "INVALID_REQUEST", "name")
        const branded = await client.settings({ brand: text })
        refused(branded, "INVALID_REQUEST", "brand")
        refused(await client.settings({ redirectUris: [text] }), "INVALID_REQUEST", "redirectUris")
      }
      refused(await service().admin({ path: "/v1/admin/merchants/%00" }), "MERCHANT_NOT_FOUND")
      refused(await service().admin({ path: "/v1/admin/merchants/%ed%a0%80" }), "NOT_FOUND")
    })

    it("never fails on numbers that are too large", async () => {
      const client = await service().client()
      for (const number of ["1e400", "-1e400", "1e21", "9".repeat(400), "1e-400", "9007199254740993", "0.1e1000"]) {
        const body = `{"identity":"${phone()}","identityType":"MOBILE","mode":"OTP","otpLength":${number}}`
        refused(await client.post("/v1/auth/initiate", body), "INVALID_REQUEST", "otpLength")
        refused(await client.get(`/v1/dashboard/events?limit=${number}`), "INVALID_REQUEST", "limit")
        const device = `{"identity":"${phone()}","identityType":"MOBILE","mode":"OTP","deviceInfo":{"n":${number}}}`
        assert.include([200, 400], (await client.post("/v1/auth/initiate", device)).status)
      }
    })
  })
