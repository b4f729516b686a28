import { type Client, createClient } from "@countersign/sdk"
import { createServer } from "@countersign/sdk/server"
import { afterAll, assert, beforeAll, beforeEach, describe, test } from "vitest"
import { listener } from "../src/listener.ts"
import { makeLogin } from "../src/login.ts"
import { keys, listen, startService } from "./service.ts"

let service: Awaited<ReturnType<typeof startService>>
let app: Awaited<ReturnType<typeof listen>>
/** The offset of the application's clock. */
let ahead = 0

beforeAll(async () => {
  service = await startService()
  const login = makeLogin({
    service: { url: service.url, ...keys.live },
    browserUrl: service.url,
    publicKey: keys.live.publicKey,
    path: "/demo/",
    now: () => Date.now() + ahead
  })
  app = await listen(listener(login))
})
afterAll(async () => {
  await app?.close()
  await service?.close()
})
beforeEach(() => {
  ahead = 0
})

let last = 0
const nextPhone = () => `+9198765${String(++last).padStart(5, "0")}`
const nextEmail = () => `p${++last}@example.com`
const wrong = (code: string) => code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10))

/** A browser with the page open: it keeps its cookies, and the SDK keeps its device tokens. */
const makeBrowser = () => {
  const cookies = new Map<string, string>()
  const send = async (method: string, path: string, fields?: object, headers: Record<string, string> = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(`${app.url}/demo/${path}`, {
      method,
      redirect: "manual",
      headers: { cookie, "content-type": "application/json", "sec-fetch-site": "same-origin", ...headers },
      ...(fields === undefined ? {} : { body: JSON.stringify(fields) })
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^(\w+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const text = await response.text()
    const isJson = response.headers.get("content-type") === "application/json"
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null }
  }
  const get = (path: string) => send("GET", path)
  const post = (path: string, fields: object = {}, headers?: Record<string, string>) =>
    send("POST", path, fields, headers)
  const kept = new Map<string, string>()
  const sdk: Client = createClient({
    baseUrl: service.url,
    publicKey: keys.live.publicKey,
    sessionToken: async () => (await post("api/phone/token")).body.sessionToken,
    storage: {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name)
    }
  })
  /** The page's requests when a user enters a phone number. */
  const startPhone = async (phone: string) => {
    const { sessionId } = await sdk.initiate({ phone })
    const { status } = await post("api/phone/started", { sessionId })
    return { sessionId, status }
  }
  const user = async () => (await get("api/session")).body.user
  return { cookies, get, post, send, sdk, startPhone, user }
}

const refused = (answer: { readonly status: number; readonly body: any }, status: number, errorCode: string) =>
  assert.deepStrictEqual([answer.status, answer.body?.errorCode], [status, errorCode])

describe("a login by phone, through the SDK", () => {
  test("signs in with the number that the service returns", async () => {
    const [browser, phone] = [makeBrowser(), nextPhone()]
    const { sessionId, status } = await browser.startPhone(phone)
    assert.strictEqual(status, 204)
    const code = await service.codeFor(phone)
    assert.strictEqual((await browser.sdk.verify({ sessionId, code: wrong(code), phone })).verified, false)
    const { requestId, verified } = await browser.sdk.verify({ sessionId, code, phone })
    assert.isTrue(verified)
    assert.isNull(await browser.user())

    const answer = await browser.post("api/phone/finish", { requestId, identity: "+919999999999" })
    assert.strictEqual(answer.status, 200)
    assert.deepInclude(answer.body.user, { identity: phone, identityType: "MOBILE", oneTap: false })
    assert.deepInclude(await browser.user(), { identity: phone })

    assert.strictEqual((await browser.post("api/sign-out")).status, 204)
    assert.isNull(await browser.user())
  })

  test("signs in immediately on a trusted device, and needs a code again once the device is forgotten", async () => {
    const [browser, phone] = [makeBrowser(), nextPhone()]
    const { sessionId } = await browser.startPhone(phone)
    await browser.sdk.verify({ sessionId, code: await service.codeFor(phone), phone })
    await browser.post("api/phone/finish", { requestId: sessionId })
    await browser.post("api/sign-out")

    const again = await browser.sdk.initiate({ phone })
    assert.isTrue(again.oneTapApplied)
    assert.strictEqual((await browser.post("api/phone/started", { sessionId: again.sessionId })).status, 204)
    const answer = await browser.post("api/phone/finish", { requestId: again.sessionId })
    assert.deepInclude(answer.body.user, { identity: phone, oneTap: true })

    await browser.sdk.forgetDevice()
    assert.isFalse((await browser.sdk.initiate({ phone })).oneTapApplied)
  })

  test("refuses a verification that another browser started", async () => {
    const [owner, stranger, phone] = [makeBrowser(), makeBrowser(), nextPhone()]
    const { sessionId } = await owner.startPhone(phone)
    refused(await stranger.post("api/phone/started", { sessionId }), 403, "NOT_YOURS")
    await owner.sdk.verify({ sessionId, code: await service.codeFor(phone), phone })
    refused(await stranger.post("api/phone/started", { sessionId }), 403, "NOT_YOURS")
    refused(await stranger.post("api/phone/finish", { requestId: sessionId }), 403, "NOT_YOURS")
    refused(await stranger.get(`api/progress?requestId=${sessionId}`), 403, "NOT_YOURS")
    assert.isNull(await stranger.user())
    assert.strictEqual((await owner.post("api/phone/finish", { requestId: sessionId })).status, 200)
  })

  test("refuses a verification that was not announced before its code was entered", async () => {
    const [owner, stranger, phone] = [makeBrowser(), makeBrowser(), nextPhone()]
    const { sessionId } = await owner.sdk.initiate({ phone })
    await owner.sdk.verify({ sessionId, code: await service.codeFor(phone), phone })
    for (const browser of [stranger, owner]) {
      refused(await browser.post("api/phone/started", { sessionId }), 403, "NOT_YOURS")
      refused(await browser.post("api/phone/finish", { requestId: sessionId }), 403, "NOT_YOURS")
    }
  })

  test("refuses a pending, a stale and a used verification", async () => {
    const [browser, phone] = [makeBrowser(), nextPhone()]
    const { sessionId } = await browser.startPhone(phone)
    refused(await browser.post("api/phone/finish", { requestId: sessionId }), 401, "NOT_VERIFIED")
    await browser.sdk.verify({ sessionId, code: await service.codeFor(phone), phone })
    ahead = 3 * 60 * 1000
    refused(await browser.post("api/phone/finish", { requestId: sessionId }), 401, "NOT_VERIFIED")
    ahead = 0
    // Two tabs at the same moment: one of them signs in.
    const both = await Promise.all([1, 2].map(() => browser.post("api/phone/finish", { requestId: sessionId })))
    assert.deepStrictEqual(
      both.map(({ status }) => status).sort((a, b) => a - b),
      [200, 401]
    )
    refused(await browser.post("api/phone/finish", { requestId: sessionId }), 403, "NOT_YOURS")
    refused(await browser.post("api/phone/started", { sessionId }), 403, "NOT_YOURS")
  })

  test("refuses ids that the service does not know", async () => {
    const browser = makeBrowser()
    refused(await browser.post("api/phone/started", { sessionId: "ver_nothing" }), 400, "TRANSACTION_NOT_FOUND")
    refused(await browser.post("api/phone/started"), 400, "INVALID_REQUEST")
  })
})

describe("a login by link", () => {
  const start = async (browser: ReturnType<typeof makeBrowser>, identity: string, how = "email") => {
    const { body, status, text } = await browser.post("api/link/start", { identity, how })
    assert.strictEqual(status, 200, text)
    return body
  }
  /** Follows the answer of an approval in that browser. */
  const follow = async (browser: ReturnType<typeof makeBrowser>, location: string) => {
    assert.isTrue(location.startsWith(`${app.url}/demo/back?`), location)
    const answer = await browser.get(location.slice(`${app.url}/demo/`.length))
    return [answer.status, answer.headers.get("location")]
  }
  const change = async (settings: object) => {
    const headers = {
      "x-client-id": keys.live.clientId,
      "x-client-secret": keys.live.clientSecret,
      "content-type": "application/json"
    }
    const body = JSON.stringify(settings)
    const { status } = await fetch(`${service.url}/v1/dashboard/settings`, { method: "PATCH", headers, body })
    assert.strictEqual(status, 200)
  }

  test("signs in the identity that Countersign returns, in the browser that requested it, once", async () => {
    for (const [how, identity] of [
      ["email", nextEmail()],
      ["sms", nextPhone()]
    ] as const) {
      const browser = makeBrowser()
      const { matchNumber, requestId } = await start(browser, identity, how)
      assert.isNull(matchNumber)
      const location = await service.approve(await service.codeFor(identity))
      assert.isNull(await browser.user())
      assert.deepStrictEqual(await follow(browser, location), [303, "/demo/"])
      assert.deepInclude(await browser.user(), { identity, byLink: true, oneTap: false })
      assert.deepInclude((await browser.post("api/link/finish", { requestId })).body.user, { identity })
      await browser.post("api/sign-out")
      assert.deepStrictEqual(await follow(browser, location), [303, "/demo/?back=elsewhere"])
      assert.isNull(await browser.user())
    }
  })

  test("signs in no other browser, and stays usable in the browser that requested it", async () => {
    const [owner, other, email] = [makeBrowser(), makeBrowser(), nextEmail()]
    const { requestId } = await start(owner, email)
    await start(other, nextEmail())
    const location = await service.approve(await service.codeFor(email))
    assert.deepStrictEqual(await follow(other, location), [303, "/demo/?back=elsewhere"])
    assert.deepStrictEqual((await other.post("api/link/finish", { requestId })).body, { user: null })
    const tampered = location.replace(/state=[^&]*/, "state=")
    assert.deepStrictEqual(await follow(owner, tampered), [303, "/demo/?back=elsewhere"])
    const cut = location.replace(/code=[^&]*/, "code=ac_none")
    assert.deepStrictEqual(await follow(owner, cut), [303, "/demo/?back=failed"])
    assert.isNull(await owner.user())
    assert.isNull(await other.user())
    assert.deepStrictEqual(await follow(owner, location), [303, "/demo/"])
    assert.deepInclude(await owner.user(), { identity: email })
  })

  test("resends a browser's own link, and sends another browser a new one", async () => {
    const [one, other, email] = [makeBrowser(), makeBrowser(), nextEmail()]
    const { requestId } = await start(one, email)
    assert.strictEqual((await start(one, email)).requestId, requestId)
    assert.notStrictEqual((await start(other, email)).requestId, requestId)
    const links = await Promise.all([1, 2, 3].map((nth) => service.codeFor(email, nth)))
    assert.strictEqual(links[0], links[1])
    assert.notStrictEqual(links[2], links[0])
  })

  test("that is approved on another device signs in the waiting browser only if the numbers were matched", async () => {
    const [plain, email] = [makeBrowser(), nextEmail()]
    const { requestId } = await start(plain, email)
    await service.approve(await service.codeFor(email))
    assert.deepStrictEqual((await plain.post("api/link/finish", { requestId })).body, { user: null })
    assert.isNull(await plain.user())

    await change({ linkNumberMatch: true })
    try {
      const [waiting, phone] = [makeBrowser(), nextPhone()]
      const asked = await start(waiting, phone, "sms")
      assert.match(asked.matchNumber, /^[1-9][0-9]$/)
      const finish = async () => (await waiting.post("api/link/finish", { requestId: asked.requestId })).body.user
      assert.isNull(await finish())
      await service.approve(await service.codeFor(phone), asked.matchNumber)
      assert.deepInclude(await finish(), { identity: phone, byLink: true })
      assert.deepInclude(await waiting.user(), { identity: phone })
    } finally {
      await change({ linkNumberMatch: false })
    }
  })

  test("signs in once when the link's tab and the waiting tab arrive at the same moment", async () => {
    await change({ linkNumberMatch: true })
    try {
      for (let nth = 0; nth < 5; nth++) {
        const [browser, identity] = [makeBrowser(), nextEmail()]
        const { matchNumber, requestId } = await start(browser, identity)
        const location = await service.approve(await service.codeFor(identity), matchNumber)
        const finish = async () => (await browser.post("api/link/finish", { requestId })).body
        await service.gathering("/v1/auth/token", 2, async () => {
          const [[status, to], finished] = await Promise.all([follow(browser, location), finish()])
          assert.strictEqual(status, 303)
          if (to === "/demo/") assert.deepStrictEqual(finished, { user: null })
          else assert.deepInclude(finished.user, { identity })
        })
        for (const user of [await browser.user(), (await finish()).user]) assert.deepInclude(user, { identity })
      }
    } finally {
      await change({ linkNumberMatch: false })
    }
  })

  test("refuses unknown channels, and Truecaller where it is not configured", async () => {
    const browser = makeBrowser()
    for (const how of ["pigeon", "constructor", "truecaller"])
      refused(
        await browser.post("api/link/start", { identity: nextPhone(), how }),
        400,
        how === "truecaller" ? "INVALID_CHANNEL" : "INVALID_REQUEST"
      )
    refused(await browser.post("api/link/start", { identity: nextPhone(), how: "whatsapp" }), 400, "INVALID_CHANNEL")
  })
})

describe("a login by e-mail, through the backend", () => {
  const start = async (browser: ReturnType<typeof makeBrowser>, email: string): Promise<string> => {
    const { body, status } = await browser.post("api/email/start", { email })
    assert.strictEqual(status, 200)
    assert.strictEqual(body.codeLength, 6)
    assert.approximately(Date.parse(body.expiresAt), Date.now() + 300_000, 10_000)
    return body.requestId
  }

  test("signs in with the right code, and not with a wrong one", async () => {
    const [browser, email] = [makeBrowser(), nextEmail()]
    const requestId = await start(browser, email)
    const code = await service.codeFor(email)
    const miss = await browser.post("api/email/verify", { requestId, code: wrong(code) })
    assert.deepStrictEqual([miss.status, miss.body], [200, { user: null }])
    const { body } = await browser.post("api/email/verify", { requestId, code })
    assert.deepInclude(body.user, { identity: email, identityType: "EMAIL", oneTap: false })
    assert.deepInclude(await browser.user(), { identity: email })
  })

  test("recognises a trusted device until it is forgotten", async () => {
    const [browser, email] = [makeBrowser(), nextEmail()]
    await browser.post("api/email/verify", {
      requestId: await start(browser, email),
      code: await service.codeFor(email)
    })
    await browser.post("api/sign-out")
    const { body } = await browser.post("api/email/start", { email })
    assert.deepInclude(body.user, { identity: email, oneTap: true })
    await browser.post("api/sign-out")
    await browser.post("api/forget-device")
    await start(browser, email)
  })

  test("does not sign in a stranger who waits until another person enters the code", async () => {
    const [owner, stranger, email] = [makeBrowser(), makeBrowser(), nextEmail()]
    const requestId = await start(owner, email)
    assert.strictEqual(await start(stranger, email), requestId, "the service repeats a live code")
    const code = await service.codeFor(email)
    refused(await stranger.post("api/phone/started", { sessionId: requestId }), 403, "NOT_YOURS")
    refused(await stranger.post("api/phone/finish", { requestId }), 403, "NOT_YOURS")

    assert.strictEqual((await owner.post("api/email/verify", { requestId, code })).status, 200)
    refused(await stranger.post("api/phone/finish", { requestId }), 403, "NOT_YOURS")
    const guess = await stranger.post("api/email/verify", { requestId, code: wrong(code) })
    assert.deepStrictEqual(guess.body, { user: null })
    refused(await stranger.post("api/email/verify", { requestId, code }), 401, "USED")
    assert.isNull(await stranger.user())
  })

  test("refuses a code for a verification of another browser", async () => {
    const [owner, stranger, email] = [makeBrowser(), makeBrowser(), nextEmail()]
    const requestId = await start(owner, email)
    const code = await service.codeFor(email)
    refused(await stranger.post("api/email/verify", { requestId, code }), 403, "NOT_YOURS")
    assert.strictEqual((await owner.post("api/email/verify", { requestId, code })).status, 200)
  })

  test("reports the channel of the code, and passes on the service's refusals", async () => {
    const [browser, email] = [makeBrowser(), nextEmail()]
    const requestId = await start(browser, email)
    const progress = await browser.get(`api/progress?requestId=${requestId}`)
    assert.deepStrictEqual(progress.body, { channels: ["EMAIL"], failed: false })
    refused(await browser.post("api/email/start", { email: "nobody" }), 400, "INVALID_REQUEST")
    const code = await service.codeFor(email)
    for (let tries = 0; tries < 3; tries++) await browser.post("api/email/verify", { requestId, code: wrong(code) })
    refused(await browser.post("api/email/verify", { requestId, code }), 400, "MAX_ATTEMPTS_EXCEEDED")
  })
})

describe("the login server", () => {
  test("refuses cross-site requests", async () => {
    const [browser, email] = [makeBrowser(), nextEmail()]
    const elsewhere = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { "sec-fetch-site": "cross-site", origin: app.url }
    ]
    for (const headers of elsewhere)
      for (const path of ["api/email/start", "api/phone/token", "api/phone/finish", "api/sign-out"])
        refused(await browser.post(path, { email }, headers), 403, "FORBIDDEN")
    const form = { "content-type": "text/plain" }
    refused(await browser.post("api/email/start", { email }, form), 400, "INVALID_REQUEST")
  })

  test("requires the Origin header from older browsers", async () => {
    const send = (headers: Record<string, string>) =>
      fetch(`${app.url}/demo/api/sign-out`, {
        method: "POST",
        body: "{}",
        headers: { "content-type": "application/json", ...headers }
      })
    assert.strictEqual((await send({})).status, 403)
    assert.strictEqual((await send({ origin: "http://127.0.0.1:1" })).status, 403)
    assert.strictEqual((await send({ origin: "null" })).status, 403)
    assert.strictEqual((await send({ origin: app.url })).status, 204)
  })

  test("gives every sign-in its own session id, which scripts on the page cannot read", async () => {
    const [browser, email] = [makeBrowser(), nextEmail()]
    const { body, headers } = await browser.post("api/email/start", { email })
    const [line = ""] = headers.getSetCookie().filter((one) => one.startsWith("login="))
    assert.match(line, /^login=[\w-]{32}; Path=\/demo\/; HttpOnly; SameSite=Lax$/)
    const before = browser.cookies.get("login")
    await browser.post("api/email/verify", { requestId: body.requestId, code: await service.codeFor(email) })
    const after = browser.cookies.get("login")
    assert.notStrictEqual(after, before)
    await browser.post("api/sign-out")
    browser.cookies.set("login", after ?? "")
    assert.isNull(await browser.user(), "the old session is over")
    const secure = await browser.post("api/sign-out", {}, { "x-forwarded-proto": "https" })
    assert.match(secure.headers.getSetCookie()[0] ?? "", /; Secure$/)
  })

  test("serves the page and its scripts with security headers, and nothing else", async () => {
    const { get, send } = makeBrowser()
    const page = await get("")
    assert.strictEqual(page.headers.get("content-type"), "text/html; charset=utf-8")
    assert.notMatch(page.text, /<script(?![^>]* src=)|<style| style=| on\w+=/, "nothing inline")
    const policy = page.headers.get("content-security-policy") ?? ""
    assert.include(policy, "default-src 'none'; script-src 'self'")
    assert.include(policy, `connect-src 'self' ${service.url};`)
    assert.include(policy, "frame-ancestors 'none'")
    assert.strictEqual(page.headers.get("x-content-type-options"), "nosniff")
    assert.strictEqual(page.headers.get("referrer-policy"), "same-origin")

    const program = await get("app/ways.ts")
    assert.strictEqual(program.headers.get("content-type"), "text/javascript; charset=utf-8")
    const [, sdk = ""] = /from "\.\.\/(sdk\/[^"]+)"/.exec(program.text) ?? []
    assert.include((await get(sdk)).text, "createClient")
    for (const path of [
      "app/",
      "app/none.ts",
      "app/../src/login.ts",
      "app/%2e%2e/package.json",
      "sdk/../package.json",
      "sdk/file:///etc/hostname",
      "api/none",
      "toString"
    ])
      assert.strictEqual((await get(path)).status, 404, path)
    assert.strictEqual((await send("PUT", "api/session")).status, 405)
    const bare = await fetch(`${app.url}/demo`, { redirect: "manual" })
    assert.deepStrictEqual([bare.status, bare.headers.get("location")], [308, "/demo/"])
  })

  test("answers in plain words and without secrets while the service is away", async () => {
    const dead = makeLogin({
      service: { url: "http://127.0.0.1:1", ...keys.live },
      browserUrl: null,
      publicKey: keys.live.publicKey
    })
    const answer = await dead(new Request("http://localhost/api/session"))
    assert.strictEqual(answer.status, 502)
    const text = await answer.text()
    assert.include(text, "UNAVAILABLE")
    assert.notInclude(text, keys.live.clientSecret)
  })

  test("agrees with the service's own view", async () => {
    const server = createServer({ baseUrl: service.url, ...keys.live })
    const [browser, email] = [makeBrowser(), nextEmail()]
    const { body } = await browser.post("api/email/start", { email })
    await browser.post("api/email/verify", { requestId: body.requestId, code: await service.codeFor(email) })
    const { authTime, phoneNumber } = await server.confirm({ requestId: body.requestId })
    const user = await browser.user()
    assert.strictEqual(phoneNumber, user.identity)
    assert.strictEqual(authTime, Math.floor(Date.parse(user.verifiedAt) / 1000))
  })
})
