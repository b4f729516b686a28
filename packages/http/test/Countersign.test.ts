import { MemoryStorage } from "@countersign/core/memory"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { makeService, CountersignError } from "../src/index.ts"
import type { PlainMessage } from "../src/PromiseChannel.ts"

const secret = "0b".repeat(32)
type Made = Awaited<ReturnType<typeof makeService>>

const failure = async (promise: Promise<unknown>): Promise<CountersignError> => {
  try {
    await promise
  } catch (error) {
    assert.instanceOf(error, CountersignError)
    return error as CountersignError
  }
  throw new Error("It did not fail")
}

describe("an embedded service", () => {
  const sent: Array<{ readonly to: string; readonly code: string }> = []
  let countersign: Made
  beforeAll(async () => {
    countersign = await makeService({
      storage: MemoryStorage.layer,
      channels: [{ name: "SMS", send: async ({ code, to }) => void sent.push({ to, code }) }],
      secret,
      settings: { maxAttempts: 2, hourlyLimit: 2 }
    })
  })
  afterAll(() => countersign.close())

  const codeFor = async (to: string) => {
    for (let i = 0; i < 200; i++) {
      const message = sent.findLast((one) => one.to === to)
      if (message !== undefined) return message.code
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    throw new Error("No message")
  }

  it("verifies an identity with a code", async () => {
    const identity = "+919876500001"
    const { message, oneTapApplied, requestId } = await countersign.initiate({
      identity,
      identityType: "MOBILE",
      orderId: "o"
    })
    assert.isFalse(oneTapApplied)
    assert.match(message, /sent/i)
    const code = await codeFor(identity)
    assert.match(code, /^[0-9]{6}$/)
    const wrong = await countersign.verify({ requestId, otp: code === "000000" ? "000001" : "000000" })
    assert.deepStrictEqual({ ...wrong, message: "" }, { requestId, verified: false, message: "", idToken: null })
    const right = await countersign.verify({ orderId: "o", otp: code })
    assert.isTrue(right.verified)
    assert.strictEqual((await countersign.status({ requestId })).authStatus, "VERIFIED")
    const confirmed = await countersign.confirm({ idToken: right.idToken })
    assert.deepInclude(confirmed, { success: true, phoneNumber: identity, countryCode: "91", requestId })
  })

  it("creates session tokens for apps, and accepts them over HTTP", async () => {
    const { expiresIn, sessionToken } = await countersign.createSession()
    assert.strictEqual(expiresIn, 600)
    const answer = await countersign.handler(
      new Request("http://localhost/v1/sdk/auth/verify", {
        method: "POST",
        headers: { authorization: `Bearer ${sessionToken}`, "content-type": "application/json" },
        body: JSON.stringify({ sessionId: "ver_none", code: "1" })
      })
    )
    assert.strictEqual(((await answer.json()) as { errorCode: string }).errorCode, "TRANSACTION_NOT_FOUND")
  })

  it("fails with the error codes of the HTTP API", async () => {
    const exhausted = await countersign.initiate({ identity: "+919876500002", identityType: "MOBILE" })
    for (let i = 0; i < 2; i++) await countersign.verify({ requestId: exhausted.requestId, otp: "x" })
    const error = await failure(countersign.verify({ requestId: exhausted.requestId, otp: "x" }))
    assert.deepInclude(error, { errorCode: "MAX_ATTEMPTS_EXCEEDED", status: 400, requestId: exhausted.requestId })
    assert.deepInclude(await failure(countersign.status({ requestId: "x" })), {
      errorCode: "TRANSACTION_NOT_FOUND",
      status: 400,
      requestId: null
    })
    assert.strictEqual((await failure(countersign.status({}))).errorCode, "INVALID_REQUEST")
    assert.strictEqual(
      (await failure(countersign.initiate({ identity: "x", identityType: "MOBILE" }))).errorCode,
      "INVALID_REQUEST"
    )
    assert.strictEqual(
      (await failure(countersign.initiate({ identity: "a@b.co", identityType: "EMAIL" }))).errorCode,
      "INVALID_CHANNEL"
    )
    assert.strictEqual(
      (await failure(countersign.initiate({ identity: "+919876500003", identityType: "MOBILE", mode: "x" }))).errorCode,
      "INVALID_MODE"
    )
    for (const bad of [null, undefined, 1, "x", [], {}, { identity: 1 }]) {
      assert.strictEqual((await failure(countersign.initiate(bad as never))).errorCode, "INVALID_REQUEST")
      assert.strictEqual((await failure(countersign.verify(bad as never))).errorCode, "INVALID_REQUEST")
    }
  })

  it("reports when to retry", async () => {
    const identity = "+919876500004"
    for (let i = 0; i < 2; i++) {
      const { requestId } = await countersign.initiate({ identity, identityType: "MOBILE" })
      for (let j = 0; j < 2; j++) await countersign.verify({ requestId, otp: "x" })
    }
    const error = await failure(countersign.initiate({ identity, identityType: "MOBILE" }))
    assert.deepInclude(error, { errorCode: "RATE_LIMIT_EXCEEDED", status: 429 })
    assert.isAbove(error.retryAfterSeconds ?? 0, 3000)
  })

  it("sends once for one idempotency key", async () => {
    const identity = "+919876500005"
    const idempotencyKey = "7f9c2d1e-0000-4000-8000-000000000001"
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => countersign.initiate({ identity, identityType: "MOBILE" }, { idempotencyKey }))
    )
    assert.strictEqual(new Set(answers.map(({ requestId }) => requestId)).size, 1)
    await codeFor(identity)
    assert.strictEqual(sent.filter(({ to }) => to === identity).length, 1)
    assert.strictEqual((await countersign.status({ requestId: answers[0]!.requestId })).deliveries.length, 1)
  })

  it("returns the first verification for a repeated idempotency key, also after it has ended, and rejects other input", async () => {
    const identity = "+919876500055"
    const request = { identity, identityType: "MOBILE" } as const
    const idempotencyKey = "order 7: login"
    const first = await countersign.initiate(request, { idempotencyKey })
    await countersign.verify({ requestId: first.requestId, otp: await codeFor(identity) })
    assert.deepStrictEqual(await countersign.initiate(request, { idempotencyKey }), first)
    assert.strictEqual(sent.filter(({ to }) => to === identity).length, 1)
    const other = await countersign.initiate({ ...request, orderId: "8" }, { idempotencyKey }).then(
      () => "sent",
      (error: unknown) => (error instanceof CountersignError ? error.errorCode : String(error))
    )
    assert.strictEqual(other, "IDEMPOTENCY_KEY_REUSED")
  })

  it("does not use up the idempotency key of a refused call, as over HTTP", async () => {
    const request = { identity: "+919876500065", identityType: "MOBILE" } as const
    const options = { idempotencyKey: "order 8: login" }
    for (let i = 0; i < 2; i++) {
      const { requestId } = await countersign.initiate(request)
      for (let j = 0; j < 2; j++) await countersign.verify({ requestId, otp: "x" })
    }
    assert.strictEqual((await failure(countersign.initiate(request, options))).status, 429)
    const other = { ...request, identity: "+919876500066" }
    const started = await countersign.initiate(other, options)
    assert.deepStrictEqual(await countersign.initiate(other, options), started)
  })

  it("rejects callers that guess the names of its keys", async () => {
    for (const secret of ["", "null", "undefined", "nobody", "cs_live_in_process"]) {
      const headers = { "x-client-id": "cs_live_in_process", "x-client-secret": secret }
      const answer = await countersign.handler(new Request("http://localhost/v1/dashboard/settings", { headers }))
      assert.strictEqual(answer.status, 401)
    }
  })

  it("does not start with an invalid secret", async () => {
    for (const bad of ["", "short", "0b".repeat(31), "z".repeat(64)]) {
      const made = await makeService({ storage: MemoryStorage.layer, channels: [], secret: bad }).then(
        () => "started",
        (error: unknown) => String(error)
      )
      assert.notStrictEqual(made, "started")
      if (bad.length > 5) assert.notInclude(made, bad)
    }
  })

  it("sends links over the channels that support them, and exchanges a pressed link for the identity", async () => {
    const messages: Array<PlainMessage> = []
    const send = async (message: PlainMessage) => void messages.push(message)
    const linking = await makeService({
      storage: MemoryStorage.layer,
      channels: [
        { name: "EMAIL", links: true, send },
        { name: "SMS", send }
      ],
      secret,
      baseUrl: "https://verify.example.com"
    })
    const request = { identity: "anna@example.com", identityType: "EMAIL", mode: "MAGIC_LINK" }
    const { requestId } = await linking.initiate(request)
    for (let i = 0; i < 200 && messages.length === 0; i++) await new Promise((resolve) => setTimeout(resolve, 5))
    const { code, html, text, url } = messages[0]!
    assert.match(url ?? "", /^https:\/\/verify\.example\.com\/l\/[\w.]+$/)
    assert.strictEqual(code, "")
    assert.include(text, url ?? "none")
    assert.include(html ?? "", url ?? "none")
    const { pathname } = new URL(url ?? "")
    const pressed = await linking.handler(
      new Request("https://verify.example.com/l", {
        method: "POST",
        body: new URLSearchParams({ token: pathname.slice("/l/".length) })
      })
    )
    assert.strictEqual(pressed.status, 200)
    const exchanged = await linking.token({ code: (await linking.status({ requestId })).code ?? "" })
    assert.deepInclude(exchanged, { requestId, identity: "anna@example.com" })

    const refused = await failure(
      linking.initiate({ identity: "+919876500009", identityType: "MOBILE", mode: "MAGIC_LINK" })
    )
    assert.strictEqual(refused.errorCode, "INVALID_CHANNEL")
    await linking.close()
  })

  it("runs beside another instance in one process", async () => {
    const other = await makeService({ storage: MemoryStorage.layer, channels: [], secret, environment: "test" })
    const { requestId } = await other.initiate({ identity: "+919876500006", identityType: "MOBILE" })
    assert.strictEqual((await failure(countersign.status({ requestId }))).errorCode, "TRANSACTION_NOT_FOUND")
    assert.isTrue((await other.verify({ requestId, otp: "123456" })).verified)
    await other.close()
  })
})
