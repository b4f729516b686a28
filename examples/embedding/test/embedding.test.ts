import { PgDatabase } from "@countersign/postgres"
import { Countersign } from "countersign"
import { Duration, Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, inject, test, vi } from "vitest"

/** Handles one request, as the server around the example would. */
type App = (request: Request) => Promise<Response>

const name = `embedding_${process.pid}_${Math.floor(performance.now() * 1000)}`
const connection = { url: Redacted.make(inject("databaseUrl")) }
const server = PgDatabase.layer({ connection, connections: 1, deadline: Duration.minutes(2) })
const onServer = (statement: string) =>
  Effect.runPromise(
    Effect.flatMap(PgDatabase, (database) => database.query(statement, [])).pipe(Effect.provide(server))
  )

const closers: Array<() => Promise<unknown>> = []
const printed: Array<string> = []

beforeAll(async () => {
  await onServer(`create database ${name}`)
  const url = new URL(inject("databaseUrl"))
  url.pathname = name
  vi.stubEnv("DATABASE_URL", url.href)
  vi.stubEnv("COUNTERSIGN_SECRET", "1e".repeat(32))
  vi.stubEnv("PORT", "0")
  vi.spyOn(console, "log").mockImplementation((line: unknown) => void printed.push(String(line)))
  const { make, once: shareOne } = Countersign
  vi.spyOn(Countersign, "make").mockImplementation(async (options) => {
    const service = await make(options)
    closers.push(service.close)
    return service
  })
  vi.spyOn(Countersign, "once").mockImplementation((options, name) => {
    const shared = shareOne(options, name)
    closers.push(async () => (await shared()).close())
    return shared
  })
})

afterAll(async () => {
  await Promise.all(closers.map((close) => close()))
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await onServer(`drop database ${name} with (force)`)
})

const listening = async (http: Server): Promise<App> => {
  if (!http.listening) await once(http, "listening")
  closers.push(() => new Promise((closed) => http.close(closed)))
  const { port } = http.address() as AddressInfo
  return async (request) => {
    const body = request.method === "POST" ? await request.text() : null
    const headers = { ...Object.fromEntries(request.headers), connection: "close" }
    return fetch(`http://127.0.0.1:${port}${new URL(request.url).pathname}`, { method: request.method, headers, body })
  }
}

const routed = (
  app: Layer.Layer<never, unknown, HttpRouter.HttpRouter | Layer.Success<typeof HttpServer.layerServices>>
): App => {
  const { dispose, handler } = HttpRouter.toWebHandler(Layer.provide(app, HttpServer.layerServices))
  closers.push(dispose)
  return (request) => handler(request)
}

/** A browser, which keeps its cookies. */
const browser = (app: App, base = "") => {
  const jar = new Map<string, string>()
  const call = async (method: string, path: string, sent?: unknown) => {
    const headers = { "content-type": "application/json", cookie: [...jar].map((pair) => pair.join("=")).join("; ") }
    const body = sent === undefined ? null : JSON.stringify(sent)
    const answer = await app(new Request(`http://localhost${base}${path}`, { method, headers, body }))
    for (const cookie of answer.headers.getSetCookie()) {
      const [, key = "", value = ""] = /^(\w+)=([^;]*)/.exec(cookie) ?? []
      assert.match(cookie, /; HttpOnly/i)
      assert.match(cookie, /; SameSite=Lax/i)
      jar.set(key, value)
    }
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text.startsWith("{") ? JSON.parse(text) : text }
  }
  return {
    forget: (name: string) => void jar.delete(name),
    get: (path: string) => call("GET", path),
    post: (path: string, sent: unknown) => call("POST", path, sent)
  }
}

let people = 0
const newPhone = () => `+91987650${String(++people).padStart(4, "0")}`

/** The printed code of an identity. */
const codeFor = (phone: string) =>
  vi.waitFor(
    () => {
      const said = printed.findLast((line) => line.startsWith(`SMS to ${phone}: `))?.split(": ")[1] ?? ""
      const [code = ""] = /\b\d{6}\b/.exec(said) ?? []
      assert.isNotEmpty(code, `no code for ${phone}`)
      return code
    },
    { timeout: 60_000, interval: 5 }
  )

const other = (code: string) => code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10))

interface Example {
  readonly file: string
  readonly open: () => Promise<App>
  /** The prefix of its routes, and the mount path of the interface. */
  readonly base?: string
  readonly mount?: string
  /** Whether it trusts devices. */
  readonly oneTap?: boolean
}

const examples: ReadonlyArray<Example> = [
  { file: "express.ts", open: async () => listening((await import("../src/express.ts")).server) },
  { file: "production.ts", open: async () => listening((await import("../src/production.ts")).server) },
  { file: "fastify.ts", open: async () => listening((await import("../src/fastify.ts")).app.server) },
  { file: "hono.ts", open: async () => async (request) => (await import("../src/hono.ts")).default.fetch(request) },
  { file: "fetch.ts", open: async () => (await import("../src/fetch.ts")).fetch },
  {
    file: "next/app/auth/[...path]/route.ts",
    base: "/auth",
    mount: "/auth",
    // Next calls the function with the name of the method, and answers other methods itself.
    open: async () => {
      const route: Readonly<Record<string, App>> = await import("../src/next/app/auth/[...path]/route.ts")
      return async (request) => route[request.method]!(request)
    }
  },
  { file: "effect.ts", oneTap: false, open: async () => routed((await import("../src/effect.ts")).app) }
]

