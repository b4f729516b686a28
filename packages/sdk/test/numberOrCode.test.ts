import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { cut, failure, json, silent, startService } from "./fixtures/service.ts"
import { timers } from "./fixtures/timers.ts"
import { phone, publicKey, started, verified, world } from "./fixtures/world.ts"

vi.mock("../src/request/after.ts", () => import("./fixtures/timers.ts"))

beforeEach(() => timers.reset())
afterEach(() => {
  vi.restoreAllMocks()
  timers.checkNoneRuns()
})

const input = { sessionId: "ver_1", verifier: "TWILIO_SNA", phone }
const startedNumber = (url: string | null) => json(200, { url, start: "sealed" })
const code = started("ver_2")
const pathsOf = (service: { readonly requests: ReadonlyArray<{ readonly path: string | undefined }> }) =>
  service.requests.map(({ path }) => path?.replace("/v1/sdk/auth/", ""))
const byNumber = ["verify-number/TWILIO_SNA/start", "verify-number/TWILIO_SNA"]

describe("a number over mobile data", () => {
  it("is verified by what the opened address answers, and no code is sent", async () => {
    const { countersign, service } = await world()
    const open = vi.fn(async () => "ErrorCode=0&SnaClientToken=t1")
    service.will(startedNumber("https://mi.example.com/1"), verified())
    expect(await countersign.verifyNumber({ ...input, open })).toEqual({ via: "number", requestId: "ver_1" })
    expect(open).toHaveBeenCalledWith("https://mi.example.com/1", expect.any(AbortSignal))
    expect(pathsOf(service)).toEqual(byNumber)
    expect(service.requests[0]).toMatchObject({ headers: { "x-public-key": publicKey }, body: { sessionId: "ver_1" } })
    expect(service.requests[1]?.body).toEqual({
      sessionId: "ver_1",
      proof: { answer: "ErrorCode=0&SnaClientToken=t1" },
      start: "sealed"
    })
  })

  it("is opened with fetch by default: the body is the answer, or the address of a redirect", async () => {
    const operator = await startService()
    const { countersign, service } = await world()
    operator.will((response) => response.end("ErrorCode=0"))
    service.will(startedNumber(`${operator.baseUrl}/sna`), verified())
    await countersign.verifyNumber(input)
    expect(service.requests[1]?.body.proof).toEqual({ answer: "ErrorCode=0" })
    const back = `${operator.baseUrl}/back?code=1&state=2`
    operator.will(
      (response) => response.writeHead(302, { location: back }).end(),
      (response) => response.writeHead(404).end()
    )
    service.will(startedNumber(`${operator.baseUrl}/authorize`), verified())
    await countersign.verifyNumber(input)
    expect(service.requests[3]?.body.proof).toEqual({ answer: back })
  })

  it("opens nothing in a test environment: the number itself is the proof", async () => {
    const { countersign, service } = await world()
    const open = vi.fn()
    service.will(startedNumber(null), verified())
    expect(await countersign.verifyNumber({ ...input, open })).toEqual({ via: "number", requestId: "ver_1" })
    expect(open).not.toHaveBeenCalled()
    expect(service.requests[1]?.body.proof).toEqual({ answer: "919876543210" })
  })
})

describe("a proof from a library on the phone", () => {
  it("is posted without a start", async () => {
    const { countersign, service } = await world()
    service.will(verified())
    const prove = async () => ({ token: "eyJ" })
    expect(await countersign.verifyNumber({ ...input, verifier: "FIREBASE", prove })).toEqual({
      via: "number",
      requestId: "ver_1"
    })
    expect(pathsOf(service)).toEqual(["verify-number/FIREBASE"])
    expect(service.requests[0]?.body).toEqual({ sessionId: "ver_1", proof: { token: "eyJ" } })
  })

  it("falls back to a code when the library fails, with its error as the cause", async () => {
    const { countersign, service } = await world()
    service.will(code)
    const cause = new Error("no SIM")
    const prove = () => Promise.reject(cause)
    const result = await countersign.verifyNumber({ ...input, prove, channel: "whatsapp", template: "t" })
    expect(result).toMatchObject({ via: "code", session: { sessionId: "ver_2" }, cause })
    expect(service.requests[0]).toMatchObject({
      path: "/v1/sdk/auth/initiate",
      body: { phone, channel: "whatsapp", template: "t" }
    })
  })
})

