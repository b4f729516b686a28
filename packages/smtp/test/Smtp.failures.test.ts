import type { ChannelError } from "@countersign/core/channel"
import { Smtp } from "@countersign/smtp"
import { SmtpSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { message } from "./fixtures.ts"

const login = { user: "acme", password: "a-password-of-acme" }
const from = "Acme <codes@acme.example>"

/** In one line, such as `Refused recipient smtp_550`. */
const told = ({ reason }: ChannelError) =>
  [
    reason._tag,
    ...(reason._tag === "Refused" && reason.because !== undefined ? [reason.because] : []),
    reason.providerCode
  ].join(" ")

const sendTo = (url: string, words: Parameters<typeof message>[0] = {}) =>
  Effect.flatMap(Effect.orDie(Smtp.make({ url: Redacted.make(url), from })), ({ send }) => send(message(words)))

const failures: ReadonlyArray<
  readonly [fault: Parameters<SmtpSimulator.SmtpSimulator["play"]>[0], outcome: string, requests: number]
> = [
  ["closing", "Unavailable smtp_421", 0],
  ["loginRefused", "Refused account smtp_535", 0],
  ["loginBusy", "Unavailable smtp_454", 0],
  ["senderRefused", "Refused account smtp_553", 0],
  ["unknownRecipient", "Refused recipient smtp_550", 1],
  ["mailboxFull", "Unavailable smtp_452", 1],
  ["greylisting", "Unavailable smtp_451", 1],
  ["slamAtRecipient", "Unavailable econnection", 1],
  ["contentRefused", "Refused content smtp_554", 1],
  ["busyAfterData", "Unavailable smtp_451", 1],
  ["garbled", "OutcomeUnknown emessage", 1],
  ["slamAfterData", "OutcomeUnknown econnection", 1]
]

describe("the outcome of a mail by the server's behavior", () => {
  for (const [fault, outcome, requests] of failures) {
    it.effect(`${fault}: ${outcome}`, () =>
      Effect.gen(function* () {
        const server = yield* SmtpSimulator.make({ login })
        yield* server.play(fault)
        assert.strictEqual(told(yield* Effect.flip(sendTo(server.url))), outcome)
        assert.strictEqual((yield* server.seen).length, requests)
        assert.deepStrictEqual(yield* server.mails, [])
      })
    )
  }

  it.live("a timeout at RCPT TO fails only for this recipient", () =>
    Effect.gen(function* () {
      const server = yield* SmtpSimulator.make()
      yield* server.play("silentRecipient")
      const { reason } = yield* Effect.flip(sendTo(server.url))
      assert.deepInclude(reason, { _tag: "Unavailable", because: "recipient", providerCode: "etimedout" })
    })
  )

  it.effect("a greylisted mail is accepted at the second try", () =>
    Effect.gen(function* () {
      const server = yield* SmtpSimulator.make()
      yield* server.play("greylisting")
      const { send } = yield* Smtp.make({ url: Redacted.make(server.url), from })
      yield* Effect.flip(send(message()))
      assert.deepStrictEqual(yield* send(message()), { providerId: "<dlv_0123456789abcdefghjkmnpqrs@acme.example>" })
    })
  )

  it.effect("a connection that the server closed after a mail does not lose the next one", () =>
    Effect.gen(function* () {
      const server = yield* SmtpSimulator.make()
      const { send } = yield* Smtp.make({ url: Redacted.make(server.url), from, maxConnections: 1 })
      yield* send(message())
      yield* server.play("slamAfterData")
      assert.strictEqual(told(yield* Effect.flip(send(message()))), "OutcomeUnknown econnection")
      yield* server.play("accepted")
      yield* send(message())
      assert.strictEqual((yield* server.mails).length, 2)
    })
  )

  it.effect("a server that requires a login refuses our account without one", () =>
    Effect.gen(function* () {
      const server = yield* SmtpSimulator.make({ login })
      assert.strictEqual(
        told(yield* Effect.flip(sendTo(server.url.replace(/\/\/.*@/, "//")))),
        "Refused account smtp_530"
      )
    })
  )

  it.effect("an unknown host is a temporary failure", () =>
    Effect.gen(function* () {
      assert.strictEqual(told(yield* Effect.flip(sendTo("smtp://mail.invalid:2525"))), "Unavailable edns")
    })
  )

  it.effect("an invalid address is refused before a connection is opened", () =>
    Effect.gen(function* () {
      const server = yield* SmtpSimulator.make()
      const hostile = [
        "a@x.example, b@y.example",
        "u@x.example\r\nRCPT TO:<evil@e.example>",
        "<evil@e.example>",
        "Reader <evil@e.example>",
        "group: evil@e.example;",
        '"evil@e.example"@x.example',
        "u@x.example\u0000",
        "u@x.example\u2028evil@e.example",
        "@x.example",
        "u@",
        "u",
        ""
      ]
      for (const to of hostile) {
        assert.strictEqual(
          told(yield* Effect.flip(sendTo(server.url, { to }))),
          "Refused recipient invalid_address",
          JSON.stringify(to)
        )
      }
      assert.deepStrictEqual(yield* server.seen, [])
    })
  )
})

describe("encryption of a mail", () => {
  it.effect("a server without STARTTLS receives neither login nor mail", () =>
    Effect.gen(function* () {
      const server = yield* SmtpSimulator.make({ login })
      const error = yield* Effect.flip(sendTo(server.url.replace("?ignoreTLS=true", "")))
      assert.strictEqual(told(error), "Refused account smtp_500")
      assert.deepStrictEqual(yield* server.seen, [])
    })
  )

  for (const tls of ["starttls", "immediate"] as const) {
    it.effect(`${tls}: a certificate of another server ends the connection`, () =>
      Effect.gen(function* () {
        const server = yield* SmtpSimulator.make({ login, tls })
        assert.strictEqual(told(yield* Effect.flip(sendTo(server.url))), "Refused account certificate")
        assert.deepStrictEqual(yield* server.seen, [])
      })
    )

    it.effect(`${tls}: a mail is encrypted with a trusted certificate`, () =>
      Effect.gen(function* () {
        const name = "NODE_TLS_REJECT_UNAUTHORIZED"
        yield* Effect.acquireRelease(
          Effect.sync(() => {
            process.env[name] = "0"
          }),
          () =>
            Effect.sync(() => {
              delete process.env[name]
            })
        )
        const server = yield* SmtpSimulator.make({ login, tls })
        yield* sendTo(server.url)
        assert.deepStrictEqual(
          (yield* server.seen).map(({ secure, to }) => ({ secure, to })),
          [{ secure: true, to: "reader@mail.example" }]
        )
      })
    )
  }
})
