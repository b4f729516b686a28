import { randomUUID } from "node:crypto"
import { connect } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { refused } from "./fixture/Client.ts"
import { Dashboard, invited } from "./fixture/Dashboard.ts"
import { type SimulatedWhatsApp, simulatedWhatsApp } from "./fixture/SimulatedWhatsApp.ts"
import { memory, type Merchant, type Service } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"

const customer = "+919812345678"
const png = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex")
const pdf = Buffer.from("%PDF-1.7\n%%EOF\n")
const asBytes = { "content-type": "application/octet-stream", "x-environment": "live" }

/** The service in this process behind a real port, in front of a simulated WhatsApp. */
describe("a file in a reply", () => {
  let meta: SimulatedWhatsApp
  let service: Service
  let merchant: Merchant
  let agent: Dashboard

  const signedIn = async (of: Merchant, role = "AGENT") => {
    const { token } = await invited(of, { role })
    const browser = new Dashboard(service)
    assert.strictEqual((await browser.post("/sessions/redeem", { token })).status, 200)
    return browser
  }

  beforeAll(async () => {
    meta = await simulatedWhatsApp()
    service = await memory({ channels: [meta.channel] })
    await meta.callsTo(service)
    // The first merchant owns the inbox of the service's own number.
    merchant = await service.merchant()
    agent = await signedIn(merchant)
    for (const from of [customer, "+919812345679"]) await meta.says(from, "Hello")
    await until(
      () => merchant.live.get("/v1/dashboard/leads"),
      ({ body }) => body.items.length === 2,
      { what: "two leads" }
    )
  })
  afterAll(async () => {
    await service?.close()
    await meta.close()
  })

  const upload = (body: unknown, { by = agent, headers = {}, lead = 1 } = {}) =>
    by.send({ method: "POST", path: `/v1/dashboard/leads/${lead}/media`, headers: { ...asBytes, ...headers }, body })
  const reply = (body: object, lead = 1) => merchant.live.post(`/v1/dashboard/leads/${lead}/reply`, body)
  const leadOf = async (phone: string): Promise<number> =>
    (await merchant.live.get("/v1/dashboard/leads")).body.items.find(({ contact }: any) => contact === phone.slice(1))
      .id

  it("goes to WhatsApp once, arrives with its caption and name, and can be seen in the inbox", async () => {
    const lead = await leadOf(customer)
    const { body, status, text } = await upload(pdf, { lead })
    assert.strictEqual(status, 201, text)
    const { attachment, ...facts } = body
    assert.deepStrictEqual(facts, { kind: "document", type: "application/pdf", size: pdf.length })
    const sent = await reply({ attachment, fileName: "../../Bill.exe", text: "Your bill" }, lead)
    assert.strictEqual(sent.status, 201, sent.text)
    assert.deepInclude(sent.body, { type: "document", text: "Your bill", status: "PENDING" })
    assert.deepInclude(sent.body.media, { fileName: "Bill.exe.pdf", type: "application/pdf", size: pdf.length })
    const [message] = await until(meta.messages, (all) => all.length === 1, { what: "the message" })
    assert.deepInclude(message!.payload, {
      type: "document",
      document: { id: sent.body.media.id, caption: "Your bill", filename: "Bill.exe.pdf" }
    })
    const path = `/v1/dashboard/leads/${lead}/messages/${sent.body.id}/media`
    const file = await fetch(`${service.url()}${path}`, { headers: merchant.live.credentials })
    assert.strictEqual(file.status, 200)
    assert.deepStrictEqual(Buffer.from(await file.arrayBuffer()), pdf)
    assert.match(file.headers.get("content-disposition")!, /^attachment; filename\*=UTF-8''Bill\.exe\.pdf$/)
  })

  it("is uploaded once per idempotency key, and another file with the key is refused", async () => {
    const headers = { "idempotency-key": randomUUID() }
    const before = await meta.uploads()
    const first = await upload(png, { headers })
    assert.strictEqual(first.status, 201, first.text)
    assert.deepStrictEqual((await upload(png, { headers })).body, first.body)
    refused(await upload(pdf, { headers }), "IDEMPOTENCY_KEY_REUSED")
    assert.strictEqual(await meta.uploads(), before + 1)
  })

  it("belongs to one lead of one merchant, and only agents upload it", async () => {
    const { attachment } = (await upload(png)).body
    refused(await reply({ attachment }, 2), "INVALID_REQUEST", "attachment")
    refused(await reply({ attachment: `${attachment}0` }), "INVALID_REQUEST", "attachment")
    const other = await service.merchant()
    await other.live.post("/v1/dashboard/leads", { phone: customer })
    const stolen = await other.live.post("/v1/dashboard/leads/1/reply", { attachment })
    refused(stolen, "INVALID_REQUEST", "attachment")
    const before = await meta.uploads()
    assert.strictEqual((await upload(png, { by: await signedIn(other) })).status, 400)
    assert.strictEqual((await upload(png, { by: await signedIn(merchant, "VIEWER") })).status, 403)
    assert.strictEqual((await upload(png, { lead: 99 })).status, 404)
    const byKey = await merchant.live.send({
      method: "POST",
      path: "/v1/dashboard/leads/1/media",
      headers: asBytes,
      body: png
    })
    assert.strictEqual(byKey.status, 403)
    assert.strictEqual((await upload(png, { headers: { origin: "https://evil.example" } })).status, 403)
    assert.strictEqual(await meta.uploads(), before)
  })

  it("of another type, announced as JSON or compressed, or without bytes, never reaches WhatsApp", async () => {
    const before = await meta.uploads()
    const page = Buffer.from("<!doctype html><script>alert(1)</script>")
    refused(await upload(page), "INVALID_REQUEST", "file")
    refused(await upload(Buffer.from("<svg onload='alert(1)'/>")), "INVALID_REQUEST", "file")
    refused(await upload(Buffer.alloc(0)), "INVALID_REQUEST", "file")
    assert.include((await upload(png, { headers: { "content-type": "application/json" } })).text, "octet-stream")
    assert.strictEqual((await upload(png, { headers: { "content-type": "text/plain" } })).status, 400)
    assert.strictEqual((await upload(png, { headers: { "content-encoding": "gzip" } })).status, 400)
    assert.strictEqual(await meta.uploads(), before)
  })

  it("may have 16 MB, and a longer one is refused", async () => {
    const video = Buffer.alloc(16_000_000)
    video.write("\0\0\0\x18ftypisom", "latin1")
    const { body, status, text } = await upload(video)
    assert.strictEqual(status, 201, text)
    assert.deepInclude(body, { kind: "video", type: "video/mp4", size: 16_000_000 })
    const before = await meta.uploads()
    refused(await upload(Buffer.concat([video, Buffer.alloc(1)])), "PAYLOAD_TOO_LARGE")
    assert.strictEqual(await meta.uploads(), before)
  })

  it("without an announced length is refused as soon as it is too long", async () => {
    const before = await meta.uploads()
    const { hostname, port } = new URL(service.url())
    const answer = await new Promise<string>((done) => {
      const socket = connect(Number(port), hostname, () => {
        const head = [
          "POST /v1/dashboard/leads/1/media HTTP/1.1",
          `Host: ${new URL(agent.origin).host}`,
          `Origin: ${agent.origin}`,
          `Cookie: ${agent.cookie!}`,
          ...Object.entries(asBytes).map(([name, value]) => `${name}: ${value}`),
          "Transfer-Encoding: chunked"
        ]
        socket.write(`${head.join("\r\n")}\r\n\r\n`)
        const piece = Buffer.concat([Buffer.from("f4240\r\n"), Buffer.alloc(1_000_000), Buffer.from("\r\n")])
        // Never ends the body: only the refusal answers.
        const write = (left: number) => (left > 0 ? socket.write(piece, () => write(left - 1)) : undefined)
        write(20)
      })
      socket.on("data", (text) => {
        done(text.toString("latin1").slice(0, 12))
        socket.destroy()
      })
      socket.on("error", () => done("closed"))
      socket.on("close", () => done("closed"))
    })
    assert.strictEqual(answer, "HTTP/1.1 413")
    assert.strictEqual(await meta.uploads(), before)
  })

  it("that breaks off is not uploaded, and the next one is", async () => {
    const before = await meta.uploads()
    const { hostname, port } = new URL(service.url())
    await new Promise<void>((done) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          [
            "POST /v1/dashboard/leads/1/media HTTP/1.1",
            `Host: ${new URL(agent.origin).host}`,
            `Origin: ${agent.origin}`,
            `Cookie: ${agent.cookie!}`,
            ...Object.entries(asBytes).map(([name, value]) => `${name}: ${value}`),
            "Content-Length: 1000000",
            "",
            ""
          ].join("\r\n")
        )
        socket.write(png, () => socket.destroy())
      })
      socket.on("close", () => done())
      socket.on("error", () => {})
    })
    assert.strictEqual((await upload(png)).status, 201)
    assert.strictEqual(await meta.uploads(), before + 1)
  })

  it("is sent once when its reply is repeated with the same idempotency key", async () => {
    const { attachment } = (await upload(pdf)).body
    const headers = { "idempotency-key": randomUUID(), "x-environment": "live" }
    const body = { attachment, fileName: "Once.pdf" }
    const path = "/v1/dashboard/leads/1/reply"
    const both = await Promise.all([1, 2].map(() => agent.send({ method: "POST", path, body, headers })))
    const again = await agent.send({ method: "POST", path, body, headers })
    for (const { status, text } of [...both, again]) assert.include([201, 409], status, text)
    assert.strictEqual(again.status, 201, again.text)
    const named = async () =>
      (await meta.messages()).filter(({ payload }) => JSON.stringify(payload).includes("Once.pdf"))
    await until(named, (all) => all.length > 0, { what: "the message" })
    // A reply of its own is sent after it, so a second copy would have arrived before.
    assert.strictEqual((await reply({ text: "After it" })).status, 201)
    await until(meta.messages, (all) => all.some(({ text }) => text === "After it"), { what: "the next message" })
    assert.strictEqual((await named()).length, 1)
  })

  it("of the live environment is unknown in test, where no file reaches WhatsApp", async () => {
    const { attachment } = (await upload(png)).body
    const before = await meta.uploads()
    const inTest = { "x-environment": "test" }
    assert.strictEqual((await upload(png, { headers: inTest })).status, 404)
    const lead = await merchant.test.post("/v1/dashboard/leads", { phone: customer })
    const { id } = lead.body
    const stolen = await merchant.test.post(`/v1/dashboard/leads/${id}/reply`, { attachment })
    refused(stolen, "INVALID_REQUEST", "attachment")
    assert.strictEqual(await meta.uploads(), before)
  })

  it("does not escape its type by its name or by what surrounds it", async () => {
    const before = await meta.uploads()
    const program = Buffer.from("MZ\u0090\0\u0003\0\0\0", "latin1")
    const archive = Buffer.from(`PK\u0003\u0004${"\0".repeat(26)}`, "latin1")
    const heic = Buffer.from("\0\0\0\u0018ftypheic", "latin1")
    const gif = Buffer.from("GIF89a\u0001\0\u0001\0", "latin1")
    for (const bytes of [program, archive, heic, gif, Buffer.from("#!/bin/sh\n"), Buffer.from("{\\rtf1}")])
      refused(await upload(bytes), "INVALID_REQUEST", "file")
    assert.strictEqual(await meta.uploads(), before)
    // A PDF with a program behind it is a PDF for everybody who reads it, whatever name the sender gives it.
    const { attachment, type } = (await upload(Buffer.concat([pdf, program]))).body
    assert.strictEqual(type, "application/pdf")
    const sent = await reply({ attachment, fileName: "run.exe" })
    assert.strictEqual(sent.body.media.fileName, "run.exe.pdf")
  })

  it("of 16 MB, twenty times at once, takes the memory of one: the others are told to try again", async () => {
    const video = Buffer.alloc(16_000_000)
    video.write("\0\0\0\x18ftypisom", "latin1")
    const before = await meta.uploads()
    const answers = await Promise.all(Array.from({ length: 20 }, () => upload(video)))
    const made = answers.filter(({ status }) => status === 201).length
    assert.isAtLeast(made, 1)
    for (const { headers, status, text } of answers) {
      assert.include([201, 429], status, text)
      if (status === 429) assert.match(String(headers["retry-after"]), /^[1-5]$/)
    }
    assert.strictEqual(await meta.uploads(), before + made)
    assert.strictEqual((await upload(png)).status, 201)
  })

  it("that WhatsApp refuses is answered with its code", async () => {
    await meta.revoke()
    refused(await upload(png), "PROVIDER_ERROR")
  })
})