describe("the code instead", () => {
  const open = async () => "ErrorCode=-40"

  it.each([
    ["no mobile data at the start", [failure(400, "NETWORK_NOT_SUPPORTED")], "NETWORK_NOT_SUPPORTED"],
    [
      "no mobile data at the proof",
      [startedNumber("https://a.example"), failure(400, "NETWORK_NOT_SUPPORTED")],
      "NETWORK_NOT_SUPPORTED"
    ],
    ["a refused proof", [startedNumber("https://a.example"), failure(400, "INVALID_REQUEST")], "INVALID_REQUEST"],
    ["a provider that is down", [failure(502, "PROVIDER_ERROR", { "retry-after": "5" })], "PROVIDER_ERROR"],
    ["too many starts", [failure(429, "RATE_LIMIT_EXCEEDED", { "retry-after": "60" })], "RATE_LIMIT_EXCEEDED"],
    ["a cut connection", [cut], "NETWORK_ERROR"]
  ] as const)("is sent at once after %s: no retry and no pause", async (_, replies, errorCode) => {
    const { countersign, service } = await world()
    service.will(...replies, code)
    const result = await countersign.verifyNumber({ ...input, open })
    expect(result).toMatchObject({ via: "code", session: { sessionId: "ver_2" }, cause: { errorCode } })
    expect(service.requests).toHaveLength(replies.length + 1)
    expect(timers.pauses).toEqual([])
  })

  it("is sent to the claimed number when the phone has another one", async () => {
    const { countersign, service } = await world()
    service.will(startedNumber("https://a.example"), verified(false), code)
    const result = await countersign.verifyNumber({ ...input, open })
    expect(result).toEqual({ via: "code", session: expect.objectContaining({ sessionId: "ver_2" }), cause: undefined })
    expect(service.requests.at(-1)?.body.phone).toBe(phone)
  })

  it("is sent when the time of the verifier is over, and the late proof is not posted", async () => {
    const { countersign, service } = await world()
    service.will(startedNumber("https://a.example"), code)
    const late = Promise.withResolvers<string>()
    const opening = Promise.withResolvers<AbortSignal>()
    const hanging = (_: string, signal: AbortSignal) => {
      opening.resolve(signal)
      return late.promise
    }
    const call = countersign.verifyNumber({ ...input, open: hanging })
    const signal = await opening.promise
    timers.expireVerifier()
    expect(await call).toMatchObject({ via: "code" })
    expect(signal.aborted).toBe(true)
    late.resolve("ErrorCode=0")
    await new Promise((resolve) => setImmediate(resolve))
    expect(pathsOf(service)).toEqual(["verify-number/TWILIO_SNA/start", "initiate"])
  })

  it("is sent when the service does not answer", async () => {
    const { countersign, service } = await world()
    service.will(silent, code)
    const arrival = service.arrival()
    const call = countersign.verifyNumber({ ...input, open })
    await arrival
    timers.expireVerifier()
    expect(await call).toMatchObject({ via: "code", session: { sessionId: "ver_2" } })
  })

  it("rejects like initiate when it cannot be sent", async () => {
    const { countersign, service } = await world({ retries: 0 })
    service.will(failure(400, "NETWORK_NOT_SUPPORTED"), failure(403, "FORBIDDEN"))
    await expect(countersign.verifyNumber({ ...input, open })).rejects.toMatchObject({ errorCode: "FORBIDDEN" })
  })
})

describe("an abort", () => {
  it("before or during the verification rejects with its reason, and sends no code", async () => {
    const { countersign, service } = await world()
    const reason = new Error("the user went back")
    await expect(countersign.verifyNumber(input, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(service.requests).toHaveLength(0)
    const controller = new AbortController()
    service.will(startedNumber("https://a.example"))
    const open = (_: string, signal: AbortSignal) =>
      new Promise<string>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("closed")))
        controller.abort(reason)
      })
    await expect(countersign.verifyNumber({ ...input, open }, { signal: controller.signal })).rejects.toBe(reason)
    expect(pathsOf(service)).toEqual(["verify-number/TWILIO_SNA/start"])
  })
})
