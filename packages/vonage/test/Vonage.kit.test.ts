import { ChannelTest } from "@countersign/testkit"
import { VonageSimulator } from "@countersign/testkit/simulators"
import { apiKey, apiSecret, channel, report, signatureSecret, uuid } from "./fixtures/world.ts"

const secrets = [apiSecret, signatureSecret, Buffer.from(`${apiKey}:${apiSecret}`).toString("base64")]
const receipt = (reference: string) => report({ message_uuid: uuid, client_ref: reference, status: "delivered" })
const problem = { "content-type": "application/problem+json" }

ChannelTest.suite("vonage sms", {
  make: (url) => channel(url),
  answers: {
    accepted: ChannelTest.http(202, { message_uuid: uuid }),
    refused: ChannelTest.http(
      422,
      { type: "https://developer.vonage.com/api-errors/messages#1020", title: "Invalid params" },
      problem
    ),
    overloaded: ChannelTest.http(429, { title: "Rate Limit Hit" }, { ...problem, "retry-after": "7" }),
    garbled: ChannelTest.http(202, "<html>")
  },
  secrets,
  receipt
})

ChannelTest.suite("vonage sms in front of the simulator", {
  make: (url) => channel(url),
  provider: VonageSimulator.make({ apiKey, apiSecret, signatureSecret }),
  secrets,
  receipt
})
