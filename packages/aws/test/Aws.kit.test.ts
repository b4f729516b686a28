import { ChannelTest } from "@countersign/testkit"
import { AwsSimulator } from "@countersign/testkit/simulators"
import { accessKeyId, channel, region, secretAccessKey } from "./fixtures/world.ts"

const secrets = [secretAccessKey]
const xml = { "content-type": "text/xml" }
const id = "00000000-0000-4000-8000-000000000001"
const snsError = (code: string) =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`

ChannelTest.suite("aws sms", {
  make: (url) => channel("SMS", url),
  answers: {
    accepted: ChannelTest.http(
      200,
      `<PublishResponse><PublishResult><MessageId>${id}</MessageId></PublishResult></PublishResponse>`,
      xml
    ),
    refused: ChannelTest.http(400, snsError("InvalidParameter"), xml),
    overloaded: ChannelTest.http(400, snsError("Throttling"), { ...xml, "retry-after": "7" }),
    optedOut: ChannelTest.http(400, snsError("OptedOut"), xml),
    garbled: ChannelTest.http(200, "<html>")
  },
  secrets
})

ChannelTest.suite("aws mail", {
  make: (url) => channel("EMAIL", url),
  answers: {
    accepted: ChannelTest.http(200, { MessageId: id }),
    refused: ChannelTest.http(400, { message: "no" }, { "x-amzn-errortype": "MessageRejected" }),
    overloaded: ChannelTest.http(
      429,
      { message: "later" },
      { "x-amzn-errortype": "TooManyRequestsException", "retry-after": "7" }
    ),
    garbled: ChannelTest.http(200, "<html>")
  },
  secrets
})

const provider = AwsSimulator.make({ accessKeyId, secretAccessKey, region })

ChannelTest.suite("aws sms in front of the simulator", { make: (url) => channel("SMS", url), provider, secrets })
ChannelTest.suite("aws mail in front of the simulator", { make: (url) => channel("EMAIL", url), provider, secrets })
