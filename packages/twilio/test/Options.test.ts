import { Twilio } from "@countersign/twilio"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { accountSid, authToken, from, messagingServiceSid } from "./fixtures/world.ts"

const right: Twilio.Options = { accountSid, authToken: Redacted.make(authToken), from }

const wrong: ReadonlyArray<readonly [option: string, problem: string, options: object]> = [
  ["accountSid", "must be AC and 32 hex digits", { accountSid: "SK00000000000000000000000000000001" }],
  ["authToken", "must be visible ASCII without spaces", { authToken: Redacted.make("a token\n") }],
  ["messagingServiceSid", "cannot be combined with a sender: set one of them", { messagingServiceSid }],
  ["from", "must be a number with +, a short code or an alphanumeric sender", { from: "whatsapp:+15005550006" }],
  ["messagingServiceSid", "must be MG and 32 hex digits", { from: undefined, messagingServiceSid: "MG1" }],
  ["rcsSender", "must look like rcs:sender_id", { rcsSender: "acme_agent" }],
  ["from", "is missing: set a sender, a Messaging Service or an RCS sender", { from: undefined }],
  ["perSecond", "must be greater than 0", { perSecond: 0 }],
  ["contentRetention", "must be retain or discard", { contentRetention: "obfuscate" }],
  ["addressRetention", "must be retain or obfuscate", { addressRetention: "discard" }],
  ["riskCheck", "must be enable or disable", { riskCheck: "on" }],
  ["apiUrl", "must be an http or https URL", { apiUrl: "api.twilio.com" }],
  ["apiUrl", "must not contain credentials", { apiUrl: "https://user:password@proxy.example.com" }],
  ["publicUrl", "must not have a query or a fragment", { publicUrl: "https://verify.example.com/?a=b" }],
  [
    "publicUrl",
    "must not have an underscore in its host, because Twilio refuses it",
    { publicUrl: "https://my_host.example.com" }
  ]
]

describe("the options of Twilio", () => {
  it.effect("stop the start if invalid, with a reason that contains no value", () =>
    Effect.gen(function* () {
      for (const [option, problem, options] of wrong) {
        const { problems } = yield* Effect.flip(Twilio.make({ ...right, ...options }))
        assert.deepStrictEqual(problems, [{ option, problem }])
      }
    })
  )

  it.effect("are all named together if several are invalid", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        Twilio.make({ ...right, accountSid: "AC1", authToken: Redacted.make("se cret"), apiUrl: "ftp://x" })
      )
      assert.deepStrictEqual(
        error.problems.map(({ option }) => option),
        ["accountSid", "authToken", "apiUrl"]
      )
      assert.notInclude(error.message, "se cret")
    })
  )

  it.effect("accept every kind of sender", () =>
    Effect.gen(function* () {
      for (const sender of ["+15005550006", "56789", "ACMEIN", "Acme 24"]) {
        assert.lengthOf(yield* Twilio.make({ ...right, from: sender }), 1)
      }
    })
  )
})
