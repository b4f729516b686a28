import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { cut, failure } from "./fixtures/service.ts"
import { timers } from "./fixtures/timers.ts"
import { code, failureOf, sessionToken, verified, world } from "./fixtures/world.ts"

vi.mock("../src/request/after.ts", () => import("./fixtures/timers.ts"))

const now = Date.parse("2026-01-31T09:30:00Z")
const refused = failure(401, "INVALID_CLIENT_CREDENTIALS")
const check = { sessionId: "ver_1", code }

beforeEach(() => {
  timers.reset()
  vi.useFakeTimers({ toFake: ["Date"], now })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A backend that returns tokens valid for ten minutes, and counts them. */
const backend = () => {
  let count = 0
  return vi.fn(async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return sessionToken(Math.floor(Date.now() / 1000) + 600, String(++count))
  })
}

describe("the session token", () => {
  it("is fetched when it is needed, and cached until shortly before it expires", async () => {
    const ask = backend()
    const { countersign, service } = await world({ sessionToken: ask })
    service.will(verified(), verified(), verified())
    expect(ask).not.toHaveBeenCalled()
    await countersign.verify(check)
    vi.setSystemTime(now + 569_000)
    await countersign.verify(check)
    expect(ask).toHaveBeenCalledTimes(1)
    vi.setSystemTime(now + 571_000)
    await countersign.verify(check)
    expect(ask).toHaveBeenCalledTimes(2)
    const [first, second, third] = service.requests.map(({ headers }) => headers.authorization)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  it("may be returned without a promise, and need not be a JWT", async () => {
    const ask = vi.fn(() => "opaque")
    const { countersign, service } = await world({ sessionToken: ask })
    service.will(verified(), verified())
    await countersign.verify(check)
    await countersign.verify(check)
    expect(ask).toHaveBeenCalledTimes(1)
    expect(service.requests[0]?.headers.authorization).toBe("Bearer opaque")
  })

  it("is fetched once more after a refusal, and the request counts as the same attempt", async () => {
    const ask = backend()
    const { countersign, service } = await world({ sessionToken: ask })
    service.will(refused, verified())
    expect(await countersign.verify(check)).toEqual({ verified: true, requestId: "ver_1" })
    expect(ask).toHaveBeenCalledTimes(2)
    const [first, second] = service.requests
    expect(second?.headers.authorization).not.toBe(first?.headers.authorization)
    expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"])
    expect(second?.text).toBe(first?.text)
  })

  it("is not fetched a third time", async () => {
    const ask = backend()
    const { countersign, service } = await world({ sessionToken: ask })
    service.will(refused, refused, verified())
    expect(await failureOf(countersign.verify(check))).toMatchObject({
      errorCode: "INVALID_CLIENT_CREDENTIALS",
      status: 401
    })
    expect(ask).toHaveBeenCalledTimes(2)
    expect(service.requests).toHaveLength(2)
  })

  it("is shared by concurrent calls, also after a refusal", async () => {
    const ask = backend()
    const { countersign, service } = await world({ sessionToken: ask })
    service.will(refused, refused, verified(), verified())
    await Promise.all([countersign.verify(check), countersign.verify({ ...check, code: "111111" })])
    expect(ask).toHaveBeenCalledTimes(2)
  })

  it("that cannot be fetched rejects with the app's own error, and is fetched again next time", async () => {
    const problem = new Error("signed out")
    const ask = vi.fn<() => Promise<string>>().mockRejectedValueOnce(problem).mockResolvedValue("opaque")
    const { countersign, service } = await world({ sessionToken: ask })
    service.will(verified())
    await expect(countersign.verify(check)).rejects.toBe(problem)
    expect(service.requests).toHaveLength(0)
    expect(await countersign.verify(check)).toMatchObject({ verified: true })
  })

  it.each(["", "<html>\nBad gateway", '{"sessionToken":"a.b.c"}', "a.b.c\n"])(
    "must be a token: %j is rejected",
    async (text) => {
      const { countersign, service } = await world({ sessionToken: () => text })
      const error = await failureOf(countersign.verify(check))
      expect(error).toMatchObject({ errorCode: "INVALID_CLIENT_CREDENTIALS", status: null })
      expect(error.message).toContain("POST /v1/sdk/session")
      expect(service.requests).toHaveLength(0)
    }
  )
})

describe("an attempt to enter a code", () => {
  const keys = (requests: ReadonlyArray<{ readonly headers: { readonly [name: string]: unknown } }>) =>
    requests.map(({ headers }) => headers["idempotency-key"])

  it("stays the same attempt if the person presses again without an answer", async () => {
    const { countersign, service } = await world({ retries: 0 })
    service.will(cut, verified(false))
    await failureOf(countersign.verify(check))
    await countersign.verify(check)
    expect(new Set(keys(service.requests)).size).toBe(1)
  })

  it("stays the same attempt if the person presses twice", async () => {
    const { countersign, service } = await world()
    service.will(verified(false), verified(false))
    await Promise.all([countersign.verify(check), countersign.verify(check)])
    expect(new Set(keys(service.requests)).size).toBe(1)
  })

  it("is a new attempt after an answer, and with another code", async () => {
    const { countersign, service } = await world({ retries: 0 })
    service.will(verified(false), cut, verified(false))
    await countersign.verify(check)
    await failureOf(countersign.verify(check))
    await countersign.verify({ ...check, code: "111111" })
    expect(new Set(keys(service.requests)).size).toBe(3)
  })
})
