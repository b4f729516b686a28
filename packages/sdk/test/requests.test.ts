import { inspect } from "node:util"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { CountersignError } from "../src/index.ts"
import { cut, cutInBody, failure, html, json, type Reply, silent, stalled, startService } from "./fixtures/service.ts"
import { timers } from "./fixtures/timers.ts"
import { client, code, failureOf, phone, publicKey, sessionToken, started, verified, world } from "./fixtures/world.ts"

vi.mock("../src/request/after.ts", () => import("./fixtures/timers.ts"))

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

beforeEach(() => {
  timers.reset()
  vi.spyOn(Math, "random").mockReturnValue(0.5)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  timers.checkNoneRuns()
})

describe("the request to the service", () => {
  it("of initiate contains its input and the public key", async () => {
    const { countersign, service } = await world()
    service.will(started("ver_1"))
    const deviceInfo = { platform: "android", locale: "hi" }
    expect(
      await countersign.initiate({ phone, channel: "whatsapp", template: "login", orderId: "7", deviceInfo })
    ).toEqual({
      sessionId: "ver_1",
      channel: "sms",
      codeLength: 6,
      expiresAt: "2026-01-31T09:35:00.000Z",
      oneTapApplied: false
    })
    const [request] = service.requests
    expect(request).toMatchObject({
      method: "POST",
      path: "/v1/sdk/auth/initiate",
      headers: {
        "x-public-key": publicKey,
        "content-type": "application/json",
        "idempotency-key": expect.stringMatching(uuid)
      },
      body: { phone, channel: "whatsapp", template: "login", orderId: "7", deviceInfo }
    })
    expect(request?.headers["authorization"]).toBeUndefined()
  })

  it("of resend names the same session with a new idempotency key", async () => {
    const { countersign, service } = await world()
    service.will(started("ver_1"), started("ver_1"))
    await countersign.initiate({ phone })
    await countersign.resend({ sessionId: "ver_1", phone, channel: "sms" })
    const [first, again] = service.requests
    expect(again).toMatchObject({ path: "/v1/sdk/auth/initiate", body: { sessionId: "ver_1", phone, channel: "sms" } })
    expect(again?.headers["idempotency-key"]).not.toBe(first?.headers["idempotency-key"])
  })

  it("of verify carries the session token and no public key", async () => {
    const { countersign, service } = await world()
    service.will(verified())
    expect(await countersign.verify({ sessionId: "ver_1", code, phone })).toEqual({
      verified: true,
      requestId: "ver_1"
    })
    expect(service.requests[0]).toMatchObject({
      method: "POST",
      path: "/v1/sdk/auth/verify",
      headers: {
        authorization: `Bearer ${sessionToken(9_999_999_999)}`,
        "idempotency-key": expect.stringMatching(uuid)
      },
      body: { sessionId: "ver_1", code }
    })
    expect(Object.keys(service.requests[0]?.body)).toEqual(["sessionId", "code"])
  })

  it("of verify resolves, not rejects, on a wrong code", async () => {
    const { countersign, service } = await world()
    service.will(verified(false))
    expect(await countersign.verify({ sessionId: "ver_1", code })).toEqual({ verified: false, requestId: "ver_1" })
  })

  it("can use a base URL with a path and a trailing slash", async () => {
    const service = await startService()
    service.will(started("ver_1"))
    await client({ ...service, baseUrl: `${service.baseUrl}/verify/` }).initiate({ phone })
    expect(service.requests[0]?.path).toBe("/verify/v1/sdk/auth/initiate")
  })

  it("uses the given idempotency key", async () => {
    const { countersign, service } = await world()
    service.will(started("ver_1"))
    const idempotencyKey = "0190b5f5-6f3a-7c2e-8d2a-000000000001"
    await countersign.initiate({ phone }, { idempotencyKey })
    expect(service.requests[0]?.headers["idempotency-key"]).toBe(idempotencyKey)
  })

  it.each([
    ["without randomUUID, as on insecure pages", { getRandomValues: crypto.getRandomValues.bind(crypto) }],
    ["without any crypto, as in React Native", undefined]
  ])("gets a random UUID %s", async (_, source) => {
    vi.mocked(Math.random).mockRestore()
    vi.stubGlobal("crypto", source)
    const { countersign, service } = await world()
    service.will(started("ver_1"), started("ver_2"))
    await countersign.initiate({ phone })
    await countersign.initiate({ phone })
    const keys = service.requests.map(({ headers }) => headers["idempotency-key"])
    expect(new Set(keys).size).toBe(2)
    for (const key of keys) expect(key).toMatch(uuid)
  })
})