describe.each(examples)("$file", ({ base = "", mount = "/verify", open }) => {
  let app: App
  beforeAll(async () => {
    app = await open()
  })

  test("signs in with the printed code, once, and not with a wrong one", async () => {
    const [phone, owner, stranger] = [newPhone(), browser(app, base), browser(app, base)]
    assert.strictEqual((await owner.post("/login", { phone })).status, 204)
    assert.strictEqual((await stranger.post("/login", { phone })).status, 429) // A code was sent a moment ago.
    const code = await codeFor(phone)
    assert.strictEqual((await owner.get("/me")).status, 401)
    assert.strictEqual((await owner.post("/login/code", { code: other(code) })).status, 401)
    assert.strictEqual((await owner.post("/login/code", { code })).status, 204)
    assert.deepStrictEqual((await owner.get("/me")).body, { phone })
    assert.strictEqual((await owner.post("/login/code", { code })).status, 401)
    assert.isAtLeast((await stranger.post("/login/code", { code })).status, 400)
    assert.strictEqual((await stranger.get("/me")).status, 401)
  })

  test("returns a clear error when it cannot, and serves the whole interface beside it", async () => {
    const bad = await browser(app, base).post("/login", { phone: "nobody" })
    assert.strictEqual(bad.status, 400)
    assert.match(bad.body.message, /^identity: /)
    const { get, post } = browser(app, mount)
    assert.deepStrictEqual((await get("/healthz")).body, { status: "ok" })
    const refused = await post("/v1/auth/verify", { otp: "123456" })
    assert.deepStrictEqual([refused.status, refused.body.errorCode], [401, "INVALID_CLIENT_CREDENTIALS"])
    const preflight = await app(new Request(`http://localhost${mount}/v1/sdk/auth/initiate`, { method: "OPTIONS" }))
    assert.strictEqual(preflight.headers.get("access-control-allow-origin"), "*")
  })
})

test.each(examples.filter(({ oneTap = true }) => oneTap))(
  "$file lets in a device that signed in before without a code, and no other device",
  async ({ base = "", open }) => {
    const app = await open()
    const [phone, owner, stranger] = [newPhone(), browser(app, base), browser(app, base)]
    await owner.post("/login", { phone })
    const code = await codeFor(phone)
    assert.strictEqual((await owner.post("/login/code", { code })).status, 204)
    owner.forget("session")
    assert.strictEqual((await owner.get("/me")).status, 401)
    assert.strictEqual((await owner.post("/login", { phone })).status, 204)
    assert.deepStrictEqual((await owner.get("/me")).body, { phone })
    await stranger.post("/login", { phone })
    assert.strictEqual((await stranger.get("/me")).status, 401)
  }
)

test("http-api.ts has a login in its own API, and its own middleware around both", async () => {
  const { get, post } = browser(routed((await import("../src/http-api.ts")).app))
  const phone = newPhone()
  const started = await post("/login", { phone })
  assert.deepStrictEqual([started.status, started.headers.get("x-shop")], [200, "1"])
  const { requestId } = started.body
  const code = await codeFor(phone)
  assert.strictEqual((await post("/login", { requestId, code: other(code) })).status, 401)
  const { idToken } = (await post("/login", { requestId, code })).body
  assert.match(idToken, /^ey/)
  assert.strictEqual((await post("/login", { requestId, code })).status, 401)
  assert.strictEqual((await get("/me")).status, 400)
  const health = await get("/verify/healthz")
  assert.deepStrictEqual([health.body, health.headers.get("x-shop")], [{ status: "ok" }, "1"])
})

test("production.ts counts the addresses that its proxy reports, and ignores addresses that a caller claims", async () => {
  const app = await listening((await import("../src/production.ts")).server)
  const login = (forwarded: string) =>
    app(
      new Request("http://localhost/login", {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": forwarded },
        body: JSON.stringify({ phone: newPhone() })
      })
    )
  // The left part is the caller's claim; the proxy appends the last address.
  for (let i = 0; i < 20; i++) assert.strictEqual((await login(`198.51.100.${i}, 203.0.113.7`)).status, 204)
  assert.strictEqual((await login("198.51.100.99, 203.0.113.7")).status, 429)
  assert.strictEqual((await login("203.0.113.8")).status, 204)
})

test("each example is under 50 lines, and the one to deploy at most 80", () => {
  const entries = readdirSync(join(import.meta.dirname, "../src"), { recursive: true, withFileTypes: true })
  for (const { name, parentPath } of entries.filter((entry) => entry.isFile()))
    assert.isBelow(
      readFileSync(join(parentPath, name), "utf8").trimEnd().split("\n").length,
      name === "production.ts" ? 81 : 50,
      name
    )
})
