import { AwsSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { generateKeyPairSync, sign } from "node:crypto"
import {
  accessKeyId,
  channel,
  message,
  reference,
  region,
  request,
  secretAccessKey,
  topicArn
} from "./fixtures/world.ts"

const world = Effect.gen(function* () {
  const aws = yield* AwsSimulator.make({ accessKeyId, secretAccessKey, region, topicArn })
  const mail = yield* channel("EMAIL", aws.url)
  yield* mail.send(message({ to: "reader@mail.example.com" }))
  const [sent] = yield* aws.ledger
  return { aws, callback: mail.callback ?? assert.fail("no callback"), sent: sent! }
})

/** The requests to SNS in addition to the mail. */
const asks = (aws: AwsSimulator.AwsSimulator) =>
  Effect.map(aws.seen, (seen) => seen.map(({ raw }) => raw.slice(0, raw.indexOf(" HTTP"))).slice(1))

describe("an SES event", () => {
  it.effect("with a valid signature of the topic is read by the reference in the mail's header", () =>
    Effect.gen(function* () {
      const { aws, callback, sent } = yield* world
      const read = (kind: string, more: object = {}) =>
        Effect.map(callback.receive(request(aws.report(sent, kind, more))), ({ receipts }) =>
          receipts.map((receipt) => {
            assert.deepInclude(receipt, { reference, providerId: sent.id })
            return `${receipt.status} ${receipt.providerCode}`
          })
        )
      assert.deepStrictEqual(yield* read("Send"), ["SENT null"])
      assert.deepStrictEqual(yield* read("Delivery"), ["DELIVERED null"])
      assert.deepStrictEqual(yield* read("Open"), ["READ null"])
      const bounce = { bounce: { bounceType: "Permanent", bounceSubType: "NoEmail" } }
      assert.deepStrictEqual(yield* read("Bounce", bounce), ["FAILED NoEmail"])
      assert.deepStrictEqual(yield* read("Bounce", { bounce: { bounceSubType: "a@b.example" } }), ["FAILED Bounce"])
      assert.deepStrictEqual(yield* read("Reject"), ["FAILED Reject"])
      assert.deepStrictEqual(yield* read("Complaint"), [])
      assert.deepStrictEqual(yield* asks(aws), ["GET /SimpleNotificationService-0123456789abcdef0123456789abcdef.pem"])
    })
  )

  it.effect("of another topic is refused before any request, even with a valid signature", () =>
    Effect.gen(function* () {
      const { aws, callback } = yield* world
      const other = aws.signed({ TopicArn: topicArn.replace("123456789012", "210987654321") })
      assert.strictEqual((yield* Effect.flip(callback.receive(request(other))))._tag, "CallbackRefused")
      assert.deepStrictEqual(yield* asks(aws), [])
    })
  )

  it.effect("with a certificate at any other URL causes no request, however similar", () =>
    Effect.gen(function* () {
      const { aws, callback } = yield* world
      const file = "/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem"
      const addresses = [
        `https://evil.s3.amazonaws.com${file}`,
        `https://sns.ap-south-1.amazonaws.com.evil.example${file}`,
        `${aws.url}.evil.example${file}`,
        `${aws.url}@evil.example${file}`,
        `${aws.url}/x/..${file}`,
        `${aws.url}${file}?x`,
        `${aws.url}/latest/meta-data`,
        `http://169.254.169.254${file}`,
        "file:///etc/passwd",
        ""
      ]
      for (const SigningCertURL of addresses) {
        const { _tag } = yield* Effect.flip(callback.receive(request(aws.signed({ SigningCertURL }))))
        assert.strictEqual(_tag, "CallbackRefused", SigningCertURL)
      }
      assert.deepStrictEqual(yield* asks(aws), [])
    })
  )

  it.effect("signed with another key or version, or with other content, is refused", () =>
    Effect.gen(function* () {
      const { aws, callback, sent } = yield* world
      const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
      const genuine = aws.report(sent, "Delivery")
      const forged = [
        aws.signed({ Signature: sign("sha256", Buffer.from("x"), privateKey).toString("base64") }),
        aws.signed({ Signature: "" }),
        aws.signed({ SignatureVersion: "1" }),
        aws.signed({ Type: "UnsubscribeConfirmation" }),
        { ...genuine, body: genuine.body.replace("Delivery", "Bounce") },
        { ...genuine, body: genuine.body.replace("0000000001.dlv", "0000000002.dlv") },
        { ...genuine, body: "null" },
        { ...genuine, body: genuine.body.slice(1) }
      ]
      for (const report of forged) {
        const { _tag } = yield* Effect.flip(callback.receive(request(report)))
        assert.strictEqual(_tag, "CallbackRefused", report.body)
      }
      const { receipts } = yield* callback.receive(request(genuine))
      assert.strictEqual(receipts.length, 1)
    })
  )

  it.effect("with a forged certificate URL causes at most a dozen requests a minute", () =>
    Effect.gen(function* () {
      const { aws, callback, sent } = yield* world
      const forged = (n: number) =>
        request(
          aws.signed({ SigningCertURL: `${aws.url}/SimpleNotificationService-${String(n).padStart(32, "0")}.pem` })
        )
      for (let n = 0; n < 40; n++) yield* Effect.flip(callback.receive(forged(n)))
      assert.strictEqual((yield* asks(aws)).length, 12)
      yield* TestClock.adjust("1 minute")
      const { receipts } = yield* callback.receive(request(aws.report(sent, "Delivery")))
      assert.strictEqual(receipts.length, 1)
    })
  )

  it.effect("that confirms the subscription is confirmed only at SNS", () =>
    Effect.gen(function* () {
      const { aws, callback } = yield* world
      const subscription = {
        Type: "SubscriptionConfirmation",
        Token: "a token&TopicArn=another",
        SubscribeURL: "http://169.254.169.254/latest/meta-data"
      }
      const answer = yield* callback.receive(request(aws.signed(subscription)))
      assert.deepStrictEqual([answer.status, answer.receipts], [200, []])
      assert.deepStrictEqual(yield* aws.confirmed, ["a token&TopicArn=another"])
    })
  )
})