describe("a retry", () => {
  const passing: ReadonlyArray<readonly [string, Reply]> = [
    ["429", failure(429, "RATE_LIMIT_EXCEEDED")],
    ["500", failure(500, "INTERNAL_ERROR")],
    ["502", failure(502, "PROVIDER_ERROR")],
    ["a proxy's 502", html(502)],
    ["a connection that was cut", cut],
    ["a connection that was cut in the body", cutInBody]
  ]

  it.each(passing)("%s: sends the same request with the same key", async (_, reply) => {
    const { countersign, service } = await world()
    service.will(reply, reply, started("ver_1"))
    expect(await countersign.initiate({ phone })).toMatchObject({ sessionId: "ver_1" })
    expect(service.requests).toHaveLength(3)
    expect(new Set(service.requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(1)
    expect(new Set(service.requests.map(({ text }) => text)).size).toBe(1)
    expect(timers.pauses).toEqual([400, 800])
  })

  it.each(passing)("%s: stops after its limit", async (_, reply) => {
    const { countersign, service } = await world({ retries: 1 })
    service.will(reply, reply, started("ver_1"))
    await failureOf(countersign.initiate({ phone }))
    expect(service.requests).toHaveLength(2)
  })

  it("of verify keeps its key too", async () => {
    const { countersign, service } = await world()
    service.will(cut, failure(500, "INTERNAL_ERROR"), verified())
    await countersign.verify({ sessionId: "ver_1", code })
    expect(service.requests).toHaveLength(3)
    expect(new Set(service.requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(1)
  })

  it("follows an attempt that times out", async () => {
    const { countersign, service } = await world()
    service.will(silent, stalled, started("ver_1"))
    const first = service.arrival()
    const call = countersign.initiate({ phone })
    await first
    const second = service.arrival()
    timers.expireAttempts()
    await second
    timers.expireAttempts()
    expect(await call).toMatchObject({ sessionId: "ver_1" })
    expect(new Set(service.requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(1)
  })

  it("ends with TIMEOUT if no attempt was answered, also if fetch ignores signals", async () => {
    const { countersign } = await world({ retries: 0, fetch: () => new Promise(() => {}) })
    const call = failureOf(countersign.initiate({ phone }))
    await vi.waitFor(() => expect(timers.running).toBe(1))
    timers.expireAttempts()
    expect(await call).toMatchObject({ errorCode: "TIMEOUT", status: null, requestId: null, retryAfterSeconds: null })
  })

  it.each([
    [400, "INVALID_REQUEST"],
    [400, "OTP_EXPIRED"],
    [401, "INVALID_CLIENT_CREDENTIALS"],
    [402, "INSUFFICIENT_SMS_BALANCE"],
    [403, "FORBIDDEN"],
    [404, "TEMPLATE_NOT_FOUND"],
    [409, "IDEMPOTENCY_KEY_REUSED"],
    [413, "PAYLOAD_TOO_LARGE"],
    [503, "INTERNAL_ERROR"]
  ])("never follows %d %s", async (status, errorCode) => {
    const { countersign, service } = await world()
    service.will(failure(status, errorCode), started("ver_1"))
    expect(await failureOf(countersign.initiate({ phone }))).toMatchObject({ errorCode, status })
    expect(service.requests).toHaveLength(1)
  })

  it("waits as long as Retry-After says if that is short", async () => {
    const { countersign, service } = await world()
    const date = new Date(Math.floor(Date.now() / 1000) * 1000 + 3000).toUTCString()
    service.will(
      failure(429, "RATE_LIMIT_EXCEEDED", { "retry-after": "2" }),
      failure(500, "INTERNAL_ERROR", { "retry-after": date }),
      started("ver_1")
    )
    await countersign.initiate({ phone })
    expect(timers.pauses[0]).toBe(2400)
    expect(timers.pauses[1]).toBeGreaterThanOrEqual(1800)
    expect(timers.pauses[1]).toBeLessThanOrEqual(3800)
  })

  it("does not wait for a long Retry-After: the call rejects instead", async () => {
    const { countersign, service } = await world()
    service.will(failure(429, "RATE_LIMIT_EXCEEDED", { "retry-after": "1800" }), started("ver_1"))
    expect(await failureOf(countersign.initiate({ phone }))).toMatchObject({
      errorCode: "RATE_LIMIT_EXCEEDED",
      status: 429,
      retryAfterSeconds: 1800
    })
    expect(service.requests).toHaveLength(1)
    expect(timers.pauses).toEqual([])
  })

  it("waits a random time, up to half more or less, so that clients spread out", async () => {
    for (const [random, pause] of [
      [0, 200],
      [0.999, 599.6]
    ] as const) {
      timers.reset()
      vi.mocked(Math.random).mockReturnValue(random)
      const { countersign, service } = await world()
      service.will(cut, started("ver_1"))
      await countersign.initiate({ phone })
      expect(timers.pauses[0]).toBeCloseTo(pause)
    }
  })
})

describe("a failure", () => {
  it("contains the service's message", async () => {
    const { countersign, service } = await world()
    const message = "The code has expired; initiate again"
    service.will(json(400, { errorCode: "OTP_EXPIRED", message, requestId: "ver_1" }))
    const error = await failureOf(countersign.verify({ sessionId: "ver_1", code }))
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: "CountersignError", errorCode: "OTP_EXPIRED", status: 400, requestId: "ver_1" })
    expect(error.message).toBe(message)
  })

  it.each<readonly [string, Reply, number]>([
    ["an HTML page with 200", html(200), 200],
    ["an HTML page with 404", html(404), 404],
    ["an empty body", (response) => response.writeHead(200).end(), 200],
    ["a list", json(200, []), 200],
    ["null", json(200, null), 200],
    ["half of an answer", json(200, { sessionId: "ver_1" }), 200],
    ["an envelope with 200", json(200, { errorCode: "OTP_EXPIRED", message: "", requestId: null }), 200],
    ["another's error", json(403, { error: "forbidden" }), 403]
  ])("on %s is not an answer, and says what to check", async (_, reply, status) => {
    const { countersign, service } = await world()
    service.will(reply)
    const error = await failureOf(countersign.initiate({ phone }))
    expect(error).toMatchObject({ errorCode: "NETWORK_ERROR", status })
    expect(error.message).toContain(`status ${status}`)
    expect(error.message).toContain("baseUrl")
    expect(service.requests).toHaveLength(1)
  })

  it("never verifies anyone when verified is not a boolean", async () => {
    const { countersign, service } = await world()
    service.will(json(200, { verified: "false", requestId: "ver_1" }))
    expect(await failureOf(countersign.verify({ sessionId: "ver_1", code }))).toMatchObject({
      errorCode: "NETWORK_ERROR"
    })
  })

  it("a redirect is not followed", async () => {
    const { countersign, service } = await world()
    const elsewhere = await startService()
    service.will((response) => response.writeHead(307, { location: `${elsewhere.baseUrl}/` }).end())
    expect(await failureOf(countersign.verify({ sessionId: "ver_1", code }))).toMatchObject({
      errorCode: "NETWORK_ERROR",
      status: 307
    })
    expect(elsewhere.requests).toHaveLength(0)
  })

  it("without a connection is a NETWORK_ERROR with its cause", async () => {
    const { countersign } = await world({ baseUrl: "http://127.0.0.1:1", retries: 0 })
    const error = await failureOf(countersign.initiate({ phone }))
    expect(error).toMatchObject({ errorCode: "NETWORK_ERROR", status: null })
    expect(error.cause).toBeInstanceOf(Error)
  })

  it("contains neither code, token nor number", async () => {
    const { countersign, service } = await world({ retries: 0 })
    for (const reply of [cut, cutInBody, html(502), failure(500, "INTERNAL_ERROR")]) {
      service.will(reply, reply)
      for (const call of [countersign.verify({ sessionId: "ver_1", code, phone }), countersign.initiate({ phone })]) {
        const shown = inspect(await failureOf(call), { depth: 10, showHidden: true })
        expect(shown).not.toContain(code)
        expect(shown).not.toContain("9876543210")
        expect(shown).not.toContain("c2lnbmF0dXJl")
      }
    }
  })
})

describe("aborting a call", () => {
  const reason = { because: "the person went back" }

  /** An abort signal, and the number of its listeners. */
  const abortion = () => {
    const controller = new AbortController()
    const { signal } = controller
    const listeners = new Set<unknown>()
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    vi.spyOn(signal, "addEventListener").mockImplementation((...args: Parameters<typeof add>) => {
      listeners.add(args[1])
      add(...args)
    })
    vi.spyOn(signal, "removeEventListener").mockImplementation((...args: Parameters<typeof remove>) => {
      listeners.delete(args[1])
      remove(...args)
    })
    return { abort: () => controller.abort(reason), signal, listeners: () => listeners.size }
  }

  const outcome = (call: Promise<unknown>) =>
    call.then(
      () => "answered",
      (error: unknown) => error
    )

  it("before it starts sends no request and reads nothing", async () => {
    const getItem = vi.fn(() => null)
    const { countersign, service } = await world({ storage: { getItem, setItem: () => {}, removeItem: () => {} } })
    const signal = AbortSignal.abort(reason)
    expect(await outcome(countersign.initiate({ phone }, { signal }))).toBe(reason)
    expect(await outcome(countersign.resend({ phone, sessionId: "ver_1" }, { signal }))).toBe(reason)
    expect(await outcome(countersign.verify({ sessionId: "ver_1", code }, { signal }))).toBe(reason)
    expect(getItem).not.toHaveBeenCalled()
    expect(service.requests).toHaveLength(0)
  })

  it("while storage is read sends no request", async () => {
    const answers: Array<(value: null) => void> = []
    const getItem = () => new Promise<null>((resolve) => answers.push(resolve))
    const { countersign, service } = await world({ storage: { getItem, setItem: () => {}, removeItem: () => {} } })
    const { abort, signal } = abortion()
    const call = outcome(countersign.initiate({ phone }, { signal }))
    // The device token and the latest launch.
    await vi.waitFor(() => expect(timers.running).toBe(2))
    abort()
    expect(await call).toBe(reason)
    for (const answer of answers) answer(null)
    await vi.waitFor(() => expect(timers.running).toBe(0))
    expect(service.requests).toHaveLength(0)
  })

  it("while the session token is fetched sends no request", async () => {
    let answer = (_: string) => {}
    const asked = new Promise<string>((resolve) => {
      answer = resolve
    })
    const ask = vi.fn(() => asked)
    const { countersign, service } = await world({ sessionToken: ask })
    const { abort, signal } = abortion()
    const call = outcome(countersign.verify({ sessionId: "ver_1", code }, { signal }))
    await vi.waitFor(() => expect(ask).toHaveBeenCalled())
    abort()
    expect(await call).toBe(reason)
    answer("token")
    await new Promise((resolve) => setImmediate(resolve))
    expect(service.requests).toHaveLength(0)
  })

  it.each([
    ["waiting for the answer", silent],
    ["reading the answer", stalled]
  ])("while %s rejects immediately and never retries", async (_, reply) => {
    const { countersign, service } = await world()
    service.will(reply, started("ver_1"))
    const { abort, listeners, signal } = abortion()
    const arrived = service.arrival()
    const call = outcome(countersign.initiate({ phone }, { signal }))
    await arrived
    abort()
    expect(await call).toBe(reason)
    await vi.waitFor(() => expect(listeners()).toBe(0))
    expect(service.requests).toHaveLength(1)
  })

  it("during a pause rejects immediately and never retries", async () => {
    const { countersign, service } = await world()
    service.will(failure(500, "INTERNAL_ERROR"), started("ver_1"))
    timers.holdPauses()
    const { abort, listeners, signal } = abortion()
    const call = outcome(countersign.initiate({ phone }, { signal }))
    await vi.waitFor(() => expect(timers.pauses).toHaveLength(1))
    abort()
    expect(await call).toBe(reason)
    await vi.waitFor(() => expect(listeners()).toBe(0))
    expect(service.requests).toHaveLength(1)
  })

  it("while the device token is stored still stores it", async () => {
    const stored: Array<string> = []
    let finish = () => {}
    let writes = () => {}
    const writing = new Promise<void>((resolve) => {
      writes = resolve
    })
    const setItem = (_: string, value: string) => {
      writes()
      return new Promise<void>((resolve) => {
        finish = () => {
          stored.push(value)
          resolve()
        }
      })
    }
    const { countersign, service } = await world({ storage: { getItem: () => null, setItem, removeItem: () => {} } })
    service.will(started("ver_1", "dvc_1"))
    const { abort, signal } = abortion()
    const call = outcome(countersign.initiate({ phone }, { signal }))
    await writing
    abort()
    expect(await call).toBe(reason)
    finish()
    await vi.waitFor(() => expect(timers.running).toBe(0))
    expect(stored[0]).toContain("dvc_1")
  })

  it("is no longer observed after the answer", async () => {
    const { countersign, service } = await world()
    service.will(cut, started("ver_1"), verified())
    const { listeners, signal } = abortion()
    await countersign.initiate({ phone }, { signal })
    await countersign.verify({ sessionId: "ver_1", code }, { signal })
    await vi.waitFor(() => expect(listeners()).toBe(0))
  })

  it("with a signal without a reason, as in React Native, rejects with an AbortError", async () => {
    const { countersign } = await world()
    const signal = AbortSignal.abort()
    vi.spyOn(signal, "reason", "get").mockReturnValue(undefined)
    const error = await outcome(countersign.initiate({ phone }, { signal }))
    expect(error).toMatchObject({ name: "AbortError" })
    expect(error).not.toBeInstanceOf(CountersignError)
  })
})
