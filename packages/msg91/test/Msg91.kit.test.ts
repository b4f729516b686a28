import { ChannelTest } from "@countersign/testkit"
import { Msg91Simulator } from "@countersign/testkit/simulators"
import { authKey, channel, report, requestId, templateId, webhookSecret } from "./fixtures/world.ts"

const secrets = [authKey, webhookSecret]
const receipt = (reference: string) => report({ CRQID: reference, requestId, status: "DELIVERED" })

ChannelTest.suite("msg91 sms", {
  make: (url) => channel(url),
  answers: {
    accepted: ChannelTest.http(200, { message_id: requestId, message: requestId, type: "success" }),
    refused: ChannelTest.http(200, { type: "error", code: "101", message: "invalid mobile number" }),
    overloaded: ChannelTest.http(429, { type: "error", message: "Too Many Requests" }, { "retry-after": "7" }),
    garbled: ChannelTest.http(200, "<html>")
  },
  carries: "code",
  secrets,
  receipt
})

ChannelTest.suite("msg91 sms in front of the simulator", {
  make: (url) => channel(url),
  provider: Msg91Simulator.make({ authKey, templateIds: [templateId] }),
  carries: "code",
  secrets,
  receipt
})
