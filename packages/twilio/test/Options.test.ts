import { Twilio } from "@countersign/twilio"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { accountSid, authToken, from, messagingServiceSid } from "./fixtures/world.ts"

const right: Twilio.Options = { accountSid, authToken: Redacted.make(authToken), from }

const wrong: { readonly [problem: string]: object } = {
  "accountSid must be AC and 32 hex digits": { accountSid: "SK00000000000000000000000000000001" },
  "authToken must be visible ASCII without spaces": { authToken: Redacted.make("a token\n") },
  "from and messagingServiceSid exclude each other": { messagingServiceSid },
  "from must be a number with +, a short code or an alphanumeric sender": { from: "whatsapp:+15005550006" },
  "messagingServiceSid must be MG and 32 hex digits": { from: undefined, messagingServiceSid: "MG1" },
  "rcsSender must look like rcs:sender_id": { rcsSender: "acme_agent" },
  "one of from, messagingServiceSid and rcsSender must be given": { from: undefined },
  "perSecond must be greater than 0": { perSecond: 0 },
  "contentRetention must be retain or discard": { contentRetention: "obfuscate" },
  "addressRetention must be retain or obfuscate": { addressRetention: "discard" },
  "riskCheck must be enable or disable": { riskCheck: "on" },
  "apiUrl must be an http(s) address": { apiUrl: "api.twilio.com" },
  "apiUrl must not hold credentials": { apiUrl: "https://user:password@proxy.example.com" },
  "publicUrl must not have a query or a fragment": { publicUrl: "https://verify.example.com/?a=b" },
  "publicUrl must not have an underscore in its host: Twilio refuses it": { publicUrl: "https://my_host.example.com" }
}

describe("options", () => {
  it.effect("that cannot work stop the start, with a reason that repeats none of them", () =>
    Effect.gen(function* () {
      for (const [problem, options] of Object.entries(wrong)) {
        const error = yield* Effect.flip(Twilio.make({ ...right, ...options }))
        assert.deepStrictEqual([error._tag, error.problem], ["InvalidOptions", problem])
      }
    })
  )

  it.effect("take every kind of sender", () =>
    Effect.gen(function* () {
      for (const sender of ["+15005550006", "56789", "ACMEIN", "Acme 24"]) {
        assert.lengthOf(yield* Twilio.make({ ...right, from: sender }), 1)
      }
    })
  )
})
