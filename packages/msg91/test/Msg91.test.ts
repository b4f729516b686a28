import { InvalidOptions } from "@countersign/core/channel"
import { Msg91 } from "@countersign/msg91"
import { Msg91Simulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import {
  authKey,
  channel,
  code,
  message,
  reference,
  report,
  requestId,
  templateId,
  webhookSecret
} from "./fixtures/world.ts"

const world = Effect.fnUntraced(function* (options: Partial<Msg91.Options> = {}) {
  const msg91 = yield* Msg91Simulator.make({ authKey, templateIds: [templateId] })
  return { msg91, channel: yield* channel(msg91.url, options) }
})

const reasonOf = (status: number, body: unknown) =>
  Effect.gen(function* () {
    const { channel: sms, msg91 } = yield* world()
    yield* msg91.play({ status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
    const { reason } = yield* Effect.flip(sms.send(message()))
    return `${reason._tag} ${reason.providerCode}`
  }).pipe(Effect.scoped)

describe("the MSG91 channel", () => {
  it.effect("sends one recipient without a plus, the code as a template value, and the reference to the flow", () =>
    Effect.gen(function* () {
      const { channel: sms, msg91 } = yield* world({ codeVariable: "VAR1" })
      const sent = yield* sms.send(message({ options: { header: "ACMEIN", templateId: "1207161234567890123" } }))
      const [request, ...more] = yield* msg91.seen
      assert.strictEqual(more.length, 0)
      const raw = request?.raw ?? ""
      assert.match(raw, /^POST \/api\/v5\/flow HTTP\/1\.1\r\n/)
      assert.include(raw, `authkey: ${authKey}`)
      assert.deepStrictEqual(JSON.parse(raw.slice(raw.indexOf("\r\n\r\n"))), {
        template_id: templateId,
        short_url: "0",
        CRQID: reference,
        sender: "ACMEIN",
        recipients: [{ mobiles: "919812345678", VAR1: code, CRQID: reference }]
      })
      assert.strictEqual(sent.providerId, request?.providerId)
    })
  )

  it.effect("maps an error to Refused at any status, by MSG91's code and never by its message", () =>
    Effect.gen(function* () {
      const words = `${code} to +919812345678 by ${authKey}`
      assert.deepStrictEqual(
        [
          yield* reasonOf(200, { type: "error", message: words }),
          yield* reasonOf(200, { type: "error", code: 418, message: words }),
          yield* reasonOf(401, { status: "fail", hasError: true, errors: words, code: "201" }),
          yield* reasonOf(200, { type: "error", code: words }),
          yield* reasonOf(403, { message: words }),
          yield* reasonOf(500, { type: "error", code: 1 }),
          yield* reasonOf(200, { type: "success" }),
          yield* reasonOf(200, { type: "success", message: words })
        ],
        [
          "Refused error",
          "Refused 418",
          "Refused 201",
          "Refused error",
          "Refused http_403",
          "OutcomeUnknown http_500",
          "OutcomeUnknown unreadable",
          "OutcomeUnknown unreadable"
        ]
      )
    })
  )

  it.effect("reads reports with the secret, also in a list, and ignores foreign ones", () =>
    Effect.gen(function* () {
      const { callback } = yield* channel("https://control.msg91.com")
      if (callback === undefined) return assert.fail("no callback")
      const statuses = ["DELIVERED", "Failed", 1, "2", 9, 16, 25, 17, "Sent", "pending", null]
      const { receipts } = yield* callback.receive(
        report([
          ...statuses.map((status) => ({ CRQID: reference, requestId, status })),
          { CRQID: "0", requestId, status: "DELIVERED" },
          { CRQID: "../x", requestId, status: "DELIVERED" },
          { requestId, status: "DELIVERED" }
        ])
      )
      assert.deepStrictEqual(
        receipts.map(({ providerCode, status }) => `${status} ${providerCode}`),
        [
          "DELIVERED null",
          "FAILED failed",
          "DELIVERED null",
          "FAILED 2",
          "FAILED 9",
          "FAILED 16",
          "FAILED 25",
          "FAILED 17",
          "SENT null"
        ]
      )
      assert.isTrue(receipts.every((receipt) => receipt.reference === reference && receipt.providerId === requestId))
    })
  )

  it.effect("refuses reports with a missing or wrong secret, and has no callback without a secret", () =>
    Effect.gen(function* () {
      const { callback } = yield* channel("https://control.msg91.com")
      if (callback === undefined) return assert.fail("no callback")
      const body = { CRQID: reference, status: "DELIVERED" }
      for (const secret of [undefined, "", webhookSecret.slice(1), `${webhookSecret}x`]) {
        const headers = secret === undefined ? {} : { "x-countersign-secret": secret }
        const { _tag } = yield* Effect.flip(callback.receive(report(body, headers)))
        assert.strictEqual(_tag, "CallbackRefused")
      }
      const without = yield* channel("https://control.msg91.com", { webhookSecret: undefined })
      assert.deepStrictEqual([without.callback, without.supports.receipts], [undefined, false])
    })
  )

  it.effect("reports every invalid option together, without its value", () =>
    Effect.gen(function* () {
      const problem = yield* Effect.flip(
        Msg91.make({
          authKey: Redacted.make("hunter 2"),
          templateId: "1207161234567890123",
          codeVariable: "mobiles",
          webhookSecret: Redacted.make("hunter2"),
          apiUrl: "http://hunter2.example.com",
          perSecond: 0
        })
      )
      assert.instanceOf(problem, InvalidOptions)
      assert.deepStrictEqual(
        problem.problems.map(({ option }) => option),
        ["authKey", "templateId", "codeVariable", "webhookSecret", "apiUrl", "perSecond"]
      )
      assert.notInclude(problem.message, "hunter")
    })
  )
})
