import { ChannelTest } from "@countersign/testkit"
import {
  accountSid,
  authToken,
  callbackUrl,
  channel,
  messagingServiceSid,
  rcsSender,
  sid,
  signed,
  simulator
} from "./fixtures/world.ts"

const basic = Buffer.from(`${accountSid}:${authToken}`).toString("base64")
const secrets = [authToken, basic]

const receipt = (reference: string) =>
  signed(
    [
      ["MessageSid", sid],
      ["MessageStatus", "delivered"],
      ["AccountSid", accountSid],
      ["ErrorCode", ""],
      ["ApiVersion", "2010-04-01"]
    ],
    `${callbackUrl}?ref=${reference}`
  )

ChannelTest.suite("twilio sms", {
  make: (url) => channel(url),
  answers: {
    accepted: ChannelTest.http(201, { sid, account_sid: accountSid, status: "queued", error_code: null }),
    refused: ChannelTest.http(400, { code: 21211, message: "Invalid 'To' Phone Number", status: 400 }),
    overloaded: ChannelTest.http(
      429,
      { code: 20429, message: "Too Many Requests", status: 429 },
      { "retry-after": "7" }
    ),
    garbled: ChannelTest.http(201, "<html>"),
    optedOut: ChannelTest.http(400, { code: 21610, message: "Attempt to send to unsubscribed recipient", status: 400 })
  },
  secrets,
  receipt
})

ChannelTest.suite("twilio sms in front of the simulator", {
  make: (url) => channel(url, { messagingServiceSid }),
  provider: simulator(),
  secrets,
  receipt
})

ChannelTest.suite("twilio rcs in front of the simulator", {
  make: (url) => channel(url, { rcsSender }),
  provider: simulator(),
  secrets,
  receipt
})
