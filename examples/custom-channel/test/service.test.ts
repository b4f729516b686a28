import { MemoryStorage } from "@countersign/core/memory"
import { makeService } from "@countersign/http"
import { Redacted } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, it, onTestFinished } from "vitest"
import * as GatewayViber from "../src/GatewayViber.ts"

/** A local gateway, and the first message that it receives. */
const gateway = async () => {
  const first = Promise.withResolvers<{ readonly to: string; readonly text: string }>()
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (piece) => (body += piece))
    request.on("end", () => {
      first.resolve(JSON.parse(body))
      response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify({ id: "m1" }))
    })
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, first: first.promise }
}

it("a service whose only channel is VIBER sends a code over it and verifies it", async () => {
  const { first, url } = await gateway()
  const viber = GatewayViber.make({
    url,
    apiKey: Redacted.make("an-api-key-of-the-gateway"),
    webhookSecret: Redacted.make("a-webhook-secret-of-the-gateway"),
    sender: "Example"
  })
  const service = await makeService({
    storage: MemoryStorage.layer,
    channels: [viber],
    baseUrl: "https://verify.example.com",
    secret: "00".repeat(32),
    settings: { primaryChannel: "VIBER", prices: { VIBER: 12 } }
  })
  onTestFinished(() => service.close())
  const { requestId } = await service.initiate({ identity: "+919876543210", identityType: "MOBILE" })
  const { text, to } = await first
  assert.strictEqual(to, "+919876543210")
  const [otp = ""] = /\d{6}/.exec(text) ?? []
  assert.isTrue((await service.verify({ requestId, otp })).verified)
})
