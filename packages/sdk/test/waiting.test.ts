import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { cut, failure, html, json, type Reply, silent } from "./fixtures/service.ts"
import { timers } from "./fixtures/timers.ts"
import { failureOf, publicKey, sessionToken, verified, world } from "./fixtures/world.ts"

vi.mock("../src/request/after.ts", () => import("./fixtures/timers.ts"))

beforeEach(() => {
  timers.reset()
  vi.spyOn(Math, "random").mockReturnValue(0.5)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  timers.checkNoneRuns()
})

const statusAnswer = (authStatus: string) =>
  json(200, { sessionId: "ver_1", authStatus, expiresAt: "2026-01-31T09:35:00.000Z", matchNumber: "47" })
const pending = statusAnswer("PENDING")
const many = (count: number, reply: Reply) => Array.from({ length: count }, () => reply)

describe("Truecaller", () => {
  it("sends the app's proof with the public key, and retries with the same idempotency key", async () => {
    const { countersign, service } = await world()
    service.will(failure(502, "PROVIDER_ERROR"), verified())
    const input = { sessionId: "ver_1", code: "tc-code", codeVerifier: "v".repeat(43), state: "ver_1" }
    expect(await countersign.truecaller(input)).toEqual({ verified: true, requestId: "ver_1" })
    const [first, again] = service.requests
    expect(first).toMatchObject({
      method: "POST",
      path: "/v1/sdk/auth/truecaller",
      headers: { "x-public-key": publicKey, "idempotency-key": expect.any(String) },
      body: input
    })
    expect(first?.headers["authorization"]).toBeUndefined()
    expect(again?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"])
  })

  it("resolves with verified: false when Truecaller proves another number", async () => {
    const { countersign, service } = await world()
    service.will(verified(false))
    const { signal } = new AbortController()
    expect(
      await countersign.truecaller({ sessionId: "ver_1", code: "c", codeVerifier: "v".repeat(43) }, { signal })
    ).toEqual({ verified: false, requestId: "ver_1" })
    expect(Object.keys(service.requests[0]?.body)).toEqual(["sessionId", "code", "codeVerifier"])
  })
})

describe("waiting for an approval", () => {
  it.each(["VERIFIED", "FAILED", "EXPIRED"])(
    "ends with %s, and sends only the session token as a credential",
    async (status) => {
      const { countersign, service } = await world()
      service.will(pending, statusAnswer(status))
      expect(await countersign.waitForApproval("ver_1&x")).toEqual({ status })
      expect(service.requests).toHaveLength(2)
      expect(service.requests[0]).toMatchObject({
        method: "GET",
        path: "/v1/sdk/auth/status?sessionId=ver_1%26x",
        headers: { authorization: `Bearer ${sessionToken(9_999_999_999)}` }
      })
      expect(service.requests[0]?.headers["x-public-key"]).toBeUndefined()
      expect(service.requests[0]?.headers["idempotency-key"]).toBeUndefined()
    }
  )

  it("polls every second at first, and every five seconds later", async () => {
    const { countersign, service } = await world()
    service.will(...many(11, pending), statusAnswer("VERIFIED"))
    await countersign.waitForApproval("ver_1")
    expect(timers.pauses.map(Math.round)).toEqual([1200, 1440, 1728, 2074, 2488, 2986, 3583, 4300, 5000, 5000, 5000])
  })

  it("keeps polling while the service is down or busy, or a proxy cannot reach it", async () => {
    const { countersign, service } = await world({ retries: 0 })
    const away = [cut, failure(429, "RATE_LIMIT_EXCEEDED"), failure(500, "INTERNAL_ERROR"), html(503), html(504)]
    service.will(...away, ...away, statusAnswer("VERIFIED"))
    expect(await countersign.waitForApproval("ver_1")).toEqual({ status: "VERIFIED" })
    expect(service.requests).toHaveLength(11)
  })

  it("waits as long as the service's Retry-After says", async () => {
    const { countersign, service } = await world()
    service.will(failure(429, "RATE_LIMIT_EXCEEDED", { "retry-after": "40" }), statusAnswer("VERIFIED"))
    await countersign.waitForApproval("ver_1")
    expect(timers.pauses).toEqual([40_000])
  })

  it("rejects immediately when the login is unknown or access is refused", async () => {
    const { countersign, service } = await world()
    service.will(failure(400, "TRANSACTION_NOT_FOUND"), failure(403, "FORBIDDEN"))
    for (const errorCode of ["TRANSACTION_NOT_FOUND", "FORBIDDEN"])
      expect(await failureOf(countersign.waitForApproval("ver_1"))).toMatchObject({ errorCode })
    expect(timers.pauses).toEqual([])
  })

  it("fetches a new session token when the service refuses the current one", async () => {
    const tokens = [sessionToken(9_999_999_999, "1"), sessionToken(9_999_999_999, "2")]
    const { countersign, service } = await world({ sessionToken: () => tokens.shift() ?? "" })
    service.will(pending, failure(401, "INVALID_CLIENT_CREDENTIALS"), statusAnswer("VERIFIED"))
    expect(await countersign.waitForApproval("ver_1")).toEqual({ status: "VERIFIED" })
    expect(new Set(service.requests.map(({ headers }) => headers.authorization)).size).toBe(2)
  })

  it("retries when sessionToken fails twice, and rejects when it keeps failing or returns no token", async () => {
    const offline = new TypeError("Failed to fetch")
    let answers = 0
    const { countersign, service } = await world({
      sessionToken: async () => {
        if (++answers <= 2) throw offline
        return sessionToken(9_999_999_999)
      }
    })
    service.will(statusAnswer("VERIFIED"))
    expect(await countersign.waitForApproval("ver_1")).toEqual({ status: "VERIFIED" })

    answers = Number.NEGATIVE_INFINITY
    const broken = await world({ sessionToken: () => Promise.reject(offline) })
    await expect(broken.countersign.waitForApproval("ver_1")).rejects.toBe(offline)
    const empty = await world({ sessionToken: () => "" })
    expect(await failureOf(empty.countersign.waitForApproval("ver_1"))).toMatchObject({
      errorCode: "INVALID_CLIENT_CREDENTIALS"
    })
  })

  it("polls immediately when the page becomes visible or the network returns, and removes its listeners", async () => {
    const page = new EventTarget()
    const kept = new Set<unknown>()
    vi.stubGlobal("addEventListener", (name: string, listener: (event: Event) => void) => {
      kept.add(listener)
      page.addEventListener(name, listener)
    })
    vi.stubGlobal("removeEventListener", (name: string, listener: (event: Event) => void) => {
      kept.delete(listener)
      page.removeEventListener(name, listener)
    })
    timers.holdPauses()
    const { countersign, service } = await world()
    service.will(pending, pending, statusAnswer("VERIFIED"))
    const waiting = countersign.waitForApproval("ver_1")
    for (const name of ["visibilitychange", "online"]) {
      await vi.waitFor(() => expect(kept.size).toBe(1))
      page.dispatchEvent(new Event(name))
      await vi.waitFor(() => expect(kept.size).toBe(0))
    }
    expect(await waiting).toEqual({ status: "VERIFIED" })
    expect(service.requests).toHaveLength(3)
    expect(kept.size).toBe(0)
  })

  it("times out, but polls once more after a device has slept", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    try {
      const { countersign, service } = await world()
      const later =
        (millis: number, reply: Reply): Reply =>
        (response, request) => {
          vi.setSystemTime(Date.now() + millis)
          reply(response, request)
        }
      service.will(pending, later(59_001, pending), later(999, pending))
      expect(await failureOf(countersign.waitForApproval("ver_1", { timeoutMs: 60_000 }))).toMatchObject({
        errorCode: "TIMEOUT",
        status: null
      })
      expect(timers.pauses).toEqual([1200, 999])

      service.will(pending, later(3_600_000, statusAnswer("VERIFIED")))
      expect(await countersign.waitForApproval("ver_1", { timeoutMs: 60_000 })).toEqual({ status: "VERIFIED" })
    } finally {
      vi.useRealTimers()
    }
  })

  it("rejects with the signal's reason when aborted during a request or a pause", async () => {
    const { countersign, service } = await world()
    const asking = new AbortController()
    service.will(silent)
    const arrived = service.arrival()
    const first = countersign.waitForApproval("ver_1", { signal: asking.signal })
    await arrived
    asking.abort("gone")
    await expect(first).rejects.toBe("gone")

    timers.holdPauses()
    const pausing = new AbortController()
    service.will(pending)
    const second = countersign.waitForApproval("ver_1", { signal: pausing.signal })
    await vi.waitFor(() => expect(timers.pauses).toEqual([1200]))
    pausing.abort("gone too")
    await expect(second).rejects.toBe("gone too")
    expect(service.requests).toHaveLength(2)
  })
})
