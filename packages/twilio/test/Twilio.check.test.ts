import { ProviderCheckFailed } from "@countersign/core/channel"
import { TwilioSimulator } from "@countersign/testkit/simulators"
import { Twilio } from "@countersign/twilio"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { answer, answering } from "./fixtures/answering.ts"

const checked = (url: string, wanted: { readonly accountSid: string; readonly authToken: string }) =>
  Effect.gen(function* () {
    const [channel] = yield* Twilio.make({
      accountSid: wanted.accountSid,
      authToken: Redacted.make(wanted.authToken),
      from: "+15005550006",
      apiUrl: url
    })
    return yield* Effect.match(channel!.check!, {
      onFailure: (error) => (error instanceof ProviderCheckFailed ? `failed: ${error.message}` : "defect"),
      onSuccess: ({ detail }) => detail
    })
  })

describe("the Twilio check without sending", () => {
  it.effect.each<readonly [TwilioSimulator.Options, RegExp]>([
    [{}, /^the account is active$/],
    [
      { accountType: "Trial" as const },
      /^the account is an active trial: messages reach only numbers that you verified/
    ],
    [{ accountStatus: "suspended" as const }, /^failed: reports that the account is suspended; ask Twilio/]
  ])("reports the state of the account: %o", ([options, expected]) =>
    Effect.gen(function* () {
      const twilio = yield* TwilioSimulator.make(options)
      assert.match(yield* checked(twilio.url, twilio), expected)
      assert.deepStrictEqual(yield* twilio.seen, [])
    })
  )

  it.effect("distinguishes wrong credentials from an unreachable or failing Twilio", () =>
    Effect.gen(function* () {
      const twilio = yield* TwilioSimulator.make()
      const wrong = { ...twilio, authToken: "another-token" }
      assert.match(
        yield* checked(twilio.url, wrong),
        /^failed: does not accept the account and its auth token \(HTTP 401, code 20003\)/
      )
      yield* twilio.play("unavailable")
      assert.match(yield* checked(twilio.url, twilio), /^failed: is temporarily unavailable \(HTTP 503\)/)
      const unreachable = yield* Effect.scoped(TwilioSimulator.make())
      assert.match(yield* checked(unreachable.url, twilio), /^failed: is unreachable \(ECONNREFUSED\)/)
      const other = yield* answering(answer(200, "{}"))
      assert.match(yield* checked(other.url, twilio), /^failed: gave no usable answer/)
    })
  )
})
