import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { afterEach, assert, beforeEach, test } from "vitest"
import { start } from "../src/main.ts"

const phone = "+919876543210"
const codes = new Map<string, string>()
let app: Awaited<ReturnType<typeof start>>
let url: string

beforeEach(async () => {
  codes.clear()
  app = await start(0, async ({ code, to }) => void codes.set(to, code))
  if (!app.server.listening) await once(app.server, "listening")
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})

afterEach(() => app.close())

/** A browser: it keeps the cookie it was given. */
const makeBrowser = () => {
  let cookie = ""
  const call = async (method: string, path: string, sent?: object) => {
    const headers = { cookie, connection: "close", "content-type": "application/json" }
    const body = sent === undefined ? null : JSON.stringify(sent)
    const response = await fetch(`${url}${path}`, { method, headers, body })
    cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? cookie
    const text = await response.text()
    return { status: response.status, body: text === "" ? null : JSON.parse(text) }
  }
  return {
    get: (path: string) => call("GET", path),
    post: (path: string, body: object) => call("POST", path, body)
  }
}

const codeFor = async (to: string): Promise<string> => {
  for (let tries = 0; tries < 200; tries++) {
    const code = codes.get(to)
    if (code !== undefined) return code
    await new Promise((resume) => setTimeout(resume, 10))
  }
  throw new Error(`no code arrived for ${to}`)
}

const other = (code: string) => code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10))

test("signs in with the code, not with a wrong one", async () => {
  const browser = makeBrowser()
  assert.strictEqual((await browser.post("/login", { phone })).status, 204)
  const code = await codeFor(phone)

  const wrong = await browser.post("/login/code", { code: other(code) })
  assert.deepStrictEqual(wrong, { status: 401, body: { message: "Invalid OTP. 2 attempts remaining." } })
  assert.deepStrictEqual((await browser.get("/me")).body, { phone: null })

  assert.deepStrictEqual(await browser.post("/login/code", { code }), { status: 200, body: { phone } })
  assert.deepStrictEqual((await browser.get("/me")).body, { phone })
})

test("does not sign in another browser that asked for the same phone", async () => {
  const [owner, stranger] = [makeBrowser(), makeBrowser()]
  await owner.post("/login", { phone })
  await stranger.post("/login", { phone })
  const code = await codeFor(phone)
  assert.strictEqual((await owner.post("/login/code", { code })).status, 200)

  assert.strictEqual((await stranger.post("/login/code", { code: other(code) })).status, 401)
  assert.strictEqual((await stranger.post("/login/code", { code })).status, 401)
  assert.deepStrictEqual((await stranger.get("/me")).body, { phone: null })
})

test("answers what cannot be done with the reason", async () => {
  const browser = makeBrowser()
  const badPhone = await browser.post("/login", { phone: "nobody" })
  assert.strictEqual(badPhone.status, 400)
  assert.match(badPhone.body.message, /^identity: /)
  assert.strictEqual((await browser.post("/login/code", { code: "123456" })).status, 400)
})

test("serves the whole interface under /verify", async () => {
  const browser = makeBrowser()
  assert.deepStrictEqual(await browser.get("/verify/healthz"), { status: 200, body: { status: "ok" } })
  const refused = await browser.post("/verify/v1/auth/verify", { otp: "123456" })
  assert.deepStrictEqual([refused.status, refused.body.errorCode], [401, "INVALID_CLIENT_CREDENTIALS"])
})
