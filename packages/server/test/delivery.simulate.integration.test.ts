import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Client } from "./fixture/Client.ts"
import { Dashboard } from "./fixture/Dashboard.ts"
import { shown } from "./fixture/Delivery.ts"
import { type ServerProcess, simulate } from "./fixture/ServerProcess.ts"
import { Service } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"
import * as Wire from "./fixture/Wire.ts"

describe("serve --simulate", () => {
  let directory: string
  let server: ServerProcess
  let url: string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "countersign-simulated-"))
    server = await simulate(directory)
    url = server.url
  })
  afterAll(async () => {
    assert.strictEqual((await server.kill("SIGTERM")).code, 0)
    await rm(directory, { recursive: true, force: true })
  })

  it("plays a whole login without a provider: WhatsApp fails, SMS is delivered, and its code verifies", async () => {
    const [, clientId] = /X-Client-Id +(cs_live_\w+)/.exec(server.output()) ?? []
    const [, clientSecret] = /X-Client-Secret +(sk_\w+)/.exec(server.output()) ?? []
    const service = new Service({ mode: "simulated", urls: [url], adminToken: "", close: async () => {} })
    const client = new Client(service, { clientId: clientId!, clientSecret: clientSecret!, publicKey: "" })
    assert.strictEqual((await client.settings({ fallbackChannel: "SMS" })).status, 200)
    const identity = "+919876540000"
    const requestId = await client.started({ identity, channel: "WHATSAPP" })
    const { body } = await until(
      () => client.status({ requestId }),
      ({ body }) => shown(body).join() === "WHATSAPP FAILED,SMS DELIVERED",
      { what: "the fallback" }
    )
    assert.strictEqual(body.authStatus, "PENDING")
    const outbox = await Wire.send(url, { path: "/dev/outbox" })
    const messages: ReadonlyArray<any> = outbox.body.items
    const sms = messages.find(({ channel, to }) => channel === "SMS" && to === identity)
    const [otp] = /\b\d{6}\b/.exec(sms.text) ?? []
    assert.isTrue(messages.every(({ text }) => text.includes(otp)))
    assert.isTrue(messages.every(({ at }) => at.startsWith("20")))
    assert.deepStrictEqual(
      messages.map(({ channel, code, status, to }) => [channel, code, status, to]),
      [
        ["SMS", otp, "DELIVERED", identity],
        ["WHATSAPP", otp, "FAILED", identity]
      ]
    )
    assert.strictEqual((await client.verify({ requestId, otp: otp! })).body.verified, true)
    assert.strictEqual((await client.status({ requestId })).body.authStatus, "VERIFIED")
  })

  it("shows the sign-in code of a team member at localhost, because simulated mail never leaves this machine", async () => {
    const [, clientId] = /X-Client-Id +(cs_live_\w+)/.exec(server.output()) ?? []
    const [, clientSecret] = /X-Client-Secret +(sk_\w+)/.exec(server.output()) ?? []
    const post = (path: string, body: object, headers: Record<string, string>) =>
      Wire.send(url, {
        method: "POST",
        path: `/v1/dashboard/${path}`,
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers }
      })
    const email = "asha@localhost"
    const key = { "x-client-id": clientId!, "x-client-secret": clientSecret! }
    assert.strictEqual((await post("agents", { email, role: "ADMIN", status: "ACTIVE" }, key)).status, 201)
    assert.strictEqual((await post("sessions", { email }, { origin: url })).status, 202)
    await until(
      () => Wire.send(url, { path: "/dev/outbox" }),
      ({ body }) => body.items.some(({ to }: { readonly to: string }) => to === email),
      { what: "the mail", within: 20_000 }
    )
  })

  describe("POST /dev/whatsapp", () => {
    const path = "/dev/whatsapp"
    const hi = JSON.stringify({ from: "+919812345678", name: "Asha", text: "Hi" })
    // As curl sends it without a content type.
    const form = { "content-type": "application/x-www-form-urlencoded" }

    it("simulates a message from a customer, and returns the provider's message id", async () => {
      const { body, status } = await Wire.send(url, { method: "POST", path, body: hi, headers: form })
      assert.strictEqual(status, 200)
      assert.match(body.messageId, /^wamid\./)
      const picture = JSON.stringify({ from: "+919812345678", image: { caption: "Look" } })
      assert.strictEqual((await Wire.send(url, { method: "POST", path, body: picture, headers: form })).status, 200)
    })

    it("an agent's file for that customer is in the outbox with its name and caption", async () => {
      await Wire.send(url, { method: "POST", path, body: hi, headers: form })
      const [, token] = /#redeem=(\w+)/.exec(server.output()) ?? []
      const service = new Service({ mode: "simulated", urls: [url], adminToken: "", close: async () => {} })
      const agent = new Dashboard(service)
      assert.strictEqual((await agent.post("/sessions/redeem", { token })).status, 200)
      const live = { "x-environment": "live" }
      const leads = await until(
        () => agent.send({ path: "/v1/dashboard/leads", headers: live }),
        ({ body }) => body.items.length === 1,
        { what: "the lead" }
      )
      const lead = `/v1/dashboard/leads/${leads.body.items[0].id}`
      const file = await agent.send({
        method: "POST",
        path: `${lead}/media`,
        headers: { ...live, "content-type": "application/octet-stream" },
        body: Buffer.from("%PDF-1.7\n")
      })
      assert.strictEqual(file.status, 201, file.text)
      const body = { attachment: file.body.attachment, fileName: "Prices", text: "Our prices" }
      assert.strictEqual((await agent.send({ method: "POST", path: `${lead}/reply`, headers: live, body })).status, 201)
      await until(
        () => Wire.send(url, { path: "/dev/outbox" }),
        ({ body }) => body.items.some(({ text }: { readonly text: string }) => text === "📎 Prices.pdf\nOur prices"),
        { what: "the file in the outbox" }
      )
    })

    it("rejects an invalid customer action with the reason and the correct form", async () => {
      for (const [body, words] of [
        [`{"from":"+919812345678"}`, "exactly one of text, image"],
        [`{"from":"+919812345678","txt":"Hi"}`, "txt"],
        ["{", "JSON"]
      ] as const) {
        const answer = await Wire.send(url, { method: "POST", path, body, headers: form })
        assert.deepStrictEqual([answer.status, answer.body.errorCode], [400, "INVALID_REQUEST"])
        assert.include(answer.body.message, words)
      }
      const read = await Wire.send(url, { path })
      assert.deepStrictEqual([read.status, read.headers["allow"]], [405, "POST"])
      assert.include(read.body.message, "curl")
    })

    it("is served only on this machine: requests by another host name or from another site are refused", async () => {
      for (const headers of [
        { host: "evil.example.com" },
        { origin: "https://evil.example.com" },
        { origin: "null" }
      ]) {
        const answer = await Wire.send(url, { method: "POST", path, body: hi, headers: { ...form, ...headers } })
        assert.deepStrictEqual([answer.status, answer.body.errorCode], [403, "FORBIDDEN"])
      }
    })
  })
})
