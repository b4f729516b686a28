import { Aws } from "@countersign/aws"
import { InvalidOptions } from "@countersign/core/channel"
import { AwsSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { accessKeyId, channel, code, message, options, reference, region, secretAccessKey } from "./fixtures/world.ts"

const world = (name: "SMS" | "EMAIL", more: Partial<Aws.Options> = {}) =>
  Effect.gen(function* () {
    const aws = yield* AwsSimulator.make({ accessKeyId, secretAccessKey, region })
    return { aws, channel: yield* channel(name, aws.url, more) }
  })

const reasonOf = (name: "SMS" | "EMAIL", status: number, headers: { readonly [name: string]: string }, body: string) =>
  Effect.gen(function* () {
    const { aws, channel: sending } = yield* world(name)
    yield* aws.play({ status, headers, body })
    const { reason } = yield* Effect.flip(
      sending.send(message({ to: name === "SMS" ? "+919812345678" : "a@b.example" }))
    )
    return `${reason._tag} ${reason.providerCode}${reason._tag === "Refused" ? ` ${reason.because}` : ""}`
  }).pipe(Effect.scoped)

describe("the AWS channels", () => {
  it.effect("send an SMS as one signed Publish, transactional, with sender and DLT ids", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("20000 days")
      const { aws, channel: sms } = yield* world("SMS")
      const sent = yield* sms.send(message({ options: { header: "OTHERS", templateId: "1207161234567890123" } }))
      const [taken, ...more] = yield* aws.ledger
      assert.strictEqual(more.length, 0)
      assert.strictEqual(sent.providerId, taken?.id)
      assert.deepInclude(taken?.wanted, { to: "+919812345678", text: `${code} is your Acme code` })
      assert.deepStrictEqual(taken?.wanted.attributes, {
        "AWS.SNS.SMS.SMSType": "Transactional",
        "AWS.SNS.SMS.SenderID": "OTHERS",
        "AWS.MM.SMS.EntityId": "1201161234567890123",
        "AWS.MM.SMS.TemplateId": "1207161234567890123"
      })
      const [{ raw } = { raw: "" }] = yield* aws.seen
      assert.match(raw, /Credential=AKIAIOSFODNN7EXAMPLE\/20241004\/ap-south-1\/sns\/aws4_request/)
      assert.match(raw, /x-amz-date: 20241004T000000Z/i)
      assert.deepStrictEqual([sms.supports.receipts, sms.callback], [false, undefined])
    })
  )

  it.effect("accept a number as the origination number, and sign a session token", () =>
    Effect.gen(function* () {
      const { aws, channel: sms } = yield* world("SMS", {
        smsFrom: "+15005550006",
        entityId: undefined,
        sessionToken: Redacted.make("a-session-token")
      })
      yield* sms.send(message())
      const [taken] = yield* aws.ledger
      assert.deepStrictEqual(taken?.wanted.attributes, {
        "AWS.SNS.SMS.SMSType": "Transactional",
        "AWS.MM.SMS.OriginationNumber": "+15005550006"
      })
      const [{ raw } = { raw: "" }] = yield* aws.seen
      assert.match(raw, /SignedHeaders=host;x-amz-date;x-amz-security-token/)
    })
  )

  it.effect("send a mail as one signed SendEmail to one address, with a one-line subject", () =>
    Effect.gen(function* () {
      const { aws, channel: mail } = yield* world("EMAIL")
      yield* mail.send(message({ to: "reader@mail.example.com" }))
      const [taken] = yield* aws.ledger
      const words = (data: string) => ({ Data: data, Charset: "UTF-8" })
      assert.deepStrictEqual(taken?.wanted.body, {
        FromEmailAddress: "Acme <codes@acme.example>",
        Destination: { ToAddresses: ["reader@mail.example.com"] },
        Content: {
          Simple: {
            Subject: words(`${code} is your Acme code Bcc: other@example.com`),
            Body: { Text: words(`${code} is your Acme code`), Html: words(`<p>${code}</p>`) },
            Headers: [
              { Name: "X-Countersign-Reference", Value: reference },
              { Name: "Auto-Submitted", Value: "auto-generated" }
            ]
          }
        },
        ConfigurationSetName: "mails"
      })
      for (const to of ["a@b.example, c@d.example", "Acme <a@b.example>", "a@b.example\r\nBcc: c@d.example"]) {
        const { reason } = yield* Effect.flip(mail.send(message({ to })))
        assert.deepInclude(reason, { _tag: "Refused", because: "recipient" })
      }
      assert.strictEqual((yield* aws.seen).length, 1)
    })
  )

  it.effect("send a notice to a team member as a mail in plain text", () =>
    Effect.gen(function* () {
      const { aws, channel: mail } = yield* world("EMAIL")
      const { code: _code, ...common } = message({ to: "agent@mail.example.com" })
      assert.include(mail.supports.kinds ?? [], "Notice")
      yield* mail.send({
        ...common,
        _tag: "Notice",
        subject: Redacted.make("3 customers are waiting"),
        text: Redacted.make("Open the inbox:\nhttps://verify.example.com/dashboard/inbox"),
        html: null,
        validForSeconds: null,
        expiresAt: null
      })
      const [taken] = yield* aws.ledger
      const words = (data: string) => ({ Data: data, Charset: "UTF-8" })
      assert.deepNestedInclude(taken?.wanted.body, {
        "Destination.ToAddresses": ["agent@mail.example.com"],
        "Content.Simple.Subject": words("3 customers are waiting"),
        "Content.Simple.Body": { Text: words("Open the inbox:\nhttps://verify.example.com/dashboard/inbox") }
      })
    })
  )

  it.effect("report a wrong secret as refused, without AWS's message", () =>
    Effect.gen(function* () {
      for (const name of ["SMS", "EMAIL"] as const) {
        const { channel: sending } = yield* world(name, { secretAccessKey: Redacted.make("another") })
        const to = name === "SMS" ? "+919812345678" : "a@b.example"
        const { reason } = yield* Effect.flip(sending.send(message({ to })))
        const providerCode = name === "SMS" ? "SignatureDoesNotMatch" : "InvalidSignature"
        assert.deepInclude(reason, { _tag: "Refused", providerCode, because: "account" })
      }
    })
  )

  it.effect("are checked without sending, and the check reports whether the key is valid", () =>
    Effect.gen(function* () {
      for (const name of ["SMS", "EMAIL"] as const) {
        const { aws, channel: right } = yield* world(name)
        assert.deepStrictEqual(yield* right.check!, { detail: "accepts the access key and its secret" })
        const wrong = yield* channel(name, aws.url, { secretAccessKey: Redacted.make("another") })
        const { problem } = yield* Effect.flip(wrong.check!)
        assert.strictEqual(problem, "does not accept the access key and its secret (HTTP 403)")
        assert.deepStrictEqual(yield* aws.ledger, [])
      }
    })
  )

  it.effect("map errors by AWS's names, and otherwise by the status", () =>
    Effect.gen(function* () {
      const sns = (status: number, name: string) =>
        reasonOf(
          "SMS",
          status,
          {},
          `<ErrorResponse><Error><Code>${name}</Code><Message>${code}</Message></Error></ErrorResponse>`
        )
      const ses = (status: number, name: string) =>
        reasonOf("EMAIL", status, { "x-amzn-errortype": name }, `{"message":"${code} to a@b.example"}`)
      assert.deepStrictEqual(
        [
          yield* sns(400, "InvalidParameter"),
          yield* sns(400, "Throttling"),
          yield* sns(403, "InvalidClientTokenId"),
          yield* sns(403, "AuthorizationError"),
          yield* sns(500, "InternalError"),
          yield* sns(503, "ServiceUnavailable"),
          yield* sns(403, "+919812345678"),
          yield* sns(200, "x"),
          yield* ses(400, "MessageRejected"),
          yield* ses(400, "BadRequestException:http://internal.amazon.com/coral/com.amazonaws/"),
          yield* ses(400, "SendingPausedException"),
          yield* ses(429, "TooManyRequestsException"),
          yield* ses(403, "ExpiredTokenException"),
          yield* reasonOf("EMAIL", 403, {}, `{"__type":"com.amazon.coral#AccessDeniedException"}`)
        ],
        [
          "Refused InvalidParameter recipient",
          "Unavailable Throttling",
          "Refused InvalidClientTokenId account",
          "Refused AuthorizationError account",
          "OutcomeUnknown http_500",
          "Unavailable ServiceUnavailable",
          "Refused http_403 account",
          "OutcomeUnknown unreadable",
          "Refused MessageRejected content",
          "Refused BadRequest undefined",
          "Refused SendingPaused account",
          "Unavailable TooManyRequests",
          "Refused ExpiredToken account",
          "Refused AccessDenied account"
        ]
      )
    })
  )

  it.effect("report every invalid option together, without its value", () =>
    Effect.gen(function* () {
      const problemsOf = (wrong: Partial<Aws.Options>) =>
        Effect.map(Effect.flip(Aws.make({ ...options, ...wrong })), (problem) => {
          assert.instanceOf(problem, InvalidOptions)
          assert.notInclude(problem.message, "hunter")
          return problem.problems.map(({ option }) => option)
        })
      assert.deepStrictEqual(
        yield* problemsOf({
          accessKeyId: "hunter",
          secretAccessKey: Redacted.make("hunter 2"),
          sessionToken: Redacted.make("hunter 2"),
          region: "hunter",
          smsFrom: "hunter in the woods",
          entityId: "hunter",
          emailFrom: "hunter",
          configurationSet: "hunter 2",
          topicArn: "hunter",
          snsUrl: "http://hunter.example.com",
          sesUrl: "http://hunter.example.com",
          perSecond: 0
        }),
        Object.keys({
          accessKeyId: 0,
          secretAccessKey: 0,
          sessionToken: 0,
          region: 0,
          smsFrom: 0,
          entityId: 0,
          emailFrom: 0,
          configurationSet: 0,
          topicArn: 0,
          snsUrl: 0,
          sesUrl: 0,
          perSecond: 0
        })
      )
      assert.deepStrictEqual(yield* problemsOf({ smsFrom: undefined, emailFrom: undefined }), ["smsFrom", "topicArn"])
      assert.deepStrictEqual(yield* problemsOf({ topicArn: options.topicArn?.replace(region, "us-east-1") }), [
        "topicArn"
      ])
      assert.deepStrictEqual(yield* problemsOf({ configurationSet: undefined }), ["configurationSet"])
      assert.deepStrictEqual(yield* problemsOf({ emailFrom: "Acme\r\nBcc: a@b.example <c@d.example>" }), ["emailFrom"])
    })
  )
})
