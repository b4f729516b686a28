import type { CallbackRequest } from "@countersign/core/channel"
import { ChannelTest } from "@countersign/testkit"
import { Effect, Redacted } from "effect"
import { sign } from "../src/GatewayReceipts.ts"
import * as GatewayViber from "../src/GatewayViber.ts"

const apiKey = "an-api-key-of-the-gateway"
const webhookSecret = Redacted.make("a-webhook-secret-of-the-gateway")

/** A report in the gateway's format. */
const delivered = (reference: string): CallbackRequest => {
  const body = new TextEncoder().encode(JSON.stringify({ reports: [{ id: "m1", reference, status: "delivered" }] }))
  const headers: { readonly [name: string]: string } = {
    "content-type": "application/json",
    "x-gateway-signature": sign(webhookSecret, body).toString("hex")
  }
  return {
    method: "POST",
    url: "https://verify.example.com/v1/callbacks/gateway",
    query: {},
    header: (name) => headers[name],
    body
  }
}

ChannelTest.suite("gateway viber", {
  make: (url) =>
    Effect.succeed(
      GatewayViber.make({
        url,
        apiKey: Redacted.make(apiKey),
        webhookSecret,
        sender: "Example"
      })
    ),
  answers: {
    accepted: ChannelTest.http(201, { id: "m1", status: "queued" }),
    refused: ChannelTest.http(400, { error: { code: "bad_number", message: "+12025550101 is not a mobile number" } }),
    overloaded: ChannelTest.http(503, { error: { code: "busy" } }, { "retry-after": "7" }),
    garbled: ChannelTest.http(201, "<html>"),
    optedOut: ChannelTest.http(400, { error: { code: "unsubscribed", message: "+12025550101 answered STOP" } })
  },
  secrets: [apiKey, Redacted.value(webhookSecret)],
  receipt: delivered
})
