import type { ServerResponse } from "node:http"
import { inspect } from "node:util"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { createServer, type ServerOptions } from "../src/server.ts"
import { cut, failure, html, json, silent, startService } from "./fixtures/service.ts"
import { attemptTimeout, timers } from "./fixtures/timers.ts"
import { failureOf } from "./fixtures/world.ts"

vi.mock("../src/request/after.ts", () => import("./fixtures/timers.ts"))

beforeEach(() => timers.reset())
afterEach(() => timers.checkNoneRuns())

const clientSecret = "sk_test_3f9c"
const identity = "+919876543210"

const world = async (options: Partial<ServerOptions> = {}) => {
  const service = await startService()
  const { baseUrl } = service
  const countersign = createServer({
    baseUrl,
    clientId: "cs_test_acme",
    clientSecret,
    timeoutMs: attemptTimeout,
    ...options
  })
  return { service, countersign }
}

const initiated = json(200, { requestId: "ver_1", message: "sent", oneTapApplied: false, deviceToken: null })
const confirmed = {
  success: true,
  requestId: "ver_1",
  phoneNumber: identity,
  countryCode: "91",
  nationalPhoneNumber: "9876543210",
  identityType: "MOBILE",
  authTime: 1_769_851_800
}

describe("a backend call", () => {
  it("initiate sends its input", async () => {
    const { countersign, service } = await world()
    service.will(initiated)
    expect(await countersign.initiate({ identity, identityType: "MOBILE", orderId: "7" })).toEqual({
      requestId: "ver_1",
      message: "sent",
      oneTapApplied: false,
      deviceToken: null
    })
    expect(service.requests[0]).toMatchObject({
      method: "POST",
      path: "/v1/auth/initiate",
      headers: {
        "x-client-id": "cs_test_acme",
        "x-client-secret": clientSecret,
        "content-type": "application/json",
        "idempotency-key": expect.any(String)
      },
      body: { identity, identityType: "MOBILE", mode: "OTP", orderId: "7" }
    })
  })

  it("to leads sends query parameters, and the number in the body", async () => {
    const { countersign, service } = await world()
    const lead = {
      id: 7,
      contact: "919876543210",
      name: "Ravi",
      status: "OPEN",
      assignedTo: null,
      teamName: null,
      origin: "INBOUND",
      lastMessageAt: "2026-01-31T15:00:00.000",
      unreadCount: 1
    }
    service.will(json(200, []), json(200, [lead]), json(200, [{ id: 1 }]), json(200, [{ id: 2 }]))
    expect(await countersign.leads.list()).toEqual([])
    expect(await countersign.leads.list({ phone: "+91 98765&43210", unassignedOnly: false, page: 0 })).toEqual([lead])
    expect(await countersign.leads.agents()).toEqual([{ id: 1 }])
    expect(await countersign.leads.teams()).toEqual([{ id: 2 }])
    service.will(json(200, lead), json(200, lead), json(200, lead), json(200, lead))
    expect(await countersign.leads.assign(7, { agentEmail: "asha@example.com" })).toEqual(lead)
    await countersign.leads.assignByPhone({ phone: identity })
    await countersign.leads.moveToTeam(7, {}, { idempotencyKey: "0b0c7b9e-0000-4000-8000-000000000000" })
    await countersign.leads.moveToTeamByPhone({ phone: identity, teamName: "Sales" })
    expect(service.requests.map(({ body, method, path }) => [`${method} ${path}`, body])).toEqual([
      ["GET /v1/whatsapp/leads", undefined],
      ["GET /v1/whatsapp/leads?phone=%2B91+98765%2643210&unassignedOnly=false&page=0", undefined],
      ["GET /v1/whatsapp/leads/agents", undefined],
      ["GET /v1/whatsapp/leads/teams", undefined],
      ["POST /v1/whatsapp/leads/7/assign", { agentEmail: "asha@example.com" }],
      ["POST /v1/whatsapp/leads/assign", { phone: identity }],
      ["POST /v1/whatsapp/leads/7/team", {}],
      ["POST /v1/whatsapp/leads/team", { phone: identity, teamName: "Sales" }]
    ])
    expect(service.requests[6]?.headers["idempotency-key"]).toBe("0b0c7b9e-0000-4000-8000-000000000000")
    service.will(json(200, { id: 7 }))
    expect(await failureOf(countersign.leads.list())).toMatchObject({ errorCode: "NETWORK_ERROR" })
  })

  it("initiate starts a link", async () => {
    const { countersign, service } = await world()
    service.will(initiated, initiated)
    await countersign.initiate({ identity: "a@example.com", identityType: "EMAIL", mode: "MAGIC_LINK" })
    await countersign.initiate({ identity, identityType: "MOBILE", mode: undefined })
    expect(service.requests.map(({ body }) => body.mode)).toEqual(["MAGIC_LINK", "OTP"])
  })

  it("initiate starts a link that returns, with its parameters", async () => {
    const { countersign, service } = await world()
    const answer = { requestId: "ver_1", message: "sent", oneTapApplied: false, deviceToken: null, matchNumber: "47" }
    service.will(json(200, answer))
    const input = {
      identity,
      identityType: "MOBILE",
      mode: "OAUTH",
      channel: "WHATSAPP",
      redirectUri: "https://shop.example/back",
      state: "s",
      codeChallenge: "c".repeat(43),
      launchId: "lch_1"
    } as const
    expect(await countersign.initiate(input)).toEqual(answer)
    expect(service.requests[0]?.body).toEqual(input)
  })

  it("token exchanges a code", async () => {
    const { countersign, service } = await world()
    const answer = { requestId: "ver_1", identity, identityType: "MOBILE", idToken: "a.b.c", deviceTrusted: false }
    service.will(
      cut,
      json(200, answer),
      failure(400, "TRANSACTION_NOT_FOUND"),
      json(200, { ...answer, identity: null })
    )
    const input = { code: "ac_1", codeVerifier: "v".repeat(43), deviceToken: "dvc_1" }
    expect(await countersign.token(input)).toEqual(answer)
    const [first, again] = service.requests
    expect(first).toMatchObject({ method: "POST", path: "/v1/auth/token", body: input })
    expect(again?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"])
    expect(await failureOf(countersign.token({ code: "ac_1" }))).toMatchObject({ errorCode: "TRANSACTION_NOT_FOUND" })
    expect(await failureOf(countersign.token({ code: "ac_1" }))).toMatchObject({ errorCode: "NETWORK_ERROR" })
  })

  it("verify sends its input", async () => {
    const { countersign, service } = await world()
    const answer = { requestId: "ver_1", verified: false, message: "Invalid OTP, 2 attempts left", idToken: null }
    service.will(json(200, answer))
    expect(await countersign.verify({ orderId: "7", otp: "111111" })).toEqual(answer)
    expect(service.requests[0]).toMatchObject({ path: "/v1/auth/verify", body: { orderId: "7", otp: "111111" } })
  })

  it("login resolves to null if the person is not signed in", async () => {
    const { countersign, service } = await world()
    const answer = {
      requestId: "ver_1",
      identity,
      identityType: "MOBILE",
      countryCode: "91",
      nationalPhoneNumber: "9876543210",
      orderId: null,
      verifiedAt: "2026-01-31T09:30:00.000Z"
    }
    service.will(json(200, answer), json(200, null), json(200, { ...answer, identity: undefined }), json(200, {}))
    const input = { requestId: "ver_1", otp: "482913" }
    expect(await countersign.login(input)).toEqual(answer)
    expect(await countersign.login(input)).toBeNull()
    expect(await failureOf(countersign.login(input))).toMatchObject({ errorCode: "NETWORK_ERROR" })
    expect(await failureOf(countersign.login(input))).toMatchObject({ errorCode: "NETWORK_ERROR" })
    expect(service.requests[0]).toMatchObject({ method: "POST", path: "/v1/auth/login", body: input })
  })

  it("changes, deletes, and returns files as a Response", async () => {
    const { countersign, service } = await world()
    const file = (response: ServerResponse) =>
      response.writeHead(200, { "content-type": "text/csv" }).end("id,amount\r\n")
    service.will(json(200, { id: "tpl_1" }), cut, failure(404, "WEBHOOK_NOT_FOUND"), file, json(200, { items: [] }))
    expect(await failureOf(countersign.templates.update("a/b", { body: "{{code}}" }))).toMatchObject({
      errorCode: "NETWORK_ERROR"
    })
    expect(await countersign.webhooks.delete("whk_1")).toBeUndefined()
    const ledger = await countersign.billing.ledger({ limit: 2 }, { accept: "text/csv" })
    expect(await ledger.text()).toBe("id,amount\r\n")
    await failureOf(countersign.campaigns.create({ name: "a", channel: "SMS", template: "b", csv: "c", dryRun: true }))
    expect(service.requests.map(({ body, method, path }) => [`${method} ${path}`, body])).toEqual([
      ["PATCH /v1/dashboard/templates/a%2Fb", { body: "{{code}}" }],
      ["DELETE /v1/dashboard/webhooks/whk_1", undefined],
      ["DELETE /v1/dashboard/webhooks/whk_1", undefined],
      ["GET /v1/dashboard/ledger?limit=2", undefined],
      ["POST /v1/dashboard/campaigns?dryRun=true", { name: "a", channel: "SMS", template: "b", csv: "c" }]
    ])
    expect(service.requests[1]?.headers["idempotency-key"]).toBeUndefined()
  })

  it("without the id in its path sends nothing", async () => {
    const { countersign, service } = await world()
    for (const bad of ["", undefined, null, {}])
      expect(await failureOf(countersign.webhooks.get(bad as never))).toMatchObject({ errorCode: "INVALID_REQUEST" })
    expect(service.requests).toHaveLength(0)
  })

  it("status sends its id", async () => {
    const { countersign, service } = await world()
    const answer = {
      requestId: "ver_1",
      identity,
      identityType: "MOBILE",
      mode: "OTP",
      authStatus: "PENDING",
      verifiedAt: null,
      orderId: "a b&c",
      code: null,
      deliveries: [
        { channel: "SMS", type: "OTP", deliveryStatus: "SENT", attemptNumber: 1, carrier: "twilio", providerCode: null }
      ]
    }
    service.will(json(200, answer), json(200, answer))
    expect(await countersign.status({ orderId: "a b&c" })).toEqual(answer)
    await countersign.status({ requestId: "ver_1" })
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /v1/auth/status?orderId=a+b%26c",
      "GET /v1/auth/status?requestId=ver_1"
    ])
    expect(service.requests[0]?.headers).toMatchObject({
      "x-client-id": "cs_test_acme",
      "x-client-secret": clientSecret
    })
    expect(service.requests[0]?.headers["idempotency-key"]).toBeUndefined()
  })

  it("confirm sends its id", async () => {
    const { countersign, service } = await world()
    const not = {
      success: false,
      requestId: "ver_1",
      phoneNumber: null,
      countryCode: null,
      nationalPhoneNumber: null,
      identityType: null,
      authTime: null
    }
    service.will(json(200, confirmed), json(200, not))
    expect(await countersign.confirm({ requestId: "ver_1" })).toEqual(confirmed)
    expect(await countersign.confirm({ idToken: "a.b.c" })).toEqual(not)
    expect(service.requests.map(({ path }) => path)).toEqual(["/v1/auth/verify-code", "/v1/auth/verify-code"])
    expect(service.requests.map(({ body }) => body)).toEqual([{ requestId: "ver_1" }, { idToken: "a.b.c" }])
  })

  it("createSession creates a session token", async () => {
    const { countersign, service } = await world()
    const answer = { sessionToken: "a.b.c", scope: "sdk", expiresIn: 600, expiresAt: "2026-01-31T09:40:00.000Z" }
    service.will(json(200, answer))
    expect(await countersign.createSession()).toEqual(answer)
    expect(service.requests[0]).toMatchObject({ method: "POST", path: "/v1/sdk/session", body: {} })
  })
})

