import type { CallbackRequest } from "@countersign/core/channel"
import { ChannelTest } from "@countersign/testkit"
import { Redacted } from "effect"
import { it } from "vitest"
import { make } from "../src/channel.ts"
import { sign } from "../src/receipts.ts"

const apiKey = "an-api-key-of-the-provider"
const webhookSecret = Redacted.make("a-webhook-secret-of-the-provider")

/** 9. A report as the provider makes it. */
const delivered = (reference: string): CallbackRequest => {
  const body = new TextEncoder().encode(JSON.stringify({ id: "m1", reference, status: "delivered" }))
  const signature = sign(webhookSecret, body).toString("hex")
  return {
    method: "POST",
    url: "https://verify.example.com/v1/callbacks/{{provider}}",
    query: {},
    header: (name) => (name === "x-{{provider}}-signature" ? signature : undefined),
    body
  }
}

ChannelTest.suite("{{provider}}", {
  make: (url) =>
    make({
      apiKey: Redacted.make(apiKey),
      from: "Acme",
      webhookSecret,
      publicUrl: "https://verify.example.com",
      apiUrl: url
    }),
  // 10. What the provider really answers: copy it from its documentation, or from one call of yours.
  answers: {
    accepted: ChannelTest.http(201, { id: "m1" }),
    refused: ChannelTest.http(400, { error: { code: "bad_recipient", message: "+12025550101 is not a number" } }),
    overloaded: ChannelTest.http(503, { error: { code: "busy" } }, { "retry-after": "7" }),
    garbled: ChannelTest.http(201, "<html>"),
    optedOut: ChannelTest.http(400, { error: { code: "unsubscribed", message: "+12025550101 answered STOP" } })
  },
  secrets: [apiKey, Redacted.value(webhookSecret)],
  receipt: delivered
})

// Cross each out by deleting its line. What the kit cannot know is here; everything else it checks.
it.todo("3. the request is the provider's own: path, credentials, names of fields")
it.todo("4. the provider's own error codes are in the table")
it.todo("6. and 7. reports are signed and named as the provider does it, or receipts.ts is deleted")
it.todo("10. the answers are the provider's own, word by word")
it.todo("one real message has arrived on a phone of yours")