describe("a failing backend call", () => {
  it("retries a POST with one key, generated or given", async () => {
    const { countersign, service } = await world()
    service.will(cut, failure(502, "PROVIDER_ERROR"), initiated, failure(500, "INTERNAL_ERROR"), initiated)
    await countersign.initiate({ identity, identityType: "MOBILE" })
    const idempotencyKey = "0190b5f5-6f3a-7c2e-8d2a-000000000001"
    await countersign.initiate({ identity, identityType: "MOBILE" }, { idempotencyKey })
    const keys = service.requests.map(({ headers }) => headers["idempotency-key"])
    expect(new Set(keys.slice(0, 3)).size).toBe(1)
    expect(keys.slice(3)).toEqual([idempotencyKey, idempotencyKey])
  })

  it("retries a GET too", async () => {
    const { countersign, service } = await world()
    service.will(cut, html(502), failure(400, "TRANSACTION_NOT_FOUND"))
    expect(await failureOf(countersign.status({ requestId: "ver_1" }))).toMatchObject({
      errorCode: "TRANSACTION_NOT_FOUND",
      status: 400
    })
    expect(service.requests).toHaveLength(3)
  })

  it.each([
    { ...confirmed, success: "true" },
    { ...confirmed, phoneNumber: null },
    { ...confirmed, authTime: null },
    { ...confirmed, requestId: undefined },
    { success: true },
    {}
  ])("confirms no identity from an incomplete answer: %j", async (answer) => {
    const { countersign, service } = await world()
    service.will(json(200, answer))
    expect(await failureOf(countersign.confirm({ requestId: "ver_1" }))).toMatchObject({ errorCode: "NETWORK_ERROR" })
  })

  it("never sends the secret elsewhere, or in an error", async () => {
    const { countersign, service } = await world({ retries: 0 })
    const elsewhere = await startService()
    service.will((response) => response.writeHead(307, { location: elsewhere.baseUrl }).end(), cut)
    for (const call of [countersign.createSession(), countersign.createSession()])
      expect(inspect(await failureOf(call), { depth: 10, showHidden: true })).not.toContain(clientSecret)
    expect(elsewhere.requests).toHaveLength(0)
  })

  it("can always be aborted", async () => {
    const { countersign, service } = await world()
    const calls = [
      (signal: AbortSignal) => countersign.initiate({ identity, identityType: "MOBILE" }, { signal }),
      (signal: AbortSignal) => countersign.verify({ requestId: "ver_1", otp: "1" }, { signal }),
      (signal: AbortSignal) => countersign.token({ code: "ac_1" }, { signal }),
      (signal: AbortSignal) => countersign.status({ requestId: "ver_1" }, { signal }),
      (signal: AbortSignal) => countersign.confirm({ requestId: "ver_1" }, { signal }),
      (signal: AbortSignal) => countersign.createSession({}, { signal })
    ]
    for (const call of calls) {
      const controller = new AbortController()
      const arrived = service.arrival()
      service.will(silent)
      const outcome = call(controller.signal).catch((error: unknown) => error)
      await arrived
      controller.abort("enough")
      expect(await outcome).toBe("enough")
    }
    expect(service.requests).toHaveLength(calls.length)
  })
})
